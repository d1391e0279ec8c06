// SPDX-License-Identifier: MIT
#pragma once

// Frictionless resting contact as a quadratic programme:
//
//     ½ fᵀ A f + b · f → min,    lower ≤ f ≤ upper        A symmetric, positive semidefinite
//
// whose multipliers w = A f + b are the speeds: zero inside the bounds, ≥ 0 on a lower one, ≤ 0 on
// an upper one. A joint has no bounds, a contact (0, ∞), a motor (−F, F). By an active set: the row
// that violates most is let go, it and the rows that move already go to their minimum or until one
// meets its bound. A row that depends on those that move (A is singular where contacts repeat each
// other) goes along the idle direction until one of them is stopped: the value falls all the same.
// If nothing stops it the value has no bound: no reactions keep all speeds from being negative.
//
// A minimum is unique in w, and in f where A is positive definite.

#include "poinsot/base/result.hpp"

#include <Eigen/Core>

namespace poinsot {

struct QpAnswer {
    enum class End : unsigned char {
        solved,
        unbounded, // no w ≥ 0 exists
        lost,      // rounding, or the limit of steps, came first
    };
    End end = End::lost;
    Eigen::VectorXd f, w;
    double residual = 0; // largest |f − clamp(f − w)| over the largest |b|, in units in which A has
                         // diagonal 1
    int steps = 0;

    bool solved() const { return end == End::solved; }
};
const char* name_of(QpAnswer::End end);

struct QpSettings {
    double tolerance = 1e-10; // of the residual
};

/// Bounds may be infinite; left empty they are 0 and ∞.
Result<QpAnswer> solve_qp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                          const Eigen::VectorXd& lower = {}, const Eigen::VectorXd& upper = {},
                          const QpSettings& settings = {});

} // namespace poinsot
