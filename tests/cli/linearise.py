#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""poinsot linearise: small motions about a scene's start, or about a later moment of its run."""
import json
import math
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import REFERENCE, ROOT, CommandTest

PENDULUM = """
title: A rod
gravity: [0, 0, -9.81]
bodies:
  - {name: rod, mass: 1.0, inertia: [0.0833333333333333, 0.0833333333333333, 0.001], position: [0, 0, -0.5]}
joints:
  - {name: hinge, type: revolute, bodies: [world, rod], at: [0, 0, 0], axis: [0, 1, 0], damping: 0.4}
run: {until: 20.0, step: 0.01}
"""

# The same rod as a robot.
ROBOT = """<robot name="rod">
  <link name="stand"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1.0"/>
    <inertia ixx="0.0833333333333333" iyy="0.0833333333333333" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="stand"/><child link="rod"/><axis xyz="0 1 0"/>
    <dynamics damping="0.4"/></joint>
</robot>
"""


class Linearise(CommandTest):
    def linearised(self, *arguments):
        done = self.poinsot("linearise", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        answer = json.loads(done.stdout)
        n = len(answer["x"])
        self.assertEqual(numpy.shape(answer["A"]), (n, n))
        self.assertEqual(numpy.shape(answer["B"]), (n, len(answer["forces"])))
        self.assertEqual(len(answer["eigenvalues"]) + answer["zero_eigenvalues"], n)
        return answer

    def refused(self, *arguments):
        done = self.poinsot("linearise", *arguments)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_the_bicycle_has_the_eigenvalues_of_the_benchmark(self):
        truth = next(item for item in json.loads((REFERENCE / "iftomm_bicycle.json").read_text())
                     ["items"]["bicycle"]["eigs"] if item["v"] == 5)
        answer = self.linearised(ROOT / "scenes/bicycle.yaml")
        self.assertTrue(answer["steady"])
        self.assertEqual((answer["place_equations"], answer["speed_equations"]), (2, 6))
        found = [complex(e["re"], e["im"]) for e in answer["eigenvalues"]]
        want = [complex(re, im) for re, im in zip(truth["re"], truth["im"])]
        # The axis of the scene's steering is typed with sixteen digits; the file's own tolerance is 1e-8.
        numpy.testing.assert_allclose(found, want, rtol=1e-11)
        weave = answer["eigenvalues"][2]
        self.assertAlmostEqual(weave["frequency"], weave["im"] / (2 * math.pi), delta=1e-14)
        self.assertAlmostEqual(weave["damping_ratio"], -weave["re"] / math.hypot(weave["re"], weave["im"]), delta=1e-14)

    def test_a_run_dies_away_as_its_eigenvalues_say(self):
        """The rod let go from a small angle: its run against exp(A t)."""
        scene = self.write("rod.yaml", PENDULUM.replace("damping: 0.4", "damping: 0.4, start: 1.0e-4"))
        about = self.linearised(self.write("still.yaml", PENDULUM))
        self.assertEqual(about["x"], ["hinge", "hinge'"])
        A = numpy.array(about["A"])
        values, vectors = numpy.linalg.eig(A)
        later = (vectors @ numpy.diag(numpy.exp(values * 2.0)) @ numpy.linalg.inv(vectors)).real @ [1e-4, 0]
        self.run_json(scene, "--until", "2", "--out", "rod.csv")
        table = (self.folder / "rod.csv").read_text().splitlines()
        angle = -2 * numpy.arctan2(*[float(table[-1].split(",")[table[0].split(",").index(key)])
                                     for key in ("rod.qy", "rod.qw")])
        self.assertAlmostEqual(abs(angle), abs(later[0]), delta=1e-11)  # the cube of the angle
        self.assertEqual(about["B"][0], [0])
        self.assertAlmostEqual(about["B"][1][0], 3.0, delta=1e-12)

    def test_a_robot_is_taken_as_the_scene_it_is(self):
        robot = self.write("rod.urdf", ROBOT)
        scene = self.linearised(self.write("still.yaml", PENDULUM))
        hanging = self.linearised(robot)
        numpy.testing.assert_allclose(hanging["A"], scene["A"], rtol=1e-13)
        numpy.testing.assert_allclose(hanging["B"], scene["B"], rtol=1e-13)
        raised = self.linearised(robot, "--start", "hinge=180deg")
        self.assertTrue(raised["steady"])
        self.assertAlmostEqual(raised["A"][1][0], -hanging["A"][1][0], delta=1e-12)
        floating = self.linearised(robot, "--base", "floating")
        self.assertEqual(len(floating["forces"]), 7)
        self.assertIn("--base: is for robots", self.refused(self.write("rod.yaml", PENDULUM), "--base", "fixed"))
        self.assertIn("has no joint 'hing'", self.refused(robot, "--start", "hing=1"))
        done = self.poinsot("trim", robot)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is a robot", done.stderr)

    def test_at_a_later_moment(self):
        scene = ROOT / "scenes/double_pendulum.yaml"
        start, later = self.linearised(scene), self.linearised(scene, "--at", "0.5")
        self.assertEqual((start["time"], later["time"]), (0, 0.5))
        self.assertFalse(later["steady"])
        self.assertNotEqual(start["A"], later["A"])
        # The same moment by maximal coordinates: the error of the runs.
        text = scene.read_text()
        maximal = self.write("maximal.yaml", text.replace("run: {", "run: {formulation: maximal, "))
        numpy.testing.assert_allclose(self.linearised(maximal, "--at", "0.5")["A"], later["A"], atol=1e-6)

    def test_the_table(self):
        done = self.poinsot("linearise", ROOT / "scenes/bicycle.yaml")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("where the motion is steady", "A is 10 by 10", "-0.775341882196 ± 4.46486771379 i", "0.710606",
                      "6 are zero", "frame.turn_x'", "steer", "rear axle", "B, by forces along", "½ in"):
            self.assertIn(words, done.stdout)
        falling = self.poinsot("linearise", ROOT / "scenes/double_pendulum.yaml")
        self.assertIn("is not steady", falling.stdout)

    def test_what_is_wrong_is_named(self):
        scene = self.write("rod.yaml", PENDULUM)
        self.assertIn("--at: must be a time of zero or more", self.refused(scene, "--at", "-1"))
        self.assertIn("--at", self.refused(scene, "--at", "soon"))
        self.assertIn("--at: is empty", self.refused(scene, "--at", ""))
        self.assertIn("replace held by a ball joint", self.refused(ROOT / "scenes/heavy_top.yaml"))
        self.assertIn("there is no such file", self.refused("nowhere.yaml"))
        limited = PENDULUM.replace("damping: 0.4", "speed: 3.0, limits: [-0.1, 0.1]")
        scene_of_gauss = self.write("limited.yaml", limited.replace("step: 0.01", "step: 0.01, integrator: gauss"))
        self.assertIn("the run does not get there", self.refused(scene_of_gauss, "--at", "1"))
        leaning = self.write("leaning.yaml", PENDULUM.replace("damping: 0.4", "start: 0.5, limits: [0.2, 1.0]"))
        self.assertIn("stands at its limit", self.refused(leaning, "--at", "1"))
        answer = json.loads(self.poinsot("linearise", scene, "--at", "-1", "--json").stdout)
        self.assertEqual(answer["problems"][0]["place"], "--at")


if __name__ == "__main__":
    command.main()
