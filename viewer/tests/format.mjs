// SPDX-License-Identifier: MIT
// The format without a browser: what is written is read back within the error that is stated.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as core from "../dist/core.mjs";
import { Data, escapeJson, packOrientation, pageOf, posesOf } from "../tools/write.mjs";
import { balls, pendulum, tumbling, zero } from "../tools/sample.mjs";

const near = (a, b, tolerance, what = "") => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);

function randoms(seed) {
    let a = seed;
    return () => {
        a = (Math.imul(a, 1664525) + 1013904223) >>> 0;
        return a / 4294967296;
    };
}
const normal = (next) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

function randomQuaternion(next) {
    const q = [normal(next), normal(next), normal(next), normal(next)];
    const l = Math.hypot(...q);
    return q.map((k) => k / l);
}
const angleBetween = (q, r) => {
    const d = core.times(core.conj(q), r);
    return 2 * Math.atan2(Math.hypot(d[1], d[2], d[3]), Math.abs(d[0]));
};
const readAll = (data) => data.all().buffer;
const runOf = (make, options) => {
    const data = new Data();
    const d = make(data, options);
    return new core.Run(d, readAll(data));
};

test("an orientation in three words is within 1.5e-4 rad of itself", () => {
    const next = randoms(1);
    let most = 0;
    for (let i = 0; i < 200000; ++i) {
        const q = randomQuaternion(next), words = new Uint16Array(3), r = [0, 0, 0, 0];
        packOrientation(q, words, 0);
        core.unpackOrientation(words[0], words[1], words[2], r, 0);
        most = Math.max(most, angleBetween(q, r));
        near(Math.hypot(...r), 1, 1e-12, "length");
    }
    assert.ok(most < 1.5e-4, `largest angle ${most}`);
    assert.ok(most > 0.5e-4, "the bound is not idle"); // random turns come to two thirds of it
});

test("the corners of an orientation: identity exact, equal components, each one largest", () => {
    const corners = [[1, 0, 0, 0], [-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5], [-0.5, 0.5, -0.5, 0.5],
                     [Math.SQRT1_2, Math.SQRT1_2, 0, 0], [Math.SQRT1_2, 0, -Math.SQRT1_2, 0], [0, Math.SQRT1_2, 0, -Math.SQRT1_2]];
    for (const q of corners) {
        const words = new Uint16Array(3), r = [0, 0, 0, 0];
        packOrientation(q, words, 0);
        assert.deepEqual([...words], core.packOrientation(q), "both writers agree");
        core.unpackOrientation(words[0], words[1], words[2], r, 0);
        near(angleBetween(q, r), 0, 1.5e-4, String(q));
    }
    const r = [0, 0, 0, 0];
    core.unpackOrientation(...core.packOrientation([1, 0, 0, 0]), r, 0);
    assert.deepEqual(r, [1, 0, 0, 0]);
});

test("positions are within half the diagonal of a cell", () => {
    const next = randoms(2), f = 7, n = 50;
    const x = Array.from({ length: f * n }, () => [1e3 * next(), -5 + next(), 7]);
    const data = new Data();
    const poses = posesOf(data, f, n, (k, i) => x[k * n + i], () => [1, 0, 0, 0]);
    const all = readAll(data);
    const p = new core.Poses(Array.from({ length: f }, (_, k) => k), n, poses,
                             core.numbersOf(all, poses.position.values), core.numbersOf(all, poses.orientation.values));
    let most = 0;
    for (let k = 0; k < f; ++k)
        for (let i = 0; i < n; ++i) most = Math.max(most, core.norm(core.sub([...p.placeAt(k, i)], x[k * n + i])));
    assert.ok(most <= poses.position.error * (1 + 1e-9), `${most} > ${poses.position.error}`);
    assert.equal(p.placeAt(3, 3)[2], 7, "an axis without extent is exact");
});

test("second differences are undone for any numbers, also those that wrap", () => {
    const next = randoms(3);
    for (const [f, row] of [[1, 4], [2, 3], [50, 6]]) {
        const k = Uint16Array.from({ length: f * row }, () => Math.floor(65536 * next()));
        k[0] = 65535;
        const data = new Data();
        const block = data.putDifferences([f, row], k);
        assert.deepEqual(core.numbersOf(readAll(data), block), k);
    }
});

test("base64 is read with and without the browser's own reader", () => {
    for (let n = 0; n < 10; ++n) {
        const bytes = Uint8Array.from({ length: n }, (_, i) => 37 * i + 250);
        assert.deepEqual(core.base64Bytes(`\n${Buffer.from(bytes).toString("base64")} `), bytes);
    }
    assert.throws(() => core.base64Bytes("ab*d"));
});

test("a page is read back chunk by chunk, packed and plain; damage is named", async () => {
    for (const compress of [true, false]) {
        const data = new Data();
        const runs = [pendulum(data, { until: 0.2 })];
        const html = pageOf(runs, data, { compress, chunkBytes: 1024 });
        const text = (id) => html.match(new RegExp(`id="${id}">([^<]*)<`))[1];
        const page = JSON.parse(text("poinsot-run"));
        assert.ok(page.data.chunks > 3);
        const [run] = await core.readRuns(page, (i) => text(`poinsot-data-${i}`));
        assert.deepEqual([...run.time], Array.from({ length: 11 }, (_, i) => i * 0.02));
        await assert.rejects(core.readRuns(page, () => text("poinsot-data-0").slice(0, 40)));
        await assert.rejects(core.readRuns({ ...page, version: [2, 0] }, () => ""), /version 2.0/);
    }
    assert.throws(() => core.numbersOf(new ArrayBuffer(16), { type: "f64", shape: [3], offset: 0 }), /does not lie/);
    assert.throws(() => core.numbersOf(new ArrayBuffer(16), { type: "f65", shape: [1], offset: 0 }), /unknown type/);
});

test("markup in a description cannot end its element", () => {
    const text = escapeJson({ name: "</script><!--" });
    assert.ok(!text.includes("<"));
    assert.equal(JSON.parse(text).name, "</script><!--");
});

test("between frames: a straight line and a steady turn", () => {
    const data = new Data();
    const angle = 1.3, q = (a) => [Math.cos(a / 2), 0, Math.sin(a / 2), 0];
    const poses = posesOf(data, 2, 1, (k) => [2 * k, 0, -k], (k) => (k ? q(angle).map((c) => -c) : q(0)), true); // the other sign is the same turn
    const all = readAll(data);
    const p = new core.Poses([0, 2], 1, poses, core.numbersOf(all, poses.position.values), core.numbersOf(all, poses.orientation.values));
    for (const s of [0, 0.25, 0.5, 0.99, 1]) {
        const at = p.poseAt(2 * s, 0);
        near(at.x[0], 2 * s, 1e-15, "x");
        near(angleBetween(at.q, q(s * angle)), 0, 1e-12, "turn");
        p.go(2 * s);
        assert.deepEqual([...p.x], at.x, "one body and all bodies agree");
        assert.deepEqual([...p.q], at.q);
    }
    assert.deepEqual(p.poseAt(99, 0).x, [2, 0, -1], "after the end: the end");
});

test("frames may be fewer than samples", () => {
    const data = new Data();
    const d = balls(data, { n: 3, f: 11, until: 1 });
    const fine = Array.from({ length: 101 }, (_, i) => i / 100);
    d.samples = { time: data.put("f64", [101], fine) };
    const run = new core.Run(d, readAll(data));
    assert.equal(run.time.length, 101);
    assert.equal(run.poses.time.length, 11);
    const [a, b, c] = [0.3, 0.35, 0.4].map((t) => run.poses.poseAt(t, 1).x);
    for (let k = 0; k < 3; ++k) near(b[k], (a[k] + c[k]) / 2, 1e-12);
});

test("the books close about any point", () => {
    const run = runOf(pendulum, { until: 2 });
    for (const about of [null, [0, 0, 0], [3, -2, 0.5]])
        for (const span of ["at", "between"])
            for (const i of [0, 37, 100]) {
                const b = run.ledger[span](i, about);
                const sum = (pick) => b.lines.reduce((s, l) => core.add(s, pick(l)), [0, 0, 0]);
                for (const [opening, posted, residual, closing] of [
                    [b.opening.p, sum((l) => l.p), b.residual.p, b.closing.p], [b.opening.L, sum((l) => l.L), b.residual.L, b.closing.L]])
                    for (let k = 0; k < 3; ++k) // rounding of a sum of terms up to 200
                        near(opening[k] + posted[k] + residual[k], closing[k], 2e-13, `${span} ${i}`);
                near(b.opening.T + b.lines.reduce((s, l) => s + l.work, 0) + b.residual.T, b.closing.T, 2e-13);
            }
});

test("L about A is the sum over bodies of L about A", () => {
    const run = runOf(pendulum, { until: 2, exact: true });
    const A = [0.7, -1.1, 2];
    for (const i of [0, 50, 100]) {
        const t = run.time[i];
        let L = [0, 0, 0];
        for (const b of [0, 1]) {
            const m = run.motionAt(t, b);
            L = core.add(L, core.add(m.L, core.cross(core.sub(m.x, A), m.p)));
        }
        const booked = run.ledger.at(i, A).closing.L;
        for (let k = 0; k < 3; ++k) near(L[k], booked[k], 3e-6, "L"); // velocities here are f32
    }
});

test("books about a moving point are not shifted", () => {
    const data = new Data();
    const d = pendulum(data, { until: 0.2 });
    d.ledger.about = { kind: "moving", text: "the centre of mass" };
    const run = new core.Run(d, readAll(data));
    assert.equal(run.ledger.movable, false);
    assert.deepEqual(run.ledger.at(5, [1, 2, 3]), run.ledger.at(5));
});

test("Poinsot: the polhode lies on the energy ellipsoid and on the momentum ellipsoid", () => {
    const I = [1, 2, 3], twoT = 46;
    for (const D of [1, 1.2, 1.999, 2, 2.0769, 2.9, 3])
        for (const w of core.polhode(I, twoT, D, true)) {
            near(w.reduce((s, k, i) => s + I[i] * k * k, 0), twoT, 1e-12 * twoT, "2T");
            near(w.reduce((s, k, i) => s + (I[i] * k) ** 2, 0), D * twoT, 1e-12 * D * twoT, "L²");
        }
});

test("Poinsot: the ω of a free run stays on its polhode, and its plane stays where it is", () => {
    const run = runOf(tumbling, { until: 4 });
    assert.ok(run.turnsFreely(0));
    const first = run.motionAt(0, 0);
    const twoT = core.dot(first.L, first.omega);
    for (const t of run.time) {
        const m = run.motionAt(t, 0);
        const omega = run.inertiaTimes(0, m.q, m.L, true);
        near(core.dot(first.L, omega), twoT, 1e-9 * twoT, "L·ω"); // Runge-Kutta at 1 ms keeps ten digits here
        near(core.norm(core.sub(omega, m.omega)), 0, 1e-9, "both roads to ω");
    }
    assert.ok(!runOf(pendulum, { until: 1 }).turnsFreely(1));
});

test("velocities from differences of poses are those of the motion", () => {
    const run = runOf(balls, { n: 5, f: 501, until: 5 });
    assert.ok(run.estimated);
    const m = run.motionAt(1.005, 2), a = run.poses.poseAt(1, 2).x, b = run.poses.poseAt(1.01, 2).x;
    for (let k = 0; k < 3; ++k) near(m.v[k], (b[k] - a[k]) / 0.01, 1e-9);
    assert.ok(core.norm(m.omega) > 0.9 && core.norm(m.omega) < 4.1);
});

test("a run of no steps has one sample and an empty ledger", () => {
    const run = runOf(zero);
    assert.equal(run.time.length, 1);
    assert.equal(run.begin, run.end);
    assert.deepEqual(run.ledger.between(0).closing, run.ledger.at(0).closing);
    assert.equal(run.sampleAt(5), 0);
});

test("what is fixed in a body stays where it is while its centre of mass moves in it", () => {
    // A turned shell at rest: the fuel goes along its x axis, and the centre of mass with it.
    const data = new Data(), s = 5, q = [Math.cos(0.4), 0, Math.sin(0.4), 0], origin = [3, -2, 1];
    const center = (k) => [0.1 * k + 0.02 * k * k, 0, 0];
    const d = tumbling(data, { until: 0 });
    d.frames = d.samples = { time: data.put("f64", [s], [0, 1, 2, 3, 4]) };
    Object.assign(d.bodies, posesOf(data, s, 1, (k) => core.add(origin, core.turn(q, center(k))), () => q, true));
    for (const name of ["velocity", "angular_velocity", "angular_momentum"]) delete d.bodies[name];
    delete d.ledger;
    d.bodies.center_moves = [{ body: 0, values: data.put("f64", [s, 3], Array.from({ length: s }, (_, k) => center(k)).flat()) }];
    const run = new core.Run(d, readAll(data)), corner = [1, 0.5, -0.2], fixed = core.add(origin, core.turn(q, corner));
    for (const t of [0, 0.5, 1, 2.25, 4]) { // between samples both go straight
        run.poses.go(t);
        near(core.norm(core.sub(run.placed(0, corner).x, fixed)), 0, 1e-14, `at ${t} s`);
    }
    near(core.norm(run.centerMoved(0)), 0.72, 1e-14);
    assert.equal(runOf(pendulum, { until: 0.2 }).centerMoved(0), null);
});

test("signals: names are unique, values are those of the file", () => {
    const run = runOf(pendulum, { until: 1 });
    const signals = new core.Signals(run);
    const i = 30, book = run.ledger.at(i);
    near(signals.get("energy / kinetic").values()[i], book.closing.T, 0);
    near(signals.get("ledger / gravity impulse y").values()[i], book.lines[0].p[1], 0);
    near(signals.get("link 2 / position x").values()[i], run.poses.poseAt(run.time[i], 1).x[0], 0);
    assert.equal(signals.get("hinge 1 / angle").values().length, run.time.length);
    const other = signals.resampled("hinge 1 / angle", [0.01, 5]);
    const angle = signals.get("hinge 1 / angle").values();
    near(other[0], (angle[0] + angle[1]) / 2, 1e-15);
    assert.ok(Number.isNaN(other[1]), "nothing after the end");
});

test("of many contacts the twelve largest forces have words, and all on the body that is selected", () => {
    const contacts = Array.from({ length: 200 }, (_, i) => ({ a: i % 50, b: -1, force: [0, 0, (i * 37) % 200] }));
    const largest = core.contactsNamed(contacts, -1);
    assert.equal(largest.size, 12);
    for (const i of largest) assert.ok(contacts[i].force[2] >= 188, `${contacts[i].force[2]} is none of the largest`);
    const own = core.contactsNamed(contacts, 7);
    for (const i of [7, 57, 107, 157]) assert.ok(own.has(i), `contact ${i} of the body that is selected`);
    assert.deepEqual([...core.contactsNamed(contacts.slice(0, 5), -1)].sort(), [0, 1, 2, 3, 4]);
});
