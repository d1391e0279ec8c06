// SPDX-License-Identifier: MIT
#pragma once

// Spring and damper along the line between two points, l = |d|, n = d/l, d from a to b.
//
//     F_a = +(k (l − l₀) + c l̇) n            F_b = −F_a
//     V = ½ k (l − l₀)²                       l̇ = n · (v_b − v_a)
//
// With rest length zero the spring is linear in d and needs no direction. Where the two points meet
// there is no direction; the spring of rest length l₀ > 0 then has none to push in and gives zero.

#include "poinsot/math/vec3.hpp"

namespace poinsot {

template <Scalar T>
struct SpringForce {
    Vec3<T> elastic, viscous; // on the end a
};

template <Scalar T>
SpringForce<T> spring_force(const T& k, const T& c, const T& rest, const Vec3<T>& d,
                            const Vec3<T>& d_dot)
{
    const T l = norm(d);
    const auto apart = l > constant<T>(0.0);
    const T inv_l = constant<T>(1.0) / select(apart, l, constant<T>(1.0));
    const T stretch = select(apart, k * (constant<T>(1.0) - rest * inv_l), constant<T>(0.0));
    const T rate = c * dot(d, d_dot) * inv_l * inv_l;
    return {stretch * d, rate * d};
}
template <Scalar T>
T spring_energy(const T& k, const T& rest, const Vec3<T>& d)
{
    const T stretch = norm(d) - rest;
    return constant<T>(0.5) * k * stretch * stretch;
}

} // namespace poinsot
