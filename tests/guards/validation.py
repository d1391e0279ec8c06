#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/validation.py --check names a case that the page lacks, one that it has too many, and an error that is stale."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from validation import CASES, differences

PAGE = (ROOT / "docs/validation.md").read_text(encoding="utf-8")
ROW = next(line for line in PAGE.splitlines() if "Poinsot, maximal" in line)


def expect(kept, *words):
    found = "\n".join(differences(kept, PAGE))
    if bool(found) != bool(words) or any(word not in found for word in words):
        sys.exit(f"expected {words or 'nothing'}, found: {found or 'nothing'}")


expect(PAGE)
for what, *_ in CASES.values():
    if what not in PAGE:
        sys.exit(f"docs/validation.md has no '{what}'")
expect(re.sub(r"(Poinsot, .*\| )[\d.]+ s \|$", r"\g<1>99 s |", PAGE, flags=re.MULTILINE))
expect(re.sub(r"times are of [^;]*;", "times are of another machine;", PAGE))
expect(PAGE.replace("\n| panda", "\n| pandora"), "not on the page: | panda", "measured no more: | pandora")
expect(PAGE.replace(ROW + "\n", "", 1), "not on the page", ROW.split("|")[3].strip())
expect(PAGE + PAGE.splitlines()[-1] + "\n", "twice")
error = re.search(r"\d\.\de-10", ROW.replace("e-13", "e-10"))[0]
expect(PAGE.replace(ROW, re.sub(r"\d\.\de-13", error, ROW, count=1), 1), "instead of " + error)
expect(PAGE.replace("0.637 s", "0.600 s"), "not on the page: |  | OpenSim", "0.637 s")
