#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and runs the consumer against an installed copy. usage: run.py [CMAKE-ARGUMENT...]"""
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
with tempfile.TemporaryDirectory() as build:
    subprocess.run(["cmake", "-S", here, "-B", build, "-G", "Ninja", *sys.argv[1:]], check=True)
    subprocess.run(["cmake", "--build", build], check=True)
    subprocess.run([pathlib.Path(build) / "consumer"], check=True)
