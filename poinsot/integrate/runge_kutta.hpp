// SPDX-License-Identifier: MIT
#pragma once

// Runge-Kutta, fixed and adaptive, with the attitude on the rotation group.
//
// Over one step the attitude is R(t) = exp(u(t)) R₀, and the rotation vector u obeys an ordinary
// equation, u̇ = dexp⁻¹(u) ω (rotation.hpp); so a classical method on (x, u, p, L) has its full
// order in the attitude too [Munthe-Kaas 1999].
//
//     k_i = f(t + c_i h, y₀ ⊕ h Σ_j a_ij k_j)          y₁ = y₀ ⊕ h Σ_i b_i k_i
//
// The adaptive pair is Dormand and Prince's 5(4); its step control keeps the difference of the two
// below the tolerance, and the same stages give the state anywhere inside the step to fourth order.

#include "poinsot/integrate/system.hpp"

#include <array>

namespace poinsot {

template <class Form>
StepReport runge_kutta4(System& system, std::vector<Form>& bodies, double t, double h,
                        Postings& postings);

struct Tolerance {
    double relative = 1e-10;
    double absolute = 1e-13; // of lengths, momenta and angular momenta, in their units
    int most_substeps = 1000000;
};

/// One accepted step of the pair, and the state at every moment inside it.
template <class Form>
struct DenseStep {
    double t = 0, h = 0;
    std::vector<Form> start;
    std::vector<std::array<BodyDelta, 5>> coefficients; // per body, of Shampine's quartic
    std::vector<Form> at(double time) const;
};

/// Advances over h in as many steps as the tolerance asks for. `substep` is the length to try
/// first (0: choose) and comes back as the length to try next. `dense`, if given, is called with
/// every accepted step.
template <class Form>
StepReport dormand_prince(System& system, std::vector<Form>& bodies, double t, double h,
                          double& substep, const Tolerance& tolerance, Postings& postings,
                          const std::function<void(const DenseStep<Form>&)>& dense = {});

} // namespace poinsot
