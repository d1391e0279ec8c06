#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/build_budget.py fails when the budget is absurdly small."""
import sys

from plant import TESTS, fails

fails(["budget of 0.01 s"], sys.executable, TESTS / "build_budget.py", "0.01",
      "-DPOINSOT_HULL=OFF", "-DPOINSOT_STIFF=OFF", "-DPOINSOT_IO=OFF")
