// SPDX-License-Identifier: MIT
#pragma once

// SUNDIALS behind our interface: CVODES with Adams's formulas, or with backward differences and
// Newton's method for stiff systems. Postings are integrated beside the motion as quadratures, so
// the books close to the tolerance of the integration.

#include "poinsot/integrate/runge_kutta.hpp"

namespace poinsot {

/// Was this library built with SUNDIALS?
bool stiff_available();

/// Advances over h to the tolerance; stiff: by backward differences.
template <class Form>
StepReport stiff_step(System& system, std::vector<Form>& bodies, double t, double h, bool stiff,
                      const Tolerance& tolerance, Postings& postings);
/// The same for a linkage, on (q, v).
StepReport stiff_step(JointSystem& system, JointMotion& y, double t, double h, bool stiff,
                      const Tolerance& tolerance, Postings& postings);

} // namespace poinsot
