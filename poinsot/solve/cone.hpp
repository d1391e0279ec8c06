// SPDX-License-Identifier: MIT
#pragma once

// Contact with Coulomb's cone to the last digit, by Newton's method for the zeros of Φ
// (cone_map.hpp), which converges quadratically from nearby, along one path (cone_path.hpp)
// whatever W is made of:
//
//     rows and masses, with joints among them    joints are taken out first   cone_held.hpp
//     rows and masses                            through the bodies           cone_bodies.hpp
//     W by its numbers                           as a dense matrix            cone_full.hpp
//
// Each is tried where the one before has not solved a problem, the last with at most `dense_rows`
// rows, at a cost of n³ per step.

#include "poinsot/solve/contact_problem.hpp"

namespace poinsot {

struct ConeSettings {
    double tolerance = 1e-10; // natural residual, see contact_problem.hpp
    int sweeps = 16;          // of Gauss–Seidel before the first step; twice as many each time
    int steps = 40;           // of Newton each time
    int eased = 20;           // problems with a proximal term after it
    int rounds = 8;           // how many times all this
    int dense_rows = 240;     // no more are taken as a dense matrix after all else
    int newton_rows = 1000;   // of a W that is given: a step takes seconds then, and with more rows
                              // there are sweeps alone
    bool thorough = true;     // else what Newton's method does not find soon is not looked for
    StopFlag stop = nullptr;
};

/// From reactions r where they are given, else from none. Given ones that solve the problem to
/// 1e-13, or to rounding where that is more, are the answer. A problem without a solution, or one
/// that was not found, is an answer with `solved` false.
Result<ContactAnswer> solve_cones(const ContactProblem& problem, const ConeSettings& settings = {},
                                  const Eigen::VectorXd& start = {});

} // namespace poinsot
