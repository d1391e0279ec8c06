#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A writer killed with SIGKILL at a random moment leaves a file that plain h5py opens."""
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import CommandTest

TIMES = int(os.environ.get("POINSOT_KILLS", "40"))

# Many bodies, so that writing takes most of the time and a kill often falls into it.
SCENE = "particles:\n" + "".join(
    f"  - {{name: p{i}, mass: 1.0, position: [{i}.0, 0, 0], velocity: [0, {i}.0, 1.0]}}\n"
    for i in range(200)) + "gravity: [0, 0, -9.81]\nrun: {until: 100000, step: 0.001}\n"


def frames_of(test, path):
    """Opens as any reader would and checks that every frame that has a time is there and right."""
    with h5py.File(path, "r") as file:
        time_ = file["time"][:]
        step = file["step"][: len(time_)]
        numpy.testing.assert_array_equal(step, numpy.arange(len(time_)))
        numpy.testing.assert_allclose(time_, step * 0.001, rtol=1e-15)
        x = file["bodies/position"]
        test.assertGreaterEqual(x.shape[0], len(time_))
        i = numpy.arange(200.0)
        exact = numpy.stack([numpy.broadcast_to(i, (len(time_), 200)), numpy.outer(time_, i),
                             numpy.broadcast_to((time_ - 9.81 / 2 * time_**2)[:, None],
                                                (len(time_), 200))], axis=2)
        numpy.testing.assert_allclose(x[: len(time_)], exact, rtol=1e-9, atol=1e-9)
        for name in ("ledger/p", "ledger/work", "bodies/orientation", "bodies/momentum"):
            test.assertGreaterEqual(file[name].shape[0], len(time_))
            file[name][: len(time_)]
        test.assertEqual(file["final/ended"][()], b"running")
        test.assertTrue(numpy.isnan(file["final/processor_seconds"][()]))  # what it cost is not known
        test.assertEqual(list(file.attrs["layout_version"]), [1, 6])
        return len(time_)


class KilledWriter(CommandTest):
    def test_leaves_a_readable_file_whenever_it_is_killed(self):
        scene = self.write("many.yaml", SCENE)
        out = self.folder / "many.h5"
        dice = random.Random(20261115)
        counts = []
        for _ in range(TIMES):
            out.unlink(missing_ok=True)
            writer = subprocess.Popen([command.PROGRAM, "run", scene, "--out", out, "--quiet"])
            while not out.exists() and writer.poll() is None:
                time.sleep(0.001)
            time.sleep(dice.uniform(0, 0.8))
            writer.send_signal(signal.SIGKILL)
            self.assertEqual(writer.wait(), -signal.SIGKILL)
            counts.append(frames_of(self, out))
        print("frames found:", counts)
        self.assertGreater(max(counts), 100)

    def test_can_be_read_while_it_writes(self):
        scene = self.write("many.yaml", SCENE)
        out = self.folder / "many.h5"
        writer = subprocess.Popen([command.PROGRAM, "run", scene, "--out", out, "--quiet"])
        try:
            while not out.exists():
                time.sleep(0.001)
            # Some thousand times: a reader that asks for the length of the file before a write
            # and reads its head after it comes once in five hundred.
            end = time.monotonic() + 3
            while time.monotonic() < end:
                with h5py.File(out, "r", swmr=True) as file:
                    n = len(file["time"])
                    self.assertGreaterEqual(len(file["bodies/position"]), n)
        finally:
            writer.kill()
            writer.wait()

    def test_killed_before_it_begins_keeps_the_file_that_was_there(self):
        scene = self.write("many.yaml", SCENE)
        out = self.write("many.h5", "precious")
        # A limit that stops the new file while its head is written.
        stopped = self.poinsot("run", scene, "--out", out, "--quiet",
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                     (4096, 4096)))
        self.assertEqual(stopped.returncode, 1, stopped.stderr)
        self.assertIn("many.h5", stopped.stderr)
        self.assertEqual(out.read_text(), "precious")
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.endswith(".part")], [])


if __name__ == "__main__":
    command.main()
