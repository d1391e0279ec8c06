# SPDX-License-Identifier: MIT
"""Scenes and robots from files: published numbers, options, and every problem named."""
import json

import numpy as np
import poinsot
import pytest
from conftest import ROOT, outside

ROBOTS = json.loads((ROOT / "tests/reference/robots.json").read_text())["items"]
# The numbers of the file have 15 digits; sums over some twenty bodies lose two.
TOLERANCE = 1e-13


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Published:
    """A robot of the reference at its state. The reference moves a floating base by the velocity of the base link's origin
    and ω, in world axes; this model by that of its centre of mass and ω, in body axes: v = T v_reference + ..."""

    def __init__(self, name, merge_fixed):
        self.item = item = ROBOTS[name]
        path = outside(f"urdf/{ {'ur5': 'ur5_robot'}.get(name, name) }.urdf")
        base = "floating" if item["floating"] else "fixed"
        self.model = model = poinsot.load(path, base=base, ignore_mimic=True, merge_fixed=merge_fixed)
        assert model.nv == len(item["v"])
        self.q = model.start()[0]
        first = 6 if item["floating"] else 0
        rows = [model.v_slice(joint).start for joint in item["joint_order"]]
        self.q[[model.q_slice(joint).start for joint in item["joint_order"]]] = item["q"]
        # v = T x, x in the order and axes of the reference
        self.T = np.zeros((model.nv, model.nv))
        self.T[rows, np.arange(first, model.nv)] = 1
        self.T_dot = np.zeros_like(self.T)
        x = np.array(item["v"])
        if item["floating"]:
            body = model.body(model.joint_order[0])
            quaternion = np.array(item["base_quat_wxyz"])
            quaternion /= np.linalg.norm(quaternion)
            R, c = rotation(quaternion), body.center
            self.q[model.q_slice(body.name)] = [*(item["base_pos"] + R @ c), *quaternion]

            def skew(a):
                return np.cross(np.eye(3), a)
            base = model.v_slice(body.name)
            omega = x[3:6]
            S, S_dot = skew(R @ c), skew(np.cross(omega, R @ c))
            # v_C = v_O + ω × Rc = v_O − S ω, all in body axes by Rᵀ
            world = np.block([[np.eye(3), -S], [np.zeros((3, 3)), np.eye(3)]])
            world_dot = np.block([[np.zeros((3, 3)), -S_dot], [np.zeros((3, 6))]])
            turn = np.kron(np.eye(2), R.T)
            turn_dot = np.kron(np.eye(2), -R.T @ skew(omega))
            self.T[base, :6] = turn @ world
            self.T_dot[base, :6] = turn_dot @ world + turn @ world_dot
        self.x = x
        self.v = self.T @ x

    def acceleration(self, given):
        return self.T @ given + self.T_dot @ self.x


@pytest.fixture(params=[(name, merged) for name in ROBOTS for merged in (False, True)],
                ids=lambda given: given[0] + (" merged" if given[1] else ""))
def published(request):
    return Published(*request.param)


def near(mine, theirs):
    theirs = np.asarray(theirs)
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=TOLERANCE * max(1, np.abs(theirs).max()))


def test_published_robots_stand_and_move(published):
    item, model, q, v = published.item, published.model, published.q, published.v
    assert model.masses.sum() == pytest.approx(item["total_mass"], rel=TOLERANCE)
    near(model.center_of_mass(q), item["com"])
    near(model.momentum(q, v)[:3], item["linear_momentum"])
    near(model.centroidal_momentum(q, v)[3:], item["ang_momentum_com"])
    near(model.kinetic_energy(q, v), item["kinetic_energy"])
    near(model.potential_energy(q), item["potential_energy"])
    position, orientation = model.frame_pose(q, item["tip_link"])
    near(position, item["tip_pos"])
    near(rotation(orientation), item["tip_R"])
    near(model.jacobian(q, item["tip_link"]) @ v, item["tip_lin_vel"] + item["tip_ang_vel"])


def test_published_robots_have_the_published_dynamics(published):
    item, model, q, v, T = published.item, published.model, published.q, published.v, published.T
    near(T.T @ model.mass_matrix(q) @ T, item["M"])
    near(T.T @ model.gravity(q), item["gravity_term"])
    near(T.T @ (model.bias(q, v) + model.mass_matrix(q) @ published.T_dot @ published.x), item["nle"])
    near(T.T @ model.inverse_dynamics(q, v, published.acceleration(np.array(item["a"]))), item["tau_inverse_dynamics"])
    tau = np.linalg.solve(T.T, item["tau_applied"])
    made = np.linalg.solve(T, model.forward_dynamics(q, v, tau) - published.T_dot @ published.x)
    # Solving with M loses what its condition asks for.
    theirs = np.array(item["qdd_forward_dynamics"])
    condition = np.linalg.cond(np.array(item["M"]))
    np.testing.assert_allclose(made, theirs, rtol=0, atol=1e-15 * condition * np.abs(theirs).max())


def test_published_robots_run(published):
    q, v = published.q.copy(), published.v.copy()
    for joint in published.model.joints:  # limits end a run; the published states pass some of them
        if joint.name in published.model.joint_order and np.isfinite([*joint.lower, *joint.upper]).all():
            q[published.model.q_slice(joint.name)] = (joint.lower + joint.upper) / 2
            v[published.model.v_slice(joint.name)] *= 0.1
    run = poinsot.Simulation(published.model, step=1e-3, q=q, v=v)
    energy = published.model.kinetic_energy(run.q, run.v) + published.model.potential_energy(run.q)
    run.step(50)
    now = published.model.kinetic_energy(run.q, run.v) + published.model.potential_energy(run.q)
    assert np.isfinite(now)
    # joints with damping and friction lose energy; none makes any
    assert now - energy < 1e-6 * max(1, abs(energy))


def test_joints_are_locked_where_they_are_told(robot_file):
    q, _ = poinsot.load(robot_file, base="fixed").start()
    free = poinsot.load(robot_file, base="fixed")
    locked = poinsot.load(robot_file, base="fixed", lock={"elbow": 0.5})
    assert locked.nv == free.nv - 1 and "elbow" not in locked.joint_order
    q[free.q_slice("elbow")] = 0.5
    np.testing.assert_allclose(locked.frame_pose(locked.start()[0], "tip")[0], free.frame_pose(q, "tip")[0], atol=1e-14)
    assert poinsot.load(robot_file, base="fixed", lock=["elbow", "lift"]).nv == free.nv - 2
    merged = poinsot.load(robot_file, base="fixed", lock={"elbow": 0.5}, merge_fixed=True)
    assert merged.frames["lower"].body == "upper"
    with pytest.raises(KeyError, match="joint 'elbow' has no coordinates"):
        locked.q_slice("elbow")
    with pytest.raises(poinsot.SceneError, match="elbw"):
        poinsot.load(robot_file, base="fixed", lock={"elbw": 0.5})
    with pytest.raises(ValueError, match="lock of joint 'elbow' is nan"):
        poinsot.load(robot_file, base="fixed", lock={"elbow": np.nan})


def test_gravity_of_a_robot_is_an_option(robot_file):
    model = poinsot.load(robot_file, base="fixed", gravity=[0, 0, 0])
    np.testing.assert_array_equal(model.gravity(model.start()[0]), np.zeros(model.nv))


def test_a_robot_needs_a_base_and_a_scene_none(robot_file):
    with pytest.raises(ValueError, match="base must be 'fixed' or 'floating': a URDF file does not say it"):
        poinsot.load(robot_file)
    with pytest.raises(ValueError, match="it is 'flying'"):
        poinsot.load(robot_file, base="flying")
    for options in (dict(base="fixed"), dict(lock=["x"]), dict(merge_fixed=True), dict(gravity=[0, 0, 0])):
        with pytest.raises(ValueError, match="are for URDF files"):
            poinsot.load(ROOT / "scenes/kepler.yaml", **options)


def test_a_scene_has_its_bodies(tmp_path):
    model = poinsot.load(str(ROOT / "scenes/tumbling_box.yaml"))
    q, v = model.start()
    assert model.joints == [] and model.joint_order == model.body_names == list(model.frames)
    assert len(q) == model.nq and len(v) == model.nv
    text = '{"bodies": [{"name": "a", "box": [1, 2, 3], "mass": 2}], "gravity": [0, 0, -1], "run": {"until": 1, "step": 0.1}}'
    path = tmp_path / "scene.json"
    path.write_text(text)
    model = poinsot.load(path)
    np.testing.assert_array_equal(model.gravity(model.start()[0]), [0, 0, 2, 0, 0, 0])


def test_every_problem_of_a_file_is_in_the_error(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("bodies:\n  - name: a\n    box: [1, 1, 1]\n    mass: -1\n  - name: b\n    bxo: [1, 1, 1]\n    mass: 1\n"
                    "run: {until: 1, step: 0.1, integrator: runge_kuta4}\n")
    with pytest.raises(poinsot.SceneError) as caught:
        poinsot.load(path)
    text = str(caught.value)
    assert "bad.yaml:4" in text and "bad.yaml:6" in text and "bxo" in text and "runge_kutta4" in text
    assert len(caught.value.problems) >= 3
    assert all(place in text and what in text for place, what in caught.value.problems)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(poinsot.SceneError, match="nowhere.yaml"):
        poinsot.load(tmp_path / "nowhere.yaml")
    with pytest.raises(poinsot.SceneError, match="nowhere.urdf"):
        poinsot.load(tmp_path / "nowhere.urdf", base="fixed")
    with pytest.raises(poinsot.SceneError):
        poinsot.Simulation(path)
    with pytest.raises(TypeError):
        poinsot.load(3)


def test_settings_that_do_not_fit_are_all_named(robot_file):
    model = poinsot.load(robot_file, base="fixed")
    with pytest.raises(ValueError) as caught:
        poinsot.Simulation(model, step=-1, integrator="splitting", formulation="reduced", ledger_every=0)
    assert "step must be positive" in str(caught.value) and "splitting" in str(caught.value)
    assert "ledger_every must be at least 1" in str(caught.value)
    for option, word in (("integrator", "gaus"), ("formulation", "reducd"), ("state_form", "velocty"),
                         ("ledger", "total")):
        with pytest.raises(ValueError, match=f"there is no {option} '{word}'; did you mean '"):
            poinsot.Simulation(model, **{option: word})
    with pytest.raises(ValueError, match="q must have shape"):
        poinsot.Simulation(model, q=[1, 2])
    with pytest.raises(ValueError, match="n must not be negative"):
        poinsot.Simulation(model).step(-1)


def test_a_mimic_binds_joints_and_forward_dynamics_says_so(tmp_path, robot_file):
    text = robot_file.read_text().replace('<origin xyz="0 0 0.3"/>', '<origin xyz="0 0 0.3"/><mimic joint="elbow"/>')
    path = tmp_path / "mimic.urdf"
    path.write_text(text)
    model = poinsot.load(path, base="fixed")
    q, v = model.start()
    with pytest.raises(ValueError, match="forward_dynamics knows the tree of joints alone, but gear '.*lift.*' binds two joints"):
        model.forward_dynamics(q, v, v)
    with pytest.raises(ValueError, match="forward_dynamics_derivatives knows"):
        model.forward_dynamics_derivatives(q, v, v)
    made, _ = poinsot.rollout(model, [q], [v], None, 1e-3, 20)  # where gears are kept
    np.testing.assert_allclose(made[0, :, model.q_slice("lift")], made[0, :, model.q_slice("elbow")], atol=1e-12)
    assert np.abs(made[0, -1, model.q_slice("elbow")]).max() > 1e-5
    free = poinsot.load(path, base="fixed", ignore_mimic=True)
    free.forward_dynamics(q, v, v)


def test_a_body_that_moves_as_told_is_named():
    model = poinsot.load(ROOT / "scenes/kapitza.yaml")
    q, v = model.start()
    with pytest.raises(ValueError, match="the motion of joint 'shaker' is prescribed; use a Simulation"):
        model.forward_dynamics(q, v, v)


def test_a_held_body_is_named(tmp_path):
    path = tmp_path / "held.yaml"
    path.write_text("bodies:\n  - name: top\n    box: [1, 1, 1]\n    mass: 1\n    held: {point: [0, 0, 0.5]}\n"
                    "run: {until: 1, step: 0.1, integrator: runge_kutta4}\n")
    model = poinsot.load(path)
    q, v = model.start()
    with pytest.raises(ValueError, match="body 'top' is held at a point"):
        model.forward_dynamics(q, v, v)


def test_what_is_not_used_is_said(robot_file, tmp_path):
    path = tmp_path / "extra.urdf"
    path.write_text(robot_file.read_text().replace("</robot>", "<gazebo/></robot>"))
    model = poinsot.load(path, base="fixed")
    assert any("gazebo" in text for text in model.not_used)
    assert isinstance(model.warnings, list)
