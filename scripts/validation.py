#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of validation, from what the tests of the laws measure.

usage: validation.py TEST_LAWS TEST_TOUCH TEST_SOLVE TEST_GEOMETRY TEST_STEP --write FOLDER   writes validation.md and validation.svg
       validation.py TEST_LAWS TEST_TOUCH TEST_SOLVE TEST_GEOMETRY TEST_STEP --check FOLDER   says where they are not what would be written

Tests print lines `measured: {…}`. All figures of the page are from there, from tests/reference, or quoted
below with their source. Times depend on the machine; a check compares everything else: the same rows,
and errors of the same order of magnitude.
"""
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINE = "measured: "

# What is compared, the file and item of tests/reference, and which of its checks tell how good it is.
CASES = {
    "A01": ("IFToMM A01, simple pendulum, 10 s: place of the mass",
            "iftomm_A01_simple_pendulum", "A01", [None]),
    "A02, two windows": ("IFToMM A02, two windows of four bars, 10 s: place and velocity of B0",
                         "iftomm_A02_four_bar", "A02_N2", [None]),
    "A02, forty windows": ("IFToMM A02, forty windows: place and velocity of B0",
                           "iftomm_A02_four_bar", "A02_N40", [None]),
    "A03": ("IFToMM A03, Andrews' squeezer, 0.05 s: the angle β of the crank",
            "iftomm_A03_andrews", "A03", ["two_methods"]),
    "A04": ("IFToMM A04, Bricard's mechanism, thirty rows of rank 29: places of two corners",
            "iftomm_A04_bricard", "A04", ["tol"]),
    "A05": ("IFToMM A05, stiff governor, 10 s: height of the slider", "iftomm_A05_flyball", "A05", [None]),
    "spatial slider-crank": ("IFToMM spatial slider-crank: place of the slider",
                             "iftomm_slider_crank_3d", "slider_crank_3d", ["two_method_x"]),
    "babyboot, gentle": ("Kane's babyboot from 45°, 10 s: angles and rates at the end",
                         "babyboot", "qA45_qB1_stable", ["dop_vs_mp_rad"]),
    "babyboot, chaotic": ("Kane's babyboot from 90°, 10 s, chaotic: the same",
                          "babyboot", "qA90_qB1", ["dop_vs_mp_rad"]),
    "double pendulum": ("two rods from the horizontal, 3 s: end, directions and rates", "chains",
                        "double_pendulum", ["tol", "min_vs_max"]),
    "chain of five rods": ("five rods from the horizontal, 2 s: the same", "chains", "chain5",
                           ["tol", "min_vs_max"]),
    "two blocks": ("two blocks with a point in common, 2 s: their centres", "seed_examples", "two_blocks",
                   ["tol"]),
    "heavy top": ("heavy top of Brüls and Cardona, 2 s: centre of mass", "tops", "heavy_top_bruls", []),
    "top with cusps": ("symmetric top let go at rest, 2 s: centre of mass", "tops", "cuspidal", []),
    "top with loops": ("the same, pushed backwards", "tops", "looping", []),
    "rolling coin": ("coin that rolls, 0.5 s: centre and contact", "rolling_disc", "rolling_coin", ["methods"]),
    "Euler's disc": ("Euler's disc in its steady state, 0.2 s: centre and contact", "rolling_disc",
                     "euler_disc_steady", ["methods"]),
    "rattleback": ("rattleback of Kane and Levinson, 2.8 s, until it turns back: its spin", "rattleback",
                   "kane_levinson", ["tol"]),
}
OPENSIM = "OpenSim [1]"
EXUDYN = "EXUDYN [2]"
# (program, method, error, energy error, seconds): figures as published, or functions of the reference that
# give the error of a published state.
PUBLISHED = {
    "A01": [(OPENSIM, "", None, None, "0.637"), (EXUDYN, "step 0.8 ms", None, "< 5e-5", "0.037")],
    "A02, two windows": [
        (OPENSIM, "", None, None, "0.455"),
        (EXUDYN, "step 0.125 ms",
         lambda r: max(math.dist(r["B0"][-1], (0.3284573768, 0.9445187937)),
                       math.dist(r["B0_vel"][-1], (1.423050003, -0.4948670827))), None, None),
        (EXUDYN, "step 1 ms", None, "1.1e-3", None),
        (EXUDYN, "step 10 ms", None, None, "0.0776")],
    "A03": [("PSIDE [3]", "tolerance 1e-14",
             lambda r: abs(r["testset_0_03"][0] - r["state_0_03"][0]), None, None)],
    "A04": [(OPENSIM, "", None, None, "0.258")],
    "A05": [(OPENSIM, "", None, None, "0.233"), (EXUDYN, "step 0.5 ms", None, None, "0.53")],
    "babyboot, chaotic": [
        ("MotionGenesis [4]", "",
         lambda r: max(abs(r["published"][key] - r["final_mp"][key])
                       for key in ("qA_deg", "qB_deg", "qAdot", "qBdot")), None, None)],
    "heavy top": [(EXUDYN, "step 0.1 ms, attitude at 0.2 s, rad",
                   lambda r: angle(r["quat_wxyz"][nearest(r["t"], 0.2)],
                                   (-0.70813, 0.43881, 0.54593, 0.08925)), None, None)],
    "rolling coin": [(EXUDYN, "step 0.5 ms, contact's x at the end",
                      lambda r: abs(r["contact"][-1][0] - 0.00200410), None, None)],
}
# Contact at a step of 1 ms: what is measured, its unit, and what SimBenchmark published without error reduction, the
# best solver of each engine.
RAISIM, BULLET, ODE, MUJOCO, MUJOCO_RK4, DART = "RaiSim", "Bullet", "ODE", "MuJoCo, Euler", "MuJoCo, RK4", "DART"
CONTACT = {
    "rolling, 60°": ("25 balls on a box that is pulled across a plane, at 60° to its sides, 4 s", "m²/s²",
                     [(RAISIM, 4.1e-7, "0.31"), (BULLET, 5.7e-9, "0.56"), (ODE, 3.1, "0.72"), (MUJOCO, 6.9e-3, "1.7"),
                      (MUJOCO_RK4, 2.4e-3, "4"), (DART, 3.1, "2.7")]),
    "rolling, 90°": ("the same along a side", "m²/s²",
                     [(RAISIM, 4.1e-7, "0.32"), (BULLET, 4.9e-9, "0.55"), (ODE, 7.7e-9, "0.72"), (MUJOCO, 6.4e-3, "2.3"),
                      (MUJOCO_RK4, 2.4e-3, "3.1"), (DART, 0.43, "2.7")]),
    "bouncing": ("49 elastic balls from 5 m, 20 s: energy", "J²",
                 [(RAISIM, 1.9e-2, "0.24"), (ODE, 1.9e2, "1.9"), (DART, 7.2e4, "3.2"), (BULLET, 7.5e4, "0.85")]),
    "666": ("216 balls that fall apart, 10 s: depths", "m²",
            [(RAISIM, 1.4e-4, "1.5"), (ODE, 1.5e-4, "11"), (DART, 2.8e-4, "23"), (MUJOCO, 9.5e-2, "13"),
             (BULLET, 0.38, "12")]),
    "elastic 666": ("216 elastic balls, 10 s: energy", "J²",
                    [(RAISIM, 8.4, "0.66"), (ODE, 1.1e2, "5.6"), (BULLET, 4.1e4, "2.3"), (DART, 3.5e5, "8.1")]),
    "ANYmal momentum": ("a ball strikes a robot that floats, 10 s: p", "kg² m²/s²",
                        [(ODE, 1.3e-27, "1.8"), (MUJOCO_RK4, 3.0e-13, "0.78"), (RAISIM, 4.7e-5, "0.058"),
                         (BULLET, 2.7e-4, "0.44"), (MUJOCO, 1.1e-3, "0.38"), (DART, 1.6e2, "0.54")]),
    "ANYmal energy": ("a robot in free flight after a push, 2 s: energy", "J²",
                      [(MUJOCO_RK4, 1.6e-17, "0.14"), (RAISIM, 1.2e-2, "0.015"), (MUJOCO, 3.5, "0.067"),
                       (BULLET, 3.7, "0.083"), (ODE, 3.9, "0.73"), (DART, 2.4e2, "0.095")]),
}
# Largest errors of place (m), L and energy (relative), and wall time over simulated time.
BOXES = {
    "tumbling": ("thrown upwards, spun about the middle axis",
                 [("Simbody", 2.5e-2, 6.4e-3, 6.2e-3, 0.13), ("Bullet", 4.9e-2, 1.2e-2, 1.4e-2, 0.064),
                  ("ODE", 4.9e-2, 1.3e-2, 1.2e-2, 0.056), ("DART", 4.9e-2, 2.2, 3.8e-2, 0.068)]),
    "simple": ("without gravity, spun about a principal axis",
               [("ODE", 1.7e-12, 0, 0, 0.053), ("DART", 1.7e-12, 9.9e-16, 2.5e-15, 0.069),
                ("Bullet", 1.7e-12, 4.8e-14, 2.0e-15, 0.065), ("Simbody", 2.3e-12, 0, 0, 0.13)]),
}
# Closed forms and published problems: what each item is. Items of files that are kept in tests/reference must all be here.
TRUTH = {
    "contact_closed_forms": ("Closed forms, computed for this project", {
        "ball_sliding_to_rolling": "a ball that slides comes to roll",
        "ball_backspin": "the same with backspin",
        "ball_masse": "a ball with side spin (massé)",
        "bouncing_ball": "a ball bounces, e = 0.8, until its bounces are shorter than a step",
        "block_slides": "a block slides down a slope",
        "block_sticks": "a block stays on a slope",
        "sphere_rolls_incline": "a ball rolls down a slope",
        "cyl_slips_incline": "a cylinder slips down a slope",
        "box_tip": "a box tips", "box_slide": "a box slides",
        "painleve_ok": "Painlevé's rod, little friction", "painleve_paradox": "Painlevé's rod, much friction",
        "painleve_min": "Painlevé's rod, 3 % beside the least friction that has no forces",
        "ladder": "a ladder on a smooth wall", "ladder2": "a ladder on a rough wall",
        "rocking_block": "a block rocks: its first impact",
        "euler_disc": "Euler's disc whose centre rests",
        "cradle_e1": "Newton's cradle, five balls", "cradle_2balls": "the same, two balls fall",
        "cradle_masses": "the same, masses 4, 2, 1", "cradle_e09": "the same, e = 0.9",
        "impact_blocks": "two blocks collide without friction",
        "sphere_oblique_slip": "a ball hits the ground and slips", "sphere_oblique_stick": "the same, and sticks",
    }),
    "toi": ("Time of impact, closed forms", {
        "bullet vs thin wall": "a bullet at a wall", "sphere-sphere head on": "two balls head on",
        "sphere-sphere grazing b=0.6": "two balls that graze", "sphere-sphere miss b=0.76": "two balls that miss",
    }),
    "friction_contact": ("Friction-contact problems of Siconos and FCLIB [7]", None),
    "lcp": ("Linear complementarity problems of Siconos [7]", None),
    "siconos_bouncing_ball_moreau_jean": ("Siconos' bouncing ball [8], 88 of its 2000 steps; its own tolerance is 1e-12",
                                          {"rows": "gap and speed at each of these"}),
}
ELSEWHERE = {"simbenchmark_rolling"}  # in the table above
SOURCES = """- [1] RehabEngGroup/MBSbenchmarksInOpenSim, c76fa61, on an i5-4570.
- [2] jgerstmayr/EXUDYN, e44aca1, examples and test models; its A05 is a kinematic tree.
- [3] IVP test set, Andrews' squeezing mechanism, state at 0.03 s.
- [4] Kane and Mitiguy's values in RobotLocomotion/drake, be259df.
- [5] leggedrobotics/SimBenchmark, 3fd1764, on an i7-7700HQ.
- [6] scpeters/benchmark, 86fcb71.
- [7] siconos/siconos, 6070f0f, data of its numerical tests.
- [8] siconos/siconos-tutorials, b6c9bfd, Moreau-Jean's scheme with θ = 1/2.
"""


def nearest(times, t):
    return min(range(len(times)), key=lambda k: abs(times[k] - t))


def angle(p, q):
    along = abs(sum(a * b for a, b in zip(p, q))) / math.hypot(*p) / math.hypot(*q)
    return 2 * math.acos(min(1.0, along))


def figure(value):
    """An error with two digits; a quoted text as it is; nothing where there is none."""
    if value is None:
        return "–"
    return value if isinstance(value, str) else f"{value:.1e}"


def seconds(value):
    if value is None:
        return "–"
    return (value if isinstance(value, str) else f"{value:.2g}") + " s"


def time_of(value):
    return f"{1e3 * value:g} ms"


def table(head, rows):
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |"
                     for row in [head, ["---"] * len(head)] + rows) + "\n"


def item_of(file, item):
    return json.loads((ROOT / f"tests/reference/{file}.json").read_text(encoding="utf-8"))["items"][item]


def reference_error(item, keys):
    """The largest of the checks named, or of all; `None` stands for a check that is one number."""
    check = item["check"]
    return check if keys == [None] else max(check[key] for key in keys or check)


def motion(lines):
    """Every case: what is compared and how good the reference is, then our runs, then those of others."""
    rows = []
    for name, (what, file, item, checks) in CASES.items():
        ours = [line for line in lines if line["table"] == "motion" and line["case"] == name]
        if not ours:
            raise SystemExit(f"validation.py: the tests measured nothing for '{name}'")
        reference = item_of(file, item)
        units = {line["unit"] for line in ours}
        rows.append([f"**{what}**", "reference good to", "", figure(reference_error(reference, checks)), "", ""])
        for line in ours:
            method = line["method"] + ", " + (f"step {time_of(line['step'])}" if "step" in line else
                                              f"tolerance {line['tolerance']:.0e}")
            rows.append([f"{line['until']:g} s", f"Poinsot, {line['formulation']}", method,
                         f"{figure(line['error'])} {'/'.join(sorted(units))}", figure(line["energy"]),
                         seconds(line["seconds"])])
        for program, method, error, energy, cost in PUBLISHED.get(name, []):
            rows.append(["", program, method, figure(error(reference) if callable(error) else error),
                         figure(energy), seconds(cost)])
    known = {line["case"] for line in lines if line["table"] == "motion"}
    if known - CASES.keys():
        raise SystemExit(f"validation.py: measured, but not on the page: {', '.join(sorted(known - CASES.keys()))}")
    return table(["case", "program", "method", "largest error", "energy error, J", "processor"], rows)


def contact(lines):
    """Every problem: our runs, then those of others, the best first."""
    rows = []
    for name, (what, unit, published) in CONTACT.items():
        ours = [line for line in lines if line["table"] == "contact" and line["case"] == name]
        if not ours:
            raise SystemExit(f"validation.py: the tests measured nothing for '{name}'")
        rows.append([f"**{name}**: {what}", "", "", ""])
        for line in ours:
            rows.append(["", f"Poinsot, {line.get('method', 'impulsive')}", f"{figure(line['error'])} {unit}",
                         seconds(line["seconds"])])
        for program, error, cost in sorted(published, key=lambda row: row[1]):
            rows.append(["", program, figure(float(error)), seconds(cost)])
    known = {line["case"] for line in lines if line["table"] == "contact"}
    if known - CONTACT.keys():
        raise SystemExit(f"validation.py: measured, but not on the page: {', '.join(sorted(known - CONTACT.keys()))}")
    return table(["problem", "program", "mean squared error", "processor"], rows)


def boxes(lines):
    rows = []
    for flight, (what, published) in BOXES.items():
        ours = [("Poinsot, " + line["case"], line["place"], line["L"], line["energy"], line["ratio"])
                for line in lines if line["table"] == "boxes" and line["flight"] == flight]
        if not ours:
            raise SystemExit(f"validation.py: the tests measured nothing for Gazebo's boxes, {flight}")
        rows.append([f"**{flight}**: {what}", "", "", "", "", ""])
        rows += [["", row[0]] + [figure(float(value)) for value in row[1:]] for row in ours + published]
    return table(["flight", "program", "place, m", "L", "energy", "wall over simulated time"], rows)


def truth(lines):
    """Every item of every set, in its order; those of our own references are all there."""
    rows = []
    for name, (title, items) in TRUTH.items():
        ours = [line for line in lines if line["table"] == "truth" and line["set"] == name]
        measured = dict.fromkeys(line["case"] for line in ours)
        kept = ROOT / f"tests/reference/{name}.json"
        asked = json.loads(kept.read_text(encoding="utf-8"))["items"] if kept.exists() else items or measured
        lack = (set(asked) | set(items or ())) - set(measured) - ELSEWHERE
        if lack or not ours:
            raise SystemExit(f"validation.py: the tests measured nothing for {name}: {', '.join(sorted(lack))}")
        rows.append([f"**{title}**", "", ""])
        for item in items or sorted(measured):
            for line in ours:
                if line["case"] == item:
                    rows.append([(items or {}).get(item, item), line["method"], f"{figure(float(line['error']))} {line['unit']}"])
    known = {line["set"] for line in lines if line["table"] == "truth"}
    if known - TRUTH.keys():
        raise SystemExit(f"validation.py: measured, but not on the page: {', '.join(sorted(known - TRUTH.keys()))}")
    return table(["problem", "method", "largest error"], rows)


def side_by_side(lines, name, keys, heads):
    """A row for every case; for every key our two formulations, where the line names one."""
    cases = {}
    for line in lines:
        if line["table"] == name:
            for key in keys:
                if key in line:
                    cases.setdefault(line["case"], {})[key, line.get("formulation")] = line[key]
    columns = sorted({column for case in cases.values() for column in case},
                     key=lambda column: (keys.index(column[0]), column[1] or ""))
    head = ["case"] + [heads[keys.index(key)] + (f", {f}" if f else "") for key, f in columns]
    return table(head, [[case] + [figure(values.get(column)) for column in columns]
                        for case, values in sorted(cases.items())])


# ---- the chart -----------------------------------------------------------------------------------

CURVES = {("maximal", "none"): ("maximal, nothing holds the rows", "#b0413e"),
          ("maximal", "baumgarte"): ("maximal, Baumgarte's pull", "#c98a1b"),
          ("maximal", "projection"): ("maximal, projected", "#2a6f97"),
          ("reduced", "projection"): ("reduced", "#2f855a")}
LEFT, TOP, WIDTH, HEIGHT = 70, 20, 420, 250
LOWEST, HIGHEST = -16, -2  # decades of metres


def chart(lines):
    curves = {}
    for line in lines:
        if line["table"] == "mass ratio":
            curves.setdefault((line["formulation"], line["stabilisation"]), []).append(
                (math.log10(line["ratio"]), math.log10(line["gap"])))

    def at(x, y):
        return LEFT + WIDTH * x / 6, TOP + HEIGHT * (HIGHEST - y) / (HIGHEST - LOWEST)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 230} {TOP + HEIGHT + 50}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for x in range(7):
        X, Y = at(x, LOWEST)
        out.append(f'<path d="M{X:.0f} {TOP}V{Y:.0f}" stroke="#ddd"/>'
                   f'<text x="{X:.0f}" y="{Y + 16:.0f}" text-anchor="middle">1e{x}</text>')
    for y in range(LOWEST, HIGHEST + 1):
        X, Y = at(0, y)
        out.append(f'<path d="M{X:.0f} {Y:.0f}h{WIDTH}" stroke="#ddd"/>'
                   f'<text x="{X - 6:.0f}" y="{Y + 4:.0f}" text-anchor="end">1e{y}</text>')
    out.append(f'<text x="{LEFT + WIDTH / 2:.0f}" y="{TOP + HEIGHT + 40}" text-anchor="middle">'
               'mass of the ball over mass of a link</text>')
    out.append(f'<text transform="translate(16 {TOP + HEIGHT / 2:.0f}) rotate(-90)" text-anchor="middle">'
               'widest gap of a joint, m</text>')
    for k, (key, (name, colour)) in enumerate(CURVES.items()):
        points = [at(*point) for point in sorted(curves.pop(key))]
        dashes = ' stroke-dasharray="6 4"' if key[0] == "reduced" else ""
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dashes} points="'
                   + " ".join(f"{X:.1f},{Y:.1f}" for X, Y in points) + '"/>')
        Y = TOP + 14 + 20 * k
        out.append(f'<path d="M{LEFT + WIDTH + 12} {Y}h22" stroke="{colour}" stroke-width="2"{dashes}/>'
                   f'<text x="{LEFT + WIDTH + 40}" y="{Y + 4}">{name}</text>')
    if curves:
        raise SystemExit(f"validation.py: curves without a name: {sorted(curves)}")
    return "\n".join(out + ["</svg>"]) + "\n"


# ---- the page ------------------------------------------------------------------------------------

def machine():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "an unknown processor"


def page(lines):
    gaps = {}
    for line in lines:
        if line["table"] == "mass ratio":
            gaps.setdefault(line["ratio"], {})[line["formulation"], line["stabilisation"]] = line["gap"]
    return f"""# Validation

Written by `scripts/validation` from what the tests in `tests/laws` and `tests/touch` measure; do not edit. An error is the largest over
all times of the reference. References were computed for this project by two methods or two tolerances; how well these
agree is the first line of each case. Figures of other programs are those that were published, or the distance of a
published state from the reference.

*Maximal*: six freedoms per body, joints as rows, sparse multipliers, projected after every step. *Reduced*: joint
coordinates, articulated bodies, loops as rows. Processor times are of {machine()}; other programs ran
elsewhere, so that only orders of magnitude compare.

## Motion

{motion(lines)}
{SOURCES}
## One body on one joint

Fourteen cases of ADAMS (six digits) with an independent recomputation (tolerance 1e-11), 5 s: the largest error of
place, attitude, velocity and angular velocity together, and of the reaction relative to the largest load. Where the
recomputation agrees and the series does not, the series is at fault. Project Chrono (7689fbc), which these data are from,
accepts 1e-3 to 1e-2 in place, 1e-3 in attitude and 2e-2 in force at a step of 0.5 ms.

{side_by_side(lines, "joints", ["against recomputation", "against ADAMS", "reaction"],
              ["recomputation", "ADAMS", "reaction against ADAMS"])}
## Robots

M, bias, gravity, inverse and forward dynamics of published robots in a random state, against world Jacobians without
recursion; relative to the largest number of each. KUKA's arm: the pose published for MotionGenesis. Forward dynamics in
both formulations.

{side_by_side(lines, "robots", ["M", "bias", "gravity", "inverse", "forward, maximal", "forward, reduced"],
              ["M", "bias", "gravity", "inverse", "forward, maximal", "forward, reduced"])}
## Contact

SimBenchmark's problems [5] at a step of 1 ms: the mean over all steps of a squared error, ours by the step by impulses unless
another is named, and the best that was published for each engine at this step without error reduction. The heaps `666` are solved by sweeps
(`solver: sweeps`), to a natural residual of 1e-8, the elastic one of 1e-10; all else by the exact solver to 1e-10.

{contact(lines)}
Gazebo's boxes [6]: a box of 0.1 × 0.4 × 0.9 m that flies freely for 10 s at a step of 1 ms; the largest errors, of L and
energy relative.

{boxes(lines)}
Closed forms and problems that others have published. What no force or no answer can be off in says whether it was told right:
0 wrong. A natural residual is relative to q.

{truth(lines)}
## Loads inside bodies

Bodies cut and glued again: the load of the weld, or of the hinge, relative to the weight or the largest load.

{side_by_side(lines, "loads", ["error"], ["error"])}
## Rest and steady motion

The benchmark of the bicycle: its eigenvalues and matrices of lean and steer by `linearise`, relative to the largest number of each. A chain of
twenty links in its shape of rest, RK4 at 10 ms: its shape is known to 1e-9.

{side_by_side(lines, "steady", ["error"], ["error"])}
## Two formulations

RK4, 1 ms, 10 s, projection: the largest difference of places (m) and attitudes (rad) on the way, and of these and the
velocities at the end.

{side_by_side(lines, "agreement", ["position", "attitude", "end"], ["places", "attitudes", "at the end"])}
## Mass ratios

A ball on a bent chain of five links (`scenes/heavy_ball_chain.yaml`) swings there and back, RK4 at 0.2 ms for 5 s: the
widest gap of any joint, in metres. Bends are 0.3 rad over the root of the ratio.

![Widest gap against mass ratio](validation.svg)

{table(["mass ratio"] + [name for name, _ in CURVES.values()],
       [[f"{ratio:.0e}"] + [figure(gap[key]) for key in CURVES] for ratio, gap in sorted(gaps.items())])}"""


# The tests that measure what TRUTH has. A comma parts names, so that ? stands for one of theirs.
CLOSED_FORMS = ",".join(("A ball with side spin*", "A ball rolls and a cylinder*", "A box tips or slides*", "A ladder stands*",
                         "A block rocks*", "A bouncing ball is*", "A ball that slides comes to roll*", "A block on a slope*",
                         "A block that rocks*", "Newton's cradle: impacts*", "Painleve's rod*", "Euler's disc by contact*",
                         "Siconos' bouncing ball*"))
SOLVED = ",".join(("Cones: published*", "Complementarity: published*", "A ball that hits the ground obliquely*",
                   "Two bodies that collide*"))


def measure(program, *options):
    """The lines of all tests that measure something; a test that fails ends it all."""
    done = subprocess.run([program, *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"validation.py: a test fails:\n{done.stdout[-3000:]}{done.stderr}")
    skipped = re.search(r"SKIPPED: .*", done.stdout)
    if skipped:  # a page without these would not be the page
        print(skipped[0])
        sys.exit(77)
    return [json.loads(line.removeprefix(LINE)) for line in done.stdout.splitlines() if line.startswith(LINE)]


# ---- is it what would be written? ----------------------------------------------------------------

NUMBER = re.compile(r"\d+\.\de[-+]\d+")
TIME = re.compile(r"(\| Poinsot, .*\| )[\d.e-]+ s(?= \|$)")
MACHINE = re.compile(r"(?<=Processor times are of )[^;]*;")


def differences(kept, made):
    """Where a page differs from another: rows by their text, errors by a factor of ten, times not at all."""
    found = []
    rows = [[(MACHINE.sub("", TIME.sub(r"\1", line)), NUMBER.findall(line)) for line in text.splitlines()]
            for text in (kept, made)]
    texts = [[NUMBER.sub("#", text) for text, _ in page_rows] for page_rows in rows]
    for missing in sorted(set(texts[1]) - set(texts[0])):
        found.append(f"not on the page: {missing}")
    for stale in sorted(set(texts[0]) - set(texts[1])):
        found.append(f"on the page, but measured no more: {stale}")
    if not found and texts[0] != texts[1]:
        found.append("the lines of the page are in another order, or twice")
    if not found:
        for (text, old), (_, new) in zip(*rows):
            for a, b in zip(map(float, old), map(float, new)):
                # below 1e-14 there is rounding only
                if not max(a, 1e-14) / 10 <= max(b, 1e-14) <= 10 * max(a, 1e-14):
                    found.append(f"{b:.1e} instead of {a:.1e}: {text}")
    return found


def main(laws, touch, solve, geometry, step, how, folder):
    folder = pathlib.Path(folder)
    lines = (measure(laws) + measure(touch, "-tc=SimBenchmark*,Gazebo*,Rolling*," + CLOSED_FORMS)
             + measure(solve, "-tc=" + SOLVED) + measure(geometry, "-tc=Sweep: closed forms*")
             + measure(step, "-tc=Bicycle*"))
    made = page(lines), chart(lines)
    if how == "--write":
        for name, text in zip(("validation.md", "validation.svg"), made):
            (folder / name).write_text(text, encoding="utf-8")
            print(f"wrote {folder / name}")
        return 0
    found = differences((folder / "validation.md").read_text(encoding="utf-8"), made[0])
    kept_chart = (folder / "validation.svg").read_text(encoding="utf-8")
    if kept_chart.count("<polyline") != made[1].count("<polyline"):
        found.append("validation.svg has other curves")
    for problem in found:
        print(problem)
    print("docs/validation.md is what scripts/validation writes" if not found else
          "docs/validation.md is stale: run scripts/validation")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 8 or sys.argv[6] not in ("--write", "--check"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
