// SPDX-License-Identifier: MIT
#pragma once

// Two axes stay square to each other; a turn about an axis.
//
// e_a fixed in a, e_b fixed in b, ω = ω_b − ω_a:
//
//     g = e_a · e_b          ġ = n · ω = e_a · w,   n = e_b × e_a,   w = ω × e_b
//     γ = ṅ · ω = e_a · k,   ṅ = (ω_b × e_b) × e_a + e_b × (ω_a × e_a)
//                            k = ω × (ω_b × e_b) + w × ω_a
//
// in which w and k are the same for all rows of one e_b.
// Two such rows, x_a · z_b and y_a · z_b, keep two z axes parallel.
//
// The angle θ between them, e_a · e_b = cos θ, and the twist ψ about both:
//
//     θ̈ = −(c̈ + c θ̇²)/sin θ,  c = cos θ
//     ψ̇ = m · ω,  m = (e_a + e_b)/(1 + c)     γ = ((ω_a × e_a + ω_b × e_b) · ω − ψ̇ ċ)/(1 + c)
//
// A turn: q̇ = n · ω with the axis n fixed in a body that turns with ω_n:   γ = (ω_n × n) · ω.

#include "poinsot/constraints/row.hpp"

namespace poinsot {

/// An axis of b, and what all its rows have in common.
template <Scalar T>
struct CarriedAxis {
    Vec3<T> e_b, w, k;

    CarriedAxis(const Vec3<T>& e, const End<T>& a, const End<T>& b)
        : e_b(e), w(cross(b.omega - a.omega, e)),
          k(cross(b.omega - a.omega, cross(b.omega, e)) + cross(w, a.omega))
    {
    }
};
template <Scalar T>
struct AxisRow {
    Vec3<T> n;
    T g, g_dot, gamma;
};
template <Scalar T>
AxisRow<T> axis_row(const Vec3<T>& e_a, const CarriedAxis<T>& b)
{
    return {cross(b.e_b, e_a), dot(e_a, b.e_b), dot(e_a, b.w), dot(e_a, b.k)};
}

/// n is the axis that θ turns about; where the axes lie along each other it goes on as it is.
template <Scalar T>
PairRow<T> swing_row(const Vec3<T>& n, const Vec3<T>& e_a, const Vec3<T>& e_b, const T& q,
                     const Vec3<T>& P, const End<T>& a, const End<T>& b)
{
    const AxisRow<T> cosine = axis_row(e_a, CarriedAxis<T>(e_b, a, b));
    const T sine = norm(cosine.n), rate = dot(n, b.omega - a.omega);
    const T bends = cosine.gamma + cosine.g * rate * rate;
    const auto clear = sine > constant<T>(1e-9); // else rounding alone is divided
    return {P,
            zero3<T>(),
            n,
            q,
            select(clear, -bends / select(clear, sine, constant<T>(1.0)), constant<T>(0.0)),
            constant<T>(1.0)};
}
/// m as above.
template <Scalar T>
PairRow<T> twist_row(const Vec3<T>& m, const Vec3<T>& e_a, const Vec3<T>& e_b, const T& q,
                     const Vec3<T>& P, const End<T>& a, const End<T>& b)
{
    const Vec3<T> omega = b.omega - a.omega;
    const T whole = constant<T>(1.0) + dot(e_a, e_b), c_dot = dot(omega, cross(e_b, e_a));
    const T bends = dot(cross(a.omega, e_a) + cross(b.omega, e_b), omega) - dot(m, omega) * c_dot;
    const auto clear = whole > constant<T>(1e-18);
    return {P,
            zero3<T>(),
            m,
            q,
            select(clear, bends / select(clear, whole, constant<T>(1.0)), constant<T>(0.0)),
            constant<T>(1.0)};
}

template <Scalar T>
PairRow<T> turn_row(const Vec3<T>& n, const Vec3<T>& omega_n, const T& q, const Vec3<T>& P,
                    const End<T>& a, const End<T>& b)
{
    return {P, zero3<T>(), n, q, dot(cross(omega_n, n), b.omega - a.omega), constant<T>(1.0)};
}

} // namespace poinsot
