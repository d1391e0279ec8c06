// SPDX-License-Identifier: MIT
#pragma once

// First-order steps, as the textbooks write them.
//
//     explicit       y⁺ = y + h ẏ(y), the attitude too: q⁺ = q + ½ h (0; ω) q,  R⁺ = R + h [ω×] R
//     symplectic     motion first, then place with the new motion; attitude by exp(h ω⁺)
//     second order   x⁺ = x + h v + ½ h² a, the rest explicit    (the notes' better position)
//     body frame     ω_b⁺ = ω_b + h I⁻¹(τ_b − ω_b × I ω_b),  v⁺ = v + h F/m,
//                    q⁺ = q exp(h ω_b),  x⁺ = x + h v            (the complex-objects procedure)
//
// All of them gain or lose energy in free rotation at first order in h.

#include "poinsot/integrate/system.hpp"

namespace poinsot {

template <class Form>
StepReport explicit_euler(System& system, std::vector<Form>& bodies, double t, double h,
                          Postings& postings);
template <class Form>
StepReport symplectic_euler(System& system, std::vector<Form>& bodies, double t, double h,
                            Postings& postings);
template <class Form>
StepReport second_order_position(System& system, std::vector<Form>& bodies, double t, double h,
                                 Postings& postings);
/// In the velocity form only: the procedure is about ω.
StepReport body_frame_procedure(System& system, std::vector<VelocityForm<double>>& bodies, double t,
                                double h, Postings& postings);

} // namespace poinsot
