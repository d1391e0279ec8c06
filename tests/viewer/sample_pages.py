#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The viewer keeps to its format, and shows pages whose numbers are known in closed form."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import browser

built = browser.needed(sys.argv[1] if len(sys.argv) > 1 else os.environ["POINSOT"])
sys.exit(browser.node_tests(built, ["format.mjs", "page.mjs"]))
