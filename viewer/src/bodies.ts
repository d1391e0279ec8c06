// SPDX-License-Identifier: MIT
// All bodies of a run, one draw call for each kind of surface and level of detail. Where bodies are many, each
// takes the surface that its size on the screen deserves, and those outside the picture are left out.

import {
    Color, EdgesGeometry, Frustum, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, MeshStandardMaterial,
    Quaternion, Sphere, Vector3, type PerspectiveCamera, type Raycaster,
} from "three";
import type { FixedSurface, Quat, Shape, Vec3 } from "./format";
import type { Run } from "./run";
import { add, norm, scale, sub, times, turn } from "./maths";
import { Dots, largestDot } from "./dots";
import { origin } from "./origin";
import { equivalent, reach, reachFrom, surfaceOf, type Surface } from "./shapes";
import { standsForBody } from "./surfaces";
import { bodyColour, currentTheme } from "./theme";

interface Part {
    body: number;
    offset: Vec3; // from the centre of mass, body axes
    turned: Quat;
    size: Vec3;
    edges: LineSegments | null;
}

interface Set {
    levels: { mesh: InstancedMesh; shown: Int32Array }[]; // shown: the part in each slot
    parts: Part[];
    colours: Float32Array;
    dots: { view: Dots; shown: Int32Array } | null; // balls that are small on the screen
}

/** What the bodies need to know of the picture. */
export interface Sight {
    camera: PerspectiveCamera;
    pixels: number; // of the screen, per radian
    sun: Vector3;
    sunny: number;
    ambient: number;
}

/** A number for each body, the same for the pieces of one beam: those whose names differ in the number at their end, name/7. */
export function families(names: string[]): number[] {
    const known = new Map<string, number>();
    return names.map((name) => {
        const whole = name.replace(/\/\d+$/, "");
        if (whole === name || !known.has(whole)) known.set(whole === name ? `${name}/` : whole, known.size);
        return known.get(whole === name ? `${name}/` : whole)!;
    });
}

const fewBodies = 400; // up to here surfaces are fine and edges are drawn

export class BodiesView {
    readonly group = new Group();
    readonly radius: Float64Array; // how far each body reaches
    private readonly sets: Set[] = [];
    private readonly edgeMaterial = new LineBasicMaterial({ transparent: true });
    private readonly touching = new Map<number, FixedSurface[]>(); // of bodies without a shape
    private readonly family: number[];
    private hidden = -1;

    constructor(readonly run: Run, private readonly ghost: boolean, dot: number) {
        this.radius = new Float64Array(run.count);
        this.family = families(run.names);
        for (const one of run.d.surfaces ?? [])
            if (standsForBody(run, one)) this.touching.set(one.body!, [...(this.touching.get(one.body!) ?? []), one]);
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
        this.radius[body] = reachFrom(shape, run, run.centerOf(body));
        // A particle that touches is the ball it touches as; what has no shape but surfaces looks like these.
        if (place(shape, run.shapeNumber(body), [0, 0, 0], [1, 0, 0, 0], 0)) return;
        const surfaces = this.touching.get(body) ?? [];
        if (surfaces.map((one) => {
            const surface = surfaceOf(run.d.shapes[one.shape] ?? { kind: "none" }, one.shape, run);
            if (!surface) return false;
            const scaled = surface.size.map((k, i) => k * (one.scale?.[i] ?? 1)) as Vec3;
            put({ ...surface, size: scaled }, sub(one.position, run.centerOf(body)), one.orientation);
            this.radius[body] = Math.max(this.radius[body]!, norm(one.position) + reach(run.d.shapes[one.shape]!, run) * Math.max(...(one.scale ?? [1]).map(Math.abs)));
            return true;
        }).some(Boolean)) return;
        const I = run.momentsOf(body);
        if (run.particle[body] || !(I[2] > 0)) {
            this.radius[body] = dot;
            put(surfaceOf({ kind: "ball", radius: dot }, -1, run)!, [0, 0, 0], [1, 0, 0, 0]);
        } else { // no shape: what would turn alike
            const { shape: like, turned } = equivalent(run.mass[body]!, I);
            const rolls = run.d.joints?.find((j) => j.kind === "rolling" && j.b === body)?.radius;
            if (rolls && like.kind === "cylinder") like.radius = rolls; // a rim is lighter within: the disc of its inertia is larger
            this.radius[body] = reach(like, run);
            put(surfaceOf(like, -1, run)!, [0, 0, 0], times(run.principalOf(body), turned));
        }
    }

    private addSet(surface: Surface, parts: Part[]): void {
        const few = this.run.count <= fewBodies;
        const round = surface.key !== "box" && !surface.key.startsWith("mesh");
        const material = new MeshStandardMaterial({
            vertexColors: true, roughness: 0.62, metalness: 0.05,
            transparent: this.ghost, opacity: this.ghost ? 0.3 : 1, depthWrite: !this.ghost,
            polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
        });
        const levels = (few || !round ? [2] : [0, 1, 2]).map((detail) => {
            const mesh = new InstancedMesh(surface.make(detail), material, parts.length);
            mesh.frustumCulled = false;
            mesh.setColorAt(0, new Color()); // makes room for colours
            this.group.add(mesh);
            return { mesh, shown: new Int32Array(parts.length) };
        });
        let dots: Set["dots"] = null;
        if (!few && surface.key === "ball") {
            dots = { view: new Dots(parts.length, this.ghost ? 0.3 : 1), shown: new Int32Array(parts.length) };
            this.group.add(dots.view.points);
        }
        this.sets.push({ levels, parts, colours: new Float32Array(3 * parts.length), dots });
        if (few && (surface.key === "box" || surface.key.startsWith("mesh") || surface.key === "cylinder" || surface.key === "cone")) {
            const lines = new EdgesGeometry(levels[0]!.mesh.geometry, 30);
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
        for (const { parts, colours } of this.sets)
            parts.forEach((part, k) => {
                c.copy(bodyColour(many ? this.family[part.body]! % 3 : this.family[part.body]!));
                if (this.ghost) c.lerp(new Color(light ? "#666" : "#ddd"), 0.7);
                if (part.body === selected && this.run.count > 1) c.lerp(new Color(light ? "#101010" : "#ffffff"), 0.45);
                c.toArray(colours, 3 * k);
            });
    }

    /** To the poses that the run holds now, as the camera sees them. */
    update({ camera, pixels, sun, sunny, ambient }: Sight): void {
        const { x, q } = this.run.poses;
        const m = new Matrix4(), at = new Vector3(), r = new Quaternion(), s = new Vector3();
        const frustum = new Frustum().setFromProjectionMatrix(m.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
        const sphere = new Sphere();
        this.group.position.copy(origin);
        for (const { levels, parts, colours, dots } of this.sets) {
            dots?.view.begin();
            const counts = levels.map(() => 0);
            for (let k = 0; k < parts.length; ++k) {
                const part = parts[k]!, b = part.body;
                const attitude: Quat = [q[4 * b]!, q[4 * b + 1]!, q[4 * b + 2]!, q[4 * b + 3]!];
                const gone = this.run.centerMoved(b), o = gone ? sub(part.offset, gone) : part.offset;
                const moved = o[0] || o[1] || o[2] ? turn(attitude, o) : o;
                at.set(x[3 * b]! + moved[0], x[3 * b + 1]! + moved[1], x[3 * b + 2]! + moved[2]);
                let level = 0;
                if (levels.length > 1) {
                    sphere.center.copy(at);
                    sphere.radius = this.radius[b]!;
                    if (!frustum.intersectsSphere(sphere)) continue;
                    const size = (sphere.radius * pixels) / Math.max(1e-12, at.distanceTo(camera.position));
                    const z = part.size;
                    if (dots && size < largestDot && z[0] === z[1] && z[1] === z[2]) {
                        if (b !== this.hidden) dots.shown[dots.view.put(at.sub(origin), attitude, z[0], colours, k)] = k;
                        continue;
                    }
                    level = size < 3.5 ? 0 : size < 24 ? 1 : 2;
                }
                const whole = part.turned[0] === 1 ? attitude : times(attitude, part.turned);
                r.set(whole[1], whole[2], whole[3], whole[0]);
                const z = b === this.hidden ? scale(part.size, 0) : part.size;
                const { mesh, shown } = levels[level]!;
                const slot = counts[level]!++;
                shown[slot] = k;
                m.compose(at.sub(origin), r, s.set(z[0], z[1], z[2])).toArray(mesh.instanceMatrix.array, 16 * slot);
                const colour = mesh.instanceColor!.array;
                for (let c = 0; c < 3; ++c) colour[3 * slot + c] = colours[3 * k + c]!;
                if (part.edges) {
                    part.edges.matrix.copy(m);
                    part.edges.matrixWorldNeedsUpdate = true;
                    part.edges.visible = b !== this.hidden;
                }
            }
            dots?.view.end(pixels, sun, sunny, ambient);
            levels.forEach(({ mesh }, l) => {
                mesh.count = counts[l]!;
                mesh.visible = mesh.count > 0;
                mesh.instanceMatrix.needsUpdate = true;
                mesh.instanceColor!.needsUpdate = true;
                mesh.boundingSphere = null;
            });
        }
    }

    /** The body that a ray meets first, or −1. */
    pick(ray: Raycaster): number {
        let best = -1, near = Infinity;
        const at = new Vector3(), hit = new Vector3(), sphere = new Sphere();
        for (const { parts, dots } of this.sets)
            for (let i = 0; dots && i < dots.view.count; ++i) {
                sphere.radius = dots.view.place(i, at);
                sphere.center.copy(at).add(origin);
                if (!ray.ray.intersectSphere(sphere, hit) || hit.distanceTo(ray.ray.origin) >= near) continue;
                near = hit.distanceTo(ray.ray.origin);
                best = parts[dots.shown[i]!]!.body;
            }
        for (const { levels, parts } of this.sets)
            for (const { mesh, shown } of levels)
                for (const hit of mesh.visible ? ray.intersectObject(mesh, false) : [])
                    if (hit.distance < near && hit.instanceId !== undefined) {
                        near = hit.distance;
                        best = parts[shown[hit.instanceId]!]!.body;
                    }
        return best;
    }
}
