// SPDX-License-Identifier: MIT
// Checkboxes for what is drawn, and the body it is drawn for. What the file cannot tell is left out.

import { el, show } from "./dom";
import type { Vec3 } from "./format";
import { pointField } from "./point_field";
import { marks, type Mark, type Options } from "./options";
import type { Run } from "./run";
import type { Stage } from "./stage";
import { standsForBody } from "./surfaces";

const mostListed = 10000;
const mostBonds = 500;

export class ShowPanel {
    readonly root = el("div", { class: "show" });
    readonly available: Mark[];
    readonly causes: string[];
    private readonly boxes = new Map<Mark, HTMLInputElement>();
    private readonly causeBoxes = new Map<string, HTMLInputElement>();
    private readonly body: HTMLSelectElement;
    private readonly all: HTMLInputElement;
    private readonly follow: HTMLInputElement;
    private readonly followAll: HTMLInputElement;
    private readonly facts = el("dl", { class: "facts" });
    private readonly now = el("dl", { class: "facts", id: "body-now", "aria-label": "The body at the time shown" });
    private readonly ghostGroup: HTMLElement;

    constructor(private readonly run: Run, private readonly options: Options, private readonly stage: Stage) {
        const d = run.d;
        const carries = run.names.some((_, i) => run.subtree(i).length > 1);
        const solid = Array.from(run.particle).some((p) => !p);
        this.causes = [...new Set((d.forces ?? []).map((f) => f.cause))];
        if (d.gravity?.some(Boolean) && !this.causes.includes("gravity")) this.causes.unshift("gravity");
        const possible: Partial<Record<Mark, boolean>> = {
            ground: Boolean(d.gravity || d.planes?.length || d.surfaces?.some((s) => (s.body ?? -1) < 0)),
            skins: Boolean(d.surfaces?.some((s) => (s.body ?? -1) >= 0 && !standsForBody(run, s))), joints: Boolean(d.joints?.length || d.bushings?.length), springs: Boolean(d.springs?.length),
            inertia: solid, axes: solid, omega: solid, L: solid,
            treeP: carries, treeL: carries, wholeP: run.count > 1, wholeL: run.count > 1,
            reactions: Boolean(d.joints?.some((j) => j.reaction)),
            contacts: Boolean(d.contacts), cones: Boolean(d.contacts?.friction), cuts: Boolean(d.cuts?.length),
            picture: run.count <= 2000 && Array.from(run.names, (_, i) => i).some((i) => stage.picture.possible(i)),
        };
        this.available = (Object.keys(marks) as Mark[]).filter((m) => possible[m] ?? true);

        this.body = el("select", { id: "body", "aria-label": "Selected body", change: () => { options.selected = Number(this.body.value); options.tell(); } });
        run.names.slice(0, mostListed).forEach((name, i) => this.body.append(el("option", { value: i }, name)));
        this.follow = el("input", { type: "checkbox", "data-follow": "body", change: () => options.followWhat("body") });
        this.followAll = el("input", { type: "checkbox", "data-follow": "all", change: () => options.followWhat("all") });
        this.all = el("input", { type: "checkbox", "data-which": "bodies", change: () => { options.all = this.all.checked; options.tell(); } });
        const size = el("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, value: 0, "aria-label": "Length of arrows",
                                   input: () => { options.arrowSize = Math.pow(10, Number(size.value)); options.tell(); } });

        const box = (m: Mark) => {
            const input = el("input", { type: "checkbox", "data-mark": m, change: () => options.toggle(m, input.checked) });
            this.boxes.set(m, input);
            return el("label", { class: "check" }, input, el("span", {}, marks[m].label), el("kbd", {}, marks[m].key));
        };
        const group = (title: string, list: Mark[]) => {
            const here = list.filter((m) => this.available.includes(m));
            return el("fieldset", { hidden: here.length === 0 }, el("legend", {}, title), ...here.map(box));
        };
        this.ghostGroup = group("Comparison", ["ghost"]);
        this.root.append(
            el("fieldset", {}, el("legend", {}, "Body"),
               el("div", { class: "row" }, this.body),
               el("label", { class: "check" }, this.follow, el("span", {}, "Follow it"), el("kbd", {}, "f")),
               el("label", { class: "check" }, this.all, el("span", {}, "Marks for all bodies"), el("kbd", {}, "e")), this.facts, this.now),
            group("Free rotation", ["picture"]),
            group("Of the body", ["center", "inertia", "axes", "velocity", "omega", "p", "L", "LA", "trails"]),
            group("Of the body and all it carries", ["treeP", "treeL"]),
            group("Of the whole", ["wholeP", "wholeL"]),
            el("fieldset", {}, el("legend", {}, "The point A, for L"), el("div", { class: "row" }, pointField(options, "about-show")),
               el("div", { class: "row" }, ...([["origin", () => [0, 0, 0]], ["body", () => run.poses.poseAt(stage.time, options.selected).x],
                                                ["centre of mass", () => run.systemCenter()]] as [string, () => Vec3][])
                   .filter(([name]) => run.count > 0 || name === "origin").map(([name, place]) =>
                   el("button", { type: "button", class: "small", title: `A to where this is now: ${name}`, click: () => {
                       options.about = place();
                       options.tell();
                   } }, name)))),
            el("fieldset", { hidden: this.causes.length === 0 && !this.available.includes("reactions") && !d.contacts }, el("legend", {}, "Forces, by cause"),
               ...this.causes.map((cause, i) => {
                   const input = el("input", { type: "checkbox", "data-cause": cause, change: () => options.toggleCause(cause, input.checked) });
                   this.causeBoxes.set(cause, input);
                   return el("label", { class: "check" }, input, el("span", {}, cause.replaceAll("_", " ")), ...(i < 6 ? [el("kbd", {}, String(i + 4))] : []));
               }), ...(["reactions", "contacts", "cones"] as Mark[]).filter((m) => this.available.includes(m)).map(box)),
            el("fieldset", {}, el("legend", {}, "Scene"), ...(["names", "joints", "springs", "cuts", "ground", "skins", "grid"] as Mark[]).filter((m) => this.available.includes(m)).map(box),
               el("label", { class: "check" }, this.followAll, el("span", {}, "Follow the centre of mass of all"), el("kbd", {}, "F"))),
            this.ghostGroup, this.bonds(),
            el("fieldset", {}, el("legend", {}, "Arrows"), el("label", { class: "row" }, "length ", size),
               el("p", { class: "note" }, "One head: along a line. Two heads: about an axis (ω, L, torque)."
                  + (run.estimated ? " Velocities here are differences of the poses shown." : ""))));
        options.listen(() => this.update());
        this.update();
    }

    /** Joints, springs and bushings by name: what they join. */
    private bonds(): HTMLElement {
        const { joints = [], springs = [], bushings = [] } = this.run.d;
        const name = (body: number) => (body < 0 ? "the world" : this.run.names[body] ?? "?");
        const all = [...joints.map((j) => ({ ...j, kind: j.kind + (j.elastic ? ", with a spring" : "") })),
                     ...springs.map((s) => ({ ...s, kind: s.stiffness === 0 && s.damping! > 0 ? "damper" : s.damping! > 0 ? "spring and damper" : "spring" })),
                     ...bushings.map((b) => ({ ...b, kind: "bushing" }))];
        const counts = [[joints.length, "joint"], [springs.length, "spring"], [bushings.length, "bushing"]] as [number, string][];
        return el("details", { class: "bonds", "aria-label": "What joins bodies", hidden: all.length === 0 },
            el("summary", {}, counts.filter(([n]) => n).map(([n, what]) => `${n} ${what}${n > 1 ? "s" : ""}`).join(", ")),
            el("ul", {}, ...all.slice(0, mostBonds).map((one) => el("li", {}, el("b", {}, one.name), ` ${one.kind}: ${name(one.a)} to ${name(one.b)}`)),
               ...(all.length > mostBonds ? [el("li", {}, `and ${all.length - mostBonds} more`)] : [])));
    }

    compare(on: boolean): void {
        this.ghostGroup.hidden = !on;
    }

    /** Where the selected body is and how it moves, in words and numbers. */
    moved(force = false): void {
        const b = this.options.selected;
        if ((this.root.offsetParent === null && !force) || b < 0 || b >= this.run.count) return;
        const m = this.run.motionAt(this.stage.time, b);
        const three = (v: Vec3, unit: string) => `${v.map((k) => show(k, 4)).join(", ")} ${unit}`;
        const rows: [string, string][] = [["place", three(m.x, "m")], ["velocity", three(m.v, "m/s")]];
        if (!this.run.particle[b]) rows.push(["turns", three(m.omega, "rad/s")]);
        this.now.replaceChildren(...rows.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
    }

    private update(): void {
        const { options, run } = this;
        for (const [m, input] of this.boxes) input.checked = options.on.has(m);
        for (const [c, input] of this.causeBoxes) input.checked = options.causes.has(c);
        this.follow.checked = options.follow === "body";
        this.followAll.checked = options.follow === "all";
        this.all.checked = options.all;
        if (this.body.value !== String(options.selected)) this.body.value = String(options.selected);
        const b = options.selected;
        if (b < 0 || b >= run.count) return;
        const shape = run.shapeOf(b).kind;
        const rows: [string, string][] = [["mass", `${show(run.mass[b]!)} kg${run.massAt(run.end, b) === run.mass[b] ? "" : " at the start"}`]];
        if (!run.particle[b]) rows.push(["moments", `${run.momentsOf(b).map((k) => show(k, 4)).join(", ")} kg m²`]);
        rows.push(["shape", run.particle[b] ? "particle" : shape === "none" ? "none given; drawn as a ball, cylinder or box of equal mass and inertia" : shape]);
        this.moved(true);
        this.facts.replaceChildren(...rows.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
    }
}
