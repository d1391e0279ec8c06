#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/architecture.py names an include that points the wrong way, and its other faults."""
import sys

from plant import TESTS, fails, passes, tree

HEAD = "// SPDX-License-Identifier: MIT\n#pragma once\n"
GOOD = {
    "poinsot/layers.txt": "base\nmath\nmass\nio\ncli\n",
    "poinsot/poinsot.hpp": HEAD + '#include "poinsot/mass/inertia.hpp"\n',
    "poinsot/math/vec3.hpp": HEAD + "#include <cmath>\n",
    "poinsot/mass/inertia.hpp": HEAD + '\n#include "poinsot/math/vec3.hpp"\n',
    "cli/main.cpp": '// SPDX-License-Identifier: MIT\n#include "poinsot/poinsot.hpp"\n',
}


def check(fault, *words):
    with tree(GOOD | fault) as root:
        fails(words, sys.executable, TESTS / "architecture.py", root)


with tree(GOOD) as root:
    passes(sys.executable, TESTS / "architecture.py", root)
check({"poinsot/math/vec3.hpp": HEAD + '\n#include "poinsot/mass/inertia.hpp"\n'},
      "poinsot/math/vec3.hpp:4", "poinsot/mass/inertia.hpp", "later module")
check({"poinsot/math/vec3.hpp": HEAD + "#  include <poinsot/poinsot.hpp>\n"},
      "poinsot/math/vec3.hpp:3", "poinsot.hpp")
check({"poinsot/mass/inertia.hpp": HEAD + '#include "../io/scene.hpp"\n'},
      "poinsot/mass/inertia.hpp:3", "full path")
check({"poinsot/mass/vec3.hpp": HEAD}, "poinsot/math/vec3.hpp", "poinsot/mass/vec3.hpp", "unique")
check({"poinsot/mass/bare.hpp": "int x;\n"}, "bare.hpp:1", "SPDX", "bare.hpp:2", "#pragma once")
check({"poinsot/extra/new.hpp": HEAD}, "extra", "layers.txt")
