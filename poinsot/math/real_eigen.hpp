// SPDX-License-Identifier: MIT
#pragma once

// Eigenvalues and eigenvectors of a real matrix of any size, by Eigen's real Schur form. Only small
// motions ask for them, once a scene: so they are compiled apart from what runs in every step.

#include <Eigen/Core>

namespace poinsot {

/// A = V D V⁻¹ in real numbers: of a complex pair V has the real and the imaginary part.
struct RealEigen {
    Eigen::VectorXcd values;
    Eigen::MatrixXd vectors;
};
RealEigen eigen_of(const Eigen::MatrixXd& A);

} // namespace poinsot
