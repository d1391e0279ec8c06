// SPDX-License-Identifier: MIT
// All bodies of a run, one draw call for each kind of surface.

import {
    Color, EdgesGeometry, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, MeshStandardMaterial,
    Quaternion, Vector3, type BufferGeometry, type Raycaster,
} from "three";
import type { Quat, Shape, Vec3 } from "./format";
import type { Run } from "./run";
import { add, scale, sub, times, turn } from "./maths";
import { equivalentBox, reach, surfaceOf, type Surface } from "./shapes";
import { bodyColour, currentTheme } from "./theme";

interface Part {
    body: number;
    offset: Vec3; // from the centre of mass, body axes
    turned: Quat;
    size: Vec3;
    edges: LineSegments | null;
}

const fewBodies = 400; // up to here surfaces are fine and edges are drawn

export class BodiesView {
    readonly group = new Group();
    readonly radius: Float64Array; // how far each body reaches
    private readonly sets: { mesh: InstancedMesh; parts: Part[] }[] = [];
    private readonly edgeMaterial = new LineBasicMaterial({ transparent: true });
    private hidden = -1;

    constructor(readonly run: Run, private readonly ghost: boolean, dot: number) {
        this.radius = new Float64Array(run.count);
        const found = new Map<string, { surface: Surface; parts: Part[] }>();
        for (let body = 0; body < run.count; ++body) this.collect(body, dot, found);
        for (const { surface, parts } of found.values()) this.addSet(surface, parts);
        this.recolour();
    }

    private collect(body: number, dot: number, found: Map<string, { surface: Surface; parts: Part[] }>): void {
        const { run } = this;
        const put = (surface: Surface, offset: Vec3, turned: Quat) => {
            let set = found.get(surface.key);
            if (!set) found.set(surface.key, (set = { surface, parts: [] }));
            set.parts.push({ body, offset, turned, size: surface.size, edges: null });
        };
        const place = (shape: Shape, index: number, at: Vec3, q: Quat, depth: number): boolean => {
            if (shape.kind === "group") {
                if (depth > 4) return false;
                return shape.parts.map((part) => place(run.d.shapes[part.shape] ?? { kind: "none" }, part.shape,
                    add(at, turn(q, part.position)), times(q, part.orientation), depth + 1)).some(Boolean);
            }
            const surface = surfaceOf(shape, index, run);
            if (surface) put(surface, sub(at, run.centerOf(body)), q);
            return surface !== null;
        };
        const shape = run.shapeOf(body);
        this.radius[body] = reach(shape, run);
        if (!run.particle[body] && place(shape, run.shapeNumber(body), [0, 0, 0], [1, 0, 0, 0], 0)) return;
        const I = run.momentsOf(body);
        if (run.particle[body] || !(I[2] > 0)) {
            this.radius[body] = dot;
            put(surfaceOf({ kind: "ball", radius: dot }, -1, run)!, [0, 0, 0], [1, 0, 0, 0]);
        } else { // no shape: the box that would turn alike
            const sides = equivalentBox(run.mass[body]!, I);
            this.radius[body] = Math.hypot(...sides) / 2;
            put(surfaceOf({ kind: "box", sides }, -1, run)!, [0, 0, 0], run.principalOf(body));
        }
    }

    private addSet(surface: Surface, parts: Part[]): void {
        const fine = this.run.count <= fewBodies;
        const geometry: BufferGeometry = surface.make(fine);
        const material = new MeshStandardMaterial({
            vertexColors: true, roughness: 0.62, metalness: 0.05,
            transparent: this.ghost, opacity: this.ghost ? 0.3 : 1, depthWrite: !this.ghost,
            polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
        });
        const mesh = new InstancedMesh(geometry, material, parts.length);
        mesh.frustumCulled = false;
        this.sets.push({ mesh, parts });
        this.group.add(mesh);
        if (fine && (surface.key === "box" || surface.key.startsWith("mesh") || surface.key === "cylinder" || surface.key === "cone")) {
            const lines = new EdgesGeometry(geometry, 30);
            for (const part of parts) {
                part.edges = new LineSegments(lines, this.edgeMaterial);
                part.edges.matrixAutoUpdate = false;
                part.edges.frustumCulled = false;
                this.group.add(part.edges);
            }
        }
    }

    /** Leaves one body out (−1: none). */
    hide(body: number): void {
        this.hidden = body;
    }

    recolour(selected = -1): void {
        const light = currentTheme() === "light";
        this.edgeMaterial.color.set(light ? "#20262d" : "#0b0d10");
        this.edgeMaterial.opacity = this.ghost ? 0.7 : 0.55;
        const many = this.run.count > 64;
        const c = new Color();
        for (const { mesh, parts } of this.sets) {
            parts.forEach((part, k) => {
                c.copy(bodyColour(many ? part.body % 3 : part.body));
                if (this.ghost) c.lerp(new Color(light ? "#666" : "#ddd"), 0.7);
                if (part.body === selected && this.run.count > 1) c.lerp(new Color(light ? "#101010" : "#ffffff"), 0.45);
                mesh.setColorAt(k, c);
            });
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }

    /** To the poses that the run holds now. */
    update(): void {
        const { x, q } = this.run.poses;
        const m = new Matrix4(), at = new Vector3(), r = new Quaternion(), s = new Vector3();
        for (const { mesh, parts } of this.sets) {
            const out = mesh.instanceMatrix.array as Float32Array;
            for (let k = 0; k < parts.length; ++k) {
                const part = parts[k]!, b = part.body;
                const attitude: Quat = [q[4 * b]!, q[4 * b + 1]!, q[4 * b + 2]!, q[4 * b + 3]!];
                const o = part.offset;
                const moved = o[0] || o[1] || o[2] ? turn(attitude, o) : o;
                const whole = part.turned[0] === 1 ? attitude : times(attitude, part.turned);
                at.set(x[3 * b]! + moved[0], x[3 * b + 1]! + moved[1], x[3 * b + 2]! + moved[2]);
                r.set(whole[1], whole[2], whole[3], whole[0]);
                const z = b === this.hidden ? scale(part.size, 0) : part.size;
                m.compose(at, r, s.set(z[0], z[1], z[2])).toArray(out, 16 * k);
                if (part.edges) {
                    part.edges.matrix.copy(m);
                    part.edges.matrixWorldNeedsUpdate = true;
                    part.edges.visible = b !== this.hidden;
                }
            }
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null;
        }
    }

    /** The body that a ray meets first, or −1. */
    pick(ray: Raycaster): number {
        let best = -1, near = Infinity;
        for (const { mesh, parts } of this.sets)
            for (const hit of ray.intersectObject(mesh, false))
                if (hit.distance < near && hit.instanceId !== undefined) {
                    near = hit.distance;
                    best = parts[hit.instanceId]!.body;
                }
        return best;
    }
}
