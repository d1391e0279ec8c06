// SPDX-License-Identifier: MIT
#pragma once

// Complementarity by pivoting:
//
//     w = A f + b,   f ≥ 0,  w ≥ 0,  f · w = 0       and w = 0, f any, for free rows
//
// for any square A, symmetric or not. Free rows are eliminated first. Then [Lemke 1965]:
// w = A f + b + z, with z so large that f = 0 will do, and along complementary bases until z is
// gone; ties go by the lexicographic rule, so that no basis comes twice and the number of pivots is
// finite. The path ends at a solution or on a ray. A ray is proof that there is none for many A
// (positive semidefinite, copositive-plus), not for all: up to ten unknowns are then tried in every
// combination, and a problem without solution (Painlevé's rod) is told from one that pivoting lost.

#include "poinsot/solve/contact_problem.hpp"

namespace poinsot {

struct LcpAnswer {
    enum class End : unsigned char {
        solved,
        none, // every combination was tried: there is no solution
        ray,  // pivoting ended on a ray, and there are too many combinations to try
        lost, // rounding or the limit of pivots came first
    };
    End end = End::lost;
    Eigen::VectorXd f, w; // the best that was found
    double residual = 0;  // largest |min(f, w)|, or |w| of a free row, over the largest |b|, all in
                          // units in which A has diagonal 1
    int pivots = 0;
    int combinations = 0; // tried after the pivots

    bool solved() const { return end == End::solved; }
};
const char* name_of(LcpAnswer::End end);

struct LcpSettings {
    double tolerance = 1e-10; // of the residual
    int most_combined = 10;   // unknowns up to which all combinations are tried
    StopFlag stop = nullptr;
};

/// `free` is empty, or says of each row whether it is free.
Result<LcpAnswer> solve_lcp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                            const std::vector<bool>& free = {}, const LcpSettings& settings = {});

/// Contacts with a pyramid in place of the cone, [Stewart and Trinkle 1996]: friction is a sum of
/// `edges` pushes, evenly spread, and each contact has one more unknown, its speed of slip. With
/// one tangential row two edges are the cone itself. Free rows as they are; bounded ones only
/// (0, ∞); no torsion and rolling. The residual is that of the cone: what the pyramid is off.
Result<ContactAnswer> solve_pyramids(const ContactProblem& problem, int edges = 4,
                                     const LcpSettings& settings = {});

} // namespace poinsot
