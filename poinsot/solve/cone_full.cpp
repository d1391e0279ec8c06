// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone_full.hpp"

#include "poinsot/solve/cone_path.hpp"

#include <cmath>

namespace poinsot {

namespace {

class RowsInFull final : public ConeNewton {
  public:
    RowsInFull(const ContactProblem& problem, StopFlag stop) : ConeNewton(stop)
    {
        const Eigen::Index n = problem.q.size();
        d_ = cone_scales(problem.blocks, problem.W.diagonal());
        blocks_ = scaled_blocks(problem.blocks, d_);
        q_.resize(n);
        W_.resize(n, n);
        for (Eigen::Index j = 0; j < n; ++j) {
            q_(j) = problem.q(j) * d_(j);
            for (Eigen::Index i = 0; i < n; ++i)
                W_(i, j) = problem.W(i, j) * d_(i) * d_(j);
        }
        size_ = sum_of_squares(q_);
        u_.resize(n);
        phi_.resize(n);
    }

    bool plain() const override { return true; }

  private:
    void speeds(const Eigen::VectorXd& x) override
    {
        u_ = q_;
        for (Eigen::Index j = 0; j < x.size(); ++j)
            for (Eigen::Index i = 0; i < x.size(); ++i)
                u_(i) += W_(i, j) * x(j);
    }
    bool step(const Eigen::VectorXd& x, double alpha, Eigen::VectorXd& by) override;

    // By rows: elimination goes along them.
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    ByRows W_, D_;
};

bool RowsInFull::step(const Eigen::VectorXd& x, double alpha, Eigen::VectorXd& by)
{
    const Eigen::Index n = x.size();
    D_.setZero(n, n);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const ContactBlock& block = blocks_[b];
        ConeSlopes slopes;
        map(b, x, &slopes);
        for (int i = 0; i < block.rows; ++i) {
            double* const row = &D_(block.first + i, 0);
            by(block.first + i) = -phi_(block.first + i);
            for (int k = 0; k < block.rows; ++k) {
                const auto at = static_cast<std::size_t>(i), to = static_cast<std::size_t>(k);
                const double of_u = slopes.B[at][to], *const W = &W_(block.first + k, 0);
                for (Eigen::Index j = 0; of_u != 0 && j < n; ++j)
                    row[j] += of_u * W[j];
                row[block.first + k] += slopes.A[at][to] + alpha * of_u;
            }
        }
    }
    // Gauss, rows exchanged for the largest pivot.
    for (Eigen::Index k = 0; k < n; ++k) {
        Eigen::Index best = k;
        for (Eigen::Index i = k + 1; i < n; ++i)
            best = std::abs(D_(i, k)) > std::abs(D_(best, k)) ? i : best;
        if (!(std::abs(D_(best, k)) > 0))
            return false;
        if (best != k) {
            for (Eigen::Index j = k; j < n; ++j)
                std::swap(D_(k, j), D_(best, j));
            std::swap(by(k), by(best));
        }
        const double* const pivot = &D_(k, 0);
        for (Eigen::Index i = k + 1; i < n; ++i) {
            double* const row = &D_(i, 0);
            const double part = row[k] / pivot[k];
            if (part == 0)
                continue;
            for (Eigen::Index j = k + 1; j < n; ++j)
                row[j] -= part * pivot[j];
            by(i) -= part * by(k);
        }
    }
    for (Eigen::Index i = n; i-- > 0;) {
        double sum = by(i);
        for (Eigen::Index j = i + 1; j < n; ++j)
            sum -= D_(i, j) * by(j);
        by(i) = sum / D_(i, i);
        if (!std::isfinite(by(i)))
            return false;
    }
    return true;
}

} // namespace

ContactAnswer solve_in_full(const ContactProblem& problem, const ConeSettings& settings,
                            const Eigen::VectorXd& start)
{
    RowsInFull rows(problem, settings.stop);
    return solve_along_path(rows, problem, settings, start, settings.rounds, true);
}

} // namespace poinsot
