#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes one ctest test per TEST_CASE of a doctest program.

usage: discover.py PROGRAM FOLDER OUTPUT

Names may hold commas, semicolons, quotes and brackets, which doctest's own CMake script splits.
The label is the folder; test suites (TEST_SUITE("slow")) become further labels.
"""
import collections
import subprocess
import sys
import xml.etree.ElementTree as xml


def quoted(text):
    """A CMake bracket argument: nothing inside it is special."""
    equals = ""
    while "]" + equals + "]" in text or text.endswith("]" + equals):
        equals += "="
    return f"[{equals}[{text}]{equals}]"


def escaped(text):
    """The name as doctest's filter reads it."""
    return text.replace("\\", "\\\\").replace(",", "\\,")


program, folder, output = sys.argv[1:]
listing = subprocess.run([program, "--list-test-cases", "--reporters=xml", "--no-skip=true"],
                         check=True, capture_output=True, text=True).stdout
cases = xml.fromstring(listing).findall("TestCase")

count = collections.Counter(case.get("name").lower() for case in cases)
twice = [name for name, n in count.items() if n > 1]
if twice:
    sys.exit("discover.py: test names must differ: " + "; ".join(twice))

with open(output, "w", encoding="utf-8") as script:
    for case in cases:
        name = f"{folder}: {case.get('name')}"
        suite = case.get("testsuite") or ""
        labels = ";".join([folder] + suite.split())
        script.write(
            f"add_test({quoted(name)} {quoted(program)} "
            f"{quoted('--test-case=' + escaped(case.get('name')))} --no-skip=true)\n"
            f"set_tests_properties({quoted(name)} PROPERTIES LABELS {quoted(labels)}"
            # A hung test ends; one that a busy machine or a sanitizer makes slow does not. Long ones start first.
            f" TIMEOUT {1200 if 'slow' in suite.split() else 400}"
            f" COST {100 if 'slow' in suite.split() else 1}"
            # A name that matches no case must not pass; a case that fails must not count as skipped.
            f" FAIL_REGULAR_EXPRESSION {quoted('test cases: +0 ')}"
            f" SKIP_REGULAR_EXPRESSION {quoted('SKIPPED: .*Status: SUCCESS')})\n")
