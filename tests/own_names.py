#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names every function of a wide object file that could stand in for one compiled for all machines.

usage: own_names.py BUILD

Files called *_avx512.cpp are compiled with instructions that not every machine has. The linker may
keep any of several definitions of one name, so what such a file defines must have avx512 in its name.
"""
import pathlib
import subprocess
import sys

build = pathlib.Path(sys.argv[1])
objects = sorted(p for p in build.rglob("*_avx512.cpp.o"))
if not objects:
    sys.exit(f"{build}: no object file is called *_avx512.cpp.o")
failed = False
for path in objects:
    listing = subprocess.check_output(["nm", "--defined-only", "--extern-only", "-P", path], text=True)
    names = [line.split()[0] for line in listing.splitlines()]
    # The exception handler's address is data, and the same in every file.
    strangers = [n for n in names if "avx512" not in n and not n.startswith("DW.ref.")]
    print(f"{path.relative_to(build)}: {len(names)} names, {len(strangers)} not its own")
    if strangers:
        failed = True
        print(subprocess.check_output(["c++filt", *strangers], text=True), end="")
sys.exit(failed)
