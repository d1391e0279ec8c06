#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/own_names.py names a function of a wide file that other files may have too."""
import subprocess
import sys

from plant import TESTS, fails, passes, tree

GOOD = """namespace poinsot_avx512 {
template <class T> T twice(T a) { return a + a; }
template double twice(double);
}
"""
# A template of everybody's, kept out of line.
BAD = GOOD + """namespace poinsot {
template <class T> T thrice(T a) { return a + a + a; }
template double thrice(double);
}
"""
for text, names in ((GOOD, []), (BAD, ["planted_avx512", "thrice"])):
    with tree({"planted_avx512.cpp": text}) as root:
        subprocess.run(["g++", "-std=c++20", "-c", root / "planted_avx512.cpp", "-o",
                        root / "planted_avx512.cpp.o"], check=True)
        command = (sys.executable, TESTS / "own_names.py", root)
        if names:
            fails(names, *command)
        else:
            passes(*command)
with tree({}) as root:
    root.mkdir(exist_ok=True)
    fails(["no object file is called"], sys.executable, TESTS / "own_names.py", root)
