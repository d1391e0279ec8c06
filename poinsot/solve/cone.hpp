// SPDX-License-Identifier: MIT
#pragma once

// Contact with Coulomb's cone to the last digit, by Newton's method for the zeros of Φ
// (cone_map.hpp), which converges quadratically from nearby. Sweeps of Gauss–Seidel bring it there.
//
// A problem made of rows and masses is solved through the bodies (cone_bodies.hpp). One that gives
// W itself, or one of at most `dense_rows` rows that this has not solved, is taken as it is, at a
// cost of n³ per step. Where W is singular, because rows repeat each other, reactions are not
// unique and the derivative has no inverse: each step is Levenberg's and Marquardt's,
//
//     |Φ' d + Φ|² + λ |d|² → min,    λ in proportion to |Φ|²
//
// which keeps its order there. Steps are shortened until |Φ| falls. Where no step makes it fall,
// problems with a proximal term α (r − r₀) in u are solved, r₀ the solution of the one before and α
// falling; if Newton's method fails from there too, Gauss–Seidel goes on for twice as many sweeps.

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
    StopFlag stop = nullptr;
};

/// From reactions r where they are given, else from none. Given ones that solve the problem to
/// 1e-13, or to rounding where that is more, are the answer. A problem without a solution, or one
/// that was not found, is an answer with `solved` false.
Result<ContactAnswer> solve_cones(const ContactProblem& problem, const ConeSettings& settings = {},
                                  const Eigen::VectorXd& start = {});

} // namespace poinsot
