#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums the results of several ctest runs; the last line reads "N passed, N failed, N skipped".

usage: summary.py NAME=JUNIT-FILE...

A file that is missing or broken counts as one failure: its build or its run broke down.
"""
import re
import sys
import xml.etree.ElementTree as xml

passed, failed, skipped = [], [], []
for argument in sys.argv[1:]:
    build, file = argument.split("=", 1)
    try:
        cases = xml.parse(file).getroot().findall("testcase")
    except (OSError, xml.ParseError):
        failed.append(f"{build}: no results")
        continue
    for case in cases:
        name = f"{build}: {case.get('name')}"
        reason = re.search(r"SKIPPED: (.*)", case.findtext("system-out") or "")
        why = case.find("skipped")
        if case.get("status") == "run":
            passed.append(name)
        elif why is not None and "SKIP_" in (why.get("message") or ""):
            skipped.append(f"{name} ({reason[1] if reason else 'no reason given'})")
        else:
            failed.append(name)

for name in skipped:
    print(f"skipped: {name}")
for name in failed:
    print(f"failed: {name}")
print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
sys.exit(1 if failed else 0)
