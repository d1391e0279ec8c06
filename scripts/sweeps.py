#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws how sweeps over contacts come to the exact answer: docs/sweeps.svg.

usage: sweeps.py TEST_SOLVE --write FILE   writes it
       sweeps.py TEST_SOLVE --check FILE   is FILE what would be written, but for rounding?
"""
import json
import math
import pathlib
import re
import subprocess
import sys

LINE = "measured: "
TEST = "Sweeps converge to the exact answer as they grow in number"
LEFT, TOP, WIDTH, HEIGHT = 60, 20, 420, 320
LOWEST, HIGHEST = -16, 0  # powers of ten
COLOURS = ("#0072b2", "#d55e00", "#009e73")


def measure(program):
    done = subprocess.run([program, f"-tc={TEST}"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"sweeps.py: the test fails:\n{done.stdout[-3000:]}{done.stderr}")
    lines = [json.loads(line.removeprefix(LINE)) for line in done.stdout.splitlines() if line.startswith(LINE)]
    if not lines:
        raise SystemExit(f"sweeps.py: no test '{TEST}' has measured anything")
    return lines


def drawing(lines):
    last = max(math.log2(line["sweeps"][-1]) for line in lines)

    def at(sweeps, value):
        y = max(LOWEST, math.log10(value)) if value > 0 else LOWEST
        return LEFT + WIDTH * math.log2(sweeps) / last, TOP + HEIGHT * (HIGHEST - y) / (HIGHEST - LOWEST)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 190} {TOP + HEIGHT + 50}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for sweeps in lines[0]["sweeps"]:
        X, Y = at(sweeps, 10 ** LOWEST)
        out.append(f'<path d="M{X:.0f} {TOP}V{Y:.0f}" stroke="#ddd"/>'
                   f'<text x="{X:.0f}" y="{Y + 16:.0f}" text-anchor="middle">{sweeps}</text>')
    for y in range(LOWEST, HIGHEST + 1, 2):
        X, Y = at(1, 10 ** y)
        out.append(f'<path d="M{X:.0f} {Y:.0f}h{WIDTH}" stroke="#ddd"/>'
                   f'<text x="{X - 6:.0f}" y="{Y + 4:.0f}" text-anchor="end">1e{y}</text>')
    out.append(f'<text x="{LEFT + WIDTH / 2:.0f}" y="{TOP + HEIGHT + 40}" text-anchor="middle">sweeps</text>')
    row = 0
    for line, colour in zip(lines, COLOURS):
        for key, what, dashes in (("residual", "natural residual", ""),
                                  ("error", "error, m/s, rad/s", ' stroke-dasharray="6 4"')):
            points = " ".join("{:.1f},{:.1f}".format(*at(*point)) for point in zip(line["sweeps"], line[key]))
            out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dashes} points="{points}"/>')
            Y = TOP + 14 + 20 * row
            name = f'{line["boxes"]} box{"es" if line["boxes"] > 1 else ""}: {what}'
            out.append(f'<path d="M{LEFT + WIDTH + 12} {Y}h22" stroke="{colour}" stroke-width="2"{dashes}/>'
                       f'<text x="{LEFT + WIDTH + 40}" y="{Y + 4}">{name}</text>')
            row += 1
    return "\n".join(out + ["</svg>"]) + "\n"


def differences(kept, made):
    """Text by text; points to a power of ten, and not at all where there is rounding alone."""
    power = HEIGHT / (HIGHEST - LOWEST)
    points = re.compile(r'(?<=points=")[^"]*')
    if points.sub("", kept) != points.sub("", made):
        return ["it has other curves or words"]
    found = []
    for number, (old, new) in enumerate(zip(points.findall(kept), points.findall(made))):
        for a, b in zip(old.split(), new.split()):
            (X, Y), (x, y) = ([float(part) for part in point.split(",")] for point in (a, b))
            rounding = TOP + power * (HIGHEST + 13)
            if abs(X - x) > 0.2 or abs(min(Y, rounding) - min(y, rounding)) > power:
                found.append(f"curve {number}: {b} instead of {a}")
    return found


def main(program, how, file):
    file = pathlib.Path(file)
    made = drawing(measure(program))
    if how == "--write":
        file.write_text(made, encoding="utf-8")
        print(f"wrote {file}")
        return 0
    found = differences(file.read_text(encoding="utf-8"), made)
    for problem in found:
        print(f"{file.name}: {problem}")
    print(f"{file.name} is what scripts/sweeps.py draws" if not found else
          f"{file.name} is stale: run scripts/validation")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[2] not in ("--write", "--check"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
