// SPDX-License-Identifier: MIT
// The bar of time: play, step, speed, a range to repeat, events to jump to, and the slider.

import type { Clock } from "./clock";
import { el, say, show } from "./dom";
import { eventsOf, type RunEvent } from "./events";
import type { Run } from "./run";

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const speedText = (s: number) => (s < 1 ? `1/${Math.round(1 / s)}` : `${s}`) + " ×";
const mostTicks = 1500;
const manyTicks = 80; // more are thin strokes

export class Timeline {
    private readonly play: HTMLButtonElement;
    private readonly slider: HTMLElement;
    private readonly done: HTMLElement;
    private readonly thumb: HTMLElement;
    private readonly range: HTMLElement;
    private readonly clockText: HTMLElement;
    private readonly frameText: HTMLElement;
    private readonly speed: HTMLSelectElement;
    private readonly loop: HTMLButtonElement;
    private readonly eventText: HTMLElement;
    private readonly ticks: HTMLElement;
    private events: RunEvent[];

    constructor(root: HTMLElement, private readonly clock: Clock, private readonly run: Run) {
        const button = (label: string, sign: string, act: () => void, key: string) =>
            el("button", { type: "button", class: "tool", "aria-label": label, title: `${label} (${key})`, click: act }, sign);
        this.play = button("Play", "▶", () => clock.play(), "space");
        this.play.id = "play";
        this.speed = el("select", { "aria-label": "Speed of play", title: "Speed (− and +)", id: "speed",
                                    change: () => { clock.speed = Number(this.speed.value); clock.tell(); } });
        for (const s of speeds) this.speed.append(el("option", { value: s }, speedText(s)));
        this.loop = button("Repeat", "↻", () => { clock.loop = !clock.loop; clock.tell(); }, "m");
        this.done = el("div", { class: "done" });
        this.thumb = el("div", { class: "thumb" });
        this.range = el("div", { class: "range" });
        this.slider = el("div", { id: "slider", role: "slider", tabindex: 0, "aria-label": "Time",
                                  "aria-valuemin": clock.begin, "aria-valuemax": clock.end },
                         el("div", { class: "track" }, this.range, this.done), this.thumb);
        this.clockText = el("output", { id: "clock", "aria-label": "Time shown" });
        this.frameText = el("span", { class: "frame" });
        this.eventText = el("div", { id: "event", role: "status" });
        this.events = eventsOf(run);
        this.ticks = el("div", { class: "ticks", role: "group" });
        this.ticks.addEventListener("keydown", (e) => this.walk(e));
        root.append(
            el("div", { class: "tools" },
               button("To the start", "|◂", () => clock.go(clock.from), "Home"),
               button("One frame back", "‹", () => clock.step(-1), "←"), this.play,
               button("One frame on", "›", () => clock.step(1), "→"),
               button("To the end", "▸|", () => clock.go(clock.to), "End"), this.loop, this.speed),
            el("div", { class: "times" }, this.clockText, this.frameText),
            el("div", { class: "bar" }, this.ticks, this.slider, this.eventText));
        this.drawTicks();
        this.listen();
        clock.listen(() => this.update());
        this.update();
    }

    /** One more event, as the moment at which two runs part. */
    mark(event: RunEvent): void {
        this.events = [...this.events.filter((e) => e.kind !== event.kind), event].sort((a, b) => a.time - b.time);
        this.drawTicks();
    }

    list(): RunEvent[] {
        return this.events.map((e) => ({ ...e }));
    }

    private drawTicks(): void {
        this.ticks.hidden = !this.events.length;
        const near = 0.012 * (this.clock.end - this.clock.begin); // those that would cover each other stand above each other
        const last = [-Infinity, -Infinity, -Infinity];
        const shown = this.events.slice(0, mostTicks), dense = shown.length > manyTicks;
        this.ticks.classList.toggle("dense", dense);
        this.ticks.setAttribute("aria-label", `${this.events.length} events; arrow keys go from one to the next`);
        this.ticks.replaceChildren(...shown.map((event, i) => {
            const level = dense && (event.kind === "impact" || event.kind === "separation") ? 0 : dense ? 1 : Math.max(0, last.findIndex((t) => event.time - t > near));
            last[level] = event.time;
            const tick = el("button", { type: "button", class: "tick", "data-kind": event.kind.replaceAll(" ", "-"), tabindex: i === 0 ? 0 : -1,
                                        "aria-label": `Event at ${show(event.time, 6)} s: ${event.kind}, ${event.text}`,
                                        title: `${show(event.time, 6)} s · ${event.kind}: ${event.text}`, click: () => this.jump(event) });
            tick.style.left = `${100 * this.fraction(event.time)}%`;
            tick.style.bottom = `${6 * level}px`;
            return tick;
        }));
    }

    // One stop for the tabulator key, however many ticks there are; the arrow keys go on from it.
    private walk(e: KeyboardEvent): void {
        const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
        const all = [...this.ticks.querySelectorAll<HTMLElement>(".tick")], at = all.indexOf(document.activeElement as HTMLElement);
        if (!way || at < 0 || e.shiftKey || e.ctrlKey) return;
        e.stopPropagation();
        e.preventDefault();
        const next = Math.min(all.length - 1, Math.max(0, at + way));
        all.forEach((tick, i) => (tick.tabIndex = i === next ? 0 : -1));
        all[next]!.focus();
        this.jump(this.events[next]!);
    }

    private fraction(t: number): number {
        const length = this.clock.end - this.clock.begin;
        return length > 0 ? Math.min(1, Math.max(0, (t - this.clock.begin) / length)) : 0;
    }

    private jump(event: RunEvent): void {
        this.clock.playing = false;
        this.clock.go(event.time);
        say(`${event.kind} at ${show(event.time, 6)} seconds: ${event.text}`);
    }

    /** To the next (1) or the last (−1) event. */
    toEvent(way: 1 | -1): void {
        const { events } = this;
        const t = this.clock.t, allowance = 1e-9 * Math.max(1, this.clock.end);
        const found = way > 0 ? events.find((e) => e.time > t + allowance)
            : [...events].reverse().find((e) => e.time < t - allowance);
        if (found) this.jump(found);
        else say(way > 0 ? "No event after this" : "No event before this");
    }

    faster(way: 1 | -1): void {
        const i = speeds.indexOf(this.clock.speed);
        this.clock.speed = speeds[Math.min(speeds.length - 1, Math.max(0, i + way))]!;
        this.clock.tell();
        say(`Speed ${speedText(this.clock.speed)}`);
    }

    private listen(): void {
        const to = (e: PointerEvent) => {
            const box = this.slider.getBoundingClientRect();
            const s = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width));
            return this.clock.nearest(this.clock.begin + s * (this.clock.end - this.clock.begin));
        };
        let mark: number | null = null;
        this.slider.addEventListener("pointerdown", (e) => {
            this.slider.setPointerCapture(e.pointerId);
            mark = e.shiftKey ? to(e) : null;
            if (mark === null) this.clock.go(to(e));
        });
        this.slider.addEventListener("pointermove", (e) => {
            if (!this.slider.hasPointerCapture(e.pointerId)) return;
            if (mark !== null) this.clock.range(mark, to(e));
            else this.clock.go(to(e));
        });
        this.slider.title = "Drag to scrub; shift-drag marks a range to repeat";
    }

    private update(): void {
        const { clock } = this;
        const s = `${100 * this.fraction(clock.t)}%`;
        this.done.style.width = s;
        this.thumb.style.left = s;
        this.range.hidden = !clock.ranged();
        this.range.style.left = `${100 * this.fraction(clock.from)}%`;
        this.range.style.width = `${100 * (this.fraction(clock.to) - this.fraction(clock.from))}%`;
        const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.max(1e-9, clock.end - clock.begin)) - 1)));
        const text = `${clock.t.toFixed(digits).replace("-", "−")} s`;
        if (this.clockText.textContent !== text) this.clockText.textContent = text;
        this.slider.setAttribute("aria-valuenow", String(clock.t));
        this.slider.setAttribute("aria-valuetext", `${text} of ${show(clock.end, 6)} s`);
        this.frameText.textContent = `frame ${this.run.sampleAt(clock.t)} of ${Math.max(0, this.run.time.length - 1)} · ends at ${show(clock.end, 6)} s`
            + (clock.ranged() ? ` · repeats ${show(clock.from, 4)} to ${show(clock.to, 4)} s` : "");
        this.play.textContent = clock.playing ? "❚❚" : "▶";
        this.play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
        this.loop.setAttribute("aria-pressed", String(clock.loop));
        if (this.speed.value !== String(clock.speed)) this.speed.value = String(clock.speed);
        const near = (clock.end - clock.begin) * 0.004 + 1e-12;
        const here = this.events.filter((e) => Math.abs(e.time - clock.t) <= near).sort((a, b) => Math.abs(a.time - clock.t) - Math.abs(b.time - clock.t))[0];
        const said = here ? `${here.kind}: ${here.text}` : "";
        if (this.eventText.textContent !== said) this.eventText.textContent = said;
    }
}
