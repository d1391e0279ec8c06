// SPDX-License-Identifier: MIT
#pragma once

// Two points coincide along a direction; or a point of b stays in a plane of a.
//
// Two points, n fixed in the world, d = x_b − x_a:
//
//     g = n · d              g̈ = n · (ẍ_b − ẍ_a)
//     γ = n · (ω_b × (ω_b × r_b) − ω_a × (ω_a × r_a))
//
// The pair acts at the middle of the two points, where both are when g = 0.
//
// A plane, n fixed in a. With u the velocity of x_b seen from a,
//
//     g = n · d              ġ = n · u,   u = ẋ_b − v_a(x_b)
//     γ = n · (ω_b × (ω_b × r_b) − ω_a × (ω_a × s_a) − 2 ω_a × u),        s_a = x_b − x_Ca
//
// The pair acts at x_b. The same row measures a slide along n.

#include "poinsot/constraints/row.hpp"

namespace poinsot {

/// The size of what is added to make the places of two points, each from its centre of mass.
template <Scalar T>
T terms_of(const Vec3<T>& x_a, const Vec3<T>& x_b, const End<T>& a, const End<T>& b)
{
    return norm(x_a) + norm(x_b) + norm(a.x) + norm(b.x);
}

template <Scalar T>
PairRow<T> point_row(const Vec3<T>& n, const Vec3<T>& x_a, const Vec3<T>& x_b, const Vec3<T>& P,
                     const End<T>& a, const End<T>& b)
{
    return {P,
            n,
            zero3<T>(),
            dot(n, x_b - x_a),
            dot(n, b.centripetal_at(x_b) - a.centripetal_at(x_a)),
            terms_of(x_a, x_b, a, b)};
}

template <Scalar T>
PairRow<T> plane_row(const Vec3<T>& n, const Vec3<T>& x_a, const Vec3<T>& x_b, const End<T>& a,
                     const End<T>& b)
{
    const Vec3<T> u = b.velocity_at(x_b) - a.velocity_at(x_b);
    return {x_b,
            n,
            zero3<T>(),
            dot(n, x_b - x_a),
            dot(n, b.centripetal_at(x_b) - a.centripetal_at(x_b) -
                       constant<T>(2.0) * cross(a.omega, u)),
            terms_of(x_a, x_b, a, b)};
}

} // namespace poinsot
