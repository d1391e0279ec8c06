# SPDX-License-Identifier: MIT
"""Kinematics and dynamics agree with each other by every road."""
import numpy as np
import pytest
from conftest import random_state

# Some ten links: sums of some hundred terms of size one to ten.
TIGHT = dict(rtol=1e-12, atol=1e-12)


def test_forward_dynamics_undoes_inverse_dynamics(model):
    for seed in range(20):
        q, v, a, _ = random_state(model, seed)
        tau = model.inverse_dynamics(q, v, a)
        np.testing.assert_allclose(model.forward_dynamics(q, v, tau), a, **TIGHT)


def test_mass_matrix_has_the_columns_that_inverse_dynamics_gives(model):
    q, v, a, _ = random_state(model)
    M, bias = model.mass_matrix(q), model.bias(q, v)
    columns = [model.inverse_dynamics(q, v, unit) - bias for unit in np.eye(model.nv)]
    np.testing.assert_allclose(M, np.transpose(columns), **TIGHT)
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0
    np.testing.assert_allclose(model.inverse_dynamics(q, v, a), M @ a + bias, **TIGHT)
    np.testing.assert_allclose(model.gravity(q), model.bias(q, np.zeros(model.nv)), **TIGHT)


def test_gravity_is_that_of_the_model_or_that_which_is_asked_for(model):
    q, v, a, _ = random_state(model)
    np.testing.assert_array_equal(model.gravity_vector, [0, 0, -9.81])
    np.testing.assert_array_equal(model.bias(q, v), model.bias(q, v, gravity=[0, 0, -9.81]))
    without = model.inverse_dynamics(q, v, a, gravity=(0, 0, 0))
    np.testing.assert_allclose(without + model.gravity(q), model.inverse_dynamics(q, v, a), **TIGHT)
    assert model.potential_energy(q, [0, 0, 0]) == 0


def test_energy_and_momentum(model):
    q, v, _, _ = random_state(model)
    assert model.kinetic_energy(q, v) == pytest.approx(0.5 * v @ model.mass_matrix(q) @ v, rel=1e-13)
    at = model.forward_kinematics(q, v)
    height = model.masses @ at.center[:, 2]
    assert model.potential_energy(q) == pytest.approx(9.81 * height, rel=1e-13)
    p = model.masses @ at.velocity
    center = model.center_of_mass(q)
    np.testing.assert_allclose(center, model.masses @ at.center / model.masses.sum(), **TIGHT)
    np.testing.assert_allclose(model.momentum(q, v)[:3], p, **TIGHT)
    about = model.momentum(q, v, about=center)
    np.testing.assert_allclose(about, model.centroidal_momentum(q, v), **TIGHT)
    np.testing.assert_allclose(model.momentum(q, v)[3:], about[3:] + np.cross(center, p), **TIGHT)
    np.testing.assert_allclose(model.centroidal_matrix(q) @ v, about, **TIGHT)


def test_jacobians_give_the_velocities_of_bodies_and_links(model):
    q, v, _, _ = random_state(model)
    at = model.forward_kinematics(q, v)
    for i, body in enumerate(model.bodies):
        motion = model.jacobian(q, body.name, body.center) @ v
        np.testing.assert_allclose(motion, np.r_[at.velocity[i], at.angular_velocity[i]], **TIGHT)
        position, orientation = model.frame_pose(q, body.name)
        np.testing.assert_allclose(position, at.position[i], **TIGHT)
        np.testing.assert_allclose(orientation, at.orientation[i], **TIGHT)
    # a link without mass is a frame of the body it is fixed to
    tip = model.frames["tip"]
    assert tip.body == "slider"
    np.testing.assert_allclose(tip.position, [0, 0, 0.2], **TIGHT)
    np.testing.assert_array_equal(model.jacobian(q, "tip"), model.jacobian(q, "slider", tip.position))
    # Central differences; steps of 1e-6 leave 1e-12 of their own and 1e-10 of rounding.
    h = 1e-6
    for index, unit in enumerate(np.eye(model.nv)):
        ahead, _ = model.frame_pose(model.displace(q, h * unit), "tip")
        behind, _ = model.frame_pose(model.displace(q, -h * unit), "tip")
        np.testing.assert_allclose(model.jacobian(q, "tip")[:3, index], (ahead - behind) / (2 * h), atol=1e-9)


def test_derivatives_are_those_of_central_differences(model):
    q, v, a, tau = random_state(model)
    h = 1e-6

    def slopes(function):
        return np.transpose([(function(h * u) - function(-h * u)) / (2 * h) for u in np.eye(model.nv)])

    by_q, by_v, by_a = model.inverse_dynamics_derivatives(q, v, a)
    # Forces are of size 100: their rounding over 2 h is 1e-8.
    def near(x, y):
        np.testing.assert_allclose(x, y, rtol=1e-7, atol=1e-7)
    near(by_q, slopes(lambda u: model.inverse_dynamics(model.displace(q, u), v, a)))
    near(by_v, slopes(lambda u: model.inverse_dynamics(q, v + u, a)))
    near(by_a, slopes(lambda u: model.inverse_dynamics(q, v, a + u)))
    np.testing.assert_array_equal(by_a, model.mass_matrix(q))

    by_q, by_v, by_tau = model.forward_dynamics_derivatives(q, v, tau)
    near(by_q, slopes(lambda u: model.forward_dynamics(model.displace(q, u), v, tau)))
    near(by_v, slopes(lambda u: model.forward_dynamics(q, v + u, tau)))
    near(by_tau, slopes(lambda u: model.forward_dynamics(q, v, tau + u)))


def test_names_masses_and_slices(floating):
    model = floating
    assert model.title == "zoo"
    assert model.body_names == ["base", "upper", "sledge", "lower", "kite", "slider"]
    assert [b.name for b in model.bodies] == model.body_names
    assert set(model.joint_names) == {"shoulder", "elbow", "lift", "floor", "string"}
    np.testing.assert_array_equal(model.masses, [b.mass for b in model.bodies])
    assert model.body("kite").mass == 0.9
    np.testing.assert_array_equal(model.body("kite").center, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(model.body("kite").inertia[0], [0.3, 0.01, 0])
    assert (model.joint("elbow").kind, model.joint("elbow").a, model.joint("elbow").b) == ("revolute", "upper", "lower")
    assert (model.joint("elbow").lower, model.joint("elbow").upper) == (-2, 1)
    assert model.joint("shoulder").upper == np.inf
    # every coordinate has one owner
    assert model.nq == 7 + 1 + 1 + 1 + 3 + 7 and model.nv == 6 + 1 + 1 + 1 + 3 + 6
    for size, slice_of in ((model.nq, model.q_slice), (model.nv, model.v_slice)):
        owned = np.concatenate([np.arange(size)[slice_of(name)] for name in model.joint_order])
        np.testing.assert_array_equal(owned, np.arange(size))
    assert model.joint_order[0] == "base"
    assert model.v_slice("string").stop - model.v_slice("string").start == 6
    assert model.q_slice("string").stop - model.q_slice("string").start == 7
