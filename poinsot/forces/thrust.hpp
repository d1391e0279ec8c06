// SPDX-License-Identifier: MIT
#pragma once

// Mass that leaves, enters or shifts, and the momentum it takes.
//
// A body is what is inside it at the moment: shell, contents, and what flows between
// (state/weighed.hpp). v is the velocity of the shell at the centre of mass. What leaves at the
// lever ρ from the centre of mass with the rate μ has the velocity v_e, and takes its momentum:
//
//     p = m v + p_flow        ẋ = v + R ċ        v_e = v + ω × ρ + u
//     L = I ω + L_flow        about the centre of mass
//
//     ṗ = F − Σ μ v_e                            L̇ = τ − Σ μ (ρ × (v_e − ẋ) + G_e ω)
//
// u is the velocity of the exhaust against the body, and G_e = ¼ r² (1 + n nᵀ) that of an opening
// of radius r: stuff leaves all over it and turns with the body. ρ × (ω × ρ) is jet damping.
// What the shell feels, so that m a = F + F_s and I α + ω × I ω = τ + τ_s, follows:
//
//     F_s = −Σ μ (v_e − v) − ω × (m R ċ + p_flow) − R ṗ_flow
//     τ_s = −Σ μ (ρ × (v_e − ẋ) + G_e ω) − R İ ω_b − ω × L_flow − R L̇_flow      (rates in the body)
//
// On the books of p and L the cause `thrust` has all that leaves. Of the two parts
//
//     accelerates   (F_s, τ_s)
//     carried off   (ṁ v + ω × (m R ċ + p_flow) + R ṗ_flow, R İ ω_b + ω × L_flow + R L̇_flow)
//
// accelerations take the first, momenta both. Mass that changes while the momenta stay also
//
//     adds      Σ μ ẋ × ρ                 to L about the origin, as ẋ × p is not zero
//     works     ½ ṁ v² + m v · (ω × R ċ) + ½ ω · İ ω − (carried off) · (v, ω)
//     shifts    ṁ ∂U/∂m − F_g · R ċ       in the store of gravity
//
// so that the books of L, of kinetic energy and of the store close.

#include "poinsot/forces/control_now.hpp"
#include "poinsot/forces/gather.hpp"

namespace poinsot {

/// What flows do to bodies with tanks, as they are placed and weighed, with the controls of now.
void add_thrust(const Model& model, const Placed& placed, const ControlsNow& controls, Loads& out);
/// (F_s, τ_s) of what is weighed, turning with ω, but for flows that are steered. Body axes.
Wrench<double> felt(const MassRate& rate, const Vec3<double>& omega);
/// The changes of mass alone (`Loads::changes`), at other moments than those of loads.
void add_mass_changes(const Model& model, const Placed& placed, Loads& out);

} // namespace poinsot
