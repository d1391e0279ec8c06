// SPDX-License-Identifier: MIT
#pragma once

// Free flight of one body, for any scalar: the kernel behind a loop over a million bodies.
//
//     x⁺ = x + h p/m                         exact
//     q̇ = ½ q (0; ω_b),  ω_b = I⁻¹ Rᵀ L      four stages of Runge-Kutta, then unit length again
//
// p and L do not change and are not written. Body axes are principal axes. The energy at the start
// of the step falls out of the first stage.

#include "poinsot/math/rotation.hpp"

namespace poinsot {

/// One body, or one lane each of W bodies.
template <Scalar T>
struct FreeBody {
    Vec3<T> x;
    Quat<T> q; // principal axes to world
    Vec3<T> p, L;
    T inv_m;
    Vec3<T> inv_I; // of the principal moments
};

template <Scalar T>
Vec3<T> body_rate(const FreeBody<T>& body, const Quat<T>& q)
{
    const Vec3<T> L_b = rotate(conjugate(q), body.L);
    return {body.inv_I.x * L_b.x, body.inv_I.y * L_b.y, body.inv_I.z * L_b.z};
}

/// q (0; ω)
template <Scalar T>
Quat<T> times_pure(const Quat<T>& q, const Vec3<T>& w)
{
    return {-mul_add(q.x, w.x, mul_add(q.y, w.y, q.z * w.z)),
            mul_add(q.w, w.x, mul_add(q.y, w.z, -(q.z * w.y))),
            mul_add(q.w, w.y, mul_add(q.z, w.x, -(q.x * w.z))),
            mul_add(q.w, w.z, mul_add(q.x, w.y, -(q.y * w.x)))};
}
template <Scalar T>
Quat<T> mul_add(const T& s, const Quat<T>& a, const Quat<T>& b)
{
    return {mul_add(s, a.w, b.w), mul_add(s, a.x, b.x), mul_add(s, a.y, b.y), mul_add(s, a.z, b.z)};
}

/// Advances place and attitude by h and returns ω_b at the start.
template <Scalar T>
Vec3<T> fly_freely(FreeBody<T>& body, const T& h)
{
    const T half = constant<T>(0.5), quarter_h = constant<T>(0.25) * h;
    const Quat<T> q = body.q;
    const Vec3<T> w1 = body_rate(body, q);
    const Quat<T> k1 = times_pure(q, w1); // twice the rate of q
    const Quat<T> q2 = mul_add(quarter_h, k1, q);
    const Quat<T> k2 = times_pure(q2, body_rate(body, q2));
    const Quat<T> q3 = mul_add(quarter_h, k2, q);
    const Quat<T> k3 = times_pure(q3, body_rate(body, q3));
    const Quat<T> q4 = mul_add(half * h, k3, q);
    const Quat<T> k4 = times_pure(q4, body_rate(body, q4));

    const T two = constant<T>(2.0), twelfth_h = constant<T>(1.0 / 12.0) * h;
    const Quat<T> sum = mul_add(two, k2, k1) + mul_add(two, k3, k4);
    body.q = normalised(mul_add(twelfth_h, sum, q));
    body.x = mul_add(h * body.inv_m, body.p, body.x);
    return w1;
}

} // namespace poinsot
