#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs for other programs: glTF that its specification accepts, and signals as CSV."""
import csv
import json
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command
from command import CommandTest
from report import MARKUP, PENDULUM

VALIDATOR = "gltf-validator@2.0.0-dev.3.10" # Khronos's own
TYPES = {5126: ("<f4", 4), 5125: ("<u4", 4)}
WIDE = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def has_gltf():
    said = subprocess.run([command.PROGRAM, "--version"], capture_output=True, text=True).stdout
    return "gltf (built without)" not in said


class Glb:
    """A binary glTF by the words of its specification alone."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON" and size % 4 == 0
        self.json = json.loads(data[20:20 + size])
        more, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0" and more % 4 == 0 and 28 + size + more == len(data)
        self.data = data[28 + size:]
        assert self.json["buffers"][0]["byteLength"] <= len(self.data)

    def accessor(self, number):
        about = self.json["accessors"][number]
        view = self.json["bufferViews"][about["bufferView"]]
        kind, _ = TYPES[about["componentType"]]
        count = about["count"] * WIDE[about["type"]]
        begin = view.get("byteOffset", 0) + about.get("byteOffset", 0)
        assert about.get("byteOffset", 0) + 4 * count <= view["byteLength"]
        values = numpy.frombuffer(self.data, kind, count, begin).reshape(about["count"], -1)
        if "min" in about:
            numpy.testing.assert_array_equal(values.min(axis=0), numpy.float32(about["min"]))
            numpy.testing.assert_array_equal(values.max(axis=0), numpy.float32(about["max"]))
        return values


class Export(CommandTest):
    def setUp(self):
        super().setUp()
        done = self.poinsot("run", self.write("scene.yaml", PENDULUM), "--out", "run.h5", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.before = self.left()

    def left(self):
        return sorted(p.name for p in self.folder.iterdir())

    def made(self, *arguments):
        done = self.poinsot("export", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done

    def test_gltf_has_the_poses_of_the_file(self):
        if not has_gltf():
            self.assertIn("built without glTF", self.poinsot("export", "run.h5", "run.glb").stderr)
            self.skipTest("built without glTF")
        answer = json.loads(self.made("run.h5", "run.glb", "--json").stdout)
        self.assertEqual(answer["gltf"]["bytes"], (self.folder / "run.glb").stat().st_size)
        glb = Glb(self.folder / "run.glb")
        nodes, motion = glb.json["nodes"], glb.json["animations"][0]
        self.assertEqual([n["name"] for n in nodes], ["Poinsot", MARKUP, "lower", "bob"])
        numpy.testing.assert_allclose(nodes[0]["rotation"], [0, 0, 0, 1], atol=1e-15) # up is y here already
        with h5py.File(self.folder / "run.h5") as file:
            time, x = file["time"][:], file["bodies/position"][:]
            q = numpy.roll(file["bodies/orientation"][:], -1, axis=-1)
        self.assertEqual(len(motion["channels"]), 6)
        for channel in motion["channels"]:
            sampler = motion["samplers"][channel["sampler"]]
            self.assertEqual(sampler["interpolation"], "LINEAR")
            body = channel["target"]["node"] - 1
            numpy.testing.assert_array_equal(glb.accessor(sampler["input"])[:, 0], numpy.float32(time))
            values = glb.accessor(sampler["output"])
            if channel["target"]["path"] == "translation": # centres of mass are the origins here
                numpy.testing.assert_allclose(values, x[:, body], atol=4e-7)
            else:
                self.assertTrue((numpy.sum(values[1:] * values[:-1], axis=-1) > 0).all())
                numpy.testing.assert_allclose(abs(numpy.sum(values * q[:, body], axis=-1)), 1, atol=3e-7)
        for mesh in glb.json["meshes"]:
            for part in mesh["primitives"]:
                points = glb.accessor(part["attributes"]["POSITION"])
                self.assertLess(glb.accessor(part["indices"]).max(), len(points))
                normals = glb.accessor(part["attributes"]["NORMAL"])
                numpy.testing.assert_allclose(numpy.linalg.norm(normals, axis=-1), 1, atol=1e-6)

    def test_the_validator_of_gltf_finds_nothing(self):
        if not has_gltf():
            self.skipTest("built without glTF")
        if not shutil.which("npm"):
            self.skipTest("no npm, which brings the validator")
        shapes = """
bodies:
  - {name: bare, mass: 6, inertia: [10, 5, 13], position: [15, 0, 0], angular_velocity: [9, 0.1, 0]}
  - {name: ball, ball: 0.5, mass: 1, position: [5, 0, 0]}
  - {name: egg, ellipsoid: [0.2, 0.3, 0.4], mass: 1, position: [7, 0, 0]}
  - {name: tin, cylinder: {radius: 0.3, height: 1}, mass: 1, position: [9, 0, 0]}
  - {name: pill, capsule: {radius: 0.3, height: 1}, mass: 1, position: [11, 0, 0]}
  - {name: hat, cone: {radius: 0.3, height: 1}, mass: 1, position: [13, 0, 0]}
run: {until: 2.0, step: 0.01}
"""
        self.poinsot("run", self.write("shapes.yaml", shapes), "--out", "shapes.h5", "--quiet")
        self.made("run.h5", "run.glb")
        self.made("shapes.h5", "shapes.glb")
        place = pathlib.Path(tempfile.gettempdir()) / "poinsot-gltf-validator"
        if not (place / "node_modules/gltf-validator").exists():
            try:
                got = subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", place,
                                      VALIDATOR], capture_output=True, timeout=120).returncode
            except subprocess.TimeoutExpired:
                got = 1
            if got != 0:
                self.skipTest(f"{VALIDATOR} cannot be had")
        judge = ("const v = require('gltf-validator'), fs = require('fs');"
                 "v.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])))"
                 ".then(r => console.log(JSON.stringify(r)));")
        for name in ("run.glb", "shapes.glb"):
            done = subprocess.run(["node", "-e", judge, self.folder / name], cwd=place, capture_output=True,
                                  text=True, env={"NODE_PATH": str(place / "node_modules"), "PATH": "/usr/bin:/bin"})
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            print(name, {k: v for k, v in report["issues"].items() if k.startswith("num")})
            self.assertEqual(report["issues"]["numErrors"], 0, report["issues"]["messages"])
            self.assertEqual(report["issues"]["numWarnings"], 0, report["issues"]["messages"])
            self.assertTrue(report["info"]["hasMorphTargets"] is False and report["info"]["animationCount"] == 1)

    def test_signals_are_those_of_the_file(self):
        listed = self.made("run.h5", "--list").stdout.splitlines()
        self.assertIn("upper hinge / angle [rad]", listed)
        self.assertIn("upper hinge / reaction force y [N]", listed)
        self.assertIn("bob / gravity force y [N]", listed)
        self.assertIn("energy / total [J]", listed)
        names = [s["name"] for s in json.loads(self.made("run.h5", "--list", "--json").stdout)["signals"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(names), len(listed))
        chosen = ["bob / position x", "lower / p size", "energy / kinetic", MARKUP + " / attitude w"]
        self.made("run.h5", "--csv", "out.csv", "--signals", ", ".join(chosen[:3]), "--signals", chosen[3])
        with open(self.folder / "out.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual([c.rsplit(" [", 1)[0] for c in rows[0]], ["time", *chosen])
        values = numpy.array(rows[1:], dtype=float)
        with h5py.File(self.folder / "run.h5") as file:
            numpy.testing.assert_array_equal(values[:, 0], file["time"][:])
            numpy.testing.assert_array_equal(values[:, 1], file["bodies/position"][:, 2, 0])
            numpy.testing.assert_allclose(values[:, 2], numpy.linalg.norm(file["bodies/momentum"][:, 1], axis=-1),
                                          rtol=1e-15)
            numpy.testing.assert_array_equal(values[:, 3], file["ledger/kinetic_energy"][:])
            numpy.testing.assert_array_equal(values[:, 4], file["bodies/orientation"][:, 0, 0])

    def test_bad_input_is_named_and_leaves_nothing(self):
        self.write("text.h5", "x" * 4000)
        whole = (self.folder / "run.h5").read_bytes()
        self.write("cut.h5", whole[:len(whole) // 3])
        before = self.left()
        for arguments, words in (
                (("none.h5", "a.glb"), "none.h5: no such file"),
                (("text.h5", "a.glb"), "is no HDF5 file"),
                (("cut.h5", "a.glb"), "cut.h5"),
                (("run.h5",), "what shall be made of it?"),
                (("run.h5", "a.obj"), "name it FILE.glb"),
                (("run.h5", "none/a.glb"), "a.glb"),
                (("run.h5", "--csv", "a.csv"), "needs --signals"),
                (("run.h5", "--signals", "energy / total"), "needs --csv"),
                (("run.h5", "--csv", "a.csv", "--signals", "enrgy / total"), "did you mean 'energy / total'?"),
                (("run.h5", "--csv", "none/a.csv", "--signals", "energy / total"), "does its folder exist?"),
                (("run.h5", "--csv", "run.h5", "--signals", "energy / total"), "would overwrite the trajectory"),
                (("run.h5", "--csv", "", "--signals", "energy / total"), "--csv")):
            done = self.poinsot("export", *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(self.left(), before)
        for arguments in (("run.h5", "a.glb"), ("run.h5", "--csv", "a.csv", "--signals", "energy / total")):
            done = self.poinsot("export", *arguments, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (1000, 1000)))
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "cannot be written|built without")
            self.assertEqual(self.left(), before)
        self.assertEqual((self.folder / "run.h5").read_bytes(), whole)

    def test_a_number_that_is_none_is_named(self):
        with h5py.File(self.folder / "run.h5", "a") as file:
            file["bodies/position"][7, 0, 1] = numpy.nan
        for arguments in (("run.h5", "a.glb"),) if has_gltf() else ():
            done = self.poinsot("export", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn("/bodies/position: frame 7", done.stderr)
        self.assertEqual(self.left(), self.before)

    def test_a_run_of_no_steps_stands_still(self):
        scene = self.write("still.yaml", command.TUMBLING)
        self.assertEqual(self.poinsot("run", scene, "--checkpoint", "end", "--quiet").returncode, 0)
        self.assertEqual(self.poinsot("run", scene, "--resume", "end", "--out", "none.h5").returncode, 0)
        self.made("none.h5", "--csv", "a.csv", "--signals", "block / position z")
        self.assertEqual(len((self.folder / "a.csv").read_text().splitlines()), 2)
        self.assertEqual(self.poinsot("compare", "none.h5", "none.h5").returncode, 0)
        if has_gltf():
            self.made("none.h5", "a.glb")
            self.assertNotIn("animations", Glb(self.folder / "a.glb").json)


if __name__ == "__main__":
    command.main()
