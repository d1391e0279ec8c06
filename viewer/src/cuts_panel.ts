// SPDX-License-Identifier: MIT
// What cuts carry at the time shown: a bar for how much of the strength is used, and the six loads of each section.

import type { Clock } from "./clock";
import { cutAt, percent, type CutNow } from "./cuts";
import { el, show } from "./dom";
import type { Cut } from "./format";
import type { Run } from "./run";

export class CutsPanel {
    readonly root = el("div", { class: "cuts" });
    private readonly rows: { cut: Cut; update: (now: CutNow) => void }[] = [];
    private drawn = -1;

    /** `plot` shows signals by their names. */
    constructor(private readonly run: Run, private readonly clock: Clock, plot: (names: string[]) => void) {
        const cuts = run.d.cuts ?? [];
        const limited = cuts.filter((c) => Object.keys(c.limits).length);
        this.root.append(el("p", { class: "note" }, "From the near part on the one beyond, in the axes of the section; z across it."));
        if (limited.length) this.root.append(el("div", { class: "row" }, el("button", { type: "button", class: "small", click: () => plot(limited.map((c) => `${c.name} / utilisation`)) }, "Plot all utilisations")));
        for (const cut of cuts) this.root.append(this.section(cut, plot));
        clock.listen(() => this.update());
        this.update(true);
    }

    private section(cut: Cut, plot: (names: string[]) => void): HTMLElement {
        const limits = Object.entries(cut.limits);
        const state = el("span", { class: "state" });
        const meter = el("div", { class: "meter", role: "meter", "aria-label": `${cut.name}, strength used`, "aria-valuemin": 0, "aria-valuemax": 100 }, el("div", { class: "used" }), el("div", { class: "most", title: "the most so far" }));
        const cell = () => el("td");
        const cells = { shear: [cell(), cell()], tension: cell(), bending: [cell(), cell()], torsion: cell() };
        const button = (text: string, names: string[]) => el("button", { type: "button", class: "small", "aria-label": `Plot ${text} of ${cut.name}`, click: () => plot(names.map((n) => `${cut.name} / ${n}`)) }, text);
        const section = el("section", { "data-cut": cut.name },
            el("h2", {}, cut.name, el("span", { class: "unit" }, ` ${cut.of}`)),
            ...(limits.length ? [el("div", { class: "gauge" }, meter, state)] : [state]),
            el("table", {},
               el("thead", {}, el("tr", {}, el("td"), ...["x", "y", "z"].map((a) => el("th", { scope: "col" }, a)))),
               el("tbody", {},
                  el("tr", {}, el("th", { scope: "row" }, "shear, tension ", el("span", { class: "unit" }, "N")), cells.shear[0]!, cells.shear[1]!, cells.tension),
                  el("tr", {}, el("th", { scope: "row" }, "bending, torsion ", el("span", { class: "unit" }, "N m")), cells.bending[0]!, cells.bending[1]!, cells.torsion))),
            el("p", { class: "note" }, limits.length ? `Limits: ${limits.map(([k, v]) => `${k} ${show(v!)} ${k === "bending" || k === "torsion" ? "N m" : "N"}`).join(", ")}.` : "No limits given."),
            el("div", { class: "row" }, ...(limits.length ? [button("utilisation", ["utilisation", "largest utilisation"])] : []),
               button("forces", ["tension", "shear x", "shear y"]), button("moments", ["bending x", "bending y", "torsion"])));
        this.rows.push({ cut, update: (now) => {
            const part = Math.min(1, now.utilisation);
            (meter.firstElementChild as HTMLElement).style.width = `${100 * part}%`;
            (meter.lastElementChild as HTMLElement).style.left = `${100 * Math.min(1, now.largest)}%`;
            meter.classList.toggle("over", now.utilisation >= 1);
            meter.setAttribute("aria-valuenow", String(100 * part));
            state.textContent = now.gone ? "has let go" : !now.limited ? "" : `${percent(now.utilisation)}${now.utmost ? ` by ${now.utmost}` : ""}${now.utilisation >= 1 ? " ✗ too much" : ""} · most so far ${percent(now.largest)}`;
            meter.setAttribute("aria-valuetext", state.textContent);
            const put = (where: HTMLElement, value: number) => (where.textContent = now.gone ? "—" : show(value));
            now.shear.forEach((v, k) => put(cells.shear[k]!, v));
            now.bending.forEach((v, k) => put(cells.bending[k]!, v));
            put(cells.tension, now.tension);
            put(cells.torsion, now.torsion);
        } });
        return section;
    }

    update(force = false): void {
        if (this.root.offsetParent === null && !force) return; // not shown
        const i = this.run.sampleAt(this.clock.t);
        if (i === this.drawn && !force) return;
        this.drawn = i;
        for (const { cut, update } of this.rows) update(cutAt(this.run, cut, i));
    }
}
