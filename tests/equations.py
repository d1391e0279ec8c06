#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every function and every test named in docs/equations.md exists.

usage: equations.py [ROOT]

The file holds tables | where | what it says | function | test |. A function is written
`name` (`poinsot/module/header.hpp`), a test `its TEST_CASE name` or `script.py`; a cell may hold
several. A cell that reads "later: topic" waits for work to come.
"""
import pathlib
import re
import sys

COLUMNS = ["where", "what it says", "function", "test"]
FUNCTION = re.compile(r"`([^`]+)` \(`([^`]+)`\)")
NAMED = re.compile(r'`([^`]+)`|"([^"]+)"')
TEST_CASE = re.compile(r'TEST_CASE(?:_TEMPLATE)?\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def cells(line):
    """The cells of a row of a Markdown table; \\| is a bar inside a cell."""
    row = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return [cell.replace("\\|", "|").strip() for cell in row]


def tests_of(root):
    names = {p.relative_to(root / "tests").as_posix() for p in (root / "tests").rglob("*.py")}
    names |= {pathlib.PurePosixPath(name).name for name in names}
    for path in (root / "tests").rglob("*.cpp"):
        for match in TEST_CASE.finditer(path.read_text(encoding="utf-8")):
            name = "".join(LITERAL.findall(match[1]))
            names.add(re.sub(r"\\(.)", r"\1", name))
    return names


def problems_of(root, known_tests):
    lines = (root / "docs/equations.md").read_text(encoding="utf-8").splitlines()
    inside, rows = False, 0
    for number, line in enumerate(lines, 1):
        place = f"docs/equations.md:{number}"
        if not line.lstrip().startswith("|"):
            inside = False
            continue
        row = cells(line)
        if not inside:
            inside = True
            if row != COLUMNS:
                yield f"{place}: the columns of a table must be | {' | '.join(COLUMNS)} |"
            continue
        if all(re.fullmatch(r":?-+:?", cell) for cell in row):
            continue
        rows += 1
        if len(row) != len(COLUMNS):
            yield f"{place}: {len(row)} cells instead of {len(COLUMNS)}; write \\| for a bar in a cell"
            continue
        where, _, function, test = row
        if not function.startswith("later: "):
            functions = FUNCTION.findall(function)
            if not functions or FUNCTION.sub("", function).count("`"):
                yield f"{place}: {where}: a function is written `name` (`header`), here: {function}"
            for name, header in functions:
                path = root / header
                if not path.is_file():
                    yield f"{place}: {where}: there is no header {header}"
                elif not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", path.read_text(encoding="utf-8")):
                    yield f"{place}: {where}: {header} has no {name}"
        if not test.startswith("later: "):
            tests = [a or b for a, b in NAMED.findall(test)]
            if not tests:
                yield f"{place}: {where}: a test is written `its name`, here: {test}"
            for name in tests:
                if name not in known_tests:
                    yield f"{place}: {where}: there is no test \"{name}\""
    if not rows:
        yield "docs/equations.md: no rows"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    if not (root / "docs/equations.md").exists():
        print("SKIPPED: docs/equations.md is not written yet")
        sys.exit(77)
    found = list(problems_of(root, tests_of(root)))
    print("\n".join(found) if found else "every function and test that is named exists")
    sys.exit(1 if found else 0)
