#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every TEST_CASE becomes a ctest test of the right outcome, and scripts/summary.py counts it.

usage: discovery.py PROGRAM, built from names.cpp
"""
import re
import sys

from plant import ROOT, TESTS, fails, passes, run, tree

program = sys.argv[1]
names = re.findall(r'^TEST_CASE\("(.*)"\)$', (TESTS / "guards/names.cpp").read_text("utf-8"), re.M)
names = [re.sub(r"\\(.)", r"\1", name) for name in names]
with tree({}) as build:
    passes(sys.executable, TESTS / "discover.py", program, "guards", build / "CTestTestfile.cmake")
    _, output = run("ctest", "--test-dir", build, "--output-on-failure", "--output-junit", "r.xml")
    for name in names:
        outcome = {"passes": "Passed", "fails": "***Failed", "skipped": "***Skipped"}[name.split(":")[0]]
        if not re.search(rf": guards: {re.escape(name)} \.* *{re.escape(outcome)} ", output):
            sys.exit(f"'{name}' must be '{outcome}':\n{output}")
    for word in ("1 and 2 differ by 1, allowed 2e-12", f"out of {len(names)}"):
        if word not in output:
            sys.exit(f"the output must say '{word}':\n{output}")
    if "Total Tests: 1\n" not in passes("ctest", "--test-dir", build, "-N", "-L", "slow"):
        sys.exit("the suite 'slow' must become a label")

    # A name that matches no case must fail, not pass with nothing run.
    script = build / "CTestTestfile.cmake"
    script.write_text(script.read_text("utf-8").replace("=passes: slowly", "=passes: swiftly"), "utf-8")
    fails(["0 |"], "ctest", "--test-dir", build, "-R", "slowly", "--output-on-failure")

    summary = [sys.executable, ROOT / "scripts/summary.py"]
    fails(["skipped: here: guards: skipped: for lack of a file (no such file)",
           "failed: here: guards: fails: numbers, that differ", "\n3 passed, 2 failed, 1 skipped\n"],
          *summary, f"here={build / 'r.xml'}")
    fails(["failed: gone: no results", "0 passed, 1 failed, 0 skipped"], *summary, f"gone={build / 'no.xml'}")
