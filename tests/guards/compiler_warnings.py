#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A silent loss of digits does not compile in our build, with either compiler."""
import shutil
import sys

from plant import ROOT, fails, passes, tree

FILES = ["CMakeLists.txt", "cmake/PoinsotComponents.cmake", "cmake/PoinsotConfig.cmake.in",
         "poinsot/base/version.hpp", "poinsot/base/version.cpp"]
HOUSE = {name: (ROOT / name).read_text() for name in FILES}
FAULT = {"poinsot/base/narrow.cpp": "int whole(double x)\n{\n    return x;\n}\n"}
OPTIONS = [f"-DPOINSOT_{part}=OFF" for part in ("TESTS", "HULL", "STIFF", "IO", "CLI")]

compilers = [c for c in ("g++", "clang++") if shutil.which(c)]
if not compilers:
    sys.exit("neither g++ nor clang++ is installed")
for compiler in compilers:
    for files in (HOUSE, HOUSE | FAULT):
        with tree(files) as root:
            passes("cmake", "-S", root, "-B", root / "build", "-G", "Ninja", *OPTIONS,
                   f"-DCMAKE_CXX_COMPILER={compiler}")
            build = ["cmake", "--build", root / "build"]
            if files is HOUSE:
                passes(*build)
            else:
                fails(["narrow.cpp:3", "conversion", "-Werror"], *build)
