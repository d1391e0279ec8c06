// SPDX-License-Identifier: MIT
#pragma once

// Contact of bodies that joints hold: what joints do is taken out first.
//
//     u_f = 0 of the free rows f            r_f = −W_ff⁻¹ (W_fc r_c + q_f)
//     u_c = H r_c + q_h,                    H = W_cc − W_cf W_ff⁻¹ W_fc
//                                           q_h = q_c − W_cf W_ff⁻¹ q_f
//
// A column of H is how the rows c move when one of them pulls at bodies that their joints hold: one
// answer of sparse multipliers (tree_direct.hpp), whose time is linear. What is left has no more
// rows than touch, limits and motors have, and is solved as a dense matrix; in joint coordinates
// the same problem is met from the start. A robot that stands on the ground has some ten such rows
// beside a hundred of its joints, and these are linear: Newton's method has nothing to do there.

#include "poinsot/solve/cone.hpp"

namespace poinsot {

/// Are there joints, and at most so many other rows?
bool joints_hold(const ContactProblem& problem, int most_others);

/// Of a problem made of rows and masses, with joints in it.
ContactAnswer solve_held(const ContactProblem& problem, const ConeSettings& settings,
                         const Eigen::VectorXd& start);

} // namespace poinsot
