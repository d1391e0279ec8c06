// SPDX-License-Identifier: MIT
#pragma once

// A disc of body b, axis z_b and radius R about x_b, rolls on the plane of body a through x_a with
// normal z_a. It touches at its lowest point c:
//
//     c = x_b + s,   s = −R û,   û = (z_a − k z_b)/|z_a − k z_b|,   k = z_a · z_b
//
//     height   g = z_a · (c − x_a),   ġ = z_a · w        since c is lowest, its own motion is level
//     slip     e · w = 0  for two axes e of the plane    velocities only: where it rolls is free
//
// with w the velocity of b against a, both taken at c. For n fixed in a, with ċ = ẋ_b + ṡ,
//
//     d(n · w)/dt = n · (b's and a's accelerations at c) + γ
//     γ = n · (ω_b × (ċ − v_b) − ω_a × (ċ − v_a) − ω_a × w)
//     ṡ = −R (u̇ − (û · u̇) û)/|u|,   u = z_a − k z_b

#include "poinsot/constraints/point_row.hpp"

namespace poinsot {

template <Scalar T>
struct RollingContact {
    Vec3<T> c, c_dot;
};
template <Scalar T>
RollingContact<T> rolling_contact(const Vec3<T>& z_a, const Vec3<T>& z_b, const T& radius,
                                  const Vec3<T>& x_b, const End<T>& a, const End<T>& b)
{
    const T k = dot(z_a, z_b);
    const Vec3<T> u = z_a - k * z_b;
    const T size = norm(u);
    const Vec3<T> up = u / size;
    const Vec3<T> z_a_dot = cross(a.omega, z_a), z_b_dot = cross(b.omega, z_b);
    const T k_dot = dot(z_a_dot, z_b) + dot(z_a, z_b_dot);
    const Vec3<T> u_dot = z_a_dot - k_dot * z_b - k * z_b_dot;
    const Vec3<T> s_dot = (-radius / size) * (u_dot - dot(up, u_dot) * up);
    return {x_b - radius * up, b.velocity_at(x_b) + s_dot};
}

/// The row of direction n, fixed in a; its g is the height for n = z_a.
template <Scalar T>
PairRow<T> rolling_row(const Vec3<T>& n, const RollingContact<T>& at, const Vec3<T>& x_a,
                       const End<T>& a, const End<T>& b)
{
    const Vec3<T> w = b.velocity_at(at.c) - a.velocity_at(at.c);
    return {
        at.c,
        n,
        zero3<T>(),
        dot(n, at.c - x_a),
        dot(n, cross(b.omega, at.c_dot - b.v) - cross(a.omega, at.c_dot - a.v) - cross(a.omega, w)),
        terms_of(x_a, at.c, a, b)};
}

} // namespace poinsot
