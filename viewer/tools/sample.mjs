// SPDX-License-Identifier: MIT
// Pages without the engine, from closed forms and a small Runge-Kutta: for tests and for looking at.
//
//     node tools/sample.mjs [FOLDER] [NAME …]        all samples, into dist/samples

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Data, posesOf, writePage } from "./write.mjs";

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (a, b) => [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
const turn = (q, v) => {
    const u = q.slice(1), t = cross(u, v).map((k) => 2 * k);
    return v.map((k, i) => k + q[0] * t[i] + cross(u, t)[i]);
};
const identity = [1, 0, 0, 0];

function rungeKutta(y, h, rate) {
    const move = (k, s) => y.map((v, i) => v + s * k[i]);
    const a = rate(y), b = rate(move(a, h / 2)), c = rate(move(b, h / 2)), d = rate(move(c, h));
    return y.map((v, i) => v + (h / 6) * (a[i] + 2 * b[i] + 2 * c[i] + d[i]));
}

const causes = ["gravity", "applied", "spring", "damper", "drag", "thrust", "rotor", "joint", "motor", "limit",
                "contact_normal", "contact_friction", "contact_speculative", "stabilisation"];

/** The books of s samples. `at(i)` gives p, L, T, gravity and a map of postings {cause: {p, L, work}}. */
function books(data, s, at) {
    const c = causes.length;
    const v = (n) => new Float64Array(n);
    const o = { p: v(3 * s), L: v(3 * s), T: v(s), V: v(s), impulse: v(3 * s * c), angular: v(3 * s * c), work: v(s * c),
                rp: v(3 * s), rL: v(3 * s), rT: v(s), rV: v(s) };
    const first = at(0);
    for (let i = 0; i < s; ++i) {
        const b = at(i);
        o.p.set(b.p, 3 * i);
        o.L.set(b.L, 3 * i);
        o.T[i] = b.T;
        o.V[i] = b.V ?? 0;
        const rp = b.p.map((k, a) => k - first.p[a]), rL = b.L.map((k, a) => k - first.L[a]);
        let rT = b.T - first.T, rV = (b.V ?? 0) - (first.V ?? 0);
        for (const [cause, { p, L, work }] of Object.entries(b.posted ?? {})) {
            const k = i * c + causes.indexOf(cause);
            o.impulse.set(p, 3 * k);
            o.angular.set(L, 3 * k);
            o.work[k] = work;
            for (let a = 0; a < 3; ++a) (rp[a] -= p[a]), (rL[a] -= L[a]);
            rT -= work;
            if (cause === "gravity") rV += work;
        }
        o.rp.set(rp, 3 * i);
        o.rL.set(rL, 3 * i);
        o.rT[i] = rT;
        o.rV[i] = rV;
    }
    const scalar = (x) => data.put("f64", [s], x), vector = (x) => data.put("f64", [s, 3], x);
    return {
        about: { kind: "point", point: [0, 0, 0] }, every: 1, causes,
        opening: { mass: first.mass, p: first.p, L: first.L, kinetic_energy: first.T, gravity_store: first.V ?? 0 },
        total: {
            p: vector(o.p), L: vector(o.L), kinetic_energy: scalar(o.T), gravity_store: scalar(o.V),
            impulse: data.put("f64", [s, c, 3], o.impulse), angular_impulse: data.put("f64", [s, c, 3], o.angular),
            work: data.put("f64", [s, c], o.work), residual_p: vector(o.rp), residual_L: vector(o.rL),
            residual_kinetic_energy: scalar(o.rT), residual_gravity_store: scalar(o.rV),
        },
    };
}

function bodiesOf(data, list, poses) {
    const n = list.length;
    return {
        names: list.map((b) => b.name),
        particle: data.put("u8", [n], list.map((b) => (b.particle ? 1 : 0))),
        mass: data.put("f64", [n], list.map((b) => b.mass)),
        center_of_mass: data.put("f64", [n, 3], list.flatMap((b) => b.center ?? [0, 0, 0])),
        moments: data.put("f64", [n, 3], list.flatMap((b) => b.moments ?? [0, 0, 0])),
        principal: data.put("f64", [n, 4], list.flatMap((b) => b.principal ?? identity)),
        shape: data.put("u32", [n], list.map((b) => b.shape ?? 0)),
        ...poses,
    };
}

const facts = (integrator, more = {}) => Object.entries({
    scene: "sample", integrator, formulation: "maximal", version: "sample", "cost of a step": "not measured", "state hash": "0000000000000000", ...more,
}).map(([name, value]) => ({ name, value }));

/** A free body with moments 1, 2, 3, spun near its middle axis: the wing nut. */
export function tumbling(data, { until = 24, every = 0.02, omega = [0.3, 4.6, 1.1], exact = true, title = "The flipping wing nut", shape = false } = {}) {
    const I = [1, 2, 3], h = 0.001;
    const rate = (y) => { // q, ω in the body
        const w = y.slice(4), q = y.slice(0, 4);
        const dq = times(q, [0, ...w]).map((k) => k / 2);
        return [...dq, ...w.map((_, i) => ((I[(i + 1) % 3] - I[(i + 2) % 3]) * w[(i + 1) % 3] * w[(i + 2) % 3]) / I[i])];
    };
    let y = [...identity, ...omega];
    const rows = [y];
    const frames = Math.round(until / every);
    for (let i = 0; i < frames; ++i) {
        for (let k = 0; k < Math.round(every / h); ++k) {
            y = rungeKutta(y, h, rate);
            const length = Math.hypot(...y.slice(0, 4));
            for (let j = 0; j < 4; ++j) y[j] /= length;
        }
        rows.push(y);
    }
    const s = rows.length;
    const q = rows.map((r) => r.slice(0, 4));
    const L = rows.map((r) => turn(r.slice(0, 4), r.slice(4).map((w, i) => w * I[i])));
    const T = rows.map((r) => r.slice(4).reduce((sum, w, i) => sum + (I[i] * w * w) / 2, 0));
    const time = data.put("f64", [s], rows.map((_, i) => i * every));
    const poses = posesOf(data, s, 1, () => [0, 0, 0], (k) => q[k], exact);
    const events = [];
    for (let i = 1; i < s; ++i)
        if (Math.sign(rows[i][5]) !== Math.sign(rows[i - 1][5]))
            events.push({ time: i * every, kind: "flip", text: "the middle axis turns over" });
    const shapes = shape ? [{ kind: "box", sides: [2.2, 1.1, 0.5] }] : [{ kind: "none" }];
    return {
        title, story: "A body spun about its middle axis turns over again and again, and keeps L and energy.",
        facts: facts("runge_kutta4", { step: "0.001 s" }), outcome: { ended: "done", balanced: "yes", verdict: "" },
        frames: { time }, samples: { time },
        bodies: {
            ...bodiesOf(data, [{ name: "nut", mass: 1, moments: I }], poses),
            velocity: data.put("f64", [s, 1, 3], new Float64Array(3 * s)),
            angular_velocity: data.put("f64", [s, 1, 3], rows.flatMap((r) => turn(r.slice(0, 4), r.slice(4)))),
            angular_momentum: data.put("f64", [s, 1, 3], L.flat()),
        },
        shapes, events,
        ledger: books(data, s, (i) => ({ mass: 1, p: [0, 0, 0], L: L[i], T: T[i], V: 0 })),
    };
}

/** Two rods of 1 m and 1 kg on hinges along z, gravity along −y, let go from the horizontal. */
export function pendulum(data, { until = 6, every = 0.02, angle = 0, exact = false, title = "The double pendulum" } = {}) {
    const g = 9.81, I = 1 / 12, h = 0.001;
    // Angles from the horizontal. M (α₁, α₂) = forces, from Lagrange's equations of two uniform rods.
    const accelerations = ([a, b, u, v]) => {
        const c = Math.cos(a - b), s = Math.sin(a - b);
        const m11 = I + 0.25 + 1, m12 = 0.5 * c, m22 = I + 0.25;
        const f1 = -0.5 * s * v * v - g * 1.5 * Math.cos(a), f2 = 0.5 * s * u * u - g * 0.5 * Math.cos(b);
        const det = m11 * m22 - m12 * m12;
        return [(m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det];
    };
    const rate = (y) => [y[2], y[3], ...accelerations(y)];
    const place = ([a, b]) => [[0.5 * Math.cos(a), 0.5 * Math.sin(a), 0], [Math.cos(a) + 0.5 * Math.cos(b), Math.sin(a) + 0.5 * Math.sin(b), 0]];
    const speed = ([a, b, u, v]) => [[-0.5 * Math.sin(a) * u, 0.5 * Math.cos(a) * u, 0],
                                     [-Math.sin(a) * u - 0.5 * Math.sin(b) * v, Math.cos(a) * u + 0.5 * Math.cos(b) * v, 0]];
    const acceleration = (y) => {
        const [a, b, u, v] = y, [p, q] = accelerations(y);
        return [[-0.5 * (Math.sin(a) * p + Math.cos(a) * u * u), 0.5 * (Math.cos(a) * p - Math.sin(a) * u * u), 0],
                [-Math.sin(a) * p - Math.cos(a) * u * u - 0.5 * (Math.sin(b) * q + Math.cos(b) * v * v),
                 Math.cos(a) * p - Math.sin(a) * u * u + 0.5 * (Math.cos(b) * q - Math.sin(b) * v * v), 0]];
    };
    // Reaction of the first hinge on the first rod: m₁ a₁ + m₂ a₂ = R + weights.
    const reaction1 = (y) => {
        const [a, b] = acceleration(y);
        return [a[0] + b[0], a[1] + b[1] + 2 * g, 0];
    };
    const reaction2 = (y) => {
        const b = acceleration(y)[1];
        return [b[0], b[1] + g, 0];
    };
    // With the state go the postings: impulse and angular impulse of gravity, impulse of the joint to the
    // world (which passes through O and has no angular one).
    const extended = (y) => {
        const [x1, x2] = place(y), r = reaction1(y);
        return [...rate(y), -2 * g, -g * (x1[0] + x2[0]), r[0], r[1]];
    };
    let y = [angle, angle, 0, 0, 0, 0, 0, 0];
    const rows = [y];
    for (let i = 0; i < Math.round(until / every); ++i) {
        for (let k = 0; k < Math.round(every / h); ++k) y = rungeKutta(y, h, extended);
        rows.push(y);
    }
    const s = rows.length;
    const time = data.put("f64", [s], rows.map((_, i) => i * every));
    const x = rows.map(place), v = rows.map(speed);
    const about = (k) => (a) => [Math.cos(a / 2), 0, 0, Math.sin(a / 2)][k];
    const q = rows.map(([a, b]) => [a, b].map((t) => [0, 1, 2, 3].map((k) => about(k)(t))));
    const potential = (i) => g * (x[i][0][1] + x[i][1][1]);
    const at = (i) => {
        const [, , u, w] = rows[i];
        const p = v[i][0].map((k, c) => k + v[i][1][c]);
        const L = [0, 0, cross(x[i][0], v[i][0])[2] + cross(x[i][1], v[i][1])[2] + I * (u + w)];
        const T = (dot(v[i][0], v[i][0]) + dot(v[i][1], v[i][1]) + I * (u * u + w * w)) / 2;
        return { mass: 2, p, L, T, V: potential(i), posted: {
            gravity: { p: [0, rows[i][4], 0], L: [0, 0, rows[i][5]], work: potential(0) - potential(i) },
            joint: { p: [rows[i][6], rows[i][7], 0], L: [0, 0, 0], work: 0 } } };
    };
    const moments = [0.001, I, I];
    const events = [];
    for (let i = 1; i < s; ++i)
        if (Math.floor((rows[i][1] + Math.PI / 2) / (2 * Math.PI)) !== Math.floor((rows[i - 1][1] + Math.PI / 2) / (2 * Math.PI)))
            events.push({ time: i * every, kind: "turn", text: "link 2 hangs straight down" });
    const axis = { orientation: identity };
    const three = (f) => data.put("f32", [s, 3], rows.flatMap(f));
    return {
        title, story: "Two rods let go from the horizontal; the second one turns over.",
        facts: facts("runge_kutta4", { step: "0.001 s", formulation: "reduced" }), outcome: { ended: "done", balanced: "yes", verdict: "" },
        gravity: [0, -g, 0], frames: { time }, samples: { time },
        bodies: {
            ...bodiesOf(data, [{ name: "link 1", mass: 1, moments, shape: 0 }, { name: "link 2", mass: 1, moments, shape: 0 }],
                        posesOf(data, s, 2, (k, i) => x[k][i], (k, i) => q[k][i], exact)),
            velocity: data.put("f32", [s, 2, 3], v.flat(2)),
            angular_velocity: data.put("f32", [s, 2, 3], rows.flatMap(([, , u, w]) => [0, 0, u, 0, 0, w])),
        },
        shapes: [{ kind: "box", sides: [1, 0.05, 0.05] }],
        joints: [
            { name: "hinge 1", kind: "revolute", a: -1, b: 0, frame_a: { position: [0, 0, 0], ...axis }, frame_b: { position: [-0.5, 0, 0], ...axis },
              reaction: { force: three(reaction1) } },
            { name: "hinge 2", kind: "revolute", a: 0, b: 1, frame_a: { position: [0.5, 0, 0], ...axis }, frame_b: { position: [-0.5, 0, 0], ...axis },
              reaction: { force: three(reaction2) } }],
        forces: [
            { cause: "joint", body: 0, force: three((y) => reaction1(y).map((k, c) => k - reaction2(y)[c])) },
            { cause: "joint", body: 1, force: three(reaction2), at: three(([a]) => [Math.cos(a), Math.sin(a), 0]) }],
        signals: [{ name: "hinge 1 / angle", unit: "rad", values: data.put("f64", [s], rows.map((r) => r[0])) },
                  { name: "hinge 2 / angle", unit: "rad", values: data.put("f64", [s], rows.map((r) => r[1] - r[0])) }],
        events, ledger: books(data, s, at),
    };
}

// A generator with a seed: the same page every time.
function randoms(seed) {
    let a = seed;
    return () => {
        a = (a + 0x6d2b79f5) | 0;
        let t = Math.imul(a ^ (a >>> 15), 1 | a);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/** n spinning balls thrown up from a square, each on its parabola, over f frames. */
export function balls(data, { n = 10000, f = 1001, until = 5 } = {}) {
    const next = randoms(7), g = 9.81;
    const side = Math.ceil(Math.sqrt(n)), r = 0.38;
    const list = [], start = [], speed = [], spin = [];
    for (let i = 0; i < n; ++i) {
        list.push({ name: `ball ${i}`, mass: 1, moments: [0.4 * r * r, 0.4 * r * r, 0.4 * r * r], shape: 0 });
        start.push([(i % side) - side / 2, Math.floor(i / side) - side / 2, 0]);
        speed.push([next() - 0.5, next() - 0.5, g * until * (0.44 + 0.06 * next())]);
        const axis = [next() - 0.5, next() - 0.5, next() - 0.5], l = Math.hypot(...axis) || 1;
        spin.push([...axis.map((k) => k / l), 1 + 3 * next()]);
    }
    const t = (k) => (f > 1 ? (k * until) / (f - 1) : 0);
    const x = (k, i) => [start[i][0] + speed[i][0] * t(k), start[i][1] + speed[i][1] * t(k), start[i][2] + (speed[i][2] - (g / 2) * t(k)) * t(k)];
    const q = (k, i) => {
        const [a, b, c, w] = spin[i], s = Math.sin((w * t(k)) / 2);
        return [Math.cos((w * t(k)) / 2), a * s, b * s, c * s];
    };
    const time = data.put("f64", [f], Array.from({ length: f }, (_, k) => t(k)));
    return {
        title: `${n} balls on parabolas`, facts: facts("closed form"), outcome: { ended: "done", balanced: "not kept", verdict: "" },
        gravity: [0, 0, -g], frames: { time }, samples: { time },
        bodies: bodiesOf(data, list, posesOf(data, f, n, x, q)), shapes: [{ kind: "ball", radius: r }],
    };
}

/** Every kind of shape, turning about z; two particles, a spring. */
export function shapes(data) {
    const kinds = [{ kind: "box", sides: [0.8, 0.5, 0.3] }, { kind: "ball", radius: 0.4 }, { kind: "ellipsoid", half_axes: [0.5, 0.3, 0.2] },
                   { kind: "cylinder", radius: 0.25, height: 0.8 }, { kind: "capsule", radius: 0.2, height: 0.5 }, { kind: "cone", radius: 0.3, height: 0.8 },
                   { kind: "mesh", vertices: data.put("f32", [4, 3], [0.5, 0, -0.3, -0.3, 0.4, -0.3, -0.3, -0.4, -0.3, 0, 0, 0.5]),
                     triangles: data.put("u32", [4, 3], [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]) }, { kind: "none" },
                   { kind: "group", parts: [{ shape: 3, position: [0, 0, 0], orientation: identity }, { shape: 1, position: [0, 0, 0.5], orientation: identity }] }];
    const list = kinds.map((k, i) => ({ name: k.kind, mass: 1, moments: [0.05, 0.08, 0.1], shape: i }));
    list.push({ name: "particle a", mass: 1, particle: true, shape: 7 }, { name: "particle b", mass: 1, particle: true, shape: 7 });
    const f = 101, n = list.length;
    const time = data.put("f64", [f], Array.from({ length: f }, (_, k) => k * 0.05));
    const x = (k, i) => (i < 9 ? [(i % 3) * 1.5, Math.floor(i / 3) * 1.5, 0.8] : [1.5 * (i - 9), -1.2 - 0.4 * Math.sin(k * 0.15), 0.8]);
    const q = (k, i) => (i < 9 ? [Math.cos(k * 0.03), 0, 0, Math.sin(k * 0.03)] : identity);
    return {
        title: "The shapes", facts: facts("closed form"), gravity: [0, 0, -9.81], ground: { point: [0, 0, 0], normal: [0, 0, 1] },
        frames: { time }, samples: { time }, bodies: bodiesOf(data, list, posesOf(data, f, n, x, q)), shapes: kinds,
        springs: [{ name: "spring", a: 9, b: 10, at_a: [0, 0, 0], at_b: [0, 0, 0] }],
    };
}

/** A block that slides to rest on the ground: x = v t − ½ μ g t². Its front corners carry N = ¼ m g (1 + μ h/a), the others the rest. */
export function sliding(data, { friction = 0.3, v = 3, until = 1.5, every = 0.02, title = "A block slides to rest" } = {}) {
    const m = 2, g = 9.81, [a, b, h] = [0.6, 0.4, 0.2];
    const s = Math.round(until / every) + 1, rest = v / (friction * g);
    const t = Array.from({ length: s }, (_, i) => i * every);
    const x = (k) => [v * Math.min(t[k], rest) - 0.5 * friction * g * Math.min(t[k], rest) ** 2, 0, h / 2];
    const slides = (k) => t[k] < rest;
    const time = data.put("f64", [s], t);
    const corners = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
    const each = t.flatMap((_, k) => corners.map(([e, f]) => {
        const N = (m * g / 4) * (1 + (slides(k) ? (e * friction * h) / a : 0));
        return { point: [x(k)[0] + (e * a) / 2, (f * b) / 2, 0], force: [slides(k) ? -friction * N : 0, 0, N] };
    }));
    const k = each.length, turning = (sign) => t.flatMap((_, i) => [0, slides(i) ? (sign * friction * m * g * h) / 2 : 0, 0]);
    return {
        title, facts: facts("closed form"), gravity: [0, 0, -g], ground: { point: [0, 0, 0], normal: [0, 0, 1] },
        frames: { time }, samples: { time }, shapes: [{ kind: "box", sides: [a, b, h] }],
        bodies: {
            ...bodiesOf(data, [{ name: "block", mass: m, moments: [m * (b * b + h * h) / 12, m * (a * a + h * h) / 12, m * (a * a + b * b) / 12], shape: 0 }],
                        posesOf(data, s, 1, x, () => identity, true)),
            velocity: data.put("f64", [s, 1, 3], t.flatMap((u) => [Math.max(0, v - friction * g * u), 0, 0])),
            angular_velocity: data.put("f64", [s, 1, 3], new Float64Array(3 * s)),
        },
        forces: [
            { cause: "contact_normal", body: 0, force: data.put("f64", [s, 3], t.flatMap(() => [0, 0, m * g])), torque: data.put("f64", [s, 3], turning(-1)) },
            { cause: "contact_friction", body: 0, force: data.put("f64", [s, 3], t.flatMap((_, i) => [slides(i) ? -friction * m * g : 0, 0, 0])),
              torque: data.put("f64", [s, 3], turning(1)) }],
        contacts: {
            start: data.put("u32", [s + 1], Array.from({ length: s + 1 }, (_, i) => 4 * i)), a: data.put("i32", [k], new Int32Array(k).fill(-1)), b: data.put("i32", [k], new Int32Array(k)),
            point: data.put("f64", [k, 3], each.flatMap((c) => c.point)), normal: data.put("f32", [k, 3], each.flatMap(() => [0, 0, 1])),
            force: data.put("f64", [k, 3], each.flatMap((c) => c.force)), friction: data.put("f64", [k], new Float64Array(k).fill(friction)),
        },
    };
}

/** Two blocks, and where they part: the page is told, and does not look. */
export function parting(data, file) {
    const a = sliding(data), b = sliding(data, { friction: 0.25, title: "A block on smoother ground" });
    const distance = Array.from({ length: 76 }, (_, i) => {
        const x = (mu) => { const u = Math.min(i * 0.02, 3 / (mu * 9.81)); return 3 * u - 0.5 * mu * 9.81 * u * u; };
        return x(0.25) - x(0.3);
    });
    return writePage(file, [a, b], data, { compare: {
        tolerance: { position: 0.01, angle: 0.01 }, first_part: { time: 0.22, body: 0, distance: distance[11], angle: 0 },
        signals: [{ name: "difference / largest distance", unit: "m", values: data.put("f64", [76], distance) }] } });
}

/** A run of no steps: the state at the start. */
export const zero = (data) => ({ ...tumbling(data, { until: 0 }), title: "A run of no steps" });

/** Markup wherever a user may write text. */
export function markup(data) {
    const bad = "<img src=x onerror=\"window.broken=1\"></script><script>window.broken=1</script><!-- ";
    const run = pendulum(data, { until: 0.4, title: bad });
    run.story = bad;
    run.bodies.names = [bad, `${bad} 2`];
    run.joints.forEach((j) => (j.name = bad));
    run.signals.forEach((s, i) => ((s.name = `${bad} ${i}`), (s.unit = bad)));
    run.events = [{ time: 0.2, kind: bad, text: bad }];
    run.facts.push({ name: bad, value: bad });
    run.outcome.verdict = bad;
    return run;
}

export const samples = {
    tumbling: (d) => [tumbling(d)],
    pendulum: (d) => [pendulum(d)],
    compare: (d) => [pendulum(d), pendulum(d, { angle: 0.02, until: 5, title: "The double pendulum, let go 0.02 rad higher" })],
    balls: (d) => [balls(d)],
    shapes: (d) => [shapes(d)],
    sliding: (d) => [sliding(d)],
    zero: (d) => [zero(d)],
    markup: (d) => [markup(d)],
};

export function makeSample(folder, name) {
    mkdirSync(folder, { recursive: true });
    const data = new Data(), file = join(folder, `${name}.html`);
    const bytes = writePage(file, samples[name](data), data);
    return { file, bytes };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const [folder = join(dirname(fileURLToPath(import.meta.url)), "../dist/samples"), ...names] = process.argv.slice(2);
    for (const name of names.length ? names : Object.keys(samples)) {
        const { file, bytes } = makeSample(folder, name);
        console.log(`${file}: ${(bytes / 1e6).toFixed(2)} MB`);
    }
}
