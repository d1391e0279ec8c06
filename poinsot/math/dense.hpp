// SPDX-License-Identifier: MIT
#pragma once

// Decompositions of dense matrices of any size. They are Eigen's, compiled once for all who need
// them: each takes a compiler many seconds, and so do Eigen's ways to use a Q, which are not used.

#include <Eigen/Core>

#include <memory>
#include <optional>

namespace poinsot {

/// The root of the sum of squares, of a part or of all.
double norm_of(const Eigen::MatrixXd& A, Eigen::Index first_row, Eigen::Index first_column,
               Eigen::Index rows, Eigen::Index columns);
double norm_of(const Eigen::MatrixXd& A);

/// A P = Q R, the column of the most effect first.
class PivotedQr {
  public:
    explicit PivotedQr(const Eigen::MatrixXd& A);
    ~PivotedQr();

    PivotedQr(PivotedQr&&) noexcept;
    PivotedQr& operator=(PivotedQr&&) noexcept;

    /// Columns whose part of R is below `threshold` times the largest count for nothing.
    Eigen::Index rank(double threshold) const;
    /// The least-squares answer of A x = b.
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
    Eigen::MatrixXd inverse() const;
    Eigen::MatrixXd Q() const;
    /// Q x and Qᵀ x.
    Eigen::VectorXd turned(Eigen::VectorXd x) const;
    Eigen::VectorXd turned_back(Eigen::VectorXd x) const;
    /// P x and Pᵀ x.
    Eigen::VectorXd permuted(const Eigen::VectorXd& x) const;
    Eigen::VectorXd permuted_back(const Eigen::VectorXd& x) const;
    /// Of R x = b and Rᵀ x = b the leading `rank` equations and unknowns.
    Eigen::VectorXd solve_R(Eigen::VectorXd b, Eigen::Index rank) const;
    Eigen::VectorXd solve_R_transposed(Eigen::VectorXd b, Eigen::Index rank) const;
    /// The leading rows of R.
    Eigen::MatrixXd R(Eigen::Index rows) const;
    /// The diagonal of R.
    Eigen::VectorXd pivots() const;

  private:
    std::unique_ptr<Eigen::ColPivHouseholderQR<Eigen::MatrixXd>> parts_;
};

/// Least squares, and the least of all answers where there are many:
///
///     A P = Q (R; 0),   Rᵀ P₂ = Q₂ (R₂; 0)
class CompleteOrthogonal {
  public:
    void factorise(const Eigen::MatrixXd& A, double threshold);
    Eigen::Index rank() const { return rank_; }
    /// A x = b, and Aᵀ x = b.
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
    Eigen::VectorXd solve_transposed(const Eigen::VectorXd& b) const;
    /// The x with A x = 0: P Q₂ e for the last of the columns e.
    Eigen::MatrixXd null_space() const;

  private:
    std::optional<PivotedQr> outer_, inner_;
    Eigen::Index rows_ = 0, columns_ = 0, rank_ = 0;
};

/// A = Q H Qᵀ by reflections 1 − 2 v vᵀ/|v|², one for each column: H, which comes in as A, is zero
/// below its first subdiagonal, and tridiagonal if A is symmetric. Eigen's own makes use of
/// products in blocks, which take a compiler longer than all the rest of its file.
void to_hessenberg(Eigen::MatrixXd& H, Eigen::MatrixXd& Q, Eigen::VectorXd& v);

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
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace poinsot
