# SPDX-License-Identifier: MIT
"""Plants faults: small trees with something wrong in them, and commands that must notice."""
import contextlib
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"


@contextlib.contextmanager
def tree(files):
    """A temporary folder with these files: {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield pathlib.Path(folder)


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def passes(*command):
    status, output = run(*command)
    if status != 0:
        sys.exit(f"must pass without the fault, but ends with {status}:\n{output}")
    return output


def fails(words, *command):
    """The command must fail and its output must hold all the words: the fault is named."""
    status, output = run(*command)
    if status == 0:
        sys.exit(f"the planted fault was not noticed by {command}:\n{output}")
    for word in words:
        if word not in output:
            sys.exit(f"the message must name '{word}':\n{output}")
    print(f"noticed: {', '.join(words)}")
