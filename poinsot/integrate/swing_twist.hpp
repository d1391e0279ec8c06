// SPDX-License-Identifier: MIT
#pragma once

// Local coordinates of a rotation that single out one axis of the body, z, and the momenta that
// belong to them.
//
//     R = R₀ S(a) Z(ψ)          S: swings z, by the shortest way, with 2 tan(θ/2) = |a|, a ⊥ z
//                               Z: turns about z by ψ
//
// With ω and the momentum μ in body axes, ω' = Z ω and μ' = Z μ in axes that do not twist along,
// and κ = 1/(1 + |a|²/4),
//
//     ȧ = ω'/κ across z                        ψ̇ = ω_z + ½ z · (a × ω')
//     P_a = κ (μ' + ½ μ_z a × z)               P_ψ = μ_z
//
// P · u̇ = μ · ω for every motion: (u, P) are canonical. The momentum about z stands alone, as it
// does not in rotation vectors, where P_z = μ_z + ½ z · (u × μ) + …: a body that is thin about z
// has a large μ across and a small one along, and an error of u would be divided by its small
// moment. For a body that is symmetric about z, P_ψ is what its spin keeps.
//
// All is rational but the sine of ψ. The coordinates end where a step swings z by half a turn.

#include "poinsot/math/rotation.hpp"

namespace poinsot {

template <Scalar T>
struct SwingTwist {
    Vec3<T> u;        // a_x, a_y, ψ
    SinCos<T> half{}; // of ψ/2
    SinCos<T> turn{}; // of ψ

    explicit SwingTwist(const Vec3<T>& u) : u(u), half(sin_cos(constant<T>(0.5) * u.z))
    {
        const T twice = half.sin + half.sin;
        turn = {twice * half.cos, mul_add(-twice, half.sin, constant<T>(1.0))};
    }

    /// 1/κ
    T stretch() const
    {
        return mul_add(constant<T>(0.25), mul_add(u.x, u.x, u.y * u.y), constant<T>(1.0));
    }
    /// S Z as a quaternion whose length is the root of `stretch`.
    Quat<T> quaternion() const
    {
        const T x = constant<T>(0.5) * u.x, y = constant<T>(0.5) * u.y;
        return {half.cos, mul_add(x, half.cos, y * half.sin), mul_add(y, half.cos, -(x * half.sin)),
                half.sin};
    }
    Vec3<T> untwisted(const Vec3<T>& a) const
    {
        return {mul_add(turn.cos, a.x, -(turn.sin * a.y)), mul_add(turn.sin, a.x, turn.cos * a.y),
                a.z};
    }
    Vec3<T> twisted(const Vec3<T>& a) const
    {
        return {mul_add(turn.cos, a.x, turn.sin * a.y), mul_add(turn.cos, a.y, -(turn.sin * a.x)),
                a.z};
    }

    /// u̇ of ω.
    Vec3<T> rate(const Vec3<T>& omega) const
    {
        const Vec3<T> w = untwisted(omega);
        const T k = stretch();
        return {k * w.x, k * w.y,
                mul_add(constant<T>(0.5), mul_add(u.x, w.y, -(u.y * w.x)), omega.z)};
    }
    /// P of μ.
    Vec3<T> momentum(const Vec3<T>& mu) const
    {
        const Vec3<T> m = untwisted(mu);
        const T kappa = constant<T>(1.0) / stretch(), half_z = constant<T>(0.5) * m.z;
        return {kappa * mul_add(half_z, u.y, m.x), kappa * mul_add(-half_z, u.x, m.y), m.z};
    }
    /// μ of P.
    Vec3<T> own_momentum(const Vec3<T>& P) const
    {
        const T k = stretch(), half_z = constant<T>(0.5) * P.z;
        return twisted({mul_add(k, P.x, -(half_z * u.y)), mul_add(k, P.y, half_z * u.x), P.z});
    }
    /// Ṗ of μ̇ at (ω, μ):
    ///
    ///     Ṗ_a = κ (Ṅ − ½ (a · ω') N)        N = μ' + ½ μ_z a × z,  μ̇' = Z μ̇ + ψ̇ z × μ'
    Vec3<T> momentum_rate(const Vec3<T>& omega, const Vec3<T>& mu, const Vec3<T>& mu_dot) const
    {
        const T h = constant<T>(0.5), k = stretch(), kappa = constant<T>(1.0) / k;
        const Vec3<T> w = untwisted(omega), m = untwisted(mu), n = untwisted(mu_dot);
        const T psi_dot = mul_add(h, mul_add(u.x, w.y, -(u.y * w.x)), omega.z);
        const T half_z = h * m.z, half_z_dot = h * n.z,
                half_along = h * mul_add(u.x, w.x, u.y * w.y);
        const T N_x = mul_add(half_z, u.y, m.x), N_y = mul_add(-half_z, u.x, m.y);
        const T x = mul_add(half_z_dot, u.y, mul_add(-psi_dot, m.y, n.x)) - half_along * N_x;
        const T y = mul_add(-half_z_dot, u.x, mul_add(psi_dot, m.x, n.y)) - half_along * N_y;
        return {mul_add(kappa, x, half_z * w.y), mul_add(kappa, y, -(half_z * w.x)), n.z};
    }
};

/// R₀ S Z as a matrix, for a unit quaternion q₀.
template <Scalar T>
Mat3<T> matrix_of(const Quat<T>& q0, const SwingTwist<T>& turn)
{
    const Quat<T> q = q0 * turn.quaternion();
    const T one = constant<T>(1.0), two = constant<T>(2.0) / norm2(q);
    const T x = two * q.x, y = two * q.y, z = two * q.z;
    const T xx = x * q.x, yy = y * q.y, zz = z * q.z;
    const T xy = x * q.y, xz = x * q.z, yz = y * q.z, wx = x * q.w, wy = y * q.w, wz = z * q.w;
    return {{one - (yy + zz), xy - wz, xz + wy},
            {xy + wz, one - (xx + zz), yz - wx},
            {xz - wy, yz + wx, one - (xx + yy)}};
}

} // namespace poinsot
