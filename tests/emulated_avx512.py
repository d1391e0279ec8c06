#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of the kernels for AVX-512 on a processor that has it: this one, or one that Bochs plays.

usage: emulated_avx512.py TEST-PROGRAM

Bochs boots Debian's kernel with the test program in place of a system; what the program says comes
back over the serial line. Half a minute of the 1990s' speed is enough: few worlds and few steps.
"""
import glob
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CASES = "*AVX-512*"
PATIENCE = 900  # seconds; a minute on an idle machine

# The emulator as Debian has it, and what a CD to boot from takes.
NEEDED = {"bochs": "bochs", "xorriso": "xorriso", "cpio": "cpio", "busybox": "busybox-static",
          "/usr/lib/x86_64-linux-gnu/bochs/plugins/libbx_term_gui.so": "bochs-term",
          "/usr/share/bochs/BIOS-bochs-latest": "bochsbios",
          "/usr/share/vgabios/vgabios.bin": "vgabios",
          "/usr/lib/ISOLINUX/isolinux.bin": "isolinux",
          "/usr/lib/syslinux/modules/bios/ldlinux.c32": "syslinux-common"}

# The kernel sees that Bochs 2.7 tells a wrong size of compact saved registers, and would do without all
# wide ones: so it is not to save them compactly (321: xsavec, 323: xsaves).
KERNEL_OPTIONS = "console=ttyS0 loglevel=3 mitigations=off nokaslr noxsaves clearcpuid=321,323"

INIT = f"""#!/busybox sh
/busybox mount -t proc none /proc
/busybox grep -q avx512f /proc/cpuinfo && echo "== it has AVX-512"
/test -nc -tc="{CASES}"
echo "== end $?"
/busybox sleep 60
"""
CONFIGURATION = """
megs: 512
cpu: model=corei7_skylake_x, count=1, ips=50000000, reset_on_triple_fault=0
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path={folder}/boot.iso, status=inserted
boot: cdrom
clock: sync=none
com1: enabled=1, mode=file, dev={folder}/serial
display_library: term
log: {folder}/log
panic: action=fatal
error: action=ignore
info: action=ignore
"""


def skip(why):
    print("SKIPPED:", why)
    sys.exit(77)


def kernel(folder):
    """This system's, if it can be read; else that of Debian's package, which is not installed for it."""
    for path in sorted(glob.glob("/boot/vmlinuz-*")):
        if os.access(path, os.R_OK):
            return path
    asked = subprocess.run(["apt-cache", "depends", "linux-image-cloud-amd64"], text=True,
                           capture_output=True) if shutil.which("apt-cache") else None
    name = re.search(r"Depends: (linux-image-\S+)", asked.stdout) if asked else None
    if not name or subprocess.run(["apt-get", "download", name[1]], cwd=folder,
                                  capture_output=True).returncode != 0:
        skip("there is no kernel in /boot, and Debian's package of one cannot be had")
    package = next(pathlib.Path(folder).glob("*.deb"))
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    return glob.glob(f"{folder}/boot/vmlinuz-*")[0]


def make_disc(folder, program):
    root, disc = folder / "root", folder / "disc"
    for path in (root / "proc", root / "dev", root / "lib64", disc / "isolinux"):
        path.mkdir(parents=True)
    shutil.copy(program, root / "test")
    shutil.copy(shutil.which("busybox"), root / "busybox")
    for line in subprocess.check_output(["ldd", program], text=True).splitlines():
        for library in re.findall(r"(/\S+)", line):
            place = root / library.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, place)
    (root / "init").write_text(INIT)
    (root / "init").chmod(0o755)
    with open(disc / "system", "wb") as out:
        files = subprocess.check_output(["find", "."], cwd=root)
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=root, input=files, stdout=out,
                       check=True)
    shutil.copy(kernel(folder), disc / "kernel")
    shutil.copy("/usr/lib/ISOLINUX/isolinux.bin", disc / "isolinux")
    shutil.copy("/usr/lib/syslinux/modules/bios/ldlinux.c32", disc / "isolinux")
    (disc / "isolinux/isolinux.cfg").write_text(
        f"default it\nlabel it\n  kernel /kernel\n  append initrd=/system {KERNEL_OPTIONS}\n")
    subprocess.run(["xorriso", "-as", "mkisofs", "-quiet", "-o", folder / "boot.iso",
                    "-b", "isolinux/isolinux.bin", "-c", "isolinux/catalogue", "-no-emul-boot",
                    "-boot-load-size", "4", "-boot-info-table", disc], check=True, capture_output=True)


def boot(folder):
    """What came over the serial line."""
    (folder / "bochsrc").write_text(CONFIGURATION.format(folder=folder))
    (folder / "commands").write_text("continue\n")  # Debian's Bochs starts in its debugger
    child, screen = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execvp("bochs", ["bochs", "-q", "-f", f"{folder}/bochsrc", "-rc", f"{folder}/commands"])
    serial, said, end = folder / "serial", "", time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end and not re.search(r"== end \d+\s|Kernel panic", said):
            if select.select([screen], [], [], 1)[0]:
                try:
                    os.read(screen, 65536)
                except OSError:
                    break  # it has ended
            said = serial.read_text(errors="replace") if serial.exists() else ""
    finally:
        os.killpg(child, signal.SIGKILL)  # with the program that the command `bochs` starts
        os.waitpid(child, 0)
    return said


def main():
    program = sys.argv[1]
    if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text():
        sys.exit(subprocess.run([program, f"-tc={CASES}"]).returncode)
    missing = [package for thing, package in NEEDED.items()
               if not (os.path.exists(thing) if thing.startswith("/") else shutil.which(thing))]
    if missing:
        skip("this machine has no AVX-512, and Bochs cannot play one without " + ", ".join(missing))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_disc(folder, program)
        said = boot(folder)
    print(said)
    cases = re.search(r"test cases:\s*(\d+) \|\s*(\d+) passed \| 0 failed", said)
    if "== it has AVX-512" not in said:
        sys.exit("the emulated machine did not start, or has no AVX-512")
    if "== end 0" not in said or not cases or cases[1] != cases[2] or int(cases[1]) < 2:
        sys.exit("the tests of AVX-512 did not pass on the emulated machine")
    if "this machine has no AVX-512" in said:
        sys.exit("a test was skipped for want of AVX-512 where there is some")


main()
