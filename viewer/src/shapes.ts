// SPDX-License-Identifier: MIT
// Surfaces of the shapes, in the body frame. Boxes, balls, ellipsoids, cylinders and cones are one
// unit surface each, stretched per body; a capsule and a mesh have surfaces of their own. Round
// shapes carry two tones, so that one sees them turn.

import {
    BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry,
    IcosahedronGeometry, Vector3,
} from "three";
import type { Quat, Shape, Vec3 } from "./format";
import type { Run } from "./run";

export interface Surface {
    key: string; // equal keys share a surface
    size: Vec3; // the stretch
    make: (detail: number) => BufferGeometry; // 0 coarse, 1 for small ones, 2 fine
}

function tones(g: BufferGeometry, dark: (p: Vector3) => boolean): BufferGeometry {
    const flat = g.index ? g.toNonIndexed() : g;
    const at = flat.getAttribute("position");
    const colours = new Float32Array(3 * at.count);
    const middle = new Vector3(), corner = new Vector3();
    for (let i = 0; i < at.count; i += 3) {
        middle.set(0, 0, 0);
        for (let k = 0; k < 3; ++k) middle.add(corner.fromBufferAttribute(at, i + k));
        colours.fill(dark(middle.divideScalar(3)) ? 0.74 : 1, 3 * i, 3 * i + 9);
    }
    flat.setAttribute("color", new BufferAttribute(colours, 3));
    return flat;
}
const plain = (g: BufferGeometry) => tones(g, () => false);
const octant = (p: Vector3) => (p.x > 0) !== ((p.y > 0) !== (p.z > 0));
const sector = (p: Vector3) => (p.x > 0) !== (p.y > 0);

// A ball needs its exact normals: flat ones would show the facets.
function ball(detail: number): BufferGeometry {
    const g = new IcosahedronGeometry(1, [0, 2, 11][detail]);
    g.setAttribute("normal", (g.getAttribute("position") as BufferAttribute).clone());
    return tones(g, octant);
}

/** three.js builds round things along y; ours stand along z. */
const upright = (g: BufferGeometry) => g.rotateX(Math.PI / 2);

export function surfaceOf(shape: Shape, index: number, run: Run): Surface | null {
    switch (shape.kind) {
    case "box":
        return { key: "box", size: shape.sides, make: () => plain(new BoxGeometry(1, 1, 1)) };
    case "ball":
        return { key: "ball", size: [shape.radius, shape.radius, shape.radius], make: ball };
    case "ellipsoid":
        return { key: "ball", size: shape.half_axes, make: ball };
    case "cylinder":
        return { key: "cylinder", size: [shape.radius, shape.radius, shape.height],
                 make: (detail) => tones(upright(new CylinderGeometry(1, 1, 1, [6, 14, 48][detail])), sector) };
    case "cone": // stands on the origin
        return { key: "cone", size: [shape.radius, shape.radius, shape.height],
                 make: (detail) => tones(upright(new ConeGeometry(1, 1, [6, 14, 48][detail])).translate(0, 0, 0.5), sector) };
    case "capsule":
        return { key: `capsule ${index}`, size: [1, 1, 1],
                 make: (detail) => tones(upright(new CapsuleGeometry(shape.radius, shape.height, [1, 4, 16][detail], [6, 12, 48][detail])), sector) };
    case "mesh":
        return { key: `mesh ${index}`, size: [1, 1, 1], make: () => {
            const g = new BufferGeometry();
            g.setAttribute("position", new BufferAttribute(Float32Array.from(run.open(shape.vertices)), 3));
            g.setIndex(new BufferAttribute(Uint32Array.from(run.open(shape.triangles)), 1));
            const flat = g.toNonIndexed();
            flat.computeVertexNormals();
            return plain(flat);
        } };
    default:
        return null;
    }
}

/** How far a shape reaches from a place of the body frame, at most. */
export function reachFrom(shape: Shape, run: Run, place: Vec3): number {
    if (shape.kind !== "mesh") return reach(shape, run) + Math.hypot(...place);
    const v = run.open(shape.vertices);
    let most = 0;
    for (let i = 0; i + 2 < v.length; i += 3) most = Math.max(most, Math.hypot(v[i]! - place[0], v[i + 1]! - place[1], v[i + 2]! - place[2]));
    return most;
}

/** How far a shape reaches from the origin of the body frame. */
export function reach(shape: Shape, run: Run, depth = 0): number {
    switch (shape.kind) {
    case "box": return Math.hypot(...shape.sides) / 2;
    case "ball": return shape.radius;
    case "ellipsoid": return Math.max(...shape.half_axes);
    case "cylinder": return Math.hypot(shape.radius, shape.height / 2);
    case "capsule": return shape.radius + shape.height / 2;
    case "cone": return Math.hypot(shape.radius, shape.height);
    case "mesh": {
        const v = run.open(shape.vertices);
        let most = 0;
        for (let i = 0; i + 2 < v.length; i += 3) most = Math.max(most, Math.hypot(v[i]!, v[i + 1]!, v[i + 2]!));
        return most;
    }
    case "group":
        return depth > 4 ? 0 : shape.parts.reduce((most, part) =>
            Math.max(most, Math.hypot(...part.position) + reach(run.d.shapes[part.shape] ?? { kind: "none" }, run, depth + 1)), 0);
    default: return 0;
    }
}

/** What stands for a body without a shape, in principal axes: of the same mass and moments, a ball where all three are
    equal, a cylinder along z where two are, with m r² = 2 I_z and h² = 12 I/m − 3 r², else a box. */
export function equivalent(mass: number, I: Vec3): { shape: Shape; turned: Quat } {
    const same = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * I[2];
    if (same(I[0], I[2])) return { shape: { kind: "ball", radius: Math.sqrt((2.5 * I[1]) / mass) }, turned: [1, 0, 0, 0] };
    const axis = same(I[0], I[1]) ? 2 : same(I[1], I[2]) ? 0 : null;
    if (axis === null) return { shape: { kind: "box", sides: equivalentBox(mass, I) }, turned: [1, 0, 0, 0] };
    const thin = 0.02 * Math.sqrt((12 * I[1]) / mass);
    const radius = Math.max(thin / 2, Math.sqrt((2 * I[axis]) / mass));
    const height = Math.max(thin, Math.sqrt(Math.max(0, (12 * I[1]) / mass - 3 * radius * radius)));
    return { shape: { kind: "cylinder", radius, height }, turned: axis === 2 ? [1, 0, 0, 0] : [Math.SQRT1_2, 0, Math.SQRT1_2, 0] };
}

/** The box of the same mass and moments: sides with a₁² = 6 (I₂ + I₃ − I₁)/m, in principal axes. */
export function equivalentBox(mass: number, I: Vec3): Vec3 {
    const side = (a: number, b: number, c: number) => Math.sqrt(Math.max(0, (6 * (b + c - a)) / mass));
    const sides: Vec3 = [side(I[0], I[1], I[2]), side(I[1], I[2], I[0]), side(I[2], I[0], I[1])];
    const thin = 0.02 * Math.max(...sides);
    return sides.map((s) => Math.max(s, thin)) as Vec3;
}
