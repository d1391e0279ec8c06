#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ccache gives tests no precompiled header that was made of other headers than theirs."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

anew = pathlib.Path(__file__).resolve().parent.parent / "anew.sh"
ccache, compiler = shutil.which("ccache"), shutil.which("g++")
if not ccache or not compiler:
    print("SKIPPED: ccache or g++ is not installed")
    sys.exit(77)


def made_of_its_headers(launcher):
    """Two checkouts that have an old precompiled header in common change its headers in two ways."""
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        env = dict(os.environ, CCACHE_DIR=str(at / "cache"), CCACHE_BASEDIR=folder, CCACHE_NOHASHDIR="1",
                   CCACHE_SLOPPINESS="pch_defines,time_macros,include_file_mtime,include_file_ctime")
        env.pop("CCACHE_DISABLE", None)
        (at / "all.hxx").write_text('#include "b.h"\n')
        (at / "all.hxx.cxx").write_text("/* nothing */\n")
        made = at / "all.hxx.gch"

        def make(members):
            (at / "b.h").write_text(f"#pragma once\nstruct B {{ double a[{members}]; }};\n")
            subprocess.run([*launcher, compiler, "-std=c++20", "-fpch-preprocess", "-x", "c++-header", "-include",
                            str(at / "all.hxx"), "-o", made.name, "-c", "all.hxx.cxx"],
                           cwd=folder, env=env, check=True)

        make(1)
        old = made.read_bytes()
        make(2)
        made.write_bytes(old)
        make(3)
        (at / "user.cpp").write_text('#include "b.h"\nstatic_assert(sizeof(B) == 3 * sizeof(double));\n')
        return subprocess.run([compiler, "-std=c++20", "-Winvalid-pch", "-Werror", "-include", str(at / "all.hxx"),
                               "-fsyntax-only", "user.cpp"], cwd=folder, stderr=subprocess.DEVNULL).returncode == 0


if made_of_its_headers([ccache]):
    sys.exit("ccache alone does it right: tests/anew.sh is not needed any more")
if not made_of_its_headers(["sh", str(anew), ccache]):
    sys.exit("a precompiled header was made of headers that are not there")
print("an old precompiled header is removed before a new one is asked for")
