# SPDX-License-Identifier: MIT
"""Arrays in, arrays out: nothing is copied that need not be, and what does not fit is named."""
import ctypes
import re
import threading
import time
import tracemalloc

import numpy as np
import poinsot
import pytest
from conftest import INERTIAL, random_state


def test_what_is_returned_owns_its_memory(model):
    q, v, a, tau = random_state(model)
    made = [*model.start(), model.mass_matrix(q), model.inverse_dynamics(q, v, a), model.bias(q, v),
            model.gravity(q), model.forward_dynamics(q, v, tau), model.jacobian(q, "tip"), model.centroidal_matrix(q),
            model.forward_kinematics(q).position, model.masses,
            *model.forward_dynamics_derivatives(q, v, tau), *model.inverse_dynamics_derivatives(q, v, a),
            *poinsot.rollout(model, [q], [v], None, step=0.01, steps=2)]
    for one in made:
        assert one.dtype == np.float64 and one.flags.c_contiguous and one.flags.owndata and one.flags.writeable
    assert not np.shares_memory(made[0], model.start()[0])


def test_out_is_filled_in_place(model):
    q, v, a, tau = random_state(model)
    wanted = {
        "mass_matrix": (model.mass_matrix, (q,)), "bias": (model.bias, (q, v)), "gravity": (model.gravity, (q,)),
        "inverse_dynamics": (model.inverse_dynamics, (q, v, a)),
        "forward_dynamics": (model.forward_dynamics, (q, v, tau)), "jacobian": (model.jacobian, (q, "tip")),
        "centroidal_matrix": (model.centroidal_matrix, (q,)), "displace": (model.displace, (q, v))}
    for name, (function, arguments) in wanted.items():
        made = function(*arguments)
        out = np.full_like(made, np.nan)
        assert function(*arguments, out=out) is out, name
        np.testing.assert_array_equal(out, made)
    with pytest.raises(ValueError, match="out shares memory with an argument"):
        model.inverse_dynamics(q, v, a, out=a)
    with pytest.raises(ValueError, match="out shares memory"):  # a part of it is enough
        both = np.r_[a, a]
        model.inverse_dynamics(q, v, both[1:model.nv + 1], out=both[:model.nv])
    read_only = np.zeros(model.nv)
    read_only.flags.writeable = False
    for bad in (np.zeros(model.nv + 1), np.zeros(model.nv, np.float32), np.zeros(2 * model.nv)[::2], [0.0] * model.nv,
                read_only):
        with pytest.raises(ValueError, match=re.escape(f"out must be a writeable, C-contiguous float64 array of shape ({model.nv},)")):
            model.inverse_dynamics(q, v, a, out=bad)


def test_a_large_input_is_read_in_place(model):
    """Forces of 8 MB take no second 8 MB; what is not contiguous does. NumPy tells tracemalloc of its arrays."""
    q, v, _, _ = random_state(model)
    tau = np.zeros((2, 4_000_000 // (8 * model.nv), model.nv))
    tau[0, 0, 0] = np.nan  # refused once all of it was taken: nothing is computed

    def grown(forces):
        tracemalloc.start()
        try:
            with pytest.raises(ValueError, match=r"tau\[0, 0, 0\]"):
                poinsot.rollout(model, [q] * 2, [v] * 2, forces, 0.001)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert grown(tau) < 1_000_000
    assert grown(np.asfortranarray(tau)) > 7_000_000


def test_lists_and_other_numbers_are_converted(model):
    q, v, a, _ = random_state(model)
    tau = model.inverse_dynamics(q, v, a)
    np.testing.assert_array_equal(model.inverse_dynamics(list(q), tuple(v), a.tolist()), tau)
    doubled = np.zeros((model.nv, 2))
    doubled[:, 1] = a  # not contiguous
    np.testing.assert_array_equal(model.inverse_dynamics(q, v, doubled[:, 1]), tau)
    np.testing.assert_array_equal(model.bias(q, np.ones(model.nv, int)), model.bias(q, np.ones(model.nv)))


def test_shapes_types_and_numbers_are_looked_at(floating):
    model = floating
    q, v, a, tau = random_state(model)
    with pytest.raises(ValueError, match=r"q must have shape \(nq,\) = \(20,\) and hold float64 numbers; its shape is \(19,\)"):
        model.mass_matrix(q[:-1])
    with pytest.raises(ValueError, match=r"a must have shape \(nv,\) = \(18,\).*its shape is \(18, 1\)"):
        model.inverse_dynamics(q, v, a[:, None])
    with pytest.raises(ValueError, match="v must have shape .* its numbers are of type complex128"):
        model.bias(q, v + 0j)
    for bad in ("abc", {"q": 1}, None, ["1"] * model.nq, [object()] * model.nq):
        with pytest.raises(ValueError, match="q must have shape"):
            model.mass_matrix(bad)
    for name, place in (("shoulder", "joint 'shoulder'"), ("base", "body 'base'"), ("string", "joint 'string'")):
        at = model.v_slice(name).start
        for number in (np.nan, np.inf):
            wrong = v.copy()
            wrong[at] = number
            with pytest.raises(ValueError, match=rf"v\[{at}\] of {place} is {number}; it must be finite"):
                model.bias(q, wrong)
    long = q.copy()
    long[3:7] *= 2
    with pytest.raises(ValueError, match=r"the quaternion q\[3:7\] of body 'base' has length 2; divide it by that"):
        model.mass_matrix(long)
    with pytest.raises(ValueError, match=r"gravity must have shape \(3,\)"):
        model.gravity(q, [0, 9.81])
    with pytest.raises(ValueError, match=r"point\[1\] is nan"):
        model.jacobian(q, "tip", [0, np.nan, 0])


def test_wrong_names_offer_the_nearest(floating):
    q, *_ = random_state(floating)
    with pytest.raises(KeyError, match="there is no body 'kyte'; did you mean 'kite'?"):
        floating.body("kyte")
    with pytest.raises(KeyError, match="there is no joint 'elbw'; did you mean 'elbow'?"):
        floating.joint("elbw")
    with pytest.raises(KeyError, match="there is no body or link 'tipp'; did you mean 'tip'?"):
        floating.jacobian(q, "tipp")
    with pytest.raises(KeyError, match="there is no joint or floating body 'bse'; did you mean 'base'?"):
        floating.q_slice("bse")


def longest_silence(function):
    """How long another thread of Python's could not run while the function did, as a part of its time."""
    moments, over = [], threading.Event()

    def watch():
        while not over.is_set():
            moments.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        began = time.monotonic()
        function()
        ended = time.monotonic()
    finally:
        over.set()
        thread.join()
    seen = [began, *(t for t in moments if began < t < ended), ended]
    return np.diff(seen).max() / (ended - began)


def python_runs_while(function):
    """A call that keeps the GIL is silent to its end each time, as the one below that sleeps; one that gives it up is so only
    where a busy machine delays the other thread, so one call of several in which that thread ran is enough."""
    return any(longest_silence(function) < 0.8 for _ in range(10))


def test_python_runs_while_a_rollout_does(model):
    q, v, _, _ = random_state(model)

    def long(steps):
        poinsot.rollout(model, [q], [v], None, step=1e-6, steps=steps, threads=1)

    began = time.monotonic()
    long(2000)
    steps = int(2000 * 0.5 / (time.monotonic() - began)) + 1  # half a second, on this machine today
    assert python_runs_while(lambda: long(steps))
    run = poinsot.Simulation(model, step=1e-6)
    assert python_runs_while(lambda: run.step(steps))
    # and what holds the GIL is seen
    assert any(longest_silence(lambda: ctypes.PyDLL(None).usleep(300_000)) > 0.9 for _ in range(5))


def test_python_runs_while_one_long_call_computes(tmp_path):
    links = 1000  # with which the call takes a good part of a second
    chain = tmp_path / "chain.urdf"
    chain.write_text("<robot name='chain'>" + "".join(
        f"<link name='l{i}'>{INERTIAL.format('0.1 0 0.2', 1)}</link>" for i in range(links)) + "".join(
        f"<joint name='j{i}' type='continuous'><parent link='l{i}'/><child link='l{i + 1}'/><axis xyz='1 0 0'/>"
        "<origin xyz='0 0 0.1'/></joint>" for i in range(links - 1)) + "</robot>")
    model = poinsot.load(chain, base="fixed")
    q, v, tau, _ = random_state(model)
    assert python_runs_while(lambda: model.forward_dynamics_derivatives(q, v, tau))


def test_a_simulation_steps_in_one_thread_at_a_time(model):
    run = poinsot.Simulation(model, step=1e-4)
    seen = []

    def step():
        try:
            run.step(3000)
        except RuntimeError as problem:
            seen.append(str(problem))

    threads = [threading.Thread(target=step) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("stepping in another thread" in text for text in seen)
    assert run.steps == 3000 * (3 - len(seen))
