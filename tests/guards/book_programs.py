#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/book.py names the chapter and line of a program that fails. Arguments go to CMake."""
import sys

from plant import TESTS, fails, run, tree

CHAPTER = """# Versions

```cpp
const int fragment = not_a_program;
```

```cpp
#include "poinsot/base/version.hpp"
int main()
{
    return poinsot::version()[0] == '0' ? 0 : 1;
}
```
"""
WRONG = """# Wrong

```cpp
int main()
{
    return missing;
}
```

```cpp
int main()
{
    return 3;
}
```
"""
book = [sys.executable, TESTS / "book.py", *sys.argv[1:], "--root"]
with tree({"docs/book/01-good.md": CHAPTER, "docs/book/02-wrong.md": WRONG}) as root:
    fails(["02-wrong.md:6", "missing", "02-wrong.md:4: the program does not compile",
           "02-wrong.md:11: the program returns 3", "1 of 3 programs"], *book, root)
with tree({}) as root:
    status, output = run(*book, root)
    if status != 77 or "SKIPPED: " not in output:
        sys.exit("a missing book must be skipped with a reason")
