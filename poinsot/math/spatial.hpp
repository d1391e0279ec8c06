// SPDX-License-Identifier: MIT
#pragma once

// Twist, wrench and momentum of a rigid body, and how each changes when the point it is taken
// about changes.
//
//     v_B = v_A + ω × d            d = r_B − r_A
//     τ_B = τ_A − d × F            equipollent torque
//     L_B = L_A − d × p            angular momentum obeys the law of torque
//
// They are distinct types because a wrench plus a twist means nothing and should not compile. The
// spatial inertia maps one to the other, about any point A with c = r_C − r_A:
//
//     [ p   ]   [ m     −m[c×] ] [ v_A ]
//     [ L_A ] = [ m[c×]   I_A  ] [ ω   ]        I_A = I_C − m [c×][c×]

#include "poinsot/math/vec3.hpp"

#include <array>

namespace poinsot {

template <Scalar T>
struct Twist {
    Vec3<T> v, omega; // velocity of the point, angular velocity of the body

    friend constexpr Twist operator+(const Twist& a, const Twist& b)
    {
        return {a.v + b.v, a.omega + b.omega};
    }
    friend constexpr Twist operator-(const Twist& a, const Twist& b)
    {
        return {a.v - b.v, a.omega - b.omega};
    }
    friend constexpr Twist operator*(const T& s, const Twist& a) { return {s * a.v, s * a.omega}; }
};

template <Scalar T>
struct Wrench {
    Vec3<T> F, tau; // force, torque about the point

    friend constexpr Wrench operator+(const Wrench& a, const Wrench& b)
    {
        return {a.F + b.F, a.tau + b.tau};
    }
    friend constexpr Wrench operator-(const Wrench& a, const Wrench& b)
    {
        return {a.F - b.F, a.tau - b.tau};
    }
    friend constexpr Wrench operator-(const Wrench& a) { return {-a.F, -a.tau}; }
    friend constexpr Wrench operator*(const T& s, const Wrench& a) { return {s * a.F, s * a.tau}; }
};

template <Scalar T>
struct Momentum {
    Vec3<T> p, L; // linear momentum, angular momentum about the point

    friend constexpr Momentum operator+(const Momentum& a, const Momentum& b)
    {
        return {a.p + b.p, a.L + b.L};
    }
    friend constexpr Momentum operator-(const Momentum& a, const Momentum& b)
    {
        return {a.p - b.p, a.L - b.L};
    }
};

/// The same motion seen at a point displaced by d.
template <Scalar T>
constexpr Twist<T> shift(const Twist<T>& V, const Vec3<T>& d)
{
    return {V.v + cross(V.omega, d), V.omega};
}
/// The same load reduced to a point displaced by d.
template <Scalar T>
constexpr Wrench<T> shift(const Wrench<T>& W, const Vec3<T>& d)
{
    return {W.F, W.tau - cross(d, W.F)};
}
/// The same momentum about a point displaced by d.
template <Scalar T>
constexpr Momentum<T> shift(const Momentum<T>& M, const Vec3<T>& d)
{
    return {M.p, M.L - cross(d, M.p)};
}
/// The wrench, about the reference point, of a force that acts at r from it.
template <Scalar T>
constexpr Wrench<T> force_at(const Vec3<T>& r, const Vec3<T>& F)
{
    return {F, cross(r, F)};
}
/// Power of a load on a motion about one point. Any point gives the same number.
template <Scalar T>
T power(const Wrench<T>& W, const Twist<T>& V)
{
    return dot(W.F, V.v) + dot(W.tau, V.omega);
}

/// A 6×6 matrix by rows, force part before torque part.
template <Scalar T>
using Mat6 = std::array<std::array<T, 6>, 6>;

/// Mass, place of the centre of mass from the reference point, inertia about the centre of mass.
template <Scalar T>
struct SpatialInertia {
    T m;
    Vec3<T> c;
    Sym3<T> I_C;
};

/// I_A = I_C + m (c·c 1 − c cᵀ): the parallel-axis theorem.
template <Scalar T>
Sym3<T> about_displaced(const Sym3<T>& I_C, const T& m, const Vec3<T>& c)
{
    const T c2 = norm2(c);
    return I_C + m * (diagonal(c2, c2, c2) - square(c));
}
template <Scalar T>
SpatialInertia<T> shift(const SpatialInertia<T>& I, const Vec3<T>& d)
{
    return {I.m, I.c - d, I.I_C};
}
/// Momentum about the point, from the motion of the point.
template <Scalar T>
Momentum<T> operator*(const SpatialInertia<T>& I, const Twist<T>& V)
{
    const Vec3<T> p = I.m * (V.v + cross(V.omega, I.c));
    return {p, I.I_C * V.omega + cross(I.c, p)};
}
template <Scalar T>
T kinetic_energy(const SpatialInertia<T>& I, const Twist<T>& V)
{
    const Momentum<T> M = I * V;
    return constant<T>(0.5) * (dot(M.p, V.v) + dot(M.L, V.omega));
}
/// The 6×6 form of the spatial inertia.
template <Scalar T>
Mat6<T> matrix_of(const SpatialInertia<T>& I)
{
    const Mat3<T> mc = I.m * skew(I.c), I_A = full(about_displaced(I.I_C, I.m, I.c));
    const T o = constant<T>(0.0);
    return {{{I.m, o, o, -mc.r0.x, -mc.r0.y, -mc.r0.z},
             {o, I.m, o, -mc.r1.x, -mc.r1.y, -mc.r1.z},
             {o, o, I.m, -mc.r2.x, -mc.r2.y, -mc.r2.z},
             {mc.r0.x, mc.r0.y, mc.r0.z, I_A.r0.x, I_A.r0.y, I_A.r0.z},
             {mc.r1.x, mc.r1.y, mc.r1.z, I_A.r1.x, I_A.r1.y, I_A.r1.z},
             {mc.r2.x, mc.r2.y, mc.r2.z, I_A.r2.x, I_A.r2.y, I_A.r2.z}}};
}

} // namespace poinsot
