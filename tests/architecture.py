#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names every include that points to a later module of poinsot/layers.txt.

usage: architecture.py [ROOT]

Also: header names are unique, so that a name is enough to find one; headers open with the SPDX line
and #pragma once; headers of ours are included by their full path, else the check would not see them.
"""
import collections
import pathlib
import re
import sys

SPDX = "// SPDX-License-Identifier: MIT"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^">]+)[">]')


def module_of(path):
    """poinsot/mass/inertia.hpp -> mass; cli/run.cpp -> cli; poinsot/poinsot.hpp -> poinsot.hpp"""
    parts = pathlib.PurePosixPath(path).parts
    return parts[1] if parts[0] == "poinsot" and len(parts) > 1 else parts[0]


def problems_of(root):
    lines = (root / "poinsot/layers.txt").read_text().splitlines()
    layers = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    # The header for users shows all modules; programs on top may include it, modules may not.
    layers.insert(layers.index("io") + 1 if "io" in layers else len(layers), "poinsot.hpp")
    rank = {name: i for i, name in enumerate(layers)}

    headers = collections.defaultdict(list)
    for path in sorted(p for top in ("poinsot", "cli", "python") for p in (root / top).rglob("*")):
        if path.suffix not in (".hpp", ".cpp", ".h"):
            continue
        name = path.relative_to(root).as_posix()
        here = module_of(name)
        text = path.read_text(encoding="utf-8").splitlines()
        if here not in rank:
            yield f"{name}: module '{here}' is not in poinsot/layers.txt; add it where it belongs"
            continue
        if text[:1] != [SPDX]:
            yield f"{name}:1: the first line must be '{SPDX}'"
        if path.suffix != ".cpp":
            headers[path.name].append(name)
            if text[1:2] != ["#pragma once"]:
                yield f"{name}:2: the second line of a header must be '#pragma once'"

        for number, line in enumerate(text, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, target = match.groups()
            there = module_of(target)
            if target.startswith("poinsot/") or target.split("/")[0] in rank:
                if there not in rank:
                    yield f"{name}:{number}: includes {target}, whose module is not in layers.txt"
                elif rank[there] > rank[here]:
                    yield (f"{name}:{number}: {here} includes {target}, but {there} is a later module; "
                           f"move what is shared down to {here} or below, or this file up")
            elif quote == '"' and name.startswith("poinsot/"):
                yield (f"{name}:{number}: includes \"{target}\"; write the full path, "
                       f'"poinsot/<module>/{pathlib.PurePosixPath(target).name}"')

    for header, places in headers.items():
        if len(places) > 1:
            yield f"{', '.join(places)}: header names are unique across modules; rename one"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(problems_of(root))
    print("\n".join(found) if found else "no include points to a later module")
    sys.exit(1 if found else 0)
