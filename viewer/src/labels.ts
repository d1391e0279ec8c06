// SPDX-License-Identifier: MIT
// Words beside things in space, as elements over the picture.

import { Vector3, type PerspectiveCamera } from "three";
import type { Vec3 } from "./format";
import { el } from "./dom";

export interface Label {
    at: Vec3;
    text: string;
    colour?: string;
    quiet?: boolean;
    stacks?: boolean; // gives way downwards where another that does stands already
    from?: Vec3; // where the arrow begins whose tip this is: the word stands beyond the tip
}

const most = 150; // more would only cover each other

export class Labels {
    private readonly pool: HTMLElement[] = [];
    private readonly point = new Vector3();

    constructor(private readonly layer: HTMLElement) {}

    set(labels: Label[], camera: PerspectiveCamera, width: number, height: number): void {
        const shown = labels.slice(0, most);
        const taken: [number, number][] = [];
        while (this.pool.length < shown.length) {
            const element = el("span", { class: "label" });
            this.pool.push(element);
            this.layer.append(element);
        }
        this.pool.forEach((element, i) => {
            const label = shown[i];
            if (!label) {
                element.style.display = "none";
                return;
            }
            this.point.set(...label.at).project(camera);
            const visible = this.point.z < 1 && Math.abs(this.point.x) < 1.1 && Math.abs(this.point.y) < 1.1;
            element.style.display = visible ? "" : "none";
            if (!visible) return;
            if (element.textContent !== label.text) element.textContent = label.text;
            element.className = `label${label.quiet ? " quiet" : ""}${label.stacks ? " beside" : ""}`;
            element.style.color = label.colour ?? "";
            const x = ((this.point.x + 1) / 2) * width;
            let y = ((1 - this.point.y) / 2) * height;
            const wide = label.stacks ? 130 : label.from ? 20 : 0; // words of arrows that end together stand below each other
            if (wide) {
                while (taken.some(([u, v]) => Math.abs(u - x) < wide && Math.abs(v - y) < 14)) y += 15;
                taken.push([x, y]);
            }
            const back = label.from && this.point.set(...label.from).project(camera).z < 1 && ((this.point.x + 1) / 2) * width > x + 2;
            element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${back ? " translateX(calc(-100% - 12px))" : ""}`;
        });
    }
}
