// SPDX-License-Identifier: MIT
// Two runs side by side: when and with which body they part, and how far they are apart over time. What
// the writer of the page found out from the numbers themselves goes before what is found here from poses
// as the page shows them. Bodies are matched by name.

import type { CompareRecord } from "./format";
import type { Run } from "./run";
import { norm, sub } from "./maths";

export interface Comparison {
    first: { time: number; body: number; distance: number; angle: number } | null;
    tolerance: { position: number; angle: number };
    fromPoses: boolean; // found here
    matched: number;
    onlyA: string[];
    onlyB: string[];
    largest: { distance: number; angle: number; time: number };
    signals: { name: string; unit: string; values: () => Float64Array }[];
}

const mostPoses = 600000; // compared for the first parting; more samples are thinned
const mostListed = 200;

export function compareRuns(a: Run, b: Run, record: CompareRecord | null): Comparison {
    const inB = new Map(b.names.map((name, i) => [name, i]));
    const pairs = a.names.flatMap((name, i) => (inB.has(name) ? [[i, inB.get(name)!] as [number, number]] : []));
    const both = new Set(pairs.map(([i]) => a.names[i]!));
    const end = Math.min(a.end, b.end) * (1 + 1e-12);
    const apart = (t: number, [i, j]: [number, number]) => {
        const p = a.poses.poseAt(t, i), q = b.poses.poseAt(t, j);
        const cosine = Math.abs(p.q.reduce((s, k, c) => s + k * q.q[c]!, 0));
        return { distance: norm(sub(p.x, q.x)), angle: 2 * Math.acos(Math.min(1, cosine)) };
    };
    const errors = (k: "position" | "orientation") => a.d.bodies[k].error + b.d.bodies[k].error;
    // Rounding of poses is no parting; 1e-7 is what an arc cosine near 1 leaves of an angle.
    const tolerance = record?.tolerance ?? { position: Math.max(1e-12, 2 * errors("position")), angle: Math.max(1e-7, 2 * errors("orientation")) };

    const stride = Math.max(1, Math.ceil((a.time.length * pairs.length) / mostPoses));
    const most = { distance: new Float64Array(a.time.length).fill(NaN), angle: new Float64Array(a.time.length).fill(NaN) };
    const largest = { distance: 0, angle: 0, time: a.begin };
    let first: Comparison["first"] = null;
    for (let s = 0; s < a.time.length && a.time[s]! <= end; ++s) {
        if (s % stride && s !== a.time.length - 1) continue;
        const t = a.time[s]!;
        most.distance[s] = most.angle[s] = 0;
        let worst = 1;
        for (const pair of pairs) {
            const d = apart(t, pair);
            most.distance[s] = Math.max(most.distance[s]!, d.distance);
            most.angle[s] = Math.max(most.angle[s]!, a.particle[pair[0]] ? 0 : d.angle);
            const by = Math.max(d.distance / tolerance.position, a.particle[pair[0]] ? 0 : d.angle / tolerance.angle);
            if (by > worst && (first === null || first.time === t)) {
                worst = by;
                first = { time: t, body: pair[0], ...d };
            }
        }
        if (most.distance[s]! > largest.distance) Object.assign(largest, { distance: most.distance[s]!, time: t });
        largest.angle = Math.max(largest.angle, most.angle[s]!);
    }

    const signals: Comparison["signals"] = (record?.signals ?? []).map((s) => ({ name: s.name, unit: s.unit, values: () => Float64Array.from(a.open(s.values)) }));
    const add = (name: string, unit: string, values: () => Float64Array) => {
        if (!signals.some((s) => s.name === name)) signals.push({ name, unit, values });
    };
    add("difference / largest distance", "m", () => most.distance);
    if (Array.from(a.particle).some((p) => !p)) add("difference / largest angle", "rad", () => most.angle);
    for (const pair of pairs.slice(0, mostListed)) {
        const at = (pick: "distance" | "angle") => () => Float64Array.from(a.time, (t) => (t > end ? NaN : apart(t, pair)[pick]));
        add(`difference / ${a.names[pair[0]]} / distance`, "m", at("distance"));
        if (!a.particle[pair[0]]) add(`difference / ${a.names[pair[0]]} / angle`, "rad", at("angle"));
    }
    const given = record?.first_part;
    if (given !== undefined)
        first = given && { time: given.time, body: given.body, distance: given.distance ?? NaN, angle: given.angle ?? NaN };
    return { first, tolerance, fromPoses: given === undefined, matched: pairs.length, largest, signals,
             onlyA: a.names.filter((n) => !both.has(n)), onlyB: b.names.filter((n) => !both.has(n)) };
}
