// SPDX-License-Identifier: MIT
// What stands in the world and can be touched, in one quiet tone: it does not move, and is no body.

import { EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial } from "three";
import type { Vec3 } from "./format";
import type { Run } from "./run";
import { surfaceOf } from "./shapes";
import { css } from "./theme";

const fewEdges = 5000; // triangles of a mesh whose edges are drawn

export class SurfacesView {
    readonly group = new Group();
    private readonly material = new MeshStandardMaterial({ roughness: 0.9, vertexColors: false });
    private readonly lines = new LineBasicMaterial({ transparent: true, opacity: 0.5 });

    constructor(run: Run) {
        for (const { shape, position, orientation, scale } of run.d.surfaces ?? []) {
            const surface = surfaceOf(run.d.shapes[shape] ?? { kind: "none" }, shape, run);
            if (!surface) continue;
            const geometry = surface.make(2), part = new Group();
            part.add(new Mesh(geometry, this.material));
            if (geometry.getAttribute("position").count < 3 * fewEdges) part.add(new LineSegments(new EdgesGeometry(geometry, 30), this.lines));
            part.position.set(...position);
            part.quaternion.set(orientation[1], orientation[2], orientation[3], orientation[0]);
            part.scale.set(...([0, 1, 2].map((k) => surface.size[k]! * (scale?.[k] ?? 1)) as Vec3));
            this.group.add(part);
        }
        this.recolour();
    }

    recolour(): void {
        this.material.color.set(css("--fixed"));
        this.lines.color.set(css("--edge"));
    }
}
