// SPDX-License-Identifier: MIT
// Puts the page together.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Clock } from "./clock";
import { compareRuns, type Comparison } from "./compare";
import { CutsPanel } from "./cuts_panel";
import { cutAt } from "./cuts";
import { byId, download, el, fileName, say, show } from "./dom";
import { badge, comparisonPanel, factsPanel } from "./facts_panel";
import type { CompareRecord } from "./format";
import { Keys, type Key } from "./keys";
import { LedgerPanel } from "./ledger_panel";
import { runOfFile, runsOf } from "./load";
import { marks, Options, type Mark } from "./options";
import { Plots } from "./plots";
import type { Run } from "./run";
import { ShowPanel } from "./show_panel";
import { Signals } from "./signals";
import { Stage } from "./stage";
import { currentTheme, setTheme } from "./theme";
import { Timeline } from "./timeline";

class Viewer {
    readonly options = new Options();
    readonly clock: Clock;
    readonly signals: Signals;
    readonly stage: Stage;
    readonly plots: Plots;
    readonly ledger: LedgerPanel;
    readonly timeline: Timeline;
    readonly showPanel: ShowPanel;
    readonly cuts: CutsPanel | null;
    readonly keys: Keys;
    rate = 0; // pictures per second, while playing
    work = 0; // milliseconds of script for a picture, running mean
    private other: Run | null = null;
    private comparison: Comparison | null = null;
    private readonly parting = el("button", { type: "button", class: "tool wide", id: "parting", hidden: true, title: "To the first moment at which the runs part (D)", click: () => this.toParting() });
    private readonly tabs = new Map<string, { tab: HTMLElement; panel: HTMLElement }>();
    private readonly runPanel = el("div");
    private readonly input = el("input", { type: "file", accept: ".html,text/html", hidden: true, "aria-label": "Second run" });

    constructor(readonly run: Run, second: Run | null, record: CompareRecord | null) {
        document.title = `${run.d.title || "Run"} · Poinsot`;
        this.clock = new Clock(run.time);
        this.signals = new Signals(run);
        this.stage = new Stage(run, this.options, byId<HTMLCanvasElement>("canvas"), byId("overlay"));
        this.timeline = new Timeline(byId("timeline"), this.clock, run);
        this.plots = new Plots(byId("plots"), this.signals, this.clock);
        this.ledger = new LedgerPanel(run, this.clock, this.options);
        this.showPanel = new ShowPanel(run, this.options, this.stage);
        this.cuts = run.d.cuts?.length ? new CutsPanel(run, this.clock, (names) => this.plots.plot(names)) : null;
        this.keys = new Keys(this.keyTable());
        this.header();
        this.panel();
        this.runPanel.append(factsPanel(run));
        this.compare(second, record);
        this.corner();
        let selected = -1;
        this.options.listen(() => {
            if (selected !== this.options.selected) this.stage.select((selected = this.options.selected));
            this.stage.dirty = true;
        });
        this.clock.listen(() => (this.stage.dirty = true));
        this.picking();
        const area = byId("stage");
        const fit = () => this.stage.resize(area.clientWidth, area.clientHeight);
        new ResizeObserver(fit).observe(area);
        fit();
        if (this.stage.travels) {
            // What comes apart is followed by its heaviest body.
            const parts = (run.d.events ?? []).some((e) => ["break", "release", "separation"].includes(e.kind));
            this.options.follow = parts ? "body" : "all";
            if (parts) this.options.selected = run.mass.indexOf(Math.max(...Array.from(run.mass)) as never);
        }
        // A body alone that nothing pulls down, turned by its wheels: what turns, and how.
        if (run.count === 1 && !run.particle[0] && !run.d.gravity && !run.turnsFreely(0)) {
            this.options.on.add("omega");
            this.options.on.add("L");
        }
        // The paths of point masses are what there is to see of them.
        if (run.count && run.count <= 64 && Array.from(run.particle).every(Boolean) && !run.d.joints?.length && !run.d.springs?.length) {
            this.options.all = true;
            this.options.on.add("trails");
        }
        this.options.tell();
        // A single free body opens with the picture the engine is named after.
        if (run.count === 1 && this.showPanel.available.includes("picture") && run.turnsFreely(0)) this.options.toggle("picture", true);
        this.stage.home();
        this.stage.orbit.jump();
        this.loop();
    }

    private header(): void {
        const open = el("button", { type: "button", class: "tool wide", title: "Compare with the run of another page (B)", click: () => this.input.click() }, "Compare …");
        this.input.addEventListener("change", async () => {
            const file = this.input.files?.[0];
            if (!file) return;
            try {
                this.compare(await runOfFile(file));
                say("Second run shown as a ghost");
            } catch (e) {
                alert(`${file.name}: ${(e as Error).message}`);
            }
        });
        byId("head").append(
            el("span", { class: "mark", "aria-hidden": "true" }, "Poinsot"),
            el("h1", {}, this.run.d.title || "Untitled run"), badge(this.run), el("span", { class: "space" }), this.parting, this.input, open,
            el("button", { type: "button", class: "tool wide", id: "theme", title: "Dark or light (d)", click: () => this.theme() }, "Dark / light"),
            el("button", { type: "button", class: "tool wide", id: "help-button", title: "Keys (?)", click: () => this.keys.help() }, "Keys ?"));
    }

    private theme(): void {
        setTheme(currentTheme() === "dark" ? "light" : "dark");
    }

    private panel(): void {
        const list = el("div", { role: "tablist", "aria-label": "Panels" });
        const panels: [string, string, HTMLElement][] = [["ledger", "Ledger", this.ledger.root],
            ...(this.cuts ? [["cuts", "Cuts", this.cuts.root] as [string, string, HTMLElement]] : []), ["show", "Show", this.showPanel.root], ["run", "Run", this.runPanel]];
        const aside = byId("panel");
        aside.append(list);
        for (const [id, title, content] of panels) {
            const tab = el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, click: () => this.tab(id) }, title);
            tab.addEventListener("keydown", (e) => {
                const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
                if (!way || e.shiftKey || e.ctrlKey) return; // those turn and shift the view
                e.stopPropagation();
                const at = panels.findIndex((p) => p[0] === id);
                const next = panels[(at + way + panels.length) % panels.length]![0];
                this.tab(next);
                this.tabs.get(next)!.tab.focus();
            });
            const panel = el("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, tabindex: 0 }, content);
            this.tabs.set(id, { tab, panel });
            list.append(tab);
            aside.append(panel);
        }
        this.tab(this.run.ledger ? "ledger" : "show");
    }

    tab(id: string): void {
        for (const [name, { tab, panel }] of this.tabs) {
            tab.setAttribute("aria-selected", String(name === id));
            tab.tabIndex = name === id ? 0 : -1;
            panel.hidden = name !== id;
        }
        if (id === "ledger") this.ledger.update(true);
        if (id === "cuts") this.cuts?.update(true);
        if (id === "show") this.showPanel.moved();
    }

    compare(second: Run | null, record: CompareRecord | null = null): void {
        this.other = second;
        this.stage.setGhost(second);
        this.comparison = second && compareRuns(this.run, second, record);
        this.signals.differ(this.comparison?.signals ?? []);
        this.plots.compare(second ? new Signals(second) : null);
        this.showPanel.compare(second !== null);
        const c = this.comparison;
        this.runPanel.replaceChildren(...(c ? [comparisonPanel(this.run, second!, c, () => this.toParting())] : []),
            factsPanel(this.run, second ? `A, shown solid: ${this.run.d.title}` : null), ...(second ? [factsPanel(second, `B, the ghost: ${second.d.title}`)] : []));
        this.parting.hidden = !c;
        if (!c) return;
        const body = c.first && (this.run.names[c.first.body] ?? "");
        this.parting.textContent = c.first ? `A and B part at ${show(c.first.time, 5)} s: ${body}` : "A and B do not part";
        this.parting.disabled = !c.first;
        if (c.first) this.timeline.mark({ time: c.first.time, kind: "parted", text: `A and B are apart for the first time, at ${body}` });
    }

    /** To the first moment and body at which the two runs part. */
    private toParting(): void {
        const first = this.comparison?.first;
        if (!first) return say(this.comparison ? "A and B do not part" : "There is no second run");
        this.clock.playing = false;
        this.clock.go(first.time);
        this.select(first.body);
    }

    private corner(): void {
        const up = ["x", "y", "z"].find((_, k) => Math.abs(this.run.up[k]!) > 0.999);
        const sign = up && this.run.up["xyz".indexOf(up)]! < 0 ? "−" : "";
        const height = this.stage.groundHeight;
        if (this.stage.travels && !this.run.d.gravity && !this.run.d.ground) return void byId("corner").append(up ? `${sign}${up} up` : ""); // nothing to stand on, and no grid near
        byId("corner").append(`grid ${show(this.stage.ground.step)} m${height ? ` at ${up ? `${sign}${up}` : "height"} = ${show(height, 4)} m` : ""} · ${up ? `${sign}${up} up` : "against gravity is up"}`);
    }

    private picking(): void {
        const { canvas } = this.stage;
        let from: [number, number] = [0, 0];
        canvas.addEventListener("pointerdown", (e) => (from = [e.clientX, e.clientY]));
        canvas.addEventListener("pointerup", (e) => {
            if (Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 4 || e.button !== 0) return;
            const body = this.stage.pick(e.offsetX, e.offsetY);
            if (body >= 0) this.select(body);
        });
        canvas.addEventListener("pointermove", () => (this.stage.dirty = true));
        canvas.addEventListener("wheel", () => (this.stage.dirty = true), { passive: true });
    }

    select(body: number): void {
        if (!this.run.count) return;
        this.options.selected = (body + this.run.count) % this.run.count;
        this.options.tell();
        say(`Body ${this.run.names[this.options.selected]}`);
    }

    private keyTable(): Key[] {
        const { clock, options } = this;
        const key = (group: string, keys: string | string[], text: string, act: () => void): Key => ({ group, keys: [keys].flat(), text, act });
        const flip = (m: Mark) => () => {
            if (!this.showPanel.available.includes(m)) return say(`${marks[m].label}: not in this run`);
            options.toggle(m);
            say(`${marks[m].label} ${options.on.has(m) ? "on" : "off"}`);
        };
        const eye = (act: () => void) => () => {
            act();
            this.stage.dirty = true;
        };
        const { orbit } = this.stage;
        return [
            key("Time", " ", "play or pause", () => clock.play()),
            key("Time", "ArrowLeft", "one frame back", () => clock.step(-1)),
            key("Time", "ArrowRight", "one frame on", () => clock.step(1)),
            key("Time", "PageUp", "a tenth back", () => clock.go(clock.t - (clock.end - clock.begin) / 10)),
            key("Time", "PageDown", "a tenth on", () => clock.go(clock.t + (clock.end - clock.begin) / 10)),
            key("Time", "Home", "to the start", () => clock.go(clock.from)),
            key("Time", "End", "to the end", () => clock.go(clock.to)),
            key("Time", ",", "the event before", () => this.timeline.toEvent(-1)),
            key("Time", ".", "the next event", () => this.timeline.toEvent(1)),
            key("Time", "[", "repeat from here", () => clock.range(clock.t, clock.to > clock.t ? clock.to : clock.end)),
            key("Time", "]", "repeat up to here", () => clock.range(clock.from < clock.t ? clock.from : clock.begin, clock.t)),
            key("Time", "\\", "the whole run again", () => clock.range(clock.begin, clock.end)),
            key("Time", "m", "repeat or stop at the end", () => { clock.loop = !clock.loop; clock.tell(); }),
            key("Time", "-", "slower", () => this.timeline.faster(-1)),
            key("Time", ["+", "="], "faster", () => this.timeline.faster(1)),
            key("View", "Shift+ArrowLeft", "turn left", eye(() => orbit.turn(-0.15, 0))),
            key("View", "Shift+ArrowRight", "turn right", eye(() => orbit.turn(0.15, 0))),
            key("View", "Shift+ArrowUp", "turn up", eye(() => orbit.turn(0, 0.12))),
            key("View", "Shift+ArrowDown", "turn down", eye(() => orbit.turn(0, -0.12))),
            key("View", "Ctrl+ArrowLeft", "shift left", eye(() => orbit.pan(0.05, 0))),
            key("View", "Ctrl+ArrowRight", "shift right", eye(() => orbit.pan(-0.05, 0))),
            key("View", "Ctrl+ArrowUp", "shift up", eye(() => orbit.pan(0, -0.05))),
            key("View", "Ctrl+ArrowDown", "shift down", eye(() => orbit.pan(0, 0.05))),
            key("View", "z", "nearer", eye(() => orbit.zoom(0.85))),
            key("View", "Z", "farther", eye(() => orbit.zoom(1 / 0.85))),
            key("View", "0", "all of it", () => this.stage.home(true)),
            ...["x", "y", "z"].map((a, k) => key("View", String(k + 1), `look along ${a}`, () => this.stage.look(k))),
            key("View", "s", "next body", () => this.select(options.selected + 1)),
            key("View", "S", "body before", () => this.select(options.selected - 1)),
            key("View", "f", "follow the body", () => options.followWhat("body")),
            key("View", "F", "follow the centre of mass of all", () => options.followWhat("all")),
            key("View", "e", "marks for all bodies", () => { options.all = !options.all; options.tell(); }),
            ...(Object.keys(marks) as Mark[]).map((m) => key("Show", marks[m].key, marks[m].label, flip(m))),
            ...[0, 1, 2, 3, 4, 5].map((i) => key("Show", String(i + 4), `forces: ${this.showPanel.causes[i]?.replaceAll("_", " ") ?? ""}`, () => {
                const cause = this.showPanel.causes[i];
                if (cause) options.toggleCause(cause);
            })).filter((_, i) => i < this.showPanel.causes.length),
            key("Page", "F2", "ledger", () => this.tab("ledger")),
            key("Page", "F3", "show", () => this.tab("show")),
            key("Page", "F4", "facts of the run", () => this.tab("run")),
            ...(this.cuts ? [key("Page", "F8", "cuts and what they carry", () => this.tab("cuts"))] : []),
            key("Page", "x", "add a plot", () => this.plots.add().root.querySelector("input")?.focus()),
            key("Page", "y", "plots on or off", () => document.body.classList.toggle("no-plots")),
            key("Page", "u", "panel on or off", () => document.body.classList.toggle("no-panel")),
            key("Page", "d", "dark or light", () => this.theme()),
            key("Page", "B", "compare with another page", () => this.input.click()),
            key("Page", "D", "where two runs part", () => this.toParting()),
            key("Page", "X", "the picture as PNG", async () => {
                const png = await this.stage.png();
                if (png) download(`${fileName(this.run.d.title)}.png`, png);
            }),
            key("Page", "?", "this list", () => this.keys.help()),
        ];
    }

    private readout(): void {
        const box = byId("readout");
        const c = this.stage.picture.now;
        const on = this.stage.picture.group.visible && c !== null;
        box.hidden = !on;
        byId("corner").hidden = on && !this.run.d.gravity; // the grid gives way to the plane
        if (!on || !c) return;
        const rows: [string, string][] = [
            ["energy ellipsoid", `2T = ${show(c.twoT, 6)} J`], ["momentum", `|L| = ${show(c.L, 6)} kg m²/s`],
            ["invariable plane", `2T/|L| = ${show(c.distance, 6)} rad/s off`],
            ["polhode", `L²/2T = ${show(c.D, 5)} kg m², about axis ${c.D < c.moments[1] ? 1 : 3}`],
            ["herpolhode", `${show(c.herpolhode[0], 4)} to ${show(c.herpolhode[1], 4)} rad/s from L`],
            ["moments", c.moments.map((k) => show(k, 4)).join(" · ")]];
        const key = rows.map((r) => r[1]).join();
        if (box.dataset.key === key) return;
        box.dataset.key = key;
        box.replaceChildren(el("dl", {}, ...rows.flatMap(([k, v]) => [el("dt", { class: k.replace(" ", "-") }, k), el("dd", {}, v)])),
            ...(c.free ? [] : [el("p", { class: "note" }, "A torque acts on this body: its plane moves, and the curve on the ellipsoid is the path of ω as it was.")]));
    }

    private loop(): void {
        let last = performance.now(), since = last, count = 0;
        const frame = (now: number) => {
            // The first time stamp may lie before the clock was read.
            const seconds = Math.max(0, Math.min(0.25, (now - last) / 1000));
            last = now;
            this.clock.advance(seconds);
            if (this.stage.dirty) {
                this.stage.dirty = false;
                const from = performance.now();
                this.stage.draw(this.clock.t, seconds);
                this.readout();
                this.showPanel.moved();
                this.work += (performance.now() - from - this.work) * 0.1;
                ++count;
            }
            if (now - since > 1000) {
                this.rate = (1000 * count) / (now - since);
                since = now;
                count = 0;
            }
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    }

    /** For tests, pictures and the console: what is shown now, as copies, and a way to another time. */
    outside(loaded: number): object {
        const self = this;
        const poseOf = (run: Run, name: string | number) => {
            const i = typeof name === "number" ? name : run.names.indexOf(name);
            if (!(i >= 0 && i < run.count)) return null;
            const { x, q } = run.poses.poseAt(Math.min(self.clock.t, run.end), i);
            return { position: [...x], orientation: [...q] };
        };
        return Object.freeze({
            get time() { return self.clock.t; },
            get playing() { return self.clock.playing; },
            get range() { return [self.clock.from, self.clock.to]; },
            get speed() { return self.clock.speed; },
            get shown() { return [...self.options.on]; },
            get selected() { return self.run.names[self.options.selected]; },
            get about() { return [...self.options.about]; },
            get rate() { return self.rate; },
            get work() { return self.work; },
            get settled() { return !self.stage.dirty; }, // what is asked for is drawn
            get drawn() { return self.stage.drawn; },
            get loadMilliseconds() { return loaded; },
            get names() { return [...self.run.names]; },
            get signals() { return self.signals.names(); },
            get construction() { return self.stage.picture.now && { ...self.stage.picture.now }; },
            get eye() { return self.stage.camera.position.toArray(); },
            go: (t: number) => self.clock.go(t),
            pose: (name: string | number) => poseOf(self.run, name),
            ghost: (name: string | number) => (self.other ? poseOf(self.other, name) : null),
            get comparison() {
                const c = self.comparison;
                return c && { first: c.first && { ...c.first, name: self.run.names[c.first.body] }, tolerance: { ...c.tolerance }, fromPoses: c.fromPoses, largest: { ...c.largest } };
            },
            get vectors() { return structuredClone(self.stage.vectors.drawn); },
            get cuts() { return (self.run.d.cuts ?? []).map((c) => cutAt(self.run, c, self.run.sampleAt(self.clock.t))); },
            get signs() { return structuredClone(self.stage.signs()); },
            get events() { return self.timeline.list(); },
            ledger: () => structuredClone(self.ledger.book()),
            values: (name: string) => Array.from(self.signals.get(name)?.values() ?? []),
            plots: () => self.plots.plots.map((p) => ({ names: [...p.names], log: p.log, csv: p.csv() })),
        });
    }
}

async function start(): Promise<void> {
    const opening = byId("opening");
    setTheme(currentTheme());
    try {
        const begin = performance.now();
        const { runs, compare } = await runsOf(document, true);
        if (!runs[0]) throw new Error("there is no run in this page");
        const viewer = new Viewer(runs[0], runs[1] ?? null, compare);
        (window as unknown as { poinsot: object }).poinsot = viewer.outside(performance.now() - begin);
        opening.remove();
    } catch (e) {
        opening.textContent = `This page cannot be shown: ${(e as Error).message}.`;
        opening.className = "failed";
        opening.setAttribute("role", "alert");
        console.error(e);
    }
}

void start();
