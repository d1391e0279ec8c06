#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A silent loss of digits does not compile in our build, with either compiler, in either half of the library."""
import shutil
import sys

from plant import ROOT, fails, passes, tree

FILES = ["CMakeLists.txt", "cmake/PoinsotComponents.cmake", "cmake/PoinsotConfig.cmake.in",
         "poinsot/base/version.hpp", "poinsot/base/version.cpp"]
# base is in the half that runs seldom; the other half has a file of its own, with nothing in it.
HOUSE = {name: (ROOT / name).read_text() for name in FILES} | {"poinsot/step/nothing.cpp": ""}
FAULT = "int whole(double x)\n{\n    return x;\n}\n"
PLANTS = [{}, {"poinsot/base/narrow.cpp": FAULT}, {"poinsot/step/narrow.cpp": FAULT}]
OPTIONS = [f"-DPOINSOT_{part}=OFF" for part in ("TESTS", "HULL", "STIFF", "IO", "CLI")]

compilers = [c for c in ("g++", "clang++") if shutil.which(c)]
if not compilers:
    sys.exit("neither g++ nor clang++ is installed")
for compiler in compilers:
    for plant in PLANTS:
        with tree(HOUSE | plant) as root:
            passes("cmake", "-S", root, "-B", root / "build", "-G", "Ninja", *OPTIONS,
                   f"-DCMAKE_CXX_COMPILER={compiler}")
            build = ["cmake", "--build", root / "build"]
            if plant:
                fails([f"{next(iter(plant))}:3", "conversion", "-Werror"], *build)
            else:
                passes(*build)
