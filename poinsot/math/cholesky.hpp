// SPDX-License-Identifier: MIT
#pragma once

// A = L D Lᵀ of a symmetric matrix that has no negative eigenvalue, the largest pivot first:
//
//     d_k = e_pᵀ A_k e_p,   l_k = A_k e_p / d_k,   A_{k+1} = A_k − d_k l_k l_kᵀ
//
// p is the largest left on the diagonal; rows and columns stay where they are. After r steps, r the
// rank, nothing is left. Of all x that come closest to A x = b the smallest is
//
//     A⁺ b = L (Lᵀ L)⁻¹ D⁻¹ (Lᵀ L)⁻¹ Lᵀ b           L⁻ᵀ D⁻¹ L⁻¹ b, if the rank is full

#include <Eigen/Core>

#include <vector>

namespace poinsot {

class PivotedCholesky {
  public:
    /// Pivots must be above `least` until all that is left on the diagonal is below `nothing`: then
    /// the rank is clear. False where it is not; then there is nothing to solve with.
    bool factorise(const Eigen::MatrixXd& A, double least, double nothing);
    Eigen::Index rank() const { return rank_; }
    /// The row of the k-th pivot; from the rank on, rows of which nothing was left.
    Eigen::Index row(Eigen::Index k) const { return order_[static_cast<std::size_t>(k)]; }
    /// A x = b of full rank; b becomes x.
    void solve(Eigen::VectorXd& b) const;
    double d(Eigen::Index k) const { return d_(k); }
    /// Column k < rank, zero in the rows of the pivots before.
    auto L(Eigen::Index k) const { return L_.col(k); }

  private:
    Eigen::MatrixXd left_, L_;
    Eigen::VectorXd d_;
    std::vector<Eigen::Index> order_;
    Eigen::Index rank_ = 0;
};

/// A⁺ b by Cholesky.
class LeastAnswer {
  public:
    bool factorise(const Eigen::MatrixXd& A, double least, double nothing);
    Eigen::Index rank() const { return outer_.rank(); }
    /// b becomes x.
    void solve(Eigen::VectorXd& b);

  private:
    PivotedCholesky outer_, inner_; // of A, and of Lᵀ L where A is singular
    Eigen::MatrixXd square_;
    Eigen::VectorXd within_;
};

} // namespace poinsot
