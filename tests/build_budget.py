#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the library from scratch on two cores, without a cache, and fails beyond a budget.

usage: build_budget.py SECONDS [CMAKE-ARGUMENT...]
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
budget = float(sys.argv[1])
with tempfile.TemporaryDirectory() as build:
    subprocess.run(["cmake", "-S", root, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DPOINSOT_TESTS=OFF", "-DPOINSOT_CLI=OFF",
                    *sys.argv[2:]], check=True, stdout=subprocess.DEVNULL)
    start = time.monotonic()
    build_process = subprocess.Popen(["cmake", "--build", build, "-j2"], stdout=subprocess.DEVNULL,
                                     start_new_session=True)
    try:
        failed = build_process.wait(budget)
    except subprocess.TimeoutExpired:
        os.killpg(build_process.pid, signal.SIGTERM)  # the compilers as well
        build_process.wait()
        sys.exit(f"the library was not built within its budget of {budget:g} s")
    if failed:
        sys.exit("the library does not build")
    print(f"the library was built in {time.monotonic() - start:.1f} s, allowed {budget:g} s")
