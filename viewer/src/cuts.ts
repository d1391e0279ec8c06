// SPDX-License-Identifier: MIT
// Cuts: where a structure is looked into. A ring lies in the section; a sector of it is filled as far as the
// strength is used, from the y axis of the section on, so that it is read without colour. Beyond the strength the
// disc is full and has a cross; what has let go leaves an empty ring of dashes. The word beside it has the number.

import { BufferGeometry, CircleGeometry, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineDashedMaterial, LineLoop, LineSegments, Mesh, MeshBasicMaterial } from "three";
import { show } from "./dom";
import type { Cut } from "./format";
import type { Label } from "./labels";
import type { Run } from "./run";
import { css } from "./theme";

export interface CutNow {
    name: string;
    utilisation: number;
    largest: number;
    gone: boolean;
    limited: boolean; // limits are given
    utmost: string; // which load uses most of its limit; empty without limits
    shear: [number, number];
    tension: number;
    bending: [number, number];
    torsion: number;
}

/** What a cut carries at a sample. */
export function cutAt(run: Run, cut: Cut, i: number): CutNow {
    const F = run.open(cut.force), M = run.open(cut.moment), L = cut.limits;
    const tension = F[3 * i + 2]!, shear: [number, number] = [F[3 * i]!, F[3 * i + 1]!];
    const bending: [number, number] = [M[3 * i]!, M[3 * i + 1]!], torsion = M[3 * i + 2]!;
    const shares: [string, number][] = [["tension", tension / (L.tension ?? Infinity)], ["compression", -tension / (L.compression ?? Infinity)],
        ["shear", Math.hypot(...shear) / (L.shear ?? Infinity)], ["bending", Math.hypot(...bending) / (L.bending ?? Infinity)],
        ["torsion", Math.abs(torsion) / (L.torsion ?? Infinity)]];
    const most = shares.reduce((a, b) => (b[1] > a[1] ? b : a));
    return { name: cut.name, utilisation: run.open(cut.utilisation)[i]!, largest: run.open(cut.largest)[i]!, gone: run.open(cut.gone)[i] !== 0,
             limited: Object.keys(L).length > 0, utmost: most[1] > 0 ? most[0] : "", shear, tension, bending, torsion };
}

export const percent = (u: number): string => `${show(100 * u, 3)}\u202f%`;

const pieces = 64;
const circle = Array.from({ length: pieces }, (_, k) => [Math.sin((2 * Math.PI * k) / pieces), Math.cos((2 * Math.PI * k) / pieces), 0]).flat();

class Sign {
    readonly group = new Group();
    readonly sector: Mesh<BufferGeometry, MeshBasicMaterial>;
    readonly ring: LineLoop;
    readonly dashed: LineLoop;
    readonly cross: LineSegments;
    private filled = -1;

    constructor(line: LineBasicMaterial, dash: LineDashedMaterial, fill: MeshBasicMaterial) {
        const round = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(circle, 3));
        this.ring = new LineLoop(round, line);
        this.dashed = new LineLoop(round.clone(), dash);
        this.dashed.computeLineDistances();
        const d = Math.SQRT1_2;
        this.cross = new LineSegments(new BufferGeometry().setAttribute("position", new Float32BufferAttribute([-d, -d, 0, d, d, 0, -d, d, 0, d, -d, 0], 3)), line);
        this.sector = new Mesh(new BufferGeometry(), fill);
        this.sector.renderOrder = 5;
        for (const part of [this.ring, this.dashed, this.cross]) part.renderOrder = 6;
        for (const part of [this.sector, this.ring, this.dashed, this.cross]) part.frustumCulled = false;
        this.group.add(this.sector, this.ring, this.dashed, this.cross);
    }

    set(used: number, gone: boolean): void {
        const part = Math.min(1, Math.max(0, used));
        this.ring.visible = !gone;
        this.dashed.visible = gone;
        this.cross.visible = used >= 1 && !gone;
        this.sector.visible = part > 0 && !gone;
        if (Math.abs(part - this.filled) < 1e-3) return;
        this.filled = part;
        this.sector.geometry.dispose();
        this.sector.geometry = new CircleGeometry(1, Math.max(2, Math.ceil(pieces * part)), Math.PI / 2, -2 * Math.PI * part);
    }
}

export class CutsView {
    readonly group = new Group();
    private readonly signs: { cut: Cut; sign: Sign; fill: MeshBasicMaterial }[] = [];
    private readonly line = new LineBasicMaterial({ depthTest: false, transparent: true });
    private readonly dash = new LineDashedMaterial({ depthTest: false, transparent: true, dashSize: 0.2, gapSize: 0.2 });

    constructor(private readonly run: Run) {
        for (const cut of run.d.cuts ?? []) {
            const fill = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.75, side: DoubleSide });
            const sign = new Sign(this.line, this.dash, fill);
            this.signs.push({ cut, sign, fill });
            this.group.add(sign.group);
        }
        this.recolour();
    }

    recolour(): void {
        this.line.color.set(css("--text"));
        this.dash.color.set(css("--quiet"));
    }

    /** Of a span of the picture, as contacts and arrows are. */
    update(sample: number, span: number, on: boolean, labels: Label[]): void {
        this.group.visible = on;
        if (!on) return;
        for (const { cut, sign, fill } of this.signs) {
            const { x, q } = this.run.placed(cut.body, cut.frame.position, cut.frame.orientation);
            const now = cutAt(this.run, cut, sample);
            sign.group.position.set(...x);
            sign.group.quaternion.set(q[1], q[2], q[3], q[0]);
            sign.group.scale.setScalar(0.05 * span);
            sign.set(now.utilisation, now.gone);
            fill.color.set(css(now.utilisation >= 1 ? "--bad" : now.utilisation >= 0.8 ? "--accent" : "--good"));
            if (this.signs.length > 24) continue; // more words would only cover each other
            labels.push({ at: x, text: now.gone ? `${cut.name}: gone` : now.limited ? `${cut.name} ${percent(now.utilisation)}${now.utilisation >= 1 ? " ✗" : ""}` : cut.name, quiet: true, stacks: true });
        }
    }
}
