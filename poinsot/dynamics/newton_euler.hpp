// SPDX-License-Identifier: MIT
#pragma once

// Six equations per free body.
//
// About the centre of mass C:
//
//     m a_C = F          I α = τ_C − ω × I ω               Ẋ = v,  Ṙ = [ω×] R
//     ṗ = F              L̇ = τ_C                           the same with momenta
//
// About any point A, c = r_C − r_A, with the spatial acceleration a*_A = a_A − ω × v_A of the body
// particle at A and its velocity v_A:
//
//     [ F   ]   [ m     −m[c×] ] [ a*_A ]   [ ω×    0  ] [ p   ]
//     [ τ_A ] = [ m[c×]   I_A  ] [  α   ] + [ v_A×  ω× ] [ L_A ]
//
// and for a point A that moves as it likes with v_A:   τ_A = dL_A/dt + v_A × p.

#include "poinsot/math/spatial.hpp"
#include "poinsot/state/placed.hpp"

namespace poinsot {

/// How a body's state changes: velocity, angular velocity, and the rates of its last two vectors
/// (p and L, or v and ω).
template <Scalar T>
struct BodyRate {
    Vec3<T> x_dot, omega, a, b;
};

/// α of a body under a torque about its centre of mass. World axes.
template <Scalar T>
Vec3<T> angular_acceleration(const Mat3<T>& R, const Sym3<T>& I_b, const Sym3<T>& inv_I_b,
                             const Vec3<T>& omega, const Vec3<T>& tau)
{
    // I α = τ − ω × I ω, evaluated in body axes, where I is constant
    const Vec3<T> omega_b = transpose_times(R, omega);
    return R * (inv_I_b * (transpose_times(R, tau) - cross(omega_b, I_b * omega_b)));
}

template <class Form>
BodyRate<double> rate_of(const PlacedBody& body, const Wrench<double>& W)
{
    if (body.mass.flows) { // v is taken where the centre of mass is, which moves in the body
        const Vec3<double> x_dot = body.center_velocity();
        if constexpr (std::same_as<Form, VelocityForm<double>>)
            return {
                x_dot, body.omega, body.mass.inv_m * W.F + cross(body.omega, x_dot - body.v),
                angular_acceleration(body.R, body.mass.I_b, body.mass.inv_I_b, body.omega, W.tau)};
        else
            return {x_dot, body.omega, W.F, W.tau};
    }
    if constexpr (std::same_as<Form, VelocityForm<double>>)
        return {body.v, body.omega, body.mass.inv_m * W.F,
                angular_acceleration(body.R, body.mass.I_b, body.mass.inv_I_b, body.omega, W.tau)};
    else
        return {body.v, body.omega, W.F, W.tau};
}

/// Acceleration of a body about a point A: spatial acceleration of the particle there, and α.
template <Scalar T>
struct SpatialAcceleration {
    Vec3<T> a_star, alpha;
};
/// The material acceleration of the particle at the point: a = a* + ω × v.
template <Scalar T>
constexpr Vec3<T> material(const SpatialAcceleration<T>& A, const Twist<T>& V)
{
    return A.a_star + cross(V.omega, V.v);
}
/// Spatial accelerations move between points as twists do.
template <Scalar T>
constexpr SpatialAcceleration<T> shift(const SpatialAcceleration<T>& A, const Vec3<T>& d)
{
    return {A.a_star + cross(A.alpha, d), A.alpha};
}

/// The load that an acceleration needs: the equations of motion about A, read from right to left.
template <Scalar T>
Wrench<T> load_about(const SpatialInertia<T>& I, const Twist<T>& V, const SpatialAcceleration<T>& A)
{
    const Momentum<T> M = I * V;
    const Momentum<T> rate = I * Twist<T>{A.a_star, A.alpha};
    return {rate.p + cross(V.omega, M.p), rate.L + cross(V.v, M.p) + cross(V.omega, M.L)};
}
/// The acceleration that a load makes: the 6×6 system about A solved for a*_A and α by elimination
/// of a*_A, of which τ_A feels c × F alone.
///
///     m (a* + α × c) = F            α = I_C⁻¹ (τ_A − c × F)
///     I_C α + c × F = τ_A           a* = F/m − α × c
template <Scalar T>
SpatialAcceleration<T> acceleration_about(const SpatialInertia<T>& I, const Twist<T>& V,
                                          const Wrench<T>& W)
{
    const Wrench<T> left = W - load_about(I, V, SpatialAcceleration<T>{zero3<T>(), zero3<T>()});
    const Vec3<T> alpha = inverse(I.I_C) * (left.tau - cross(I.c, left.F));
    return {(constant<T>(1.0) / I.m) * left.F - cross(alpha, I.c), alpha};
}

/// dL_A/dt of a body about a point A that moves with v_A: τ_A − v_A × p.
template <Scalar T>
constexpr Vec3<T> angular_momentum_rate(const Vec3<T>& tau_A, const Vec3<T>& v_A, const Vec3<T>& p)
{
    return tau_A - cross(v_A, p);
}

} // namespace poinsot
