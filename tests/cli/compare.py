#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two runs over each other: what is printed, what a page of both holds, and what is refused."""
import json
import pathlib
import resource
import signal
import subprocess
import sys
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command
from command import CommandTest
from report import PARTICLES, PENDULUM, Page, has_viewer


class Compare(CommandTest):
    def record(self, name, scene, *more):
        done = self.poinsot("run", self.write("scene.yaml", scene), "--out", name, "--quiet", *more)
        self.assertIn(done.returncode, (0, 2), done.stderr)

    def left(self):
        return sorted(p.name for p in self.folder.iterdir())

    def compared(self, *arguments):
        done = self.poinsot("compare", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def test_two_steps_part_where_their_frames_do(self):
        self.record("fine.h5", PENDULUM, "--step", "0.001")
        self.record("coarse.h5", PENDULUM, "--step", "0.02")
        made = self.compared("fine.h5", "coarse.h5")
        # The second has fewer frames, and the first has them all.
        self.assertEqual((made["times_of"], made["interpolated"], made["times"]), ("second", False, 101))
        self.assertFalse(made["agree"])
        with h5py.File(self.folder / "fine.h5") as a, h5py.File(self.folder / "coarse.h5") as b:
            off = numpy.linalg.norm(a["bodies/position"][::20] - b["bodies/position"][:], axis=-1)
        self.assertAlmostEqual(made["differences"]["position"]["largest"] / off.max(), 1, delta=1e-12)
        self.assertGreater(made["parting"]["difference"], made["parting"]["allowed"])
        self.assertTrue(self.compared("fine.h5", "coarse.h5", "--tolerance", "1")["agree"])
        self.assertIn("They part at t = ", self.poinsot("compare", "fine.h5", "coarse.h5").stdout)
        # One motion, kept at other times: what differs is interpolation, and that is told.
        self.record("sevens.h5", PENDULUM, "--step", "0.001", "--every", "7")
        self.record("tens.h5", PENDULUM, "--step", "0.001", "--every", "10")
        done = self.poinsot("compare", "sevens.h5", "tens.h5")
        self.assertIn("the first is interpolated at those of the second, off by about", done.stdout)
        self.assertIn("They agree", done.stdout)
        same = self.poinsot("compare", "fine.h5", "fine.h5", "--tolerance", "0")
        self.assertIn("They agree within a tolerance of 0", same.stdout)

    def test_frames_at_the_same_times_are_compared_as_they_are(self):
        self.record("a.h5", PENDULUM, "--formulation", "maximal")
        self.record("b.h5", PENDULUM, "--formulation", "reduced")
        made = self.compared("a.h5", "b.h5")
        self.assertFalse(made["interpolated"])
        with h5py.File(self.folder / "a.h5") as a, h5py.File(self.folder / "b.h5") as b:
            for name, key in (("position", "position"), ("velocity", "velocity")):
                off = numpy.linalg.norm(a[f"bodies/{name}"][:] - b[f"bodies/{name}"][:], axis=-1)
                frame, body = numpy.unravel_index(off.argmax(), off.shape)
                largest = made["differences"][key]
                self.assertAlmostEqual(largest["largest"] / off.max(), 1, delta=1e-12)
                self.assertEqual(largest["time"], a["time"][frame])
                self.assertEqual(largest["body"], a["bodies/names"][body].decode())
        done = self.poinsot("run", "scene.yaml", "--formulation", "both", "--json")
        both = json.loads(done.stdout)["differences"]
        self.assertAlmostEqual(both["position"]["largest"], made["differences"]["position"]["largest"], delta=1e-12)

    def test_a_page_of_both_holds_both(self):
        if not has_viewer():
            self.skipTest("built without the viewer")
        self.record("a.h5", PENDULUM)
        self.record("b.h5", PENDULUM, "--step", "0.02")
        before = self.left()
        made = self.compared("a.h5", "b.h5", "--report", "both.html")
        self.assertEqual(made["report"]["bytes"], (self.folder / "both.html").stat().st_size)
        self.assertEqual(self.left(), sorted(before + ["both.html"]))
        page = Page(self.folder / "both.html")
        self.assertEqual(len(page.runs), 2)
        for run, name in zip(page.runs, ("a.h5", "b.h5")):
            with h5py.File(self.folder / name) as file:
                numpy.testing.assert_array_equal(page.block(run["samples"]["time"]), file["time"][:])
                numpy.testing.assert_array_equal(page.block(run["bodies"]["velocity"]), file["bodies/velocity"][:])
        facts = {f["name"]: f["value"] for f in page.run["facts"]}
        self.assertEqual(facts["compared with"], "b.h5")
        self.assertNotIn("<img", page.text)
        record = page.described["compare"]
        self.assertEqual(record["first_part"]["time"], made["parting"]["time"])
        self.assertEqual(page.run["bodies"]["names"][record["first_part"]["body"]], made["parting"]["body"])

    def test_the_page_has_the_differences_with_all_their_digits(self):
        if not has_viewer():
            self.skipTest("built without the viewer")
        self.record("a.h5", PENDULUM)
        self.record("b.h5", PENDULUM, "--formulation", "maximal")
        made = self.compared("a.h5", "b.h5", "--tolerance", "1e-14", "--report", "both.html")
        page = Page(self.folder / "both.html")
        record = page.described["compare"]
        self.assertEqual(record["tolerance"]["angle"], 1e-14)
        signals = {s["name"]: page.block(s["values"]) for s in record["signals"]}
        with h5py.File(self.folder / "a.h5") as a, h5py.File(self.folder / "b.h5") as b:
            off = numpy.linalg.norm(a["bodies/position"][:] - b["bodies/position"][:], axis=-1).max(axis=1)
        found = signals["difference / largest distance"]
        numpy.testing.assert_allclose(found, off, rtol=1e-12)
        self.assertEqual(found.max(), made["differences"]["position"]["largest"])
        self.assertEqual(signals["difference / largest angle"].max(), made["differences"]["attitude"]["largest"])

    def test_what_cuts_use_of_their_strength_is_compared(self):
        # A mast on a weld with the ground, pushed more and more; the second is pushed half as much.
        scene = """
bodies: [{name: mast, box: [0.1, 0.1, 2], mass: 10, position: [0, 0, 1]}]
joints: [{name: foot, type: weld, bodies: [world, mast], at: [0, 0, 0]}]
cuts: [{name: "root <b>", joint: foot, bending: 1000}]
loads: [{body: mast, force: [PUSH, 0, 0], at: [0, 0, 1], from: 0.25}]
run: {until: 1, step: 0.01, formulation: maximal}
"""
        self.record("a.h5", scene.replace("PUSH", "100"), "--every", "5")
        self.record("b.h5", scene.replace("PUSH", "50"), "--every", "5")
        with h5py.File(self.folder / "a.h5") as a, h5py.File(self.folder / "b.h5") as b:
            apart = numpy.abs(a["cuts/utilisation"][:, 0] - b["cuts/utilisation"][:, 0])
        self.assertAlmostEqual(apart.max(), 50 * 2 / 1000, delta=1e-9)
        cut, = self.compared("a.h5", "b.h5")["cuts"]
        self.assertEqual((cut["name"], cut["largest_difference_of_utilisation"]), ("root <b>", apart.max()))
        self.assertAlmostEqual(cut["first"] - cut["second"], apart.max(), delta=1e-15)
        self.assertGreaterEqual(cut["time"], 0.25)
        said = self.poinsot("compare", "a.h5", "b.h5").stdout
        self.assertIn("Cuts: at most 0.1 of the strength apart, 'root <b>' at t = ", said)
        # Other frames: a straight line between those of the one that has more.
        self.record("c.h5", scene.replace("PUSH", "50"), "--every", "7")
        cut, = self.compared("a.h5", "c.h5")["cuts"]
        self.assertAlmostEqual(cut["largest_difference_of_utilisation"], 0.1, delta=1e-9)
        self.record("none.h5", scene.replace("PUSH", "50").replace("cuts:", "#"), "--every", "5")
        self.assertNotIn("cuts", self.compared("a.h5", "none.h5"))
        self.assertNotIn("Cuts:", self.poinsot("compare", "a.h5", "none.h5").stdout)
        if has_viewer():
            done = self.poinsot("compare", "a.h5", "b.h5", "--report", "page.html", "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            facts = {f["name"]: f["value"] for f in Page(self.folder / "page.html").run["facts"]}
            self.assertRegex(facts["cuts"], "at most 0.1 of the strength apart, root <b> at t = ")

    def test_bad_input_is_named_and_leaves_nothing(self):
        self.record("a.h5", PENDULUM)
        self.record("b.h5", command.TUMBLING)
        self.write("text.h5", "x" * 4000)
        with h5py.File(self.folder / "foreign.h5", "w") as file:
            file["x"] = 1
        whole = (self.folder / "a.h5").read_bytes()
        self.write("cut.h5", whole[:len(whole) // 3])
        self.record("newer.h5", command.TUMBLING)
        with h5py.File(self.folder / "newer.h5", "a") as file:
            file.attrs["layout_version"] = [2, 0]
        before = self.left()
        page = ("--report", "page.html") if has_viewer() else ()
        for arguments, words in (
                (("a.h5", "none.h5"), "none.h5: no such file"),
                (("text.h5", "a.h5"), "text.h5: is no HDF5 file"),
                (("foreign.h5", "a.h5"), "no trajectory of Poinsot"),
                (("a.h5", "cut.h5"), "cut.h5"),
                (("a.h5", "newer.h5"), "has the layout 2.0"),
                (("a.h5", "b.h5"), "no body in common"),
                (("a.h5", "a.h5", "--tolerance", "-1"), "must not be negative"),
                (("a.h5", "a.h5", "--tolerance", "x"), "--tolerance"),
                (("a.h5",), "second")):
            done = self.poinsot("compare", *arguments, *page)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(self.left(), before)
        if page:
            for to, words in (("none/a.html", "does its folder exist?"), ("a.h5", "would overwrite")):
                done = self.poinsot("compare", "a.h5", "a.h5", "--report", to)
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
            done = self.poinsot("compare", "a.h5", "a.h5", *page, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (100_000, 100_000)))
            self.assertEqual(done.returncode, 1)
            self.assertIn("page.html: cannot be written", done.stderr)
        self.assertEqual(self.left(), before)
        self.assertEqual((self.folder / "a.h5").read_bytes(), whole)

    def test_ctrl_c_leaves_nothing(self):
        if not has_viewer():
            self.skipTest("built without the viewer")
        self.record("many.h5", PARTICLES.replace("UNTIL", "3"))
        before = self.left()
        for arguments in (("report", "many.h5", "-o", "page.html"), ("compare", "many.h5", "many.h5",
                                                                    "--report", "page.html")):
            caught = False
            for wait in (0.4, 0.3, 0.2, 0.1, 0.05):
                program = subprocess.Popen([command.PROGRAM, *arguments], cwd=self.folder,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                time.sleep(wait)
                program.send_signal(signal.SIGINT)
                said = program.communicate(timeout=60)[1]
                if program.returncode == 130: # else it was done, or had not begun to listen
                    self.assertIn("Stopped", said)
                    caught = True
                if program.returncode == 0:
                    (self.folder / "page.html").unlink()
                self.assertEqual(self.left(), before)
                if caught:
                    break
            self.assertTrue(caught, arguments)


if __name__ == "__main__":
    command.main()
