#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`poinsot mass`: numbers against closed forms, refusals with their reasons, exit statuses."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

POINSOT = os.environ.get("POINSOT")
if not POINSOT or not pathlib.Path(POINSOT).exists():
    print("SKIPPED: built without the command line")
    sys.exit(77)

# A box of 1 by 2 by 0.5 with a corner at the origin; the sides are exact in single precision.
SIDES = (1.0, 2.0, 0.5)
CORNERS = [(x * SIDES[0], y * SIDES[1], z * SIDES[2]) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
FACES = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
         (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
failed, skipped = [], None


def check(what, holds):
    if not holds:
        failed.append(what)
        print("FAILED:", what)


def close(a, b, relative=1e-14):
    return abs(a - b) <= relative * abs(b)


def mass(*arguments):
    return subprocess.run([POINSOT, "mass", *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def write_stl(path, faces):
    data = bytearray(80) + struct.pack("<I", len(faces))
    for face in faces:
        data += struct.pack("<3f", 0, 0, 0)
        for i in face:
            data += struct.pack("<3f", *CORNERS[i])
        data += b"\0\0"
    path.write_bytes(data)
    return path


def inertia(m):
    a, b, c = (s * s for s in SIDES)
    return [m / 12 * (b + c), m / 12 * (a + c), m / 12 * (a + b)]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    box = write_stl(folder / "box.stl", FACES)

    # The three methods, by density: a box is its own bounding box.
    run = mass(box, "--density", 3, "--method", "all", "--json")
    check("all: exit status 0", run.returncode == 0)
    out = json.loads(run.stdout)
    exact, sampled, bounds = out["results"]
    check("all: methods in order",
          [r["method"] for r in out["results"]] == ["exact", "sampled", "box"])
    check("vertices are welded", out["vertices"] == 8 and out["welded"] == 28)
    for result in (exact, bounds):
        check("volume", close(result["volume"], 1))
        check("mass", close(result["mass"], 3))
        check("centre", all(close(c, s / 2) for c, s in zip(result["center"], SIDES)))
        check("inertia", all(close(result["inertia"][i][i], inertia(3)[i]) for i in range(3)))
        check("moments ascend", all(close(a, b) for a, b in
                                    zip(result["principal_moments"], sorted(inertia(3)))))
    # The box fills its bounds, so every random point is inside and the volume has no error; the inertia
    # of 100 000 points errs by less than a percent.
    check("sampled inertia", close(sampled["inertia"][2][2], inertia(3)[2], 0.01))
    check("sampled error is stated", 0 < sampled["standard_error"]["inertia"][2][2] < 0.01)

    run = mass(box, "--mass", 12, "--json")
    result = json.loads(run.stdout)["results"][0]
    check("a mass given is the mass", result["mass"] == 12)
    check("inertia of a mass", close(result["inertia"][0][0], inertia(12)[0]))

    run = mass(box, "--density", 3)
    check("text: exit status 0", run.returncode == 0)
    for word in ("volume", "mass", "centre", "inertia", "principal moments"):
        check(f"text: names {word}", word in run.stdout)
    run = mass(box, "--density", 3, "--method", "all", "--samples", 2000)
    for method, moments in (("exact", sorted(inertia(3))), ("box", sorted(inertia(3)))):
        lines = run.stdout.split(f"principal moments, kg m2, and their axes: {method}\n")[1].split("\n")[:3]
        check(f"text: principal moments of {method}",
              all(close(float(line.split()[0]), m, 1e-9) for line, m in zip(lines, moments)))
        # the largest side is y, so the least moment is about it, and the greatest about the smallest, z
        check(f"text: principal axes of {method}: {lines}",
              [line.split("along ")[1].replace("-", "") for line in lines] ==
              ["(0.00000000, 1.00000000, 0.00000000)", "(1.00000000, 0.00000000, 0.00000000)",
               "(0.00000000, 0.00000000, 1.00000000)"])
    check("text: principal axes of sampled", "their axes: sampled\n" in run.stdout)
    check("text: side by side with difference and time",
          all(word in run.stdout for word in ("exact", "sampled", "box", "difference", "time, s")))

    # Refusals: exit status 1, the reason and the place on stderr, nothing on stdout.
    def refused(what, reason, *arguments):
        run = mass(*arguments)
        check(f"{what}: exit status 1, is {run.returncode}", run.returncode == 1)
        check(f"{what}: says {reason!r}, says {run.stderr!r}", reason in run.stderr)
        check(f"{what}: prints no numbers", run.stdout == "")

    opened = write_stl(folder / "open.stl", FACES[1:])
    refused("open", "open.stl: the surface is open: 3 edges", opened, "--density", 1)
    refused("open, sampled", "3 edges", opened, "--density", 1, "--method", "sampled")
    turned = write_stl(folder / "inside.stl", [(a, c, b) for a, b, c in FACES])
    refused("inside out", "inside out", turned, "--density", 1)
    flipped = write_stl(folder / "flipped.stl", [(0, 3, 2)] + FACES[1:])
    refused("flipped", "Reverse face 0", flipped, "--density", 1)
    refused("missing", "nothing.stl: no such file", folder / "nothing.stl", "--density", 1)
    refused("negative density", "--density: must be positive", box, "--density", -1)
    refused("NaN", "--mass: must be positive", box, "--mass", "nan")
    refused("all problems at once", "no such file", folder / "nothing.stl", "--density", -1)
    refused("all problems at once", "--density: must", folder / "nothing.stl", "--density", -1)
    refused("neither", "--density", box)
    refused("both", "--density", box, "--density", 1, "--mass", 1)
    refused("unknown method", "--method", box, "--density", 1, "--method", "guess")
    refused("too few samples", "number of samples", box, "--density", 1, "--method", "sampled",
            "--samples", 3)

    # Numbers beyond those that computers have, and values that are none.
    refused("light", "--mass: too small", box, "--mass", "1e-320")
    CORNERS[:] = [tuple(1e30 * c for c in corner) for corner in CORNERS]
    vast = write_stl(folder / "vast.stl", FACES)
    CORNERS[:] = [tuple(c / 1e30 for c in corner) for corner in CORNERS]
    refused("heavy", "--mass: too large", vast, "--mass", "1e308")
    for method in ("exact", "sampled", "box", "all"):
        refused(f"vast, {method}", "--density: too large", vast, "--density", "1e200", "--method",
                method)
    for option in ("--mass", "--density"):
        refused(f"{option} empty", f"{option}: is empty", box, option, "")
    refused("--samples empty", "--samples: is empty", box, "--mass", 1, "--method", "all",
            "--samples", "")
    for method in ("exact", "box"):
        refused("samples of no use", f"--samples: has no effect with --method {method}", box,
                "--mass", 1, "--method", method, "--samples", 5000)

    # Files that crash, hang or inflate the importer: a reason, within seconds.
    twice = write_stl(folder / "twice.stl", FACES + FACES)
    refused("doubled faces", "12 pairs of doubled faces", twice, "--density", 1)
    for name, data, reason in (
            ("deep.gltf", b"[" * 200000, "the importer crashed on this file (signal SEGV)"),
            ("head.ply", b"ply\nformat ascii 1.0\n", "end_header"),
            ("long.glb", b"glTF\x02\0\0\0" + b"\xff" * 8 + b"JSON", "cut short")):
        (folder / name).write_bytes(data)
        refused(name, f"{name}: ", folder / name, "--density", 1)
        refused(name, reason, folder / name, "--density", 1)

    # Output that is lost is not done; complaints that are lost do not crash.
    def shell(line):
        return subprocess.run(f'"$POINSOT" mass "$BOX" {line}', shell=True, capture_output=True,
                              text=True, check=False, env={**os.environ, "BOX": str(box)})

    for form in ("", " --json", " --method all"):
        run = shell(f"--mass 1{form} > /dev/full")
        check(f"stdout is full{form}: {run.returncode} {run.stderr!r}",
              run.returncode == 1 and "standard output" in run.stderr)
    for streams in ("2> /dev/full", "2>&-", "2>&- >&- <&-"):
        check(f"stderr is lost, {streams}", shell(f"--mass -1 {streams}").returncode == 1)
    check("no stderr needed", shell("--mass 1 2>&- <&-").returncode == 0)

    run = mass(opened, "--density", 1, "--json")
    check("json: problems", run.returncode == 1 and
          "3 edges" in json.loads(run.stdout)["problems"][0]["what"])
    run = mass(opened, "--density", 1, "--method", "box")
    check("the box of an open mesh, with a note", run.returncode == 0 and "note: the surface is open" in
          run.stdout)
    # Outside truth through files: the meshes of trimesh, to 1e-10.
    named = os.environ.get("POINSOT_REFERENCE")
    outside = pathlib.Path(named) if named else pathlib.Path(__file__).parents[2] / "../shared/reference/outside"
    if not (outside / "meshes.json").exists() or not (outside / "mass_of_meshes.json").exists():
        skipped = "outside reference not found (meshes.json, mass_of_meshes.json)"
    else:
        meshes = json.loads((outside / "meshes.json").read_text())["items"]
        truths = json.loads((outside / "mass_of_meshes.json").read_text())["items"]["meshes"]
        for key in sorted(meshes.keys() & truths.keys()):
            truth = truths[key]
            # STL coordinates are printed to 9 digits, and are the float32 numbers next to them
            single = not key.endswith(".obj")
            v = [[struct.unpack("f", struct.pack("f", x))[0] if single else x for x in row] for row in meshes[key]["v"]]
            path = folder / "outside.obj"
            path.write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in v)
                            + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in meshes[key]["f"]))
            got = json.loads(mass(path, "--density", 1, "--json").stdout)["results"][0]
            trace = sum(truth["inertia_com_density1"][i][i] for i in range(3))
            check(f"{key}: volume", close(got["volume"], truth["volume"], 1e-10))
            check(f"{key}: centre", all(abs(a - b) <= 1e-10 * (trace / truth["volume"]) ** 0.5
                                        for a, b in zip(got["center"], truth["com"])))
            check(f"{key}: inertia", all(abs(got["inertia"][i][k] - truth["inertia_com_density1"][i][k]) <= 1e-10 * trace
                                         for i in range(3) for k in range(3)))
        check("five meshes were compared", len(meshes.keys() & truths.keys()) == 5)

    run = mass("--help")
    check("help has an example", run.returncode == 0 and "poinsot mass bracket.stl" in run.stdout)

print(f"{len(failed)} failed")
if skipped and not failed:
    print("SKIPPED:", skipped)
    sys.exit(77)
sys.exit(1 if failed else 0)
