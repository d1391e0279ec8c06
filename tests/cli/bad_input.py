#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong scenes: each problem is named with file, line, column, the thing and the remedy; status 1."""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import CommandTest

GOOD = """\
title: A test
bodies:
  - name: nut
    mass: 1.0
    inertia: [1.0, 2.0, 3.0]
    orientation: [1, 0, 0, 0]
particles:
  - name: dust
    mass: 0.5
springs:
  - name: strut
    from: nut
    to: {body: dust}
    stiffness: 10.0
run: {until: 1.0, step: 0.1}
"""


class BadInput(CommandTest):
    def complaint(self, text, *arguments):
        """What `run` says to a scene it must refuse. Nothing may be written."""
        scene = text if isinstance(text, pathlib.Path) else self.write("scene.yaml", text)
        out = self.folder / "out.h5"
        done = self.poinsot("run", scene, "--out", out, *arguments)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertFalse(out.exists())
        self.assertEqual(list(self.folder.glob("*.part")), [])
        check = self.poinsot("check", scene)
        if not arguments:
            self.assertEqual(check.returncode, 1)
            self.assertEqual(check.stderr, done.stderr)
        return done.stderr

    def refused(self, change, place, *words):
        """A good scene with one change is refused, at a place (line, column), in these words."""
        old, new = change
        self.assertIn(old, GOOD)
        said = self.complaint(GOOD.replace(old, new, 1))
        self.assertEqual(len(re.findall(r"^\S+scene\.yaml:", said, re.M)), 1, said)
        line, column = place
        self.assertIn(f"scene.yaml:{line}:{column}: ", said)
        for word in words:
            self.assertIn(word, said)
        return said

    def test_the_good_scene_is_good(self):
        self.assertEqual(self.poinsot("run", self.write("scene.yaml", GOOD)).returncode, 0)

    # ---- files -----------------------------------------------------------------------------------

    def test_missing_file(self):
        said = self.complaint(self.folder / "no_such.yaml")
        self.assertIn("no_such.yaml", said)
        self.assertIn("there is no such file", said)
        self.assertIn("poinsot examples", said)

    def test_directory_instead_of_a_file(self):
        self.assertIn("is a directory", self.complaint(self.folder))

    def test_unreadable_file(self):
        scene = self.write("scene.yaml", GOOD)
        scene.chmod(0)
        if os.access(scene, os.R_OK):  # root may read all: a process's own memory cannot be read so
            scene = pathlib.Path("/proc/self/mem")
        self.assertIn("cannot be read", self.complaint(scene))

    def test_empty_file(self):
        for text in ("", "\n\n", "# only words\n", "---\n"):
            with self.subTest(text):
                self.assertIn("there is nothing in this file", self.complaint(text))

    def test_tabs_are_named(self):
        for text in ("bodies:\n\t- {name: a}\n", "bodies:\n  - name: a\n\tmass: 1\n"):
            with self.subTest(text):
                self.assertIn("indent with spaces, not with tabs", self.complaint(text))
        self.assertNotIn("tabs", self.complaint("bodies: [\n"))

    def test_binary_garbage(self):
        scene = self.write("scene.yaml", bytes(range(256)) * 40)
        said = self.complaint(scene)
        self.assertIn("scene.yaml:1:1: byte 0x00 is not text", said)

    def test_a_table_of_another_kind(self):
        self.assertIn("must be a map", self.complaint("just a word\n"))
        self.assertIn("must be a map", self.complaint("- 1\n- 2\n"))

    def test_huge_file(self):
        scene = self.folder / "scene.yaml"
        with open(scene, "wb") as file:
            file.truncate(65 << 20)
        self.assertIn("larger than 64 MB", self.complaint(scene))
        self.assertIn("larger than 64 MB", self.complaint(pathlib.Path("/dev/zero")))

    def test_deeply_nested_file(self):
        for text in ("a: " + "[" * 100000 + "]" * 100000, "a: " + "{a: " * 100000 + "}" * 100000,
                     "".join(" " * i + "a:\n" for i in range(3000)), "- " * 100000 + "1"):
            with self.subTest(text[:20]):
                self.assertIn("nested deeper than 64 levels", self.complaint(text))

    def test_alias_bomb(self):
        text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for i in range(1, 12):
            text += f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n"
        said = self.complaint(text)
        self.assertIn("aliases written out", said)
        self.assertRegex(said, r"scene\.yaml:\d+:\d+")

    def test_alias_of_itself(self):
        self.assertIn("alias", self.complaint("a: &a [*a]\n"))

    # ---- syntax ----------------------------------------------------------------------------------

    def test_syntax_errors_name_their_place(self):
        for text, place in (("title: [1, 2\nbodies: 3\n", ":"), ("title: 'open\n", ":"),
                            ("bodies:\n\t- name: a\n", ":2:"), ("a: b: c\n", ":1:5"),
                            ("title: x\n  y: 3\n", ":2:"), ("a: ]\n", ":1:"), ("a: *nobody\n", ":1:"),
                            ("!!python/object:os.system {}\n", ":1:1"), ("%FOO\n", ":1")):
            with self.subTest(text):
                said = self.complaint(text)
                self.assertIn("scene.yaml" + place, said)

    def test_second_document(self):
        self.assertIn("second document", self.complaint(GOOD + "---\n" + GOOD))

    # ---- keys ------------------------------------------------------------------------------------

    def test_unknown_key_and_the_nearest_known_one(self):
        self.refused(("    mass: 1.0", "    mas: 1.0\n    mass: 1.0"), (4, 5), "unknown key 'mas'",
                     "body 'nut'", "did you mean 'mass'?")
        self.refused(("title:", "titel:"), (1, 1), "unknown key 'titel'", "did you mean 'title'?")
        self.refused(("step: 0.1", "step: 0.1, integrater: midpoint"), (15, 30),
                     "did you mean 'integrator'?")

    def test_duplicate_key(self):
        self.refused(("    mass: 1.0", "    mass: 1.0\n    mass: 2.0"), (5, 5), "duplicate key 'mass'",
                     "body 'nut'", "line 4 already")

    # ---- types and numbers -----------------------------------------------------------------------

    def test_wrong_type(self):
        self.refused(("mass: 1.0", "mass: heavy"), (4, 11), "mass of body 'nut'", "must be a number",
                     "heavy")
        self.refused(("mass: 1.0", "mass: [1.0]"), (4, 11), "must be a number", "a list of 1")
        self.refused(("mass: 1.0", "mass: '1.0'"), (4, 11), "remove the quotes")
        self.assertIn("must be a number, is empty", self.complaint(GOOD.replace("mass: 1.0", "mass:")))
        self.refused(("[1.0, 2.0, 3.0]", "[1.0, 2.0]"), (5, 14), "list of 3 numbers", "a list of 2")
        self.refused(("[1.0, 2.0, 3.0]", "5.0"), (5, 14), "inertia of body 'nut'")
        self.refused(("step: 0.1", "step: 0.1, renormalise: yes"), (15, 43), "true or false", "'yes'")
        said = self.complaint(GOOD.replace("particles:\n  - name: dust\n    mass: 0.5",
                                           "particles: dust"))
        self.assertIn("must be a list", said)

    def test_numbers_that_are_none(self):
        for text, word in ((".nan", "is not a number"), ("NaN", "is not a number"),
                           (".inf", "is infinite"), ("-.inf", "is infinite"), ("inf", "is infinite"),
                           ("1e400", "beyond what a double can hold"),
                           ("1e-400", "beyond what a double can hold"), ("0x10", "decimal"),
                           ("1_000", "underscore"), ("1.5 kg", "units"), ("007", "zero"),
                           ("1.0.0", "number"), ("--1", "number"), ("+-1", "number"),
                           ("'1,5'", "number"), ("1e", "number"), ("e1", "number")):
            with self.subTest(text):
                self.refused(("mass: 1.0", f"mass: {text}"), (4, 11), "mass of body 'nut'", word)

    def test_angles(self):
        turned = "{axis: [0, 0, 1], angle: %s}"
        for good in ("30 deg", "0.5", "0.5 rad", "'30 deg'", "-1e-3deg"):
            text = GOOD.replace("[1, 0, 0, 0]", turned % good)
            self.assertEqual(self.poinsot("check", self.write("s.yaml", text)).returncode, 0, good)
        self.refused(("[1, 0, 0, 0]", turned % "30 degrees"), (6, 43), "angle of orientation",
                     "'30 deg'")
        self.refused(("[1, 0, 0, 0]", "{axis: [0, 0, 0], angle: 1}"), (6, 25), "direction")
        self.refused(("[1, 0, 0, 0]", "{euler: [1, 2, 3], sequence: xxy}"), (6, 47), "sequence")

    # ---- physics ---------------------------------------------------------------------------------

    def test_mass_that_is_zero_or_negative(self):
        self.refused(("mass: 1.0", "mass: 0"), (4, 11), "body 'nut'", "mass must be positive", "kg")
        self.refused(("mass: 1.0", "mass: -2"), (4, 11), "is -2")
        self.refused(("mass: 0.5", "mass: -0.5"), (9, 11), "'dust'", "mass must be positive")

    def test_impossible_inertia(self):
        said = self.refused(("[1.0, 2.0, 3.0]", "[1.0, 2.0, 4.0]"), (5, 14), "body 'nut'",
                            "no body has this inertia", "none may exceed the sum of the other two")
        self.assertIn("inertia: [1.0, 2.0, 4.0]", said)  # the line itself is quoted

    def test_inertia_too_small_to_reckon_with(self):
        self.refused(("[1.0, 2.0, 3.0]", "[1.0e-320, 1.0e-320, 1.0e-320]"), (5, 14), "too small to reckon with")

    def test_inertia_that_is_not_symmetric(self):
        self.refused(("[1.0, 2.0, 3.0]", "[[1, 0.5, 0], [0, 2, 0], [0, 0, 3]]"), (5, 14), "symmetric")

    def test_non_unit_quaternion(self):
        self.refused(("[1, 0, 0, 0]", "[1, 1, 0, 0]"), (6, 18), "body 'nut'", "unit quaternion",
                     "divide by its norm")

    def test_matrix_that_is_no_rotation(self):
        self.refused(("[1, 0, 0, 0]", "[[1, 0, 0], [0, 2, 0], [0, 0, 1]]"), (6, 18), "rotation matrix")
        self.refused(("[1, 0, 0, 0]", "[[1, 0, 0], [0, 1, 0], [0, 0, -1]]"), (6, 18), "left-handed")

    def test_a_body_without_extent(self):
        self.refused(("    inertia: [1.0, 2.0, 3.0]\n", ""), (3, 5), "needs an extent", "particles")

    def test_mass_and_density(self):
        self.refused(("inertia: [1.0, 2.0, 3.0]", "box: [1, 1, 1]\n    density: 3"), (6, 14), "keep one")

    def test_negative_sizes(self):
        self.refused(("inertia: [1.0, 2.0, 3.0]", "box: [1, -1, 1]"), (5, 10), "greater than zero")
        self.refused(("inertia: [1.0, 2.0, 3.0]", "ball: 0"), (5, 11), "greater than zero")

    def test_missing_mesh(self):
        said = self.complaint(GOOD.replace("inertia: [1.0, 2.0, 3.0]", "mesh: none.stl"))
        self.assertIn("scene.yaml:5:11", said)
        self.assertIn("none.stl", said)

    def test_negative_stiffness(self):
        self.refused(("stiffness: 10.0", "stiffness: -10.0"), (14, 16), "spring 'strut'", "stiffness",
                     "N/m")

    # ---- names -----------------------------------------------------------------------------------

    def test_duplicate_names(self):
        said = self.complaint(GOOD.replace("name: dust", "name: nut"))
        self.assertIn("scene.yaml:8:11: duplicate name 'nut'", said)
        self.assertIn("the body in line 3 has it already", said)

    def test_name_that_is_referred_to_but_not_defined(self):
        self.refused(("body: dust", "body: dusk"), (13, 16), "there is no body 'dusk'",
                     "did you mean 'dust'?")
        said = self.complaint(GOOD + "ledger: {about: nobody}\n")
        self.assertIn("scene.yaml:16:17", said)
        self.assertIn("there is no body 'nobody'", said)

    def test_body_without_a_name(self):
        said = self.complaint(GOOD.replace("  - name: dust\n    mass", "  - mass"))
        self.assertIn("scene.yaml:8:5: particle 2 needs 'name'", said)

    # ---- step and duration -----------------------------------------------------------------------

    def test_step_or_duration_that_is_zero_negative_or_absurd(self):
        for step in ("0", "-0.1", "1e-30", "1e-300", "5.0"):
            with self.subTest(step=step):
                self.refused(("step: 0.1", f"step: {step}"), (15, 25), "step")
        for until in ("0", "-1", "1e300"):
            with self.subTest(until=until):
                said = self.complaint(GOOD.replace("until: 1.0", f"until: {until}"))
                self.assertRegex(said, r"scene\.yaml:15:\d+: (until|step)")

    def test_arguments_of_the_command_line(self):
        scene = self.write("scene.yaml", GOOD)
        for option, value, word in (("--step", "0", "greater than zero"), ("--step", "-1", "greater"),
                                    ("--step", "nan", "not a number"), ("--until", "inf", "infinite"),
                                    ("--step", "1e-30", "steps"), ("--until", "1e300", "steps"),
                                    ("--integrator", "midpiont", "did you mean 'midpoint'?"),
                                    ("--state-form", "matix", "did you mean 'matrix'?"),
                                    ("--ledger", "all", "Known are: off, totals, bodies"),
                                    ("--every", "0", "at least 1"), ("--every", "1.5", "whole"),
                                    ("--energy-tolerance", "-1", "greater"),
                                    ("--checkpoint-every", "5", "--checkpoint FILE"),
                                    ("--resume", "nothing.ckpt", "cannot be read")):
            with self.subTest(option=option, value=value):
                done = self.poinsot("run", scene, f"{option}={value}")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(word, done.stderr)
        for arguments in (("run",), ("run", scene, "--nonsense"), ("nonsense",), (), ("check",)):
            self.assertEqual(self.poinsot(*arguments).returncode, 1, arguments)

    def test_forces_along_a_line_begin_with_one(self):
        point = "particles: [{name: a, mass: 1, position: [1, 0, 0]}]\n"
        spring = point + "springs: [{from: {world: [1, 0, 0]}, to: a, stiffness: 100, rest_length: 1}]\n"
        for command_ in ("check", "run"):
            done = self.poinsot(command_, self.write("s.yaml", spring))
            self.assertEqual(done.returncode, 1)
            self.assertIn("s.yaml:2:74: spring 1: both ends are in one place at the start", done.stderr)
            self.assertIn("or give rest_length: 0", done.stderr)
        self.assertEqual(self.poinsot("run", self.write("s.yaml", spring.replace("rest_length: 1", "rest_length: 0")),
                                      "--until", "0.1", "--step", "0.01").returncode, 0)
        two = "gravity: {G: 1}\nparticles:\n  - {name: a, mass: 1, position: [1, 0, 0]}\n" \
              "  - {name: b, mass: 1, position: [1, 0, 0]}\n"
        said = self.complaint(two)
        self.assertIn("scene.yaml:4:34: particle 'b': is where 'a' is, and masses in one place attract each other", said)
        self.assertEqual(self.poinsot("check", self.write("s.yaml", two.replace("G: 1", "G: 0"))).returncode, 0)

    def test_settings_that_do_not_fit_the_model(self):
        held = GOOD.replace("particles:", "    held: {point: [0, 0, 0]}\nparticles:")
        self.assertEqual(self.poinsot("check", self.write("s.yaml", held)).returncode, 0)
        said = self.complaint(held.replace("step: 0.1", "step: 0.1, integrator: splitting"))
        self.assertIn("scene.yaml:16:", said)
        self.assertIn("cannot hold", said)

    # ---- quotes, control characters, keys without effect -----------------------------------------

    def test_quotes_that_are_not_closed(self):
        for quote in "\"'":
            with self.subTest(quote):
                self.refused(("title: A test", f"title: {quote}A test"), (1, 8), "is not closed in this line")
        for good in ('"A \\" test"', "'It''s a test'", '&a "A test"', ">\n  A\n  test"):
            with self.subTest(good):
                scene = self.write("scene.yaml", GOOD.replace("A test", good, 1))
                self.assertEqual(self.poinsot("check", scene).returncode, 0)

    def test_control_characters_do_not_reach_the_terminal(self):
        said = self.refused(("name: strut", 'name: "\\e[31m"'), (11, 11), "control character", "\\x1b[31m")
        self.assertNotIn("\x1b", said)
        said = self.refused(("title:", '"\\e[31m": 1\ntitle:'), (1, 1), "unknown key '\\x1b[31m'")
        self.assertNotIn("\x1b", said)

    def test_given_but_without_effect(self):
        self.refused(("step: 0.1", "step: 0.1, tolerance: 1e-3"), (15, 41), "tolerance has no effect with splitting")
        self.refused(("springs:", "gravity: {}\nsprings:"), (10, 10), "gravity is empty")
        self.assertIn("needs --out FILE", self.poinsot("run", self.write("s.yaml", GOOD), "--every", 2).stderr)

    def test_an_empty_item_is_at_its_dash(self):
        self.refused(("springs:", "  -\nsprings:"), (10, 3), "particle 3 must be a map", "is empty")

    def test_one_mistake_is_one_problem_at_its_place(self):
        strut = GOOD[GOOD.index("  - name: strut"):GOOD.index("run:")]
        self.refused((strut, "  - a\n"), (11, 5), "spring 1 must be a map")
        self.refused(("inertia: [1.0, 2.0, 3.0]", "mesh: no_such.stl"), (5, 11), "no such file")
        self.refused(("mass: 0.5", "mass:"), (9, 5), "mass of particle 'dust' must be a number, is empty")
        self.refused(("run:", "drag:\n  - {body: dust, linear: 1, quadratic: -1}\nrun:"), (16, 40), "drag 1: ")
        self.refused(("[1.0, 2.0, 3.0]", "[1e308, 1e308, 1e308]"), (5, 14), "too large")

    # ---- files that must not be written over ------------------------------------------------------

    def test_what_is_read_is_not_written_over(self):
        scene = self.write("scene.csv", GOOD)
        linked = self.folder / "linked.csv"
        linked.symlink_to(scene)
        kept = self.folder / "kept.csv"
        self.assertEqual(self.poinsot("run", scene, "--checkpoint", kept).returncode, 0)
        before = kept.read_bytes()
        for arguments in (("--out", "scene.csv"), ("--out", linked), ("--checkpoint", "./scene.csv"),
                          ("--resume", kept, "--out", kept), ("--out", "a.csv", "--checkpoint", "./a.csv")):
            with self.subTest(arguments):
                done = self.poinsot("run", scene, *arguments)
                self.assertEqual(done.returncode, 1)
                self.assertIn("would overwrite", done.stderr)
                self.assertEqual(done.stdout, "")
        self.assertEqual(scene.read_text(), GOOD)
        self.assertEqual(kept.read_bytes(), before)

    def test_a_bad_place_for_checkpoints_is_found_before_the_first_step(self):
        scene = self.write("scene.yaml", GOOD)
        for place in ("no_such_folder/a", ".", "/dev/full"):
            with self.subTest(place):
                done = self.poinsot("run", scene, "--checkpoint", place)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn("--checkpoint: ", done.stderr)

    def test_resume_from_no_file(self):
        scene = self.write("scene.yaml", GOOD)
        self.assertIn("is not a file", self.poinsot("run", scene, "--resume", "/dev/zero").stderr)
        self.assertEqual(self.poinsot("run", scene, "--checkpoint", "kept").returncode, 0)
        done = self.poinsot("run", scene, "--resume", "kept", "--until", "0.5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is at 1 s already", done.stderr)

    # ---- words -----------------------------------------------------------------------------------

    def test_empty_options(self):
        scene = self.write("scene.yaml", GOOD)
        for option in ("--until", "--step", "--integrator", "--state-form", "--out", "--every", "--ledger",
                       "--ledger-every", "--energy-tolerance", "--checkpoint", "--checkpoint-every", "--resume"):
            with self.subTest(option):
                done = self.poinsot("run", scene, option, "")
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{option}: is empty", done.stderr)

    def test_misspelt_words_of_the_command_line(self):
        self.assertIn("no command 'chek'; did you mean 'check'?", self.poinsot("chek").stderr)
        for words, why in ((("run", "dzhanibekov", "--integratr", "gauss"), "run has no option '--integratr'; did you mean '--integrator'?"),
                           (("run", "dzhanibekov", "--untl=3"), "run has no option '--untl'; did you mean '--until'?"),
                           (("mass", "a.stl", "--densty", "3"), "mass has no option '--densty'; did you mean '--density'?"),
                           (("examples", "--magic"), "examples has no option '--magic'")):
            done = self.poinsot(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(why, done.stderr)
        self.assertEqual(self.poinsot("run", "dzhanibekov", "--until=0.01", "--quiet").returncode, 0)
        self.assertIn("did you mean 'dzhanibekov'?", self.poinsot("run", "dzhanibekof").stderr)
        said = self.poinsot("run", self.write("s.yaml", GOOD), "--ledger-every", "1e10").stderr
        self.assertIn("at most 1000000000", said)

    def test_problems_for_machines(self):
        scene = self.write("scene.yaml", GOOD.replace("mass: 1.0", "mass: -1"))
        for command_ in ("check", "run"):
            done = self.poinsot(command_, scene, "--json")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertIn("mass must", json.loads(done.stdout)["problems"][0]["what"])

    def test_wrong_command_lines_for_machines(self):
        scene = self.write("scene.yaml", GOOD)
        for arguments, word in ((("run", "--json"), "scene is required"), (("check", "--json"), "scene"),
                                (("run", scene, "--json", "--nonsense"), "--nonsense"),
                                (("run", "--json", scene, "--step"), "--step"),
                                (("chek", scene, "--json"), "did you mean 'check'?"),
                                (("mass", "--json"), "required"), (("--json",), "required")):
            with self.subTest(arguments):
                done = self.poinsot(*arguments)
                self.assertEqual((done.returncode, done.stderr), (1, ""))
                problem, = json.loads(done.stdout)["problems"]
                self.assertEqual(problem["place"], "poinsot")
                self.assertIn(word, problem["what"])
                text = self.poinsot(*(a for a in arguments if a != "--json"))
                self.assertEqual((text.returncode, text.stdout), (1, ""))
        help_ = self.poinsot("run", "--help", "--json")
        self.assertEqual((help_.returncode, help_.stderr), (0, ""))
        self.assertIn("Example", help_.stdout)

    def test_bodies_too_far_apart_for_one_inertia(self):
        far = GOOD.replace("mass: 1.0", "mass: 1.0\n    position: [1e160, 0, 0]")
        done = self.poinsot("check", self.write("scene.yaml", far))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("overflow", done.stdout)

    # ---- very many -------------------------------------------------------------------------------

    def test_very_many_problems(self):
        bodies = "".join(f"  - {{name: b{i}, mass: 1.0}}\n" for i in range(20000))
        springs = "".join(f"  - {{from: c{i}, to: b1, stiffness: 1.0}}\n" for i in range(2000))
        for text, number in (("particles:\n" + "  - {name: a, mass: 1.0}\n" * 50000, 49999),
                             ("title: a\n" * 50000, 50000),
                             (f"particles:\n{bodies}springs:\n{springs}", 2000)):
            done = self.poinsot("check", self.write("scene.yaml", text), timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"… and {number - 50} more\n{number} problems\n", done.stderr)
            self.assertLess(len(done.stderr), 20000)

    # ---- all at once -----------------------------------------------------------------------------

    def test_all_problems_are_named_at_once(self):
        text = (GOOD.replace("title:", "titel:").replace("mass: 1.0", "mass: -1")
                .replace("[1, 0, 0, 0]", "[2, 0, 0, 0]").replace("mass: 0.5", "mass: light")
                .replace("body: dust", "body: dusk").replace("stiffness: 10.0", "stiffness: -1")
                .replace("step: 0.1", "step: 0"))
        said = self.complaint(text)
        places = sorted(int(n) for n in re.findall(r"scene\.yaml:(\d+):\d+: ", said))
        self.assertEqual(places, [1, 4, 6, 9, 13, 14, 15], said)
        self.assertIn("7 problems", said)

    def test_json_is_read_too(self):
        text = ('{\n\t"title": "j",\n\t"bodies": [{"name":"a","mass":1,"inertia":[1,1,1],'
                '"orientation":{"axis":[0,0,1],"angle":"30 deg"}}],\n\t"run":{"until":1,"step":1e-1}\n}\n')
        done = self.poinsot("run", self.write("scene.json", text))
        self.assertEqual(done.returncode, 0, done.stderr)
        said = self.complaint(self.write("scene.json", text.replace('"mass":1', '"mass":-1')))
        self.assertIn("scene.json:3:", said)


if __name__ == "__main__":
    command.main()
