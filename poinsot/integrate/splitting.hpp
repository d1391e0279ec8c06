// SPDX-License-Identifier: MIT
#pragma once

// Exact free flight between kicks: kick ½h, fly h, kick ½h [Strang 1968].
//
// A kick changes p and L at a frozen configuration; the work of it is J · (u + u')/2, to rounding.
// The flight is exact: x moves straight, the attitude turns by elliptic functions
// (free_rotation.hpp). A free body is therefore followed exactly whatever the step; point masses
// get velocity Verlet. The method is of second order, symmetric, and symplectic where the loads
// have a potential.
//
// Loads that depend on velocity get each kick by the explicit midpoint rule, which keeps the order.
//
// Joints act in the kicks alone [Andersen 1983; for rigid bodies Leimkuhler and Reich 1994]:
//
//     p½ = p₀ + ½h (F₀ + J₀ᵀ λ)            λ: so that g = 0 where the flight ends
//     (q₁, p½) by free flight
//     p₁ = p½ + ½h (F₁ + J₁ᵀ μ)            μ: so that J₁ v₁ + ∂g/∂t = 0
//
// Every reaction is a pair at one point, so p and L of the whole stay to rounding while the joints
// work, and the joints hold to rounding with nothing put back. λ is found by repeating
//
//     h²/2 (J₀ M⁻¹ J₀ᵀ) δλ = −g(q₁)
//
// which gains the digits of the turn in a step each time; a step in which a body turns by more than
// about half a radian may not get there, and says so.

#include "poinsot/integrate/system.hpp"

namespace poinsot {

template <class Form>
StepReport splitting(System& system, std::vector<Form>& bodies, double t, double h,
                     Postings& postings);

} // namespace poinsot
