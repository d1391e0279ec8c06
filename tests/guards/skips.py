#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A script that skips one of its tests is told as skipped, with the reason; one that also fails has failed."""
import re
import sys

from plant import ROOT, TESTS, fails, run, tree

HEAD = f"""import sys
sys.path.insert(0, {str(TESTS)!r})
import command
class Case(command.CommandTest):
    def test_passes(self):
        pass
"""
SKIPS = HEAD + """
    def test_skips(self):
        self.skipTest("no such file")
    def test_skips_too(self):
        self.skipTest("no such file")
    def test_skips_otherwise(self):
        self.skipTest("no such program")
"""
FAILS = "\n    def test_fails(self):\n        self.fail()\n"
SCRIPTS = {"passes": HEAD, "skips": SKIPS, "fails": SKIPS + FAILS}

with tree({f"{name}.py": text + "\ncommand.main()\n" for name, text in SCRIPTS.items()}) as folder:
    (folder / "CTestTestfile.cmake").write_text("".join(
        f'add_test({name} "{sys.executable}" "{folder}/{name}.py" "{sys.executable}")\n'
        f"set_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)\n" for name in SCRIPTS), "utf-8")
    run("ctest", "--test-dir", folder, "--output-junit", "r.xml")
    fails(["skipped: here: skips (no such file; no such program)\n", "failed: here: fails\n",
           "\n1 passed, 1 failed, 1 skipped\n"],
          sys.executable, ROOT / "scripts/summary.py", f"here={folder / 'r.xml'}")

# Whatever runs scripts knows this exit status.
lists = (TESTS / "CMakeLists.txt").read_text("utf-8")
if len(re.findall(r"SKIP_RETURN_CODE 77", lists)) != 2:
    sys.exit("tests/CMakeLists.txt: scripts and pytest must have SKIP_RETURN_CODE 77")
