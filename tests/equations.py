#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every function and every test named in docs/equations.md exists, and that they meet.

usage: equations.py [ROOT]

The file holds tables | where | what it says | function | test |. A function is written
`name` (`poinsot/module/header.hpp`), a test `its TEST_CASE name` or `script.py`; a cell may hold
several. A cell that reads "later: topic" waits for work to come.

A function must be called by one of the tests of its row: it is named inside of the test case, in what the file has
beside its test cases, or in a header of tests/ that it includes; or the test takes steps, and the function is of a
module that steps go through. (Of a script nothing is asked.)
"""
import pathlib
import re
import sys

COLUMNS = ["where", "what it says", "function", "test"]
FUNCTION = re.compile(r"`([^`]+)` \(`([^`]+)`\)")
NAMED = re.compile(r'`([^`]+)`|"([^"]+)"')
TEST_CASE = re.compile(r'TEST_CASE(?:_TEMPLATE)?\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
# What takes steps, and the modules that are called by them.
STEPS = ("Simulation", "ran", "smooth_step", "run_to_end")
OF_STEPS = re.compile(r"poinsot/(?!base|math|mass|geometry|io)\w+/")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def cells(line):
    """The cells of a row of a Markdown table; \\| is a bar inside a cell."""
    row = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return [cell.replace("\\|", "|").strip() for cell in row]


def cases_of(text):
    """The test cases of a file as {name: its text}, and the text that is left without them."""
    cases, rest, end = {}, [], 0
    for match in TEST_CASE.finditer(text):
        name = re.sub(r"\\(.)", r"\1", "".join(LITERAL.findall(match[1])))
        indent = re.search(r"[ ]*$", text[:match.start()])[0]
        closed = re.compile(rf"^{indent}}}", re.MULTILINE).search(text, match.end())
        rest.append(text[end:match.start()])
        end = closed.end() if closed else len(text)
        cases[name] = text[match.start():end]
    return cases, "".join(rest) + text[end:]


def with_headers(root, path, text):
    """A text and the headers of tests/ that it includes, however far."""
    seen, texts, waiting = set(), [text], [(path, text)]
    while waiting:
        at, text = waiting.pop()
        for name in INCLUDE.findall(text):
            for header in (at.parent / name, root / "tests" / name):
                if header.is_file() and header not in seen:
                    seen.add(header)
                    texts.append(header.read_text(encoding="utf-8"))
                    waiting.append((header, texts[-1]))
    return "\n".join(texts)


def tests_of(root):
    """{name of a test: its own text, and that with what it includes}; None for a script."""
    names = {p.relative_to(root / "tests").as_posix(): None for p in (root / "tests").rglob("*.py")}
    names |= {pathlib.PurePosixPath(name).name: None for name in names}
    for path in (root / "tests").rglob("*.cpp"):
        cases, rest = cases_of(path.read_text(encoding="utf-8"))
        beside = with_headers(root, path, rest)
        for name, text in cases.items():
            names[name] = (rest + text, beside + text)
    return names


def mentions(text, name):
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)


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
                elif not mentions(path.read_text(encoding="utf-8"), name):
                    yield f"{place}: {where}: {header} has no {name}"
        if not test.startswith("later: "):
            tests = [a or b for a, b in NAMED.findall(test)]
            if not tests:
                yield f"{place}: {where}: a test is written `its name`, here: {test}"
            for name in tests:
                if name not in known_tests:
                    yield f"{place}: {where}: there is no test \"{name}\""
            texts = [known_tests.get(name) for name in tests]
            if None in texts or function.startswith("later: "):
                continue
            for name, header in FUNCTION.findall(function):
                steps = STEPS if OF_STEPS.match(header) else ()
                if not any(mentions(text, name) or any(mentions(own, word) for word in steps)
                           for own, text in texts):
                    yield f"{place}: {where}: none of its tests calls {name}"
    if not rows:
        yield "docs/equations.md: no rows"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    if not (root / "docs/equations.md").exists():
        print("SKIPPED: docs/equations.md is not written yet")
        sys.exit(77)
    found = list(problems_of(root, tests_of(root)))
    print("\n".join(found) if found else "every function and test that is named exists, and they meet")
    sys.exit(1 if found else 0)
