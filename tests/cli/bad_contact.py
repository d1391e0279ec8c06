#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong scenes with contact: each problem is named with file, line, column, the thing and the remedy; status 1."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import CommandTest

GOOD = """\
gravity: [0, 0, -9.81]
bodies:
  - {name: crate, box: [1, 1, 1], mass: 20, position: [0, 0, 0.5], material: wood}
  - {name: ball, ball: 0.25, mass: 1, position: [0, 0, 3], groups: [toys]}
materials:
  - {name: wood, friction: 0.4, static_friction: 0.5, restitution: 0.2}
surfaces:
  - {name: ground, half_space: true, position: [0, 0, 0]}
contact: {within: 0.001}
run: {until: 0.1, step: 0.01}
"""


class BadContact(CommandTest):
    def refused(self, change, at, *words):
        """A good scene with one change is refused once, where `at` stands in it, in these words."""
        old, new = change
        self.assertIn(old, GOOD)
        text = GOOD.replace(old, new, 1)
        before = text[:text.index(at)].split("\n")
        place = f"scene.yaml:{len(before)}:{len(before[-1]) + 1}: "
        scene = self.write("scene.yaml", text)
        out = self.folder / "out.h5"
        done = self.poinsot("run", scene, "--out", out)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertFalse(out.exists())
        self.assertEqual(self.poinsot("check", scene).stderr, done.stderr)
        self.assertEqual(len(re.findall(r"^\S+scene\.yaml:", done.stderr, re.M)), 1, done.stderr)
        self.assertIn(place, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_the_good_scene_is_good(self):
        scene = self.write("scene.yaml", GOOD)
        self.assertEqual(self.run_json(scene)["ended"], "done")
        said = self.poinsot("check", scene).stdout
        for word in ("3 things touch, 1 of them in the world", "wood", "energetic", "impulsive"):
            self.assertIn(word, said)
        contact = json.loads(self.poinsot("check", scene, "--json").stdout)["contact"]
        self.assertEqual([s["name"] for s in contact["skins"]], ["crate", "ball", "ground"])
        self.assertEqual([m["name"] for m in contact["materials"]], ["wood", "default"])
        self.assertEqual(contact["within"], 0.001)

    def test_distances_at_the_start_are_told(self):
        scene = self.write("scene.yaml", GOOD)
        said = self.poinsot("check", scene, "--distances")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout, r"(?m)^ball +crate +1\.75$")
        rows = json.loads(self.poinsot("check", scene, "--distances", "--json").stdout)
        near = {row["surface"]: row for row in rows}
        self.assertEqual([near[name]["nearest"] for name in ("crate", "ball", "ground")], ["ground", "crate", "crate"])
        self.assertAlmostEqual(near["crate"]["distance"], 0, delta=1e-12)
        self.assertAlmostEqual(near["ball"]["distance"], 1.75, delta=1e-12)
        self.assertEqual(near["ball"]["other_point"][2], 1)
        empty = self.write("empty.yaml", "bodies: [{name: ball, ball: 1, mass: 1}]\n")
        done = self.poinsot("check", empty, "--distances")
        self.assertEqual(done.returncode, 1)
        self.assertIn("add 'contact: {}'", done.stderr)

    def test_one_mistake_is_one_problem_at_its_place(self):
        self.refused(("friction: 0.4", "friction: -0.4"), "-0.4", "material 'wood'", "must be between 0 and 1000000")
        self.refused(("static_friction: 0.5", "static_friction: 0.3"), "0.3", "not be below friction")
        self.refused(("restitution: 0.2", "restitution: 2"), "2}\nsurfaces", "between 0 and 1")
        self.refused(("name: wood", "name: wool"), "wood}", "there is no material 'wood'", "did you mean 'wool'?")
        self.refused(("half_space: true", "box: [1, 1, 0]"), "[1, 1, 0]", "greater than zero")
        self.refused(("half_space: true", "mesh: none.obj"), "none.obj", "no such file")
        self.refused(("name: ground", "name: ball"), "ball, half", "duplicate name 'ball'")
        self.refused(("groups: [toys]", "groups: toys"), "toys", "list of names of groups")
        self.refused(("groups: [toys]", "collides: hull"), "hull", "only a mesh")
        self.refused(("within: 0.001", "within: -1"), "-1", "within must be finite and not negative")
        self.refused(("within: 0.001", "law: nature"), "nature", "Known are: energetic")
        self.refused(("within: 0.001", "witihn: 1"), "witihn", "did you mean 'within'?")
        self.refused(("step: 0.01", "step: 0.01, integrator: midpoint"), "midpoint", "use impulsive")
        self.refused(("within: 0.001", "response: spring"), "spring}", "Known are: impulsive, penalty")
        self.refused(("within: 0.001", "response: penalty, within: 0.001"), "0.001", "no effect with response penalty")

    def test_what_overlaps_is_named_with_its_depth(self):
        self.refused(("[0, 0, 3]", "[0, 0, 1]"), "{name: ball", "'crate' and 'ball' overlap by 0.25 m at the start",
                     "overlaps: separate")
        apart = GOOD.replace("[0, 0, 3]", "[0, 0, 1]").replace("within: 0.001", "overlaps: separate")
        self.assertEqual(self.run_json(self.write("scene.yaml", apart))["ended"], "done")

    def test_a_crowd_in_one_place_does_not_flood_the_terminal(self):
        bodies = "".join(f"  - {{name: b{i}, ball: 1, mass: 1}}\n" for i in range(1000))
        done = self.poinsot("check", self.write("scene.yaml", f"contact: {{}}\nbodies:\n{bodies}"), timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("more than 990 other pairs overlap at the start", done.stderr)
        self.assertLess(len(done.stderr), 8000)

    def test_all_problems_are_named_at_once(self):
        text = (GOOD.replace("friction: 0.4", "friction: -1").replace("restitution: 0.2", "restitution: -1")
                .replace("ball: 0.25", "ball: 0").replace("half_space: true, ", "").replace("within", "withn"))
        done = self.poinsot("check", self.write("scene.yaml", text))
        places = sorted(int(n) for n in re.findall(r"scene\.yaml:(\d+):\d+: ", done.stderr))
        self.assertEqual(places, [4, 6, 6, 8, 9], done.stderr)

    def test_touch_without_contact_has_no_effect(self):
        done = self.poinsot("check", self.write("scene.yaml", GOOD.replace("contact: {within: 0.001}\n", "")))
        self.assertEqual(done.returncode, 1)
        for place in ("3:78", "6:3", "8:3"):  # the first body that speaks of it, and each list
            self.assertIn(f"scene.yaml:{place}: ", done.stderr)
        self.assertIn("add 'contact: {}'", done.stderr)


if __name__ == "__main__":
    command.main()
