// SPDX-License-Identifier: MIT
// Poinsot's picture of a body that turns free of torque: its energy ellipsoid, centre fixed, rolls
// without slip on the invariable plane. The point of touch is the tip of ω; it draws the polhode on
// the ellipsoid and the herpolhode on the plane.
//
// Everything is drawn from the attitude R and the momentum L alone: ω = R I⁻¹ Rᵀ L and 2T = L · ω, so
// the ellipsoid touches the plane exactly at ω at every moment shown, whatever was rounded in the file.

import {
    BackSide, BufferGeometry, CircleGeometry, Color, DoubleSide, Float32BufferAttribute, FrontSide, Group,
    LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial, Quaternion, ShaderMaterial,
    SphereGeometry, Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Arrow } from "./arrows";
import type { Label } from "./labels";
import type { Run } from "./run";
import type { Vec3 } from "./format";
import { add, conj, cross, dot, norm, scale, square, sub, times, turn, unit } from "./maths";
import { branch, polhode } from "./polhode";
import { arrowColour, css, currentTheme } from "./theme";

/** The numbers of the construction at one moment. */
export interface Construction {
    twoT: number;
    L: number;
    D: number; // L²/2T, between the least and the largest moment
    distance: number; // of the plane, 2T/|L|
    moments: Vec3;
    free: boolean;
    herpolhode: [number, number]; // least and largest distance of ω from L, in the plane
}

export class PoinsotPicture {
    readonly group = new Group();
    now: Construction | null = null;
    private readonly inner = new Group(); // turns with the principal frame, unit ω
    private readonly front = new MeshStandardMaterial({ transparent: true, depthWrite: false, side: FrontSide, roughness: 0.35 });
    private readonly back = new MeshStandardMaterial({ transparent: true, depthWrite: false, side: BackSide, roughness: 0.6 });
    private readonly shells: Mesh[];
    private readonly family = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, depthWrite: false }));
    private readonly separatrix = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, depthWrite: false }));
    private readonly poles = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true }));
    private readonly curve = fat(3.4);
    private readonly road = fat(2);
    private readonly roadAll = fat(1.1);
    private readonly plane: Mesh<CircleGeometry, ShaderMaterial>;
    private readonly touch = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial());
    private readonly frame = new Group(); // world axes, origin at the centre of the body
    private body = -1;
    private built = NaN; // D of the curve drawn
    private builtT = NaN;
    private size = 1; // metres per rad/s
    private reachOfPlane = 1;
    private times: Float64Array = new Float64Array();
    private at: Vec3 = [0, 0, 0];
    private ring: [number, number] = [0, 0];

    constructor(private readonly run: Run) {
        const ball = new SphereGeometry(1, 128, 96);
        this.shells = [new Mesh(ball, this.back), new Mesh(ball, this.front)];
        this.shells[0]!.renderOrder = 2;
        this.shells[1]!.renderOrder = 5;
        this.family.renderOrder = 4;
        this.separatrix.renderOrder = 4;
        this.plane = new Mesh(new CircleGeometry(1, 128), new ShaderMaterial({
            transparent: true, depthWrite: false, side: DoubleSide,
            uniforms: { line: { value: new Color() }, fill: { value: new Color() }, ring: { value: 0.2 }, body: { value: 0.2 } },
            vertexShader: `varying vec2 at; void main() { at = position.xy;
                gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
            fragmentShader: `varying vec2 at; uniform vec3 line, fill; uniform float ring, body;
                float share(float c) { float w = fwidth(c); return 1.0 - min(abs(fract(c - 0.5) - 0.5) / w, 1.0); }
                void main() { float r = length(at);
                    float fade = 1.0 - smoothstep(0.55, 1.0, r);
                    vec2 g = at / ring;
                    float l = max(share(g.x), share(g.y)) * 0.22;
                    gl_FragColor = vec4(mix(fill, line, l), (body + l) * fade);
                    #include <colorspace_fragment>
                }`,
        }));
        this.plane.renderOrder = 1;
        // The whole road lies under the part that is done.
        (this.roadAll.material as LineMaterial).depthWrite = false;
        this.roadAll.renderOrder = -1;
        this.inner.add(...this.shells, this.family, this.separatrix, this.poles, this.curve);
        this.frame.add(this.inner, this.plane, this.road, this.roadAll, this.touch);
        this.group.add(this.frame);
        for (const child of [this.curve, this.road, this.roadAll, this.family, this.separatrix]) child.frustumCulled = false;
        this.recolour();
    }

    recolour(): void {
        const light = currentTheme() === "light";
        this.front.color.set(light ? "#d9a441" : "#e8b65a");
        this.front.opacity = light ? 0.3 : 0.22;
        this.back.color.set(light ? "#b98b3a" : "#8a6a34");
        this.back.opacity = light ? 0.25 : 0.3;
        (this.family.material as LineBasicMaterial).color.set(light ? "#6b4e12" : "#f2d49a");
        (this.family.material as LineBasicMaterial).opacity = light ? 0.3 : 0.26;
        (this.separatrix.material as LineBasicMaterial).color.set(light ? "#3d2c08" : "#fff2d8");
        (this.separatrix.material as LineBasicMaterial).opacity = 0.7;
        (this.poles.material as LineBasicMaterial).color.set(light ? "#4a3a18" : "#f2d49a");
        (this.poles.material as LineBasicMaterial).opacity = 0.6;
        const polhodeColour = css("--polhode"), herpolhodeColour = css("--herpolhode");
        (this.curve.material as LineMaterial).color.set(polhodeColour);
        (this.road.material as LineMaterial).color.set(herpolhodeColour);
        (this.roadAll.material as LineMaterial).color.set(herpolhodeColour).lerp(new Color(css("--stage")), 0.6);
        (this.touch.material as MeshBasicMaterial).color.set(css("--touch"));
        const u = this.plane.material.uniforms;
        (u.line!.value as Color).set(light ? "#2f5f8f" : "#cfe4ff");
        (u.fill!.value as Color).set(light ? "#7fa9d1" : "#4c7fae");
        u.body!.value = light ? 0.2 : 0.16;
    }

    /** Can this body have the picture at all: is there rotation, and inertia about every axis? */
    possible(body: number): boolean {
        if (body < 0 || this.run.particle[body]) return false;
        const I = this.run.momentsOf(body);
        return I[0] > 1e-9 * I[2] && norm(this.run.motionAt(this.run.begin, body).L) > 0;
    }

    private state(t: number): { at: Vec3; L: Vec3; omega: Vec3; twoT: number; said: number; frame: [number, number, number, number] } {
        const m = this.run.motionAt(t, this.body);
        const omega = this.run.inertiaTimes(this.body, m.q, m.L, true);
        const twoT = dot(m.L, omega);
        // Where the file has ω, 2T has all its digits; with rotors inside, L is not that of the body alone.
        const same = !this.run.estimated && norm(sub(m.omega, omega)) <= 2e-3 * norm(omega);
        return { at: m.x, L: m.L, omega, twoT, said: same ? dot(m.L, m.omega) : twoT, frame: times(m.q, this.run.principalOf(this.body)) };
    }

    /** Builds what does not change: the road of the whole run, and the size. */
    private choose(body: number, reach: number): void {
        this.body = body;
        this.built = NaN;
        const I = this.run.momentsOf(body);
        const { twoT, L } = this.state(this.run.begin);
        this.size = (1.55 * reach) / Math.sqrt(twoT / I[0]);
        // The road is drawn at the samples and, where they are few, between them.
        const samples = this.run.time.length;
        const between = Math.max(1, Math.min(8, Math.ceil(3000 / samples)));
        const most = 20000, stride = Math.max(1, Math.ceil(samples / most));
        const list: number[] = [];
        for (let i = 0; i + 1 < samples; i += stride) {
            const a = this.run.time[i]!, b = this.run.time[Math.min(samples - 1, i + stride)]!;
            for (let k = 0; k < between; ++k) list.push(a + ((b - a) * k) / between);
        }
        list.push(this.run.end);
        this.times = Float64Array.from(list);
        const points: number[] = [];
        this.reachOfPlane = 0;
        let least = Infinity;
        const normal = unit(L), foot = twoT / norm(L);
        for (const t of this.times) {
            const { omega } = this.state(t);
            const p = scale(omega, this.size);
            points.push(...p);
            const off = norm(sub(p, scale(normal, foot * this.size)));
            this.reachOfPlane = Math.max(this.reachOfPlane, off);
            least = Math.min(least, off);
        }
        this.ring = [least / this.size, this.reachOfPlane / this.size];
        if (points.length < 6) points.push(...points.slice(0, 3));
        for (const road of [this.road, this.roadAll]) {
            road.geometry.dispose();
            road.geometry = new LineGeometry();
            road.geometry.setPositions(points);
        }
        const half = Math.sqrt(twoT / I[0]) * this.size;
        this.reachOfPlane = Math.max(this.reachOfPlane * 1.7, half * 1.5);
        this.plane.scale.setScalar(this.reachOfPlane);
        this.plane.material.uniforms.ring!.value = (half * 0.25) / this.reachOfPlane;
        this.touch.scale.setScalar(half * 0.028);
    }

    private buildCurves(twoT: number, D: number, positive: boolean): void {
        const I = this.run.momentsOf(this.body);
        const half = (k: number) => Math.sqrt(twoT / I[k]!) * this.size;
        for (const shell of this.shells) shell.scale.set(half(0), half(1), half(2));
        const grown = (p: Vec3, by: number) => scale(p, this.size * by);
        const free = this.run.turnsFreely(this.body);
        let own: Vec3[];
        if (free) own = polhode(I, twoT, D, positive, 400);
        else own = Array.from(this.times, (t) => { // the path of ω in the body as it was
            const s = this.state(t);
            return turn(conj(s.frame), s.omega);
        });
        this.curve.geometry.dispose();
        this.curve.geometry = new LineGeometry();
        this.curve.geometry.setPositions(own.flatMap((p) => grown(p, free ? 1.004 : 1)));
        const segments = (levels: number[]) => {
            const out: number[] = [];
            for (const level of levels)
                for (const side of [true, false]) {
                    const c = polhode(I, twoT, level, side, 120);
                    for (let i = 0; i + 1 < c.length; ++i) out.push(...grown(c[i]!, 1.002), ...grown(c[i + 1]!, 1.002));
                }
            return new Float32BufferAttribute(out, 3);
        };
        const levels: number[] = [];
        for (let k = 1; k <= 5; ++k) {
            // Even in the angle from the pole, not in D: squares of a sine.
            const s = Math.sin((Math.PI / 2) * (k / 6)) ** 2;
            if (I[1] > I[0]) levels.push(I[0] + (I[1] - I[0]) * s);
            if (I[2] > I[1]) levels.push(I[2] - (I[2] - I[1]) * s);
        }
        this.family.geometry.setAttribute("position", segments(levels));
        this.separatrix.geometry.setAttribute("position", segments(I[2] > I[1] && I[1] > I[0] ? [I[1], I[1] * (1 - 1e-12)] : []));
        const axes: number[] = [];
        for (let k = 0; k < 3; ++k)
            for (const side of [-1, 1]) {
                const a: Vec3 = [0, 0, 0], b: Vec3 = [0, 0, 0];
                a[k] = side * half(k);
                b[k] = side * (half(k) + 0.16 * half(0));
                axes.push(...a, ...b);
            }
        this.poles.geometry.setAttribute("position", new Float32BufferAttribute(axes, 3));
        this.built = D;
        this.builtT = twoT;
    }

    /** Draws the picture of a body; `reach` is how far that body reaches. Adds arrows and labels. */
    update(t: number, body: number, reach: number, arrows: Arrow[], labels: Label[]): void {
        if (body !== this.body) this.choose(body, reach);
        const { at, L, omega, twoT, said, frame } = this.state(t);
        const l = norm(L);
        if (!(twoT > 0)) {
            this.group.visible = false;
            return;
        }
        this.group.visible = true;
        this.at = at;
        const I = this.run.momentsOf(body);
        const D = Math.min(I[2], Math.max(I[0], (l * l) / said));
        const inBody = turn(conj(frame), omega);
        const free = this.run.turnsFreely(body);
        const moved = !(Math.abs(D - this.built) < 2e-4 * I[2]) || !(Math.abs(twoT - this.builtT) < 2e-4 * twoT);
        if (moved) this.buildCurves(twoT, D, branch(I, D, inBody));
        const normal = unit(L), distance = twoT / l;
        this.now = { twoT: said, L: l, D: (l * l) / said, distance: said / l, moments: I, free, herpolhode: this.ring };

        this.frame.position.set(...at);
        this.inner.quaternion.copy(new Quaternion(frame[1], frame[2], frame[3], frame[0]));
        this.plane.position.set(...scale(normal, distance * this.size));
        this.plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...normal));
        const tip = scale(omega, this.size);
        this.touch.position.set(...tip);
        let passed = 0;
        while (passed + 1 < this.times.length && this.times[passed + 1]! <= t) ++passed;
        this.road.geometry.instanceCount = passed;
        this.road.visible = passed > 0;

        const half = Math.sqrt(twoT / I[0]) * this.size;
        const omegaColour = arrowColour("omega"), LColour = arrowColour("L");
        arrows.push({ at, along: tip, colour: omegaColour, axial: true });
        arrows.push({ at, along: scale(normal, distance * this.size + 0.55 * half), colour: LColour, axial: true });
        labels.push({ at: add(at, scale(tip, 0.62)), text: "ω", colour: `#${omegaColour.getHexString()}` });
        labels.push({ at: add(at, scale(normal, distance * this.size + 0.6 * half)), text: "L", colour: `#${LColour.getHexString()}` });
        [0, 1, 2].forEach((k) => {
            const p: Vec3 = [0, 0, 0];
            p[k] = Math.sqrt(twoT / I[k]!) * this.size + 0.2 * half;
            labels.push({ at: add(at, turn(frame, p)), text: `axis ${k + 1}`, quiet: true });
        });
        const side = unit(sub(tip, scale(normal, dot(tip, normal))));
        labels.push({ at: add(at, add(scale(normal, distance * this.size), scale(side, -0.62 * this.reachOfPlane))),
                      text: free ? "invariable plane" : "plane L·ω = 2T (L changes)", quiet: true });
    }

    /** What should be seen, as balls (x, y, z, radius), and up so that the plane lies below. */
    view(): { balls: number[]; up: Vec3 } {
        const s = this.state(this.run.begin);
        const down = unit(s.L), d = (s.twoT / norm(s.L)) * this.size;
        const half = Math.sqrt(s.twoT / this.run.momentsOf(this.body)[0]) * this.size;
        const e = square(down), f = cross(down, e);
        const balls = [...this.at, half * 1.12, ...add(this.at, scale(down, d + 0.6 * half)), 0.12 * half];
        for (let k = 0; k < 12; ++k) { // the rim of the plane, as far as it is more than a shade
            const r = 0.62 * this.reachOfPlane, angle = (Math.PI * k) / 6;
            balls.push(...add(this.at, add(scale(down, d), add(scale(e, r * Math.cos(angle)), scale(f, r * Math.sin(angle))))), 0);
        }
        return { balls, up: scale(down, -1) };
    }
}

function fat(width: number): Line2 {
    const line = new Line2(new LineGeometry(), new LineMaterial({ linewidth: width }));
    line.geometry.setPositions([0, 0, 0, 0, 0, 0]);
    line.frustumCulled = false;
    return line;
}
