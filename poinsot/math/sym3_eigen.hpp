// SPDX-License-Identifier: MIT
#pragma once

// Eigenvalues and eigenvectors of a symmetric 3×3 matrix; those who ask need no header of Eigen.

#include "poinsot/math/vec3.hpp"

#include <array>

namespace poinsot {

/// A = Σ value_k axis_k axis_kᵀ, values in ascending order, axes of unit length and either sense.
struct Sym3Eigen {
    std::array<double, 3> value;
    std::array<Vec3<double>, 3> axis;
};
Sym3Eigen eigen_of(const Sym3<double>& A);

} // namespace poinsot
