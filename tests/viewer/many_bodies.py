#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of 10,000 bodies in 1,001 frames is small, opens soon and plays."""
import os
import pathlib
import re
import sys
import tempfile

import h5py

here = pathlib.Path(__file__).parent
sys.path[:0] = [str(here.parent), str(here.parent / "cli")]
import browser
import command
import report_size

command.PROGRAM = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["POINSOT"]).resolve())


class Maker(report_size.Size):
    """Makes the page as the test of its size does, and leaves it there."""
    def runTest(self):
        pass


def main():
    built = browser.needed(command.PROGRAM)
    maker = Maker()
    maker.setUp()
    try:
        run = maker.ten_thousand()
        page = maker.folder / "page.html"
        done = maker.poinsot("report", run, "-o", page)
        assert done.returncode == 0, done.stderr
        found = re.search(rb'"position":\{.*?"error":([0-9.e-]+)', page.read_bytes()[:4_000_000], re.S)
        with h5py.File(run, "r") as file:
            t, x = file["time"], file["bodies/position"]
            places = [(float(t[i]), f"b{b}", x[i, b].tolist()) for i, b in ((0, 0), (500, 4321), (1000, 9999))]
        return browser.node_tests(built, ["many.mjs"], {
            "file": str(page), "bytes": page.stat().st_size, "error": float(found.group(1)), "places": places})
    finally:
        maker.doCleanups()


if __name__ == "__main__":
    sys.exit(main())
