# SPDX-License-Identifier: MIT
"""What the tests of the Python module share: models, states, and where things are."""
import os
import pathlib

import numpy as np
import pytest

import poinsot

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

INERTIAL = ('<inertial><origin xyz="{}"/><mass value="{}"/>'
            '<inertia ixx="0.3" ixy="0.01" ixz="0" iyy="0.2" iyz="0.02" izz="0.25"/></inertial>')
# Every kind of joint that a URDF file has.
ROBOT = f"""<robot name="zoo">
  <link name="base">{INERTIAL.format("0.1 0 0.2", 3)}</link>
  <link name="upper">{INERTIAL.format("0 0.1 0.1", 2)}</link>
  <link name="lower">{INERTIAL.format("0.1 0 0.1", 1)}</link>
  <link name="slider">{INERTIAL.format("0 0 0.1", 0.5)}</link>
  <link name="sledge">{INERTIAL.format("0 0.2 0", 0.7)}</link>
  <link name="kite">{INERTIAL.format("0.1 0.2 0.3", 0.9)}</link>
  <link name="tip"/>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><origin xyz="0 0 0.5" rpy="0.1 0 0"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><axis xyz="1 1 0"/><origin xyz="0 0.1 0.4"/>
    <limit lower="-2" upper="1" effort="10" velocity="2"/>
  </joint>
  <joint name="lift" type="prismatic">
    <parent link="lower"/><child link="slider"/><axis xyz="0 0 1"/><origin xyz="0 0 0.3"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
  <joint name="floor" type="planar">
    <parent link="base"/><child link="sledge"/><axis xyz="0 0 1"/><origin xyz="0.4 0 0"/>
  </joint>
  <joint name="string" type="floating">
    <parent link="upper"/><child link="kite"/><origin xyz="0 0 1"/>
  </joint>
  <joint name="end" type="fixed"><parent link="slider"/><child link="tip"/><origin xyz="0 0 0.2"/></joint>
</robot>
"""


def pytest_sessionfinish(session, exitstatus):
    """A file that skipped any of its tests is told as skipped, with the reasons; one that failed has failed."""
    told = session.config.pluginmanager.get_plugin("terminalreporter")
    reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in told.stats.get("skipped", [])]
    if exitstatus == 0 and reasons:
        print("\nSKIPPED:", "; ".join(dict.fromkeys(reasons)))
        session.exitstatus = 77


@pytest.fixture(scope="session")
def robot_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("robot") / "zoo.urdf"
    path.write_text(ROBOT)
    return path


@pytest.fixture(scope="session", params=["fixed", "floating"])
def model(request, robot_file):
    return poinsot.load(robot_file, base=request.param)


@pytest.fixture(scope="session")
def floating(robot_file):
    return poinsot.load(robot_file, base="floating")


def random_state(model, seed=1):
    """q, v and two more vectors like v, anywhere."""
    dice = np.random.default_rng(seed)
    q, _ = model.start()
    q = model.displace(q, dice.uniform(-1, 1, model.nv))
    return q, *(dice.uniform(-1, 1, model.nv) for _ in range(3))


def outside(name):
    """A file of the reference data that is not part of the project, or a skipped test."""
    folder = pathlib.Path(os.environ.get("POINSOT_REFERENCE", ROOT.parent / "shared/reference/outside"))
    if not (folder / name).is_file():
        pytest.skip(f"{name} is not in {folder}")
    return folder / name


@pytest.fixture
def command_line():
    program = os.environ.get("POINSOT")
    if not program or not pathlib.Path(program).is_file():
        pytest.skip("the command line was not built")
    return program
