# SPDX-License-Identifier: MIT
"""What binds beside the tree of joints: where a run starts, loops must be closed."""
import numpy as np
import poinsot
import pytest
import yaml
from conftest import ROOT

LOOPS = ["four_bar", "bricard", "andrews_squeezer", "slider_crank", "bicycle", "closed_ring"]


@pytest.mark.parametrize("scene", sorted((ROOT / "scenes").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_scene_may_start_where_it_starts(scene):
    model = poinsot.load(scene)
    q, v = model.start()
    formulation = yaml.safe_load(scene.read_text()).get("run", {}).get("formulation")
    poinsot.Simulation(scene, q=q, v=v, formulation=formulation)


@pytest.mark.parametrize("scene", LOOPS)
@pytest.mark.parametrize("formulation", ["maximal", "reduced"])
def test_an_open_loop_is_named_and_close_shuts_it(scene, formulation):
    model = poinsot.load(ROOT / f"scenes/{scene}.yaml")
    q, v = model.start()
    generator = np.random.default_rng(7)
    settings = dict(formulation=formulation, integrator="runge_kutta4")
    off = model.displace(q, 1e-3 * generator.standard_normal(model.nv))
    with pytest.raises(ValueError, match=r"joint '.*' does not fit q: off by .* (m|rad); Model.close") as open_loop:
        poinsot.Simulation(model, q=off, v=v, **settings)
    amount = float(str(open_loop.value).split("off by ")[1].split()[0])
    assert 1e-6 < amount < 1e-1
    wild = v + 1e-2 * generator.standard_normal(model.nv)
    with pytest.raises(ValueError, match=r"joint '.*' does not fit v: off by .* (m|rad)/s"):
        poinsot.Simulation(model, q=q, v=wild, **settings)
    shut, motion = model.close(off, wild)
    assert np.abs(shut - q).max() < 0.1
    run = poinsot.Simulation(model, q=shut, v=motion, **settings)
    run.step()
    # What fits already stays as it is, to rounding.
    again, as_before = model.close(shut, motion)
    np.testing.assert_allclose(again, shut, rtol=0, atol=1e-13)
    np.testing.assert_allclose(as_before, motion, rtol=0, atol=1e-11)


JOINED = [path for path in sorted((ROOT / "scenes").glob("*.yaml"))
          if "joints" in (scene := yaml.safe_load(path.read_text())) and not any(
              "prescribed" in one or "motion" in one or "prescribed" in str(one.get("coordinates"))
              for one in scene["joints"])]  # those start where their course does


@pytest.mark.parametrize("scene", JOINED, ids=lambda path: path.stem)
def test_a_run_may_start_where_another_is(scene):
    """A state that a run has been through fits, as far as the run keeps it: in every scene with joints."""
    run = poinsot.Simulation(scene)
    for steps in (1, 19):
        run.step(steps)
        poinsot.Simulation(scene, q=run.q, v=run.v)
        shut = run.model.close(run.q, run.v)
        poinsot.Simulation(scene, q=shut[0], v=shut[1])


def hinge(name, bodies, at, **more):
    return {"name": name, "type": "revolute", "bodies": bodies, "at": at, "axis": [0.6, 0, 0.8]} | more


def parted(first):
    """Two bars that lean on each other and cannot move, and a four-bar that turns, if not all rests; the one that is first begins at the origin.
    Forces on bars that rest leave them the rounding of a speed, which is all that there is to compare it to."""
    def at(x, along, up):
        return [x + 0.8 * along, up, -0.6 * along]  # in the plane across the axis

    def body(name, x, along, up, rate=0.0, reach=0.0):
        return {"name": name, "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": at(x, along, up),
                "velocity": [-0.8 * reach * rate, 0, 0.6 * reach * rate], "angular_velocity": [0.6 * rate, 0, 0.8 * rate]}
    x, far = (5, 0) if first == "turns" else (0, 5)
    bodies = [body("lean left", x, 0.2, 0.35), body("lean right", x, 0.7, 0.35)]
    joints = [hinge("foot left", ["world", "lean left"], at(x, 0, 0)), hinge("foot right", ["world", "lean right"], at(x, 1, 0)),
              hinge("ridge", ["lean left", "lean right"], at(x, 0.4, 0.7), closes_loop=True)]
    if first == "all rests":
        return {"gravity": [1.3, -9.2, 2.7], "bodies": bodies, "joints": joints, "run": {"until": 1, "step": 0.001, "integrator": "runge_kutta4"}}
    bodies += [body("left", far, 0, 0.5, 1, 0.5), body("right", far, 1, 0.5, 1, 0.5), body("across", far, 0.5, 1) | {"velocity": [-0.8, 0, 0.6]}]
    joints += [hinge("A", ["world", "left"], at(far, 0, 0)), hinge("B", ["world", "right"], at(far, 1, 0)),
               hinge("C", ["left", "across"], at(far, 0, 1)), hinge("D", ["right", "across"], at(far, 1, 1), closes_loop=True)]
    return {"gravity": [1.3, -9.2, 2.7], "bodies": bodies, "joints": joints,
            "run": {"until": 1, "step": 0.001, "integrator": "runge_kutta4"}}


@pytest.mark.parametrize("formulation", ["maximal", "reduced"])
@pytest.mark.parametrize("first", ["rests", "turns", "all rests"])
def test_a_mechanism_partly_at_rest_may_start_where_it_is(first, formulation, tmp_path):
    scene = tmp_path / "parted.yaml"
    scene.write_text(yaml.safe_dump(parted(first)))
    model = poinsot.load(scene)
    run = poinsot.Simulation(model, formulation=formulation)
    run.step(50)
    poinsot.Simulation(model, q=run.q, v=run.v)
    poinsot.rollout(model, [run.q], [run.v], None, 1e-3, steps=2)
    q, v = model.close(run.q, run.v)
    poinsot.Simulation(model, q=q, v=v)
    # What is wrong is still told, where the other part rests too.
    for i in range(model.nv):
        with pytest.raises(ValueError, match=r"does not fit v: off by .* (m|rad)/s"):
            poinsot.Simulation(model, q=q, v=v + 1e-3 * (np.arange(model.nv) == i))


def test_a_tree_is_closed_as_it_is():
    model = poinsot.load(ROOT / "scenes/double_pendulum.yaml")
    q, v = model.start()
    np.testing.assert_array_equal(model.close(q + 1, v)[0], q + 1)
    np.testing.assert_array_equal(model.close(q)[1], 0 * v)


def test_a_rollout_names_the_world_whose_loop_is_open():
    model = poinsot.load(ROOT / "scenes/four_bar.yaml")
    q, v = model.start()
    q0, v0 = np.stack([q, q, q]), np.stack([v, v, v])
    poinsot.rollout(model, q0, v0, None, 1e-3, steps=2)
    q0[1] = model.displace(q, 0.01 * np.arange(1, model.nv + 1))
    with pytest.raises(ValueError, match="world 1: joint '.*' does not fit q: off by"):
        poinsot.rollout(model, q0, v0, None, 1e-3, steps=2)
