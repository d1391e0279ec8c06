#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a user sees of the commands: help with an example, versions, tables, JSON, progress."""
import csv
import json
import os
import pathlib
import pty
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import ROOT, TUMBLING, CommandTest


class Commands(CommandTest):
    def test_help_has_an_example(self):
        top = self.poinsot("--help")
        self.assertEqual(top.returncode, 0)
        for name in ("run", "report", "compare", "export", "check", "linearise", "trim", "mass", "integrators",
                     "examples"):
            self.assertIn(name, top.stdout)
            done = self.poinsot(name, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("xample", done.stdout)
            self.assertIn(f"poinsot {name}", done.stdout)
        self.assertIn("Example", top.stdout)

    def test_version_says_what_was_built(self):
        done = self.poinsot("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^poinsot \d+\.\d+\.\d+\ncompiled by (g\+\+|clang\+\+) [\d.]+ for ")
        self.assertRegex(done.stdout, r"components: io, hull.*, stiff")

    def test_run_has_every_option_that_is_promised(self):
        text = self.poinsot("run", "--help").stdout
        for option in ("until", "step", "integrator", "state-form", "formulation", "stabilisation",
                       "out", "every", "ledger", "ledger-every", "energy-tolerance", "checkpoint", "resume", "json", "quiet"):
            self.assertIn(f"--{option} ", text + " ")

    def test_an_example_runs_by_its_name(self):
        answer = self.run_json("dzhanibekov", "--until", "1")
        self.assertEqual(answer["title"], "The flipping wing nut")
        self.assertTrue(answer["scene"].endswith("scenes/dzhanibekov.yaml"))

    def test_examples_are_looked_for_where_the_user_says(self):
        self.write("mine.yaml", "story: My own.\n" + TUMBLING)
        env = os.environ | {"POINSOT_SCENES": str(self.folder)}
        done = self.poinsot("examples", env=env)
        self.assertEqual(done.returncode, 0)
        self.assertIn("My own.", done.stdout)
        self.assertEqual(self.poinsot("run", "mine", env=env, cwd="/").returncode, 0)

    def test_the_table_has_every_cause_and_closes(self):
        done = self.poinsot("run", ROOT / "scenes/damped_oscillator.yaml")
        for word in ("opening", "+ spring", "+ damper", "+ residual", "= closing", "Stores", "Conserved",
                     "worst booking", "The books balance.", "State hash"):
            self.assertIn(word, done.stdout)
        self.assertNotIn("gravity", done.stdout)
        bodies = self.poinsot("run", ROOT / "scenes/figure_eight.yaml", "--ledger", "bodies").stdout
        for name in "abc":
            self.assertIn(f"body '{name}'", bodies)
        self.assertIn("ledger was off", self.poinsot("run", "kepler", "--ledger", "off").stdout)

    def test_json_closes_to_the_digit(self):
        answer = self.run_json(self.write("scene.yaml", TUMBLING))
        for key in ("scene", "title", "integrator", "state_form", "step", "steps", "time", "state_hash",
                    "ledger", "balanced", "verdict", "wall_seconds"):
            self.assertIn(key, answer)
        total = answer["ledger"]["total"]
        gravity = total["posted"]["gravity"]
        p = (numpy.array(total["opening"]["p"]) + gravity["impulse"]
             + numpy.array(total["residual"]["p"]) - total["closing"]["p"])
        self.assertLess(abs(p).max(), 1e-13)
        self.assertAlmostEqual(total["opening"]["kinetic_energy"] + gravity["work"]
                               + total["residual"]["kinetic_energy"], total["closing"]["kinetic_energy"],
                               delta=1e-12)

    def test_quiet_says_nothing(self):
        done = self.poinsot("run", self.write("scene.yaml", TUMBLING), "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_progress_is_for_terminals_only(self):
        scene = self.write("scene.yaml", TUMBLING.replace("until: 1.0", "until: 500.0"))
        self.assertEqual(self.poinsot("run", scene).stderr, "")
        for arguments, shown in (((), True), (("--quiet",), False), (("--json",), False)):
            master, slave = pty.openpty()
            run = subprocess.Popen([command.PROGRAM, "run", scene, *arguments], stderr=slave,
                                   stdout=subprocess.DEVNULL)
            os.close(slave)
            seen = b""
            try:
                while part := os.read(master, 65536):
                    seen += part
            except OSError:
                pass  # the terminal was closed
            os.close(master)
            self.assertEqual(run.wait(), 0)
            for word in (b"times real time", b"steps/s", b"left", b"residual p"):
                self.assertEqual(word in seen, shown, (arguments, seen[-300:]))

    def test_check_tells_what_is_in_a_scene(self):
        done = self.poinsot("check", ROOT / "scenes/block_inertia.yaml")
        self.assertEqual(done.returncode, 0)
        for word in ("block", "12", "20", "40", "52", "Nothing is wrong"):
            self.assertIn(word, done.stdout)

    def test_check_tells_what_flows_and_what_it_follows(self):
        said = self.poinsot("check", ROOT / "scenes/small_aircraft.yaml").stdout
        self.assertIn("dump 'engine': 0.020832 kg/s times control 'throttle' from t = 0 s", said)

    def test_what_check_writes_runs_to_the_same_bits(self):
        (self.folder / "shapes").symlink_to(ROOT / "scenes/shapes")  # meshes are beside the scene that names them
        for scene in sorted((ROOT / "scenes").glob("*.yaml")):
            with self.subTest(scene.name):
                written = self.poinsot("check", scene, "--write").stdout
                copy = self.write("copy.yaml", written)
                short = ("--until", "0.2")
                self.assertEqual(self.run_json(copy, *short)["state_hash"],
                                 self.run_json(scene, *short)["state_hash"])
                self.assertEqual(self.poinsot("check", copy, "--write").stdout, written)

    def test_csv_and_hdf5_hold_the_same_motion(self):
        scene = self.write("scene.yaml", TUMBLING)
        self.run_json(scene, "--out", "a.csv", "--every", 10)
        self.run_json(scene, "--out", "a.h5", "--every", 10)
        table = numpy.genfromtxt(self.folder / "a.csv", delimiter=",", names=True, deletechars="")
        header = (self.folder / "a.csv").read_text().splitlines()[0].split(",")
        self.assertEqual(header[:5], ["time [s]", "block.x [m]", "block.y [m]", "block.z [m]", "block.qw"])
        rows = numpy.array([list(row) for row in table])
        with h5py.File(self.folder / "a.h5", "r") as file:
            numpy.testing.assert_array_equal(rows[:, 0], file["time"][:])
            numpy.testing.assert_array_equal(rows[:, 1:4], file["bodies/position"][:, 0])
            numpy.testing.assert_array_equal(rows[:, 4:8], file["bodies/orientation"][:, 0])
            numpy.testing.assert_array_equal(rows[:, 8:11], file["bodies/velocity"][:, 0])
            numpy.testing.assert_array_equal(rows[:, 11:14], file["bodies/angular_velocity"][:, 0])
            self.assertEqual(len(file["time"]), 11)

    def test_the_trajectory_has_the_documented_layout(self):
        """Every path of docs/trajectory-format.md is in a file, and the other way round."""
        page = (ROOT / "docs/trajectory-format.md").read_text(encoding="utf-8")
        documented = {line.split("`")[1].strip("/") for line in page.splitlines()
                      if line.startswith("| `/")}
        scene = self.write("scene.yaml", TUMBLING)
        answer = self.run_json(scene, "--out", "a.h5", "--ledger", "bodies", "--state-form", "matrix")
        found = set()
        data = (self.folder / "a.h5").read_bytes()
        # While it grows a file is longer than its superblock says; when it is closed it is not.
        self.assertEqual(int.from_bytes(data[28:36], "little"), len(data))
        with h5py.File(self.folder / "a.h5", "r") as file:
            file.visit(found.add)
            self.assertEqual(file.attrs["format"], "poinsot trajectory")
            self.assertEqual(list(file.attrs["layout_version"]), [1, 6])
            self.assertEqual(file["final/state_hash"][()].decode(), answer["state_hash"])
            self.assertEqual(file["final/ended"][()], b"done")
            self.assertEqual(file["provenance/scene_text"][0].decode(), TUMBLING)
            causes = [name.decode() for name in file["ledger/causes"][:]]
            work = file["ledger/work"][-1][causes.index("gravity")]
            self.assertEqual(work, answer["ledger"]["total"]["posted"]["gravity"]["work"])
            numpy.testing.assert_array_equal(file["ledger/residual_p"][-1],
                                             answer["ledger"]["total"]["residual"]["p"])
            numpy.testing.assert_array_equal(file["ledger/bodies/work"][:, 0], file["ledger/work"][:])
        hinged = TUMBLING.replace("gravity:", "joints:\n  - {name: hinge, type: revolute, bodies: [world, block], "
                                  "at: [0, 0, 0], axis: [1, 2, 3]}\ngravity:").replace("[1.0, 2.0, 3.0]", "[0, 0, 0]")
        hinged += "rotors: [{body: block, axis: [0, 0, 1], inertia: 0.001, spin: 10}]\n"
        hinged += "tanks: [{name: water, body: block, content: 0.5}]\n"
        hinged += "dumps: [{tank: water, mass_flow: 0.01, at: [0, 0, 0], control: valve}]\n"
        hinged += "controls: [{name: valve, limits: [0, 1], value: 0.5}]\n"
        hinged += "cuts: [{name: pin, joint: hinge, shear: 3}]\n"
        self.run_json(self.write("hinged.yaml", hinged), "--out", "b.h5", "--integrator", "runge_kutta4")
        self.run_json(self.write("touching.yaml", TUMBLING + "contact: {}\n"), "--out", "c.h5", "--integrator",
                      "impulsive")
        for name in ("b.h5", "c.h5"):
            with h5py.File(self.folder / name, "r") as file:
                file.visit(found.add)
        self.assertEqual(documented, found)


    PULLED = """
bodies:
  - {name: near, box: [1, 1, 3], mass: 30}
  - {name: far, box: [1, 1, 1], mass: 5, position: [0, 0, 2]}
joints: [{name: glue, type: weld, bodies: [near, far], at: [0, 0, 1.5]}]
loads: [{name: pull, body: far, force: [7, 0, 70], from: 0.5}]
cuts:
  - {name: seam, joint: glue, tension: 50, bending: 900}
  - {name: middle, body: near, at: [0, 0, 0], axis: [0, 0, 1], shear: 4}
events: [{name: snap, when_over: seam, release: glue}]
run: {until: 1, step: 0.001}
output: {every: 10}
"""

    def test_section_loads_and_breaks_are_in_hdf5_csv_and_signals(self):
        scene = self.write("scene.yaml", self.PULLED)
        told = self.run_json(scene, "--out", "a.h5")["cuts"]
        self.run_json(scene, "--out", "a.csv")
        rows = list(csv.DictReader(open(self.folder / "a.csv", newline="", encoding="utf-8")))
        signals = {f"{cut} / {what}": [] for cut in ("seam", "middle")
                   for what in ("tension", "shear x", "shear y", "bending x", "bending y", "torsion", "utilisation")}
        self.assertEqual(self.poinsot("export", "a.h5", "--csv", "b.csv", "--signals", ",".join(signals)).returncode, 0)
        chosen = list(csv.reader(open(self.folder / "b.csv", newline="", encoding="utf-8")))
        self.assertEqual(chosen[0][1:3], ["seam / tension [N]", "seam / shear x [N]"])
        self.assertEqual(chosen[0][4], "seam / bending x [N m]")
        chosen = numpy.array(chosen[1:], float)[:, 1:].reshape(-1, 2, 7)
        with h5py.File(self.folder / "a.h5", "r") as file:
            force, moment, used = (file[f"cuts/{name}"][:] for name in ("force", "moment", "utilisation"))
            self.assertEqual((file["cuts/force"].attrs["unit"], file["cuts/moment"].attrs["unit"]), ("N", "N m"))
            six = numpy.stack([force[..., 2], force[..., 0], force[..., 1], *numpy.moveaxis(moment, 2, 0), used], axis=-1)
            numpy.testing.assert_array_equal(chosen, six)
            columns = ("tension [N]", "shear_x [N]", "shear_y [N]", "bending_x [N m]", "bending_y [N m]", "torsion [N m]",
                       "utilisation")
            numpy.testing.assert_array_equal(
                six, [[[float(row[f"{cut}.{name}"]) for name in columns] for cut in ("seam", "middle")] for row in rows])
            # utilisation follows from the loads and the limits beside them
            tension, _, shear, bending, _ = numpy.moveaxis(file["cuts/limits"][:], 1, 0)
            share = numpy.maximum.reduce([force[..., 2] / tension, numpy.hypot(force[..., 0], force[..., 1]) / shear,
                                          numpy.hypot(moment[..., 0], moment[..., 1]) / bending, 0 * used])
            numpy.testing.assert_allclose(used, share, rtol=1e-15)
            self.assertTrue((used[49] == 0).all() and used[50, 0] > 1 and used[51, 0] == 0)
            self.assertEqual(file["cuts/gone"][:, 0].tolist(), [0] * 51 + [1] * 50)
            events = {kind: [value.decode() if isinstance(value, bytes) else value for value in file[f"events/{kind}"][:]]
                      for kind in ("time", "kind", "name", "load", "utilisation")}
            self.assertEqual(list(zip(events["kind"], events["name"], events["load"]))[:2],
                             [("overload", "seam", "tension"), ("break", "snap", "tension")])
            self.assertEqual(events["time"][:2], [0.5, 0.5])
            self.assertEqual(events["utilisation"][0], told[0]["largest_utilisation"])
            self.assertEqual(file["cuts/largest_utilisation"][-1].tolist(), [cut["largest_utilisation"] for cut in told])


if __name__ == "__main__":
    command.main()
