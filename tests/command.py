# SPDX-License-Identifier: MIT
"""What the tests in tests/cli share: the program, a place to work in, and its answers.

A test file is run as `file.py PROGRAM`, or with POINSOT in the environment. Reference data lies in
tests/reference. A file that skipped any of its tests is told as skipped (exit status 77), with the
reasons; one that failed has failed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests/reference"
PROGRAM = None

TUMBLING = """
title: A tumbling block
bodies:
  - name: block
    box: [0.1, 0.4, 0.9]
    mass: 2.0
    velocity: [1.0, 2.0, 3.0]
    angular_velocity: [1.0, 2.0, 3.0]
gravity: [0, 0, -9.81]
run: {until: 1.0, step: 0.01}
"""


class CommandTest(unittest.TestCase):
    """One test in a folder of its own."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def write(self, name, text):
        path = self.folder / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
        return path

    def poinsot(self, *arguments, **options):
        options = {"capture_output": True, "text": True, "cwd": self.folder, "timeout": 280} | options
        return subprocess.run([PROGRAM, *map(str, arguments)], **options)

    def run_json(self, *arguments, status=0):
        """`poinsot run ... --json` with the exit status it must have."""
        done = self.poinsot("run", *arguments, "--json")
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return json.loads(done.stdout)


def main():
    global PROGRAM
    given = sys.argv[1] if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
    PROGRAM = given or os.environ.get("POINSOT")
    if not PROGRAM or not pathlib.Path(PROGRAM).is_file():
        sys.exit(f"usage: {sys.argv[0]} PROGRAM (there is none at {PROGRAM})")
    PROGRAM = str(pathlib.Path(PROGRAM).resolve())
    module = sys.modules["__main__"]
    names = [a for a in sys.argv[2:] if not a.startswith("-")]
    loader = unittest.TestLoader()
    suite = (loader.loadTestsFromNames(names, module) if names
             else loader.loadTestsFromModule(module))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if not result.wasSuccessful():
        sys.exit(1)
    if result.skipped:
        print("SKIPPED:", "; ".join(dict.fromkeys(reason for _, reason in result.skipped)))
        sys.exit(77)
