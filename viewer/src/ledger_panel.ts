// SPDX-License-Identifier: MIT
// The books in tables: opening, what each cause posted, the residual, closing. The residual stands
// in a frame of its own.

import type { Clock } from "./clock";
import { el, show } from "./dom";
import type { Vec3 } from "./format";
import type { Book } from "./ledger";
import type { Options } from "./options";
import { pointField } from "./point_field";
import type { Run } from "./run";

const storeNames = { kinetic_energy: "kinetic", gravity_store: "gravity", spring_store: "springs", rotor_store: "rotors" };

export class LedgerPanel {
    readonly root = el("div", { class: "ledger" });
    private since = true;
    private body: number | null = null;
    private readonly tables = el("div");
    private drawn = "";

    constructor(private readonly run: Run, private readonly clock: Clock, private readonly options: Options) {
        if (!run.ledger) {
            this.root.append(el("p", { class: "note" }, "This run kept no books."));
            return;
        }
        const radio = (text: string, since: boolean) => {
            const input = el("input", { type: "radio", name: "span", checked: since === this.since,
                                        change: () => { this.since = since; this.update(true); } });
            return el("label", { class: "check" }, input, text);
        };
        this.root.append(
            el("fieldset", { class: "row" }, el("legend", { class: "unseen" }, "Span of the books"), radio("since the start", true), radio("last frame alone", false)),
            ...(run.ledger.movable ? [el("div", { class: "row" }, "L about", pointField(options, "about"))] : []),
            el("p", { class: "note" }, run.ledger.movable ? `Kept about ${run.ledger.keptText}; shifted by L_A = L − d × p.`
                : `L about ${run.ledger.keptText}, which moves: these books are not shifted.`));
        if (run.ledger.hasBodies()) {
            const of = el("select", { id: "books-of", change: () => { this.body = of.value === "" ? null : Number(of.value); this.update(true); } },
                          el("option", { value: "" }, "all bodies"));
            run.names.slice(0, 2000).forEach((name, i) => of.append(el("option", { value: i }, name)));
            this.root.append(el("div", { class: "row" }, el("label", { for: "books-of" }, "Books of"), of));
        }
        this.root.append(this.tables);
        clock.listen(() => this.update());
        options.listen(() => this.update(true));
        this.update(true);
    }

    book(): Book | null {
        const { ledger } = this.run;
        if (!ledger || !this.run.time.length) return null;
        const i = this.run.sampleAt(this.clock.t);
        const about = ledger.movable ? this.options.about : null;
        return this.since ? ledger.at(i, about, this.body) : ledger.between(i, about, this.body);
    }

    update(force = false): void {
        if (this.root.offsetParent === null && !force) return; // not shown
        const i = this.run.sampleAt(this.clock.t);
        const key = `${i}`;
        if (!force && key === this.drawn) return;
        this.drawn = key;
        const book = this.book();
        if (!book) return;
        const lines = book.lines.filter((l) => l.work !== 0 || l.p.some(Boolean) || l.L.some(Boolean));
        const idle = book.lines.filter((l) => !lines.includes(l)).map((l) => words(l.cause));
        const moving = book.point.some(Boolean);
        const name = (cause: string) => `+\u00a0${words(cause)}`;
        this.tables.replaceChildren(
            this.vectorTable("Momentum p", "kg m/s", [
                ["opening", book.opening.p], ...lines.filter((l) => l.p.some(Boolean)).map((l): [string, Vec3] => [name(l.cause), l.p]),
                ["+ residual", book.residual.p], ["= closing", book.closing.p]]),
            this.vectorTable("Angular momentum L", "kg m²/s", [
                ["opening", book.opening.L], ...lines.filter((l) => l.L.some(Boolean)).map((l): [string, Vec3] => [name(l.cause), l.L]),
                ...(moving ? [["+ motion of the point", book.point] as [string, Vec3]] : []),
                ["+ residual", book.residual.L], ["= closing", book.closing.L]]),
            this.energyTable(book, lines),
            el("p", { class: "note" }, idle.length ? `Posted nothing: ${idle.join(", ")}.` : ""));
    }

    private rowClass(label: string): string {
        return label === "+ residual" ? "residual" : label === "= closing" ? "closing" : "";
    }

    private vectorTable(title: string, unit: string, rows: [string, Vec3][]): HTMLElement {
        return el("table", {},
            el("caption", {}, title, el("span", { class: "unit" }, ` ${unit}`)),
            el("thead", {}, el("tr", {}, el("td"), ...["x", "y", "z"].map((a) => el("th", { scope: "col" }, a)))),
            el("tbody", {}, ...rows.map(([label, v]) => el("tr", { class: this.rowClass(label) },
                el("th", { scope: "row" }, label), ...v.map((k) => el("td", {}, show(k)))))));
    }

    private energyTable(book: Book, lines: Book["lines"]): HTMLElement {
        const total = (pick: (s: Book["stores"][number]) => number) => book.stores.reduce((s, x) => s + pick(x), 0);
        const row = (label: string, ...cells: string[]) => el("tr", { class: this.rowClass(label) },
            el("th", { scope: "row" }, label), ...cells.map((c) => el("td", {}, c)));
        const used = book.stores.filter((s) => s.opening || s.closing || s.residual);
        const cells = (T: number, pick: (s: Book["stores"][number]) => number) =>
            [show(T), ...used.map((s) => show(pick(s))), ...(used.length ? [show(T + total(pick))] : [])];
        const gives: Record<string, string> = { gravity: "gravity_store", spring: "spring_store", rotor: "rotor_store" };
        const columns = used.length ? used.length + 2 : 1;
        return el("table", { class: columns > 4 ? "stacked" : columns > 3 ? "many" : "" },
            el("caption", {}, "Energy", el("span", { class: "unit" }, " J")),
            el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col" }, "kinetic"),
                ...used.map((s) => el("th", { scope: "col" }, storeNames[s.store])), ...(used.length ? [el("th", { scope: "col" }, "total")] : []))),
            el("tbody", {},
               row("opening", ...cells(book.opening.T, (s) => s.opening)),
               ...lines.filter((l) => l.work !== 0).map((l) => row(`+\u00a0${words(l.cause)}`, show(l.work),
                   ...used.map((s) => (gives[l.cause] === s.store ? show(-l.work) : "")),
                   ...(used.length ? [used.some((s) => gives[l.cause] === s.store) ? "0" : show(l.work)] : []))),
               row("+ residual", ...cells(book.residual.T, (s) => s.residual)),
               row("= closing", ...cells(book.closing.T, (s) => s.closing))));
    }
}

const words = (cause: string) => cause.replaceAll("_", " ");
