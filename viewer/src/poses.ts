// SPDX-License-Identifier: MIT
// Where the bodies are at any time: stored frames, whole numbers made lengths and turns again, and
// between two frames a straight line and the shortest turn. In an interval in which something was struck,
// the motion is that of its beginning up to there and that of its end from there on.
//
// Smallest three: the largest of |w|, |x|, |y|, |z| is left out and made positive; the others lie in
// ±1/√2 and are stored in order, as k of 15 bits with
//
//     value = (2 k / 32766 − 1) / √2          k = 0 … 32766; 16383 is zero
//
// The number of the one left out has two bits: the top bits of the first word (high) and the second.

import type { Block, Quat, Vec3 } from "./format";
import type { Numbers } from "./blocks";
import { locate, times } from "./maths";

const half = 16383;
const root = Math.SQRT1_2;

export function unpackOrientation(a: number, b: number, c: number, out: Float64Array | number[], at: number): void {
    const largest = ((a >> 15) << 1) | (b >> 15);
    const x = ((a & 32767) / half - 1) * root;
    const y = ((b & 32767) / half - 1) * root;
    const z = ((c & 32767) / half - 1) * root;
    const w = Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z));
    out[at] = largest === 0 ? w : x;
    out[at + 1] = largest === 1 ? w : largest === 0 ? x : y;
    out[at + 2] = largest === 2 ? w : largest < 2 ? y : z;
    out[at + 3] = largest === 3 ? w : z;
}

export function packOrientation(q: Quat): [number, number, number] {
    let largest = 0;
    for (let i = 1; i < 4; ++i) if (Math.abs(q[i]!) > Math.abs(q[largest]!)) largest = i;
    const sign = q[largest]! < 0 ? -1 : 1;
    const k = [0, 1, 2, 3].filter((i) => i !== largest)
        .map((i) => Math.max(0, Math.min(2 * half, Math.round((sign * q[i]! / root + 1) * half))));
    return [k[0]! | ((largest >> 1) << 15), k[1]! | ((largest & 1) << 15), k[2]!];
}

export interface PoseSource {
    position: { values: Block; low?: Vec3; high?: Vec3; error: number };
    orientation: { values: Block; error: number };
}

/** Poses of all bodies at one time: x[3 i] … of the centre of mass, q[4 i] … body to world. */
export class Poses {
    readonly x: Float64Array;
    readonly q: Float64Array;
    private readonly packed: boolean;
    private readonly whole: boolean;
    private readonly low: Vec3;
    private readonly grain: Vec3;
    private readonly kinks = new Map<number, [number, number]>(); // intervals with impacts: parts of them before the first and the last
    private at = NaN;

    /** The time at which all bodies were put last. */
    get shown(): number {
        return this.at;
    }

    constructor(
        readonly time: ArrayLike<number>,
        readonly count: number,
        source: PoseSource,
        private readonly position: Numbers,
        private readonly orientation: Numbers,
        private readonly velocity: Numbers | null = null, // one for each pose
        private readonly spin: Numbers | null = null, // angular velocity, the same
        impacts: number[] = [], // when something was struck
    ) {
        if (velocity && spin)
            for (const t of impacts) {
                const { i, s } = locate(time, t);
                const known = this.kinks.get(i);
                if (s > 1e-6 && s < 1 - 1e-6) this.kinks.set(i, known ? [Math.min(known[0], s), Math.max(known[1], s)] : [s, s]);
            }
        this.x = new Float64Array(3 * count);
        this.q = new Float64Array(4 * count);
        this.whole = source.position.values.type === "u16";
        this.packed = source.orientation.values.type === "u16";
        this.low = source.position.low ?? [0, 0, 0];
        const high = source.position.high ?? [0, 0, 0];
        this.grain = [0, 1, 2].map((k) => (high[k]! - this.low[k]!) / 65535) as Vec3;
        if (position.length < 3 * count * time.length || orientation.length < (this.packed ? 3 : 4) * count * time.length)
            throw new Error("the poses do not reach to the last frame");
    }

    /** The position of one body in one frame. */
    placeAt(frame: number, body: number, out: Float64Array | number[] = [0, 0, 0], at = 0): ArrayLike<number> {
        const from = 3 * (frame * this.count + body);
        for (let k = 0; k < 3; ++k)
            out[at + k] = this.whole ? this.low[k]! + this.grain[k]! * this.position[from + k]! : this.position[from + k]!;
        return out;
    }

    attitudeAt(frame: number, body: number, out: Float64Array | number[] = [1, 0, 0, 0], at = 0): ArrayLike<number> {
        const row = frame * this.count + body;
        const o = this.orientation;
        if (this.packed) unpackOrientation(o[3 * row]!, o[3 * row + 1]!, o[3 * row + 2]!, out, at);
        else for (let k = 0; k < 4; ++k) out[at + k] = o[4 * row + k]!;
        return out;
    }

    /** One body at any time. */
    poseAt(t: number, body: number): { x: Vec3; q: Quat } {
        const { i, s } = locate(this.time, t);
        const x: number[] = [0, 0, 0], q: number[] = [1, 0, 0, 0];
        this.placeAt(i, body, x);
        this.attitudeAt(i, body, q);
        if (s > 0) {
            const x1 = this.placeAt(i + 1, body), q1 = this.attitudeAt(i + 1, body);
            this.between(i, body, s, x, 0, x1);
            this.turnBetween(i, body, s, q, 0, q1);
        }
        return { x: x as Vec3, q: q as Quat };
    }

    // From x (in place) towards the next frame: a straight line, or with velocities the cubic of Hermite,
    //     x = x₀ + s (x₁ − x₀) + s (1 − s) [(1 − s)(h v₀ − Δ) − s (h v₁ − Δ)],  Δ = x₁ − x₀
    private between(i: number, body: number, s: number, x: Float64Array | number[], at: number, next: ArrayLike<number>): void {
        const v = this.velocity, kink = this.kinks.get(i);
        const h = v ? this.time[i + 1]! - this.time[i]! : 0;
        for (let k = 0; k < 3; ++k) {
            const gap = next[k]! - x[at + k]!;
            let bend = 0;
            if (v && kink) {
                const [first, last] = kink, x0 = x[at + k]!, x1 = next[k]!;
                let struck = x0 + first * h * v[3 * (i * this.count + body) + k]!, left = x1 - (1 - last) * h * v[3 * ((i + 1) * this.count + body) + k]!;
                if (first === last) struck = left = (struck + left) / 2;
                x[at + k] = s <= first ? x0 + (s / first) * (struck - x0) : s >= last ? x1 + ((1 - s) / (1 - last)) * (left - x1)
                    : struck + ((s - first) / (last - first)) * (left - struck);
                continue;
            }
            if (v) {
                const v0 = v[3 * (i * this.count + body) + k]!, v1 = v[3 * ((i + 1) * this.count + body) + k]!;
                bend = s * (1 - s) * ((1 - s) * (h * v0 - gap) - s * (h * v1 - gap));
            }
            x[at + k] = x[at + k]! + s * gap + bend;
        }
    }

    // The same for the attitude: the shortest turn, or with an impact the turn of ω up to it and back to it.
    private turnBetween(i: number, body: number, s: number, q: Float64Array | number[], at: number, next: ArrayLike<number>): void {
        const kink = this.kinks.get(i);
        if (!kink) return blend(q, at, next, s);
        const [first, last] = kink, h = this.time[i + 1]! - this.time[i]!;
        const turned = (frame: number, q0: ArrayLike<number>, from: number, by: number): Quat => {
            const w = [0, 1, 2].map((k) => by * this.spin![3 * (frame * this.count + body) + k]!) as Vec3;
            const angle = Math.hypot(...w), c = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
            return times([Math.cos(angle / 2), c * w[0], c * w[1], c * w[2]], [q0[from]!, q0[from + 1]!, q0[from + 2]!, q0[from + 3]!]);
        };
        let struck = turned(i, q, at, first * h), left = turned(i + 1, next, 0, -(1 - last) * h);
        if (first === last) {
            blend(struck, 0, left, 0.5);
            left = struck;
        }
        if (s <= first) return blend(q, at, struck, s / first);
        const [from, to, part] = s >= last ? [left, next, (s - last) / (1 - last)] : [struck, left, (s - first) / (last - first)];
        for (let k = 0; k < 4; ++k) q[at + k] = from[k]!;
        blend(q, at, to, part);
    }

    /** Puts all bodies where they are at time t. */
    go(t: number): void {
        if (t === this.at || this.time.length === 0) return;
        this.at = t;
        const { i, s } = locate(this.time, t);
        const next: number[] = [0, 0, 0], q1: number[] = [1, 0, 0, 0];
        for (let b = 0; b < this.count; ++b) {
            this.placeAt(i, b, this.x, 3 * b);
            this.attitudeAt(i, b, this.q, 4 * b);
            if (s === 0) continue;
            this.placeAt(i + 1, b, next);
            this.between(i, b, s, this.x, 3 * b, next);
            this.attitudeAt(i + 1, b, q1);
            this.turnBetween(i, b, s, this.q, 4 * b, q1);
        }
    }
}

// Slerp along the shortest arc. Below 1e-6 rad the chord is as good as the arc.
function blend(q: Float64Array | number[], at: number, r: ArrayLike<number>, s: number): void {
    let cosine = 0;
    for (let k = 0; k < 4; ++k) cosine += q[at + k]! * r[k]!;
    const sign = cosine < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(1, Math.abs(cosine)));
    let a = 1 - s, b = s * sign;
    if (angle > 1e-6) {
        a = Math.sin((1 - s) * angle) / Math.sin(angle);
        b = (sign * Math.sin(s * angle)) / Math.sin(angle);
    }
    let length = 0;
    for (let k = 0; k < 4; ++k) {
        q[at + k] = a * q[at + k]! + b * r[k]!;
        length += q[at + k]! * q[at + k]!;
    }
    length = Math.sqrt(length);
    for (let k = 0; k < 4; ++k) q[at + k]! /= length;
}
