// SPDX-License-Identifier: MIT
// What can be touched and is no body's own shape. What stands in the world is in one quiet tone; planes without
// end are patches with a grid, below the motion and beside it. What is fixed to a body moves with it, as a
// glassy outline: it is not what the body looks like, unless the body has no other shape.

import { DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, WireframeGeometry } from "three";
import type { FixedSurface, Vec3 } from "./format";
import { Ground } from "./ground";
import type { Run } from "./run";
import { surfaceOf } from "./shapes";
import { css, currentTheme } from "./theme";

const fewEdges = 5000; // triangles of a mesh whose edges are drawn

/** Is it drawn as the body itself? */
export function standsForBody(run: Run, surface: FixedSurface): boolean {
    const body = surface.body ?? -1;
    return body >= 0 && !run.particle[body] && run.shapeOf(body).kind === "none";
}

export class SurfacesView {
    readonly group = new Group(); // in the world
    readonly fixed = new Group(); // to bodies
    readonly planes: Ground[];
    private readonly parts: { surface: FixedSurface; part: Group }[] = [];
    private readonly material = new MeshStandardMaterial({ roughness: 0.9, vertexColors: false });
    private readonly glass = new MeshStandardMaterial({ transparent: true, opacity: 0.12, depthWrite: false, side: DoubleSide });
    private readonly lines = new LineBasicMaterial({ transparent: true, opacity: 0.5 });
    private readonly outline = new LineBasicMaterial({ transparent: true, opacity: 0.85 });

    constructor(private readonly run: Run, radius: number) {
        for (const one of run.d.surfaces ?? []) {
            const world = (one.body ?? -1) < 0;
            if (!world && standsForBody(run, one)) continue;
            const surface = surfaceOf(run.d.shapes[one.shape] ?? { kind: "none" }, one.shape, run);
            if (!surface) continue;
            const geometry = surface.make(world ? 2 : 1), part = new Group();
            part.add(new Mesh(geometry, world ? this.material : this.glass));
            if (geometry.getAttribute("position").count < 3 * fewEdges) {
                const edges = new EdgesGeometry(geometry, 30);
                // What is round has no edges: of a glassy one its net is drawn.
                const bare = !world && edges.getAttribute("position").count === 0;
                part.add(new LineSegments(bare ? new WireframeGeometry(geometry) : edges, world ? this.lines : this.outline));
            }
            part.scale.set(...([0, 1, 2].map((k) => surface.size[k]! * (one.scale?.[k] ?? 1)) as Vec3));
            this.parts.push({ surface: one, part });
            (world ? this.group : this.fixed).add(part);
        }
        this.planes = (run.d.planes ?? []).map(({ point, normal }) => new Ground(point, normal, radius));
        for (const plane of this.planes) this.group.add(plane.mesh);
        this.place(true);
        this.recolour();
    }

    private place(all: boolean): void {
        for (const { surface, part } of this.parts) {
            const body = surface.body ?? -1;
            if (body < 0 && !all) continue;
            const { x, q } = this.run.placed(body, surface.position, surface.orientation);
            part.position.set(...x);
            part.quaternion.set(q[1], q[2], q[3], q[0]);
        }
    }

    /** To the poses that the run holds now; planes reach as far as from this place. */
    update(around: Vec3, lined: boolean): void {
        if (this.fixed.visible) this.place(false);
        for (const plane of this.planes) {
            plane.reach(around);
            plane.look(css("--grid"), css("--fixed"), currentTheme() === "light" ? 0.35 : 0.3, lined);
        }
    }

    recolour(): void {
        this.material.color.set(css("--fixed"));
        this.glass.color.set(css("--accent"));
        this.lines.color.set(css("--edge"));
        this.outline.color.set(css("--accent"));
    }
}
