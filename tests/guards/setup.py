#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/setup.sh lists what is needed and stops where the system is not Debian, nor made of it; and installs nothing."""
import re
import sys

from plant import ROOT, run, tree

SETUP = ROOT / "scripts/setup.sh"
LISTS = dict(re.findall(r'^needs_(\w+)="(.*?)"$', SETUP.read_text("utf-8"), re.M | re.S))
ASKED = "#!/bin/sh\necho asked >>\"${0%/*}/asked\"\nexit 1\n"  # in the place of package managers
FILES = {"fedora": "NAME=Fedora\nID=fedora\n", "ubuntu": "ID=ubuntu\nID_LIKE=debian\n", "debian": "ID=debian\n",
         "apt-get": ASKED, "sudo": ASKED}


def setup(folder, system, level, found):
    """Its exit status and output where everything, or nothing, is missing."""
    return run("env", f"OS_RELEASE={folder / system}", "bash", "-euo", "pipefail", "-c",
               f'PATH="{folder}:$PATH"; . "{SETUP}"; found() {{ {found}; }}; setup {level}; echo GOES ON')


with tree(FILES) as folder:
    for name in ("apt-get", "sudo"):
        (folder / name).chmod(0o755)
    for level in ("demo", "test", "all", "bench"):
        needed = re.findall(r"^\??(\S+) +(?:command|header|file|module) ", LISTS["demo"] + LISTS[level], re.M)
        for system in ("fedora", "nothing"):
            status, output = setup(folder, system, level, "false")
            missing = [package for package in needed if f"\n  {package}\n" not in output]
            if status != 1 or "on Debian only" not in output or missing or "GOES ON" in output:
                sys.exit(f"setup {level} must list {missing or needed} and stop, but ends with {status}:\n{output}")
    for system in ("ubuntu", "debian"):
        if setup(folder, system, "all", "true") != (0, "GOES ON\n"):
            sys.exit(f"{system}: where nothing is missing there is nothing to say")
    if (folder / "asked").exists():
        sys.exit("nothing was to be installed, and yet a package manager was asked")
