// SPDX-License-Identifier: MIT
#include "poinsot/solve/qp.hpp"

#include "poinsot/math/dense.hpp"
#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace poinsot {

const char* name_of(QpAnswer::End end)
{
    switch (end) {
    case QpAnswer::End::solved:
        return "solved";
    case QpAnswer::End::unbounded:
        return "there is no minimum: no reactions keep all speeds from being negative";
    case QpAnswer::End::lost:
        break;
    }
    return "no minimum found";
}

namespace {

// In units in which A has diagonal 1.
class ActiveSet {
  public:
    static constexpr double dependent =
        1e-11;                                // of 1: what is left of a row without those that move
    static constexpr double rounding = 1e-14; // of the terms of w

    Eigen::MatrixXd A;
    Eigen::VectorXd b, lower, upper, f;
    int steps = 0;

    Eigen::Index size() const { return b.size(); }
    Eigen::VectorXd w() const
    {
        Eigen::VectorXd made = b;
        for (Eigen::Index j = 0; j < size(); ++j)
            for (Eigen::Index i = 0; i < size(); ++i)
                made(i) += A(i, j) * f(j);
        return made;
    }
    double lack() const
    {
        const Eigen::VectorXd speed = w();
        double most = 0;
        for (Eigen::Index i = 0; i < size(); ++i)
            most = std::max(most, std::abs(f(i) - std::clamp(f(i) - speed(i), lower(i), upper(i))));
        return most;
    }

    QpAnswer::End run()
    {
        const Eigen::Index n = size();
        moves_.clear();
        placed_.assign(static_cast<std::size_t>(n), false);
        f.resize(n);
        size_ = 0;
        for (Eigen::Index i = 0; i < n; ++i) { // the bound nearest to 0, or 0
            f(i) = std::clamp(0.0, lower(i), upper(i));
            size_ = std::max(size_, std::abs(b(i)));
        }
        const int most = 20 * static_cast<int>(n) + 100;
        while (steps < most) {
            const Eigen::VectorXd speed = w();
            const std::optional<Eigen::Index> next = worst(speed);
            if (!next)
                return QpAnswer::End::solved;
            if (!let_go(*next, speed(*next) > 0 ? -1 : 1, most))
                return QpAnswer::End::unbounded;
        }
        return QpAnswer::End::lost;
    }
    // The rows that move once more, by orthogonal factors; kept if it is better.
    void polish()
    {
        const auto m = static_cast<Eigen::Index>(moves_.size());
        if (m == 0)
            return;
        std::sort(moves_.begin(), moves_.end());
        Eigen::MatrixXd part(m, m);
        for (Eigen::Index j = 0; j < m; ++j)
            for (Eigen::Index i = 0; i < m; ++i)
                part(i, j) = A(at(i), at(j));
        const PivotedQr qr(part);
        for (int round = 0; round < 2; ++round) {
            const Eigen::VectorXd before = f, speed = w();
            const double lacked = lack();
            Eigen::VectorXd missing(m);
            for (Eigen::Index i = 0; i < m; ++i)
                missing(i) = -speed(at(i));
            const Eigen::VectorXd more = qr.solve(missing);
            for (Eigen::Index i = 0; i < m; ++i)
                f(at(i)) = std::clamp(f(at(i)) + more(i), lower(at(i)), upper(at(i)));
            if (!(lack() < lacked)) {
                f = before;
                return;
            }
        }
    }

  private:
    Eigen::Index at(Eigen::Index i) const { return moves_[static_cast<std::size_t>(i)]; }

    // Joints first, then the row that violates most, the first of equals.
    std::optional<Eigen::Index> worst(const Eigen::VectorXd& speed) const
    {
        std::optional<Eigen::Index> found;
        double most = 0;
        for (Eigen::Index i = 0; i < size(); ++i) {
            if (placed_[static_cast<std::size_t>(i)])
                continue;
            double terms = std::abs(b(i));
            for (Eigen::Index j = 0; j < size(); ++j)
                terms += std::abs(A(i, j) * f(j));
            const double off = f(i) <= lower(i) && f(i) >= upper(i) ? 0
                               : f(i) <= lower(i)                   ? -speed(i)
                               : f(i) >= upper(i)                   ? speed(i)
                                                                    : std::abs(speed(i));
            if (off <= rounding * static_cast<double>(size() + 4) * terms)
                continue;
            const bool joint = std::isinf(lower(i)) && std::isinf(upper(i));
            if (joint)
                return i;
            if (off > most) {
                most = off;
                found = i;
            }
        }
        return found;
    }

    // Row i leaves its bound: it and all that move already go to their minimum. False if there is
    // none.
    bool let_go(Eigen::Index i, int sign, int most)
    {
        while (steps < most) {
            ++steps;
            // d: the rows that move follow row i so that their speeds stay, A_mm d = −A_mi.
            Eigen::VectorXd follow, settle;
            factorise();
            follow = solve([&](Eigen::Index k) { return -A(k, i); });
            const Eigen::VectorXd speed = w();
            double left = A(i, i), slope = speed(i);
            for (Eigen::Index k = 0; k < follow.size(); ++k) {
                left += A(i, at(k)) * follow(k);
                slope += speed(at(k)) * follow(k);
            }
            const bool idle = !(left > dependent * std::max(A(i, i), 1e-300));
            double length = idle ? std::numeric_limits<double>::infinity() : std::abs(slope) / left;
            Eigen::Index stopped = -1; // −1: none; moves_.size(): row i itself
            bool at_upper = false;
            const auto block = [&](Eigen::Index which, double value, double rate, double low,
                                   double high) {
                const double bound = rate > 0 ? high : low;
                if (rate == 0 || std::isinf(bound))
                    return;
                const double reach = std::max(0.0, (bound - value) / rate);
                if (reach < length) {
                    length = reach;
                    stopped = which;
                    at_upper = rate > 0;
                }
            };
            const auto m = static_cast<Eigen::Index>(moves_.size());
            for (Eigen::Index k = 0; k < m; ++k)
                if (std::abs(follow(k)) > (idle ? 1e-9 : 0))
                    block(k, f(at(k)), sign * follow(k), lower(at(k)), upper(at(k)));
            block(m, f(i), sign, lower(i), upper(i));
            if (std::isinf(length)) { // nothing stops it: is there anything to gain?
                placed_[static_cast<std::size_t>(i)] = true;
                return std::abs(slope) <= 1e-11 * size_;
            }
            for (Eigen::Index k = 0; k < m; ++k)
                f(at(k)) =
                    std::clamp(f(at(k)) + sign * length * follow(k), lower(at(k)), upper(at(k)));
            f(i) = std::clamp(f(i) + sign * length, lower(i), upper(i));
            if (stopped == m) {
                f(i) = at_upper ? upper(i) : lower(i);
                return true;
            }
            if (stopped < 0) {
                moves_.push_back(i);
                placed_[static_cast<std::size_t>(i)] = true;
                return true;
            }
            const Eigen::Index row = at(stopped);
            f(row) = at_upper ? upper(row) : lower(row);
            moves_.erase(moves_.begin() + stopped);
            placed_.assign(placed_.size(), false); // what was idle with it need not be without
            for (const Eigen::Index k : moves_)
                placed_[static_cast<std::size_t>(k)] = true;
        }
        return true;
    }

    // A = L Lᵀ on the rows that move, which are independent.
    void factorise()
    {
        const auto m = static_cast<Eigen::Index>(moves_.size());
        L_.resize(m, m);
        for (Eigen::Index j = 0; j < m; ++j)
            for (Eigen::Index i = j; i < m; ++i) {
                double sum = A(at(i), at(j));
                for (Eigen::Index k = 0; k < j; ++k)
                    sum -= L_(i, k) * L_(j, k);
                L_(i, j) = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / L_(j, j);
            }
    }
    template <class Right>
    Eigen::VectorXd solve(const Right& right) const
    {
        const auto m = static_cast<Eigen::Index>(moves_.size());
        Eigen::VectorXd x(m);
        for (Eigen::Index i = 0; i < m; ++i) {
            x(i) = right(at(i));
            for (Eigen::Index k = 0; k < i; ++k)
                x(i) -= L_(i, k) * x(k);
            x(i) /= L_(i, i);
        }
        for (Eigen::Index i = m; i-- > 0;) {
            for (Eigen::Index k = i + 1; k < m; ++k)
                x(i) -= L_(k, i) * x(k);
            x(i) /= L_(i, i);
        }
        return x;
    }

    std::vector<Eigen::Index> moves_;
    std::vector<bool> placed_; // moves, or is idle
    Eigen::MatrixXd L_;
    double size_ = 0; // largest |b|
};

} // namespace

Result<QpAnswer> solve_qp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                          const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                          const QpSettings& settings)
{
    Problems found;
    const Eigen::Index n = b.size();
    if (A.rows() != n || A.cols() != n)
        found.add("A", "must have ", n, " rows and columns, as many as b, has ", A.rows(), " and ",
                  A.cols());
    for (const auto* bound : {&lower, &upper})
        if (bound->size() != 0 && bound->size() != n)
            found.add(bound == &lower ? "lower" : "upper", "must be empty or have ", n,
                      " numbers, has ", bound->size());
    if (found.any())
        return found;
    ActiveSet set;
    set.A = A;
    set.b = b;
    set.lower = lower.size() == 0 ? Eigen::VectorXd(Eigen::VectorXd::Zero(n)) : lower;
    set.upper =
        upper.size() == 0
            ? Eigen::VectorXd(Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity()))
            : upper;
    Eigen::VectorXd d(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        if (!std::isfinite(b(i)))
            found.add(text_of("b, row ", i), "must be a number, is ", b(i));
        if (!(set.lower(i) <= set.upper(i)) ||
            set.lower(i) == std::numeric_limits<double>::infinity() ||
            set.upper(i) == -std::numeric_limits<double>::infinity())
            found.add(text_of("bounds, row ", i), "nothing is between ", set.lower(i), " and ",
                      set.upper(i));
        double size = 0;
        for (Eigen::Index j = 0; j < n; ++j) {
            if (!std::isfinite(A(i, j)))
                found.add(text_of("A, row ", i, ", column ", j), "must be a number, is ", A(i, j));
            size = std::max(size, std::abs(A(i, j)));
            if (j < i && std::abs(A(i, j) - A(j, i)) >
                             1e-9 * std::sqrt(std::abs(A(i, i)) * std::abs(A(j, j))))
                found.add(text_of("A, row ", i, ", column ", j), "must be symmetric: ", A(i, j),
                          " there, ", A(j, i), " across");
        }
        if (!(A(i, i) > 0) && size > 0)
            found.add(text_of("A, row ", i), "must be positive on the diagonal, is ", A(i, i));
        d(i) = A(i, i) > 0 ? unit_scale(A(i, i)) : 1;
    }
    if (found.any())
        return found;

    double size = std::numeric_limits<double>::min();
    for (Eigen::Index j = 0; j < n; ++j) {
        set.b(j) *= d(j);
        set.lower(j) /= d(j);
        set.upper(j) /= d(j);
        size = std::max(size, std::abs(set.b(j)));
        for (Eigen::Index i = 0; i < n; ++i)
            set.A(i, j) = 0.5 * (A(i, j) + A(j, i)) * d(i) * d(j);
    }
    QpAnswer made;
    made.end = set.run();
    set.polish();
    made.steps = set.steps;
    made.residual = set.lack() / size;
    made.f = set.f;
    made.w = set.w();
    for (Eigen::Index i = 0; i < n; ++i) {
        made.f(i) *= d(i);
        made.w(i) /= d(i);
    }
    if (made.residual <= settings.tolerance)
        made.end = QpAnswer::End::solved;
    else if (made.end == QpAnswer::End::solved)
        made.end = QpAnswer::End::lost;
    return made;
}

} // namespace poinsot
