// SPDX-License-Identifier: MIT
#pragma once

// Two points coincide along a direction; or a point of b stays in a plane of a.
//
// Two points, n fixed in the world, d = x_b − x_a:
//
//     g = n · d              g̈ = n · (ẍ_b − ẍ_a)
//     γ = n · (ω_b × (ω_b × r_b) − ω_a × (ω_a × r_a))
//
// The pair acts at P, the middle of the two points, where both are when g = 0. For the three axes
// of the world the rows are the components of vectors, and a force n at P has the torque s × n,
// a column of [s×]:
//
//     ġ = n · (v_b + ω_b × s_b − v_a − ω_a × s_a),   s = P − x_C
//
// A plane, n fixed in a. With u the velocity of x_b seen from a,
//
//     g = n · d              ġ = n · u,   u = ẋ_b − v_a(x_b)
//     γ = n · (ω_b × (ω_b × r_b) − ω_a × (ω_a × s_a) − 2 ω_a × u),        s_a = x_b − x_Ca
//
// The pair acts at x_b. The same row measures a slide along n.

#include "poinsot/constraints/row.hpp"
#include "poinsot/math/pack.hpp"

namespace poinsot {

/// The size of what is added to make the places of two points, each from its centre of mass.
template <Scalar T>
T terms_of(const Vec3<T>& x_a, const Vec3<T>& x_b, const End<T>& a, const End<T>& b)
{
    return (norm(x_a) + norm(x_b)) + (norm(a.x) + norm(b.x));
}
/// The same, with the four roots drawn side by side.
inline double terms_of(const Vec3<double>& x_a, const Vec3<double>& x_b, const End<double>& a,
                       const End<double>& b)
{
    using Four = Pack<double, 4>;
    const Four roots = sqrt(Four::of(Four::Vector{norm2(x_a), norm2(x_b), norm2(a.x), norm2(b.x)}));
    return (roots[0] + roots[1]) + (roots[2] + roots[3]);
}

/// The rows of the three axes of the world, component by component.
template <Scalar T>
struct PointRows {
    Vec3<T> g, g_dot, gamma;
    T scale;
};
/// s_a and s_b are where the pair acts, from each centre of mass.
template <Scalar T>
[[gnu::always_inline]] inline PointRows<T> point_rows(const Vec3<T>& x_a, const Vec3<T>& x_b,
                                                      const Vec3<T>& s_a, const Vec3<T>& s_b,
                                                      const End<T>& a, const End<T>& b)
{
    return {x_b - x_a, (b.v + cross(b.omega, s_b)) - (a.v + cross(a.omega, s_a)),
            b.centripetal_at(x_b) - a.centripetal_at(x_a), terms_of(x_a, x_b, a, b)};
}
/// The force along axis k of the world at s from a centre of mass, for all three k.
template <Scalar T>
std::array<Wrench<T>, 3> unit_forces_at(const Vec3<T>& s)
{
    const T o = constant<T>(0.0), l = constant<T>(1.0);
    return {
        {{{l, o, o}, {o, s.z, -s.y}}, {{o, l, o}, {-s.z, o, s.x}}, {{o, o, l}, {s.y, -s.x, o}}}};
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
