#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads what the compilers make of packed kernels, with the flags of our build.

usage: packed_code.py [--root ROOT] [--baseline]

Compiles tests/kernels/*.cpp with g++ and clang++ for AVX2 (Pack<double, 4>) and AVX-512
(Pack<double, 8>; not run, only read) and follows every function that a kernel_* calls. There must be
full-width products, sums and fused products, and no scalar arithmetic, no narrower arithmetic, no
branch, and no call that leaves the file (fma, sqrt).

With --baseline it compiles tests/kernels/baseline/*.cpp for the baseline processor and names every
symbol that uses a wide register.
"""
import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STEM = r"(add|sub|mul|div|sqrt|min|max|f(n?m(add|sub)|maddsub|msubadd)\d+)"
PACKED = re.compile(rf"v?{STEM}pd$")
# A number moved or spread over the lanes is no arithmetic; all else on single numbers is.
SCALAR = re.compile(r"(?!v?(mov|broadcast))\w+s[sd]$|v?cvt\w*s[sdi]\w*$")
BRANCH = re.compile(r"j(?!mp)[a-z]+$")
X87 = re.compile(r"f(ld|st|add|sub|mul|div|sqrt|xch|com)\w*$")


def flags_of(root, name):
    """The words of set(name ...) in CMakeLists.txt: the script must not have flags of its own."""
    found = re.search(rf"^\s*set\({name} ([^)]*)\)", (root / "CMakeLists.txt").read_text(), re.M)
    if not found:
        sys.exit(f"CMakeLists.txt: set({name} ...) was not found")
    return found[1].split()


def assembly(root, compiler, source, flags):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "out.s"
        subprocess.run([compiler, "-std=c++20", *flags_of(root, "numerics"), *flags, "-DNDEBUG",
                        "-Wno-psabi", "-fno-asynchronous-unwind-tables", f"-I{root}",
                        "-isystem/usr/include/eigen3", "-S", "-o", output, source], check=True)
        return output.read_text()


def functions_of(text):
    """{symbol: [(mnemonic, operands)]} of a file of assembly; jump tables and data have no code."""
    functions, current = {}, None
    types = set(re.findall(r"^\s*\.type\s+([\w.$]+),\s*@function", text, re.M))
    for line in text.splitlines():
        label = re.match(r"([\w.$]+):", line)
        if label and label[1] in types:
            current = functions.setdefault(label[1], [])
        code = re.match(r"\s+([a-z]\w*)(?:\s+([^#]*))?", line)
        if code and current is not None:
            current.append((code[1], (code[2] or "").strip()))
    return functions


def target_of(mnemonic, operands):
    """The symbol that a call or a jump out of the function goes to, else None."""
    if re.match(r"call|jmp", mnemonic) and not operands.startswith(".L"):
        return re.sub(r"@PLT$|^\*", "", operands)
    return None


def plain(symbol):
    filt = shutil.which("c++filt")
    return subprocess.check_output([filt, symbol], text=True).strip() if filt else symbol


def offences(functions, register):
    """Sentences about what is wrong with the kernels, and what they are made of."""
    found, kinds, seen = [], set(), set()
    waiting = [f for f in functions if f.startswith("kernel_")]
    if not waiting:
        found.append("no function is called kernel_*")
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for mnemonic, operands in functions[name]:
            wrong = None
            target = target_of(mnemonic, operands)
            if target in functions:
                waiting.append(target)
            elif target is not None:
                wrong = "calls outside of the file"
            elif BRANCH.match(mnemonic):
                wrong = "branches"
            elif SCALAR.match(mnemonic) or X87.match(mnemonic):
                wrong = "scalar arithmetic"
            elif PACKED.match(mnemonic):
                if register in operands:
                    kinds.add(re.sub(r"^v|\d+", "", mnemonic))
                else:
                    wrong = "not full width"
            if wrong:
                found.append(f"{plain(name)}: {wrong}: {mnemonic} {operands}")
    for needed, kind in ((r"mul", "products"), (r"add|sub", "sums"), (r"fn?m", "fused products")):
        if not any(re.match(needed, k) for k in kinds):
            found.append(f"no packed {kind} in {register} registers")
    return found


def check_kernels(root, compilers):
    avx2 = ["-march=x86-64-v3", "-DWIDTH=4"]
    avx512 = ["-march=x86-64-v3", *flags_of(root, "avx512"), "-DWIDTH=8"]
    sources = sorted((root / "tests/kernels").glob("*.cpp"))
    if not sources:
        sys.exit("tests/kernels has no kernels")
    failed = 0
    # -O3 is our release build; -O2 is what a user's own program may have.
    ways = itertools.product(sources, compilers, (("ymm", avx2), ("zmm", avx512)), ("-O2", "-O3"))
    for source, compiler, (register, flags), level in ways:
        functions = functions_of(assembly(root, compiler, source, [level, *flags]))
        wrong = offences(functions, register)
        failed += bool(wrong)
        print(f"{source.name}, {compiler} {level}, {register}: {'wrong' if wrong else 'packed'}")
        print("".join(f"  {w}\n" for w in wrong[:20]), end="")
    return failed


def check_baseline(root, compilers):
    sources = sorted((root / "tests/kernels/baseline").glob("*.cpp"))
    if not sources:
        sys.exit("tests/kernels/baseline has no sources")
    failed = 0
    for source in sources:
        for compiler in compilers:
            functions = functions_of(assembly(root, compiler, source, ["-O2"]))
            wide = [(name, code) for name, body in functions.items() for code in body
                    if re.search(r"%[yz]mm", code[1]) or re.match(r"v[a-z]", code[0])]
            failed += bool(wide)
            print(f"{source.name}, {compiler}: {len(functions)} functions, "
                  f"{len(wide)} wide instructions")
            for name in dict.fromkeys(name for name, _ in wide):
                first = next(code for n, code in wide if n == name)
                print(f"  {plain(name)}: {' '.join(first)}")
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--baseline", action="store_true")
    args = parser.parse_args()
    present = [c for c in ("g++", "clang++") if shutil.which(c)]
    if not present:
        sys.exit("neither g++ nor clang++ is installed")
    check = check_baseline if args.baseline else check_kernels
    sys.exit(1 if check(args.root.resolve(), present) else 0)
