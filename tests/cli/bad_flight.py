#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong scenes of things that fly, burn and break: each is refused at its place with the remedy, status 1."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import CommandTest

GOOD = """\
gravity: [0, 0, -9.81]
air: standard
bodies:
  - {name: rocket, mass: 30, inertia: [20, 20, 1], position: [0, 0, 1000]}
  - {name: nose, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1002]}
joints:
  - {name: neck, type: weld, bodies: [rocket, nose], at: [0, 0, 1001]}
tanks:
  - {name: fuel, body: rocket, content: 10}
thrusters:
  - {name: engine, tank: fuel, mass_flow: 1, at: [0, 0, -1], direction: [0, 0, -1], exhaust_speed: 2000, until: 5}
rotors:
  - {name: gyro, body: rocket, axis: [1, 0, 0], inertia: 0.01, speed: 100}
controls:
  - {name: fin, limits: [-0.3, 0.3], schedule: {time: [0, 1], value: [0, 0.1]}}
aerodynamics:
  - {name: skin, body: rocket, area: 0.03, drag: {table: {mach: [0, 1, 8], values: [0.2, 0.6, 0.3], beyond: refuse}}, side: {table: {controls: {fin: [-0.2, 0.2]}, values: [-1, 1], beyond: refuse}}}
cuts:
  - {name: clamp, joint: neck, tension: 900}
run: {until: 0.1, step: 0.01}
"""


class BadFlight(CommandTest):
    def refused(self, change, at, *words):
        """A good scene with one change is refused once, on the line where `at` stands, in these words."""
        old, new = change
        self.assertIn(old, GOOD)
        text = GOOD.replace(old, new, 1)
        line = len(text[:text.index(at)].split("\n"))
        scene = self.write("scene.yaml", text)
        out = self.folder / "out.h5"
        for formulation in ("maximal", "reduced"):
            done = self.poinsot("run", scene, "--out", out, "--formulation", formulation)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertFalse(out.exists())
            self.assertEqual(self.poinsot("check", scene).stderr, done.stderr)
            self.assertEqual(len(re.findall(r"^\S+scene\.yaml:", done.stderr, re.M)), 1, done.stderr)
            self.assertIn(f"scene.yaml:{line}:", done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)

    def test_the_good_scene_is_good(self):
        scene = self.write("scene.yaml", GOOD)
        for formulation in ("maximal", "reduced"):
            done = self.poinsot("run", scene, "--formulation", formulation)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("clamp: nothing of what it is limited in\n", done.stdout)  # it is pressed, not pulled

    def test_a_tank_that_would_go_negative(self):
        self.refused(("until: 5", "until: 15"), "engine", "would be empty at t = 10 s", "end it earlier")
        self.refused(("content: 10", "content: -1"), "name: fuel", "not negative")

    def test_an_exhaust_without_direction(self):
        self.refused(("direction: [0, 0, -1]", "direction: [0, 0, 0]"), "engine", "needs a direction")
        self.refused((" direction: [0, 0, -1],", ""), "engine", "direction")

    def test_a_table_that_does_not_increase(self):
        self.refused(("mach: [0, 1, 8]", "mach: [0, 8, 1]"), "skin", "increase")
        self.refused(("mach: [0, 1, 8]", "mach: [0, 1, 1]"), "skin", "increase")
        self.refused(("time: [0, 1]", "time: [1, 0]"), "name: fin", "increase")

    def test_a_limit_of_zero(self):
        self.refused(("tension: 900", "tension: 0"), "clamp", "tension must be greater than zero", "leave it out")
        self.refused(("tension: 900", "tension: -3"), "clamp", "tension must be greater than zero", "leave it out")

    def test_a_schedule_that_leads_beyond_a_table(self):
        self.refused(("value: [0, 0.1]", "value: [0, 0.25]"), "skin", "its table over a control ends at -0.2 and 0.2",
                     "leads to 0.25 at t = 1 s", "hold the table beyond its ends")

    def test_a_rotor_that_its_body_cannot_hold(self):
        self.refused(("inertia: 0.01, speed: 100", "inertia: -0.01, speed: 100"), "gyro", "inertia")
        self.refused(("axis: [1, 0, 0]", "axis: [0, 0, 0]"), "gyro", "axis")
        self.refused(("inertia: 0.01, speed: 100", "inertia: 21, speed: 100"), "gyro", "the rotors of a body are part of it")

    def test_what_waits_for_a_cut_that_is_wrong_is_not_wrong_for_that(self):
        waits = "tension: .nan}\nevents: [{name: snap, when_over: clamp, release: neck}]"
        self.refused(("tension: 900}", waits), "clamp", "tension of cut 'clamp'", "give a finite one")

    def test_the_mass_of_all_has_what_is_in_tanks(self):
        done = self.poinsot("check", self.write("scene.yaml", GOOD), "--json")
        self.assertEqual(json.loads(done.stdout)["mass"], 42)

    def test_an_altitude_outside_the_atmosphere(self):
        """Known at the start or found on the way: the flight ends with its reason, status 1, and nothing made up."""
        for height, speed in ((90000, 0), (85990, 500)):
            text = GOOD.replace("1000]}", f"{height}], velocity: [0, 0, {speed}]}}")
            text = text.replace("1002]}", f"{height + 2}], velocity: [0, 0, {speed}]}}").replace("1001]", f"{height + 1}]")
            text = text.replace("until: 0.1", "until: 1")
            scene = self.write("scene.yaml", text)
            checked = self.poinsot("check", scene)
            self.assertEqual(checked.returncode, int(height > 86000), checked.stdout + checked.stderr)
            if checked.returncode:
                self.assertRegex(checked.stderr, r"scene\.yaml:17:\d+: aerodynamics 'skin': there is none on body 'rocket' "
                                                 "at the start: the standard atmosphere reaches")
            beyond = self.write("beyond.yaml", text.replace("air: standard", "air: {model: standard, above: vacuum}"))
            for formulation in ("maximal", "reduced"):
                out = self.folder / "out.h5"
                done = self.poinsot("run", scene, "--formulation", formulation, "--out", out)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout + done.stderr, r"86000 m of altitude, asked for was (90000|86\d\d\d)")
                self.assertIn("standard atmosphere", done.stdout + done.stderr)
                self.assertEqual(out.exists(), not checked.returncode)  # the motion up to there
                if checked.returncode:
                    self.assertEqual(done.stderr, checked.stderr)
                    self.assertEqual(self.poinsot("run", scene, "--formulation", "both").stderr, checked.stderr)
                done = self.poinsot("run", beyond, "--formulation", formulation)  # unless a vacuum is there
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_limits_of_a_control_that_leave_it_no_range(self):
        self.refused(("limits: [-0.3, 0.3]", "limits: [0, 0]"), "fin", "leave a range between them")
        self.refused(("limits: [-0.3, 0.3]", "limits: [0.3, -0.3]"), "fin", "exchange them")


if __name__ == "__main__":
    command.main()
