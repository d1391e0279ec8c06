#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""poinsot trim: steady flight of a scene, the scene it writes, and what it refuses."""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import ROOT, CommandTest

AIRCRAFT = """
title: A linear aircraft
gravity: [0, 0, -9.81]
air: {density: 1.2}
bodies:
  - {name: aircraft, mass: 900.0, inertia: [1200.0, 1700.0, 2600.0], position: [0, 0, 500], velocity: [50, 0, 0]}
controls:
  - {name: elevator, limits: [-20 deg, 20 deg], schedule: {time: [0, 4, 5], value: [0, 0, -2 deg]}}
  - {name: throttle, limits: [0, 1], value: 0.5}
aerodynamics:
  - body: aircraft
    orientation: {axis: [1, 0, 0], angle: 180 deg}
    area: 14.0
    chord: 1.4
    lift: {constant: 0.25, alpha: 5.2, controls: {elevator: 0.4}}
    drag: {constant: 0.03, controls: {throttle: -0.12}}
    side: {beta: -0.6}
    pitch: {constant: 0.02, alpha: -0.9, q: -14.0, controls: {elevator: -1.1}}
run: {until: 3.0, step: 0.01, integrator: runge_kutta4}
"""


class Trim(CommandTest):
    def trimmed(self, *arguments):
        done = self.poinsot("trim", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def refused(self, *arguments):
        done = self.poinsot("trim", *arguments)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_lift_carries_the_weight_and_nothing_turns(self):
        answer = self.trimmed(self.write("a.yaml", AIRCRAFT), "--speed", "55", "--altitude", "800")
        self.assertTrue(answer["found"])
        alpha, elevator = answer["alpha"], answer["controls"]["elevator"]
        lift = 0.5 * 1.2 * 55 ** 2 * 14 * (0.25 + 5.2 * alpha + 0.4 * elevator)
        self.assertAlmostEqual(lift / (900 * 9.81), 1, delta=1e-10)
        self.assertAlmostEqual(0.02 - 0.9 * alpha - 1.1 * elevator, 0, delta=1e-12)
        self.assertAlmostEqual(answer["controls"]["throttle"], 0.25, delta=1e-11)
        self.assertEqual((answer["speed"], answer["altitude"]), (55, 800))

    def test_above_the_atmosphere_the_atmosphere_is_named(self):
        scene = self.write("a.yaml", AIRCRAFT.replace("air: {density: 1.2}", "air: standard"))
        told = self.refused(scene, "--speed", "55", "--altitude", "90000")
        self.assertIn("body 'aircraft'", told)
        self.assertIn("the standard atmosphere reaches from -5000 m to 86000 m", told)

    def test_the_scene_that_is_written_flies_on(self):
        scene, out = self.write("a.yaml", AIRCRAFT), self.folder / "trimmed.yaml"
        answer = self.trimmed(scene, "-o", out)
        again = self.trimmed(out)  # from there it is found at once
        self.assertAlmostEqual(again["alpha"], answer["alpha"], delta=1e-12)
        self.assertAlmostEqual(again["controls"]["elevator"], answer["controls"]["elevator"], delta=1e-12)
        run = self.poinsot("run", out, "--quiet", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = self.poinsot("trim", out).stdout
        for words in ("angle of attack", "elevator", "thrust", "what is left of accelerations"):
            self.assertIn(words, text)

    def test_without_power_it_glides(self):
        answer = self.trimmed(self.write("a.yaml", AIRCRAFT.replace("value: 0.5", "value: 0")),
                              "--keep", "throttle", "--climb-angle", "free")
        lift = 0.25 + 5.2 * answer["alpha"] + 0.4 * answer["controls"]["elevator"]
        self.assertAlmostEqual(math.tan(answer["climb_angle"]), -0.03 / lift, delta=1e-10)

    def test_what_cannot_be_flown_is_said_with_status_one(self):
        scene = self.write("a.yaml", AIRCRAFT.replace("limits: [0, 1], value: 0.5", "limits: [0, 0.1], value: 0"))
        self.assertIn("control 'throttle' saturates", self.refused(scene))
        done = self.poinsot("trim", scene, "--json")
        self.assertEqual(done.returncode, 1)
        answer = json.loads(done.stdout)
        self.assertFalse(answer["found"])
        self.assertEqual(answer["saturated"], ["throttle"])

    def test_bad_requests_are_refused(self):
        scene = self.write("a.yaml", AIRCRAFT)
        self.assertIn("there is no body 'aircrat'; did you mean 'aircraft'?", self.refused(scene, "--body", "aircrat"))
        self.assertIn("there is no control 'flap'", self.refused(scene, "--keep", "flap"))
        self.assertIn("--speed", self.refused(scene, "--speed", "fast"))
        self.assertIn("must be positive", self.refused(scene, "--speed", "-4"))
        self.assertIn("--climb-angle", self.refused(scene, "--climb-angle", "2"))
        self.assertIn("--turn-rate", self.refused(scene, "--turn-rate", ""))
        self.assertIn("cannot", self.refused(scene, "-o", "/nowhere/at/all.yaml"))
        self.assertIn("the air acts on nothing", self.refused(ROOT / "scenes/dzhanibekov.yaml"))
        steep = self.write("steep.yaml", AIRCRAFT.replace("value: [0, 0, -2 deg]", "value: [0, 0, -20 deg]"))
        self.assertIn("outside its limits", self.refused(steep, "-o", self.folder / "steep_out.yaml"))


if __name__ == "__main__":
    command.main()
