// SPDX-License-Identifier: MIT
#include "poinsot/math/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace poinsot {

PivotedQr::PivotedQr(const Eigen::MatrixXd& A)
    : parts_(std::make_unique<Eigen::ColPivHouseholderQR<Eigen::MatrixXd>>(A))
{
}
PivotedQr::~PivotedQr() = default;

Eigen::Index PivotedQr::rank(double threshold) const
{
    const double least = threshold * std::abs(parts_->maxPivot());
    Eigen::Index rank = 0;
    for (Eigen::Index i = 0; i < parts_->nonzeroPivots(); ++i)
        rank += std::abs(parts_->matrixQR()(i, i)) > least;
    return rank;
}
Eigen::VectorXd PivotedQr::solve(const Eigen::VectorXd& b) const
{
    return parts_->solve(b);
}
Eigen::MatrixXd PivotedQr::inverse() const
{
    Eigen::MatrixXd made(parts_->cols(), parts_->rows());
    for (Eigen::Index i = 0; i < parts_->rows(); ++i)
        made.col(i) = solve(Eigen::VectorXd::Unit(parts_->rows(), i));
    return made;
}
Eigen::MatrixXd PivotedQr::Q() const
{
    return parts_->householderQ();
}
Eigen::VectorXd PivotedQr::pivots() const
{
    return parts_->matrixQR().diagonal();
}

CompleteOrthogonal::CompleteOrthogonal()
    : parts_(std::make_unique<Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>>())
{
}
CompleteOrthogonal::~CompleteOrthogonal() = default;

void CompleteOrthogonal::factorise(const Eigen::MatrixXd& A, double threshold)
{
    parts_->setThreshold(threshold);
    parts_->compute(A);
}
Eigen::Index CompleteOrthogonal::rank() const
{
    return parts_->rank();
}
Eigen::VectorXd CompleteOrthogonal::solve(const Eigen::VectorXd& b) const
{
    return parts_->solve(b);
}
Eigen::VectorXd CompleteOrthogonal::solve_transposed(const Eigen::VectorXd& b) const
{
    return parts_->transpose().solve(b);
}
Eigen::MatrixXd CompleteOrthogonal::null_space() const
{
    return parts_->colsPermutation() *
           parts_->matrixZ().transpose().rightCols(parts_->cols() - parts_->rank());
}

RealEigen eigen_of(const Eigen::MatrixXd& A)
{
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
    return {solver.eigenvalues(), solver.pseudoEigenvectors()};
}

SymmetricEigen::SymmetricEigen()
    : parts_(std::make_unique<Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>>())
{
}
SymmetricEigen::~SymmetricEigen() = default;
SymmetricEigen::SymmetricEigen(SymmetricEigen&&) noexcept = default;
SymmetricEigen& SymmetricEigen::operator=(SymmetricEigen&&) noexcept = default;

void SymmetricEigen::factorise(const Eigen::MatrixXd& A)
{
    parts_->compute(A);
}
const Eigen::VectorXd& SymmetricEigen::values() const
{
    return parts_->eigenvalues();
}
const Eigen::MatrixXd& SymmetricEigen::vectors() const
{
    return parts_->eigenvectors();
}

} // namespace poinsot
