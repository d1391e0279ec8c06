#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/equations.py names the row whose function or test does not exist."""
import sys

from plant import TESTS, fails, passes, run, tree

HEAD = "# Equations\n\n| where | what it says | function | test |\n| --- | --- | --- | --- |\n"
CODE = {
    "poinsot/math/vec3.hpp": "constexpr T cross(a, b);\n",
    "tests/math/vec3.cpp": 'TEST_CASE("cross: a × b is normal to a, and to b; \\"always\\"")\n'
                           'TEST_CASE("a name "\n          "in two parts")\n',
    "tests/layers.py": "",
}
GOOD = ('| (1) | normal | `cross` (`poinsot/math/vec3.hpp`) | `cross: a × b is normal to a, and to b; '
        '"always"`, `a name in two parts`, `layers.py` |\n'
        "| (2) | \\|a\\| | later: contacts | later: contacts |\n")


def check(row, *words):
    with tree(CODE | {"docs/equations.md": HEAD + GOOD + row}) as root:
        fails(("docs/equations.md:7",) + words, sys.executable, TESTS / "equations.py", root)


with tree(CODE | {"docs/equations.md": HEAD + GOOD}) as root:
    passes(sys.executable, TESTS / "equations.py", root)
check("| (3) | x | `dot` (`poinsot/math/vec3.hpp`) | `a name in two parts` |\n", "(3)", "dot")
check("| (3) | x | `ross` (`poinsot/math/vec3.hpp`) | `a name in two parts` |\n", "(3)", "ross")
check("| (3) | x | `cross` (`poinsot/math/gone.hpp`) | later: x |\n", "gone.hpp")
check("| (3) | x | `cross` (`poinsot/math/vec3.hpp`), `dot` | later: x |\n", "`dot`")
check("| (3) | x | `cross` (`poinsot/math/vec3.hpp`) | `no such law` |\n", "no such law")
check("| (3) | x | `cross` (`poinsot/math/vec3.hpp`) | |\n", "a test is written")
check("| (3) | x | later: x |\n", "3 cells")
check("\n| a | b |\n".lstrip("\n"), "2 cells")
with tree(CODE | {"docs/equations.md": "# Equations\n| where | function |\n"}) as root:
    fails(["docs/equations.md:2", "columns", "no rows"], sys.executable, TESTS / "equations.py", root)
with tree(CODE) as root:
    status, output = run(sys.executable, TESTS / "equations.py", root)
    if status != 77 or "SKIPPED: " not in output:
        sys.exit("a missing table must be skipped with a reason")
