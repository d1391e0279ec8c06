#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every function and every test named in docs/equations.md exists, and that they meet.

usage: equations.py [ROOT]

The file holds tables | where | what it says | function | test |. A function is written
`name` (`poinsot/module/header.hpp`), a test `its TEST_CASE name` or `script.py`; a cell may hold
several. A cell that reads "later: topic" waits for work to come.

A function must be called by one of the tests of its row: it is named inside of the test case, in what the file has
beside its test cases, or in a header of tests/ that it includes; or the test takes steps, which call the function, as a
table | function | word | says: in such a case or beside it the word is found that makes steps call it (`always`: none
is needed). (Of a script nothing is asked.)

What that table says must hold: the library calls the function somewhere, has the word in a header, and a row needs it.
"""
import pathlib
import re
import sys

COLUMNS = ["where", "what it says", "function", "test"]
FUNCTION = re.compile(r"`([^`]+)` \(`([^`]+)`\)")
NAMED = re.compile(r'`([^`]+)`|"([^"]+)"')
TEST_CASE = re.compile(r'TEST_CASE(?:_TEMPLATE)?\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
STEPS = ("Simulation", "ran", "smooth_step", "run_to_end")  # what takes them
BY_STEPS = ["function", "word"]
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


def unfounded(root, cell):
    """What is wrong with the functions of a cell."""
    functions = FUNCTION.findall(cell)
    if not functions or FUNCTION.sub("", cell).count("`"):
        yield f"a function is written `name` (`header`), here: {cell}"
    for name, header in functions:
        path = root / header
        if not path.is_file():
            yield f"there is no header {header}"
        elif not mentions(path.read_text(encoding="utf-8"), name):
            yield f"{header} has no {name}"


class BySteps:
    """The table of what steps call."""

    def __init__(self, root, lines):
        self.words, self.places, self.needed, self.problems = {}, {}, set(), []
        library = {p.relative_to(root): p.read_text(encoding="utf-8") for p in (root / "poinsot").rglob("*.?pp")}
        inside = False
        for number, line in enumerate(lines, 1):
            row = cells(line) if line.startswith("|") else []
            inside = row == BY_STEPS or inside and len(row) == 2
            if not inside or row == BY_STEPS or set(row[0]) <= set(":-"):
                continue
            place = f"docs/equations.md:{number}"
            self.problems += [f"{place}: {what}" for what in unfounded(root, row[0])]
            words = re.findall(r"`(\w+)`", row[1])
            if not words and row[1] != "always":
                self.problems.append(f"{place}: a word is written `word`, or always, here: {row[1]}")
            self.problems += [f"{place}: no header of the library has the word {word}" for word in words
                              if not any(p.suffix == ".hpp" and mentions(text, word) for p, text in library.items())]
            for function in FUNCTION.findall(row[0]):
                self.words[function], self.places[function] = words, place
                name, own = function[0], pathlib.PurePath(function[1]).with_suffix("")
                if not any(p.with_suffix("") != own and mentions(text, name) for p, text in library.items()):
                    self.problems.append(f"{place}: the library does not call {name}")

    def call(self, function, text):
        if function not in self.words or not any(mentions(text, word) for word in STEPS):
            return False
        words = self.words[function]
        called = not words or any(mentions(text, word) for word in words)
        if called:
            self.needed.add(function)
        return called

    def idle(self):
        for function in self.words.keys() - self.needed:
            yield f"{self.places[function]}: no row needs steps to call {function[0]}"


def problems_of(root, known_tests):
    lines = (root / "docs/equations.md").read_text(encoding="utf-8").splitlines()
    by_steps = BySteps(root, lines)
    yield from by_steps.problems
    inside, rows, ours = False, 0, True
    for number, line in enumerate(lines, 1):
        place = f"docs/equations.md:{number}"
        if not line.lstrip().startswith("|"):
            inside = False
            continue
        row = cells(line)
        if not inside:
            inside, ours = True, row != BY_STEPS
            if ours and row != COLUMNS:
                yield f"{place}: the columns of a table must be | {' | '.join(COLUMNS)} |"
            continue
        if not ours or all(re.fullmatch(r":?-+:?", cell) for cell in row):
            continue
        rows += 1
        if len(row) != len(COLUMNS):
            yield f"{place}: {len(row)} cells instead of {len(COLUMNS)}; write \\| for a bar in a cell"
            continue
        where, _, function, test = row
        if not function.startswith("later: "):
            for what in unfounded(root, function):
                yield f"{place}: {where}: {what}"
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
                if not any(mentions(text, name) for _, text in texts) and not any(
                        by_steps.call((name, header), own) for own, _ in texts):
                    yield f"{place}: {where}: none of its tests calls {name}"
    yield from by_steps.idle()
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
