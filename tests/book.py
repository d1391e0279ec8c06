#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles and runs the programs of the book against an installed copy of Poinsot.

usage: book.py [--root ROOT] [CMAKE-ARGUMENT...]

A program is a ```cpp block of README.md or docs/book/*.md that has `int main`. It must compile without warnings
and return 0. Errors name the chapter and the line.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(book LANGUAGES CXX)
find_package(Poinsot CONFIG REQUIRED)
foreach(component poinsot io)
    if(TARGET Poinsot::${component})
        link_libraries(Poinsot::${component})
    endif()
endforeach()
add_compile_options(-Wall -Wextra -Werror)
"""


def programs_of(root):
    """(chapter, line, code) of every complete program."""
    for chapter in sorted(root.glob("README.md")) + sorted((root / "docs/book").glob("*.md")):
        text = chapter.read_text(encoding="utf-8")
        for block in re.finditer(r"^```cpp\n(.*?)^```", text, re.S | re.M):
            if re.search(r"\bint main\b", block[1]):
                yield chapter.relative_to(root), text.count("\n", 0, block.start(1)) + 1, block[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    args, cmake = parser.parse_known_args()
    programs = list(programs_of(args.root))
    if not programs:
        print("SKIPPED: docs/book has no programs yet")
        return 77

    with tempfile.TemporaryDirectory() as folder:
        temp = pathlib.Path(folder)
        project = PROJECT
        for i, (chapter, line, code) in enumerate(programs):
            (temp / f"{i}.cpp").write_text(f'#line {line} "{chapter}"\n{code}', encoding="utf-8")
            project += f"add_executable(program_{i} {i}.cpp)\n"
        (temp / "CMakeLists.txt").write_text(project)
        subprocess.run(["cmake", "-S", temp, "-B", temp / "b", "-G", "Ninja", *cmake],
                       check=True, stdout=subprocess.DEVNULL)
        built = subprocess.run(["cmake", "--build", temp / "b", "--", "-k", "0"],
                               capture_output=True, text=True)
        if built.returncode:
            print(built.stdout, built.stderr)

        failed = 0
        for i, (chapter, line, _) in enumerate(programs):
            program = temp / "b" / f"program_{i}"
            if not program.exists():
                print(f"{chapter}:{line}: the program does not compile")
                failed += 1
                continue
            run = subprocess.run([program], cwd=args.root, capture_output=True, text=True, timeout=100)
            if run.returncode:
                print(f"{chapter}:{line}: the program returns {run.returncode}\n{run.stdout}{run.stderr}")
                failed += 1
    print(f"{len(programs) - failed} of {len(programs)} programs compile and return 0")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
