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
