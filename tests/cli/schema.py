#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The schema of scene files knows the same keys as the reader, place by place, and admits every scene."""
import copy
import itertools
import json
import pathlib
import random
import re
import sys

import jsonschema
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import ROOT, TUMBLING, CommandTest

SCHEMA = json.loads((ROOT / "schema/scene.schema.json").read_text(encoding="utf-8"))


class Loader(yaml.SafeLoader):
    """YAML 1.2 numbers, as the reader has them: 1e-3 is one."""


Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(
    r"^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$"), list("-+0123456789."))


# What is wrong with a scene that a schema cannot see: names that stand for nothing or for two things, and numbers that do
# not go with other numbers.
BEYOND_A_SCHEMA = re.compile("|".join((
    "there is no ", "duplicate name", "overlap", "the bodies do not move as it lets them", "must be a rotation matrix",
    "held point", "an axis must increase", "the prescribed motion begins with", "no body has this inertia", "outside its limits",
    "must have a direction", "must be square to", "one for each node of its axis", "needs 'axis'", "must be a unit quaternion",
    "must begin before it ends", "must not be below", "is not assembled", "needs 'at'", "more than its capacity",
    "in one place")))


def places(value, path=()):
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], path + (key,))


def mutated(scene, dice):
    """A scene with one thing wrong, most likely: of another type, empty, gone, too much or too little; and which."""
    scene = copy.deepcopy(scene)
    path = dice.choice([p for p in places(scene) if p])
    at = scene
    for key in path[:-1]:
        at = at[key]
    old = at[path[-1]]
    way = dice.choice(("other", "other", "other", "empty", "gone", "unknown", "shorter", "negative"))
    if way == "unknown" and isinstance(old, dict):
        old["magic"] = 1
    elif way == "shorter" and isinstance(old, list) and old:
        old.pop()
    elif way == "empty":
        at[path[-1]] = type(old)()
    elif way == "gone":
        del at[path[-1]]
    elif way == "negative" and isinstance(old, (int, float)):
        at[path[-1]] = -abs(old) or -1
    else:
        at[path[-1]] = dice.choice((12, "x", True, None, [], {}, [1], {"a": 1}, 0.5, "12", -1, 0, [1, 2, 3], ""))
    return scene, f"{way} at {'/'.join(map(str, path))}: {str(old)[:40]} is {str(at[path[-1]] if way not in ('gone',) else '')[:40]}"


def keys_of_schema(schema):
    """The keys of every place: the scene itself, and the definitions that have properties."""
    places = {"scene": set(schema["properties"])}
    for place, definition in schema["$defs"].items():
        if "properties" in definition:
            places[place] = set(definition["properties"])
    return places


def differences(schema, reader):
    """One line for every key that only one of the two knows."""
    known = keys_of_schema(schema)
    lines = []
    for place in sorted(known.keys() | reader.keys()):
        in_schema, in_reader = known.get(place, set()), set(reader.get(place, ()))
        lines += [f"{place}: the schema lacks '{key}'" for key in sorted(in_reader - in_schema)]
        lines += [f"{place}: the reader lacks '{key}'" for key in sorted(in_schema - in_reader)]
    return lines


class Schema(CommandTest):
    def reader(self):
        done = self.poinsot("check", "--dump-keys")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def valid(self, scene):
        jsonschema.Draft202012Validator(SCHEMA).validate(yaml.load(scene, Loader))

    def test_schema_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_schema_and_reader_know_the_same_keys(self):
        self.assertEqual(differences(SCHEMA, self.reader()), [])

    def test_a_key_missing_on_either_side_is_named(self):
        """The guard itself: planted faults are found."""
        reader = self.reader()
        cut = copy.deepcopy(SCHEMA)
        del cut["$defs"]["spring"]["properties"]["damping"]
        self.assertEqual(differences(cut, reader), ["spring: the schema lacks 'damping'"])
        more = copy.deepcopy(SCHEMA)
        more["properties"]["magic"] = {}
        self.assertEqual(differences(more, reader), ["scene: the reader lacks 'magic'"])

    def test_enumerations_are_those_of_the_reader(self):
        scene = self.write("scene.yaml", TUMBLING)
        run = SCHEMA["$defs"]["run"]["properties"]
        said = self.poinsot("run", scene, "--integrator", "none_such").stderr
        self.assertEqual(said.split("Known are: ")[1].strip().split(", "), run["integrator"]["enum"])
        said = self.poinsot("run", scene, "--state-form", "none_such").stderr
        self.assertEqual(said.split("Known are: ")[1].strip().split(", "), run["state_form"]["enum"])
        joint = TUMBLING + "joints: [{bodies: [world, block], type: none_such}]\n"
        said = self.poinsot("check", self.write("joint.yaml", joint)).stderr
        self.assertEqual(said.split("Known are: ")[1].split("\n")[0].split(", "),
                         SCHEMA["$defs"]["joint"]["properties"]["type"]["enum"])
        for key in ("formulation", "stabilisation"):
            text = TUMBLING.replace("step: 0.01", f"step: 0.01, {key}: none_such")
            said = self.poinsot("check", self.write("run.yaml", text)).stderr
            self.assertEqual(said.split("Known are: ")[1].split("\n")[0].split(", "), run[key]["enum"])

    def test_enumerations_of_contact_are_those_of_the_reader(self):
        known = SCHEMA["$defs"]["contact"]["properties"]

        def words(settings):
            said = self.poinsot("check", self.write("c.yaml", TUMBLING + f"contact: {{{settings}}}\n")).stderr
            return said.split("Known are: ")[1].split("\n")[0].split(", ")
        for key in ("response", "order", "solver", "overlaps"):
            self.assertEqual(words(f"{key}: none_such"), known[key]["enum"])
        self.assertEqual(words("law: none_such") + words("response: penalty, law: none_such"), known["law"]["enum"])

    def test_schema_and_reader_refuse_the_same_of_contact(self):
        good = TUMBLING + "contact: {}\nsurfaces: [{name: floor, half_space: true, position: [0, 0, -9]}]\n" \
                          "materials: [{name: wood, friction: 0.5}]\n"
        self.valid(good)
        self.assertEqual(self.poinsot("check", self.write("s.yaml", good)).returncode, 0)
        for old, new in (("half_space: true", "half_space: true, ball: 1"), ("half_space: true", "margin: 1"),
                         ("half_space: true", "half_space: false"), ("friction: 0.5", "friction: -0.5"),
                         ("friction: 0.5", "restitution: 1.5"), ("name: wood, ", ""),
                         ("contact: {}", "contact: {law: magic}"), ("contact: {}", "contact: {response: penalty, steps: 3}"),
                         ("contact: {}", "contact: {response: penalty, law: hunt_crossley, impact_speed: 0}"),
                         ("friction: 0.5", "young_modulus: -1"), ("contact: {}", "contact: {within: -1}"),
                         ("contact: {}", "contact: {}\napart: [[block]]"),
                         ("name: block", "name: block\n    collides: maybe"), ("name: block", "name: block\n    groups: []")):
            text = good.replace(old, new, 1)
            self.assertNotEqual(text, good)
            with self.subTest(new):
                self.assertEqual(self.poinsot("check", self.write("s.yaml", text)).returncode, 1)
                with self.assertRaises(jsonschema.ValidationError):
                    self.valid(text)

    def test_schema_and_reader_judge_mutated_scenes_alike(self):
        validator = jsonschema.Draft202012Validator(SCHEMA)
        scenes = sorted((ROOT / "scenes").glob("*.yaml"))
        seen = {}
        for path, turn in itertools.product(scenes, range(4)):
            scene, what = mutated(yaml.load(path.read_text(encoding="utf-8"), Loader),
                                  random.Random(f"{path.stem} {turn}"))
            # JSON is YAML too, and says what is a number and what is text.
            file = self.write("m.yaml", json.dumps(scene).replace('"shapes/', f'"{ROOT}/scenes/shapes/')
                              .replace('"robots/', f'"{ROOT}/scenes/robots/'))
            done = self.poinsot("check", file)
            valid = validator.is_valid(scene)
            beyond = bool(BEYOND_A_SCHEMA.search(done.stderr))
            with self.subTest(f"{path.stem}: {what}"):
                if not valid:  # whatever an editor underlines, the reader refuses
                    self.assertEqual(done.returncode, 1)
                elif not beyond:  # and the reader nothing else, but what no schema can say
                    self.assertEqual(done.returncode, 0, done.stderr)
            verdict = (valid, done.returncode, beyond)
            seen[verdict] = seen.get(verdict, 0) + 1
        self.assertGreater(seen.get((False, 1, False), 0), 150, seen)
        self.assertGreater(seen.get((True, 0, False), 0), 40, seen)

    def test_a_title_that_is_a_number_and_a_gravity_that_is_empty(self):
        for line, why in (("title: 12", "title of the scene must be text, is the number 12; write \"12\", in quotes"),
                          ("story: true", "must be text, is true"), ("title: 0x10", "the number 0x10"),
                          ("title: -.5e3", "the number -.5e3"), ("gravity: {}", "gravity is empty")):
            with self.subTest(line):
                text = re.sub(r"^(title|story|gravity):.*\n", "", TUMBLING, flags=re.M) + line + "\n"
                said = self.poinsot("check", self.write("s.yaml", text))
                self.assertEqual(said.returncode, 1)
                self.assertIn(why, said.stderr)
                with self.assertRaises(jsonschema.ValidationError):
                    self.valid(text)
        for title in ('"12"', "'true'", "12 stones", "1.2.3", "e5", ".", "0xfox", "true story", "2001-01-01x", "|\n  12\n"):
            with self.subTest(title):
                text = re.sub(r"^title:.*\n", "", TUMBLING, flags=re.M) + f"title: {title}\n"
                said = self.poinsot("check", self.write("s.yaml", text))
                self.assertEqual(said.returncode, 0, said.stderr)
                self.valid(text)

    def test_every_scene_is_valid(self):
        for scene in sorted((ROOT / "scenes").glob("*.yaml")):
            with self.subTest(scene.name):
                self.valid(scene.read_text(encoding="utf-8"))

    def test_what_the_writer_writes_is_valid(self):
        for scene in sorted((ROOT / "scenes").glob("*.yaml")):
            with self.subTest(scene.name):
                self.valid(self.poinsot("check", scene, "--write").stdout)

    def test_schema_and_reader_refuse_the_same(self):
        for old, new in (("box: [0.1, 0.4, 0.9]", "box: [0.1, 0.4]"), ("mass: 2.0", "mass: -2.0"),
                         ("mass: 2.0", "mas: 2.0"), ("name: block", "name: origin"),
                         ("velocity: [1.0, 2.0, 3.0]", "velocity: fast"), ("step: 0.01", "step: 0"),
                         ("box: [0.1, 0.4, 0.9]", "cone: {radius: 1}"),
                         ("step: 0.01", "step: 0.01, integrator: magic")):
            text = TUMBLING.replace(old, new, 1)
            self.assertNotEqual(text, TUMBLING)
            with self.subTest(new):
                self.assertEqual(self.poinsot("check", self.write("s.yaml", text)).returncode, 1)
                with self.assertRaises(jsonschema.ValidationError):
                    self.valid(text)


if __name__ == "__main__":
    command.main()
