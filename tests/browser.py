# SPDX-License-Identifier: MIT
"""Tests of the viewer in a real browser: what they need, and how they are run.

They use Debian's Chromium through playwright-core, which the build of the viewer has installed beside
its page. Where something is missing they are skipped, with the reason.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def needed(program):
    """The folder in which the viewer was built; ends with status 77 where tests cannot run."""
    def skip(reason):
        print(f"SKIPPED: {reason}")
        sys.exit(77)
    built = pathlib.Path(program).resolve().parent / "viewer"
    if not shutil.which("node"):
        skip("no Node.js here (Debian: apt-get install nodejs npm)")
    if not any(pathlib.Path("/usr/bin", name).exists() for name in ("chromium", "chromium-browser")):
        skip("no Chromium here (Debian: apt-get install chromium)")
    page = built / "dist/page.html"
    if not page.is_file() or page.stat().st_size == 0 or not (built / "node_modules/playwright-core").is_dir():
        skip("the program is built without the viewer")
    return built


def node_tests(built, files, expected=None, timeout=570):
    """Runs files of viewer/tests with node; they find what they expect in the file of POINSOT_PAGES."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ("tests", "tools", "src"):
            shutil.copytree(ROOT / "viewer" / name, folder / name)
        for name in ("package.json", "tsconfig.json"):
            shutil.copy(ROOT / "viewer" / name, folder / name)
        for name in ("node_modules", "dist"):
            (folder / name).symlink_to(built / name)
        environment = dict(os.environ)
        if expected is not None:
            environment["POINSOT_PAGES"] = str(folder / "expected.json")
            (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
        checked = subprocess.run(["node", "node_modules/typescript/bin/tsc", "--noEmit"], cwd=folder)
        done = subprocess.run(["node", "--test", *(f"tests/{file}" for file in files)], cwd=folder, env=environment,
                              timeout=timeout)
        return checked.returncode or done.returncode
