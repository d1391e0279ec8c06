# SPDX-License-Identifier: MIT
"""Runs and rollouts: the same motion as the command line, as the kernels and as each other, to the bit where it must."""
import json
import subprocess

import numpy as np
import poinsot
import pytest
import yaml
from conftest import ROOT, random_state

SCENES = sorted((ROOT / "scenes").glob("*.yaml"))


@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_a_scene_ends_at_the_same_bits_as_by_the_command_line(scene, command_line):
    step = yaml.safe_load(scene.read_text())["run"]["step"]
    until = 200 * step
    done = subprocess.run([command_line, "run", scene, "--json", "--until", repr(until)],
                          capture_output=True, text=True, cwd=ROOT)
    assert done.returncode in (0, 2), done.stderr
    theirs = json.loads(done.stdout)
    run = poinsot.Simulation(scene, until=until)
    run.run()
    assert run.done and run.steps == theirs["steps"] and run.time == theirs["time"]
    assert run.state_hash == theirs["state_hash"]
    ledger = run.ledger
    assert (ledger.pop("balanced"), ledger.pop("verdict")) == (theirs["balanced"], theirs["verdict"])
    assert ledger == theirs["ledger"]


def test_a_scene_runs_as_it_says_to_the_golden_hash():
    """Everything that the scene says is in the run: step, method, form and duration."""
    golden = dict(line.split() for line in (ROOT / "tests/golden/hashes.txt").read_text().splitlines()
                  if not line.startswith("#"))
    run = poinsot.Simulation(ROOT / "scenes/tumbling_box.yaml")
    run.run()
    assert run.state_hash == golden["scenes/tumbling_box.yaml"]


def test_both_formulations_agree_and_show_the_same_coordinates(model):
    q, v, _, _ = random_state(model)
    runs = [poinsot.Simulation(model, step=1e-3, formulation=name, q=q, v=v) for name in ("reduced", "maximal")]
    for run in runs:
        assert run.time == 0
        np.testing.assert_allclose(run.q, q, rtol=1e-14, atol=1e-14)
        np.testing.assert_allclose(run.v, v, rtol=1e-13, atol=1e-13)
        run.step(100)
        assert run.steps == 100 and run.time == pytest.approx(0.1)
    # Runge-Kutta of order four: an error of some 1e-12 per step of 1 ms.
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-9)
    np.testing.assert_allclose(runs[0].bodies.position, runs[1].bodies.position, atol=1e-9)
    np.testing.assert_allclose(runs[0].bodies.center, model.forward_kinematics(runs[0].q).center, atol=1e-13)
    assert len(runs[0].bodies) == len(model.bodies)


def test_where_no_integrator_is_named_it_is_one_that_works_in_the_formulation():
    for formulation in ("maximal", "reduced"):
        run = poinsot.Simulation(ROOT / "scenes/glider.yaml", formulation=formulation)
        run.step(10)
        assert run.balanced
    with pytest.raises(ValueError, match="integrator splitting does not work in reduced coordinates"):
        poinsot.Simulation(ROOT / "scenes/glider.yaml", formulation="reduced", integrator="splitting")


def test_joints_carry_what_hangs_on_them_about_any_point():
    for formulation in ("maximal", "reduced"):
        run = poinsot.Simulation(ROOT / "scenes/heavy_ball_chain.yaml", formulation=formulation)
        run.step(200)
        names, W = run.model.joint_names, run.joint_reactions()
        assert W.shape == (len(names), 6)
        # The first joint carries what all bodies need to move as they do: dp/dt less the weights.
        before = sum(m * v for m, v in zip(run.model.masses, run.bodies.velocity))
        h = run.time / run.steps
        run.step()
        after = sum(m * v for m, v in zip(run.model.masses, run.bodies.velocity))
        force = (after - before) / h - run.model.masses.sum() * run.model.gravity_vector
        middle = (W[0, :3] + run.joint_reactions()[0, :3]) / 2  # of the step, to its square
        np.testing.assert_allclose(middle, force, atol=1e-4 * np.linalg.norm(force))
        # About another point: the same force, and the torque with its lever.
        W, O = run.joint_reactions(), run.joint_reactions(about=[0, 0, 0])
        A = run.joint_reactions(about=[1, 2, 3])
        np.testing.assert_array_equal(W[:, :3], A[:, :3])
        np.testing.assert_allclose(A[:, 3:], O[:, 3:] - np.cross([1, 2, 3], O[:, :3]), rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match="about"):
        run.joint_reactions(about=[1, 2])


def test_joints_that_repeat_others_are_named():
    found = poinsot.load(ROOT / "scenes/four_bar.yaml").redundancy
    assert (found["rows"], found["rank"], found["ways_to_move"]) == (35, 29, 1)
    assert [r["name"] for r in found["repeats"]] == ["B1", "B2"]
    assert found["repeats"][0]["text"].startswith("joint 'B1' repeats what the others")
    assert poinsot.load(ROOT / "scenes/double_pendulum.yaml").redundancy["repeats"] == []


def test_angles_keep_their_whole_turns(floating):
    q, v = floating.start()
    q[floating.q_slice("shoulder")] = 20.0
    for formulation in ("reduced", "maximal"):
        run = poinsot.Simulation(floating, formulation=formulation, q=q, v=v)
        run.step(3)
        assert run.q[floating.q_slice("shoulder")][0] == pytest.approx(20.0, abs=1e-3)


def test_the_ledger_names_causes_and_what_is_missing(floating):
    q, v, _, tau = random_state(floating)
    run = poinsot.Simulation(floating, step=1e-3, q=q, v=v)
    run.set_joint_forces(tau)
    run.step(20)
    books = run.ledger
    assert {"gravity", "motor", "joint"} <= set(books["total"]["posted"])
    impulse = np.array(books["total"]["posted"]["gravity"]["impulse"])
    np.testing.assert_allclose(impulse, floating.masses.sum() * 9.81 * 0.02 * np.array([0, 0, -1]), rtol=1e-12)
    assert set(books["total"]["residual"]) >= {"p", "L", "energy"}
    assert isinstance(books["balanced"], bool) and books["balanced"] == run.balanced
    if not books["balanced"]:
        assert books["verdict"] != "the books balance"


def test_looking_at_the_books_does_not_change_them(floating):
    q, v, _, _ = random_state(floating)

    def run_of(look):
        run = poinsot.Simulation(floating, step=1e-3, ledger_every=7, q=q, v=v)
        for _ in range(20):
            run.step()
            if look:
                run.ledger
        return run.ledger, run.state_hash
    assert run_of(True) == run_of(False)


def test_a_run_resumes_to_the_same_bits(floating):
    q, v, _, tau = random_state(floating)
    run = poinsot.Simulation(floating, step=1e-3, q=q, v=v)
    run.step(10)
    saved = run.checkpoint()
    run.step(15)
    other = poinsot.Simulation(floating, step=1e-3)
    other.resume(saved)
    assert other.time == saved.time == pytest.approx(0.01) and other.state_hash == saved.state_hash
    other.step(15)
    assert other.state_hash == run.state_hash and other.ledger == run.ledger
    run.resume(saved)
    run.step(15)
    assert other.state_hash == run.state_hash


def test_a_checkpoint_of_something_else_is_refused(floating, robot_file):
    saved = poinsot.Simulation(floating, step=1e-3).checkpoint()
    with pytest.raises(ValueError, match="of another model"):
        poinsot.Simulation(poinsot.load(robot_file, base="fixed"), step=1e-3).resume(saved)
    for other in (dict(step=2e-3), dict(step=1e-3, integrator="gauss"), dict(step=1e-3, formulation="maximal"),
                  dict(step=1e-3, ledger="off")):
        with pytest.raises(ValueError, match="another step, integrator, formulation, state form or ledger"):
            poinsot.Simulation(floating, **other).resume(saved)


def test_forces_are_those_of_forward_dynamics(model):
    """One step of explicit Euler is v + h a, with forces along every kind of joint and on the base."""
    q, v, _, tau = random_state(model)
    h = 1e-3
    for formulation in ("reduced", "maximal"):
        run = poinsot.Simulation(model, step=h, integrator="explicit_euler", formulation=formulation, q=q, v=v)
        run.set_joint_forces(tau)
        run.step()
        wanted = v + h * model.forward_dynamics(q, v, tau)
        # In maximal coordinates bodies move apart by h² and are put back: a step agrees to its order.
        np.testing.assert_allclose(run.v, wanted, atol=1e-13 if formulation == "reduced" else 20 * h * h)
    run = poinsot.Simulation(model, step=h, integrator="explicit_euler", q=q, v=v)
    run.set_joint_forces(tau)
    run.set_joint_forces(None)
    run.step()
    np.testing.assert_allclose(run.v, v + h * model.forward_dynamics(q, v, 0 * tau), atol=1e-13)


def states(model, worlds):
    made = [random_state(model, seed) for seed in range(worlds)]
    return np.array([q for q, *_ in made]), np.array([v for _, v, *_ in made])


def test_a_rollout_is_each_world_run_by_itself(model):
    q0, v0 = states(model, 3)
    tau = np.random.default_rng(5).uniform(-1, 1, (3, 12, model.nv))
    for integrator in ("runge_kutta4", "gauss"):
        q, v = poinsot.rollout(model, q0, v0, tau, 1e-3, integrator=integrator)
        assert q.shape == (3, 13, model.nq) and v.shape == (3, 13, model.nv)
        np.testing.assert_array_equal(q[:, 0], q0)
        np.testing.assert_array_equal(v[:, 0], v0)
        for world in range(3):
            run = poinsot.Simulation(model, step=1e-3, integrator=integrator, q=q0[world], v=v0[world])
            for step in range(12):
                run.set_joint_forces(tau[world, step])
                run.step()
                np.testing.assert_array_equal(run.q, q[world, step + 1])
                np.testing.assert_array_equal(run.v, v[world, step + 1])


def test_joints_of_a_rollout_are_stopped_as_those_of_a_run(model):
    q0, v0 = states(model, 6)
    v0[:, model.v_slice("elbow")] = 10  # there within a third of a second
    q, v = poinsot.rollout(model, q0, v0, None, 5e-3, 150)
    elbow = q[:, :, model.q_slice("elbow")]
    assert elbow.max() < 1 + 1e-9 and elbow.min() > -2 - 1e-9
    assert (elbow.max(axis=1) > 0.9).all()
    assert (model.joint("elbow").restitution == 0).all()
    for world in range(6):
        run = poinsot.Simulation(model, step=5e-3, integrator="runge_kutta4", q=q0[world], v=v0[world])
        for step in range(150):
            run.step()
            np.testing.assert_array_equal(run.q, q[world, step + 1])
            np.testing.assert_array_equal(run.v, v[world, step + 1])


def test_cuts_and_events_of_a_run():
    run = poinsot.Simulation(ROOT / "scenes/glider_breaks.yaml", until=1.6)
    assert run.events == [] and [cut["name"] for cut in run.cuts] == ["left root", "right root"]
    run.run()
    over, broke = run.events
    assert (over["kind"], over["name"], over["load"]) == ("overload", "right root", "bending")
    assert (broke["kind"], broke["name"]) == ("break", "right wing breaks")
    assert over["time"] == broke["time"] and 1 < over["utilisation"] == broke["utilisation"] < 1.01
    left, right = run.cuts
    assert right["gone"] and right["utilisation"] == 0 and right["largest_utilisation"] == over["utilisation"]
    assert not left["gone"]
    assert left["utilisation"] == max(np.hypot(*left["bending"]) / 12000, np.hypot(*left["shear"]) / 9000)


MASSES = """
gravity: [0, 0, -9.81]
bodies:
  - {name: upper, box: [0.1, 0.1, 1], mass: %r, position: [0, 0, -0.5]}
  - {name: lower, box: [0.1, 0.2, 1], mass: %r, position: [0, 0, -1.5]}
joints:
  - {name: shoulder, type: revolute, bodies: [world, upper], at: [0, 0, 0], axis: [1, 0, 0]}
  - {name: elbow, type: revolute, bodies: [upper, lower], at: [0, 0, -1], axis: [0, 1, 0]%s}
run: {until: 1, step: 0.001, formulation: reduced, integrator: runge_kutta4}
"""


@pytest.mark.parametrize("law", ["", ", damping: 0.3"], ids=["in packs", "one by one"])
def test_worlds_of_a_rollout_may_have_their_own_masses(tmp_path, law):
    def arm(upper, lower):
        path = tmp_path / f"{upper}_{lower}.yaml"
        path.write_text(MASSES % (upper, lower, law))
        return poinsot.load(path)
    model, worlds = arm(2.0, 3.0), 6
    rng = np.random.default_rng(3)
    masses = np.column_stack([rng.choice([1.0, 2.0, 4.0], worlds), rng.choice([1.5, 3.0, 6.0], worlds)])
    q0, v0 = rng.uniform(-1, 1, (worlds, 2)), rng.uniform(-1, 1, (worlds, 2))
    tau = rng.uniform(-2, 2, (worlds, 8, 2))
    q, v = poinsot.rollout(model, q0, v0, tau, 1e-2, masses=masses)
    for world in range(worlds):
        alone = arm(*masses[world])
        run = poinsot.Simulation(alone, step=1e-2, q=q0[world], v=v0[world])
        for step in range(8):
            run.set_joint_forces(tau[world, step])
            run.step()
            # the inertia of a box of twice the mass is twice that of the box, but for its last digit
            np.testing.assert_allclose(run.q, q[world, step + 1], rtol=0, atol=1e-14)
            np.testing.assert_allclose(run.v, v[world, step + 1], rtol=0, atol=1e-13)
    same = poinsot.rollout(model, q0, v0, tau, 1e-2, masses=np.tile(model.masses, (worlds, 1)))
    for mine, theirs in zip(same, poinsot.rollout(model, q0, v0, tau, 1e-2)):
        np.testing.assert_array_equal(mine, theirs)
    assert abs(q - same[0]).max() > 1e-3
    for threads in (1, 2):
        np.testing.assert_array_equal(poinsot.rollout(model, q0, v0, tau, 1e-2, masses=masses, threads=threads)[0], q)


def test_a_rope_holds_in_a_rollout_as_in_a_run(tmp_path):
    scene = tmp_path / "rope.yaml"
    scene.write_text("""
gravity: [0, 0, -9.81]
bodies: [{name: ball, ball: 0.1, mass: 1, position: [0.1, 0, -0.2]}]
joints: [{name: rope, type: strut, bodies: [world, ball], at_a: [0, 0, 0], limits: [~, 1]}]
run: {until: 1, step: 0.001, integrator: runge_kutta4, formulation: reduced}
""")
    model = poinsot.load(scene)
    q, v = model.start()
    places, _ = poinsot.rollout(model, [q], [v], None, step=1e-3, steps=600)
    run = poinsot.Simulation(scene)
    run.step(600)
    np.testing.assert_array_equal(places[0, -1], run.q)
    np.testing.assert_allclose(np.linalg.norm(places[0, -1, :3]), 1, atol=1e-9)


def test_a_load_within_one_step_is_the_same_in_a_rollout_as_in_a_run(tmp_path):
    path = tmp_path / "pushed.yaml"
    path.write_text(MASSES % (2.0, 3.0, "") + "loads: [{body: lower, force: [90, 70, 0], from: 0.0301, until: 0.0349}]")
    pushed, worlds = poinsot.load(path), 5
    path.write_text(MASSES % (2.0, 3.0, ""))
    free = poinsot.load(path)
    rng = np.random.default_rng(7)
    q0, v0 = rng.uniform(-1, 1, (worlds, 2)), rng.uniform(-1, 1, (worlds, 2))
    q, v = poinsot.rollout(pushed, q0, v0, None, 1e-2, 8)
    for world in range(worlds):
        run = poinsot.Simulation(pushed, step=1e-2, q=q0[world], v=v0[world])
        for step in range(8):
            run.step()
            np.testing.assert_array_equal(run.q, q[world, step + 1])
            np.testing.assert_array_equal(run.v, v[world, step + 1])
    difference = abs(v - poinsot.rollout(free, q0, v0, None, 1e-2, 8)[1]).max(axis=(0, 2))
    assert (difference[:4] < 1e-12).all() and (difference[4:] > 1e-3).all()


ARMATURES = """
gravity: [0, 0, -9.81]
bodies:
  - {name: upper, box: [0.1, 0.1, 1], mass: 2, position: [0, 0, -0.5]}
  - {name: lower, box: [0.1, 0.2, 1], mass: 3, position: [0, 0, -1.5]}
joints:
  - {name: shoulder, type: revolute, bodies: [world, upper], at: [0, 0, 0], axis: [1, 0, 0]%s}
  - {name: elbow, type: revolute, bodies: [upper, lower], at: [0, 0, -1], axis: [0, 1, 0]%s}
run: {until: 1, step: 0.001, formulation: reduced, integrator: runge_kutta4}
"""


@pytest.mark.parametrize("law", ["", ", damping: 0.3"], ids=["in packs", "one by one"])
@pytest.mark.parametrize("of_model", ["", ", armature: 0.5"], ids=["without drives", "with drives"])
def test_worlds_of_a_rollout_may_have_their_own_armatures(tmp_path, law, of_model):
    def arm(shoulder, elbow):
        path = tmp_path / f"{shoulder}_{elbow}.yaml"
        path.write_text(ARMATURES % (shoulder, elbow + law))
        return poinsot.load(path)
    model, worlds = arm(of_model, ""), 6
    rng = np.random.default_rng(4)
    armatures = np.column_stack([rng.uniform(0.1, 2, worlds), rng.uniform(0.1, 2, worlds)])
    q0, v0 = rng.uniform(-1, 1, (worlds, 2)), rng.uniform(-1, 1, (worlds, 2))
    tau = rng.uniform(-2, 2, (worlds, 8, 2))
    q, v = poinsot.rollout(model, q0, v0, tau, 1e-2, armatures=armatures)
    for world in range(worlds):
        alone = arm(*(f", armature: {float(a)!r}" for a in armatures[world]))
        run = poinsot.Simulation(alone, step=1e-2, q=q0[world], v=v0[world])
        for step in range(8):
            run.set_joint_forces(tau[world, step])
            run.step()
            np.testing.assert_array_equal(run.q, q[world, step + 1])
            np.testing.assert_array_equal(run.v, v[world, step + 1])
    assert abs(q - poinsot.rollout(model, q0, v0, tau, 1e-2)[0]).max() > 1e-3
    for threads in (1, 2):
        np.testing.assert_array_equal(
            poinsot.rollout(model, q0, v0, tau, 1e-2, armatures=armatures, threads=threads)[0], q)


def test_armatures_of_a_rollout_that_are_wrong_are_named(model):
    q0, v0 = states(model, 2)

    def refused(match, armatures):
        with pytest.raises(ValueError, match=match):
            poinsot.rollout(model, q0, v0, None, 1e-3, 1, armatures=armatures)
    good = np.zeros((2, model.nv))
    elbow = model.v_slice("elbow").start
    refused(r"armatures must have shape \(worlds, nv\)", good[0])
    refused(r"armatures must have shape \(worlds, nv\) = \(2, ", good[:, 1:])
    for bad, words in ((-1.0, "must not be negative, is -1"), (np.nan, "is nan"),
                       (0.5, "in every world or in none")):
        wrong = good.copy()
        wrong[1, elbow] = bad
        refused(f"joint 'elbow'.*{words}", wrong)
    wrong = good.copy()
    wrong[:, model.v_slice("string").start] = 1
    refused("joint 'string' must be 0", wrong)


def test_masses_of_a_rollout_that_are_wrong_are_named(model):
    q0, v0 = states(model, 2)

    def refused(match, masses):
        with pytest.raises(ValueError, match=match):
            poinsot.rollout(model, q0, v0, None, 1e-3, 1, masses=masses)
    good = np.tile(model.masses, (2, 1))
    refused(r"masses must have shape \(worlds, bodies\)", good[0])
    refused(r"masses must have shape \(worlds, bodies\) = \(2, ", good[:, 1:])
    for bad, words in ((0.0, "must be positive, is 0"), (-1.0, "must be positive, is -1"), (np.nan, "is nan")):
        wrong = good.copy()
        wrong[1, 0] = bad
        refused(f"{model.body_names[0]}.*{words}", wrong)


def test_a_rollout_is_the_same_again_and_for_any_number_of_threads(model):
    worlds = 300  # more than one block of worlds shares scratch
    q0, v0 = states(model, worlds)
    tau = np.random.default_rng(5).uniform(-1, 1, (worlds, 3, model.nv))
    first = poinsot.rollout(model, q0, v0, tau, 1e-3, threads=1)
    for threads in (0, 1, 2, 7):
        again = poinsot.rollout(model, q0, v0, tau, 1e-3, threads=threads)
        for mine, theirs in zip(again, first):
            np.testing.assert_array_equal(mine, theirs)
    # the order of worlds is no part of a world
    q, v = poinsot.rollout(model, q0[::-1], v0[::-1], tau[::-1], 1e-3)
    np.testing.assert_array_equal(q[::-1], first[0])
    np.testing.assert_array_equal(v[::-1], first[1])


def test_a_rollout_without_forces_or_worlds_or_steps(model):
    q0, v0 = states(model, 2)
    with_zero = poinsot.rollout(model, q0, v0, np.zeros((2, 4, model.nv)), 1e-3)
    without = poinsot.rollout(model, q0, v0, None, 1e-3, 4)
    for one, other in zip(with_zero, without):
        np.testing.assert_allclose(one, other, atol=1e-13)
    assert poinsot.rollout(model, q0, v0, None, 1e-3, 0)[0].shape == (2, 1, model.nq)
    assert poinsot.rollout(model, q0[:0], v0[:0], None, 1e-3, 5)[0].shape == (0, 6, model.nq)


def test_a_rollout_says_what_is_wrong(model):
    q0, v0 = states(model, 2)
    tau = np.zeros((2, 4, model.nv))

    def refused(match, *arguments, **options):
        with pytest.raises(ValueError, match=match):
            poinsot.rollout(model, *arguments, **options)
    refused(r"q0 must have shape \(worlds, nq\)", q0[0], v0[0], tau, 1e-3)
    refused(r"v0 must have shape \(worlds, nv\) = \(2, ", q0, v0[:1], tau, 1e-3)
    refused(r"tau must have shape \(worlds, steps, nv\)", q0, v0, tau[0], 1e-3)
    refused(r"tau must have shape \(worlds, steps, nv\) = \(2, 4, ", q0, v0, tau[:1], 1e-3)
    refused("tau has forces for 4 steps, but steps is 5", q0, v0, tau, 1e-3, 5)
    refused("without tau, steps must say", q0, v0, None, 1e-3)
    refused("steps must not be negative", q0, v0, None, 1e-3, -1)
    refused("threads must not be negative", q0, v0, None, 1e-3, 1, threads=-1)
    refused("step must be positive and finite, is 0", q0, v0, tau, 0)
    refused("step must be positive and finite, is nan", q0, v0, tau, np.nan)
    refused("there is no integrator 'runge_kuta4'; did you mean 'runge_kutta4'?", q0, v0, tau, 1e-3,
            integrator="runge_kuta4")
    refused("integrator splitting does not work in reduced coordinates", q0, v0, tau, 1e-3, integrator="splitting")
    wrong = v0.copy()
    wrong[1, model.v_slice("elbow")] = np.nan
    refused(r"v0\[1, \d+\] of joint 'elbow' is nan", q0, wrong, tau, 1e-3)
    wrong = q0.copy()
    wrong[1, model.q_slice("string")] *= 1.5
    refused("world 1: the quaternion .* of joint 'string' has length 1.5", wrong, v0, tau, 1e-3)


def test_a_motion_that_is_no_number_names_world_step_and_body(model):
    q0, v0 = states(model, 3)
    tau = np.zeros((3, 4, model.nv))
    tau[1, 2, model.v_slice("elbow")] = 1e308
    with pytest.raises(poinsot.StepError, match=r"^world 1, step 3: .*'"):
        poinsot.rollout(model, q0, v0, tau, 1e-3)
    run = poinsot.Simulation(model, step=1e-3, q=q0[1], v=v0[1])
    run.step(2)
    before = run.state_hash
    run.set_joint_forces(tau[1, 2])
    with pytest.raises(poinsot.StepError, match=r"step 3: "):
        run.step()
    assert run.state_hash == before, "the last good state is kept"
    run.set_joint_forces(None)
    run.step()


def test_ctrl_c_ends_a_long_run(model):
    import signal
    import threading
    import time
    q0, v0 = states(model, 2)
    run = poinsot.Simulation(model, step=1e-9)  # so short that no limit is reached
    for long in (lambda: run.step(10**9), lambda: poinsot.rollout(model, q0, v0, None, 1e-9, 10**6)):
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        began = time.monotonic()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            long()
        timer.join()
        assert time.monotonic() - began < 20
    assert run.steps > 0
    run.step()  # and it goes on


def test_what_is_in_tanks_is_there_to_read():
    run = poinsot.Simulation(ROOT / "scenes/leaking_bucket.yaml")
    assert run.model.tank_names == ["water"]
    assert run.tanks.tolist() == [8.0]
    run.step(200)
    np.testing.assert_allclose(run.tanks, [8.0 - 0.8 * run.time], rtol=1e-13)
    assert run.model.flow_names == list(run.flows)
    assert list(run.flows.values()) == [0.8]
    np.testing.assert_allclose(run.levels, 0.032 * run.tanks, rtol=1e-13)  # metres per kilogram
    assert run.ledger["total"]["posted"]["thrust"]["mass"] == pytest.approx(-0.8 * run.time, rel=1e-12)


def test_rotors_are_there_to_read_and_to_drive(tmp_path):
    """A wheel that takes T for t has T t, and its satellite the opposite: I* w = -T t."""
    scene = tmp_path / "wheel.yaml"
    scene.write_text("""
bodies: [{name: hull, mass: 2.0, inertia: [1, 1, 1.5]}]
rotors: [{name: wheel, body: hull, axis: [0, 0, 1], inertia: 0.5, spin: 3.0}, {name: kept, body: hull, axis: [0, 0, 1], inertia: 0.1, speed: 7.0}]
run: {until: 3.0, step: 0.125, integrator: runge_kutta4}
""")
    for formulation in ("maximal", "reduced"):
        run = poinsot.Simulation(scene, formulation=formulation)
        assert run.model.rotor_names == ["wheel", "kept"]
        np.testing.assert_allclose(run.rotors, [3.0, 7.0], rtol=1e-15)
        run.set_rotor_torques({"wheel": 0.25})
        run.step(8)
        turning = -0.25 / 1.0  # of the hull, without the wheel: 1.5 - 0.5
        np.testing.assert_allclose(run.bodies.angular_velocity[0], [0, 0, turning], atol=1e-14)
        np.testing.assert_allclose(run.rotors, [3.0 + 0.25 / 0.5 - turning, 7.0], rtol=1e-13)
        run.set_rotor_torques(None)
        spin = run.rotors
        run.step(8)
        np.testing.assert_allclose(run.rotors, spin, rtol=1e-14)
        with pytest.raises(KeyError, match="there is no rotor 'wheell'; did you mean 'wheel'"):
            run.set_rotor_torques({"wheell": 1})
        with pytest.raises(ValueError, match="keeps a speed"):
            run.set_rotor_torques({"kept": 1})


def test_steady_flight_is_that_of_the_command_line(command_line):
    scene = ROOT / "scenes/small_aircraft.yaml"
    for options, asked in (([], {}), (["--speed", "60", "--turn-rate", "0.1"], {"speed": 60.0, "turn_rate": 0.1})):
        done = subprocess.run([command_line, "trim", scene, "--json", *options], capture_output=True, text=True, cwd=ROOT)
        theirs = json.loads(done.stdout)
        made = poinsot.trim(poinsot.load(scene), **asked)
        assert made["found"] and theirs["found"]
        assert made == {key: theirs[key] for key in made}
    with pytest.raises(KeyError, match="there is no control 'flap'"):
        poinsot.trim(poinsot.load(scene), keep=["flap"])


def test_a_model_that_is_trimmed_flies_on_as_it_was_asked_to():
    model = poinsot.load(ROOT / "scenes/small_aircraft.yaml")
    asked = {"speed": 60.0, "altitude": 1500.0, "turn_rate": 0.1}
    made, turning = poinsot.trim(model, **asked), poinsot.trimmed(model, **asked)
    assert turning.control_names == model.control_names == ["elevator", "aileron", "rudder", "throttle"]
    for formulation in ("maximal", "reduced"):
        run = poinsot.Simulation(turning, formulation=formulation, until=0.9)  # before the elevator moves
        assert run.controls == pytest.approx(made["controls"], abs=1e-15)
        run.run()
        told = run.flight("fuselage")
        assert told["airspeed"] == pytest.approx(60, abs=1e-3)  # some fuel is gone
        assert told["altitude"] == pytest.approx(1500, abs=1e-3)
        assert told["rates"] @ told["rates"] == pytest.approx(0.01, rel=1e-3)
    with pytest.raises(ValueError, match="control 'throttle' saturates"):
        poinsot.trimmed(model, speed=120.0)


def test_the_air_and_gravity_of_a_place_are_there_to_read(tmp_path):
    scene = tmp_path / "scene.yaml"
    scene.write_text(FLYING.replace("air: standard", "air: {model: standard, wind: [0, 7, 0]}"))
    model = poinsot.load(scene)
    place = model.cartesian(0.0, 0.0, 11000.0)
    air = model.air(place)
    # Tables of the standard, at 11 km of geometric altitude; g from mu/r² and J2 on the equator.
    assert air["temperature"] == pytest.approx(216.774, abs=1e-3)
    assert air["pressure"] == pytest.approx(22699.9, rel=1e-5)
    assert air["density"] == pytest.approx(0.364801, rel=2e-6)
    assert air["altitude"] == pytest.approx(11000, abs=2e-9)
    # Still air moves with the Earth, to the east; wind is added.
    np.testing.assert_allclose(air["velocity"], [0, 7.292115e-5 * 6389137 + 7, 0], atol=1e-9)
    r = 6378137 + 11000
    g = 3.986004418e14 / r ** 2 * (1 + 1.5 * 0.00108262982 * (6378137 / r) ** 2)
    np.testing.assert_allclose(model.gravitation(place), [-g, 0, 0], atol=1e-12)
    with pytest.raises(ValueError, match="must not be the centre of the planet"):
        model.gravitation([0, 0, 0])
    with pytest.raises(ValueError, match="from -5000 m to 86000 m"):
        model.air(model.cartesian(0.0, 0.0, 90000.0))
    with pytest.raises(ValueError, match="no air"):
        poinsot.load(ROOT / "scenes/satellite.yaml").air([0, 0, 0])
    flat = poinsot.load(ROOT / "scenes/glider.yaml")
    np.testing.assert_allclose(flat.gravitation([1, 2, 3]), [0, 0, -9.81])
    assert set(flat.air([0, 0, 10])) == {"altitude", "density", "speed_of_sound", "velocity"}


def test_controls_can_be_set_in_place_of_their_schedules(tmp_path):
    scene = tmp_path / "sledge.yaml"
    scene.write_text("""
bodies: [{name: sledge, mass: 2.0, inertia: [1, 1, 1]}]
controls: [{name: throttle, limits: [0, 1], value: 0.0}]
loads: [{name: thrust, body: sledge, force: [8, 0, 0], control: throttle}]
run: {until: 3.0, step: 0.125, integrator: runge_kutta4}
""")
    run = poinsot.Simulation(scene)
    run.step(8)
    assert run.ledger["total"]["posted"].get("applied", {"impulse": [0, 0, 0]})["impulse"] == [0, 0, 0]
    assert run.controls == {"throttle": 0.0}
    run.set_controls({"throttle": 0.5})
    assert run.controls == {"throttle": 0.5}
    run.set_joint_forces(None)  # which leaves controls as they are
    run.step(8)
    np.testing.assert_allclose(run.ledger["total"]["posted"]["applied"]["impulse"], [4, 0, 0], rtol=1e-14)
    run.set_controls(None)
    assert run.controls == {"throttle": 0.0}
    run.step(8)
    np.testing.assert_allclose(run.ledger["total"]["posted"]["applied"]["impulse"], [4, 0, 0], rtol=1e-14)
    with pytest.raises(KeyError, match="there is no control 'throtle'; did you mean 'throttle'"):
        run.set_controls({"throtle": 0.1})
    with pytest.raises(ValueError, match="outside its limits 0 to 1"):
        run.set_controls({"throttle": 1.5})
    with pytest.raises(ValueError, match="outside its limits"):
        run.set_controls({"throttle": float("nan")})


def test_a_throttle_that_drains_a_tank_as_it_is_filled_stops_with_their_names(tmp_path):
    scene = tmp_path / "hull.yaml"
    scene.write_text("""
bodies: [{name: hull, box: [1, 1, 2], mass: 50}]
controls: [{name: throttle, limits: [0, 1], value: 0.125}]
tanks: [{name: main, body: hull, content: 4}, {name: sump, body: hull, content: 1}]
pumps: [{name: feed, source: main, target: sump, mass_flow: 0.5}]
thrusters: [{name: engine, tank: sump, mass_flow: 2, at: [0, 0, -1], direction: [0, 0, -1], exhaust_speed: 100, control: throttle}]
run: {until: 3, step: 0.0625, integrator: runge_kutta4}
""")
    for formulation in ("maximal", "reduced"):
        run = poinsot.Simulation(scene, formulation=formulation)
        run.set_controls({"throttle": 1.0})
        with pytest.raises(poinsot.StepError, match="tank 'sump' runs dry at t = 0.66.* more slowly than 'engine' draws"):
            run.run()
        assert run.time == 0.625  # the last good state
        assert run.flows == {"feed": 0.5, "engine": 2.0}
        run.set_controls({"throttle": 0.25})  # as much as comes
        run.step(16)
        assert run.flows == {"feed": 0.5, "engine": 0.5}
        np.testing.assert_allclose(run.tanks, [4 - 0.5 * run.time, 1 - 1.5 * 0.625], rtol=1e-12)
        assert run.balanced


BREAKING = """
bodies:
  - {name: near, box: [1, 1, 3], mass: 30}
  - {name: far, box: [1, 1, 1], mass: 5, position: [0, 0, 2]}
joints: [{name: glue, type: weld, bodies: [near, far], at: [0, 0, 1.5]}]
loads: [{name: pull, body: far, force: [0, 0, 70], from: 0.05}]
cuts: [{name: seam, joint: glue, tension: 50}]
events: [{name: snap, when_over: seam, release: glue}]
run: {until: 1, step: 0.01}
"""


def test_how_well_contact_was_solved_is_what_the_command_line_says(command_line, tmp_path):
    scene = ROOT / "scenes/painleves_rod.yaml"
    done = subprocess.run([command_line, "run", scene, "--json"], capture_output=True, text=True, cwd=ROOT)
    theirs = json.loads(done.stdout)
    run = poinsot.Simulation(scene)
    assert run.contact_quality["residual"] == 0 and run.contact_quality["steps_by_impulses"] == 0
    run.run()
    quality = run.contact_quality
    assert quality.pop("steps_by_impulses") == theirs["steps_by_impulses"] > 0
    assert quality == theirs["contact"]
    # Two sweeps of a tower do not solve it, and are counted.
    described = yaml.safe_load((ROOT / "scenes/tower.yaml").read_text())
    described["contact"] |= {"solver": "sweeps", "sweeps": 2}
    (tmp_path / "coarse.yaml").write_text(yaml.safe_dump(described))
    coarse = poinsot.Simulation(tmp_path / "coarse.yaml", until=0.1)
    coarse.run()
    assert coarse.contact_quality["unsolved_steps"] > 0 and coarse.contact_quality["residual"] > 1e-10


def test_looking_at_the_books_changes_nothing(tmp_path):
    (tmp_path / "breaking.yaml").write_text(BREAKING)
    model = poinsot.load(tmp_path / "breaking.yaml")
    run = poinsot.Simulation(model)
    run.step(20)
    events, cuts = run.events, run.cuts
    assert [e["kind"] for e in events] == ["overload", "break"]
    assert run.balanced and run.ledger["balanced"]
    assert run.events == events
    assert run.cuts == cuts
    # And so does a run that goes on from a checkpoint.
    second = poinsot.Simulation(model)
    second.resume(run.checkpoint())
    assert second.events == events and second.cuts == cuts


ROCKET = """
gravity: {uniform: [0, 0, -9.81]}
bodies: [{name: rocket, cylinder: {radius: 0.5, height: 4}, mass: 100}]
tanks: [{name: fuel, body: rocket, content: 300}]
thrusters: [{name: engine, tank: fuel, at: [0, 0, -2], mass_flow: 10, direction: [0, 0, -1], exhaust_speed: 2000}]
run: {until: 1, step: 0.01}
"""


def test_worlds_with_other_fillings_are_single_runs_with_these(tmp_path):
    (tmp_path / "rocket.yaml").write_text(ROCKET)
    model = poinsot.load(tmp_path / "rocket.yaml")
    worlds, fillings = 3, np.array([[300.0], [120.0], [35.0]])
    q0, v0 = (np.tile(start, (worlds, 1)) for start in model.start())
    plain = poinsot.rollout(model, q0, v0, None, 0.01, 50)
    same = poinsot.rollout(model, q0, v0, None, 0.01, 50, masses=np.tile(model.masses, (worlds, 1)))
    for a, b in zip(plain, same):  # 400 - 300 is 100 to the last digit
        np.testing.assert_allclose(a, b, rtol=1e-14, atol=1e-14)
    q, v = poinsot.rollout(model, q0, v0, None, 0.01, 50, tanks=fillings)
    np.testing.assert_array_equal(q[0], plain[0][0])
    for world, (content,) in enumerate(fillings):
        path = tmp_path / f"{world}.yaml"
        path.write_text(ROCKET.replace("content: 300", f"content: {content}"))
        run = poinsot.Simulation(poinsot.load(path), integrator="runge_kutta4", formulation="reduced", step=0.01)
        run.step(50)
        np.testing.assert_array_equal(run.v, v[world, -1])
    with pytest.raises(ValueError, match="tanks"):
        poinsot.rollout(model, q0, v0, None, 0.01, 50, tanks=[[1.0]])


@pytest.mark.parametrize("scene, causes", [
    ("dual_spin", ["rotor"]), ("reaction_wheel", ["motor"]), ("turning_aircraft", ["rotor", "spring"]), ("control_moment", ["motor"]),
    ("satellite", ["motor"]), ("two_stages_in_air", ["thrust", "drag", "gravity"]), ("sounding_rocket", ["thrust", "drag"]),
    ("fuel_transfer", ["thrust"]), ("leaking_bucket", ["thrust", "joint"]), ("glider", ["spring", "damper", "drag"]),
    ("springboard", ["spring", "applied"]), ("small_aircraft", ["rotor", "thrust", "drag", "spring", "applied"]),
    ("fall_from_the_stratosphere", ["gravity", "drag"]), ("chimney", ["joint", "gravity"])])
def test_what_spins_burns_bends_and_flies_does_so_in_both_formulations_with_its_lines_in_the_books(scene, causes):
    runs = []
    for formulation in ("maximal", "reduced"):
        run = poinsot.Simulation(ROOT / f"scenes/{scene}.yaml", formulation=formulation)
        run.step(200)
        assert run.balanced
        posted = run.ledger["total"]["posted"]
        assert set(causes) <= set(posted), posted.keys()
        runs.append(run)
    one, other = runs
    assert one.time == other.time
    np.testing.assert_allclose(one.bodies.position, other.bodies.position, rtol=1e-9, atol=1e-5)  # impulses are of second order
    np.testing.assert_allclose(one.tanks, other.tanks, rtol=1e-13)
    np.testing.assert_allclose(one.rotors, other.rotors, rtol=1e-9, atol=1e-9)


FLYING = """
planet: wgs84
air: standard
bodies:
  - name: hull
    box: [4, 1, 1]
    mass: 500
    flight: {latitude: 46.5 deg, longitude: 8 deg, altitude: 3000, velocity: [0, 60, 5], heading: 90 deg, pitch: 2 deg, roll: -10 deg}
aerodynamics: [{name: drag, body: hull, area: 1.0, drag: 0.3}]
run: {until: 1.0, step: 0.01, integrator: runge_kutta4}
"""


def test_a_flight_that_starts_beyond_the_atmosphere_is_refused_where_it_is_written(tmp_path):
    (tmp_path / "scene.yaml").write_text(FLYING.replace("altitude: 3000", "altitude: 90000"))
    model = poinsot.load(tmp_path / "scene.yaml")
    for formulation in ("maximal", "reduced"):
        with pytest.raises(ValueError, match=r"scene\.yaml:9:16: aerodynamics 'drag': there is none on body 'hull' at the start"):
            poinsot.Simulation(model, formulation=formulation)


def test_a_flight_is_read_as_a_pilot_would(tmp_path):
    (tmp_path / "scene.yaml").write_text(FLYING)
    model = poinsot.load(tmp_path / "scene.yaml")
    run = poinsot.Simulation(model)
    told, degree = run.flight("hull"), np.pi / 180
    assert set(told) == {"latitude", "longitude", "altitude", "velocity", "heading", "pitch", "roll", "rates", "airspeed",
                         "angle_of_attack", "sideslip", "mach"}
    assert told["latitude"] == pytest.approx(46.5 * degree, abs=1e-14)
    assert told["longitude"] == pytest.approx(8 * degree, abs=1e-14)
    assert told["altitude"] == pytest.approx(3000, abs=2e-9)
    np.testing.assert_allclose(told["velocity"], [0, 60, 5], atol=1e-12)
    assert [told[k] for k in ("heading", "pitch", "roll")] == pytest.approx([90 * degree, 2 * degree, -10 * degree], abs=1e-13)
    assert told["airspeed"] == pytest.approx(np.hypot(60, 5), rel=1e-13)
    # Speed of sound at 3000 m in the tables of the standard atmosphere: 328.58 m/s.
    assert told["mach"] == pytest.approx(np.hypot(60, 5) / 328.58, rel=1e-4)
    assert np.linalg.norm(told["rates"]) == pytest.approx(7.292115e-5, rel=1e-12)  # at rest against the Earth
    # 5 m/s down and 2 deg nose up, banked to the left: most of it is angle of attack, a part of it sideslip.
    assert told["angle_of_attack"] == pytest.approx(np.arctan2(5, 60) * np.cos(10 * degree) + 2 * degree, abs=2e-3)
    assert told["sideslip"] < -0.01
    run.run()
    place = model.geodetic(run.bodies.center[0], time=run.time)
    now = run.flight("hull")
    assert list(place) == [now["latitude"], now["longitude"], now["altitude"]]
    np.testing.assert_allclose(model.cartesian(*place, time=run.time), run.bodies.center[0], atol=2e-9)
    assert now["longitude"] > told["longitude"] and now["altitude"] < told["altitude"]
    with pytest.raises(KeyError, match="hul"):
        run.flight("hul")
    with pytest.raises(ValueError, match="latitude"):
        model.cartesian(2, 0, 0)
    flat = poinsot.Simulation(ROOT / "scenes/glider.yaml")
    assert "latitude" not in flat.flight(flat.model.body_names[0])
    with pytest.raises(ValueError, match="round planet"):
        flat.model.geodetic([1, 2, 3])


BREAKING = """
bodies:
  - {name: beam, box: [0.1, 0.1, 2.0], mass: 4, velocity: [0, 3, 0], angular_velocity: [0, 0, 0.5]}
loads: [{name: twist, body: beam, torque: [0, 2.0, 0]}]
cuts: [{name: middle, body: beam, at: [0, 0, 0.3], axis: [0, 0, 1], bending: 0.2, shear: 100, breaks: tip}]
run: {until: 1.0, step: 0.001, integrator: runge_kutta4}
"""


@pytest.mark.parametrize("formulation", ["maximal", "reduced"])
def test_a_body_breaks_at_its_cut_and_its_parts_carry_on_what_they_had(tmp_path, formulation):
    (tmp_path / "scene.yaml").write_text(BREAKING)
    run = poinsot.Simulation(tmp_path / "scene.yaml", formulation=formulation)
    assert run.model.body_names == ["beam", "tip"]
    assert run.model.masses.sum() == pytest.approx(4, rel=1e-14)
    np.testing.assert_allclose(run.model.masses[1], 4 * 0.7 / 2)
    (cut,) = run.cuts
    # The section turns what lies beyond it: M = (2 N m/I) (I+ + m+ 0.65 m 0.35 m), from the first moment on.
    moment = 2 / (4 / 12 * (2 ** 2 + 0.1 ** 2)) * (1.4 / 12 * (0.7 ** 2 + 0.1 ** 2) + 1.4 * 0.65 * 0.35)
    assert not cut["gone"] and cut["utilisation"] == pytest.approx(moment / 0.2, rel=1e-9)
    run.step()
    (cut,) = run.cuts
    broke = [event for event in run.events if event["kind"] == "break"]
    assert cut["gone"] and len(broke) == 1 and broke[0]["load"] == "bending" and broke[0]["name"] == "tip/breaks"
    tip = run.bodies.velocity[1].copy()
    run.run()
    np.testing.assert_allclose(run.bodies.velocity[1], tip, atol=1e-12)  # nothing acts on it any more
    p = run.model.masses @ run.bodies.velocity
    np.testing.assert_allclose(p, [0, 12, 0], atol=1e-11)  # a thousand steps; measured were 2e-12 in joint coordinates
    assert run.balanced, run.ledger["verdict"]
