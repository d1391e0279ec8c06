#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs that end early: Ctrl-C, a number that is none, a disk that is full, books that do not balance."""
import csv
import json
import math
import pathlib
import resource
import signal
import subprocess
import sys
import time

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import TUMBLING, CommandTest

LONG = TUMBLING.replace("until: 1.0", "until: 1.0e6").replace("step: 0.01", "step: 0.001")
# Explicit Euler makes energy out of a stiff spring until the numbers overflow.
EXPLODING = """
particles:
  - {name: still, mass: 1.0, position: [9.0, 9.0, 9.0]}
  - {name: bob, mass: 1.0, position: [1.0, 0, 0]}
springs:
  - {name: strut, from: {world: [0, 0, 0]}, to: bob, stiffness: 1.0e6}
run: {until: 100, step: 0.01, integrator: explicit_euler}
"""

ENDLESS = """
particles: [{name: bob, mass: 1.0, position: [1.0, 0, 0]}]
springs: [{name: strut, from: {world: [0, 0, 0]}, to: bob, stiffness: 1.0e10}]
run:
  {until: 1.0e6, step: 1.0e5, integrator: adaptive, tolerance: {relative: 1.0e-10, most_substeps: 1000000000}}
"""


def limit(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Stopping(CommandTest):
    def stopped(self, *arguments, by=signal.SIGINT, after=0.5):
        run = subprocess.Popen([command.PROGRAM, "run", *map(str, arguments)], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        run.send_signal(by)
        out, err = run.communicate(timeout=60)
        return run.returncode, out, err

    def test_ctrl_c_keeps_what_was_computed(self):
        scene = self.write("long.yaml", LONG)
        for signal_ in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal_):
                out, kept = self.folder / "long.h5", self.folder / "long.ckpt"
                status, text, err = self.stopped(scene, "--out", out, "--every", 100, "--checkpoint", kept,
                                                 by=signal_)
                self.assertEqual(status, 130, err)
                self.assertIn("Stopped at t = ", err)
                self.assertIn("long.h5", err)
                self.assertIn("--resume", err)
                self.assertIn("State hash", text)
                with h5py.File(out, "r") as file:
                    self.assertGreater(len(file["time"]), 1)
                    self.assertEqual(file["final/ended"][()], b"stopped")
                    self.assertEqual(file["events/kind"][:].tolist(), [b"stopped"])
                    for name in ("step", "bodies/position", "ledger/p", "ledger/work"):
                        self.assertEqual(len(file[name]), len(file["time"]), name)
                    step = int(file["step"][-1])
                whole = self.run_json(scene, "--until", step / 1000)
                saved = json.loads(kept.read_text())
                self.assertEqual(saved["state_hash"], whole["state_hash"])
                self.assertEqual(saved["content"]["step"], step)

    def test_ctrl_c_ends_a_step_that_is_under_way(self):
        """Steps of hours, in sub-steps of microseconds."""
        scene = self.write("endless.yaml", ENDLESS)
        for integrator in ("adaptive", "adams", "bdf"):
            for signal_ in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(integrator=integrator, signal=signal_):
                    status, text, err = self.stopped(scene, "--integrator", integrator, "--out", "a.h5",
                                                     "--checkpoint", "a.ckpt", by=signal_)
                    if "built without" in err:
                        continue
                    self.assertEqual(status, 130, err)
                    self.assertIn("Stopped at t = 0 s, step 0. The motion so far is in a.h5. "
                                  "Go on with --resume a.ckpt.", err)
                    self.assertIn("State hash", text)
                    with h5py.File(self.folder / "a.h5", "r") as file:
                        self.assertEqual(file["final/ended"][()], b"stopped")
                        self.assertEqual(len(file["time"]), 1)
                    self.assertEqual(json.loads((self.folder / "a.ckpt").read_text())["content"]["step"], 0)

    def test_ctrl_c_keeps_the_csv(self):
        scene = self.write("long.yaml", LONG)
        status, _, err = self.stopped(scene, "--out", "long.csv", "--every", 100)
        self.assertEqual(status, 130, err)
        rows = list(csv.reader((self.folder / "long.csv").open()))
        self.assertGreater(len(rows), 2)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertFalse((self.folder / "long.csv.part").exists())

    def test_ctrl_c_in_json_is_one_object(self):
        scene = self.write("long.yaml", LONG)
        status, text, _ = self.stopped(scene, "--json")
        self.assertEqual(status, 130)
        self.assertEqual(json.loads(text)["ended"], "stopped")

    def test_a_number_that_is_none_ends_the_run_and_keeps_the_last_good_state(self):
        scene = self.write("exploding.yaml", EXPLODING)
        out = self.folder / "bang.h5"
        done = self.poinsot("run", scene, "--out", out)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"step \d+: the motion of body 'bob' is not a number; cause: spring")
        self.assertIn("bang.h5.checkpoint", done.stderr)
        with h5py.File(out, "r") as file:
            self.assertEqual(file["final/ended"][()], b"failed")
            self.assertIn(b"bob", file["events/text"][0])
            last = int(file["step"][-1])
            self.assertTrue(all(map(math.isfinite, file["bodies/position"][:].ravel())))
        saved = json.loads((self.folder / "bang.h5.checkpoint").read_text())
        self.assertEqual(saved["content"]["step"], last)
        # Going on from it fails in the same step; nothing is repaired in silence.
        again = self.poinsot("run", scene, "--resume", "bang.h5.checkpoint")
        self.assertEqual(again.returncode, 1)
        self.assertIn(f"step {last + 1}: ", again.stderr)

    def test_a_number_that_is_none_without_output(self):
        scene = self.write("exploding.yaml", EXPLODING)
        done = self.poinsot("run", scene, "--json")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout)["ended"], "failed")
        self.assertTrue((self.folder / "exploding.last_good.checkpoint").exists())

    def test_a_run_that_failed_has_no_books_that_balance(self):
        scene = self.write("exploding.yaml", EXPLODING)
        done = self.poinsot("run", scene)
        self.assertEqual(done.returncode, 1)
        self.assertIn("THE RUN DID NOT FINISH", done.stdout)
        self.assertNotIn("The books balance", done.stdout)
        self.assertNotIn("nan", done.stdout[:done.stdout.index("THE BOOKS")])
        self.assertFalse(json.loads(self.poinsot("run", scene, "--json").stdout)["balanced"])

    def test_the_heading_tells_the_true_end(self):
        scene = self.write("scene.yaml", TUMBLING.replace("step: 0.01", "step: 0.3"))
        self.assertIn(": 1.2 s (the first whole step after 1 s) in 4 steps", self.poinsot("run", scene).stdout)

    def test_standard_output_that_is_lost(self):
        scene = self.write("scene.yaml", TUMBLING)
        for arguments in (("check", scene), ("check", scene, "--write"), ("examples",), ("--help",),
                          ("run", "--help"), ("run", scene)):
            with self.subTest(arguments), open("/dev/full", "w") as full:
                done = self.poinsot(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 1)
                self.assertIn("standard output: cannot be written", done.stderr)

    def test_standard_error_that_is_lost(self):
        with open("/dev/full", "w") as full:
            done = self.poinsot("run", "no_such.yaml", capture_output=False, stderr=full)
        self.assertEqual(done.returncode, 1)

    def test_closed_descriptors_are_not_given_to_files(self):
        scene = self.write("scene.yaml", TUMBLING)
        self.assertEqual(self.poinsot("run", scene, "--out", "a.csv").returncode, 0)
        for option, status in (("", 1), ("--quiet", 0)):  # a report that was lost; none to lose
            done = subprocess.run(f"'{command.PROGRAM}' run '{scene}' {option} --out b.csv >&- 2>&- <&-",
                                  shell=True, cwd=self.folder)
            self.assertEqual(done.returncode, status)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_books_that_do_not_balance(self):
        scene = self.write("scene.yaml", TUMBLING)
        done = self.poinsot("run", scene, "--integrator", "explicit_euler", "--energy-tolerance", "1e-6")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("THE BOOKS DO NOT BALANCE: energy is off by", done.stdout)
        answer = self.run_json(scene, "--integrator", "explicit_euler", "--energy-tolerance", "1e-6",
                               status=2)
        self.assertFalse(answer["balanced"])
        self.assertIn("energy", answer["verdict"])

    def test_full_disk(self):
        scene = self.write("long.yaml", LONG.replace("1.0e6", "100.0"))
        done = self.poinsot("run", scene, "--out", "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/dev/full: cannot be written: No space left on device; make room", done.stderr)
        for name in ("long.csv", "long.h5"):
            with self.subTest(name):
                self.write(name, "precious") if name.endswith("csv") else None
                done = self.poinsot("run", scene, "--out", name, preexec_fn=limit(1 << 20))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"{name}: cannot be written: File too large; the limit on file sizes",
                              done.stderr)
        self.assertEqual((self.folder / "long.csv").read_text(), "precious")
        # Of a CSV there is what there was room for, and the message says where.
        done = self.poinsot("run", scene, "--out", "long.csv", preexec_fn=limit(1 << 20))
        self.assertIn("what there was room for is in long.csv.part", done.stderr)
        lines = (self.folder / "long.csv.part").read_text().splitlines()
        self.assertTrue(lines[0].startswith("time [s]"))
        self.assertEqual(lines[1].count(","), lines[0].count(","))
        self.assertEqual(lines[-2].count(","), lines[0].count(","))
        self.assertGreater((self.folder / "long.csv.part").stat().st_size, 1 << 19)
        # With room for a block of every series there are frames.
        done = self.poinsot("run", scene, "--out", "more.h5", preexec_fn=limit(8 << 20))
        self.assertEqual(done.returncode, 1, done.stderr)
        with h5py.File(self.folder / "more.h5", "r") as file:
            n = len(file["time"])
            self.assertGreater(n, 100)
            self.assertEqual(file["step"][n - 1], n - 1)
            self.assertEqual(file["final/ended"][()], b"failed")
        with h5py.File(self.folder / "long.h5", "r") as file:  # what was written before is readable
            n = len(file["time"])
            self.assertGreaterEqual(len(file["bodies/position"]), n)
            file["bodies/position"][:n]

    def test_books_that_are_not_kept_are_not_said_to_balance(self):
        text = TUMBLING.replace("step: 0.01", "step: 0.01, integrator: explicit_euler, energy_tolerance: 1e-9")
        scene = self.write("scene.yaml", text)
        self.assertEqual(self.poinsot("run", scene).returncode, 2)
        for formulation in ((), ("--formulation", "both")):
            with self.subTest(formulation=formulation):
                answer = self.run_json(scene, "--ledger", "off", *formulation)
                self.assertIsNone(answer["balanced"])
                self.assertEqual(answer["verdict"], "not kept; the energy tolerance 1e-09 was not checked")
                said = self.poinsot("run", scene, "--ledger", "off", *formulation)
                self.assertEqual(said.returncode, 0, said.stderr)
                self.assertIn("The ledger was off: the books were not kept; the energy tolerance 1e-09 was not checked.",
                              said.stdout)
                self.assertNotIn("balance", said.stdout)
        plain = self.write("plain.yaml", TUMBLING)
        self.assertEqual(self.run_json(plain, "--ledger", "off")["verdict"], "not kept")
        self.assertEqual(self.poinsot("run", plain, "--ledger", "off", "--out", "a.h5").returncode, 0)
        with h5py.File(self.folder / "a.h5", "r") as file:
            self.assertEqual(file["final/balanced"][()], b"not kept")
            self.assertEqual(file["final/verdict"][()], b"not kept")
        off = self.write("off.yaml", TUMBLING + "ledger: {detail: off}\n")
        for option, value in (("--energy-tolerance", "1e-6"), ("--ledger-every", "5")):
            with self.subTest(option):
                done = self.poinsot("run", plain, "--ledger", "off", option, value)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{option}: has no effect: with --ledger off no books are kept; leave one of the two out",
                              done.stderr)
                done = self.poinsot("run", off, option, value)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{option}: has no effect: the ledger of the scene is off; give --ledger totals", done.stderr)
                self.assertEqual(self.poinsot("run", off, "--ledger", "totals", option, value).returncode, 0)

    def test_energy_that_is_made_is_not_called_missing(self):
        spun = self.write("scene.yaml", TUMBLING)
        said = self.poinsot("run", spun, "--integrator", "explicit_euler").stdout
        answer = self.run_json(spun, "--integrator", "explicit_euler")["ledger"]
        made = answer["total"]["residual"]["energy"]
        self.assertGreater(made, 0)
        self.assertIn(f"WARNING: the numerics made {made:.4g} J, ", said)
        self.assertIn(" % of the largest energy: the step is too long", said)
        self.assertNotIn("joints", said)
        # a hundred per cent and more, in plain digits
        wild = EXPLODING.replace("until: 100", "until: 0.05")
        said = self.poinsot("run", self.write("wild.yaml", wild)).stdout
        self.assertRegex(said, r"WARNING: the numerics made [0-9.e+]+ J, 119 % of the largest energy: ")

    def test_times_have_the_digits_they_need(self):
        scene = self.write("scene.yaml", TUMBLING)
        for until in ("3.03", "0.07", "0.29"):
            self.assertIn(f"t = {until} s after ", self.poinsot("run", scene, "--until", until).stdout)

    def test_full_disk_leaves_the_checkpoint_that_was_asked_for(self):
        scene = self.write("long.yaml", LONG.replace("1.0e6", "100.0"))
        whole = self.run_json(scene)
        # No file may have more than 8 MB: there the disk is full, and a checkpoint of some kB has room.
        for every in ((), ("--checkpoint-every", "500")):
            for name in ("long.h5", "long.csv"):
                with self.subTest(name=name, every=every):
                    kept = self.folder / f"{name}.{len(every)}.ckpt"
                    done = self.poinsot("run", scene, "--out", name, "--checkpoint", kept, *every,
                                        preexec_fn=limit(8 << 20))
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(f"{name}: cannot be written: File too large", done.stderr)
                    self.assertTrue(kept.exists(), done.stderr)
                    self.assertRegex(done.stderr, r"The state at t = [0-9.]+ s is in \S+; go on with --resume ")
                    self.assertIn(str(kept), done.stderr)
                    on = self.run_json(scene, "--resume", kept)
                    self.assertEqual(on["state_hash"], whole["state_hash"])
                    if every and name.endswith("h5"):  # what was flushed with it leaves no gap
                        step = json.loads(kept.read_text())["content"]["step"]
                        with h5py.File(self.folder / name, "r") as file:
                            self.assertGreaterEqual(int(file["step"][len(file["time"]) - 1]), step)
        done = self.poinsot("run", scene, "--out", "/dev/full", "--checkpoint", "k.ckpt")
        self.assertEqual(done.returncode, 1)

    def test_full_disk_at_any_moment(self):
        scene = self.write("long.yaml", LONG.replace("1.0e6", "5.0"))
        for size in (1, 10, 30, 40, 60, 100, 300, 1000, 3000):
            with self.subTest(kilobytes=size):
                out = self.folder / f"{size}.h5"
                done = self.poinsot("run", scene, "--out", out, preexec_fn=limit(size << 10))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("File too large", done.stderr)
                self.assertEqual("is readable" in done.stderr, out.exists())
                if out.exists():
                    with h5py.File(out, "r") as file:
                        file["bodies/position"][: len(file["time"])]
                        self.assertEqual(file["final/ended"][()], b"failed")
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_outputs_that_cannot_be_written(self):
        scene = self.write("scene.yaml", TUMBLING)
        for out, word in (("no_folder/a.h5", "does its folder exist?"),
                          ("no_folder/a.csv", "does its folder exist?"), (".", "FILE.h5 or FILE.csv"),
                          ("a.txt", "FILE.h5 or FILE.csv"), ("/proc/version.h5", ""),
                          ("/proc/version.csv", "")):
            with self.subTest(out):
                done = self.poinsot("run", scene, "--out", out)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(out, done.stderr)
                self.assertIn(word, done.stderr)
        (self.folder / "is_folder.h5").mkdir()
        (self.folder / "is_folder.csv").mkdir()
        for out in ("is_folder.h5", "is_folder.csv"):
            done = self.poinsot("run", scene, "--out", out)
            self.assertEqual(done.returncode, 1)
            self.assertIn(out, done.stderr)

    def test_standard_output_that_is_closed(self):
        scene = self.write("scene.yaml", TUMBLING)
        with open("/dev/full", "w") as full:
            run = subprocess.run([command.PROGRAM, "run", scene, "--json"], stdout=full,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("standard output", run.stderr)


if __name__ == "__main__":
    command.main()
