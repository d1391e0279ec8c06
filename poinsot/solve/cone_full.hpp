// SPDX-License-Identifier: MIT
#pragma once

// The cones of a W that is given by its numbers, as joint coordinates give it, along the path of
// cone_path.hpp. A step solves
//
//     (A + B (W + α)) Δ = −Φ            n³/3 products

#include "poinsot/solve/cone.hpp"

namespace poinsot {

ContactAnswer solve_in_full(const ContactProblem& problem, const ConeSettings& settings,
                            const Eigen::VectorXd& start);

} // namespace poinsot
