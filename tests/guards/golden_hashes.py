#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/golden.py names the scene and the program that end in other bits."""
import sys

from plant import TESTS, fails, passes, run, tree

PROGRAM = """#!/bin/sh
echo '{"state_hash": "HASH"}'
"""
FILES = {name: PROGRAM.replace("HASH", name[0] * 4) for name in ("a/poinsot", "b/poinsot")} | {
    "broken/poinsot": "#!/bin/sh\necho no such scene >&2\nexit 1\n",
    "hashes.txt": "# comment\nscenes/x.yaml aaaa\n",
}
with tree(FILES) as root:
    for name in ("a", "b", "broken"):
        (root / name / "poinsot").chmod(0o755)
    hashes = root / "hashes.txt"
    golden = [sys.executable, TESTS / "golden.py", "--hashes", hashes]
    passes(*golden, root / "a", root / "a/poinsot")
    fails(["scenes/x.yaml", "b/poinsot", "bbbb", "aaaa"], *golden, root / "a", root / "b")
    fails(["hashes.txt says aaaa"], *golden, root / "b")
    fails(["no such scene"], *golden, root / "broken")
    fails(["not built"], *golden, root / "nowhere")
    fails(["bbbb"], *golden, "--update", root / "a", root / "b")
    # A scene that ends early has no hash in the file, but the programs must agree.
    hashes.write_text("# comment\nscenes/net.yaml aaaa\n")
    passes(*golden, "--shorter", root / "b", root / "b/poinsot")
    fails(["scenes/net.yaml", "bbbb"], *golden, "--shorter", root / "a", root / "b")
    fails(["hashes.txt says aaaa"], *golden, root / "b")
    hashes.write_text("# comment\nscenes/x.yaml aaaa\n")
    fails(["hashes.txt says aaaa"], *golden, "--shorter", root / "b")
    passes(*golden, "--update", root / "b")
    passes(*golden, root / "b")
    if hashes.read_text() != "# comment\nscenes/x.yaml bbbb\n":
        sys.exit("--update wrote " + hashes.read_text())
    hashes.write_text("# comment\n")
    status, output = run(*golden, root / "a")
    if status != 77 or "SKIPPED: no scenes listed yet" not in output:
        sys.exit("an empty list must be skipped with a reason")
