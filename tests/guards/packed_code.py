#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/packed_code.py names the function and the instruction that spoil a packed kernel."""
import shutil
import sys

from plant import ROOT, TESTS, fails, passes, tree

# Each compiler that is installed must name the fault; the long test has both.
COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
HOUSE = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
         for path in [ROOT / "CMakeLists.txt", *(ROOT / "poinsot/math").glob("*.hpp")]}
HEAD = """#include "poinsot/math/pack.hpp"
#include "poinsot/math/rotation.hpp"
using namespace poinsot;
using P = Pack<double, WIDTH>;
"""
GOOD = "extern \"C\" void kernel_good(const P& a, P& b) { b = mul_add(a, b, a * (b + a)); }\n"


def kernel(body):
    """A file with a good kernel and one with this body."""
    return HOUSE | {"tests/kernels/planted.cpp": HEAD + GOOD + body}


def check(body, *words):
    with tree(kernel(body)) as root:
        fails(words, sys.executable, TESTS / "packed_code.py", "--root", root)


with tree(kernel("")) as root:
    passes(sys.executable, TESTS / "packed_code.py", "--root", root)
check("""extern "C" void kernel_lanes(const P& a, P& b)
{
    for (int i = 0; i < WIDTH; ++i) {
        volatile double lane = a[i]; // one lane after the other
        b.set(i, lane * lane);
    }
}
""", "kernel_lanes", "scalar arithmetic", "vmulsd", *COMPILERS, "ymm", "zmm")
check("""template <class T>
__attribute__((noinline)) T hidden(T a)
{
    return any(a < T(0.0)) ? -a : a * a; // a branch on a T, in a function that the kernel calls
}
extern "C" void kernel_branch(const P& a, P& b) { b = hidden(a); }
""", "hidden<", "branches", *COMPILERS)
check("""extern "C" void kernel_call(const P& a, P& b)
{
    b = a;
    b.set(0, std::sin(a[0]));
}
""", "kernel_call", "calls outside of the file", "sin")
check("""extern "C" void kernel_half(const Pack<double, 2>& a, Pack<double, 2>& b) { b = a * b; }
""", "kernel_half", "not full width", "xmm")
with tree(HOUSE | {"tests/kernels/planted.cpp": HEAD}) as root:
    fails(["no function is called kernel_"], sys.executable, TESTS / "packed_code.py", "--root", root)

SUM = """double sum(const double* a)
{
    double s[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4096; ++i)
        s[i % 4] += a[i];
    return s[0] + s[1] + s[2] + s[3];
}
"""
BASELINE = [sys.executable, TESTS / "packed_code.py", "--baseline", "--root"]
with tree(HOUSE | {"tests/kernels/baseline/planted.cpp": SUM}) as root:
    passes(*BASELINE, root)
WIDE = """#include <immintrin.h>
__attribute__((target("avx2"))) void widened(double* a)
{
    _mm256_storeu_pd(a, _mm256_add_pd(_mm256_loadu_pd(a), _mm256_loadu_pd(a + 4)));
}
"""
with tree(HOUSE | {"tests/kernels/baseline/planted.cpp": WIDE + SUM}) as root:
    fails(["widened", "ymm", *COMPILERS], *BASELINE, root)
