#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""poinsot integrators: what it says of an integrator is what a run then does."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import ROOT, CommandTest


class Integrators(CommandTest):
    def told(self, *arguments):
        done = self.poinsot("integrators", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def test_every_integrator_of_the_schema_is_listed_with_what_it_takes(self):
        schema = json.loads((ROOT / "schema/scene.schema.json").read_text())
        table = self.told()
        named = {row["integrator"] for row in table}
        self.assertIn(json.dumps(sorted(named)), {json.dumps(sorted(words)) for words in enums(schema)})
        takes = {row["integrator"]: row["takes"] for row in table}
        self.assertEqual(takes["runge_kutta4"]["touch"], ["maximal", "reduced"])
        self.assertEqual(takes["gauss"]["free"], ["reduced"])  # a method of joint coordinates
        self.assertEqual(takes["splitting"]["held"], [])  # it flies bodies freely between kicks
        text = self.poinsot("integrators").stdout
        for row in table:
            line = next(line for line in text.splitlines() if line.startswith(row["integrator"] + " "))
            cells = ["".join(name[0] for name in where) or "-" for where in row["takes"].values()]
            self.assertEqual(line.split()[2:], cells)

    def test_what_is_said_of_a_scene_is_what_a_run_does(self):
        for scene in ("leaking_bucket", "block_on_slope"):
            answer = self.told(scene)
            self.assertTrue(any(row["runs"]["maximal"] is True for row in answer))
            for row in answer:
                for formulation, runs in row["runs"].items():
                    form = ["--state-form", "velocity"] if row["integrator"] == "body_frame" else []
                    done = self.poinsot("run", scene, "--integrator", row["integrator"], "--formulation",
                                        formulation, "--until", "0.005", "--quiet", *form)
                    said = f"{scene}, {row['integrator']}, {formulation}: {runs}\n{done.stderr}"
                    if runs is True:
                        self.assertIn(done.returncode, (0, 2), said)  # 2: the books of a coarse method
                    else:
                        self.assertEqual(done.returncode, 1, said)
                        self.assertIn(runs, done.stderr, said)

    def test_a_wrong_scene_is_refused_as_elsewhere(self):
        done = self.poinsot("integrators", self.write("a.yaml", "bodies: [{name: a, mass: -1}]\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("mass", done.stderr)
        done = self.poinsot("integrators", "leaking_bukket")
        self.assertEqual(done.returncode, 1)
        self.assertIn("did you mean 'leaking_bucket'", done.stderr)
        self.assertEqual(self.poinsot("integrators", "").returncode, 1)


def enums(schema):
    """All lists of words that a schema allows."""
    if isinstance(schema, dict):
        if isinstance(schema.get("enum"), list) and all(isinstance(word, str) for word in schema["enum"]):
            yield schema["enum"]
        for value in schema.values():
            yield from enums(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from enums(value)


if __name__ == "__main__":
    command.main()
