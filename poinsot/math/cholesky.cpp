// SPDX-License-Identifier: MIT
#include "poinsot/math/cholesky.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace poinsot {

bool PivotedCholesky::factorise(const Eigen::MatrixXd& A, double least, double nothing)
{
    const Eigen::Index m = A.rows();
    left_ = A;
    L_.resize(m, m);
    d_.resize(m);
    order_.resize(static_cast<std::size_t>(m));
    std::iota(order_.begin(), order_.end(), Eigen::Index{0});
    for (rank_ = 0; rank_ < m; ++rank_) {
        const Eigen::Index k = rank_;
        auto best = order_.begin() + k;
        for (auto other = best; other != order_.end(); ++other)
            if (left_(*other, *other) > left_(*best, *best))
                best = other;
        std::swap(order_[static_cast<std::size_t>(k)], *best);
        const Eigen::Index p = order_[static_cast<std::size_t>(k)];
        const double pivot = left_(p, p);
        if (!(pivot > least))
            return std::abs(pivot) < nothing;
        double* l = L_.data() + k * m;
        const double* column = left_.data() + p * m;
        d_(k) = pivot;
        for (Eigen::Index i = 0; i < m; ++i)
            l[i] = column[i] / pivot;
        for (Eigen::Index before = 0; before < k; ++before)
            l[order_[static_cast<std::size_t>(before)]] = 0;
        for (Eigen::Index next = k + 1; next < m; ++next) {
            const Eigen::Index j = order_[static_cast<std::size_t>(next)];
            const double factor = column[j];
            if (factor == 0) // loops that share no joint
                continue;
            double* rest = left_.data() + j * m;
            for (Eigen::Index i = 0; i < m; ++i)
                rest[i] -= factor * l[i];
        }
    }
    return true;
}

void PivotedCholesky::solve(Eigen::VectorXd& b) const
{
    const Eigen::Index m = L_.rows();
    // L y = b, then D Lᵀ x = y.
    for (Eigen::Index k = 0; k < m; ++k) {
        const Eigen::Index p = order_[static_cast<std::size_t>(k)];
        const double y = b(p);
        for (Eigen::Index i = 0; i < m; ++i)
            b(i) -= L_(i, k) * y;
        b(p) = y;
    }
    for (Eigen::Index k = m; k-- > 0;) {
        const Eigen::Index p = order_[static_cast<std::size_t>(k)];
        double x = b(p) / d_(k);
        b(p) = 0;
        for (Eigen::Index i = 0; i < m; ++i)
            x -= L_(i, k) * b(i);
        b(p) = x;
    }
}

bool LeastAnswer::factorise(const Eigen::MatrixXd& A, double least, double nothing)
{
    if (!outer_.factorise(A, least, nothing))
        return false;
    const Eigen::Index r = rank();
    if (r == A.rows())
        return true;
    square_.resize(r, r);
    for (Eigen::Index i = 0; i < r; ++i)
        for (Eigen::Index k = 0; k <= i; ++k) {
            double sum = 0;
            for (Eigen::Index row = 0; row < A.rows(); ++row)
                sum += outer_.L(i)(row) * outer_.L(k)(row);
            square_(i, k) = square_(k, i) = sum;
        }
    within_.resize(r);
    return inner_.factorise(square_, 0, 0);
}

void LeastAnswer::solve(Eigen::VectorXd& b)
{
    if (rank() == b.size())
        return outer_.solve(b);
    for (Eigen::Index k = 0; k < rank(); ++k) {
        within_(k) = 0;
        for (Eigen::Index i = 0; i < b.size(); ++i)
            within_(k) += outer_.L(k)(i) * b(i);
    }
    inner_.solve(within_);
    for (Eigen::Index k = 0; k < rank(); ++k)
        within_(k) /= outer_.d(k);
    inner_.solve(within_);
    b.setZero();
    for (Eigen::Index k = 0; k < rank(); ++k)
        for (Eigen::Index i = 0; i < b.size(); ++i)
            b(i) += outer_.L(k)(i) * within_(k);
}

} // namespace poinsot
