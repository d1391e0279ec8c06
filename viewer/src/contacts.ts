// SPDX-License-Identifier: MIT
// Contact points of the sample shown: a disc in the plane of touch, and the cone in which Coulomb's law keeps
// the force, of half angle atan μ about the normal.

import { ConeGeometry, CylinderGeometry, DoubleSide, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { Vec3 } from "./format";
import { near, origin } from "./origin";
import type { Run } from "./run";
import { css } from "./theme";

export interface Contact {
    a: number;
    b: number;
    point: Vec3;
    normal: Vec3; // from a to b
    force: Vec3; // on b
    friction: number;
}

/** The contacts of a sample. */
export function contactsAt(run: Run, sample: number): Contact[] {
    const d = run.d.contacts;
    if (!d) return [];
    const start = run.open(d.start), a = run.open(d.a), b = run.open(d.b);
    const vector = (v: ArrayLike<number>, i: number): Vec3 => [v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!];
    const out: Contact[] = [];
    for (let i = start[sample]!; i < start[sample + 1]!; ++i)
        out.push({ a: a[i]!, b: b[i]!, point: vector(run.open(d.point), i), normal: vector(run.open(d.normal), i),
                   force: vector(run.open(d.force), i), friction: d.friction ? run.open(d.friction)[i]! : 0 });
    return out;
}

export class ContactsView {
    readonly group = new Group();
    private readonly discs = new MeshBasicMaterial({ depthTest: false });
    private readonly cones = new MeshBasicMaterial({ transparent: true, opacity: 0.22, depthTest: false, depthWrite: false, side: DoubleSide });
    private disc: InstancedMesh | null = null;
    private cone: InstancedMesh | null = null;
    private room = 0;

    private grow(count: number): void {
        if (count <= this.room) return;
        this.room = Math.max(64, 2 * count);
        for (const old of [this.disc, this.cone]) {
            if (old) this.group.remove(old);
            old?.dispose();
        }
        this.disc = new InstancedMesh(new CylinderGeometry(1, 1, 0.3, 16), this.discs, this.room);
        this.cone = new InstancedMesh(new ConeGeometry(1, 1, 32, 1, true).rotateX(Math.PI).translate(0, 0.5, 0), this.cones, this.room); // tip at the point
        this.disc.renderOrder = 8;
        for (const mesh of [this.disc, this.cone]) {
            mesh.frustumCulled = false;
            this.group.add(mesh);
        }
    }

    /** Discs of this radius; cones eleven times as high. */
    update(contacts: Contact[], radius: number, points: boolean, cones: boolean): void {
        this.grow(contacts.length);
        if (!this.disc || !this.cone) return;
        this.group.position.copy(origin);
        this.discs.color.set(css("--text"));
        this.cones.color.set(css("--accent"));
        const m = new Matrix4(), q = new Quaternion(), y = new Vector3(0, 1, 0), at = new Vector3(), s = new Vector3();
        let count = 0;
        contacts.forEach(({ b, point, normal, friction }, i) => {
            q.setFromUnitVectors(y, new Vector3(...normal).normalize().multiplyScalar(b < 0 ? -1 : 1)); // towards the one that is pushed
            at.set(...near(point));
            this.disc!.setMatrixAt(i, m.compose(at, q, s.setScalar(radius)));
            const high = 11 * radius;
            if (friction > 0) this.cone!.setMatrixAt(count++, m.compose(at, q, s.set(high * friction, high, high * friction)));
        });
        this.disc.count = points ? contacts.length : 0;
        this.cone.count = cones ? count : 0;
        this.disc.instanceMatrix.needsUpdate = this.cone.instanceMatrix.needsUpdate = true;
    }
}
