// SPDX-License-Identifier: MIT
#pragma once

// The cones of many contacts by Newton's method through the bodies: what touches is seldom more
// than the bodies can move, and each body touches few others, so that the equations of a step are
// those of springs between bodies. Cost linear in the contacts, and that of a sparse matrix with
// one 6×6 block per body.
//
// With W = J M⁻¹ Jᵀ + s and C = A + B (α + s), which couples rows of one block alone, Newton's step
// Δ of r (cone_path.hpp) moves the bodies by y = M⁻¹ Jᵀ Δ:
//
//     C Δ + B J y = −Φ
//     (M + Jᵀ C⁻¹ B J) y = −Jᵀ C⁻¹ Φ          Δ = −C⁻¹ (Φ + B J y)
//
// A contact that sticks is a spring 1/α here.

#include "poinsot/solve/cone.hpp"

namespace poinsot {

/// For problems made of rows and masses.
ContactAnswer solve_through_bodies(const ContactProblem& problem, const ConeSettings& settings,
                                   const Eigen::VectorXd& start);

} // namespace poinsot
