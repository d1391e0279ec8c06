// SPDX-License-Identifier: MIT
// The facts of the run: scene, method, version, cost, hash, and how exact the picture is.

import type { Comparison } from "./compare";
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

/** What two runs have in common and where they part. */
export function comparisonPanel(a: Run, b: Run, c: Comparison, go: () => void): HTMLElement {
    const few = (names: string[]) => names.slice(0, 12).join(", ") + (names.length > 12 ? ` and ${names.length - 12} more` : "");
    const rows: [string, string][] = [["apart means", `${show(c.tolerance.position, 3)} m or ${show(c.tolerance.angle, 3)} rad`]];
    if (c.first) {
        rows.push(["first apart", `${show(c.first.time, 8)} s`], ["body", a.names[c.first.body] ?? ""]);
        if (Number.isFinite(c.first.distance)) rows.push(["there, by", `${show(c.first.distance, 4)} m` + (Number.isFinite(c.first.angle) ? ` and ${show(c.first.angle, 4)} rad` : "")]);
    } else rows.push(["first apart", "never"]);
    rows.push(["most apart", `${show(c.largest.distance, 4)} m, at ${show(c.largest.time, 6)} s`], ["bodies in both", String(c.matched)]);
    if (c.onlyA.length) rows.push(["only in A", few(c.onlyA)]);
    if (c.onlyB.length) rows.push(["only in B", few(c.onlyB)]);
    if (a.end !== b.end) rows.push(["ends", `A ${show(a.end, 6)} s, B ${show(b.end, 6)} s`]);
    return el("section", {}, el("h2", {}, "A and B"),
        el("dl", { class: "facts" }, ...rows.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)])),
        ...(c.first ? [el("button", { type: "button", class: "small", click: go }, "Go there")] : []),
        el("p", { class: "note" }, c.fromPoses ? "Found from the poses that the two pages show, within their rounding." : "Found by the program, from the numbers of both runs."));
}

/** Whether the books balance, as a badge: a sign and words. */
export function badge(run: Run): HTMLElement {
    const balanced = run.d.outcome?.balanced;
    const [sign, text, kind] = balanced === "yes" ? ["✓", "the books balance", "good"]
        : balanced === "no" ? ["✗", "the books do not balance", "bad"] : ["–", "no books kept", "none"];
    return el("span", { class: `badge ${kind}`, title: run.d.outcome?.verdict ?? "" }, el("span", { "aria-hidden": "true" }, sign!), ` ${text}`);
}
