// SPDX-License-Identifier: MIT
// Vectors and quaternions as plain arrays; w first, body to world.

import type { Quat, Vec3 } from "./format";

export const zero = (): Vec3 => [0, 0, 0];
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];
export const unit = (a: Vec3): Vec3 => {
    const l = norm(a);
    return l > 0 ? scale(a, 1 / l) : [0, 0, 1];
};

/** Some unit vector square to a. */
export const square = (a: Vec3): Vec3 =>
    unit(cross(a, Math.abs(a[0]) < 0.6 * norm(a) ? [1, 0, 0] : [0, 1, 0]));

export const times = (a: Quat, b: Quat): Quat => [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
export const conj = (q: Quat): Quat => [q[0], -q[1], -q[2], -q[3]];

/** q v q*: v + 2w (u × v) + 2 u × (u × v). */
export function turn(q: Quat, v: Vec3): Vec3 {
    const u: Vec3 = [q[1], q[2], q[3]];
    const t = scale(cross(u, v), 2);
    return add(add(v, scale(t, q[0])), cross(u, t));
}

/** Where t lies in ascending times: i and the fraction towards i + 1. Outside: the nearest end. */
export function locate(times: ArrayLike<number>, t: number): { i: number; s: number } {
    const n = times.length;
    if (n < 2 || !(t > times[0]!)) return { i: 0, s: 0 };
    if (t >= times[n - 1]!) return { i: n - 1, s: 0 };
    let low = 0, high = n - 1;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle]! <= t) low = middle;
        else high = middle;
    }
    const gap = times[high]! - times[low]!;
    return { i: low, s: gap > 0 ? (t - times[low]!) / gap : 0 };
}
