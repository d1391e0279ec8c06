// SPDX-License-Identifier: MIT
// The eye circles a target: drag turns, right drag or shift-drag shifts, the wheel nears. Any
// direction can be up. The eye glides to where it should be unless the reader asks for less motion.

import { PerspectiveCamera, Vector3 } from "three";
import type { Vec3 } from "./format";
import { cross, square, unit } from "./maths";

interface View {
    target: Vector3;
    distance: number;
    azimuth: number;
    height: number; // angle above the horizon
}

export class Orbit {
    readonly goal: View = { target: new Vector3(), distance: 10, azimuth: -0.9, height: 0.35 };
    private readonly now: View = { target: new Vector3(), distance: 10, azimuth: -0.9, height: 0.35 };
    private up: Vec3 = [0, 0, 1];
    private e1: Vec3 = [1, 0, 0];
    private e2: Vec3 = [0, 1, 0];
    private readonly calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

    constructor(readonly camera: PerspectiveCamera, private readonly surface: HTMLElement) {
        this.listen();
    }

    setUp(up: Vec3): void {
        this.up = unit(up);
        const z = this.up;
        // With z up azimuth counts from x; with y up from z, so that x points to the right.
        const first: Vec3 = Math.abs(z[2]) > 0.9 ? [1, 0, 0] : Math.abs(z[1]) > 0.9 ? [0, 0, 1] : square(z);
        this.e2 = unit(cross(z, first));
        this.e1 = cross(this.e2, z);
        this.camera.up.set(...z);
    }

    turn(azimuth: number, height: number): void {
        this.goal.azimuth += azimuth;
        this.goal.height = Math.max(-1.55, Math.min(1.55, this.goal.height + height));
    }

    /** Shifts by fractions of the picture. */
    pan(right: number, above: number): void {
        const size = 2 * this.goal.distance * Math.tan((this.camera.fov * Math.PI) / 360);
        const x = new Vector3(), y = new Vector3(), z = new Vector3();
        this.camera.matrixWorld.extractBasis(x, y, z);
        this.goal.target.addScaledVector(x, -right * size * this.camera.aspect).addScaledVector(y, -above * size);
    }

    zoom(factor: number): void {
        this.goal.distance = Math.max(1e-6, this.goal.distance * factor);
    }

    /** As near as leaves all these balls (x, y, z, radius, one after another) in the picture, seen from the side the goal has. */
    fit(balls: ArrayLike<number>): void {
        const { azimuth, height } = this.goal;
        const c = Math.cos(height), s = Math.sin(height);
        const mix = (a: number, b: number, d: number): Vec3 => [0, 1, 2].map((k) => a * this.e1[k]! + b * this.e2[k]! + d * this.up[k]!) as Vec3;
        const axes = [mix(-Math.sin(azimuth), Math.cos(azimuth), 0), mix(-s * Math.cos(azimuth), -s * Math.sin(azimuth), c),
                      mix(c * Math.cos(azimuth), c * Math.sin(azimuth), s)]; // right, above, towards the eye
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        const at = (i: number, k: number) => balls[i]! * axes[k]![0] + balls[i + 1]! * axes[k]![1] + balls[i + 2]! * axes[k]![2];
        for (let i = 0; i + 3 < balls.length; i += 4)
            for (let k = 0; k < 3; ++k) {
                low[k] = Math.min(low[k]!, at(i, k) - balls[i + 3]!);
                high[k] = Math.max(high[k]!, at(i, k) + balls[i + 3]!);
            }
        if (!Number.isFinite(low[0])) return;
        const middle = low.map((l, k) => (l + high[k]!) / 2);
        const tall = Math.tan((this.camera.fov * Math.PI) / 360) * 0.86, wide = Math.tan((this.camera.fov * Math.PI) / 360) * this.camera.aspect * 0.86;
        let distance = 1e-6;
        for (let i = 0; i + 3 < balls.length; i += 4) {
            const nearer = at(i, 2) - middle[2]!, r = balls[i + 3]!;
            distance = Math.max(distance, nearer + (Math.abs(at(i, 0) - middle[0]!) + r) / wide, nearer + (Math.abs(at(i, 1) - middle[1]!) + r) / tall);
        }
        this.goal.target.set(0, 0, 0);
        axes.forEach((axis, k) => this.goal.target.addScaledVector(new Vector3(...axis), middle[k]!));
        this.goal.distance = distance;
    }

    /** Follows: target and eye move alike, without gliding. */
    carry(by: Vector3): void {
        this.goal.target.add(by);
        this.now.target.add(by);
    }

    /** No gliding this time. */
    jump(): void {
        this.now.target.copy(this.goal.target);
        Object.assign(this.now, { distance: this.goal.distance, azimuth: this.goal.azimuth, height: this.goal.height });
    }

    /** Puts the camera; true while it still glides. */
    update(seconds: number): boolean {
        const { now, goal } = this;
        const k = this.calm ? 1 : 1 - Math.exp(-seconds / 0.07);
        const far = now.target.distanceTo(goal.target) / goal.distance
            + Math.abs(now.distance / goal.distance - 1)
            + Math.abs(now.azimuth - goal.azimuth) + Math.abs(now.height - goal.height);
        if (far < 1e-4) this.jump();
        else {
            now.target.lerp(goal.target, k);
            now.distance *= Math.pow(goal.distance / now.distance, k);
            now.azimuth += (goal.azimuth - now.azimuth) * k;
            now.height += (goal.height - now.height) * k;
        }
        const c = Math.cos(now.height), s = Math.sin(now.height);
        const a = Math.cos(now.azimuth) * c, b = Math.sin(now.azimuth) * c;
        const d = now.distance;
        this.camera.position.set(
            now.target.x + d * (a * this.e1[0] + b * this.e2[0] + s * this.up[0]),
            now.target.y + d * (a * this.e1[1] + b * this.e2[1] + s * this.up[1]),
            now.target.z + d * (a * this.e1[2] + b * this.e2[2] + s * this.up[2]));
        this.camera.near = d / 200;
        this.camera.far = d * 60;
        this.camera.lookAt(now.target);
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
        return far >= 1e-4;
    }

    private listen(): void {
        const held = new Map<number, { x: number; y: number }>();
        const s = this.surface;
        s.addEventListener("pointerdown", (e) => {
            held.set(e.pointerId, { x: e.clientX, y: e.clientY });
            s.setPointerCapture(e.pointerId);
        });
        const release = (e: PointerEvent) => held.delete(e.pointerId);
        s.addEventListener("pointerup", release);
        s.addEventListener("pointercancel", release);
        s.addEventListener("pointermove", (e) => {
            const last = held.get(e.pointerId);
            if (!last) return;
            const dx = e.clientX - last.x, dy = e.clientY - last.y;
            if (held.size === 2) {
                const other = [...held].find(([id]) => id !== e.pointerId)![1];
                const before = Math.hypot(last.x - other.x, last.y - other.y);
                const after = Math.hypot(e.clientX - other.x, e.clientY - other.y);
                if (before > 0 && after > 0) this.zoom(before / after);
                this.pan(dx / s.clientWidth / 2, -dy / s.clientHeight / 2);
            } else if (e.buttons === 2 || e.buttons === 4 || e.shiftKey) this.pan(dx / s.clientWidth, -dy / s.clientHeight);
            else this.turn((-dx * 3) / s.clientHeight, (dy * 3) / s.clientHeight);
            held.set(e.pointerId, { x: e.clientX, y: e.clientY });
        });
        s.addEventListener("contextmenu", (e) => e.preventDefault());
        s.addEventListener("wheel", (e) => {
            e.preventDefault();
            this.zoom(Math.exp(Math.max(-120, Math.min(120, e.deltaY)) * 0.0016));
        }, { passive: false });
    }
}
