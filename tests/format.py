#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the layout of all C++ files: clang-format, and 100 columns in comments too.

usage: format.py [ROOT]
"""
import pathlib
import shutil
import subprocess
import sys
import unicodedata


def sources(root):
    """Files that git tracks or would track; without git, all but what was built."""
    kinds = ("*.cpp", "*.hpp", "*.h")
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
         *kinds], capture_output=True, text=True) if shutil.which("git") else None
    if listed and listed.returncode == 0:
        found = [root / name for name in listed.stdout.split("\0") if name]
    else:
        found = [p for kind in kinds for p in root.rglob(kind)
                 if "build" not in p.relative_to(root).parts]
    return sorted(p for p in found if p.exists())


def long_lines(path):
    """clang-format would break a comment anywhere, so it is told to leave comments alone."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        columns = sum(not unicodedata.combining(c) for c in line)
        if columns > 100:
            yield f"{path}:{number}: {columns} columns, 100 are allowed"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    if not shutil.which("clang-format"):
        print("SKIPPED: clang-format is not installed")
        sys.exit(77)
    files = sources(root)
    too_long = [problem for path in files for problem in long_lines(path)]
    print("\n".join(too_long))
    ugly = files and subprocess.run(["clang-format", "--dry-run", "-Werror", *files]).returncode
    if ugly or too_long:
        sys.exit("not laid out as .clang-format says; run: clang-format -i FILE")
    print(f"{len(files)} files are laid out as .clang-format says")
