// SPDX-License-Identifier: MIT
#include "poinsot/solve/gauss_seidel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace poinsot {

namespace {

using TangentPair = std::array<double, 2>;
using LocalMatrix =
    std::array<std::array<double, ContactBlock::most_rows>, ContactBlock::most_rows>;
using LocalVector = std::array<double, ContactBlock::most_rows>;

double length_of_pair(const TangentPair& t)
{
    return std::sqrt(t[0] * t[0] + t[1] * t[1]);
}

// (S + α)⁻¹ c in one or two dimensions; nothing where rounding cannot tell it from singular.
std::optional<TangentPair> shifted_solve(const std::array<TangentPair, 2>& S, double alpha,
                                         const TangentPair& c, int rows)
{
    const double a = S[0][0] + alpha;
    if (rows == 1) {
        if (!(a > 0))
            return std::nullopt;
        return TangentPair{c[0] / a, 0};
    }
    const double d = S[1][1] + alpha, det = a * d - S[0][1] * S[1][0];
    if (!(a > 0 && d > 0 && det > 1e-15 * a * d))
        return std::nullopt;
    return TangentPair{(d * c[0] - S[0][1] * c[1]) / det, (a * c[1] - S[1][0] * c[0]) / det};
}

// r with (S + α) r = −c and |r| = a − b · r, or |r| ≤ a − b · r at α = 0.
TangentPair in_ball(const std::array<TangentPair, 2>& S, const TangentPair& c, double a,
                    const TangentPair& b, int rows)
{
    const auto radius = [&](const TangentPair& r) { return a - b[0] * r[0] - b[1] * r[1]; };
    const auto at = [&](double alpha) -> std::optional<TangentPair> {
        const auto x = shifted_solve(S, alpha, c, rows);
        return x ? std::optional<TangentPair>(TangentPair{-(*x)[0], -(*x)[1]}) : std::nullopt;
    };
    if (rows == 0 || !(a > 0))
        return {0, 0};
    if (const auto stuck = at(0); stuck && length_of_pair(*stuck) <= radius(*stuck))
        return *stuck;

    double low = 0, high = std::max(S[0][0] + S[1][1], length_of_pair(c) / a);
    if (!(high > 0))
        return {0, 0};
    TangentPair r{0, 0};
    for (int i = 0; i < 200; ++i) {
        const auto x = at(high);
        if (x && length_of_pair(*x) <= radius(*x)) {
            r = *x;
            break;
        }
        low = x ? high : low;
        high *= 4;
    }
    double alpha = 0.5 * (low + high);
    for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
        const auto x = at(alpha);
        if (!x) {
            low = alpha;
            alpha = 0.5 * (low + high);
            continue;
        }
        const double length = length_of_pair(*x), off = length - radius(*x);
        (off > 0 ? low : high) = alpha;
        r = *x;
        if (std::abs(off) <= 2e-16 * length)
            break;
        const TangentPair rate = *shifted_solve(S, alpha, *x, rows); // −dr/dα
        const double slope =
            -((*x)[0] * rate[0] + (*x)[1] * rate[1]) / length - (b[0] * rate[0] + b[1] * rate[1]);
        const double next = alpha - off / slope;
        alpha = next > low && next < high ? next : 0.5 * (low + high);
        if (alpha <= low || alpha >= high)
            break;
    }
    // The last digit: on the circle, not beside it.
    const double length = length_of_pair(r), most = std::max(0.0, radius(r));
    const double part = length > 0 ? most / length : 0;
    return {part * r[0], part * r[1]};
}

// Of one contact's part of W, what does not change from sweep to sweep.
struct ContactShare {
    std::array<TangentPair, 2> S{}; // W_tt − W_tn W_nt / W_nn
    TangentPair b{};                // μ W_nt / W_nn
};
ContactShare share_of(const LocalMatrix& W, double mu, int tangents)
{
    ContactShare made;
    for (std::size_t i = 0; i < static_cast<std::size_t>(tangents); ++i) {
        made.b[i] = mu * W[0][1 + i] / W[0][0];
        for (std::size_t j = 0; j < static_cast<std::size_t>(tangents); ++j)
            made.S[i][j] = W[1 + i][1 + j] - W[1 + i][0] * W[0][1 + j] / W[0][0];
    }
    return made;
}

// Normal and tangential reaction of one contact with everything else in q.
void contact_alone(const LocalMatrix& W, const ContactShare& share, const LocalVector& q, double mu,
                   int tangents, LocalVector& r)
{
    r[0] = 0;
    for (int i = 0; i < tangents; ++i)
        r[static_cast<std::size_t>(1 + i)] = 0;
    if (q[0] >= 0)
        return;
    TangentPair c{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(tangents); ++i)
        c[i] = q[1 + i] - W[1 + i][0] * q[0] / W[0][0];
    const TangentPair t = in_ball(share.S, c, -mu * q[0] / W[0][0], share.b, tangents);
    r[0] = -q[0] / W[0][0];
    for (std::size_t i = 0; i < static_cast<std::size_t>(tangents); ++i) {
        r[1 + i] = t[i];
        r[0] -= W[0][1 + i] * t[i] / W[0][0];
    }
    r[0] = std::max(0.0, r[0]);
}

// Rows that can have a reaction: of a contact where nothing rubs, the normal one.
int rows_that_act(const ContactBlock& block)
{
    const bool slick =
        block.law == ContactBlock::Law::contact && block.mu == 0 && block.twists + block.rolls == 0;
    return slick ? 1 : block.rows;
}

// W r + q, kept while r changes by blocks: dense by columns, or as motions of bodies.
class KeptSpeeds {
  public:
    KeptSpeeds(const ContactProblem& problem, const Eigen::VectorXd& r) : problem_(problem)
    {
        if (problem.rows) {
            const Rows& rows = *problem.rows;
            first_.assign(static_cast<std::size_t>(problem.count()) + 1, 0);
            for (const Block& block : rows.blocks)
                for (int k = 0; k < block.rows; ++k)
                    first_[static_cast<std::size_t>(block.first_row + k) + 1] =
                        static_cast<std::size_t>(block.bodies);
            for (std::size_t i = 1; i < first_.size(); ++i)
                first_[i] += first_[i - 1];
            shares_.resize(first_.back());
            for (const Block& block : rows.blocks)
                for (int k = 0; k < block.rows; ++k)
                    for (int i = 0; i < block.bodies; ++i) {
                        Share& own = shares_[first_[static_cast<std::size_t>(block.first_row + k)] +
                                             static_cast<std::size_t>(i)];
                        own.body =
                            static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                        own.J = rows.J_of(block, k, i);
                        own.moved = problem.masses[own.body].inverse_times(own.J);
                    }
        }
        refresh(r);
    }
    void refresh(const Eigen::VectorXd& r)
    {
        r_ = r;
        if (!problem_.rows) {
            u_ = speeds_of(problem_, r);
            return;
        }
        motion_.assign(problem_.masses.size(), {zero3<double>(), zero3<double>()});
        for (int i = 0; i < problem_.count(); ++i)
            push(static_cast<std::size_t>(i), r(i));
    }
    double speed(int row) const
    {
        if (!problem_.rows)
            return u_(row);
        const auto at = static_cast<std::size_t>(row);
        double u = problem_.q(row) + softness(at) * r_(row);
        for (std::size_t i = first_[at]; i < first_[at + 1]; ++i)
            u += power(shares_[i].J, motion_[shares_[i].body]);
        return u;
    }
    void change(int row, double by)
    {
        if (by == 0)
            return;
        r_(row) += by;
        if (problem_.rows)
            push(static_cast<std::size_t>(row), by);
        else
            for (Eigen::Index i = 0; i < u_.size(); ++i)
                u_(i) += problem_.W(i, row) * by;
    }
    double diagonal_part(int row, int column) const
    {
        if (!problem_.rows)
            return problem_.W(row, column);
        const auto a = static_cast<std::size_t>(row), b = static_cast<std::size_t>(column);
        double W = a == b ? softness(a) : 0;
        for (std::size_t i = first_[a]; i < first_[a + 1]; ++i)
            for (std::size_t j = first_[b]; j < first_[b + 1]; ++j)
                if (shares_[i].body == shares_[j].body)
                    W += power(shares_[i].J, shares_[j].moved);
        return W;
    }
    // As natural_residual has it, without rows of which both terms are nothing.
    double residual() const
    {
        double lack = 0;
        std::array<double, ContactBlock::most_rows> u{};
        for (const ContactBlock& block : problem_.blocks) {
            for (int i = 0; i < rows_that_act(block); ++i)
                u[static_cast<std::size_t>(i)] = speed(block.first + i);
            for (int i = rows_that_act(block); i < block.rows; ++i)
                u[static_cast<std::size_t>(i)] = 0;
            add_natural_lack(block, r_.data() + block.first, u.data(), lack);
        }
        return size_of_lack(problem_, lack);
    }

  private:
    struct Share { // of a body in a row
        std::size_t body = 0;
        Wrench<double> J;
        Twist<double> moved; // M⁻¹ J
    };
    double softness(std::size_t row) const { return problem_.rows->rows[row].softness; }
    void push(std::size_t row, double by)
    {
        for (std::size_t i = first_[row]; i < first_[row + 1]; ++i) {
            Twist<double>& motion = motion_[shares_[i].body];
            motion.v = motion.v + by * shares_[i].moved.v;
            motion.omega = motion.omega + by * shares_[i].moved.omega;
        }
    }

    const ContactProblem& problem_;
    std::vector<std::size_t> first_; // share of each row, and one more
    std::vector<Share> shares_;
    std::vector<Twist<double>> motion_; // of each body, from the reactions alone
    Eigen::VectorXd u_, r_;
};

// The reactions of one block with all others held.
void visit_block(const ContactBlock& block, const LocalMatrix& W, const ContactShare& share,
                 LocalVector u, LocalVector& r)
{
    const auto rows = static_cast<std::size_t>(rows_that_act(block));
    const auto move = [&](std::size_t k, double to) {
        for (std::size_t i = 0; i < rows; ++i)
            u[i] += W[i][k] * (to - r[k]);
        r[k] = to;
    };
    if (block.law != ContactBlock::Law::contact) {
        for (std::size_t k = 0; k < rows; ++k)
            move(k, std::clamp(r[k] - u[k] / W[k][k], block.lower, block.upper));
        return;
    }
    // Torsion and rolling change the normal reaction through W only, and it their bounds: a few
    // rounds within the block.
    const int rounds = block.twists + block.rolls > 0 ? 5 : 1;
    for (int round = 0; round < rounds; ++round) {
        const int tangents = std::min(block.tangents, static_cast<int>(rows) - 1);
        const auto own = static_cast<std::size_t>(1 + tangents);
        LocalVector q = u, next = r;
        for (std::size_t i = 0; i < own; ++i)
            for (std::size_t k = 0; k < own; ++k)
                q[i] -= W[i][k] * r[k];
        contact_alone(W, share, q, block.mu, tangents, next);
        for (std::size_t k = 0; k < own; ++k)
            move(k, next[k]);
        for (const FrictionGroup& group : groups_of(block)) {
            if (group.first <= block.tangents || group.rows == 0)
                continue;
            const auto first = static_cast<std::size_t>(group.first);
            std::array<TangentPair, 2> S{};
            TangentPair c{};
            for (std::size_t i = 0; i < static_cast<std::size_t>(group.rows); ++i) {
                c[i] = u[first + i];
                for (std::size_t k = 0; k < static_cast<std::size_t>(group.rows); ++k) {
                    S[i][k] = W[first + i][first + k];
                    c[i] -= S[i][k] * r[first + k];
                }
            }
            const TangentPair s = in_ball(S, c, group.bound * r[0], {0, 0}, group.rows);
            for (std::size_t i = 0; i < static_cast<std::size_t>(group.rows); ++i)
                move(first + i, s[i]);
        }
    }
}

} // namespace

Eigen::VectorXd one_contact(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, double mu)
{
    check(W.rows() == q.size() && W.cols() == q.size() && q.size() >= 1 && q.size() <= 3,
          "one contact has up to three rows, and W as many rows and columns");
    LocalMatrix local{};
    LocalVector alone{}, r{};
    for (Eigen::Index i = 0; i < q.size(); ++i) {
        alone[static_cast<std::size_t>(i)] = q(i);
        for (Eigen::Index j = 0; j < q.size(); ++j)
            local[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = W(i, j);
    }
    const int tangents = static_cast<int>(q.size()) - 1;
    contact_alone(local, share_of(local, mu, tangents), alone, mu, tangents, r);
    Eigen::VectorXd made(q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i)
        made(i) = r[static_cast<std::size_t>(i)];
    return made;
}

Result<ContactAnswer> gauss_seidel(const ContactProblem& problem, const SweepSettings& settings,
                                   const Eigen::VectorXd& start)
{
    if (const Problems found = faults_of(problem, start); found.any())
        return found;

    ContactAnswer made;
    made.r = start.size() == 0 ? Eigen::VectorXd(Eigen::VectorXd::Zero(problem.q.size())) : start;
    make_admissible(problem.blocks, made.r);
    KeptSpeeds speeds(problem, made.r);
    struct Alone { // a block's own part of W
        LocalMatrix W{};
        ContactShare share;
    };
    std::vector<Alone> parts(problem.blocks.size());
    for (std::size_t b = 0; b < parts.size(); ++b) {
        const ContactBlock& block = problem.blocks[b];
        for (int i = 0; i < rows_that_act(block); ++i)
            for (int k = 0; k < rows_that_act(block); ++k)
                parts[b].W[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] =
                    speeds.diagonal_part(block.first + i, block.first + k);
        if (block.law == ContactBlock::Law::contact)
            parts[b].share =
                share_of(parts[b].W, block.mu, std::min(block.tangents, rows_that_act(block) - 1));
    }

    made.residual = speeds.residual();
    double part = 1, best = made.residual, best_before = best;
    while (made.residual > settings.tolerance && made.sweeps < settings.sweeps &&
           !is_set(settings.stop)) {
        for (std::size_t b = 0; b < parts.size(); ++b) {
            const ContactBlock& block = problem.blocks[b];
            LocalVector r{}, u{};
            const int rows = rows_that_act(block);
            for (int i = 0; i < rows; ++i) {
                r[static_cast<std::size_t>(i)] = made.r(block.first + i);
                u[static_cast<std::size_t>(i)] = speeds.speed(block.first + i);
            }
            visit_block(block, parts[b].W, parts[b].share, u, r);
            for (int i = 0; i < rows; ++i) {
                double& own = made.r(block.first + i);
                const double found_here = r[static_cast<std::size_t>(i)];
                const double next = part == 1 ? found_here : own + part * (found_here - own);
                speeds.change(block.first + i, next - own);
                own = next;
            }
        }
        ++made.sweeps;
        if (made.sweeps % 32 == 0) { // sums of small changes gather rounding
            speeds.refresh(made.r);
            part = best < best_before ? part : std::max(0.125, 0.75 * part);
            best_before = best;
        }
        made.residual = speeds.residual();
        best = std::min(best, made.residual);
        if (settings.keep_history)
            made.history.push_back(made.residual);
    }
    made.u = speeds_of(problem, made.r);
    made.residual = natural_residual(problem, made.r, made.u);
    made.solved = made.residual <= settings.tolerance;
    return made;
}

} // namespace poinsot
