// SPDX-License-Identifier: MIT
// What gives: springs along a line are coils, dampers a cylinder with its rod; a spring in all six
// directions, as between the pieces of a beam, is three rings about the place where its frames meet,
// with a line between them where they have come apart.

import {
    BufferGeometry, Float32BufferAttribute, Group, InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, MeshBasicMaterial,
    MeshStandardMaterial, Quaternion, TorusGeometry, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Vec3 } from "./format";
import type { Run } from "./run";
import { add, cross, norm, scale, square, sub, unit } from "./maths";
import { near, origin } from "./origin";
import { css } from "./theme";

const coilPoints = 84;

export class SpringsView {
    readonly springs = new Group();
    readonly bushings = new Group();
    private readonly lines: { i: number; line: Line; path: (a: Vec3, b: Vec3) => Vec3[] }[] = [];
    private readonly rings: InstancedMesh[] = []; // seen, and shining through
    private readonly gaps: LineSegments | null = null;
    private readonly material = new MeshStandardMaterial({ roughness: 0.5 });
    private readonly through = new MeshBasicMaterial({ transparent: true, opacity: 0.5, depthTest: false, depthWrite: false });
    private readonly thin = new LineBasicMaterial();

    /** Signs of about this size; those between small bodies are smaller: `reach` is how far each body goes. */
    constructor(private readonly run: Run, private readonly size: number, private readonly reach: Float64Array) {
        (run.d.springs ?? []).forEach(({ stiffness, damping }, i) => {
            if (stiffness === undefined || stiffness > 0 || !(damping! > 0)) this.addLine(i, coilPoints, (a, b) => coil(a, b, 0.6 * size));
            if (damping! > 0) this.addLine(i, 12, (a, b) => dashpot(a, b, 0.4 * size), true);
        });
        const count = run.d.bushings?.length ?? 0;
        if (!count) return;
        const ring = () => new TorusGeometry(1, 0.07, 6, 32);
        const sign = mergeGeometries([ring(), ring().rotateX(Math.PI / 2), ring().rotateY(Math.PI / 2)]);
        for (const material of [this.material, this.through]) {
            const mesh = new InstancedMesh(sign, material, count);
            mesh.frustumCulled = false;
            if (material === this.through) mesh.renderOrder = 3;
            this.rings.push(mesh);
            this.bushings.add(mesh);
        }
        this.gaps = new LineSegments(new BufferGeometry(), this.thin);
        this.gaps.geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(6 * count), 3));
        this.gaps.frustumCulled = false;
        this.bushings.add(this.gaps);
    }

    private addLine(i: number, points: number, path: (a: Vec3, b: Vec3) => Vec3[], strokes = false): void {
        const line = new (strokes ? LineSegments : Line)(new BufferGeometry(), this.thin);
        line.geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(3 * points), 3));
        line.frustumCulled = false;
        this.lines.push({ i, line, path });
        this.springs.add(line);
    }

    recolour(): void {
        for (const material of [this.material, this.through, this.thin]) material.color.set(css("--spring"));
    }

    /** Where the two frames of a bushing are: halfway between them. */
    placeOf(i: number): Vec3 {
        const { a, b, frame_a, frame_b } = this.run.d.bushings![i]!;
        return scale(add(this.run.placed(a, frame_a.position).x, this.run.placed(b, frame_b.position).x), 0.5);
    }

    private ringOf(a: number, b: number): number {
        const least = Math.min(...[a, b].filter((body) => body >= 0).map((body) => this.reach[body]!));
        return Math.min(0.6 * this.size, Math.max(0.2 * this.size, 0.2 * least));
    }

    /** Those that have let go are no longer there. */
    update(t: number): void {
        const { run } = this;
        for (const group of [this.springs, this.bushings]) group.position.copy(origin);
        for (const { i, line, path } of this.lines) {
            const spring = run.d.springs![i]!;
            const at = line.geometry.getAttribute("position");
            path(near(run.placed(spring.a, spring.at_a).x), near(run.placed(spring.b, spring.at_b).x)).forEach((p, k) => at.setXYZ(k, ...p));
            at.needsUpdate = true;
        }
        if (!this.gaps) return;
        const m = new Matrix4(), at = new Vector3(), turned = new Quaternion(), s = new Vector3();
        const ends = this.gaps.geometry.getAttribute("position");
        run.d.bushings!.forEach(({ a, b, frame_a, frame_b, until }, i) => {
            const { x, q } = run.placed(b, frame_b.position, frame_b.orientation);
            const from = near(run.placed(a, frame_a.position).x), to = near(x);
            const there = t < (until ?? Infinity);
            at.set(...scale(add(from, to), 0.5));
            m.compose(at, turned.set(q[1], q[2], q[3], q[0]), s.setScalar(there ? this.ringOf(a, b) : 0));
            for (const mesh of this.rings) mesh.setMatrixAt(i, m);
            ends.setXYZ(2 * i, ...from);
            ends.setXYZ(2 * i + 1, ...(there ? to : from));
        });
        ends.needsUpdate = true;
        for (const mesh of this.rings) mesh.instanceMatrix.needsUpdate = true;
    }
}

function across(a: Vec3, b: Vec3): { d: Vec3; e: Vec3; f: Vec3 } {
    const d = sub(b, a), e = norm(d) > 0 ? square(d) : ([1, 0, 0] as Vec3);
    return { d, e, f: norm(d) > 0 ? cross(unit(d), e) : ([0, 1, 0] as Vec3) };
}

// A helix with straight ends.
function coil(a: Vec3, b: Vec3, width: number): Vec3[] {
    const { d, e, f } = across(a, b);
    return Array.from({ length: coilPoints }, (_, k) => {
        const s = k / (coilPoints - 1);
        const r = norm(d) === 0 || s < 0.12 || s > 0.88 ? 0 : width / 2;
        const angle = s * 2 * Math.PI * 10;
        return add(add(a, scale(d, s)), add(scale(e, r * Math.cos(angle)), scale(f, r * Math.sin(angle))));
    });
}

// Strokes: from a to the closed end of a cylinder, its end and its two sides, the piston, and its rod to b.
function dashpot(a: Vec3, b: Vec3, width: number): Vec3[] {
    const { d, e } = across(a, b);
    return ([[0, 0], [0.38, 0], [0.38, 0.5], [0.38, -0.5], [0.38, 0.5], [0.62, 0.5], [0.38, -0.5], [0.62, -0.5], [0.5, 0.38], [0.5, -0.38], [0.5, 0], [1, 0]] as [number, number][])
        .map(([s, r]) => add(add(a, scale(d, s)), scale(e, r * width)));
}
