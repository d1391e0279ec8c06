// SPDX-License-Identifier: MIT
#pragma once

// Contact as spring and damper. With x = −gap the depth and ẋ = −(speed of the gap):
//
//     spring          F = k x + c ẋ                        V = ½ k x²
//     Hertz           F = k x^{3/2}                        V = ⅖ k x^{5/2},  k = 4/3 E* √R
//     Hunt–Crossley   F = k x^{3/2} (1 + 3/2 α ẋ)          V as Hertz's      [Hunt, Crossley 1975]
//
//     1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂,   1/R = 1/R₁ + 1/R₂
//
// each where x > 0 and F > 0, else F = 0: a contact pushes and never pulls. The power that becomes
// heat is (F − dV/dx) ẋ ≥ 0, also where F was cut to zero and the spring relaxes by itself.
//
// Friction is a spring of stretch s in the plane of contact, so that what sticks does not creep,
// and a damper in what the cone leaves. Over a time h, with s' = s + h v:
//
//     |k s'| > μ F_n    slides: s' is cut back to θ s', μ F_n/k long
//     F = −k s' − φ c v         φ ≤ 1 as large as |F| ≤ μ F_n allows
//
// with φ = 0 where it slides on, s'·v > 0. Without φ where it slides back the force would jump
// between the two, and no method could follow.
//
// Heat of the time h is −F·v h − Δ ½ k s². Sticking, it is ½ k |s' − s|² + φ c v² h; sliding, with
// θ the cut, ½ k |s − θ s'|² + θ (1 − θ) k s'² + φ c v² h: never negative.
//
// Where an integrator wants no memory there is friction of a slip speed v_s, which creeps below it:
//
//     F = −μ F_n v/√(v² + v_s²)

#include "poinsot/base/result.hpp"
#include "poinsot/math/vec3.hpp"

namespace poinsot {

template <Scalar T>
struct NormalPush {
    T force;      // ≥ 0
    T stored;     // J
    T dissipated; // W, ≥ 0
};

template <Scalar T>
NormalPush<T> spring_push(const T& gap, const T& gap_speed, const T& k, const T& c)
{
    const T zero = constant<T>(0.0), x = max(zero, -gap), x_dot = -gap_speed;
    const T elastic = k * x;
    const T force = select(x > zero, max(zero, elastic + c * x_dot), zero);
    return {force, constant<T>(0.5) * elastic * x, (force - elastic) * x_dot};
}
/// Hertz's with alpha = 0.
template <Scalar T>
NormalPush<T> hunt_crossley_push(const T& gap, const T& gap_speed, const T& k, const T& alpha)
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0), x_dot = -gap_speed;
    const auto touches = gap < zero;
    const T x = select(touches, -gap, one); // a root of zero has no derivative
    const T elastic = select(touches, k * x * sqrt(x), zero);
    const T force = elastic * max(zero, one + constant<T>(1.5) * alpha * x_dot);
    return {force, select(touches, constant<T>(0.4) * elastic * x, zero),
            (force - elastic) * x_dot};
}

template <Scalar T>
struct FrictionPull {
    Vec3<T> force;
    Vec3<T> stretch; // after the time h
    T stored;        // in it
    T dissipated;    // J over the time h, ≥ 0
};

/// `slip`: velocity in the plane of contact of the body that feels `force`, against the other.
template <Scalar T>
FrictionPull<T> spring_friction(const T& normal_force, const T& mu, const T& k, const T& c,
                                const Vec3<T>& stretch, const Vec3<T>& slip, const T& h)
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0), half = constant<T>(0.5);
    const T bound = mu * max(zero, normal_force);
    const Vec3<T> trial = stretch + h * slip;
    const T pull = k * norm(trial);
    const auto slides = pull > bound;
    const T theta = select(slides, bound / select(slides, pull, one), one);
    const Vec3<T> kept = theta * trial;

    // |k s' + φ c v|² = bound², the larger root; φ = 0 is inside.
    const Vec3<T> elastic = k * kept, viscous = c * slip;
    const T a = dot(viscous, viscous), b = dot(elastic, viscous);
    const T inside = max(zero, bound * bound - dot(elastic, elastic));
    const auto moves = a > zero;
    const T root = (sqrt(b * b + a * inside) - b) / select(moves, a, one);
    const T phi = select(moves, min(one, max(zero, root)), zero);

    const Vec3<T> force = -(elastic + phi * viscous);
    const T stored = half * k * dot(kept, kept);
    const T before = half * k * dot(stretch, stretch);
    return {force, kept, stored, before - stored - h * dot(force, slip)};
}

template <Scalar T>
struct SlidingPull {
    Vec3<T> force;
    T dissipated; // W
};
template <Scalar T>
SlidingPull<T> smooth_friction(const T& normal_force, const T& mu, const Vec3<T>& slip,
                               const T& slip_speed)
{
    const T bound = mu * max(constant<T>(0.0), normal_force);
    const T inv = constant<T>(1.0) / sqrt(dot(slip, slip) + slip_speed * slip_speed);
    const Vec3<T> force = (-bound * inv) * slip;
    return {force, -dot(force, slip)};
}

// ---- numbers for these laws ---------------------------------------------------------------------

/// Spring and damper of a contact that lasts `steps` steps of length h and returns with e, of an
/// effective mass m = 1/(J M⁻¹ Jᵀ). A contact ends where F = 0, before x = 0. With ω² = k/m and
/// c = 2 ζ m ω:
///
///     ζ = sin β     e = exp(−(π − 2β) tan β)      lasts (π − 2β)/(ω cos β)
///     ζ = cosh γ    e = exp(−2γ coth γ)           lasts 2γ/(ω sinh γ)         e < exp(−2)
///
/// Equations for one number, of which all else follows:  k ∝ m/(steps h)².
struct PenaltySpring {
    double k = 0, c = 0;        // N/m, N s/m
    double omega = 0, zeta = 0; // 1/s, 1
    double restitution = 0;     // what it reaches: e, but no less than least_restitution
    double friction_k = 0;      // m_t ω²
    double friction_c = 0;      // 2 m_t ω: critical, so that what sticks does not ring
    static constexpr double least_restitution = 0.01; // below, the spring would bear no weight
};
/// m_t: effective mass along the plane.
Result<PenaltySpring> penalty_spring(double m, double m_t, double restitution, double h,
                                     double steps = 20);

/// E* of two materials with Young's modulus (Pa) and Poisson's ratio. A rigid one has E = ∞.
Result<double> effective_modulus(double E1, double nu1, double E2, double nu2);
/// R of two curvatures at the contact. A plane has R = ∞, a hollow R < 0.
Result<double> effective_radius(double R1, double R2);
/// 4/3 E* √R, in N/m^{3/2}.
Result<double> hertz_stiffness(double E, double R);
/// α of Hunt and Crossley that makes e = `restitution` at a speed of impact v (s/m): to first order
/// e = 1 − α v; here exactly, with z = 3/2 α v:  z − ln(1 + z) = −e z − ln(1 − e z).
Result<double> hunt_crossley_damping(double restitution, double speed);
/// The restitution of Hunt and Crossley's law at a speed of impact: the same equation for e.
double hunt_crossley_restitution(double alpha, double speed);

} // namespace poinsot
