// SPDX-License-Identifier: MIT
// The books at a sample, about the point they were kept about or about any other fixed point.
//
//     L_A = L_B − d × p          d = r_A − r_B
//
// An angular impulse and a residual obey the same law with their own impulse and residual of p, so
// the shifted books close when the kept ones do.

import type { Accounts, Block, LedgerDescription, Opening, Store, Vec3 } from "./format";
import { scalarStores } from "./format";
import type { Numbers } from "./blocks";
import { add, cross, sub, zero } from "./maths";

export interface Line {
    cause: string;
    p: Vec3;
    L: Vec3;
    work: number;
}

export interface StoreLine {
    store: Store;
    opening: number;
    closing: number;
    residual: number;
}

/** Opening + postings + point + residual = closing. */
export interface Book {
    opening: { p: Vec3; L: Vec3; T: number };
    lines: Line[];
    point: Vec3; // what the motion of the point of the book did to L
    residual: { p: Vec3; L: Vec3; T: number };
    closing: { p: Vec3; L: Vec3; T: number };
    stores: StoreLine[];
    residualE: number;
}

export class Ledger {
    readonly causes: string[];
    readonly movable: boolean; // may the books be shifted to another point?
    readonly kept: Vec3; // the point they were kept about
    readonly keptText: string;
    private readonly about: LedgerDescription["about"];
    private readonly numbers = new Map<Block, Numbers>();

    constructor(readonly description: LedgerDescription, private readonly bodyCount: number,
                private readonly open: (b: Block) => Numbers) {
        this.causes = description.causes;
        this.about = description.about;
        this.movable = this.about.kind === "point";
        this.kept = this.about.kind === "point" ? this.about.point : zero();
        this.keptText = this.about.kind === "point"
            ? this.kept.every((k) => k === 0) ? "the world origin" : `the point (${this.kept.join(", ")})`
            : this.about.text;
    }

    hasBodies(): boolean {
        return this.description.bodies !== undefined;
    }

    /** The numbers of an account, opened once. */
    values(block: Block): Numbers {
        let found = this.numbers.get(block);
        if (!found) this.numbers.set(block, (found = this.open(block)));
        return found;
    }

    private scalar(block: Block | undefined, row: number): number {
        return block ? this.values(block)[row]! : 0;
    }

    private vector(block: Block | undefined, row: number): Vec3 {
        if (!block) return zero();
        const v = this.values(block);
        return [v[3 * row]!, v[3 * row + 1]!, v[3 * row + 2]!];
    }

    /** The books from the start to sample i, of the whole or of one body, about A. */
    at(i: number, about: Vec3 | null = null, body: number | null = null): Book {
        const accounts: Accounts = body === null ? this.description.total : this.description.bodies!;
        const row = body === null ? i : i * this.bodyCount + body;
        const d = about && this.movable ? sub(about, this.kept) : null;
        const shift = (L: Vec3, p: Vec3): Vec3 => (d ? sub(L, cross(d, p)) : L);
        const c = this.causes.length;

        const lines = this.causes.map((cause, k) => {
            const p = this.vector(accounts.impulse, row * c + k);
            const L = shift(this.vector(accounts.angular_impulse, row * c + k), p);
            return { cause, p, L, work: this.scalar(accounts.work, row * c + k) };
        });
        const p = this.vector(accounts.p, row);
        const T = this.scalar(accounts.kinetic_energy, row);
        const rp = this.vector(accounts.residual_p, row);
        const rT = this.scalar(accounts.residual_kinetic_energy, row);
        const L = shift(this.vector(accounts.L, row), p);
        const rL = shift(this.vector(accounts.residual_L, row), rp);
        const point = this.vector(accounts.moving_point, row);

        let opening: { p: Vec3; L: Vec3; T: number };
        if (body === null) {
            const o: Opening = this.description.opening;
            opening = { p: o.p, L: shift(o.L, o.p), T: o.kinetic_energy };
        } else { // a body's opening is what its closing leaves
            const posted = lines.reduce((s, l) => ({ p: add(s.p, l.p), L: add(s.L, l.L), T: s.T + l.work }),
                                        { p: rp, L: add(rL, point), T: rT });
            opening = { p: sub(p, posted.p), L: sub(L, posted.L), T: T - posted.T };
        }
        const stores: StoreLine[] = [];
        let residualE = rT;
        if (body === null)
            for (const store of scalarStores) {
                const closing = accounts[store];
                if (store === "kinetic_energy" || !closing) continue;
                const residual = this.scalar(accounts[`residual_${store}`], row);
                residualE += residual;
                stores.push({ store, residual, opening: this.description.opening[store] ?? 0,
                              closing: this.scalar(closing, row) });
            }
        return { opening, lines, point, residual: { p: rp, L: rL, T: rT }, closing: { p, L, T }, stores, residualE };
    }

    /** The books of the time from the sample before to sample i alone. */
    between(i: number, about: Vec3 | null = null, body: number | null = null): Book {
        const now = this.at(i, about, body);
        if (i === 0) return now;
        const before = this.at(i - 1, about, body);
        return {
            opening: before.closing,
            lines: now.lines.map((l, k) => ({ cause: l.cause, p: sub(l.p, before.lines[k]!.p),
                                              L: sub(l.L, before.lines[k]!.L), work: l.work - before.lines[k]!.work })),
            point: sub(now.point, before.point),
            residual: { p: sub(now.residual.p, before.residual.p), L: sub(now.residual.L, before.residual.L),
                        T: now.residual.T - before.residual.T },
            closing: now.closing,
            stores: now.stores.map((s, k) => ({ ...s, opening: before.stores[k]!.closing,
                                                residual: s.residual - before.stores[k]!.residual })),
            residualE: now.residualE - before.residualE,
        };
    }
}
