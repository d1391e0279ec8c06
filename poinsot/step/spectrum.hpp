// SPDX-License-Identifier: MIT
#pragma once

// Eigenvalues of small motions, ẋ = A x with x = (places, speeds): which of them are zero, and how
// far each can be trusted.

#include "poinsot/math/real_eigen.hpp"

#include <span>
#include <vector>

namespace poinsot {

struct Eigenvalue {
    double re, im; // 1/s
    double error;  // estimate, from that of A and the condition of this one

    double frequency() const;     // Hz
    double damping_ratio() const; // 1: critical, or real and falling; negative: it grows
};

/// Eigenvalues by ascending real part, then imaginary part. Those that are zero are only counted: a
/// chain of them, as of a place and its speed, would come out as numbers near the root of rounding.
struct Spectrum {
    std::vector<Eigenvalue> eigenvalues;
    int neutral = 0;
};
/// Of n rows of n numbers, of which the first `places` are displacements and the others speeds.
/// `error` is that of A, relative.
Spectrum spectrum_of(std::span<const double> A, std::size_t n, std::size_t places, double error);

/// Speeds counted in a unit of time of the motion's own, so that places and speeds are alike: the
/// factor of the speeds, and A in that unit.
double natural_rate(const Eigen::MatrixXd& A, Eigen::Index places);
Eigen::MatrixXd in_natural_time(Eigen::MatrixXd A, Eigen::Index places, double rate);

} // namespace poinsot
