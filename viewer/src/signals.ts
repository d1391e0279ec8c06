// SPDX-License-Identifier: MIT
// Everything that can be plotted, by name: what the file records, what the ledger holds, and the
// motion of each body.

import type { Block, Cut, Vec3 } from "./format";
import type { Book } from "./ledger";
import type { Run } from "./run";
import { dot, locate, norm } from "./maths";

export interface Signal {
    name: string;
    unit: string;
    residual: boolean; // plotted as a size on a logarithmic axis
    values: () => Float64Array; // at the samples
}

const axes = ["x", "y", "z"];
const listed = 2000; // bodies whose signals are offered

export class Signals {
    private readonly found = new Map<string, Signal>();
    private readonly differences = new Set<string>();
    private books: Book[] | null = null;

    constructor(readonly run: Run) {
        for (const s of run.d.signals ?? [])
            this.put(s.name, s.unit, () => Float64Array.from(run.open(s.values)));
        for (const cut of run.d.cuts ?? []) this.addCut(cut);
        this.addForces();
        if (run.ledger) this.addLedger();
        if (run.count && run.count <= listed && !this.found.has("whole / speed")) this.addWhole();
        for (let body = 0; body < Math.min(run.count, listed); ++body) this.addBody(body);
    }

    /** Replaces what tells two runs apart. */
    differ(signals: { name: string; unit: string; values: () => Float64Array }[]): void {
        for (const name of [...this.found.keys()]) if (this.differences.has(name)) this.found.delete(name);
        this.differences.clear();
        for (const s of signals) {
            this.differences.add(s.name);
            this.put(s.name, s.unit, s.values, true);
        }
    }

    names(): string[] {
        return [...this.found.keys()];
    }
    get(name: string): Signal | undefined {
        // Names of bodies beyond the list are known too; they are only not offered.
        if (!this.found.has(name) && this.run.count > listed) {
            const body = this.run.names.findIndex((n) => name.startsWith(`${n} / `));
            if (body >= listed) this.addBody(body);
        }
        return this.found.get(name);
    }

    /** A signal of this run at the samples of another. */
    resampled(name: string, times: ArrayLike<number>): Float64Array | null {
        const signal = this.get(name);
        if (!signal) return null;
        const values = signal.values();
        return Float64Array.from(times, (t) => {
            const { i, s } = locate(this.run.time, t);
            return t > this.run.end + 1e-12 ? NaN : s > 0 ? values[i]! * (1 - s) + values[i + 1]! * s : values[i]!;
        });
    }

    private put(name: string, unit: string, make: () => Float64Array, residual = false): void {
        let cache: Float64Array | null = null;
        this.found.set(name, { name, unit, residual, values: () => (cache ??= make()) });
    }

    private addForces(): void {
        const vector = (name: string, unit: string, block: Block | undefined) => {
            if (!block) return;
            const rows = (pick: (v: ArrayLike<number>, i: number) => number) => () => {
                const v = this.run.open(block);
                return Float64Array.from(this.run.time, (_, i) => pick(v, 3 * i));
            };
            axes.forEach((axis, k) => this.put(`${name} ${axis}`, unit, rows((v, i) => v[i + k]!)));
            this.put(`${name} size`, unit, rows((v, i) => Math.hypot(v[i]!, v[i + 1]!, v[i + 2]!)));
        };
        for (const joint of this.run.d.joints ?? []) {
            vector(`${joint.name} / reaction force`, "N", joint.reaction?.force);
            vector(`${joint.name} / reaction torque`, "N m", joint.reaction?.torque);
        }
        for (const f of this.run.d.forces ?? []) {
            vector(`${this.run.names[f.body]} / ${f.cause} force`, "N", f.force);
            vector(`${this.run.names[f.body]} / ${f.cause} torque`, "N m", f.torque);
        }
    }

    private addCut(cut: Cut): void {
        const part = (block: Block, k: number, wide: number) => () => {
            const v = this.run.open(block);
            return Float64Array.from({ length: v.length / wide }, (_, i) => v[wide * i + k]!);
        };
        this.put(`${cut.name} / tension`, "N", part(cut.force, 2, 3));
        ["shear x", "shear y"].forEach((what, k) => this.put(`${cut.name} / ${what}`, "N", part(cut.force, k, 3)));
        ["bending x", "bending y", "torsion"].forEach((what, k) => this.put(`${cut.name} / ${what}`, "N m", part(cut.moment, k, 3)));
        this.put(`${cut.name} / utilisation`, "1", part(cut.utilisation, 0, 1));
        this.put(`${cut.name} / largest utilisation`, "1", part(cut.largest, 0, 1));
    }

    private allBooks(): Book[] {
        return (this.books ??= Array.from(this.run.time, (_, i) => this.run.ledger!.at(i)));
    }

    private addLedger(): void {
        const of = (pick: (b: Book) => number) => () => Float64Array.from(this.allBooks(), pick);
        const stores = this.run.ledger!.at(0).stores;
        this.put("energy / total", "J", of((b) => b.closing.T + b.stores.reduce((s, x) => s + x.closing, 0)));
        this.put("energy / kinetic", "J", of((b) => b.closing.T));
        stores.forEach((s, k) => this.put(`energy / ${s.store.replace("_", " ")}`, "J", of((b) => b.stores[k]!.closing)));
        this.put("residual / energy", "J", of((b) => b.residualE), true);
        this.put("residual / p", "kg m/s", of((b) => norm(b.residual.p)), true);
        this.put("residual / L", "kg m²/s", of((b) => norm(b.residual.L)), true);
        this.put("residual / kinetic", "J", of((b) => b.residual.T), true);
        const vector = (name: string, unit: string, pick: (b: Book) => Vec3) => {
            axes.forEach((axis, k) => this.put(`${name} ${axis}`, unit, of((b) => pick(b)[k]!)));
            this.put(`${name} size`, unit, of((b) => norm(pick(b))));
        };
        vector("ledger / p", "kg m/s", (b) => b.closing.p);
        vector("ledger / L", "kg m²/s", (b) => b.closing.L);
        this.run.ledger!.causes.forEach((cause, c) => {
            vector(`ledger / ${cause} impulse`, "N s", (b) => b.lines[c]!.p);
            vector(`ledger / ${cause} angular impulse`, "N m s", (b) => b.lines[c]!.L);
            this.put(`ledger / ${cause} work`, "J", of((b) => b.lines[c]!.work));
        });
    }

    // The centre of mass of all: how high it is, how fast, and what it feels, n = |Σ F|/(m g) over all forces but gravity. What a
    // joint with the world carries is not among the forces, so with one there is no n.
    private addWhole(): void {
        const { run } = this, { gravity, forces = [], joints = [] } = run.d;
        const bodies = Array.from({ length: run.count }, (_, i) => i);
        const massAt = (t: number) => bodies.reduce((m, b) => m + run.massAt(t, b), 0);
        if (!(massAt(run.begin) > 0)) return;
        const mean = (of: (t: number, b: number) => Vec3, t: number): Vec3 => {
            const sum: Vec3 = [0, 0, 0], mass = massAt(t);
            for (const b of bodies) of(t, b).forEach((k, c) => (sum[c]! += (run.massAt(t, b) / mass) * k));
            return sum;
        };
        if (gravity) this.put("whole / height", "m", () => Float64Array.from(run.time, (t) => dot(run.up, mean((u, b) => run.poses.poseAt(u, b).x, t))));
        this.put("whole / speed", "m/s", () => Float64Array.from(run.time, (t) => norm(mean((u, b) => run.motionAt(u, b).v, t))));
        const felt = forces.filter((f) => f.cause !== "gravity");
        if (!gravity || !felt.length || joints.some((j) => j.a < 0 || j.b < 0)) return;
        const g = norm(gravity);
        this.put("whole / load factor", "1", () => Float64Array.from(run.time, (t, i) => {
            const sum = [0, 0, 0];
            for (const f of felt) {
                const v = run.open(f.force);
                for (let k = 0; k < 3; ++k) sum[k]! += v[3 * i + k]!;
            }
            return Math.hypot(...sum) / (massAt(t) * g);
        }));
    }

    private addBody(body: number): void {
        const { run } = this;
        const name = run.names[body]!;
        const motion = (pick: (t: number) => number) => () => Float64Array.from(run.time, pick);
        const vector = (what: string, unit: string, pick: (t: number) => Vec3) => {
            axes.forEach((axis, k) => this.put(`${name} / ${what} ${axis}`, unit, motion((t) => pick(t)[k]!)));
            this.put(`${name} / ${what} size`, unit, motion((t) => norm(pick(t))));
        };
        vector("position", "m", (t) => run.poses.poseAt(t, body).x);
        vector("velocity", "m/s", (t) => run.motionAt(t, body).v);
        vector("p", "kg m/s", (t) => run.motionAt(t, body).p);
        if (run.particle[body]) return;
        ["w", "x", "y", "z"].forEach((axis, k) =>
            this.put(`${name} / attitude ${axis}`, "1", motion((t) => run.poses.poseAt(t, body).q[k]!)));
        vector("angular velocity", "rad/s", (t) => run.motionAt(t, body).omega);
        vector("L about its centre", "kg m²/s", (t) => run.motionAt(t, body).L);
    }
}
