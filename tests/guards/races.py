#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The thread sanitizer names a race between pieces of work, and none where pieces keep to themselves."""
import pathlib
import shutil
import sys
import tempfile

from plant import ROOT, fails, passes

CALL = """#include "poinsot/base/parallel.hpp"
#include <vector>
int main()
{
    poinsot::Threads workers(2);
    std::vector<double> sums(2, 0);
    // Long pieces: two threads are at work at the same time.
    workers.run(20, 1, [&](std::size_t first, std::size_t, std::size_t worker) {
        for (int i = 0; i < 200000; ++i)
            sums[WHOSE] += static_cast<double>(first + worker);
    });
}
"""
compiler = shutil.which("g++")
if not compiler:
    print("SKIPPED: no g++, whose thread sanitizer this is about")
    sys.exit(77)
flags = ["-std=c++20", "-O1", "-g", "-fsanitize=thread", "-I", ROOT]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    parts = [ROOT / f"poinsot/base/{part}.cpp" for part in ("parallel", "check")]
    for whose in ("worker", "0"):
        program = folder / "call.cpp"
        program.write_text(CALL.replace("WHOSE", whose), encoding="utf-8")
        passes(compiler, *flags, program, *parts, "-ltbb", "-o", folder / f"sums_{whose}")
    passes(folder / "sums_worker")
    fails(["data race"], folder / "sums_0")
