// SPDX-License-Identifier: MIT
// What happened: the events of the file, and those that its books tell. Where a stop or a contact no longer
// pushes, things have parted; where a file does not list its impacts, something was struck in the frame in which
// one took energy or began to push. The frames with the largest residuals are events too.

import type { Run } from "./run";
import { norm, sub } from "./maths";
import { show } from "./dom";

export interface RunEvent {
    time: number;
    kind: string;
    text: string;
    name?: string; // of what it happened to
    load?: string; // which load passed its limit
    utilisation?: number;
}

const pushing: Record<string, string> = { limit: "a stop", contact_normal: "a contact" };
const blow = 0.02; // of the largest loss in a frame
const mostFound = 200; // more would be a pile at rest, not a list of events

export function eventsOf(run: Run): RunEvent[] {
    const given = run.d.events ?? [];
    const found = [...given];
    if (run.ledger) {
        // Before all impacts were listed, those of surfaces that are located in time were, those of stops were not.
        const struck = given.some((e) => e.kind === "impact");
        for (const [cause, what] of Object.entries(pushing))
            found.push(...strokes(run, cause, what).filter((e) => e.kind !== "impact" || !(run.d.impacts_listed || (struck && cause === "contact_normal"))));
        if (!given.some((e) => e.kind.includes("residual"))) found.push(...worst(run));
    }
    return found.sort((a, b) => a.time - b.time);
}

function strokes(run: Run, cause: string, what: string): RunEvent[] {
    const c = run.ledger!.causes.indexOf(cause);
    if (c < 0) return [];
    const { total } = run.ledger!.description;
    const work = run.open(total.work), impulse = run.open(total.impulse), count = run.ledger!.causes.length;
    const forces = (run.d.forces ?? []).filter((f) => f.cause === cause).map((f) => run.open(f.force));
    const out: RunEvent[] = [];
    // Surfaces that rest and rub take a little in every frame: what is struck takes a part of the most that any frame did.
    let most = 0;
    for (let i = 1; i < run.time.length; ++i) most = Math.max(most, work[(i - 1) * count + c]! - work[i * count + c]!);
    const stroke = cause === "contact_normal" ? blow * most : 0;
    let before = false;
    for (let i = 1; i < run.time.length; ++i) {
        const done = work[i * count + c]! - work[(i - 1) * count + c]!;
        let now = done !== 0 || forces.some((f) => f[3 * i] || f[3 * i + 1] || f[3 * i + 2]);
        for (let k = 0; k < 3; ++k) now ||= impulse[3 * (i * count + c) + k] !== impulse[3 * ((i - 1) * count + c) + k];
        const begins = !before && (i > 1 || cause !== "contact_normal"); // what rests at the start is not struck
        if (now && (done < -stroke || begins))
            out.push({ time: run.time[i]!, kind: "impact", text: `${what} is met${done < 0 ? ` and takes ${show(-done, 3)} J` : ""} in the frame that ends here` });
        if (!now && before && forces.length) out.push({ time: run.time[i]!, kind: "separation", text: `${what} no longer pushes` });
        before = now;
    }
    return out.length > mostFound ? [] : out;
}

// Of energy and of L: the frame in which the residual changed most.
function worst(run: Run): RunEvent[] {
    const out: RunEvent[] = [];
    const { total } = run.ledger!.description;
    const kinetic = run.open(total.residual_kinetic_energy);
    const stores = [total.residual_gravity_store, total.residual_spring_store, total.residual_rotor_store].flatMap((b) => (b ? [run.open(b)] : []));
    const E = (i: number) => stores.reduce((s, v) => s + v[i]!, kinetic[i]!);
    const L = run.open(total.residual_L);
    const of = (change: (i: number) => number, name: string, unit: string) => {
        let most = 0, at = 0;
        for (let i = 1; i < run.time.length; ++i) if (change(i) > most) most = change((at = i));
        if (most > 0) out.push({ time: run.time[at]!, kind: "worst residual", text: `${name} is off by ${show(most, 3)} ${unit} in the frame that ends here, more than in any other` });
    };
    of((i) => Math.abs(E(i) - E(i - 1)), "energy", "J");
    of((i) => norm(sub([L[3 * i]!, L[3 * i + 1]!, L[3 * i + 2]!], [L[3 * i - 3]!, L[3 * i - 2]!, L[3 * i - 1]!])), "L", "kg m²/s");
    return out;
}
