#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run that goes on from a checkpoint has the same bits as one that was never broken."""
import json
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import ROOT, CommandTest

SCENE = """
gravity: [0.1, 0, -9.81]
bodies:
  - name: block
    box: [0.1, 0.4, 0.9]
    mass: 2.0
    orientation: {axis: [1, 2, 3], angle: 40 deg}
    velocity: [1.0, 2.0, 3.0]
    angular_velocity: [1.0, 5.0, 0.3]
particles:
  - {name: bob, mass: 0.7, position: [1.0, 0, 0], velocity: [0, 1.0, 0]}
springs:
  - {from: {body: block, at: [0.05, 0.2, 0.45]}, to: bob, stiffness: 30.0, damping: 0.2, rest_length: 0.5}
drag:
  - {body: bob, linear: 0.05, quadratic: 0.01}
loads:
  - {body: block, force: [0.3, 0, 0.2], torque: [0, 0.1, 0], at: [0, 0.2, 0], axes: body, from: 0.33, until: 1.25}
run: {until: 2.0, step: 0.01}
"""
TOP = (ROOT / "scenes/heavy_top.yaml").read_text()


class Resumed(CommandTest):
    def same(self, broken, whole):
        self.assertEqual(broken["state_hash"], whole["state_hash"])
        self.assertEqual(broken["steps"], whole["steps"])
        self.assertEqual(json.dumps(broken["ledger"]), json.dumps(whole["ledger"]))

    def test_at_random_instants_for_every_integrator_and_form(self):
        scene = self.write("scene.yaml", SCENE)
        kept = self.folder / "kept.ckpt"
        dice = random.Random(7)
        for integrator in ("explicit_euler", "symplectic_euler", "second_order", "body_frame", "midpoint",
                           "runge_kutta4", "adaptive", "splitting", "adams", "bdf"):
            for form in ("momentum", "velocity", "matrix"):
                if integrator in ("adams", "bdf") and form != "momentum":
                    continue  # slow, and the same code
                if integrator == "body_frame" and form != "velocity":
                    continue  # which it is a procedure for
                for ledger in (("totals", 1), ("bodies", 7)):
                    with self.subTest(integrator=integrator, form=form, ledger=ledger):
                        how = ("--integrator", integrator, "--state-form", form, "--ledger", ledger[0],
                               "--ledger-every", ledger[1])
                        whole = self.run_any(scene, *how)
                        if whole is None:
                            continue
                        step = dice.randrange(1, 200)
                        self.run_any(scene, *how, "--until", step / 100, "--checkpoint", kept)
                        broken = self.run_any(scene, *how, "--resume", kept)
                        self.same(broken, whole)

    def run_any(self, *arguments):
        """The answer, whatever the books say; None where the program was built without the method."""
        done = self.poinsot("run", *arguments, "--json")
        if "built without" in done.stderr:
            return None
        self.assertIn(done.returncode, (0, 2), done.stderr)
        return json.loads(done.stdout)

    def test_held_bodies_too(self):
        scene = self.write("top.yaml", TOP)
        kept = self.folder / "kept.ckpt"
        whole = self.run_json(scene)
        for until in (0.01, 0.73, 1.99):
            self.run_json(scene, "--until", until, "--checkpoint", kept)
            self.same(self.run_json(scene, "--resume", kept), whole)

    def test_twice_broken(self):
        scene = self.write("scene.yaml", SCENE)
        a, b = self.folder / "a.ckpt", self.folder / "b.ckpt"
        self.run_json(scene, "--until", 0.5, "--checkpoint", a)
        self.run_json(scene, "--until", 1.5, "--resume", a, "--checkpoint", b)
        self.same(self.run_json(scene, "--resume", b), self.run_json(scene))

    def test_killed_and_resumed(self):
        scene = self.write("scene.yaml", SCENE)
        kept = self.folder / "kept.ckpt"
        long_run = ("--until", "300", "--integrator", "runge_kutta4")
        whole = self.run_any(scene, *long_run)
        for pause in (0.0, 0.05, 0.1):
            kept.unlink(missing_ok=True)
            run = subprocess.Popen([command.PROGRAM, "run", scene, *long_run, "--quiet", "--checkpoint",
                                    kept, "--checkpoint-every", "200"])
            while not kept.exists() and run.poll() is None:
                time.sleep(0.001)
            time.sleep(pause)
            run.send_signal(signal.SIGKILL)
            run.wait()
            self.same(self.run_any(scene, *long_run, "--resume", kept), whole)

    def test_the_checkpoint_is_of_this_scene_and_whole(self):
        scene = self.write("scene.yaml", SCENE)
        kept = self.folder / "kept.ckpt"
        self.run_json(scene, "--until", 0.5, "--checkpoint", kept)
        # Words may change, physics may not.
        comment = self.write("comment.yaml", "title: Another title\n# a remark\n" + SCENE)
        self.assertEqual(self.poinsot("run", comment, "--resume", kept).returncode, 0)
        other = self.write("other.yaml", SCENE.replace("mass: 0.7", "mass: 0.8"))
        for arguments in ((other,), (scene, "--step", "0.02"), (scene, "--integrator", "midpoint"),
                          (scene, "--state-form", "matrix"), (scene, "--ledger", "bodies"),
                          (scene, "--ledger-every", "2")):
            with self.subTest(arguments):
                done = self.poinsot("run", *arguments, "--resume", kept)
                self.assertEqual(done.returncode, 1)
                self.assertIn("another scene or other settings", done.stderr)
        good = kept.read_text()
        for name, text in (("cut", good[: len(good) // 2]), ("changed", good.replace("0.7", "0.9", 1)),
                           ("changed", good.replace('"step":50', '"step":51', 1)), ("empty", ""),
                           ("another", "{}"), ("list", "[1, 2]"),
                           ("later", re.sub(r'("poinsot_checkpoint": *)\d+', r"\g<1>1000", good))):
            with self.subTest(name):
                self.assertNotEqual(text, good)
                done = self.poinsot("run", scene, "--resume", self.write("bad.ckpt", text))
                self.assertEqual(done.returncode, 1, name)
                self.assertIn("bad.ckpt", done.stderr)

    def test_what_came_before_is_not_overwritten(self):
        scene = self.write("scene.yaml", SCENE)
        first, kept = self.folder / "first.h5", self.folder / "kept.ckpt"
        self.run_json(scene, "--until", 0.5, "--out", first, "--checkpoint", kept)
        before = first.read_bytes()
        done = self.poinsot("run", scene, "--resume", kept, "--out", first)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is there already", done.stderr)
        self.assertEqual(first.read_bytes(), before)

    def test_no_checkpoint_is_ahead_of_its_trajectory(self):
        # However it ends, what the frames tell and what a run goes on from leave no gap.
        scene = self.write("scene.yaml", SCENE)
        out, kept = self.folder / "killed.h5", self.folder / "kept.ckpt"
        run = subprocess.Popen([command.PROGRAM, "run", scene, "--quiet", "--until", "1e6", "--out", out,
                                "--checkpoint", kept, "--checkpoint-every", "500"])
        while not kept.exists() or '"step":0' in kept.read_text():
            time.sleep(0.01)
        run.kill()
        run.wait()
        step = int(re.search(r'"step": *(\d+)', kept.read_text())[1])
        self.assertGreater(step, 0)
        with h5py.File(out, "r") as file:
            self.assertGreaterEqual(file["step"][len(file["time"]) - 1], step)

    def test_never_half_written(self):
        scene = self.write("scene.yaml", SCENE)
        kept = self.write("kept.ckpt", "precious")
        done = self.poinsot("run", scene, "--checkpoint", self.folder / "no_folder/kept.ckpt")
        self.assertEqual(done.returncode, 1)
        self.assertIn("does its folder exist?", done.stderr)
        done = self.poinsot("run", scene, "--checkpoint", "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/dev/full: cannot be written: No space left", done.stderr)
        self.assertEqual(kept.read_text(), "precious")


if __name__ == "__main__":
    command.main()
