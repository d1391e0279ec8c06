// SPDX-License-Identifier: MIT
// Joints as signs: a ring for turning about an axis, a bar with stops for sliding, a ball for all
// turns, a cube for a weld, a line for a distance and a strut; the axis goes through. Signs inside a body shine
// through it. A joint with a spring of its own has a spiral about its axis. A body without a shape, or a
// particle, has a thin bar to each of its joints; one with a shape, to those it turns about far outside of it.

import {
    BoxGeometry, BufferGeometry, CylinderGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial,
    Mesh, MeshBasicMaterial, MeshStandardMaterial, Quaternion, SphereGeometry, TorusGeometry, Vector3, type Object3D,
} from "three";
import type { Joint, Quat, Vec3 } from "./format";
import { near, origin } from "./origin";
import type { Run } from "./run";
import { norm, sub } from "./maths";
import { reachFrom } from "./shapes";
import { css } from "./theme";

const isLine = (kind: string) => kind === "distance" || kind === "strut";
const turning = ["revolute", "universal", "ball", "point", "weld"];

export class JointsView {
    readonly group = new Group();
    private readonly signs: { joint: Joint; sign: Object3D; link: Line | null }[] = [];
    private readonly bars: { body: number; at: Vec3; bar: Mesh }[] = [];
    private readonly material = new MeshStandardMaterial({ roughness: 0.5 });
    private readonly through = new MeshBasicMaterial({ transparent: true, opacity: 0.28, depthTest: false, depthWrite: false });
    private readonly lines = new LineBasicMaterial();
    private readonly coilLines = new LineBasicMaterial();

    constructor(private readonly run: Run, private readonly size: number) {
        for (const joint of run.d.joints ?? []) {
            const sign = this.signOf(joint.kind);
            if (joint.elastic) sign.add(this.spiral());
            this.group.add(sign);
            let link: Line | null = null;
            if (isLine(joint.kind)) {
                link = new Line(new BufferGeometry().setFromPoints([]), this.lines);
                link.geometry.setAttribute("position", new Float32BufferAttribute(6, 3));
                link.frustumCulled = false;
                this.group.add(link);
            }
            this.signs.push({ joint, sign, link });
            for (const [body, at] of [[joint.a, joint.frame_a.position], [joint.b, joint.frame_b.position]] as [number, Vec3][]) {
                if (body < 0 || isLine(joint.kind) || joint.kind === "free") continue;
                const far = norm(sub(at, run.centerOf(body))), shape = run.shapeOf(body);
                const shaped = !run.particle[body] && shape.kind !== "none";
                if (shaped && !(turning.includes(joint.kind) && far > 1.5 * reachFrom(shape, run, run.centerOf(body)))) continue;
                if (!(far > 0.5 * size)) continue;
                const bar = new Mesh(new CylinderGeometry(0.09 * size, 0.09 * size, 1, 10).translate(0, 0.5, 0), this.material);
                bar.frustumCulled = false;
                this.bars.push({ body, at, bar });
                this.group.add(bar);
            }
        }
        this.recolour();
    }

    private spiral(): Line {
        const points = Array.from({ length: 120 }, (_, k) => {
            const angle = (k / 119) * 6 * Math.PI, r = this.size * (0.7 + (0.5 * k) / 119);
            return new Vector3(r * Math.cos(angle), r * Math.sin(angle), 0);
        });
        return new Line(new BufferGeometry().setFromPoints(points), this.coilLines);
    }

    private signOf(kind: string): Object3D {
        const s = this.size, sign = new Group();
        const put = (g: BufferGeometry, turnX = 0, turnY = 0) => {
            const mesh = new Mesh(g, this.material);
            mesh.rotation.set(turnX, turnY, 0);
            const shine = new Mesh(g, this.through);
            shine.renderOrder = 3;
            mesh.add(shine);
            sign.add(mesh);
            return mesh;
        };
        const axis = (length: number) => put(new CylinderGeometry(0.07 * s, 0.07 * s, length * s, 12), Math.PI / 2);
        switch (kind) {
        case "revolute": case "screw": case "rolling":
            put(new TorusGeometry(0.55 * s, 0.12 * s, 12, 40));
            axis(2.4);
            break;
        case "cylindrical":
            put(new TorusGeometry(0.55 * s, 0.12 * s, 12, 40));
            axis(4);
            break;
        case "prismatic":
            axis(4);
            for (const end of [-1, 1]) put(new BoxGeometry(0.7 * s, 0.7 * s, 0.12 * s)).position.z = 2 * end * s;
            break;
        case "universal":
            axis(2.4);
            put(new CylinderGeometry(0.07 * s, 0.07 * s, 2.4 * s, 12));
            put(new SphereGeometry(0.28 * s, 20, 14));
            break;
        case "ball": case "point":
            put(new SphereGeometry(0.5 * s, 24, 18));
            break;
        case "planar":
            put(new BoxGeometry(2.4 * s, 2.4 * s, 0.06 * s));
            axis(1.4);
            break;
        case "weld":
            put(new BoxGeometry(0.6 * s, 0.6 * s, 0.6 * s));
            break;
        case "distance": case "strut":
            put(new SphereGeometry(0.3 * s, 16, 12));
            break;
        case "parallel":
            axis(3);
            break;
        default: // free, and kinds of later versions
            put(new SphereGeometry(0.18 * s, 12, 8));
        }
        return sign;
    }

    recolour(): void {
        this.material.color.set(css("--joint"));
        this.through.color.set(css("--joint"));
        this.lines.color.set(css("--joint"));
        this.coilLines.color.set(css("--spring"));
    }

    placeOf(i: number): { x: Vec3; q: Quat } {
        const { joint } = this.signs[i]!;
        return this.run.placed(joint.b, joint.frame_b.position, joint.frame_b.orientation);
    }

    /** Joints that have let go are no longer there. */
    update(t: number): void {
        this.signs.forEach(({ joint, sign, link }, i) => {
            sign.visible = t < (joint.until ?? Infinity);
            if (link) link.visible = sign.visible;
            if (!sign.visible) return;
            const { x, q } = this.placeOf(i);
            sign.position.set(...x);
            sign.quaternion.set(q[1], q[2], q[3], q[0]);
            if (!link) return;
            const from = this.run.placed(joint.a, joint.frame_a.position).x;
            const at = link.geometry.getAttribute("position");
            link.position.copy(origin);
            at.setXYZ(0, ...near(from));
            at.setXYZ(1, ...near(x));
            at.needsUpdate = true;
        });
        const y = new Vector3(0, 1, 0), q = new Quaternion();
        for (const { body, at, bar } of this.bars) {
            const from = this.run.placed(body, this.run.centerOf(body)).x, to = this.run.placed(body, at).x;
            const way = new Vector3(...sub(to, from)), length = way.length();
            bar.position.set(...from);
            bar.quaternion.copy(q.setFromUnitVectors(y, way.divideScalar(length || 1)));
            bar.scale.set(1, length, 1);
        }
    }
}
