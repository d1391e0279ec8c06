#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of a large run has a size that a browser takes."""
import pathlib
import sys
import time

import h5py
import numpy

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent), str(pathlib.Path(__file__).parent)]
import command
from command import CommandTest
from report import Page, has_viewer


class Size(CommandTest):
    def ten_thousand(self):
        """Spinning balls on parabolas, 1001 frames: by hand, since computing them takes longer."""
        n, f = 10_000, 1001
        run = self.folder / "run.h5"
        scene = self.write("scene.yaml", command.TUMBLING)
        self.assertEqual(self.poinsot("run", scene, "--until", "0.02", "--forces", "off", "--out", run,
                                      "--quiet").returncode, 0)
        dice = numpy.random.default_rng(7)
        start, speed = dice.uniform(-50, 50, (n, 3)), dice.uniform(-10, 10, (n, 3))
        axis = dice.normal(size=(n, 3))
        axis /= numpy.linalg.norm(axis, axis=1, keepdims=True)
        rate = dice.uniform(1, 4, (n, 1))
        with h5py.File(run, "a") as file:
            def replace(name, **new):
                del file[name]
                return file.create_dataset(name, **new)
            t = numpy.linspace(0, 5, f)
            replace("time", data=t)
            replace("step", data=numpy.arange(f))
            text = h5py.string_dtype()
            replace("bodies/names", data=numpy.array([f"b{i}" for i in range(n)], object), dtype=text)
            replace("bodies/shape", data=numpy.array(["ball"] * n, object), dtype=text)
            replace("bodies/shape_mesh", data=numpy.array([""] * n, object), dtype=text)
            replace("bodies/shape_size", data=numpy.full((n, 3), 0.4))
            replace("bodies/particle", data=numpy.zeros(n, "i1"))
            replace("bodies/mass", data=numpy.ones(n))
            replace("bodies/center_of_mass", data=numpy.zeros((n, 3)))
            replace("bodies/inertia", data=numpy.broadcast_to(0.064 * numpy.eye(3), (n, 3, 3)))
            x = replace("bodies/position", shape=(f, n, 3), dtype="f8", chunks=(1, n, 3))
            q = replace("bodies/orientation", shape=(f, n, 4), dtype="f8", chunks=(1, n, 4))
            for i, at in enumerate(t):
                x[i] = start + speed * at - [0, 0, 9.81 / 2 * at * at]
                q[i] = numpy.hstack([numpy.cos(rate * at / 2), axis * numpy.sin(rate * at / 2)])
            for name in ("velocity", "angular_velocity", "momentum", "angular_momentum"):
                replace(f"bodies/{name}", shape=(f, n, 3), dtype="f4", chunks=(1, n, 3))
            for name, old in list(file["ledger"].items()):
                if isinstance(old, h5py.Dataset) and name != "causes":
                    replace(f"ledger/{name}", shape=(f, *old.shape[1:]), dtype="f8")
        return run

    def test_ten_thousand_bodies_stay_below_150_MB(self):
        if not has_viewer():
            self.skipTest("built without the viewer")
        run = self.ten_thousand()
        begin = time.monotonic()
        done = self.poinsot("report", run, "-o", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("velocities are left out", done.stdout)
        page = self.folder / "page.html"
        print(f"{page.stat().st_size / 1e6:.1f} MB in {time.monotonic() - begin:.1f} s")
        self.assertLess(page.stat().st_size, 150e6)
        page, some = Page(page), slice(None, None, 100)
        with h5py.File(run, "r") as file:
            x, q = page.shown(file["time"][:], some)
            off = numpy.linalg.norm(x - file["bodies/position"][:, some], axis=-1).max()
            dot = abs(numpy.sum(q * file["bodies/orientation"][:, some], axis=-1))
        print(f"{len(page.block(page.run['frames']['time']))} frames, off by {off:.2g} m")
        self.assertLessEqual(off, page.run["bodies"]["position"]["error"] * (1 + 1e-9))
        angle = 2 * numpy.arccos(numpy.minimum(1, dot)).max()
        self.assertLessEqual(angle, page.run["bodies"]["orientation"]["error"] + 1e-7)


if __name__ == "__main__":
    command.main()
