// SPDX-License-Identifier: MIT
// The ground and its grid: a plane that fades out, with a line every unit and a stronger one every
// ten. A pixel's share of a line is computed, so lines stay even at a distance.

import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from "three";
import type { Vec3 } from "./format";

export class Ground {
    readonly mesh: Mesh;
    readonly step: number;
    private readonly material: ShaderMaterial;
    private readonly origin: Vector3;

    /** Through `point`, square to `up`; the grid suits things of size `radius`. */
    constructor(point: Vec3, up: Vec3, radius: number) {
        const power = Math.pow(10, Math.floor(Math.log10(radius)));
        this.step = radius / power > 4 ? power : radius / power > 1.8 ? power / 2 : power / 5;
        this.material = new ShaderMaterial({
            transparent: true, depthWrite: false, side: DoubleSide,
            uniforms: {
                line: { value: new Color() }, fill: { value: new Color() }, filled: { value: 0 }, lined: { value: 1 },
                step: { value: this.step }, radius: { value: radius * 4.5 }, middle: { value: new Vector3() },
            },
            vertexShader: `varying vec2 at;
                void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
            fragmentShader: `varying vec2 at;
                uniform vec3 line, fill, middle; uniform float step, radius, filled, lined;
                float share(float d) { vec2 c = at / d; vec2 w = fwidth(c); vec2 g = abs(fract(c - 0.5) - 0.5) / w;
                    return (1.0 - min(min(g.x, g.y), 1.0)) * clamp(0.35 / max(w.x, w.y), 0.0, 1.0); }
                void main() { float fade = 1.0 - smoothstep(0.1, 1.0, distance(vec3(at, 0.0), middle) / radius);
                    float l = max(share(step) * 0.22, share(10.0 * step) * 0.5) * lined;
                    float a = max(l, filled);
                    gl_FragColor = vec4(mix(fill, line, a > 0.0 ? l / a : 0.0), a * fade);
                    #include <colorspace_fragment>
                }`,
        });
        const size = radius * 12;
        this.mesh = new Mesh(new PlaneGeometry(size, size), this.material);
        this.mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...up));
        this.origin = new Vector3(...point);
        this.mesh.position.copy(this.origin);
        this.mesh.renderOrder = -1;
    }

    /** The part below a place; lines stay where they are. */
    reach(place: Vec3): void {
        const turned = this.mesh.quaternion;
        const off = new Vector3(...place).sub(this.origin).applyQuaternion(turned.clone().invert());
        const snap = (k: number) => Math.round(k / (10 * this.step)) * 10 * this.step;
        this.mesh.position.copy(new Vector3(snap(off.x), snap(off.y), 0).applyQuaternion(turned)).add(this.origin);
        (this.material.uniforms.middle!.value as Vector3).set(off.x - snap(off.x), off.y - snap(off.y), off.z); // from the middle of the part
    }

    look(line: string, fill: string, filled: number, lined: boolean): void {
        const u = this.material.uniforms;
        (u.line!.value as Color).set(line);
        (u.fill!.value as Color).set(fill);
        u.filled!.value = filled;
        u.lined!.value = lined ? 1 : 0;
        this.mesh.visible = lined || filled > 0;
    }
}
