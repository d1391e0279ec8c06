// SPDX-License-Identifier: MIT
#pragma once

// What contacts see of a dense W while joints hold. Many joints are taken out along their tree
// instead (cone_held.hpp); this is for the blow of one contact and for the energy of an answer,
// where W is at hand.

#include "poinsot/math/dense.hpp"
#include "poinsot/solve/contact_problem.hpp"
#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <vector>

namespace poinsot {

/// W − W_f W_ff⁺ W_fᵀ over the free rows f, and the reactions of the joints, −W_ff⁺ W_fᵀ r.
class HeldRows {
  public:
    explicit HeldRows(const ContactProblem& problem) : W_(delassus_of(problem))
    {
        for (const ContactBlock& block : problem.blocks)
            for (int i = 0; block.law == ContactBlock::Law::free && i < block.rows; ++i)
                free_.push_back(block.first + i);
        if (free_.empty())
            return;
        const Eigen::Index n = W_.rows(), m = static_cast<Eigen::Index>(free_.size());
        Eigen::MatrixXd A(m, m);
        scale_.resize(m);
        for (Eigen::Index i = 0; i < m; ++i)
            scale_(i) = unit_scale(W_(row(i), row(i)));
        for (Eigen::Index j = 0; j < m; ++j)
            for (Eigen::Index i = 0; i < m; ++i)
                A(i, j) = scale_(i) * scale_(j) * W_(row(i), row(j));
        factors_.factorise(A, 1e-12); // rows that repeat each other: the least reactions
        full_ = W_;
        reply_.resize(m, n);
        Eigen::VectorXd column(n);
        for (Eigen::Index j = 0; j < n; ++j) {
            for (Eigen::Index i = 0; i < n; ++i)
                column(i) = full_(i, j);
            const Eigen::VectorXd x = reply_to(column);
            for (Eigen::Index i = 0; i < m; ++i)
                reply_(i, j) = x(i);
            for (Eigen::Index i = 0; i < n; ++i)
                W_(i, j) = held(column, x, i);
        }
        // A row that joints hold fast keeps a trace of W, and no reaction since nothing moves it.
        for (Eigen::Index i = 0; i < n; ++i)
            W_(i, i) = std::max(W_(i, i), 1e-13 * full_(i, i));
    }
    // What is left of speeds that loads make.
    Eigen::VectorXd held(Eigen::VectorXd speeds) const
    {
        if (free_.empty())
            return speeds;
        const Eigen::VectorXd given = speeds, x = reply_to(given);
        for (Eigen::Index i = 0; i < speeds.size(); ++i)
            speeds(i) = held(given, x, i);
        return speeds;
    }
    Eigen::MatrixXd own(const ContactBlock& block) const
    {
        Eigen::MatrixXd part(block.rows, block.rows);
        for (int j = 0; j < block.rows; ++j)
            for (int i = 0; i < block.rows; ++i)
                part(i, j) = W_(block.first + i, block.first + j);
        return part;
    }
    double between(int i, int j) const { return W_(i, j); }
    void add_reply(Eigen::VectorXd& r) const
    {
        for (std::size_t k = 0; k < free_.size(); ++k) {
            double sum = 0;
            for (Eigen::Index j = 0; j < r.size(); ++j)
                if (std::find(free_.begin(), free_.end(), j) == free_.end())
                    sum += reply_(static_cast<Eigen::Index>(k), j) * r(j);
            r(free_[k]) += sum;
        }
    }

  private:
    Eigen::Index row(Eigen::Index i) const { return free_[static_cast<std::size_t>(i)]; }
    // Reactions of the joints that take away their part of these speeds.
    Eigen::VectorXd reply_to(const Eigen::VectorXd& speeds) const
    {
        Eigen::VectorXd b(scale_.size());
        for (Eigen::Index i = 0; i < b.size(); ++i)
            b(i) = -scale_(i) * speeds(row(i));
        Eigen::VectorXd x = factors_.solve(b);
        for (Eigen::Index i = 0; i < x.size(); ++i)
            x(i) *= scale_(i);
        return x;
    }
    double held(const Eigen::VectorXd& speeds, const Eigen::VectorXd& x, Eigen::Index i) const
    {
        double left = speeds(i);
        for (Eigen::Index k = 0; k < x.size(); ++k)
            left += full_(i, row(k)) * x(k);
        return left;
    }

    Eigen::MatrixXd W_, full_, reply_;
    Eigen::VectorXd scale_;
    CompleteOrthogonal factors_;
    std::vector<Eigen::Index> free_;
};

} // namespace poinsot
