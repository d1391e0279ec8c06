// SPDX-License-Identifier: MIT
// A run as the page uses it: its description, its numbers, and what follows from them.

import type { Block, Page, Quat, RunDescription, Shape, Vec3 } from "./format";
import { numbersOf, readData, type Numbers } from "./blocks";
import { Ledger } from "./ledger";
import { add, conj, cross, dot, locate, scale, sub, times, turn, unit } from "./maths";
import { Poses } from "./poses";

/** How one body moves at one time. L is about its own centre of mass. */
export interface Motion {
    x: Vec3;
    q: Quat;
    v: Vec3;
    omega: Vec3;
    p: Vec3;
    L: Vec3;
}

export class Run {
    readonly names: string[];
    readonly count: number;
    readonly time: Numbers; // of samples
    readonly poses: Poses;
    readonly particle: Numbers;
    readonly mass: Numbers;
    readonly moments: Numbers;
    readonly up: Vec3;
    readonly ledger: Ledger | null;
    readonly estimated: boolean; // velocities are differences of poses
    private readonly children = new Map<number, number[]>();
    private readonly bound = new Map<number, number[]>(); // to other bodies, by whatever holds at the start
    private readonly center: Numbers;
    private readonly principalAxes: Numbers;
    private readonly shapeIndex: Numbers;
    private readonly opened = new Map<Block, Numbers>();
    private readonly contents = new Map<number, Numbers[]>(); // of the tanks of a body
    private readonly movingCenters = new Map<number, Block>(); // of bodies in which the centre of mass moves

    constructor(readonly d: RunDescription, private readonly data: ArrayBuffer) {
        const b = d.bodies;
        this.names = b.names;
        this.count = b.names.length;
        this.time = this.open(d.samples.time);
        this.particle = this.open(b.particle);
        this.mass = this.open(b.mass);
        this.moments = this.open(b.moments);
        this.center = this.open(b.center_of_mass);
        this.principalAxes = this.open(b.principal);
        this.shapeIndex = this.open(b.shape);
        const eachFrame = (block?: Block) => (block && block.shape[0] === d.frames.time.shape[0] ? this.open(block) : null);
        this.poses = new Poses(this.open(d.frames.time), this.count, b,
                               numbersOf(data, b.position.values), numbersOf(data, b.orientation.values), eachFrame(b.velocity), eachFrame(b.angular_velocity),
                               (d.events ?? []).filter((e) => e.kind === "impact").map((e) => e.time));
        this.ledger = d.ledger ? new Ledger(d.ledger, this.count, (block) => this.open(block)) : null;
        this.estimated = !b.velocity || !b.angular_velocity;
        for (const { a, b } of d.joints ?? []) if (a >= 0 && b >= 0) this.children.set(a, [...(this.children.get(a) ?? []), b]);
        for (const { a, b } of [...(d.joints ?? []), ...(d.bushings ?? []), ...(d.springs ?? [])])
            if (a >= 0 && b >= 0) for (const [one, other] of [[a, b], [b, a]] as const) this.bound.set(one, [...(this.bound.get(one) ?? []), other]);
        for (const { mass_of: body, values } of d.signals ?? [])
            if (body !== undefined) this.contents.set(body, [...(this.contents.get(body) ?? []), this.open(values)]);
        for (const { body, values } of b.center_moves ?? []) this.movingCenters.set(body, values);
        const g = d.gravity ?? [0, 0, 0];
        this.up = dot(g, g) > 0 ? unit(scale(g, -1)) : [0, 0, 1];
    }

    open(block: Block): Numbers {
        let found = this.opened.get(block);
        if (!found) this.opened.set(block, (found = numbersOf(this.data, block)));
        return found;
    }

    get begin(): number {
        return this.time.length ? this.time[0]! : 0;
    }
    get end(): number {
        return this.time.length ? this.time[this.time.length - 1]! : 0;
    }

    /** The last sample that is not after t. Half a millionth of a step forgives rounding of t. */
    sampleAt(t: number): number {
        const { i, s } = locate(this.time, t);
        return s > 1 - 1e-6 ? i + 1 : i;
    }

    /** The centre of mass in the body frame, at the first sample. */
    centerOf(body: number): Vec3 {
        return [this.center[3 * body]!, this.center[3 * body + 1]!, this.center[3 * body + 2]!];
    }

    /** How far the centre of mass has moved in the body frame at the time shown; null where it stays. */
    centerMoved(body: number): Vec3 | null {
        const values = this.movingCenters.get(body);
        return values ? sub(this.vectorAt(values, this.poses.shown), this.centerOf(body)) : null;
    }

    /** Principal frame to body frame. */
    principalOf(body: number): Quat {
        const p = this.principalAxes;
        return [p[4 * body]!, p[4 * body + 1]!, p[4 * body + 2]!, p[4 * body + 3]!];
    }

    momentsOf(body: number): Vec3 {
        return [this.moments[3 * body]!, this.moments[3 * body + 1]!, this.moments[3 * body + 2]!];
    }

    shapeOf(body: number): Shape {
        return this.d.shapes[this.shapeIndex[body]!] ?? { kind: "none" };
    }
    shapeNumber(body: number): number {
        return this.shapeIndex[body]!;
    }

    /** A vector of a block [s, columns, 3] at any time, by a straight line between samples. */
    vectorAt(block: Block, t: number, column = 0): Vec3 {
        const v = this.open(block);
        const columns = block.shape.length === 3 ? block.shape[1]! : 1;
        const { i, s } = locate(this.time, t);
        const read = (row: number): Vec3 => {
            const at = 3 * (row * columns + column);
            return [v[at]!, v[at + 1]!, v[at + 2]!];
        };
        return s > 0 ? add(scale(read(i), 1 - s), scale(read(i + 1), s)) : read(i);
    }

    /** I ω and I⁻¹ L in world axes, by way of the principal frame. */
    inertiaTimes(body: number, q: Quat, a: Vec3, inverse = false): Vec3 {
        const frame = times(q, this.principalOf(body));
        const I = this.momentsOf(body);
        const b = turn(conj(frame), a);
        return turn(frame, [0, 1, 2].map((k) =>
            inverse ? (I[k]! > 0 ? b[k]! / I[k]! : 0) : b[k]! * I[k]!) as Vec3);
    }

    /** What a body weighs at a time: what has left its tanks is no part of it. */
    massAt(t: number, body: number): number {
        const tanks = this.contents.get(body);
        if (!tanks) return this.mass[body]!;
        const { i, s } = locate(this.time, t);
        return tanks.reduce((m, c) => m + (s > 0 ? c[i]! * (1 - s) + c[i + 1]! * s : c[i]!) - c[0]!, this.mass[body]!);
    }

    motionAt(t: number, body: number): Motion {
        const b = this.d.bodies;
        const { x, q } = this.poses.poseAt(t, body);
        const guess = this.estimated ? this.difference(t, body) : null;
        const v = b.velocity ? this.vectorAt(b.velocity, t, body) : guess!.v;
        const omega = b.angular_velocity ? this.vectorAt(b.angular_velocity, t, body) : guess!.omega;
        const p = b.momentum ? this.vectorAt(b.momentum, t, body) : scale(v, this.massAt(t, body));
        const L = b.angular_momentum ? this.vectorAt(b.angular_momentum, t, body) : this.inertiaTimes(body, q, omega);
        return { x, q, v, omega, p, L };
    }

    // Central differences over the frames on either side of t.
    private difference(t: number, body: number): { v: Vec3; omega: Vec3 } {
        const frames = this.poses.time;
        if (frames.length < 2) return { v: [0, 0, 0], omega: [0, 0, 0] };
        const { i } = locate(frames, t);
        const before = frames[Math.max(0, i === frames.length - 1 ? i - 1 : i)]!;
        const after = frames[Math.min(frames.length - 1, i + 1)]!;
        const from = this.poses.poseAt(before, body), to = this.poses.poseAt(after, body);
        const h = after - before;
        let r = times(to.q, conj(from.q));
        if (r[0] < 0) r = r.map((k) => -k) as Quat;
        const sine = Math.hypot(r[1], r[2], r[3]);
        const angle = 2 * Math.atan2(sine, r[0]);
        const axis: Vec3 = sine > 0 ? [r[1] / sine, r[2] / sine, r[3] / sine] : [0, 0, 0];
        return { v: scale(sub(to.x, from.x), 1 / h), omega: scale(axis, angle / h) };
    }

    /** Place and attitude of a frame fixed in a body (−1: the world), given in the body frame. */
    placed(body: number, position: Vec3, orientation: Quat = [1, 0, 0, 0]): { x: Vec3; q: Quat } {
        if (body < 0) return { x: position, q: orientation };
        const x = this.poses.x, q = this.poses.q;
        const attitude: Quat = [q[4 * body]!, q[4 * body + 1]!, q[4 * body + 2]!, q[4 * body + 3]!];
        const place: Vec3 = [x[3 * body]!, x[3 * body + 1]!, x[3 * body + 2]!];
        const moved = this.centerMoved(body), center = this.centerOf(body);
        return { x: add(place, turn(attitude, sub(position, moved ? add(center, moved) : center))), q: times(attitude, orientation) };
    }

    /** Centre of mass of all bodies as they are placed now. */
    systemCenter(): Vec3 {
        let m = 0;
        const sum: Vec3 = [0, 0, 0];
        for (let b = 0; b < this.count; ++b) {
            m += this.mass[b]!;
            for (let k = 0; k < 3; ++k) sum[k]! += this.mass[b]! * this.poses.x[3 * b + k]!;
        }
        return m > 0 ? scale(sum, 1 / m) : sum;
    }

    /** A body and all that hangs on it: what its joints carry, away from the world. */
    subtree(body: number): number[] {
        const found = new Set([body]);
        for (const b of found) // grows while it is walked
            for (const child of this.children.get(b) ?? []) found.add(child);
        return [...found].sort((a, b) => a - b);
    }

    /** A body and all that is joined to it, directly or through others, at the start. */
    assembly(body: number): Set<number> {
        const found = new Set([body]);
        for (const b of found) for (const other of this.bound.get(b) ?? []) found.add(other);
        return found;
    }

    /** p, L about A and the centre of mass of some bodies, by summing over them. */
    momentumOf(bodies: number[], t: number, about: Vec3): { p: Vec3; L: Vec3; center: Vec3 } {
        let p: Vec3 = [0, 0, 0], L: Vec3 = [0, 0, 0], center: Vec3 = [0, 0, 0], m = 0;
        for (const b of bodies) {
            const k = this.motionAt(t, b);
            p = add(p, k.p);
            L = add(L, add(k.L, cross(sub(k.x, about), k.p)));
            const mass = this.massAt(t, b);
            center = add(center, scale(k.x, mass));
            m += mass;
        }
        return { p, L, center: m > 0 ? scale(center, 1 / m) : center };
    }

    /** Does the body turn free of torque: do |L| and the energy of rotation stay? */
    readonly freely = new Map<number, boolean>();
    turnsFreely(body: number): boolean {
        const known = this.freely.get(body);
        if (known !== undefined) return known;
        let most = 0, drift = 0;
        const first = this.motionAt(this.begin, body).L;
        for (let k = 0; k <= 100; ++k) {
            const { L } = this.motionAt(this.begin + ((this.end - this.begin) * k) / 100, body);
            most = Math.max(most, dot(L, L));
            const change = sub(L, first);
            drift = Math.max(drift, dot(change, change));
        }
        const free = most > 0 && drift <= (this.estimated ? 1e-2 : 1e-6) * most;
        this.freely.set(body, free);
        return free;
    }
}

/** The runs of a page, from its description and the text of its chunks. */
export async function readRuns(page: Page, chunk: (i: number) => string): Promise<Run[]> {
    if (page.format !== "poinsot page") throw new Error("this is not a page of Poinsot");
    if (page.version[0] !== 1) throw new Error(`this page has version ${page.version.join(".")}, the viewer reads 1`);
    const data = await readData(page.data, chunk);
    return page.runs.map((d) => new Run(d, data));
}
