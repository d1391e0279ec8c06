#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/format.py names a badly laid out file and a comment that is too long."""
import shutil
import sys

from plant import ROOT, TESTS, fails, passes, tree

if not shutil.which("clang-format"):
    print("SKIPPED: clang-format is not installed")
    sys.exit(77)
STYLE = {".clang-format": (ROOT / ".clang-format").read_text()}
GOOD = "int answer()\n{\n    return 42;\n}\n"
with tree(STYLE | {"good.cpp": GOOD}) as root:
    passes(sys.executable, TESTS / "format.py", root)
with tree(STYLE | {"bad.cpp": "int answer(){return 42;}\n"}) as root:
    fails(["bad.cpp:1"], sys.executable, TESTS / "format.py", root)
with tree(STYLE | {"long.cpp": "// " + "far " * 30 + "away\n" + GOOD}) as root:
    fails(["long.cpp:1", "127 columns"], sys.executable, TESTS / "format.py", root)
