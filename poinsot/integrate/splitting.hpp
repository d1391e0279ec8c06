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

#include "poinsot/integrate/system.hpp"

namespace poinsot {

template <class Form>
StepReport splitting(System& system, std::vector<Form>& bodies, double t, double h,
                     Postings& postings);

} // namespace poinsot
