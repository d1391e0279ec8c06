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

template <Scalar T>
PairRow<T> turn_row(const Vec3<T>& n, const Vec3<T>& omega_n, const T& q, const Vec3<T>& P,
                    const End<T>& a, const End<T>& b)
{
    return {P, zero3<T>(), n, q, dot(cross(omega_n, n), b.omega - a.omega), constant<T>(1.0)};
}

} // namespace poinsot
