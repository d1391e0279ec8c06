#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/sweeps.py --check names a curve that docs/sweeps.svg lacks, and a point that is elsewhere; rounding it lets pass."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from sweeps import differences

KEPT = (ROOT / "docs/sweeps.svg").read_text(encoding="utf-8")
CURVE = re.search(r"<polyline.*\n", KEPT)[0]
POINTS = re.search(r'points="([^"]*)"', CURVE)[1].split()


def expect(made, *words):
    found = "\n".join(differences(KEPT, made))
    if bool(found) != bool(words) or any(word not in found for word in words):
        sys.exit(f"expected {words or 'nothing'}, found: {found or 'nothing'}")


def moved(index, by):
    x, y = (float(part) for part in POINTS[index].split(","))
    new = f"{x:.1f},{y + by:.1f}"
    return new, KEPT.replace(POINTS[index], new, 1)


expect(KEPT)
expect(KEPT.replace(CURVE, "", 1), "other curves")
expect(KEPT.replace("natural residual", "residual"), "words")
expect(moved(0, 5)[1])  # a quarter of a power of ten
new, text = moved(0, 45)
expect(text, "curve 0", new)
expect(moved(-1, 20)[1])  # rounding of rounding
