// SPDX-License-Identifier: MIT
// Which arrows stand in the scene now. Each kind has one scale for the whole run: its largest value
// is a third of half the height of the picture, so that lengths can be compared over time.

import type { Arrow } from "./arrows";
import { contactsNamed } from "./contact_words";
import { contactsAt } from "./contacts";
import type { Label } from "./labels";
import type { Options } from "./options";
import type { Run } from "./run";
import type { Block, Vec3 } from "./format";
import { add, cross, norm, scale, sub, turn, times } from "./maths";
import { arrowColour, css } from "./theme";

const mostContacts = 5000;
const mostSummed = 20000;
const fullList = 300; // with more bodies, arrows are for the selected one unless they are cheap

export class Vectors {
    private readonly largest = new Map<string, number>();

    drawn: { text: string; at: Vec3; value: Vec3 }[] = []; // what the arrows stand for
    sceneSize = 1; // half the height of the picture, in metres at the target

    constructor(private readonly run: Run, private readonly reach: Float64Array) {}

    /** Bodies that the marks are for. */
    bodies(options: Options): number[] {
        if (options.all) return Array.from({ length: Math.min(this.run.count, 5000) }, (_, i) => i);
        return options.selected >= 0 && options.selected < this.run.count ? [options.selected] : [];
    }

    private scaleOf(kind: string, value: (t: number, body: number) => Vec3): number {
        let most = this.largest.get(kind);
        if (most === undefined) {
            most = 0;
            const { run } = this;
            const step = Math.max(1, Math.floor(run.count / 40));
            for (let b = 0; b < run.count; b += step)
                for (let k = 0; k <= 40; ++k) most = Math.max(most, norm(value(run.begin + ((run.end - run.begin) * k) / 40, b)));
            this.largest.set(kind, most);
        }
        return most > 0 ? (0.33 * this.sceneSize) / most : 0;
    }

    private scaleOfSum(kind: string, value: (t: number) => Vec3): number {
        let most = this.largest.get(kind);
        if (most === undefined) {
            most = 0;
            for (let k = 0; k <= 40; ++k) most = Math.max(most, norm(value(this.run.begin + ((this.run.end - this.run.begin) * k) / 40)));
            this.largest.set(kind, most);
        }
        return most > 0 ? (0.4 * this.sceneSize) / most : 0;
    }

    private scaleOfBlock(block: Block, kind: string): number {
        let most = this.largest.get(kind) ?? 0;
        if (!this.largest.has(`${kind} ${block.offset}`)) {
            const v = this.run.open(block);
            for (let i = 0; i + 2 < v.length; i += 3) most = Math.max(most, Math.hypot(v[i]!, v[i + 1]!, v[i + 2]!));
            this.largest.set(kind, most);
            this.largest.set(`${kind} ${block.offset}`, 1);
        }
        return most > 0 ? (0.33 * this.sceneSize) / most : 0;
    }

    collect(t: number, options: Options, arrows: Arrow[], labels: Label[]): void {
        const { run } = this;
        const on = options.on;
        const bodies = this.bodies(options);
        this.drawn = [];
        const named = bodies.length <= 40;
        const draw = (kind: string, colour: string, text: string, at: Vec3, value: Vec3, s: number, axial: boolean, words = true) => {
            this.drawn.push({ text, at, value });
            const along = scale(value, s * options.arrowSize);
            if (!(norm(along) > 0)) return;
            const c = arrowColour(colour);
            arrows.push({ at, along, colour: c, axial });
            if (!words || norm(along) < 0.01 * this.sceneSize) return; // too short for a word
            if (named || kind === "whole" || kind === "contact") labels.push({ at: add(at, scale(along, 1.06)), text, colour: `#${c.getHexString()}`, from: at });
        };
        if (on.has("velocity") || on.has("omega") || on.has("p") || on.has("L") || on.has("LA"))
            for (const b of bodies) {
                const m = run.motionAt(t, b);
                if (on.has("velocity")) draw("v", "velocity", "v", m.x, m.v, this.scaleOf("v", (u, i) => run.motionAt(u, i).v), false);
                if (on.has("p")) draw("p", "p", "p", m.x, m.p, this.scaleOf("p", (u, i) => run.motionAt(u, i).p), false);
                if (on.has("omega") && !run.particle[b])
                    draw("w", "omega", "ω", m.x, m.omega, this.scaleOf("w", (u, i) => run.motionAt(u, i).omega), true);
                if (on.has("L") && !run.particle[b])
                    draw("L", "L", "L", m.x, m.L, this.scaleOf("L", (u, i) => run.motionAt(u, i).L), true);
                if (on.has("LA")) {
                    const about = (u: number, i: number): Vec3 => {
                        const k = run.motionAt(u, i);
                        return add(k.L, cross(sub(k.x, options.about), k.p));
                    };
                    draw("LA", "L", "L about A", options.about, about(t, b), this.scaleOf(`LA ${options.about.join()}`, about), true);
                }
            }
        // Sums over bodies, as the books have them, so that any point can be chosen. Of many bodies, the first ones are not the whole: none.
        const sums = (list: number[], what: string, p: boolean, L: boolean) => {
            if (!(p || L) || !list.length || list.length > mostSummed) return;
            const now = run.momentumOf(list, t, options.about);
            const at = (u: number) => run.momentumOf(list, u, options.about);
            if (list.length === run.count && run.ledger?.movable) { // the books have it to the last digit
                const { closing } = run.ledger.at(run.sampleAt(t), options.about);
                now.p = closing.p;
                now.L = closing.L;
            }
            const key = `${what} ${list[0]} ${list.length} ${options.about.join()}`;
            if (p) draw("whole", "p", `p of ${what}`, now.center, now.p, this.scaleOfSum(`p ${key}`, (u) => at(u).p), false);
            if (L) draw("whole", "L", `L of ${what} about A`, options.about, now.L, this.scaleOfSum(`L ${key}`, (u) => at(u).L), true);
        };
        if (options.selected < run.count) {
            const tree = run.subtree(options.selected);
            sums(tree, tree.length > 1 ? `the subtree of ${run.names[options.selected]}` : run.names[options.selected]!, on.has("treeP"), on.has("treeL"));
        }
        sums(Array.from({ length: run.count }, (_, i) => i), "the whole", on.has("wholeP"), on.has("wholeL"));
        const wanted = new Set(bodies);
        if (options.causes.has("gravity") && run.d.gravity && !this.hasForces("gravity")) {
            const g = run.d.gravity;
            const s = this.scaleOf("gravity", (t, i) => scale(g, run.massAt(t, i)));
            for (const b of bodies.slice(0, fullList)) {
                const x = run.poses.x;
                draw("gravity", "force", "gravity", [x[3 * b]!, x[3 * b + 1]!, x[3 * b + 2]!], scale(g, run.massAt(t, b)), s, false);
            }
        }
        for (const f of run.d.forces ?? []) {
            if (!options.causes.has(f.cause) || !wanted.has(f.body)) continue;
            const x = run.poses.x, b = f.body;
            const at: Vec3 = f.at ? run.vectorAt(f.at, t) : [x[3 * b]!, x[3 * b + 1]!, x[3 * b + 2]!];
            draw("force", "force", f.cause.replaceAll("_", " "), at, run.vectorAt(f.force, t), this.scaleOfBlock(f.force, "force"), false);
            if (f.torque)
                draw("torque", "force", `${f.cause.replaceAll("_", " ")} torque`, at, run.vectorAt(f.torque, t), this.scaleOfBlock(f.torque, "torque"), true);
        }
        if (on.has("reactions"))
            for (const joint of run.d.joints ?? []) {
                if (!joint.reaction) continue;
                const at = run.placed(joint.b, joint.frame_b.position).x;
                draw("reaction", "reaction", `on ${run.names[joint.b] ?? "world"}`, at, run.vectorAt(joint.reaction.force, t),
                     this.scaleOfBlock(joint.reaction.force, "reaction"), false);
                if (joint.reaction.torque)
                    draw("reaction", "reaction", "torque", at, run.vectorAt(joint.reaction.torque, t),
                         this.scaleOfBlock(joint.reaction.torque, "reaction torque"), true);
            }
        if (on.has("contacts") && run.d.contacts)
        {
            // On the second of the two, or on the first where that is the world.
            const found = contactsAt(run, run.sampleAt(t)).slice(0, mostContacts);
            const told = contactsNamed(found, options.selected); // the others when their body is selected
            for (const [i, c] of found.entries()) {
                const body = c.b >= 0 ? c.b : c.a;
                draw("contact", "reaction", `on ${run.names[body] ?? "the world"} by ${run.names[body === c.b ? c.a : c.b] ?? "the world"}`, c.point, c.b >= 0 ? c.force : scale(c.force, -1),
                     this.scaleOfBlock(run.d.contacts.force, "contact"), false, told.has(i));
            }
        }
        if (on.has("axes"))
            for (const b of bodies.slice(0, fullList)) {
                if (run.particle[b]) continue;
                const { x, q } = run.poses.poseAt(t, b);
                const frame = times(q, run.principalOf(b));
                const I = run.momentsOf(b);
                const r = 1.5 * (this.reach[b]! || 0.2 * this.sceneSize) * options.arrowSize;
                [0, 1, 2].forEach((k) => {
                    const e: Vec3 = [0, 0, 0];
                    e[k] = r;
                    const along = turn(frame, e);
                    arrows.push({ at: x, along, colour: arrowColour("velocity").lerp(arrowColour("force"), k / 2), axial: false });
                    if (named) labels.push({ at: add(x, scale(along, 1.08)), text: `I${"₁₂₃"[k]} ${Number(I[k]!.toPrecision(3))}`, colour: css("--text") });
                });
            }
    }

    private hasForces(cause: string): boolean {
        return (this.run.d.forces ?? []).some((f) => f.cause === cause);
    }
}
