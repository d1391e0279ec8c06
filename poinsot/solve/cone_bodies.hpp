// SPDX-License-Identifier: MIT
#pragma once

// The cones of many contacts by Newton's method through the bodies: what touches is seldom more
// than the bodies can move, and each body touches few others, so that the equations of a step are
// those of springs between bodies. Cost linear in the contacts, and that of a sparse matrix with
// one 6×6 block per body.
//
// Rows are scaled, W = J M⁻¹ Jᵀ + s. Where contacts repeat each other W is singular; so each
// problem has a proximal term, r₀ being the answer of the one before:
//
//     u = W r + q + α (r − r₀),    Φ(r, u) = 0,    dΦ = A dr + B du        (cone_map.hpp)
//
// With C = A + B (α + s), which couples rows of one block alone, Newton's step Δ of r moves the
// bodies by y = M⁻¹ Jᵀ Δ:
//
//     C Δ + B J y = −Φ
//     (M + Jᵀ C⁻¹ B J) y = −Jᵀ C⁻¹ Φ          Δ = −C⁻¹ (Φ + B J y)
//
// A contact that sticks is a spring 1/α here. The answers for r₀, r₁, … come to one of the problem
// itself, by a factor α/(α + λ) each, λ the least eigenvalue of W that is not zero; what repeats
// keeps the share that it had. α is small near the answer and grows where Newton's method fails.
//
// Where all this fails, a path of problems with rounded corners (smooth_cone_map) leads from the
// middle of the cones to the neighbourhood of an answer, and Newton's method begins there. Where
// |Φ| has valleys there too, steps that let it rise walk out of them.

#include "poinsot/solve/cone.hpp"

namespace poinsot {

/// For problems made of rows and masses. Not solved within `settings.steps` steps or so: the best
/// that was found.
ContactAnswer solve_through_bodies(const ContactProblem& problem, const ConeSettings& settings,
                                   const Eigen::VectorXd& start);

} // namespace poinsot
