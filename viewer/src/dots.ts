// SPDX-License-Identifier: MIT
// Many small balls in one call: a square of pixels each, in which the shader finds the ball. The normal
// at a pixel is turned into the body, so that the two tones show the ball turning as the meshes do.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial, Vector3 } from "three";
import type { Quat } from "./format";

/** Larger balls (radius in pixels) get a mesh: some drivers draw no larger points. */
export const largestDot = 30;

export class Dots {
    readonly points: Points<BufferGeometry, ShaderMaterial>;
    count = 0;
    private readonly at: Float32Array;
    private readonly turned: Float32Array;
    private readonly colour: Float32Array;

    constructor(room: number, opacity: number) {
        const geometry = new BufferGeometry();
        const attribute = (name: string, size: number) => {
            const array = new Float32Array(size * room);
            const made = new BufferAttribute(array, size);
            made.setUsage(DynamicDrawUsage);
            geometry.setAttribute(name, made);
            return array;
        };
        this.at = attribute("position", 3);
        this.turned = attribute("turned", 4);
        this.colour = attribute("tint", 4); // and the radius
        this.points = new Points(geometry, new ShaderMaterial({
            transparent: opacity < 1, depthWrite: opacity === 1,
            uniforms: { pixels: { value: 1 }, sun: { value: new Vector3(0, 0, 1) }, sunny: { value: 2 }, ambient: { value: 1 }, opacity: { value: opacity } },
            vertexShader: `attribute vec4 turned, tint; uniform float pixels; varying vec4 q; varying vec3 c;
                void main() { vec4 v = modelViewMatrix * vec4(position, 1.0); q = turned; c = tint.rgb;
                    gl_Position = projectionMatrix * v;
                    gl_PointSize = max(1.6, 2.0 * tint.a * pixels / max(1e-9, -v.z)); }`,
            fragmentShader: `varying vec4 q; varying vec3 c; uniform vec3 sun; uniform float sunny, ambient, opacity;
                void main() { vec2 p = 2.0 * gl_PointCoord - 1.0; float r = dot(p, p); if (r > 1.0) discard;
                    vec3 n = normalize((vec4(p.x, -p.y, sqrt(1.0 - r), 0.0) * viewMatrix).xyz);
                    vec3 t = 2.0 * cross(-q.yzw, n); vec3 b = n + q.x * t + cross(-q.yzw, t);
                    float tone = b.x * b.y * b.z > 0.0 ? 0.74 : 1.0;
                    float light = (ambient + sunny * max(0.0, dot(n, sun))) / 3.14159265;
                    gl_FragColor = vec4(c * tone * light, opacity);
                    #include <colorspace_fragment>
                }`,
        }));
        this.points.frustumCulled = false;
    }

    begin(): void {
        this.count = 0;
    }

    put(x: Vector3, q: Quat, radius: number, colours: Float32Array, k: number): number {
        const i = this.count++;
        this.at[3 * i] = x.x;
        this.at[3 * i + 1] = x.y;
        this.at[3 * i + 2] = x.z;
        for (let c = 0; c < 4; ++c) this.turned[4 * i + c] = q[c]!;
        for (let c = 0; c < 3; ++c) this.colour[4 * i + c] = colours[3 * k + c]!;
        this.colour[4 * i + 3] = radius;
        return i;
    }

    end(pixels: number, sun: Vector3, sunny: number, ambient: number): void {
        const { geometry, material } = this.points;
        geometry.setDrawRange(0, this.count);
        this.points.visible = this.count > 0;
        for (const name of ["position", "turned", "tint"]) (geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
        const u = material.uniforms;
        u.pixels!.value = pixels;
        (u.sun!.value as Vector3).copy(sun).normalize();
        u.sunny!.value = sunny;
        u.ambient!.value = ambient;
    }

    /** Where dot i is from the origin, for picking. */
    place(i: number, out: Vector3): number {
        out.set(this.at[3 * i]!, this.at[3 * i + 1]!, this.at[3 * i + 2]!);
        return this.colour[4 * i + 3]!;
    }
}
