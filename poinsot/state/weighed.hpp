// SPDX-License-Identifier: MIT
#pragma once

// What bodies with tanks weigh at one moment, and how that changes.
//
// All in the body frame. A tank with contents m_t that change with the rate ṁ_t has its surface at
// s_t (model/tank.hpp). A flow μ goes straight from a point a to a point b; what of it leaves, does
// so at e with the rate μ_e, which is negative for what comes in. Continuity says
//
//     m = m_dry + Σ m_t                         ṁ   = Σ ṁ_t = −Σ μ_e
//     m c = m_dry c_dry + Σ m_t c_t             m ċ = Σ ṁ_t (s_t − c) = p_flow − Σ μ_e (e − c)
//     p_flow = Σ μ (b − a)                      momentum of what flows, against the body
//     L_flow = Σ μ (a − c) × (b − c)            and about the centre of mass
//     İ = Σ ṁ_t (G_t + d·d 1 − d dᵀ),           d = s_t − c
//
// ṗ_flow and L̇_flow have the motion of surfaces, and μ̇ where a control changes the flow.
//
// What openings do to the shell (forces/thrust.hpp) is linear in ω as long as what leaves does so
// with a speed that is fixed in the body, w along n. With ρ = e − c and the spread G_e of one
//
//     F_s = F_0 − 2 ω × p_flow              F_0 = −Σ μ_e w n − ṗ_flow
//     τ_s = τ_0 − B ω − ω × L_flow          τ_0 = −Σ μ_e ρ × (w n − ċ) − L̇_flow
//                                           B   = İ + Σ μ_e (ρ·ρ 1 − ρ ρᵀ + G_e)
//
// so it is found here, once for all that move with this mass.
//
// p_flow does not depend on how fast the stuff is: in a narrow pipe little of it is fast. Nothing
// is left out of p; of L the swirl inside tanks is.

#include "poinsot/math/triple.hpp"
#include "poinsot/model/model.hpp"

#include <span>
#include <vector>

namespace poinsot {

/// How the mass of a vessel changes, and what it feels of that. Body axes.
struct MassRate {
    double m = 0;
    Triple<double> flow_p = zero_triple<double>(), flow_L = flow_p; // ṗ_flow and L̇_flow
    SymTriple<double> I{flow_p, flow_p}; // about the centre of mass, which moves
    // F_0, τ_0 and B. Flows that are steered are here as if what passes had the velocity of its
    // opening.
    Triple<double> push_F = flow_p, push_tau = flow_p;
    SymTriple<double> damping{flow_p, flow_p};
    Triple<double> drifts = flow_p;               // m ċ + p_flow
    Triple<double> coriolis = flow_p, L = flow_p; // 2 p_flow, and L_flow
};

struct Weighed {
    std::vector<BodyMass> masses; // of all bodies
    std::vector<MassRate> rates;  // per vessel
    Flowing flowing;              // per flow and per tank
    std::vector<double> contents; // per tank, kg
    std::vector<char> turned;     // per vessel: are the principal axes those of its mass?
};

/// What everything weighs with these contents of tanks and these flows. A vessel that is as `out`
/// has it already is not weighed again. Without shares, flows have the whole of their mass flow.
void weigh(const Model& model, std::span<const double> contents, std::span<const char> on,
           std::span<const FlowShare> shares, Weighed& out);
/// Finds the principal axes of bodies with tanks, which `weigh` leaves alone.
void find_principal(const Model& model, Weighed& out);

} // namespace poinsot
