// SPDX-License-Identifier: MIT
#pragma once

// The implicit midpoint rule, arranged so that it keeps the quadratic invariants of free rotation
// (|L|, L itself in space, and the energy) and closes the books to rounding under loads.
//
// Translation:     p⁺ = p + h F_m,      x⁺ = x + h (p + p⁺)/(2m)
// Rotation, with Λ_b = Rᵀ(L + h τ_m), all in the body axes of the start:
//
//     L⁺ = L + h τ_m                       in space
//     R⁺ = R cay(h ω_b)                    cay(a) = (1 − [a×]/2)⁻¹(1 + [a×]/2)
//     I ω_b = (L_b + L_b⁺)/2               L_b⁺ = R⁺ᵀ L⁺ = cay(−h ω_b) Λ_b
//
// which is the polynomial equation
//
//     I ω + (h/2) ω × I ω − (h/4) ω × (L_b − Λ_b) − (L_b + Λ_b)/2 = 0
//
// solved by Newton's method. Then T⁺ − T = h (F_m · v_m + τ_m · ω_m) exactly. The loads are taken
// at the middle of the step, found by repetition; where that runs away, since loads are stiff, by
// Newton's method on the loads of all bodies (newton_krylov.hpp). A step that is too long for both
// is taken in halves, down to a thousandth; there a load that jumps leaves its jump.

#include "poinsot/integrate/system.hpp"

namespace poinsot {

template <class Form>
StepReport midpoint(System& system, std::vector<Form>& bodies, double t, double h,
                    Postings& postings);

} // namespace poinsot
