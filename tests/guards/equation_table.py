#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/equations.py names the row whose function or test does not exist, and whose test does not call its function."""
import sys

from plant import TESTS, fails, passes, run, tree

HEAD = "# Equations\n\n| where | what it says | function | test |\n| --- | --- | --- | --- |\n"
CODE = {
    "poinsot/math/vec3.hpp": "constexpr T cross(a, b);\nconstexpr T dot(a, b);\nconstexpr T outer(a, b);\n",
    "poinsot/forces/drag.hpp": "T drag(v);\nT lift(v);\nstd::vector<Drag> drags;\n",
    "poinsot/forces/gather.cpp": "drag(v);\n",
    "tests/shared.hpp": "inline auto area(a, b) { return norm(cross(a, b)); }\n",
    "tests/math/vec3.cpp": '#include "shared.hpp"\n'
                           'auto own(a) { return outer(a, a); }\n'
                           'TEST_CASE("cross: a × b is normal to a, and to b; \\"always\\"")\n{\n    cross(a, b);\n}\n'
                           'TEST_CASE("a name "\n          "in two parts")\n{\n    own(a);\n}\n'
                           'TEST_CASE("products")\n{\n    dot(a, b);\n}\n',
    "tests/laws/fall.cpp": 'TEST_CASE("it falls")\n{\n    b.drags = air;\n    ran(model);\n}\n'
                           'TEST_CASE("it stands")\n{\n    drags(v);\n}\nTEST_CASE("it turns")\n{\n    ran(model);\n}\n',
    "tests/layers.py": "",
}
GOOD = ('| (1) | normal | `cross` (`poinsot/math/vec3.hpp`) | `cross: a × b is normal to a, and to b; '
        '"always"`, `a name in two parts`, `layers.py` |\n'
        "| (2) | \\|a\\| | later: contacts | later: contacts |\n"
        # called by what the file has of its own, and by a header that it includes
        "| (2b) | x | `outer` (`poinsot/math/vec3.hpp`), `cross` (`poinsot/math/vec3.hpp`) | `products` |\n"
        # called by steps; and nobody asks a script
        "| (2c) | x | `drag` (`poinsot/forces/drag.hpp`) | `it falls` |\n"
        "| (2d) | x | `dot` (`poinsot/math/vec3.hpp`) | `layers.py` |\n")
STEPS = "\n| function | word |\n| --- | --- |\n| `drag` (`poinsot/forces/drag.hpp`) | `drags` |\n"


def check(row, *words):
    with tree(CODE | {"docs/equations.md": HEAD + GOOD + row + STEPS}) as root:
        fails(("docs/equations.md:10",) + words, sys.executable, TESTS / "equations.py", root)


with tree(CODE | {"docs/equations.md": HEAD + GOOD + STEPS}) as root:
    passes(sys.executable, TESTS / "equations.py", root)
check("| (3) | x | `norm` (`poinsot/math/vec3.hpp`) | `a name in two parts` |\n", "(3)", "has no norm")
# called by another test of the same file; by steps that none takes; by steps that do not need it; by steps of which nobody
# says that they call it; by no test, though its name is part of a word
check("| (3) | x | `dot` (`poinsot/math/vec3.hpp`) | `a name in two parts` |\n", "(3)", "none of its tests calls dot")
check("| (3) | x | `drag` (`poinsot/forces/drag.hpp`) | `it stands` |\n", "none of its tests calls drag")
check("| (3) | x | `drag` (`poinsot/forces/drag.hpp`) | `products` |\n", "none of its tests calls drag")
check("| (3) | x | `drag` (`poinsot/forces/drag.hpp`) | `it turns` |\n", "none of its tests calls drag")
check("| (3) | x | `lift` (`poinsot/forces/drag.hpp`) | `it falls` |\n", "none of its tests calls lift")
check("| (3) | x | `dot` (`poinsot/math/vec3.hpp`) | `it falls` |\n", "none of its tests calls dot")
check("| (3) | x | `ross` (`poinsot/math/vec3.hpp`) | `a name in two parts` |\n", "(3)", "ross")
check("| (3) | x | `cross` (`poinsot/math/gone.hpp`) | later: x |\n", "gone.hpp")
check("| (3) | x | `cross` (`poinsot/math/vec3.hpp`), `dot` | later: x |\n", "`dot`")
check("| (3) | x | `cross` (`poinsot/math/vec3.hpp`) | `no such law` |\n", "no such law")
check("| (3) | x | `cross` (`poinsot/math/vec3.hpp`) | |\n", "a test is written")
check("| (3) | x | later: x |\n", "3 cells")
check("\n| a | b |\n".lstrip("\n"), "2 cells")
# The table of what steps call: a word that nobody can say, what nobody calls or needs, and what is not there.
for entry, word in (("| `drag` (`poinsot/forces/drag.hpp`) | `wind` |", "no header of the library has the word wind"),
                    ("| `drag` (`poinsot/forces/drag.hpp`) | wind |", "a word is written `word`, or always, here: wind"),
                    ("| `lift` (`poinsot/forces/drag.hpp`) | always |", "the library does not call lift"),
                    ("| `dot` (`poinsot/math/vec3.hpp`) | always |", "no row needs steps to call dot"),
                    ("| `wind` (`poinsot/forces/drag.hpp`) | always |", "drag.hpp has no wind")):
    with tree(CODE | {"docs/equations.md": HEAD + GOOD + STEPS + entry + "\n"}) as root:
        fails(("docs/equations.md:14", word), sys.executable, TESTS / "equations.py", root)
with tree(CODE | {"docs/equations.md": "# Equations\n| where | function |\n"}) as root:
    fails(["docs/equations.md:2", "columns", "no rows"], sys.executable, TESTS / "equations.py", root)
with tree(CODE) as root:
    status, output = run(sys.executable, TESTS / "equations.py", root)
    if status != 77 or "SKIPPED: " not in output:
        sys.exit("a missing table must be skipped with a reason")
