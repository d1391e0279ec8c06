// SPDX-License-Identifier: MIT
// Plots of signals over the time of the run. The cursor of each stands at the time shown; a click
// goes there. Curves differ in dash as well as in colour.

import uPlot from "uplot";
import type { Clock } from "./clock";
import { download, el, fileName, say, show } from "./dom";
import type { Signals } from "./signals";
import { css, dashes, lineColour, onTheme } from "./theme";

interface Curve {
    name: string;
    unit: string;
    values: Float64Array;
    shown: (number | null)[];
}

export class Plot {
    readonly root: HTMLElement;
    log: boolean;
    difference = false;
    curves: Curve[] = [];
    private chart: uPlot | null = null;
    private readonly holder = el("div", { class: "chart" });
    private readonly head = el("div", { class: "playhead" });
    private readonly legend = el("ul", { class: "legend", "aria-label": "Curves" });
    private readonly logButton: HTMLButtonElement;
    private readonly diffButton: HTMLButtonElement;

    constructor(private readonly owner: Plots, public names: string[], log = false) {
        this.log = log;
        const tool = (text: string, label: string, act: () => void) =>
            el("button", { type: "button", class: "small", title: label, "aria-label": label, click: act }, text);
        this.logButton = tool("log", "Logarithmic axis, sizes only", () => { this.log = !this.log; this.rebuild(); });
        this.diffButton = tool("A−B", "Difference from the second run", () => { this.difference = !this.difference; this.rebuild(); });
        const add = el("input", { list: "signal-names", placeholder: "+ signal", "aria-label": "Add a signal to this plot", class: "add" });
        add.addEventListener("change", () => {
            const known = this.owner.signals.get(add.value) !== undefined;
            add.setAttribute("aria-invalid", String(!known && add.value !== ""));
            if (!known) return say(add.value ? `There is no signal ${add.value}` : "");
            if (!this.names.includes(add.value)) this.names.push(add.value);
            this.rebuild();
            say(`${add.value} is plotted`);
            add.value = "";
        });
        this.root = el("figure", { class: "plot" },
            el("figcaption", {}, this.legend, el("span", { class: "tools" }, add, this.logButton, this.diffButton,
                tool("PNG", "Download this plot as a picture", () => this.savePng()),
                tool("CSV", "Download the numbers of this plot", () => this.saveCsv()),
                tool("×", "Close this plot", () => this.owner.remove(this)))),
            this.holder);
        new ResizeObserver(() => this.resize()).observe(this.holder);
        this.rebuild();
    }

    private collect(): void {
        const { signals, other } = this.owner;
        this.curves = this.names.flatMap((name) => {
            const signal = signals.get(name);
            if (!signal) return [];
            let values = signal.values();
            if (this.difference && other && !name.startsWith("difference / ")) {
                const theirs = other.resampled(name, signals.run.time);
                if (!theirs) return [];
                values = values.map((v, i) => v - theirs[i]!);
            }
            const shown = Array.from(values, (v) => {
                if (!Number.isFinite(v)) return null;
                return this.log ? (v === 0 ? null : Math.abs(v)) : v;
            });
            return [{ name: this.difference && !name.startsWith("difference / ") ? `Δ ${name}` : name, unit: signal.unit, values, shown }];
        });
    }

    rebuild(): void {
        this.chart?.destroy();
        this.chart = null;
        this.collect();
        this.root.setAttribute("aria-label", `Plot: ${this.names.join(", ") || "nothing chosen"}`);
        this.diffButton.hidden = !this.owner.other;
        this.logButton.setAttribute("aria-pressed", String(this.log));
        this.diffButton.setAttribute("aria-pressed", String(this.difference));
        const units = [...new Set(this.curves.map((c) => c.unit))];
        const ink = css("--quiet"), grid = { stroke: css("--rule"), width: 1 };
        const font = `11px ${css("--mono")}`;
        const empty = !this.curves.some((c) => c.shown.some((v) => v !== null));
        // A curve that is zero throughout has no place on a logarithmic axis and needs no axis.
        const alive = empty ? units : units.filter((u) => this.curves.some((c) => c.unit === u && c.shown.some((v) => v !== null)));
        const width = Math.max(200, this.holder.clientWidth || this.owner.root.clientWidth - 24);
        const height = Math.max(90, this.holder.clientHeight || 150);
        this.chart = new uPlot({
            width, height,
            padding: [8, 18, 0, 0],
            legend: { show: false },
            cursor: { drag: { x: true, y: false }, y: false, points: { show: false } },
            scales: {
                x: { time: false },
                ...Object.fromEntries((units.length ? units : ["1"]).map((u) => [u, this.log && !empty
                    ? { distr: 3 as const, range: (_: uPlot, a: number, b: number): [number, number] => decades(a, b) }
                    : { range: (_: uPlot, a: number, b: number): [number, number] => linear(a, b) }])),
            },
            axes: [
                { stroke: ink, grid, ticks: grid, font, size: 30, values: (_, v) => v.map((x, i) => show(x, 6) + (i === v.length - 1 ? " s" : "")) },
                ...(alive.length ? alive.slice(0, 2) : ["1"]).map((u, i) => ({
                    scale: u, side: i === 0 ? 3 : 1, stroke: ink, grid: i === 0 ? grid : { show: false }, ticks: grid, font, size: width < 320 ? 50 : 66,
                    ...(this.log && !empty ? { filter: wholeDecades, splits: (c: uPlot) => powers(c.scales[u]!.min!, c.scales[u]!.max!, height) } : {}),
                    label: u === "1" ? (this.log ? "size" : "") : `${this.log ? "size, " : ""}${u}`, labelFont: font, labelSize: width < 320 ? 14 : 18,
                    values: (_: uPlot, v: (number | null)[]) => v.map((x) => (x === null ? "" : show(x, 4))),
                })),
            ],
            series: [{}, ...this.curves.map((c, i) => ({
                label: c.name, scale: c.unit, stroke: lineColour(i), width: 1.6, dash: dashes[i % dashes.length]!, points: { show: this.owner.signals.run.time.length < 3 },
            }))],
            hooks: {
                draw: [(u) => this.drawLimit(u)],
                ready: [(u) => { u.over.append(this.head); this.clicks(u); }],
                setScale: [(u, key) => {
                    if (key === "x") this.owner.zoom(u.scales.x!.min!, u.scales.x!.max!, this);
                    this.update();
                }],
            },
        }, [Array.from(this.owner.signals.run.time), ...this.curves.map((c) => c.shown)] as uPlot.AlignedData, this.holder);
        const canvas = this.chart.ctx.canvas;
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", `Plot over time of ${this.curves.map((c) => c.name).join(", ") || "nothing"}`);
        this.relist();
        this.update();
    }

    // All of the strength: a line of dots at 1.
    private drawLimit(u: uPlot): void {
        const scale = u.scales["1"];
        if (!this.curves.some((c) => c.unit === "1" && c.name.endsWith("utilisation")) || !scale || !(scale.min! < 1 && scale.max! > 1)) return;
        const y = u.valToPos(1, "1", true), { left, width } = u.bbox, c = u.ctx;
        c.save();
        c.strokeStyle = css("--bad");
        c.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
        c.lineWidth = 1.5 * devicePixelRatio;
        c.beginPath();
        c.moveTo(left, y);
        c.lineTo(left + width, y);
        c.stroke();
        c.restore();
    }

    private clicks(u: uPlot): void {
        let moved = 0;
        u.over.addEventListener("pointerdown", (e) => (moved = e.clientX));
        u.over.addEventListener("pointerup", (e) => {
            if (Math.abs(e.clientX - moved) < 4) this.owner.clock.go(this.owner.clock.nearest(u.posToVal(e.offsetX, "x")));
        });
    }

    // Where there is little room, of "satellite / angular velocity x" the part is shortened that does not tell curves apart.
    private named(name: string): HTMLElement {
        const parts = (n: string) => {
            const shown = n.replace(/^ledger \/ /, ""), last = shown.lastIndexOf(" / ");
            return last < 0 ? ["", shown] : [shown.slice(0, last), shown.slice(last)];
        };
        const [of, what] = parts(name) as [string, string];
        const alike = this.curves.length > 1 && this.curves.every((c) => parts(c.name)[1] === what);
        const axis = / (x|y|z|w|size)$/.exec(what)?.[0] ?? "";
        return el("span", { class: alike ? "name by-owner" : "name", title: name }, el("span", { class: "of" }, of),
                  el("span", { class: "what" }, what.slice(0, what.length - axis.length)), el("span", { class: "axis" }, axis));
    }

    private relist(): void {
        this.legend.replaceChildren(...this.curves.map((c, i) => {
            const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
            swatch.setAttribute("width", "26");
            swatch.setAttribute("height", "8");
            swatch.setAttribute("aria-hidden", "true");
            const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
            for (const [k, v] of Object.entries({ x1: "1", x2: "25", y1: "4", y2: "4", stroke: lineColour(i), "stroke-width": "2",
                                                  "stroke-dasharray": dashes[i % dashes.length]!.join(" ") })) line.setAttribute(k, v);
            swatch.append(line);
            const drop = el("button", { type: "button", class: "drop", "aria-label": `Remove ${c.name}`, title: "Remove this curve", click: () => {
                this.names = this.names.filter((n) => n !== this.names[i]);
                this.rebuild();
            } }, "×");
            return el("li", {}, swatch, this.named(c.name), el("output", { class: "value" }), el("span", { class: "unit" }, c.unit === "1" ? "" : c.unit), drop);
        }));
        if (!this.curves.length) this.legend.append(el("li", {}, el("span", { class: "name" }, "nothing chosen")));
    }

    /** The cursor and the numbers beside the names, at the time shown. */
    update(): void {
        if (!this.chart) return;
        const { clock, signals } = this.owner;
        const x = this.chart.valToPos(clock.t, "x");
        this.head.style.transform = `translateX(${x}px)`;
        this.head.hidden = !(x >= -1 && x <= this.chart.over.clientWidth + 1);
        const i = signals.run.sampleAt(clock.t);
        this.legend.querySelectorAll("output").forEach((o, k) => (o.textContent = show(this.curves[k]!.values[i] ?? NaN, this.holder.clientWidth < 290 ? 4 : 6)));
    }

    /** The span of time shown. */
    span(from: number, to: number): void {
        const x = this.chart?.scales.x;
        if (x && (x.min !== from || x.max !== to)) this.chart!.setScale("x", { min: from, max: to });
    }

    resize(): void {
        const w = this.holder.clientWidth, h = this.holder.clientHeight;
        if (this.chart && w > 0 && h > 0 && (w !== this.chart.width || h !== this.chart.height)) this.chart.setSize({ width: w, height: h });
        this.update();
    }

    csv(): string {
        const quote = (s: string) => `"${s.replaceAll('"', '""')}"`;
        const lines = [["time [s]", ...this.curves.map((c) => `${c.name} [${c.unit}]`)].map(quote).join(",")];
        this.owner.signals.run.time.forEach((t: number, i: number) => lines.push([t, ...this.curves.map((c) => c.values[i])].join(",")));
        return lines.join("\n") + "\n";
    }

    private saveCsv(): void {
        download(`${fileName(this.names.join(" "))}.csv`, new Blob([this.csv()], { type: "text/csv" }));
    }

    private savePng(): void {
        const chart = this.chart!.ctx.canvas, ratio = devicePixelRatio || 1;
        const top = 22 * ratio * Math.max(1, this.curves.length);
        const canvas = el("canvas", { width: chart.width, height: chart.height + top });
        const c = canvas.getContext("2d")!;
        c.fillStyle = css("--page");
        c.fillRect(0, 0, canvas.width, canvas.height);
        c.font = `${12 * ratio}px ${css("--sans")}`;
        this.curves.forEach((curve, i) => {
            const y = (14 + 22 * i) * ratio;
            c.strokeStyle = lineColour(i);
            c.lineWidth = 2 * ratio;
            c.setLineDash(dashes[i % dashes.length]!.map((d) => d * ratio));
            c.beginPath();
            c.moveTo(12 * ratio, y - 4 * ratio);
            c.lineTo(44 * ratio, y - 4 * ratio);
            c.stroke();
            c.fillStyle = css("--text");
            c.fillText(`${curve.name}, ${curve.unit}`, 52 * ratio, y);
        });
        c.drawImage(chart, 0, top);
        canvas.toBlob((b) => b && download(`${fileName(this.names.join(" "))}.png`, b));
    }
}

const wholeDecades = (_: uPlot, splits: number[]): number[] => splits;

/** Powers of ten from a to b, as many as have room. */
function powers(a: number, b: number, height: number): number[] {
    const low = Math.round(Math.log10(a)), high = Math.round(Math.log10(b));
    const every = Math.max(1, Math.ceil((22 * (high - low)) / Math.max(60, height - 40)));
    const out: number[] = [];
    for (let k = Math.ceil(low / every) * every; k <= high; k += every) out.push(Math.pow(10, k));
    return out.length ? out : [a];
}

function decades(a: number, b: number): [number, number] {
    if (!(a > 0) || !(b > 0)) return [1e-16, 1];
    return [Math.pow(10, Math.floor(Math.log10(a))), Math.pow(10, Math.ceil(Math.log10(b * 1.0001)))];
}

// What varies by rounding alone is drawn as a level line.
function linear(a: number | null, b: number | null): [number, number] {
    if (a === null || b === null || !Number.isFinite(a) || !Number.isFinite(b)) return [-1, 1];
    const size = Math.max(Math.abs(a), Math.abs(b));
    if (b - a > 1e-7 * size) return uPlot.rangeNum(a, b, 0.1, true) as [number, number];
    return size > 0 ? [(a + b) / 2 - 0.1 * size, (a + b) / 2 + 0.1 * size] : [-1, 1];
}

export class Plots {
    readonly plots: Plot[] = [];
    other: Signals | null = null; // of the second run
    private readonly list = el("div", { class: "list" });
    private readonly names = el("datalist", { id: "signal-names" });
    private zooming = false;

    constructor(readonly root: HTMLElement, readonly signals: Signals, readonly clock: Clock) {
        this.offer();
        root.append(this.names, this.list);
        for (const { names: chosen, log } of this.defaults()) this.add(chosen, log);
        clock.listen(() => this.update());
        onTheme(() => this.plots.forEach((p) => p.rebuild()));
        new ResizeObserver(() => this.plots.forEach((p) => p.resize())).observe(root);
    }

    private defaults(): { names: string[]; log: boolean }[] {
        const has = (n: string) => this.signals.get(n) !== undefined;
        const all = this.signals.names();
        const own = all.filter((n) => n.startsWith("energy / "));
        // A body alone and free keeps its energy: its angular velocity says more.
        const { run } = this.signals;
        const lone = run.count === 1 && !run.particle[0] && run.turnsFreely(0)
            ? ["x", "y", "z"].map((a) => `${run.names[0]} / angular velocity ${a}`) : null;
        const alive = own.filter((n) => this.signals.get(n)!.values().some((v) => v !== 0));
        const residuals = ["residual / energy", "residual / L"].filter(has);
        const used = (run.d.cuts ?? []).filter((c) => Object.keys(c.limits).length).map((c) => `${c.name} / utilisation`).slice(0, 6);
        const plot = (names: string[], log = false) => (names.length ? [{ names, log }] : []);
        if (this.flies()) {
            const turns = run.count === 1 && !run.d.gravity ? ["x", "y", "z"].map((a) => `${run.names[0]} / angular velocity ${a}`) : [];
            const course = ["whole / height", "whole / speed"].filter(has);
            const felt = ["whole / load factor", ...used].filter(has);
            // What burns beside what is felt of it, or beside the speed where nothing is known of that.
            (felt.length ? felt : course).push(...this.burning().slice(0, 3));
            return [...plot(turns.filter(has)), ...plot(this.spinning().slice(0, 4)), ...plot(course), ...plot(felt), ...plot(residuals, true)];
        }
        return [...plot(lone ?? (alive.length ? alive : all.slice(0, 3))), ...plot(used), ...plot(this.byTouch()), ...plot(residuals, true)];
    }

    private moved(ending: string, part: number): string[] {
        return this.signals.names().filter((n) => {
            if (!n.endsWith(ending)) return false;
            const values = this.signals.get(n)!.values();
            let low = Infinity, high = -Infinity;
            for (const v of values) [low, high] = [Math.min(low, v), Math.max(high, v)];
            return high - low > part * Math.max(Math.abs(high), Math.abs(low));
        });
    }
    // Tanks that give or take a part of what they hold worth seeing, and rotors that do not keep their speed.
    private burning(): string[] {
        return this.moved(" / content", 0.05);
    }
    private spinning(): string[] {
        return this.moved(" / spin", 0.05);
    }

    // In the air, and on nothing: how high and how fast says more than energies, which the height of the place hides.
    private flies(): boolean {
        const { joints = [], forces = [], contacts, ground } = this.signals.run.d;
        return !contacts && !ground && forces.some((f) => f.cause === "drag" || f.cause === "thrust") && !joints.some((j) => j.a < 0 || j.b < 0)
            && this.signals.get("whole / speed") !== undefined;
    }

    // Where things touch: what each cause of it did to the energy, as far as that is to be seen beside the largest.
    private byTouch(): string[] {
        const most = (n: string) => this.signals.get(n)!.values().reduce((m, v) => Math.max(m, Math.abs(v)), 0);
        const works = this.signals.names().filter((n) => /^ledger \/ \w+ work$/.test(n));
        const largest = works.reduce((m, n) => Math.max(m, most(n)), 0);
        const held = this.signals.names().filter((n) => n.startsWith("energy / ")).reduce((m, n) => Math.max(m, most(n)), 0);
        const touch = works.filter((n) => /\/ (contact_\w+|limit|stabilisation) work$/.test(n) && most(n) > Math.max(1e-6 * largest, 1e-9 * held));
        return touch.some((n) => !n.includes("stabilisation")) ? touch : [];
    }

    add(names: string[] = [], log = false, first = false): Plot {
        const plot = new Plot(this, names, log);
        if (first) this.plots.unshift(plot);
        else this.plots.push(plot);
        if (first) this.list.prepend(plot.root);
        else this.list.append(plot.root);
        this.plots.forEach((p) => p.resize());
        return plot;
    }

    /** Shows signals: in a plot that has one of them, else in a new one. */
    plot(names: string[]): void {
        const there = this.plots.find((p) => p.names.some((n) => names.includes(n)));
        if (!there) return void this.add(names).root.scrollIntoView({ inline: "end", block: "nearest" });
        there.names.push(...names.filter((n) => !there.names.includes(n)));
        there.rebuild();
        there.root.scrollIntoView({ inline: "end", block: "nearest" });
    }

    remove(plot: Plot): void {
        this.plots.splice(this.plots.indexOf(plot), 1);
        plot.root.remove();
        this.plots.forEach((p) => p.resize());
    }

    /** All plots show the same span of time. */
    zoom(from: number, to: number, by: Plot): void {
        if (this.zooming || !Number.isFinite(from) || !Number.isFinite(to)) return;
        this.zooming = true;
        for (const p of this.plots) if (p !== by) p.span(from, to);
        this.zooming = false;
    }

    /** With a second run: differences in every plot, and a plot of how far the runs are apart. */
    compare(other: Signals | null): void {
        this.other = other;
        this.offer();
        this.plots.forEach((p) => p.rebuild());
        const apart = ["difference / largest distance", "difference / largest angle"].filter((n) => this.signals.get(n));
        if (other && apart.length && !this.plots.some((p) => p.names.includes(apart[0]!))) this.add(apart, true, true);
    }

    private offer(): void {
        this.names.replaceChildren(...this.signals.names().slice(0, 5000).map((name) => el("option", { value: name })));
    }

    update(): void {
        this.plots.forEach((p) => p.update());
    }
}
