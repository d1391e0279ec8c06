// SPDX-License-Identifier: MIT
#pragma once

// Projected sweeps with exact cones, warm started: one block after the other is solved as if the
// others were held. The cost of a sweep is that of a product W r, or of visiting each body of each
// row where W is made of rows; the error falls geometrically, slowly in tall piles.
//
// One contact alone, with its own part of W and all else in q, takes off (q_n ≥ 0, r = 0), sticks
// (u = 0) or slides. Sliding, with u_t = −α r_t and u_n = 0, is an equation for one number:
//
//     S = W_tt − W_tn W_nt / W_nn,   c = q_t − W_tn q_n / W_nn
//     r_t(α) = −(S + α)⁻¹ c,         r_n(α) = −(q_n + W_nt r_t) / W_nn
//     |r_t(α)| = μ r_n(α)            positive at α = 0 (it does not stick), negative for α → ∞
//
// by Newton's method between brackets: no step length to choose, nothing that may diverge.
//
// One contact may have several answers (a wedge holds or lets go), and sweeps may run in a circle.
// Where 32 sweeps bring nothing, only three quarters of each change are made, and so on down to an
// eighth.

#include "poinsot/solve/contact_problem.hpp"

namespace poinsot {

struct SweepSettings {
    int sweeps = 1000;        // at most
    double tolerance = 1e-10; // natural residual at which to stop; 0: take all sweeps
    bool keep_history = false;
    StopFlag stop = nullptr;
};

/// From reactions r where they are given, else from none.
Result<ContactAnswer> gauss_seidel(const ContactProblem& problem,
                                   const SweepSettings& settings = {},
                                   const Eigen::VectorXd& start = {});

/// The reaction of one contact alone, normal component first: W has 1 + tangents rows, at most 3.
Eigen::VectorXd one_contact(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, double mu);

} // namespace poinsot
