#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A page decoded again is the trajectory it was made from, within the errors it states."""
import base64
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import zlib

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import CommandTest

TYPES = {"f64": "<f8", "f32": "<f4", "u32": "<u4", "i32": "<i4", "u16": "<u2", "i16": "<i2", "u8": "u1"}

MARKUP = "<img src=x onerror=alert(1)></script><!--"
PENDULUM = """
title: Two links & a <b>spring</b>
story: "NAME"
bodies:
  - {name: "NAME", box: [1, 0.1, 0.1], mass: 1, position: [0.5, 0, 0]}
  - {name: lower, box: [1, 0.1, 0.1], mass: 1, position: [1.5, 0, 0]}
particles:
  - {name: bob, mass: 0.5, position: [3, 0, 0]}
joints:
  - {name: upper hinge, type: revolute, bodies: [world, "NAME"], at: [0, 0, 0], axis: [0, 0, 1]}
  - {name: lower hinge, type: revolute, bodies: ["NAME", lower], at: [1, 0, 0], axis: [0, 0, 1]}
springs:
  - {name: rubber, from: {body: lower, at: [0.5, 0, 0]}, to: bob, stiffness: 20, rest_length: 1}
gravity: [0, -9.81, 0]
run: {until: 2, step: 0.01, integrator: runge_kutta4, energy_tolerance: 1.0e-3}
ledger: {detail: bodies}
""".replace("NAME", MARKUP)

# Thrown, not spinning: a straight line shows most of a frame's neighbours well enough.
PARTICLES = "particles:\n" + "".join(
    f"  - {{name: p{i}, mass: 1.0, position: [{i}.0, 0, 0], velocity: [0, {i}.0, 1.0]}}\n"
    for i in range(300)) + "gravity: [0, 0, -9.81]\nrun: {until: UNTIL, step: 0.001}\n"


class Page:
    """The data of a page, by the words of viewer/FORMAT.md alone."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        found = re.findall(r'<script type="application/json" id="poinsot-run">([^<]*)</script>', self.text)
        assert len(found) == 1, "one description, without `<` in it"
        self.described = json.loads(found[0])
        about = self.described["data"]
        parts = re.findall(r'<script type="application/octet-stream;base64" id="poinsot-data-(\d+)">'
                           r"([A-Za-z0-9+/=]*)</script>", self.text)
        assert [int(i) for i, _ in parts] == list(range(about["chunks"]))
        chunks = [zlib.decompress(base64.b64decode(part, validate=True)) for _, part in parts]
        assert all(len(c) == about["chunk_bytes"] for c in chunks[:-1])
        self.data = b"".join(chunks)
        assert len(self.data) == about["bytes"]
        self.runs = self.described["runs"]
        self.run = self.runs[0]

    def block(self, block):
        count = int(numpy.prod(block["shape"]))
        assert block["offset"] % 8 == 0
        if block.get("filter") == "second_difference":
            z = numpy.frombuffer(self.data, "u1", 2 * count, block["offset"]).astype(numpy.uint16)
            z = z[:count] | z[count:] << 8
            d = (z >> 1) ^ (0 - (z & 1)).astype(numpy.uint16)
            d = d.reshape(block["shape"])
            return numpy.cumsum(numpy.cumsum(d, axis=0, dtype=numpy.uint16), axis=0, dtype=numpy.uint16)
        return numpy.frombuffer(self.data, TYPES[block["type"]], count, block["offset"]).reshape(block["shape"])

    def positions(self, bodies=slice(None)):
        about = self.run["bodies"]["position"]
        k = self.block(about["values"])[:, bodies]
        if k.dtype != numpy.uint16:
            return k
        low, high = numpy.array(about["low"]), numpy.array(about["high"])
        return low + (high - low) * k / 65535

    def orientations(self, bodies=slice(None)):
        k = self.block(self.run["bodies"]["orientation"]["values"])[:, bodies]
        left_out = 2 * (k[..., 0] >> 15) + (k[..., 1] >> 15)
        a = ((k & 0x7FFF) / 16383 - 1) / numpy.sqrt(2)
        rest = numpy.sqrt(numpy.maximum(0, 1 - numpy.sum(a * a, axis=-1)))
        q = numpy.empty(k.shape[:-1] + (4,))
        for m in range(4):
            here = left_out == m
            q[here] = numpy.insert(a[here], m, rest[here], axis=-1)
        return q

    def shown(self, time, bodies=slice(None)):
        """Poses at these times: along a line and the shortest arc between frames."""
        t = self.block(self.run["frames"]["time"])
        x, q = self.positions(bodies), self.orientations(bodies)
        if len(t) == 1:
            return x, q
        b = numpy.clip(numpy.searchsorted(t, time), 1, len(t) - 1)
        u = ((time - t[b - 1]) / (t[b] - t[b - 1]))[:, None, None]
        qa, qb = q[b - 1], q[b]
        cosine = numpy.sum(qa * qb, axis=-1, keepdims=True)
        qb = numpy.where(cosine < 0, -qb, qb)
        angle = numpy.arccos(numpy.minimum(1, abs(cosine)))
        small = angle < 1e-6
        sine = numpy.where(small, 1, numpy.sin(angle))
        mixed = numpy.where(small, (1 - u) * qa + u * qb,
                            (numpy.sin((1 - u) * angle) * qa + numpy.sin(u * angle) * qb) / sine)
        return (1 - u) * x[b - 1] + u * x[b], mixed / numpy.linalg.norm(mixed, axis=-1, keepdims=True)


def compare(test, page, path):
    """All that a page shows, with the trajectory."""
    run = page.run
    with h5py.File(path, "r") as file:
        time_ = file["time"][:]
        f = len(time_)
        numpy.testing.assert_array_equal(page.block(run["samples"]["time"]), time_)
        test.assertEqual(run["bodies"]["names"], [n.decode() for n in file["bodies/names"]])
        x, q = page.shown(time_)
        off = numpy.linalg.norm(x - file["bodies/position"][:f], axis=-1).max()
        dot = abs(numpy.sum(q * file["bodies/orientation"][:f], axis=-1))
        angle = 2 * numpy.arccos(numpy.minimum(1, dot)).max()
        size = numpy.linalg.norm(numpy.ptp(file["bodies/position"][:f].reshape(-1, 3), axis=0))
        stated = run["bodies"]["position"]["error"], run["bodies"]["orientation"]["error"]
        print(f"poses off by {off:.3g} m and {angle:.3g} rad, stated {stated[0]:.3g} and {stated[1]:.3g}; "
              f"{len(page.block(run['frames']['time']))} of {f} frames")
        # The writer measured the same: rounding of one cosine near 1 is 2e-8 rad.
        test.assertLessEqual(off, stated[0] + 1e-12 * size)
        test.assertGreaterEqual(off, stated[0] * (1 - 1e-6) - 1e-12 * size)
        test.assertLessEqual(angle, stated[1] + 1e-7)
        test.assertLess(stated[0], 2e-4 * max(size, 1))
        test.assertLess(stated[1], 6e-4)
        if "velocity" in run["bodies"]:
            for name in ("velocity", "angular_velocity", "angular_momentum"):
                numpy.testing.assert_array_equal(page.block(run["bodies"][name]), file[f"bodies/{name}"][:f])
        ledger = run["ledger"]
        all_causes = [c.decode() for c in file["ledger/causes"]]
        chosen = [all_causes.index(c) for c in ledger["causes"]]
        others = [i for i in range(len(all_causes)) if i not in chosen]
        for books, at, axis in ((ledger["total"], "ledger", 1), (ledger.get("bodies", {}), "ledger/bodies", 2)):
            for name, block in books.items():
                whole = file[f"{at}/{name}"][:f]
                if name in ("impulse", "angular_impulse", "spin_impulse", "work"):
                    test.assertFalse(numpy.take(whole, others, axis).any(), f"{name} of causes left out")
                    whole = numpy.take(whole, chosen, axis)
                numpy.testing.assert_array_equal(page.block(block), whole)
        for name, value in ledger["opening"].items():
            numpy.testing.assert_array_equal(value, file[f"ledger/opening/{name}"][()])
        return f


def has_viewer():
    said = subprocess.run([command.PROGRAM, "--version"], capture_output=True, text=True).stdout
    return "viewer (built without)" not in said


class Report(CommandTest):
    def setUp(self):
        super().setUp()
        self.viewer = has_viewer()
        if not self.viewer and self._testMethodName != "a_program_without_the_viewer_says_so":
            self.skipTest("built without the viewer")

    def trajectory(self, scene, name="run.h5", *more):
        done = self.poinsot("run", self.write("scene.yaml", scene), "--out", name, "--quiet", *more)
        self.assertIn(done.returncode, (0, 2), done.stderr)
        return self.folder / name

    def page(self, trajectory, status=0, **options):
        done = self.poinsot("report", trajectory, "-o", "page.html", **options)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def left(self):
        return sorted(p.name for p in self.folder.iterdir())

    def a_program_without_the_viewer_says_so(self):  # asked by name, of a program that has none
        if self.viewer:
            self.skipTest("built with the viewer")
        run = self.trajectory(PENDULUM)  # all else works
        for arguments in (("report", run, "-o", "page.html"), ("run", "scene.yaml", "--report", "page.html")):
            done = self.poinsot(*arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn("built without the viewer: install nodejs and npm", done.stderr)
        self.assertEqual(self.left(), ["run.h5", "scene.yaml"])

    def test_a_jointed_run_comes_back(self):
        run = self.trajectory(PENDULUM)
        done = self.page(run)
        self.assertRegex(done.stdout, r"The page is in page.html: .*B, 201 of 201 frames, poses within .* m and .* rad")
        page = Page(self.folder / "page.html")
        self.assertEqual(compare(self, page, run), 201)
        described = page.run
        self.assertEqual([j["kind"] for j in described["joints"]], ["revolute", "revolute"])
        self.assertEqual([(j["a"], j["b"]) for j in described["joints"]], [(-1, 0), (0, 1)])
        self.assertEqual(described["joints"][1]["frame_a"]["position"], [0.5, 0, 0])
        self.assertEqual(described["gravity"], [0, -9.81, 0])
        self.assertEqual([(s["a"], s["b"]) for s in described["springs"]], [(1, 2)])
        self.assertEqual(described["shapes"][page.block(described["bodies"]["shape"])[0]],
                         {"kind": "box", "sides": [1, 0.1, 0.1]})
        signals = {s["name"]: page.block(s["values"]) for s in described["signals"]}
        with h5py.File(run, "r") as file:
            q = file["bodies/orientation"][:, 0]
            x = file["bodies/position"][:]
        # Both links turn about z: the first joint's angle is that of the first link.
        turned = numpy.unwrap(2 * numpy.arctan2(q[:, 3], q[:, 0]))
        numpy.testing.assert_allclose(signals["upper hinge / angle"] - signals["upper hinge / angle"][0],
                                      turned - turned[0], atol=1e-9)
        self.assertLess(abs(signals["rubber / length"][0] - 1), 1e-12)
        self.assertEqual(described["facts"][0]["name"], "scene")

    def test_forces_and_reactions_are_those_of_the_file(self):
        for formulation in ("maximal", "reduced"):
            run = self.trajectory(PENDULUM, "run.h5", "--formulation", formulation)
            self.page(run)
            page = Page(self.folder / "page.html")
            with h5py.File(run, "r") as file:
                causes = [c.decode() for c in file["forces/causes"]]
                force, torque = file["forces/force"][:], file["forces/torque"][:]
                carried = file["joints/reaction_force"][:], file["joints/reaction_torque"][:]
                steps = file["step"][:]
            numpy.testing.assert_array_equal(page.block(page.run["samples"]["step"]), steps)
            left = {(c, b) for c in range(len(causes)) for b in range(3)}
            for entry in page.run["forces"]:
                c, b = causes.index(entry["cause"]), entry["body"]
                left.remove((c, b))
                numpy.testing.assert_array_equal(page.block(entry["force"]), force[:, b, c])
                if "torque" in entry:
                    numpy.testing.assert_array_equal(page.block(entry["torque"]), torque[:, b, c])
                else:
                    self.assertFalse(torque[:, b, c].any())
            for c, b in left:
                self.assertFalse(force[:, b, c].any() or torque[:, b, c].any())
            gravity = next(e for e in page.run["forces"] if e["cause"] == "gravity" and e["body"] == 0)
            numpy.testing.assert_array_equal(page.block(gravity["force"])[7], [0, -9.81, 0])
            for j, joint in enumerate(page.run["joints"]):
                numpy.testing.assert_array_equal(page.block(joint["reaction"]["force"]), carried[0][:, j])
                numpy.testing.assert_array_equal(page.block(joint["reaction"]["torque"]), carried[1][:, j])
                self.assertNotIn("unique", joint["reaction"])

    def test_what_stands_in_the_world_is_on_the_page(self):
        scene = """
gravity: [0, 0, -10]
bodies: [{name: ball, ball: 0.1, mass: 1, position: [0, 0, 1]}]
surfaces:
  - {name: floor, half_space: true}
  - {name: table, box: [1, 2, 0.5], position: [0, 0, 0.5], orientation: {axis: [0, 0, 1], angle: 90 deg}}
  - {name: post, cylinder: {radius: 0.1, height: 2}, position: [3, 0, 1]}
contact: {}
run: {until: 0.1, step: 0.01}
"""
        self.page(self.trajectory(scene))
        run = Page(self.folder / "page.html").run
        self.assertEqual([s["name"] for s in run["surfaces"]], ["table", "post"])
        table, post = run["surfaces"]
        self.assertEqual(run["shapes"][table["shape"]], {"kind": "box", "sides": [1, 2, 0.5]})
        self.assertEqual(table["position"], [0, 0, 0.5])
        numpy.testing.assert_allclose(table["orientation"], [0.5 ** 0.5, 0, 0, 0.5 ** 0.5], atol=1e-15)
        self.assertEqual(run["shapes"][post["shape"]], {"kind": "cylinder", "radius": 0.1, "height": 2})
        self.assertEqual(run["ground"]["normal"], [0, 0, 1])

    def test_other_planes_and_surfaces_of_bodies_are_on_the_page(self):
        self.write("wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n"
                                "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n")  # dented: its hull is not it
        self.write("brick.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")  # its hull is it
        scene = """
gravity: [0, 0, -10]
bodies:
  - {name: sledge, box: [2, 1, 0.2], mass: 5, position: [0, 0, 3]}
  - {name: rock, mesh: wedge.obj, density: 100, position: [4, 0, 3], collides: hull}
  - {name: frame, mass: 1, inertia: [1, 1, 1], position: [8, 0, 3]}
  - {name: brick, mesh: brick.obj, density: 100, position: [12, 0, 3], collides: hull}
particles:
  - {name: bead, mass: 1, position: [-4, 0, 3], radius: 0.25}
  - {name: mote, mass: 1, position: [-5, 0, 3]}
surfaces:
  - {name: wall, plane: true, position: [-20, 0, 0], orientation: {axis: [0, 1, 0], angle: 90 deg}}
  - {name: floor, half_space: true, margin: 0.1}
  - {name: ramp, half_space: true, position: [20, 0, 0], orientation: {axis: [0, 1, 0], angle: -45 deg}}
  - {name: "runner <b>", body: sledge, capsule: {radius: 0.05, height: 2}, position: [0, 0.5, -0.2]}
  - {name: handle, body: frame, ball: 0.3, position: [0, 0, 0.5]}
contact: {}
run: {until: 0.05, step: 0.01}
"""
        self.page(self.trajectory(scene))
        page = Page(self.folder / "page.html")
        run = page.run
        # The ground is what looks up most, wherever it stands in the list.
        self.assertEqual((run["ground"]["name"], run["ground"]["normal"]), ("floor", [0, 0, 1]))
        numpy.testing.assert_allclose(run["ground"]["point"], [0, 0, 0.1])
        self.assertEqual([p["name"] for p in run["planes"]], ["wall", "ramp"])
        numpy.testing.assert_allclose(run["planes"][0]["normal"], [1, 0, 0], atol=1e-15)
        numpy.testing.assert_allclose(run["planes"][1]["normal"], [-0.5 ** 0.5, 0, 0.5 ** 0.5], atol=1e-15)
        found = {s["name"]: s for s in run["surfaces"]}
        self.assertEqual(set(found), {"rock", "runner <b>", "handle"})
        self.assertEqual([found[n]["body"] for n in ("rock", "runner <b>", "handle")], [1, 0, 2])
        self.assertEqual(run["shapes"][found["runner <b>"]["shape"]], {"kind": "capsule", "radius": 0.05, "height": 2})
        self.assertEqual(found["runner <b>"]["position"], [0, 0.5, -0.2])
        hull = run["shapes"][found["rock"]["shape"]]
        corners = page.block(hull["vertices"])[numpy.unique(page.block(hull["triangles"]))]
        self.assertEqual(len(corners), 4)  # the dent is not on it
        a, b, c = (page.block(hull["vertices"])[page.block(hull["triangles"])[:, k]] for k in range(3))
        self.assertAlmostEqual(float(numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6), 1 / 6, delta=1e-6)  # outwards, closed
        shapes = [run["shapes"][i] for i in page.block(run["bodies"]["shape"])]
        self.assertEqual(shapes[4:], [{"kind": "ball", "radius": 0.25}, {"kind": "none"}])

    def test_springs_dampers_and_bushings_are_on_the_page(self):
        scene = """
gravity: [0, 0, -10]
bodies:
  - {name: a, box: [1, 1, 1], mass: 1}
  - {name: b, box: [1, 1, 1], mass: 1, position: [2, 0, 0]}
joints: [{name: hinge, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 0, 1], stiffness: 2}]
springs:
  - {name: coil, from: a, to: b, stiffness: 5, rest_length: 2}
  - {name: shock, from: a, to: b, damping: 3}
bushings:
  - {name: "mount <b>", bodies: [a, b], at: [1, 0, 0], stiffness: [1, 1, 1, 1, 1, 1]}
  - {name: seam, bodies: [a, b], at: [1, 0.5, 0], stiffness: [1, 1, 1, 1, 1, 1]}
beams:
  - {name: mast, root: world, at: [9, 0, 0], axis: [0, 0, 1], length: 2, segments: 3, section: {disc: 0.05}, young_modulus: 1e9, shear_modulus: 4e8, density: 500}
events: [{name: let go, release: seam, at: 0.02}]
run: {until: 0.05, step: 0.001}
"""
        self.page(self.trajectory(scene))
        run = Page(self.folder / "page.html").run
        self.assertEqual([(s["name"], s["stiffness"], s["damping"]) for s in run["springs"]], [("coil", 5, 0), ("shock", 0, 3)])
        self.assertTrue(run["joints"][0]["elastic"])
        found = {b["name"]: b for b in run["bushings"]}
        self.assertEqual(set(found), {"mount <b>", "seam", "mast/root", "mast/seam 1", "mast/seam 2"})
        mount = found["mount <b>"]
        self.assertEqual((mount["a"], mount["b"]), (0, 1))
        numpy.testing.assert_allclose(mount["frame_a"]["position"], [1, 0, 0])
        numpy.testing.assert_allclose(mount["frame_b"]["position"], [-1, 0, 0])
        self.assertAlmostEqual(found["seam"]["until"], 0.02)
        self.assertNotIn("until", mount)

    def test_rotors_tanks_and_controls_are_signals(self):
        scene = """
bodies: [{name: block, box: [1, 1, 1], mass: 2}]
rotors: [{name: wheel, body: block, axis: [0, 0, 1], inertia: 0.1, spin: 10, torque: 0.5}]
tanks: [{name: fuel, body: block, content: 1.5}]
dumps: [{tank: fuel, mass_flow: 0.6, control: throttle, at: [0, 0, 0]}]
controls: [{name: throttle, limits: [0, 1], schedule: {time: [0, 0.5], value: [1, 0.5]}}]
run: {until: 0.5, step: 0.01}
"""
        run = self.trajectory(scene)
        self.page(run)
        page = Page(self.folder / "page.html")
        signals = {s["name"]: (s["unit"], page.block(s["values"])) for s in page.run["signals"]}
        names = ("wheel / spin", "wheel / axial momentum", "fuel / content", "fuel / level", "throttle / setting")
        self.assertEqual(self.poinsot("export", run, "--csv", "parts.csv", "--signals", ",".join(names)).returncode, 0)
        table = numpy.genfromtxt(self.folder / "parts.csv", delimiter=",", skip_header=1)
        with h5py.File(run, "r") as file:
            for i, (name, unit, path) in enumerate(zip(names, ("rad/s", "kg m²/s", "kg", "m", "1"),
                                                       ("rotors/spin", "rotors/momentum", "tanks/content", "tanks/level",
                                                        "controls/value"))):
                self.assertEqual(signals[name][0], unit)
                numpy.testing.assert_array_equal(signals[name][1].reshape(-1), file[path][:, 0])
                numpy.testing.assert_array_equal(table[:, i + 1], file[path][:, 0])
        self.assertAlmostEqual(signals["fuel / content"][1][-1], 1.5 - 0.6 * 0.5 * 0.75, delta=1e-14)
        numpy.testing.assert_allclose(signals["throttle / setting"][1].reshape(-1), numpy.linspace(1, 0.5, 51), atol=1e-15)
        # Whose mass it is that a tank has: the page weighs bodies by it.
        self.assertEqual({s["name"]: s["mass_of"] for s in page.run["signals"] if "mass_of" in s}, {"fuel / content": 0})

    def test_a_body_is_drawn_where_it_is_while_its_centre_of_mass_moves_in_it(self):
        scene = """
bodies:
  - {name: shell, box: [2, 1, 1], mass: 2, orientation: {axis: [0, 1, 0], angle: 0.7 rad}}
  - {name: still, box: [1, 1, 1], mass: 1, position: [5, 0, 0]}
tanks:
  - {name: fuel, body: shell, content: 1.5, at: [0.8, 0, 0]}
  - {name: oil, body: still, content: 1, at: [0, 0.3, 0]}
dumps: [{tank: fuel, mass_flow: 0.6, at: [0.8, 0, 0]}]
run: {until: 0.5, step: 0.01, integrator: runge_kutta4}
"""
        run = self.trajectory(scene)
        self.page(run)
        page = Page(self.folder / "page.html")
        moves = page.run["bodies"]["center_moves"]
        self.assertEqual([m["body"] for m in moves], [0]) # nothing flows in the other
        center = page.block(moves[0]["values"]).reshape(-1, 3)
        with h5py.File(run, "r") as file:
            content = file["tanks/content"][:, 0]
            place = file["bodies/position"][:, 0]
            q = file["bodies/orientation"][:, 0]
        numpy.testing.assert_allclose(center[:, 0], 0.8 * content / (2 + content), rtol=1e-14)
        numpy.testing.assert_array_equal(center[0], page.block(page.run["bodies"]["center_of_mass"])[0])
        # What leaves where it was takes nothing along but itself: the shell stays, its centre of mass goes.
        x_axis = numpy.stack([1 - 2 * (q[:, 2]**2 + q[:, 3]**2), 2 * (q[:, 1] * q[:, 2] + q[:, 0] * q[:, 3]),
                              2 * (q[:, 1] * q[:, 3] - q[:, 0] * q[:, 2])], axis=1)
        numpy.testing.assert_allclose(place - center[:, :1] * x_axis, numpy.zeros((51, 3)), atol=1e-13)

    def test_both_formulations_are_one_page(self):
        scene = self.write("scene.yaml", PENDULUM)
        done = self.poinsot("run", scene, "--formulation", "both", "--report", "page.html", "--every", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.left(), ["page.html", "scene.yaml"])
        page = Page(self.folder / "page.html")
        formulations = [next(f["value"] for f in r["facts"] if f["name"] == "formulation") for r in page.runs]
        self.assertEqual(formulations, ["maximal", "reduced"])
        for run in page.runs:
            self.assertEqual(len(page.block(run["samples"]["time"])), 101)
        self.assertIn("compared with", [f["name"] for f in page.run["facts"]])

    def test_a_killed_run_leaves_no_trajectory_behind(self):
        scene = self.write("many.yaml", PARTICLES.replace("UNTIL", "1000"))
        for more in ((), ("--formulation", "both")):
            writer = subprocess.Popen([command.PROGRAM, "run", scene, "--report", "page.html", "--quiet", *more],
                                      cwd=self.folder)
            until = time.monotonic() + 60
            opened = 0
            while opened < (2 if more else 1): # the trajectory has no name any more
                time.sleep(0.05)
                self.assertIsNone(writer.poll())
                self.assertLess(time.monotonic(), until)
                links = pathlib.Path(f"/proc/{writer.pid}/fd").iterdir()
                names = {str(link.readlink()) for link in links}
                opened = sum("run.h5" in n and n.endswith("(deleted)") for n in names)
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            self.assertEqual(self.left(), ["many.yaml"])

    def test_markup_in_names_stays_text(self):
        self.page(self.trajectory(PENDULUM))
        page = Page(self.folder / "page.html")
        self.assertEqual(page.run["bodies"]["names"][0], MARKUP)
        self.assertEqual(page.run["story"], MARKUP)
        self.assertNotIn("<img src=x", page.text)
        self.assertIn("<title>Two links &amp; a &lt;b&gt;spring&lt;/b&gt; · Poinsot</title>", page.text)

    def test_frames_left_out_are_within_the_error(self):
        run = self.trajectory(PARTICLES.replace("UNTIL", "1"))
        self.page(run)
        page = Page(self.folder / "page.html")
        compare(self, page, run)
        self.assertLess(len(page.block(page.run["frames"]["time"])), 300)
        self.assertNotIn("velocity", page.run["bodies"])

    def test_run_with_report_leaves_the_page_alone(self):
        scene = self.write("scene.yaml", PENDULUM)
        done = self.poinsot("run", scene, "--report", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The page is in page.html", done.stdout)
        self.assertEqual(self.left(), ["page.html", "scene.yaml"])
        facts = {f["name"]: f["value"] for f in Page(self.folder / "page.html").run["facts"]}
        self.assertRegex(facts["cost"], "s of processor, .* s by the clock, 200 steps, .* µs a step, .* times real time")
        both = self.poinsot("run", scene, "--report", "page.html", "--out", "run.h5", "--json", "--every", "4")
        answer = json.loads(both.stdout)
        self.assertEqual(answer["report"]["bytes"], (self.folder / "page.html").stat().st_size)
        self.assertEqual(compare(self, Page(self.folder / "page.html"), self.folder / "run.h5"), 51)

    def test_what_a_run_cost_is_in_its_file_and_on_its_page(self):
        scene = self.write("scene.yaml", PENDULUM)
        answer = self.run_json(scene, "--out", "run.h5")
        with h5py.File(self.folder / "run.h5", "r") as file:
            processor, wall, steps = (float(file[f"final/{name}"][()]) for name in ("processor_seconds", "wall_seconds", "steps"))
            self.assertEqual(file["final/state_hash"][()].decode(), answer["state_hash"])
        self.assertEqual(steps, 200)
        self.assertGreater(processor, 0)
        self.assertEqual(wall, answer["wall_seconds"])
        self.page("run.h5")
        cost = next(f["value"] for f in Page(self.folder / "page.html").run["facts"] if f["name"] == "cost")
        self.assertEqual(cost, f"{processor:.3g} s of processor, {wall:.3g} s by the clock, 200 steps, "
                               f"{1e6 * wall / 200:.3g} µs a step, {2 / wall:.3g} times real time")
        # Two runs of the same scene cost what they cost, and are the same run.
        again = self.run_json(scene, "--out", "again.h5")
        self.assertEqual(again["state_hash"], answer["state_hash"])
        done = self.poinsot("run", scene, "--formulation", "both", "--report", "page.html", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        costs = [f["value"] for run in Page(self.folder / "page.html").runs for f in run["facts"] if f["name"] == "cost"]
        self.assertEqual(len(costs), 1)
        self.assertRegex(costs[0], "s by the clock for both, 200 steps each")

    def test_a_run_of_no_steps_is_one_frame(self):
        scene = self.write("scene.yaml", command.TUMBLING)
        self.assertEqual(self.poinsot("run", scene, "--checkpoint", "end", "--quiet").returncode, 0)
        done = self.poinsot("run", scene, "--resume", "end", "--out", "none.h5", "--report", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(compare(self, Page(self.folder / "page.html"), self.folder / "none.h5"), 1)

    def test_bad_input_is_named(self):
        run = self.trajectory(command.TUMBLING)
        for arguments, words in (
                (("report", "none.h5", "-o", "a.html"), "none.h5: no such file"),
                (("report", self.write("text.h5", "x" * 4000), "-o", "a.html"), "no HDF5 file"),
                (("report", run, "-o", "none/a.html"), "does its folder exist?"),
                (("report", run, "-o", run), "would overwrite the trajectory"),
                (("report", run), "--output is required"),
                (("report", run, "-o", ""), "--output"),
                (("run", "scene.yaml", "--report", "scene.yaml"), "would overwrite the scene"),
                (("run", "scene.yaml", "--report", "none/a.html"), "--report"),
                (("run", "scene.yaml", "--report", "a.h5", "--out", "a.h5"), "would overwrite"),
                (("run", "scene.yaml", "--report", "a.html", "--out", "a.csv"), "--report"),
                (("run", "scene.yaml", "--report", "none/a.html", "--formulation", "both"), "--report"),
                (("run", "scene.yaml", "--report", "scene.yaml", "--formulation", "both"), "would overwrite the scene"),
                (("run", "scene.yaml", "--forces", "on"), "--forces"),
                (("run", "scene.yaml", "--forces", "yes", "--out", "a.h5"), "must be on or off")):
            before = self.left()
            done = self.poinsot(*arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(self.left(), before)
        with h5py.File(run, "a") as file:
            file.attrs["layout_version"] = [2, 0]
        self.assertIn("has the layout 2.0", self.page(run, 1).stderr)
        with h5py.File(self.folder / "foreign.h5", "w") as file:
            file["x"] = 1
        self.assertIn("no trajectory of Poinsot", self.page("foreign.h5", 1).stderr)

    def test_a_number_that_is_none_is_named(self):
        run = self.trajectory(command.TUMBLING)
        with h5py.File(run, "a") as file:
            file["bodies/position"][7, 0, 1] = numpy.nan
        self.assertIn("/bodies/position: frame 7, body 'block'", self.page(run, 1).stderr)
        self.assertEqual(self.left(), ["run.h5", "scene.yaml"])

    def test_a_scene_that_is_none_any_more_leaves_joints_out(self):
        run = self.trajectory(PENDULUM)
        with h5py.File(run, "a") as file:
            file["provenance/scene_as_read"][0] = "bodies: ["
        self.assertIn("joints, springs and gravity are left out", self.page(run).stdout)
        page = Page(self.folder / "page.html")
        self.assertNotIn("joints", page.run)
        compare(self, page, run)

    def test_the_file_of_a_killed_writer_makes_a_page(self):
        scene = self.write("many.yaml", PARTICLES.replace("UNTIL", "1000"))
        out = self.folder / "many.h5"
        writer = subprocess.Popen([command.PROGRAM, "run", scene, "--out", out, "--quiet"])
        while True:
            time.sleep(0.2)
            try:
                with h5py.File(out, "r", swmr=True) as file:
                    if len(file["time"]) > 20:
                        break
            except OSError:
                self.assertIsNone(writer.poll())
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        self.page(out)
        page = Page(self.folder / "page.html")
        self.assertGreater(compare(self, page, out), 20)
        self.assertEqual(page.run["outcome"]["ended"], "running")
        self.assertNotIn("cost", [f["name"] for f in page.run["facts"]])

    def test_a_full_disk_leaves_nothing_and_the_old_page(self):
        run = self.trajectory(PENDULUM)
        old = self.write("page.html", "precious")
        for limit in (1000, 500_000, 800_000):
            done = self.page(run, 1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertIn("page.html: cannot be written", done.stderr)
            self.assertEqual(old.read_text(), "precious")
            self.assertEqual(self.left(), ["page.html", "run.h5", "scene.yaml"])


if __name__ == "__main__":
    command.main()
