# SPDX-License-Identifier: MIT
"""A file of which a test was skipped is told as skipped, with the reason; one that also fails has failed."""
import pathlib
import shutil
import subprocess
import sys

import pytest

SKIPS = "import conftest\ndef test_passes(): pass\ndef test_skips(): conftest.outside('no/such/file')\n"


@pytest.mark.parametrize("more, status", [("", 77), ("def test_fails(): assert False\n", 1)])
def test_a_skipped_test_is_told(tmp_path, more, status):
    shutil.copy(pathlib.Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / "test_planted.py").write_text(SKIPS + more)
    done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path],
                          capture_output=True, text=True)
    assert done.returncode == status, done.stdout
    assert ("SKIPPED: no/such/file is not in " in done.stdout) == (status == 77), done.stdout
