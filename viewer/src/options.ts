// SPDX-License-Identifier: MIT
// What is shown, and about which body and point. Panels and keys write it, the stage reads it.

import type { Vec3 } from "./format";

export const marks = {
    names: { label: "Names", key: "n" },
    ground: { label: "Ground and fixed surfaces", key: "g" },
    skins: { label: "Contact surfaces of bodies, where they are not their shape", key: "U" },
    grid: { label: "Grid", key: "G" },
    joints: { label: "Joints, axes and bushings", key: "j" },
    springs: { label: "Springs and dampers", key: "k" },
    ghost: { label: "Second run as a ghost", key: "b" },
    center: { label: "Centre of mass", key: "c" },
    inertia: { label: "Inertia ellipsoid", key: "i" },
    axes: { label: "Principal axes", key: "a" },
    velocity: { label: "Velocity v", key: "v" },
    omega: { label: "Angular velocity ω", key: "w" },
    p: { label: "Momentum p", key: "p" },
    L: { label: "Angular momentum L about its centre", key: "l" },
    LA: { label: "Angular momentum L about the point A", key: "A" },
    treeP: { label: "Subtree: p at its centre of mass", key: "q" },
    treeL: { label: "Subtree: L about the point A", key: "Q" },
    wholeP: { label: "Whole: p at the centre of mass", key: "P" },
    wholeL: { label: "Whole: L about the point A", key: "L" },
    reactions: { label: "Joint reactions", key: "r" },
    contacts: { label: "Contact points and forces", key: "h" },
    cones: { label: "Friction cones", key: "H" },
    cuts: { label: "Cuts, and how much of their strength is used", key: "C" },
    trails: { label: "Trails", key: "t" },
    picture: { label: "Poinsot’s picture", key: "o" },
} as const;
export type Mark = keyof typeof marks;

export class Options {
    readonly on = new Set<Mark>(["ground", "skins", "grid", "joints", "springs", "ghost", "cuts"]);
    readonly causes = new Set<string>(); // forces of these causes are drawn
    selected = 0;
    all = false; // arrows for every body, or for the selected one
    follow: "nothing" | "body" | "all" = "nothing"; // what the eye moves with
    arrowSize = 1;
    about: Vec3 = [0, 0, 0]; // the point A
    private readonly listeners: (() => void)[] = [];

    listen(f: () => void): void {
        this.listeners.push(f);
    }
    tell(): void {
        for (const f of this.listeners) f();
    }
    toggle(mark: Mark, on = !this.on.has(mark)): void {
        if (on) this.on.add(mark);
        else this.on.delete(mark);
        this.tell();
    }
    followWhat(what: "body" | "all"): void {
        this.follow = this.follow === what ? "nothing" : what;
        this.tell();
    }
    toggleCause(cause: string, on = !this.causes.has(cause)): void {
        if (on) this.causes.add(cause);
        else this.causes.delete(cause);
        this.tell();
    }
}
