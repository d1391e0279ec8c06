#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the final states of the scenes with tests/golden/hashes.txt, bit for bit.

usage: golden.py [--update | --shorter] [--hashes FILE] PROGRAM...

PROGRAM is a poinsot command line, or the build folder that holds one; all of them must agree with
the file. The file has a line "scene hash" per scene; --update writes the hashes that were found
(the programs must still agree among each other).

--shorter is for a program that was not optimised: the scenes of SHORTER end early, where the programs
must agree among each other; the others end as always and must agree with the file too.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Scenes of many bodies, which are looked at for longer than their hash needs.
EARLY = {"scenes/pyramid_20.yaml": 0.5, "scenes/wall.yaml": 0.5}
# Scenes that take minutes with dense matrices that were not optimised, and when they may end.
SHORTER = {"scenes/falling_boxes.yaml": 0.5, "scenes/net.yaml": 0.2}


def state_hash(program, scene, until):
    """The hash, or a sentence that says why there is none."""
    early = ["--until", str(until)] if until else []
    run = subprocess.run([program, "run", scene, "--quiet", "--json", *early], cwd=ROOT,
                         capture_output=True, text=True)
    if run.returncode not in (0, 2):  # 2: the books do not balance, which some scenes show
        return None, f"exit status {run.returncode}: {run.stderr.strip() or run.stdout.strip()}"
    try:
        return json.loads(run.stdout)["state_hash"], None
    except (ValueError, KeyError, TypeError) as problem:
        return None, f"no state_hash in its output ({problem!r})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--shorter", action="store_true")
    parser.add_argument("--hashes", type=pathlib.Path, default=ROOT / "tests/golden/hashes.txt")
    parser.add_argument("programs", type=pathlib.Path, nargs="+")
    args = parser.parse_args()

    lines = args.hashes.read_text().splitlines() if args.hashes.exists() else []
    comments = [line for line in lines if line.startswith("#")]
    expected = {}
    for line in lines:
        if line.strip() and not line.startswith("#"):
            scene, *rest = line.split()
            expected[scene] = rest[0] if rest else None
    if not expected:
        print("SKIPPED: no scenes listed yet")
        return 77

    early = SHORTER if args.shorter else {}
    programs = [(p / "poinsot" if p.is_dir() else p).absolute() for p in args.programs]
    problems = [f"{p}: not built" for p in programs if not p.is_file()]
    found = {}
    runs = [(scene, program) for scene in expected for program in programs] if not problems else []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
        ends = several.map(lambda run: state_hash(run[1], run[0], early.get(run[0]) or EARLY.get(run[0])), runs)
        for (scene, program), (new, reason) in zip(runs, ends):
            old = expected[scene]
            first = found.setdefault(scene, new)
            if new is None:
                problems.append(f"{scene}: {program}: {reason}")
            elif new != first:
                problems.append(f"{scene}: {program} ends at {new}, {programs[0]} at {first}")
            elif new != old and not args.update and scene not in early:
                problems.append(f"{scene}: {program} ends at {new}, {args.hashes.name} says {old}; "
                                "if the change is meant, run golden.py --update and say so in the changelog")
    if problems:
        print("\n".join(problems))
        return 1
    if args.update:
        args.hashes.write_text("\n".join(comments + [f"{s} {h}" for s, h in found.items()]) + "\n")
    print(f"{len(expected)} scenes end in the same bits in {len(programs)} builds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
