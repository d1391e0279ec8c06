#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the library from scratch, without a cache, and fails beyond a budget for two cores.

usage: build_budget.py SECONDS [CMAKE-ARGUMENT...]

What is measured is processor time, halved: on a machine that is busy with other things the clock on
the wall says nothing about the library. Beyond the budget it is measured once more.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

AIM = 60  # seconds
root = pathlib.Path(__file__).resolve().parent.parent
budget = float(sys.argv[1])


def built(build):
    """Processor time, halved, and time by the clock of a build from nothing."""
    subprocess.run(["cmake", "--build", build, "--target", "clean"], check=True, stdout=subprocess.DEVNULL)
    start = os.times()
    began = time.monotonic()
    process = subprocess.Popen(["cmake", "--build", build, "-j2"], stdout=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        failed = process.wait(5 * budget)  # a hung compiler must not hang the test
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # the compilers as well
        process.wait()
        sys.exit(f"the library was not built within five times its budget of {budget:g} s")
    if failed:
        sys.exit("the library does not build")
    end = os.times()
    spent = end.children_user + end.children_system - start.children_user - start.children_system
    return spent / 2, time.monotonic() - began


with tempfile.TemporaryDirectory() as build:
    subprocess.run(["cmake", "-S", root, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DPOINSOT_TESTS=OFF", "-DPOINSOT_CLI=OFF",
                    "-DPOINSOT_PYTHON=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=32",
                    *sys.argv[2:]], check=True, stdout=subprocess.DEVNULL)
    for last in (False, True):
        spent, clock = built(build)
        print(f"the library takes {spent:.1f} s on two cores, {clock:.1f} s by the clock; "
              f"the aim is {AIM} s, allowed are {budget:g} s", flush=True)
        if spent <= budget:
            break
        if last:
            sys.exit(f"the library was not built within its budget of {budget:g} s")
        print("once more: whatever else the machine does only adds to it", flush=True)
