#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`poinsot check robot.urdf`: every kilogram is accounted for, and every mistake has its place."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import REFERENCE, ROOT, CommandTest

INERTIAL = ('<inertial><origin xyz="0 0 0.1"/><mass value="{}"/>'
            '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>')
ARM = f"""<robot name="arm">
  <link name="base">{INERTIAL.format(3)}</link>
  <link name="hand">{INERTIAL.format(2)}</link>
  <link name="finger">{INERTIAL.format(0.5)}</link>
  <link name="tip"/>
  <joint name="wrist" type="revolute">
    <parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/><dynamics damping="0.25"/>
  </joint>
  <joint name="grip" type="continuous">
    <parent link="hand"/><child link="finger"/><axis xyz="0 1 0"/><mimic joint="wrist" multiplier="2"/>
  </joint>
  <joint name="end" type="fixed"><parent link="finger"/><child link="tip"/></joint>
  <gazebo/>
</robot>
"""


class Robots(CommandTest):
    def check(self, *arguments, status=0):
        done = self.poinsot("check", *arguments, "--json")
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def test_the_table_accounts_for_every_link_and_joint(self):
        done = self.poinsot("check", self.write("arm.urdf", ARM))
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("fixed to the world, since none was asked for", "Bodies", "base", "hand", "finger",
                     "a frame fixed to 'finger'", "-1 to 1", "q = 2 q('wrist') + 0",
                     "<gazebo>: robot 'arm' (14)", "bodies 3", "degrees of freedom 1", "5.5 kg",
                     "Nothing is wrong with this robot"):
            self.assertIn(part, done.stdout)

    def test_a_robot_too_large_for_numbers_of_its_whole_says_so(self):
        far = self.write("far.urdf", ARM.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/><origin xyz="0 0 1e308"/>'))
        done = self.poinsot("check", far)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("overflow: the bodies are too far apart for numbers of their whole", done.stdout)
        self.assertIsNone(self.check(far)["principal_moments"])

    def test_json_has_the_numbers(self):
        answer = self.check(self.write("arm.urdf", ARM), "--base", "floating")
        self.assertEqual(answer["base"], "floating")
        self.assertEqual(answer["mass"], 5.5)
        self.assertEqual(answer["degrees_of_freedom"], 7)
        self.assertEqual([b["name"] for b in answer["bodies"]], ["base", "hand", "finger"])
        self.assertEqual(answer["bodies"][0]["center_of_mass"], [0, 0, 0.1])
        tip = answer["links"][3]
        self.assertEqual((tip["fate"], tip["body"], tip["line"]), ("frame", "finger", 5))
        wrist = answer["joints"][0]
        self.assertEqual((wrist["lower"], wrist["effort"], wrist["damping"]), (-1, 10, 0.25))
        self.assertEqual(answer["joints"][1]["mimic"]["multiplier"], 2)
        self.assertEqual(answer["not_used"][-1]["line"], 14)

    def test_options_of_robots(self):
        arm = self.write("arm.urdf", ARM)
        self.assertEqual(self.check(arm, "--ignore-mimic")["degrees_of_freedom"], 2)
        locked = self.check(arm, "--lock", "wrist=30 deg")
        self.assertEqual(locked["degrees_of_freedom"], 0)
        self.assertAlmostEqual(locked["joints"][1]["locked"], 3.141592653589793 / 3, delta=1e-15)
        self.assertEqual(self.check("--lock", "wrist", "--lock", "grip", arm)["degrees_of_freedom"], 0)
        self.assertEqual(len(self.check(arm, "--lock", "wrist", "--merge-fixed")["bodies"]), 1)
        for arguments, word in ((("--base", "free"), "fixed or floating"), (("--lock", "writs"), "wrist"),
                                (("--lock", "wrist=x"), "is not a number"), (("--write",), "--write"),
                                (("--base", ""), "is empty")):
            done = self.poinsot("check", arm, *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(word, done.stderr)
        scene = self.poinsot("check", ROOT / "scenes/dzhanibekov.yaml", "--base", "fixed")
        self.assertEqual(scene.returncode, 1)
        self.assertIn("--base: is for robots", scene.stderr)

    def test_mistakes_are_named_with_line_and_column(self):
        wrong = self.write("wrong.urdf", ARM.replace('value="2"', 'value="-2"').replace('"0 1 0"', '"0 0 0"'))
        done = self.poinsot("check", wrong)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertIn("wrong.urdf:3:54: link 'hand': mass must not be negative, is -2", done.stderr)
        self.assertIn("wrong.urdf:11:48: joint 'grip': the axis has no direction", done.stderr)
        self.assertIn("2 problems", done.stderr)
        self.assertEqual(len(self.check(wrong, status=1)["problems"]), 2)
        self.assertIn("there is no such file", self.poinsot("check", "none.urdf").stderr)

    def test_control_characters_do_not_reach_the_terminal(self):
        done = self.poinsot("check", self.write("arm.urdf", ARM.replace(
            "<gazebo/>", '<gazebo a="&#27;[31m"/><gazebo>&#27;[2J</gazebo>')))
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_a_robot_runs_alone(self):
        arm = self.write("arm.urdf", ARM.replace("continuous", "revolute").replace(
            '<mimic', '<limit lower="-3" upper="3" effort="1" velocity="1"/><mimic'))
        answer = self.run_json(arm, "--until", "0.5", "--start", "wrist=20 deg")
        self.assertEqual((answer["title"], answer["formulation"], answer["ended"]), ("arm", "reduced", "done"))
        self.assertTrue(answer["balanced"], answer["verdict"])
        other = self.run_json(arm, "--until", "0.5")
        self.assertNotEqual(answer["state_hash"], other["state_hash"])
        falls = self.run_json(arm, "--until", "0.5", "--base", "floating")
        self.assertAlmostEqual(falls["ledger"]["total"]["posted"]["gravity"]["impulse"][2], -5.5 * 9.81 * 0.5, delta=1e-9)
        self.run_json(arm, "--until", "0.1", "--lock", "wrist", "--merge-fixed", "--formulation", "maximal")
        self.run_json(arm, "--until", "0.1", "--formulation", "both")

    def test_every_joint_is_told_by_itself_where_it_starts(self):
        said = self.poinsot("run", "--help").stdout
        for option in ("--start", "--lock", "--package"):  # what follows a first value is not taken for another
            self.assertRegex(said, option + r" TEXT +Robots")
        arm = self.write("arm.urdf", ARM.replace('<mimic joint="wrist" multiplier="2"/>', ""))
        hashes = {self.run_json(arm, "--until", "0.1", *starts)["state_hash"] for starts in (
            (), ("--start", "wrist=0.2"), ("--start", "grip=0.5"), ("--start", "wrist=0.2", "--start", "grip=0.5"))}
        self.assertEqual(len(hashes), 4)
        self.assertEqual(self.poinsot("run", arm, "--start", "wrist=0.2", "grip=0.5").returncode, 1)

    def test_a_robot_alone_goes_on_from_a_checkpoint_and_keeps_its_file(self):
        arm = self.write("arm.urdf", ARM)
        start = ("--start", "wrist=0.2")
        whole = self.run_json(arm, *start, "--until", "0.2")
        self.run_json(arm, *start, "--until", "0.1", "--checkpoint", "c")
        self.assertEqual(self.run_json(arm, *start, "--until", "0.2", "--resume", "c")["state_hash"], whole["state_hash"])
        done = self.poinsot("run", arm, "--until", "0.1", "--checkpoint", arm)
        self.assertEqual(done.returncode, 1)
        self.assertIn("would overwrite", done.stderr)

    def test_what_cannot_be_run_is_refused(self):
        arm = self.write("arm.urdf", ARM)
        for arguments, word in ((("--base", "free"), "fixed or floating"), (("--start", "writs=1"), "did you mean 'wrist'"),
                                (("--start", "wrist"), "must say where"), (("--start", "wrist=x"), "is not a number"),
                                (("--start", "end=1"), "no single coordinate"), (("--start", "grip=1"), "it mimics 'wrist'"),
                                (("--start", "wrist=1", "--lock", "wrist"), "locked at 0"),
                                (("--start", "wrist=1.5"), "limit")):
            with self.subTest(arguments):
                done = self.poinsot("run", arm, "--until", "0.1", *arguments)
                self.assertEqual(done.returncode, 1)
                self.assertIn(word, done.stderr)
        for option in (("--base", "fixed"), ("--start", "a=1"), ("--merge-fixed",)):
            done = self.poinsot("run", ROOT / "scenes/dzhanibekov.yaml", *option)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is for robots", done.stderr)

    def test_a_scene_says_which_robots_it_takes(self):
        done = self.poinsot("check", ROOT / "scenes/two_arms.yaml")
        self.assertIn("Robot 'left' of ", done.stdout)
        robots = json.loads(self.poinsot("check", ROOT / "scenes/two_arms.yaml", "--json").stdout)["robots"]
        self.assertEqual([r["name"] for r in robots], ["left", "right"])

    def test_published_robots(self):
        named = os.environ.get("POINSOT_REFERENCE")
        folder = (pathlib.Path(named) if named else ROOT / "../shared/reference/outside") / "urdf"
        if not folder.is_dir():
            self.skipTest("the URDF files of published robots are not here")
        own = json.loads((REFERENCE / "robots.json").read_text())["items"]
        for name, file in (("ur5", "ur5_robot"), ("panda", "panda"), ("anymal_b", "anymal_b")):
            base = "floating" if own[name]["floating"] else "fixed"
            answer = self.check(folder / f"{file}.urdf", "--base", base, "--ignore-mimic")
            self.assertAlmostEqual(answer["mass"], own[name]["total_mass"], delta=1e-13)
            self.assertEqual(answer["degrees_of_freedom"], len(own[name]["v"]))
        self.assertEqual(self.check(folder / "simple_humanoid.urdf")["degrees_of_freedom"], 29)


if __name__ == "__main__":
    command.main()
