// SPDX-License-Identifier: MIT
#pragma once

// Decompositions of dense matrices of any size. They are Eigen's, compiled once for all who need
// them: each takes a compiler many seconds.

#include <Eigen/Core>

#include <complex>
#include <memory>

namespace Eigen {
template <typename Matrix>
class SelfAdjointEigenSolver;
}

namespace poinsot {

/// A P = Q R, the column of the most effect first.
class PivotedQr {
  public:
    explicit PivotedQr(const Eigen::MatrixXd& A);
    ~PivotedQr();

    /// Columns whose part of R is below `threshold` times the largest count for nothing.
    Eigen::Index rank(double threshold) const;
    /// The least-squares answer of A x = b.
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
    Eigen::MatrixXd inverse() const;
    Eigen::MatrixXd Q() const;
    /// The diagonal of R.
    Eigen::VectorXd pivots() const;

  private:
    std::unique_ptr<Eigen::ColPivHouseholderQR<Eigen::MatrixXd>> parts_;
};

/// A P = Q T Z: least squares, and the least of all answers where there are many.
class CompleteOrthogonal {
  public:
    CompleteOrthogonal();
    ~CompleteOrthogonal();

    void factorise(const Eigen::MatrixXd& A, double threshold);
    Eigen::Index rank() const;
    /// A x = b, and Aᵀ x = b.
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
    Eigen::VectorXd solve_transposed(const Eigen::VectorXd& b) const;
    /// The x with A x = 0: P Zᵀ e for the last of the columns e.
    Eigen::MatrixXd null_space() const;

  private:
    std::unique_ptr<Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>> parts_;
};

/// A = V D V⁻¹ in real numbers: of a complex pair V has the real and the imaginary part.
struct RealEigen {
    Eigen::VectorXcd values;
    Eigen::MatrixXd vectors;
};
RealEigen eigen_of(const Eigen::MatrixXd& A);

/// A = Q D Qᵀ of a symmetric A, values in ascending order.
class SymmetricEigen {
  public:
    SymmetricEigen();
    ~SymmetricEigen();
    SymmetricEigen(SymmetricEigen&&) noexcept;
    SymmetricEigen& operator=(SymmetricEigen&&) noexcept;

    void factorise(const Eigen::MatrixXd& A);
    const Eigen::VectorXd& values() const;
    const Eigen::MatrixXd& vectors() const;

  private:
    std::unique_ptr<Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>> parts_;
};

} // namespace poinsot
