// SPDX-License-Identifier: MIT
#pragma once

// Two axes stay square to each other; a turn about an axis.
//
// e_a fixed in a, e_b fixed in b, ω = ω_b − ω_a:
//
//     g = e_a · e_b          ġ = n · ω,   n = e_b × e_a
//     γ = ṅ · ω,             ṅ = (ω_b × e_b) × e_a + e_b × (ω_a × e_a)
//
// Two such rows, x_a · z_b and y_a · z_b, keep two z axes parallel.
//
// A turn: q̇ = n · ω with the axis n fixed in a body that turns with ω_n:   γ = (ω_n × n) · ω.

#include "poinsot/constraints/row.hpp"

namespace poinsot {

template <Scalar T>
PairRow<T> axis_row(const Vec3<T>& e_a, const Vec3<T>& e_b, const Vec3<T>& P, const End<T>& a,
                    const End<T>& b)
{
    const Vec3<T> n_dot = cross(cross(b.omega, e_b), e_a) + cross(e_b, cross(a.omega, e_a));
    return {P,
            zero3<T>(),
            cross(e_b, e_a),
            dot(e_a, e_b),
            dot(n_dot, b.omega - a.omega),
            constant<T>(1.0)};
}

template <Scalar T>
PairRow<T> turn_row(const Vec3<T>& n, const Vec3<T>& omega_n, const T& q, const Vec3<T>& P,
                    const End<T>& a, const End<T>& b)
{
    return {P, zero3<T>(), n, q, dot(cross(omega_n, n), b.omega - a.omega), constant<T>(1.0)};
}

} // namespace poinsot
