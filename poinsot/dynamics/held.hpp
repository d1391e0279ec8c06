// SPDX-License-Identifier: MIT
#pragma once

// A body with one point A held fixed, or held on a line: its reaction, and its way back to where
// it belongs.
//
// The reaction f is the force at A that keeps A's acceleration along the line (or zero):
//
//     a_A = a_C + α × r + ω × (ω × r)                     r = r_A − r_C
//     P a_A(F + f, τ_C + r × f) = 0                       P projects across the line; P = 1: fixed
//
// with  a_A = a_A|₀ + K f,   K = 1/m − [r×] I⁻¹ [r×]   the inverse mass at A. For a fixed point
// this is I_A α + ω × I_A ω = τ_A, the equation of motion about A; for the line it is the same with
// A sliding. Rounding and the integrator let A drift; `corrections` say how to put it back.

#include "poinsot/forces/gather.hpp"

namespace poinsot {

/// Where the held points started: what they are kept at.
std::vector<Vec3<double>> held_places(const Model& model);

/// Adds the reaction of every held body, as Cause::joint, after all other loads are known.
void add_reactions(const Model& model, const Placed& placed, Loads& loads);

/// What a projection did to one body.
struct Correction {
    int body;
    Vec3<double> dx, dv; // of the centre of mass
};
/// Displacements and velocity changes of the centre of mass that put every held point back. The
/// attitude and the angular momentum about the centre of mass stay.
std::vector<Correction> corrections(const Model& model, const Placed& placed,
                                    const std::vector<Vec3<double>>& places);

} // namespace poinsot
