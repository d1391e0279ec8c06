// SPDX-License-Identifier: MIT
#include "poinsot/math/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace poinsot {

double norm_of(const Eigen::MatrixXd& A, Eigen::Index first_row, Eigen::Index first_column,
               Eigen::Index rows, Eigen::Index columns)
{
    double sum = 0;
    for (Eigen::Index c = first_column; c < first_column + columns; ++c)
        for (Eigen::Index r = first_row; r < first_row + rows; ++r)
            sum += A(r, c) * A(r, c);
    return std::sqrt(sum);
}
double norm_of(const Eigen::MatrixXd& A)
{
    return norm_of(A, 0, 0, A.rows(), A.cols());
}

PivotedQr::PivotedQr(const Eigen::MatrixXd& A)
    : parts_(std::make_unique<Eigen::ColPivHouseholderQR<Eigen::MatrixXd>>(A))
{
}
PivotedQr::~PivotedQr() = default;
PivotedQr::PivotedQr(PivotedQr&&) noexcept = default;
PivotedQr& PivotedQr::operator=(PivotedQr&&) noexcept = default;

Eigen::Index PivotedQr::rank(double threshold) const
{
    const double least = threshold * std::abs(parts_->maxPivot());
    Eigen::Index rank = 0;
    for (Eigen::Index i = 0; i < parts_->nonzeroPivots(); ++i)
        rank += std::abs(parts_->matrixQR()(i, i)) > least;
    return rank;
}
// Q = H₀ H₁ …, H_k = 1 − τ_k v vᵀ with v = (0, …, 1, what stands below the diagonal in column k).
namespace {

void reflect(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Eigen::Index k,
             Eigen::VectorXd& x)
{
    const Eigen::MatrixXd& v = qr.matrixQR();
    double along = x(k);
    for (Eigen::Index i = k + 1; i < x.size(); ++i)
        along += v(i, k) * x(i);
    along *= qr.hCoeffs()(k);
    x(k) -= along;
    for (Eigen::Index i = k + 1; i < x.size(); ++i)
        x(i) -= along * v(i, k);
}

} // namespace

Eigen::VectorXd PivotedQr::turned(Eigen::VectorXd x) const
{
    for (Eigen::Index k = parts_->hCoeffs().size(); k-- > 0;)
        reflect(*parts_, k, x);
    return x;
}
Eigen::VectorXd PivotedQr::turned_back(Eigen::VectorXd x) const
{
    for (Eigen::Index k = 0; k < parts_->hCoeffs().size(); ++k)
        reflect(*parts_, k, x);
    return x;
}
Eigen::VectorXd PivotedQr::permuted(const Eigen::VectorXd& x) const
{
    Eigen::VectorXd made(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i)
        made(parts_->colsPermutation().indices()(i)) = x(i);
    return made;
}
Eigen::VectorXd PivotedQr::permuted_back(const Eigen::VectorXd& x) const
{
    Eigen::VectorXd made(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i)
        made(i) = x(parts_->colsPermutation().indices()(i));
    return made;
}
Eigen::VectorXd PivotedQr::solve_R(Eigen::VectorXd b, Eigen::Index rank) const
{
    b.conservativeResize(rank);
    for (Eigen::Index i = rank; i-- > 0;) {
        for (Eigen::Index j = i + 1; j < rank; ++j)
            b(i) -= parts_->matrixQR()(i, j) * b(j);
        b(i) /= parts_->matrixQR()(i, i);
    }
    return b;
}
Eigen::VectorXd PivotedQr::solve_R_transposed(Eigen::VectorXd b, Eigen::Index rank) const
{
    b.conservativeResize(rank);
    for (Eigen::Index i = 0; i < rank; ++i) {
        for (Eigen::Index j = 0; j < i; ++j)
            b(i) -= parts_->matrixQR()(j, i) * b(j);
        b(i) /= parts_->matrixQR()(i, i);
    }
    return b;
}
Eigen::MatrixXd PivotedQr::R(Eigen::Index rows) const
{
    Eigen::MatrixXd made = parts_->matrixQR().topRows(rows);
    for (Eigen::Index i = 0; i < rows; ++i)
        made.row(i).head(i).setZero();
    return made;
}
Eigen::VectorXd PivotedQr::solve(const Eigen::VectorXd& b) const
{
    Eigen::VectorXd x = solve_R(turned_back(b), parts_->nonzeroPivots());
    x.conservativeResizeLike(Eigen::VectorXd::Zero(parts_->cols()));
    return permuted(x);
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
    Eigen::MatrixXd made(parts_->rows(), parts_->rows());
    for (Eigen::Index i = 0; i < parts_->rows(); ++i)
        made.col(i) = turned(Eigen::VectorXd::Unit(parts_->rows(), i));
    return made;
}
Eigen::VectorXd PivotedQr::pivots() const
{
    return parts_->matrixQR().diagonal();
}

void CompleteOrthogonal::factorise(const Eigen::MatrixXd& A, double threshold)
{
    rows_ = A.rows();
    columns_ = A.cols();
    outer_.emplace(A);
    rank_ = outer_->rank(threshold);
    inner_.emplace(outer_->R(rank_).transpose());
}
Eigen::VectorXd CompleteOrthogonal::solve(const Eigen::VectorXd& b) const
{
    const Eigen::VectorXd c = outer_->turned_back(b).head(rank_);
    Eigen::VectorXd x = inner_->solve_R_transposed(inner_->permuted_back(c), rank_);
    x.conservativeResizeLike(Eigen::VectorXd::Zero(columns_));
    return outer_->permuted(inner_->turned(x));
}
Eigen::VectorXd CompleteOrthogonal::solve_transposed(const Eigen::VectorXd& b) const
{
    const Eigen::VectorXd c = inner_->turned_back(outer_->permuted_back(b));
    Eigen::VectorXd x = inner_->permuted(inner_->solve_R(c, rank_));
    x.conservativeResizeLike(Eigen::VectorXd::Zero(rows_));
    return outer_->turned(x);
}
Eigen::MatrixXd CompleteOrthogonal::null_space() const
{
    Eigen::MatrixXd made(columns_, columns_ - rank_);
    for (Eigen::Index i = rank_; i < columns_; ++i)
        made.col(i - rank_) = outer_->permuted(inner_->turned(Eigen::VectorXd::Unit(columns_, i)));
    return made;
}

void to_hessenberg(Eigen::MatrixXd& H, Eigen::MatrixXd& Q, Eigen::VectorXd& v)
{
    const Eigen::Index n = H.rows();
    Q.setIdentity(n, n);
    v.resize(n);
    for (Eigen::Index k = 0; k + 2 < n; ++k) {
        double largest = 0, square = 0;
        for (Eigen::Index i = k + 2; i < n; ++i)
            largest = std::max(largest, std::abs(H(i, k)));
        if (largest == 0)
            continue;
        largest = std::max(largest, std::abs(H(k + 1, k)));
        for (Eigen::Index i = k + 1; i < n; ++i) {
            v(i) = H(i, k) / largest;
            square += v(i) * v(i);
        }
        const double size = std::copysign(std::sqrt(square), v(k + 1));
        square += size * v(k + 1); // half of |v|² once its first component has grown by `size`
        v(k + 1) += size;
        for (Eigen::Index c = k; c < n; ++c) {
            double along = 0;
            for (Eigen::Index i = k + 1; i < n; ++i)
                along += v(i) * H(i, c);
            for (Eigen::Index i = k + 1; i < n; ++i)
                H(i, c) -= along / square * v(i);
        }
        for (Eigen::MatrixXd* X : {&H, &Q})
            for (Eigen::Index r = 0; r < n; ++r) {
                double along = 0;
                for (Eigen::Index i = k + 1; i < n; ++i)
                    along += v(i) * (*X)(r, i);
                for (Eigen::Index i = k + 1; i < n; ++i)
                    (*X)(r, i) -= along / square * v(i);
            }
        for (Eigen::Index i = k + 2; i < n; ++i)
            H(i, k) = 0;
    }
}

struct SymmetricEigen::Parts {
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    Eigen::MatrixXd H, Q, vectors;
    Eigen::VectorXd v, diagonal, beside;
};

SymmetricEigen::SymmetricEigen() : parts_(std::make_unique<Parts>()) {}
SymmetricEigen::~SymmetricEigen() = default;
SymmetricEigen::SymmetricEigen(SymmetricEigen&&) noexcept = default;
SymmetricEigen& SymmetricEigen::operator=(SymmetricEigen&&) noexcept = default;

void SymmetricEigen::factorise(const Eigen::MatrixXd& A)
{
    Parts& p = *parts_;
    p.H = A;
    to_hessenberg(p.H, p.Q, p.v);
    p.diagonal = p.H.diagonal();
    p.beside.resize(std::max<Eigen::Index>(A.rows() - 1, 0));
    for (Eigen::Index i = 0; i < p.beside.size(); ++i)
        p.beside(i) = p.H(i + 1, i);
    p.solver.computeFromTridiagonal(p.diagonal, p.beside, Eigen::ComputeEigenvectors);
    p.vectors = p.Q.lazyProduct(p.solver.eigenvectors());
}
const Eigen::VectorXd& SymmetricEigen::values() const
{
    return parts_->solver.eigenvalues();
}
const Eigen::MatrixXd& SymmetricEigen::vectors() const
{
    return parts_->vectors;
}

} // namespace poinsot
