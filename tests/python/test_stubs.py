# SPDX-License-Identifier: MIT
"""poinsot.pyi says what is there, and the book and the README what can be done with it."""
import ast
import inspect
import pathlib
import re
import subprocess
import sys

import poinsot
import pytest
from conftest import ROOT

STUB = pathlib.Path(poinsot.__file__).parent / "poinsot.pyi"


def public(names):
    return {name for name in names if not name.startswith("_")}


def declared():
    """Name of a class or function, and the names in it with their parameters."""
    made = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            inside = {one.name: [a.arg for a in one.args.args + one.args.kwonlyargs if a.arg != "self"]
                      for one in node.body if isinstance(one, ast.FunctionDef)}
            inside |= {one.target.id: [] for one in node.body if isinstance(one, ast.AnnAssign)}
            made[node.name] = inside
        elif isinstance(node, ast.FunctionDef):
            made[node.name] = [a.arg for a in node.args.args + node.args.kwonlyargs]
    return made


def parameters(function):
    """As pybind11 writes them in the first line of the documentation."""
    head = function.__doc__.split("\n")[0]
    inside = re.fullmatch(r"\w+\((.*)\) -> .*", head)[1]
    return [name for name in re.findall(r"(?:^|, )(\w+): ", inside) if name != "self"]


def test_every_public_name_is_in_the_stubs_and_no_other():
    assert STUB.is_file()
    stubs = declared()
    assert public(stubs) == public(dir(poinsot))
    for name, inside in stubs.items():
        thing = getattr(poinsot, name)
        if not inspect.isclass(thing):
            assert parameters(thing) == inside, name
            continue
        if issubclass(thing, BaseException):
            continue
        assert public(inside) == public(dir(thing)), name
        for member, wanted in inside.items():
            function = inspect.getattr_static(thing, member)
            if not isinstance(function, property) and member != "__len__":
                assert parameters(getattr(thing, member)) == wanted, f"{name}.{member}"


def test_integrators_of_the_stubs_are_those_of_the_library(model):
    words = re.search(r"_Integrator = Literal\[(.*?)\]", STUB.read_text(encoding="utf-8"), re.S)[1]
    mine = re.findall(r'"(\w+)"', words)
    with pytest.raises(ValueError) as caught:
        poinsot.Simulation(model, integrator="none of them")
    assert str(caught.value) == "there is no integrator 'none of them'. Known are: " + ", ".join(mine)


def test_stubs_are_installed_beside_the_module():
    assert STUB.read_bytes() == (ROOT / "python/poinsot.pyi").read_bytes()


def programs():
    for chapter in [ROOT / "README.md", *sorted((ROOT / "docs/book").glob("*.md"))]:
        text = chapter.read_text(encoding="utf-8")
        for block in re.finditer(r"^```python\n(.*?)^```", text, re.S | re.M):
            yield pytest.param(block[1], id=f"{chapter.name}:{text.count(chr(10), 0, block.start(1)) + 1}")


@pytest.mark.parametrize("program", programs())
def test_the_programs_of_the_book_run(program):
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
