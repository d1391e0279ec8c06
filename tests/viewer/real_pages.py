#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages of the program show, in a browser, the numbers of the trajectories they were made from."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import browser

PROGRAM = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["POINSOT"]).resolve())
SCENES = browser.ROOT / "scenes"
FLAGSHIPS = ("dzhanibekov heavy_top cuspidal_top five_link_chain falling_cat bicycle two_arms knee kepler figure_eight "
             "closed_ring net spring_chain tumbling_box slider_crank astronaut sphere_exercise glider_breaks pyramid").split()
MARKUP = "<img src=x onerror=alert(1)></script><!--"
MARKED = f"""
title: 'Two links & a <b>spring</b> {MARKUP}'
story: '{MARKUP}'
bodies:
  - {{name: '{MARKUP}', box: [1, 0.1, 0.1], mass: 1, position: [0.5, 0, 0]}}
  - {{name: lower, box: [1, 0.1, 0.1], mass: 1, position: [1.5, 0, 0]}}
joints:
  - {{name: '{MARKUP} hinge', type: revolute, bodies: [world, '{MARKUP}'], at: [0, 0, 0], axis: [0, 0, 1]}}
  - {{name: lower hinge, type: revolute, bodies: ['{MARKUP}', lower], at: [1, 0, 0], axis: [0, 0, 1]}}
gravity: [0, -9.81, 0]
run: {{until: 0.5, step: 0.01, integrator: runge_kutta4, energy_tolerance: 1.0e-3}}
ledger: {{detail: bodies}}
"""


def make(folder, name, scene, *options):
    """Runs a scene; the page, the trajectory and what the page says of its own errors."""
    page, run = folder / f"{name}.html", folder / f"{name}.h5"
    done = subprocess.run([PROGRAM, "run", str(scene), "--report", str(page), "--out", str(run), "--quiet", *options],
                          capture_output=True, text=True)
    assert done.returncode in (0, 2), done.stderr
    described = json.loads(re.search(r'id="poinsot-run">([^<]*)</script>', page.read_text(encoding="utf-8")).group(1))
    bodies = described["runs"][0]["bodies"]
    return {"file": str(page), "position_error": bodies["position"]["error"],
            "angle_error": bodies["orientation"]["error"]}, h5py.File(run, "r")


def book(file, first, last, about=None, body=None):
    """The books from one frame to another, about a point, of all or of one body: rows as the panel names them."""
    at = "ledger" if body is None else "ledger/bodies"
    causes = [c.decode() for c in file["ledger/causes"]]

    def read(name, frame):
        whole = file[f"{at}/{name}"][frame]
        return whole if body is None else whole[body]

    def shift(L, p):
        return L if about is None else L - numpy.cross(about, p)

    def closing(frame):
        p, T = read("p", frame), read("kinetic_energy", frame)
        return p, shift(read("L", frame), p), T

    def posted(frame):
        p, work = read("impulse", frame), read("work", frame)
        L = numpy.array([shift(l, q) for l, q in zip(read("angular_impulse", frame), p)])
        rp = read("residual_p", frame)
        return p, L, work, rp, shift(read("residual_L", frame), rp), read("residual_kinetic_energy", frame), read("moving_point", frame)

    now = posted(last)
    before = posted(first) if first > 0 else [numpy.zeros_like(x) for x in now]
    p, L, work, rp, rL, rT, moved = (a - b for a, b in zip(now, before))
    end = closing(last)
    if first > 0:
        start = closing(first)
    else:  # what the end leaves when all is taken back
        start = end[0] - p.sum(0) - rp, end[1] - L.sum(0) - rL - moved, end[2] - work.sum() - rT
    small = 1e-9  # the panel shows what is left of a difference; its last digits are not compared
    rows = {"Momentum p": {"= closing": end[0]}, "Angular momentum L": {"= closing": end[1]}, "Energy": {"= closing": [end[2]]}}
    if body is None and first == 0:
        rows["Momentum p"]["+ residual"], rows["Angular momentum L"]["+ residual"] = rp, rL
        rows["Energy"]["+ residual"] = [rT]
    for name, index in (("Momentum p", 0), ("Angular momentum L", 1)):
        rows[name]["opening"] = [x if abs(x) > small else None for x in start[index]]
    rows["Energy"]["opening"] = [start[2] if abs(start[2]) > small else None]
    if numpy.any(moved):
        rows["Angular momentum L"]["+ motion of the point"] = [x if abs(x) > small else None for x in moved]
    for c, cause in enumerate(causes):
        cause = "+ " + cause.replace("_", " ")
        for name, values in (("Momentum p", p[c]), ("Angular momentum L", L[c]), ("Energy", [work[c]])):
            if numpy.any(numpy.abs(values) > small):
                rows[name][cause] = [x if abs(x) > small else None for x in values]
    return {name: {row: [None if x is None else float(x) for x in values] for row, values in table.items()}
            for name, table in rows.items()}


def chain(folder):
    scene = folder / "chain.yaml"
    text = (SCENES / "five_link_chain.yaml").read_text(encoding="utf-8")
    scene.write_text(text + "ledger: {detail: bodies}\n", encoding="utf-8")
    page, file = make(folder, "chain", scene)
    names = [n.decode() for n in file["bodies/names"]]
    i, body, about = (len(file["time"]) - 1) // 2, 2, numpy.array([1.0, -2.0, 0.5])
    x, v = file["bodies/position"][i], file["bodies/velocity"][i]
    p, L = file["bodies/momentum"][i], file["bodies/angular_momentum"][i]
    of_A = [L[b] + numpy.cross(x[b] - about, p[b]) for b in range(len(names))]
    rounding = {"tolerance": 1e-14}
    # L about A takes the place of a body, which is rounded.
    placed = {"tolerance": float(page["position_error"] * numpy.linalg.norm(p, axis=1).sum())}
    stores = sum(file[f"ledger/{s}_store"][:] for s in ("gravity", "spring", "rotor"))
    residual = sum(file[f"ledger/residual_{s}"][:] for s in ("kinetic_energy", "gravity_store", "spring_store", "rotor_store"))
    page |= {
        "time": file["time"][:].tolist(), "names": names, "body": names[body], "about": about.tolist(),
        "position": file["bodies/position"][:].tolist(), "orientation": file["bodies/orientation"][:].tolist(),
        "book": book(file, 0, i), "frame": book(file, i - 1, i), "about_book": book(file, 0, i, about),
        "body_book": book(file, 0, i, about, body),
        "signals": {
            "energy / kinetic": file["ledger/kinetic_energy"][:].tolist(),
            "energy / gravity store": file["ledger/gravity_store"][:].tolist(),
            "energy / total": (file["ledger/kinetic_energy"][:] + stores).tolist(),
            "residual / energy": residual.tolist(),
            "ledger / L z": file["ledger/L"][:, 2].tolist(),
            "link 3 / velocity y": file["bodies/velocity"][:, 2, 1].tolist(),
            "link 5 / angular velocity z": file["bodies/angular_velocity"][:, 4, 2].tolist(),
            "link 4 / position x": file["bodies/position"][:, 3, 0].tolist()},
        "vectors": {
            "velocity": {"text": "v", "value": v[body].tolist(), **rounding},
            "omega": {"text": "ω", "value": file["bodies/angular_velocity"][i, body].tolist(), **rounding},
            "p": {"text": "p", "value": p[body].tolist(), **rounding},
            "L": {"text": "L", "value": L[body].tolist(), **rounding},
            "LA": {"text": "L about A", "value": of_A[body].tolist(), **placed},
            "treeP": {"text": f"p of the subtree of {names[body]}", "value": p[body:].sum(0).tolist(), **rounding},
            "treeL": {"text": f"L of the subtree of {names[body]} about A", "value": sum(of_A[body:]).tolist(), **placed},
            "wholeP": {"text": "p of the whole", "value": file["ledger/p"][i].tolist(), **rounding},
            "wholeL": {"text": "L of the whole about A",
                       "value": (file["ledger/L"][i] - numpy.cross(about, file["ledger/p"][i])).tolist(), "tolerance": 1e-12}},
        "forces": {"gravity": file["forces/force"][i, body, [c.decode() for c in file["forces/causes"]].index("gravity")].tolist()},
        "plotted": {f"{names[body]} / gravity force size": numpy.linalg.norm(
                        file["forces/force"][:, body, [c.decode() for c in file["forces/causes"]].index("gravity")], axis=1).tolist(),
                    f"{file['joints/names'][1].decode()} / reaction force x": file["joints/reaction_force"][:, 1, 0].tolist()},
        "reactions": {f"on {names[b]}": file["joints/reaction_force"][i, j].tolist()
                      for j, b in enumerate(file["joints/b"][:])},
        "facts": [str(scene), "runge_kutta4", "0.001 s", "µs a step", file["final/state_hash"][()].decode(),
                  file["provenance"].attrs["program"], file["final/verdict"][()].decode()]}
    return page, file


def other(folder, a, file):
    """The chain with coarser steps: it parts from the fine one."""
    page, coarse = make(folder, "other", folder / "chain.yaml", "--step", "0.02", "--every", "1")
    numpy.testing.assert_allclose(coarse["time"][:], file["time"][:], atol=1e-12)
    apart = numpy.linalg.norm(file["bodies/position"][:] - coarse["bodies/position"][:], axis=-1)
    dots = abs(numpy.sum(file["bodies/orientation"][:] * coarse["bodies/orientation"][:], axis=-1))
    angle = 2 * numpy.arccos(numpy.minimum(1, dots))
    allowed = 2 * (a["position_error"] + page["position_error"]), 2 * (a["angle_error"] + page["angle_error"])
    by = numpy.maximum(apart / allowed[0], angle / allowed[1])
    # The page sees poses that are rounded by up to half of what is allowed: it may be a little early or late.
    early, late = (int(numpy.argmax(by.max(axis=1) > limit)) for limit in (0.5, 1.5))
    assert 0 < early <= late, (early, late)
    return page | {"early": early, "late": late, "by": by.tolist(), "apart": apart.tolist()}


def compared(folder):
    """Both as one page, with what the program found from all digits."""
    page = folder / "compared.html"
    done = subprocess.run([PROGRAM, "compare", str(folder / "chain.h5"), str(folder / "other.h5"), "--report", str(page), "--json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {"file": str(page), "time": found["parting"]["time"], "body": found["parting"]["body"],
            "largest": found["differences"]["position"]["largest"]}


def moving(folder):
    scene = folder / "moving.yaml"
    text = (SCENES / "five_link_chain.yaml").read_text(encoding="utf-8")
    scene.write_text(text + "ledger: {detail: bodies, about: link 5}\n", encoding="utf-8")
    page, file = make(folder, "moving", scene)
    i = (len(file["time"]) - 1) // 2
    return page | {"body": "link 4", "about": file["ledger"].attrs["L_about"], "book": book(file, 0, i),
                   "body_book": book(file, 0, i, None, 3)}


def polhode(folder):
    page, file = make(folder, "polhode", SCENES / "dzhanibekov.yaml")
    return page | {"twoT": float(2 * file["ledger/kinetic_energy"][0]), "L": float(numpy.linalg.norm(file["ledger/L"][0]))}


def knee(folder):
    page, file = make(folder, "knee", SCENES / "knee.yaml")
    impacts = [float(t) for t, k in zip(file["events/time"], file["events/kind"]) if k == b"impact"]
    # The books agree: all energy that the stop took was taken in the frames with an impact.
    limit = [c.decode() for c in file["ledger/causes"]].index("limit")
    work = numpy.diff(file["ledger/work"][:, limit])
    struck = numpy.zeros(len(work), bool)
    struck[numpy.searchsorted(file["time"][:], impacts) - 1] = True
    assert work[struck].sum() < 0 and abs(work[~struck]).max() < 1e-6 * abs(work).max(), work
    residual = sum(file[f"ledger/residual_{s}"][:] for s in ("kinetic_energy", "gravity_store", "spring_store", "rotor_store"))
    time = file["time"][1:]
    return page | {"impacts": impacts, "text": file["events/text"][0].decode(), "frames": file["time"][:].tolist(), "worst": float(time[numpy.argmax(abs(numpy.diff(residual)))])}


def breaks(folder):
    """A glider whose wing breaks: what the roots carry, when a limit is passed, and how the parts part."""
    page, file = make(folder, "breaks", SCENES / "glider_breaks.yaml")
    names, bodies = [n.decode() for n in file["cuts/names"]], [n.decode() for n in file["bodies/names"]]
    events = [{"time": float(t), "kind": k.decode(), "name": n.decode(), "load": l.decode(), "utilisation": float(u), "text": x.decode()}
              for t, k, n, l, u, x in zip(*(file[f"events/{name}"] for name in ("time", "kind", "name", "load", "utilisation", "text")))]
    when = next(e["time"] for e in events if e["kind"] == "break")
    before = int(numpy.searchsorted(file["time"][:], when)) - 1
    force, moment = file["cuts/force"][:], file["cuts/moment"][:]
    last = file["bodies/position"][-1]
    signals = {}
    for i, name in enumerate(names):
        for what, values in (("tension", force[:, i, 2]), ("shear x", force[:, i, 0]), ("shear y", force[:, i, 1]),
                             ("bending x", moment[:, i, 0]), ("bending y", moment[:, i, 1]), ("torsion", moment[:, i, 2]),
                             ("utilisation", file["cuts/utilisation"][:, i]),
                             ("largest utilisation", file["cuts/largest_utilisation"][:, i])):
            signals[f"{name} / {what}"] = values.tolist()
    wing, fuselage = bodies.index("right wing/1"), bodies.index("fuselage")
    calm, other = make(folder, "calm", SCENES / "glider.yaml")  # without cuts
    assert "cuts" not in other
    coarse, other = make(folder, "coarse", SCENES / "glider_breaks.yaml", "--step", "0.0002", "--every", "50")
    numpy.testing.assert_allclose(other["time"][:], file["time"][:], atol=1e-12)
    page |= {"calm": calm["file"], "coarse": coarse["file"],
             "difference": (file["cuts/utilisation"][:, 0] - other["cuts/utilisation"][:, 0]).tolist()}
    return page | {"time": file["time"][:].tolist(), "before": before, "events": events, "signals": signals,
                   "apart": float(numpy.linalg.norm(last[wing] - last[fuselage])),
                   "force": dict(zip(names, force[before].tolist())), "moment": dict(zip(names, moment[before].tolist()))}


def staged(folder):
    page, file = make(folder, "staged", SCENES / "two_stages.yaml")
    return page | {"release": float(file["events/time"][0]), "text": file["events/text"][0].decode()}


def struck(folder):
    """Impacts that are located in time have moments between frames."""
    page, file = make(folder, "struck", SCENES / "bouncing_ball.yaml", "--integrator", "runge_kutta4", "--until", "1")
    kinds = [k.decode() for k in file["events/kind"]]
    names = [n.decode().split(",")[0] for n in file["events/name"]]
    return page | {"impacts": [float(t) for t, k in zip(file["events/time"], kinds) if k == "impact"], "struck": names, "radius": 0.1,
                   "apart": float(file["time"][1] - file["time"][0])}


PARTS = """
title: What gives and what is touched
gravity: [0, 0, -10]
bodies:
  - {name: block, box: [1, 1, 1], mass: 5, position: [0, 0, 2]}
  - {name: cart, box: [1, 1, 0.4], mass: 5, position: [2.5, 0, 2]}
  - {name: grip, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 3, 2]}
joints: [{name: hinge, type: revolute, bodies: [world, cart], at: [2.5, 0, 3], axis: [0, 1, 0], stiffness: 2}]
springs:
  - {name: coil, from: block, to: cart, stiffness: 50, rest_length: 2}
  - {name: shock, from: {body: block, at: [0, 0.4, 0]}, to: {body: cart, at: [0, 0.4, 0]}, damping: 3}
bushings:
  - {name: 'mount <b>x</b>', bodies: [block, cart], at: [1.2, 0, 2], stiffness: [100, 100, 100, 10, 10, 10]}
  - {name: seam, bodies: [block, cart], at: [1.2, 0, 2.4], stiffness: [100, 100, 100, 10, 10, 10]}
beams:
  - {name: mast, root: world, at: [-2, 0, 0], axis: [0, 0, 1], length: 2, segments: 3, section: {disc: 0.05}, young_modulus: 1e6, shear_modulus: 4e5, density: 500}
surfaces:
  - {name: wall, plane: true, position: [-4, 0, 0], orientation: {axis: [0, 1, 0], angle: 90 deg}}
  - {name: floor, half_space: true}
  - {name: table, box: [1, 1, 0.5], position: [0, -3, 0.25]}
  - {name: bumper, body: block, ball: 0.7}
  - {name: finger, body: grip, capsule: {radius: 0.1, height: 0.6}}
events: [{name: let go, release: seam, at: 0.05}]
contact: {response: penalty}
run: {until: 0.2, step: 0.001, integrator: runge_kutta4, formulation: maximal}
output: {every: 10}
"""


def parts(folder):
    """Springs, dampers, bushings, planes and surfaces of bodies have signs, in their places."""
    scene = folder / "parts.yaml"
    scene.write_text(PARTS, encoding="utf-8")
    page, file = make(folder, "parts", scene)
    names = [n.decode() for n in file["bodies/names"]]
    return page | {"time": file["time"][:].tolist(), "block": file["bodies/position"][:, names.index("block")].tolist()}


SHIFTED = """
title: The same here and there
bodies:
  - {{name: block, box: [1, 0.6, 0.4], mass: 5, position: [{0}, {0}, {0}], velocity: [0.2, 0, 0.1], angular_velocity: [0, 0.5, 1]}}
  - {{name: ball, ball: 0.3, mass: 2, position: [{2}, {0}, {0}]}}
  - {{name: cart, box: [0.5, 0.5, 0.5], mass: 2, position: [{0}, {2}, {0}]}}
springs: [{{name: coil, from: block, to: ball, stiffness: 5, rest_length: 2, damping: 1}}]
bushings: [{{name: mount, bodies: [block, cart], at: [{0}, {1}, {0}], stiffness: [50, 50, 50, 5, 5, 5]}}]
run: {{until: 1, step: 0.01, integrator: runge_kutta4}}
"""


def apart(folder, shift):
    """The same bodies at a place far from the origin, which double precision has to a nanometre."""
    scene = folder / f"shifted_{shift}.yaml"
    scene.write_text(SHIFTED.format(*(float(shift + k) for k in range(3))), encoding="utf-8")
    return make(folder, f"shifted_{shift}", scene)[0]


def planet(folder):
    page, file = make(folder, "planet", SCENES / "fall_from_the_stratosphere.yaml")
    return page | {"x": float(file["bodies/position"][0, 0, 0])}


def main():
    built = browser.needed(PROGRAM)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        expected = {}
        expected["chain"], file = chain(folder)
        expected["other"] = other(folder, expected["chain"], file)
        expected["compared"] = compared(folder)
        expected["moving"], expected["polhode"], expected["knee"] = moving(folder), polhode(folder), knee(folder)
        expected["breaks"], expected["staged"], expected["struck"] = breaks(folder), staged(folder), struck(folder)
        expected["parts"] = parts(folder)
        expected["near"], expected["far"] = apart(folder, 0), apart(folder, 4194304)
        expected["planet"] = planet(folder)
        scene = folder / "markup.yaml"
        scene.write_text(MARKED, encoding="utf-8")
        expected["markup"] = make(folder, "markup", scene)[0] | {"name": MARKUP, "title": f"Two links & a <b>spring</b> {MARKUP}"}
        for name in FLAGSHIPS:
            expected[f"scene: {name}"] = make(folder, name, SCENES / f"{name}.yaml")[0]
        return browser.node_tests(built, ["real.mjs"], expected)


if __name__ == "__main__":
    sys.exit(main())
