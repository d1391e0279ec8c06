// SPDX-License-Identifier: MIT
// The facts of the run: scene, method, version, cost, hash, and how exact the picture is.

import { el, show } from "./dom";
import type { Run } from "./run";

export function factsPanel(run: Run, heading: string | null = null): HTMLElement {
    const d = run.d;
    const p = d.bodies.position, o = d.bodies.orientation;
    const dropped = run.time.length - run.poses.time.length;
    const rows: [string, string][] = d.facts.map((f) => [f.name, f.value]);
    rows.push(["bodies", String(run.count)], ["frames", String(run.time.length)]);
    if (d.outcome?.ended) rows.push(["ended", d.outcome.ended]);
    if (d.outcome?.balanced) rows.push(["books balance", d.outcome.balanced]);
    if (d.outcome?.verdict) rows.push(["verdict", d.outcome.verdict]);
    const list = el("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
    const exact = p.error === 0 && o.error === 0 ? "Poses are stored as they were computed."
        : `Poses are rounded for this page: places to ${show(p.error, 2)} m, attitudes to ${show(o.error, 2)} rad. `
          + "Ledger and signals are not rounded.";
    return el("section", {},
        ...(heading ? [el("h2", {}, heading)] : []),
        ...(d.story ? [el("p", { class: "story" }, d.story)] : []), list,
        el("p", { class: "note", id: heading ? "" : "accuracy" }, exact
           + (dropped > 0 ? ` ${dropped} of ${run.time.length} frames of poses are left out where a straight line and the shortest turn stay within this.` : "")));
}

/** Whether the books balance, as a badge: a sign and words. */
export function badge(run: Run): HTMLElement {
    const balanced = run.d.outcome?.balanced;
    const [sign, text, kind] = balanced === "yes" ? ["✓", "the books balance", "good"]
        : balanced === "no" ? ["✗", "the books do not balance", "bad"] : ["–", "no books kept", "none"];
    return el("span", { class: `badge ${kind}`, title: run.d.outcome?.verdict ?? "" }, el("span", { "aria-hidden": "true" }, sign!), ` ${text}`);
}
