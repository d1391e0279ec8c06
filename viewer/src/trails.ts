// SPDX-License-Identifier: MIT
// Where bodies have been: the path of the centre of mass from the start to now.

import { Group } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Run } from "./run";
import { families } from "./bodies";
import { locate, sub } from "./maths";
import { bodyColour } from "./theme";

export class Trails {
    readonly group = new Group();
    private readonly lines = new Map<number, Line2>();

    private readonly family: number[];
    private readonly times: Float64Array; // of the frames and, where those are few, between them

    constructor(private readonly run: Run) {
        this.family = families(run.names);
        const frames = run.poses.time;
        const parts = Math.max(1, Math.min(16, Math.floor(1000 / frames.length)));
        const list: number[] = [];
        for (let i = 0; i < frames.length; ++i)
            for (let k = 0; k < (i + 1 < frames.length ? parts : 1); ++k) list.push(frames[i]! + (k ? ((frames[i + 1]! - frames[i]!) * k) / parts : 0));
        this.times = Float64Array.from(list);
    }

    private make(body: number): Line2 {
        const { poses } = this.run;
        const times = this.times;
        const points = new Float32Array(3 * Math.max(2, times.length));
        const start = poses.poseAt(times[0]!, body).x;
        for (let i = 0; i < Math.max(2, times.length); ++i) points.set(sub(poses.poseAt(times[Math.min(i, times.length - 1)]!, body).x, start), 3 * i);
        const geometry = new LineGeometry();
        geometry.setPositions(points);
        const line = new Line2(geometry, new LineMaterial({ linewidth: 2 }));
        line.position.set(...start);
        line.frustumCulled = false;
        this.group.add(line);
        this.lines.set(body, line);
        return line;
    }

    update(t: number, bodies: number[]): void {
        const wanted = new Set(bodies);
        for (const [body, line] of this.lines) line.visible = wanted.has(body);
        const { i } = locate(this.times, t);
        for (const body of bodies) {
            const line = this.lines.get(body) ?? this.make(body);
            line.geometry.instanceCount = i;
            line.visible = i > 0;
            (line.material as LineMaterial).color.copy(bodyColour(this.run.count > 64 ? this.family[body]! % 3 : this.family[body]!));
        }
    }
}
