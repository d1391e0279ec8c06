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
// p_flow does not depend on how fast the stuff is: in a narrow pipe little of it is fast. Nothing
// is left out of p; of L the swirl inside tanks is.

#include "poinsot/model/model.hpp"

#include <span>
#include <vector>

namespace poinsot {

/// How the mass of a vessel changes, body axes.
struct MassRate {
    double m = 0;
    Vec3<double> flow_p = zero3<double>(), flow_L = zero3<double>();
    Sym3<double> I = diagonal(0.0, 0.0, 0.0); // about the centre of mass, which moves
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
