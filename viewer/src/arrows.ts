// SPDX-License-Identifier: MIT
// Arrows for vectors. A vector along a line (velocity, force, p) has one head, an axial one (ω, L,
// torque) two, so that they are told apart without colour; each carries its letter.

import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { Vec3 } from "./format";
import { norm } from "./maths";
import { near, origin } from "./origin";

export interface Arrow {
    at: Vec3;
    along: Vec3; // as drawn, in metres
    colour: Color;
    axial: boolean;
    label?: string;
}

export class Arrows {
    readonly group = new Group();
    private shafts: InstancedMesh | null = null;
    private heads: InstancedMesh | null = null;
    private room = 0;
    private readonly material = new MeshBasicMaterial();
    private readonly through = new MeshBasicMaterial({ transparent: true, opacity: 0.4, depthTest: false, depthWrite: false }); // inside bodies
    private shine: InstancedMesh[] = [];

    private grow(count: number): void {
        if (count <= this.room) return;
        this.room = Math.max(32, 2 * count);
        for (const old of [this.shafts, this.heads, ...this.shine]) {
            if (old) this.group.remove(old);
            old?.dispose();
        }
        this.shafts = new InstancedMesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), this.material, this.room);
        this.heads = new InstancedMesh(new ConeGeometry(1, 1, 18).translate(0, -0.5, 0), this.material, 2 * this.room);
        this.shine = [this.shafts, this.heads].map((mesh) => {
            mesh.setColorAt(0, new Color()); // makes room for colours
            const shine = new InstancedMesh(mesh.geometry, this.through, mesh.count);
            shine.instanceMatrix = mesh.instanceMatrix;
            shine.instanceColor = mesh.instanceColor;
            shine.renderOrder = 7;
            return shine;
        });
        for (const mesh of [this.shafts, this.heads, ...this.shine]) {
            mesh.frustumCulled = false;
            this.group.add(mesh);
        }
    }

    /** Draws these; `thick` is the radius of a shaft. */
    set(arrows: Arrow[], thick: number): void {
        this.grow(arrows.length);
        if (!this.shafts || !this.heads) return;
        this.group.position.copy(origin);
        const m = new Matrix4(), q = new Quaternion(), from = new Vector3(), way = new Vector3(), y = new Vector3(0, 1, 0), s = new Vector3();
        let shafts = 0, heads = 0;
        for (const { at, along, colour, axial } of arrows) {
            const length = norm(along);
            if (!(length > 1e-9 * thick) || !Number.isFinite(length)) continue;
            way.set(...along).divideScalar(length);
            q.setFromUnitVectors(y, way);
            const head = Math.min(7 * thick, length * 0.5);
            const wide = Math.min(2.6 * thick, head * 0.4);
            const slim = Math.min(thick, wide * 0.5);
            from.set(...near(at));
            this.shafts.setMatrixAt(shafts, m.compose(from, q, s.set(slim, length - head * 0.6, slim)));
            this.shafts.setColorAt(shafts++, colour);
            const tip = from.clone().addScaledVector(way, length);
            this.heads.setMatrixAt(heads, m.compose(tip, q, s.set(wide, head, wide)));
            this.heads.setColorAt(heads++, colour);
            if (!axial) continue;
            tip.addScaledVector(way, -head * 0.8);
            this.heads.setMatrixAt(heads, m.compose(tip, q, s.set(wide, head, wide)));
            this.heads.setColorAt(heads++, colour);
        }
        this.shafts.count = shafts;
        this.heads.count = heads;
        [this.shine[0]!.count, this.shine[1]!.count] = [shafts, heads];
        for (const mesh of [this.shafts, this.heads]) {
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }
}
