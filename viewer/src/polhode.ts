// SPDX-License-Identifier: MIT
// Poinsot's construction in closed form. With moments I₁ ≤ I₂ ≤ I₃, energy of rotation T and momentum L
//
//     Σ Iᵢ ωᵢ² = 2T        the energy ellipsoid, half axes √(2T/Iᵢ)
//     Σ Iᵢ² ωᵢ² = L²       the momentum, seen in the body
//     L · ω = 2T           the invariable plane, 2T/|L| from the centre
//
// and uᵢ = ωᵢ √(Iᵢ/2T) the polhode is where the unit sphere meets Σ Iᵢ uᵢ² = D, D = L²/2T. Below I₂
// it encircles the first axis, above it the third:
//
//     (I₂ − I₁) u₂² + (I₃ − I₁) u₃² = D − I₁          (I₃ − I₁) u₁² + (I₃ − I₂) u₂² = I₃ − D

import type { Vec3 } from "./format";

/** The branch of the polhode D on the energy ellipsoid, closed, in principal axes and units of ω. */
export function polhode(I: Vec3, twoT: number, D: number, positive: boolean, points = 192): Vec3[] {
    const first = D < I[1];
    const pole = first ? 0 : 2;
    const [m, n] = first ? [1, 2] : [0, 1];
    const rest = Math.max(0, first ? D - I[0] : I[2] - D);
    const gap = (k: number) => Math.abs(I[k]! - I[pole]!);
    const amplitude = (k: number) => (gap(k) > 0 ? Math.min(1, Math.sqrt(rest / gap(k))) : rest > 0 ? 1 : 0);
    const a = amplitude(m!), b = amplitude(n!);
    const sign = positive ? 1 : -1;
    const curve: Vec3[] = [];
    for (let i = 0; i <= points; ++i) {
        const angle = (2 * Math.PI * i) / points;
        const u: Vec3 = [0, 0, 0];
        u[m!] = a * Math.cos(angle);
        u[n!] = b * Math.sin(angle);
        u[pole] = sign * Math.sqrt(Math.max(0, 1 - u[m!]! ** 2 - u[n!]! ** 2));
        curve.push([0, 1, 2].map((k) => (I[k]! > 0 ? u[k]! * Math.sqrt(twoT / I[k]!) : 0)) as Vec3);
    }
    return curve;
}

/** Which branch ω (principal axes) lies on. */
export function branch(I: Vec3, D: number, omega: Vec3): boolean {
    return omega[D < I[1] ? 0 : 2] >= 0;
}
