// SPDX-License-Identifier: MIT
#pragma once

// What air does to a body that moves through it. (u, v, w) is the velocity against the air in axes
// x forward, y right, z down, V its size, s = √(u² + w²):
//
//     α = atan2(w, u)       β = atan2(v, s)       M = V/a
//     drag   −(u, v, w)/V         side   (−u v/s, s, −w v/s)/V         lift   (w, 0, −u)/s
//
//     force   ½ρV² S C           torque   ½ρV² S b C (roll, yaw),  ½ρV² S c C (pitch)
//
// A coefficient has a part that is there at rest and a part in proportion to the rates, whose
// p̂ = p b/2V is never formed: ½ρV² S p̂ C_p = ¼ρV S (p b) C_p is smooth where V is zero.

#include "poinsot/forces/air.hpp"
#include "poinsot/forces/control_now.hpp"
#include "poinsot/state/placed.hpp"

namespace poinsot {

/// A coefficient at one moment: C = still + turning/2V.
template <Scalar T>
struct CoefficientNow {
    T still, turning; // 1, m/s
};
template <Scalar T>
struct CoefficientsNow {
    CoefficientNow<T> drag, side, lift, roll, pitch, yaw;
};

/// How the body meets the air.
template <Scalar T>
struct Airflow {
    T speed, alpha, beta, mach;
};
template <Scalar T>
Airflow<T> airflow_of(const Vec3<T>& v, const T& speed_of_sound)
{
    const T speed = norm(v);
    return {speed, poinsot::atan2(v.z, v.x), poinsot::atan2(v.y, sqrt(v.x * v.x + v.z * v.z)),
            speed / speed_of_sound};
}

/// About the point that moves with v against the air, in the axes of v. Where V or s is zero there
/// is no direction of lift, and no lift.
template <Scalar T>
Wrench<T> aerodynamic_wrench(const CoefficientsNow<T>& C, const T& density, const Vec3<T>& v,
                             const T& area, const T& span, const T& chord)
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0), half = constant<T>(0.5);
    const T V = norm(v), s = sqrt(v.x * v.x + v.z * v.z);
    const auto moves = V > zero;
    const auto forward = s > zero;
    const T inv_V = select(moves, one / select(moves, V, one), zero);
    const T inv_s = select(forward, one / select(forward, s, one), zero);
    // ½ρV² S C
    const T rate = half * density * V * area;
    const auto force = [&](const CoefficientNow<T>& c) {
        return rate * (V * c.still + half * c.turning);
    };
    const Vec3<T> drag = -(inv_V * v);
    const Vec3<T> side = inv_V * Vec3<T>{-(v.x * v.y * inv_s), s, -(v.z * v.y * inv_s)};
    const Vec3<T> lift = inv_s * Vec3<T>{v.z, zero, -v.x};
    return {force(C.drag) * drag + force(C.side) * side + force(C.lift) * lift,
            {span * force(C.roll), chord * force(C.pitch), span * force(C.yaw)}};
}

/// The coefficients as described, at one flow and angular velocity (against the air, same axes).
CoefficientsNow<double> coefficients_of(const Aerodynamics& described, const Airflow<double>& flow,
                                        const Vec3<double>& omega,
                                        const ControlsNow& controls = {});

/// How a body meets the air where its coefficients are about.
Airflow<double> airflow_at(const Aerodynamics& described, const Planet& planet, const Air& air,
                           const PlacedBody& body, double t);

/// The load about the centre of mass, in world axes.
Wrench<double> aerodynamic_load(const Aerodynamics& described, const Planet& planet, const Air& air,
                                const PlacedBody& body, double t, const ControlsNow& controls = {});

/// Why there is no such load there, if a table, the wind or the atmosphere refuses; else empty.
std::string why_no_load(const Aerodynamics& described, const Planet& planet, const Air& air,
                        const PlacedBody& body, double t, const ControlsNow& controls = {});

} // namespace poinsot
