// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone_path.hpp"

#include "poinsot/solve/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

double ConeNewton::evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& r_0, double alpha)
{
    speeds(x);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        for (int i = 0; i < blocks_[b].rows; ++i) {
            const int row = blocks_[b].first + i;
            u_(row) += alpha * (x(row) - r_0(row));
        }
        map(b, x);
    }
    return sum_of_squares(phi_);
}

double ConeNewton::descend(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken)
{
    const Eigen::VectorXd r_0 = x;
    Eigen::VectorXd by(x.size()), next(x.size());
    double now = evaluate(x, r_0, alpha);
    for (int k = 0; k < steps && now > enough && !is_set(stop_); ++k) {
        if (!step(x, alpha, by))
            break;
        ++taken;
        // Below, rounding says how |Φ| goes: long steps, or none.
        const double least = now > 1e-24 * size_ ? 1e-3 : 0.2;
        double part = 1, then = now;
        for (; part >= least; part *= 0.5) {
            for (Eigen::Index i = 0; i < x.size(); ++i)
                next(i) = x(i) + part * by(i);
            then = evaluate(next, r_0, alpha);
            if (then < (1 - 1e-4 * part) * now)
                break;
        }
        if (!(part >= least))
            break;
        x = next;
        now = then;
    }
    return now;
}

bool ConeNewton::ease(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken)
{
    const double begun = evaluate(x, x, alpha);
    const double now = descend(x, alpha, enough * enough * size_, steps, taken);
    return now <= 1e-24 * size_ || now <= 1e-12 * begun;
}

void ConeNewton::follow(Eigen::VectorXd& x, double alpha, const ConeSettings& settings, int& taken)
{
    // Corners as wide as the speeds themselves at first, at last as rounding. Strides grow where
    // Newton's method finds the next place soon, and are shortened where it does not.
    constexpr double plain = 0.4, shortest = 0.9, longest = 0.1;
    const double unit = std::sqrt(size_ / static_cast<double>(std::max<Eigen::Index>(1, x.size())));
    double stride = plain;
    const int begun = taken;
    int lost = 0;
    for (double reached = unit / plain; reached > 1e-9 * unit && lost < 4 && !is_set(stop_);) {
        epsilon_ = stride * reached;
        const int before = taken;
        Eigen::VectorXd next = x;
        if (reach(next, alpha, settings.steps / 3, taken)) {
            x = next;
            reached = epsilon_;
            if (taken - before <= 5)
                stride = std::max(longest, stride * stride);
            continue;
        }
        if (taken - begun > 40 * settings.steps)
            break;
        if (stride < shortest) {
            stride = std::sqrt(stride);
            continue;
        }
        // The path turns back. What slips is held as it slips now, again and again, which leads to
        // where the path goes on, or near to it.
        stride = plain;
        reached *= stride;
        epsilon_ = reached;
        bool found = false;
        for (int times = 1; times <= 8 && !found; ++times) {
            for (int k = 0; k < times; ++k) {
                evaluate(x, x, alpha);
                held_.resize(blocks_.size());
                for (std::size_t b = 0; b < blocks_.size(); ++b)
                    held_[b] = rounded_slip(blocks_[b], epsilon_, u_);
                reach(x, alpha, settings.steps, taken);
            }
            held_.clear();
            next = x;
            found = reach(next, alpha, settings.steps / 3, taken);
        }
        if (found)
            x = next;
        lost += !found;
    }
    epsilon_ = 0;
}

namespace {

struct ConeWalk {
    double part, alpha;
};
// In the order in which they were found to help: heaps of boxes, then robots on the ground.
constexpr ConeWalk cone_walks[] = {
    {0.5, 1e-5},  {0.5, 1e-6}, {1.0, 1e-5}, {0.5, 1e-4},  {1.0, 1e-4}, {0.25, 1e-5}, {0.5, 1e-7},
    {0.25, 1e-6}, {0.1, 1e-5}, {0.1, 1e-6}, {0.25, 1e-4}, {0.7, 3e-6}, {0.3, 3e-6}};

} // namespace

bool ConeNewton::walk(Eigen::VectorXd& x, double alpha, double part)
{
    Eigen::VectorXd by(x.size());
    evaluate(x, x, alpha);
    if (!step(x, alpha, by))
        return false;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        x(i) += part * by(i);
    return true;
}

ContactAnswer solve_along_path(ConeNewton& rows, const ContactProblem& problem,
                               const ConeSettings& settings, const Eigen::VectorXd& start,
                               int rounds, bool last)
{
    // Rounding of u in redundant rows comes into r as 1/α of it, and may open a contact that bears
    // nothing: nearby no α is less than the first.
    constexpr double least_alpha = 1e-7, nearby_alpha = 1e-5, most_alpha = 0.5;

    ContactAnswer best;
    best.residual = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Eigen::VectorXd& r) { keep_nearer(best, judged(problem, r)); };
    if (start.size() != 0)
        offer(start);
    // Where rows that repeat each other ask for speeds that differ a little, each problem moves the
    // answer by that little over α, always the same way, until some contact lets go: all at once.
    Eigen::VectorXd drift = Eigen::VectorXd::Zero(problem.q.size());
    const auto move_on = [&](Eigen::VectorXd& x, const Eigen::VectorXd& next, double alpha) {
        const Eigen::VectorXd by = next - x, speed = alpha * by;
        const bool steady = sum_of_squares(speed - drift) < 1e-3 * sum_of_squares(speed);
        x = next;
        drift = speed;
        if (!steady || best.residual <= settings.tolerance)
            return;
        drift.setZero();
        double times = std::numeric_limits<double>::infinity();
        for (const ContactBlock& block : problem.blocks)
            if (block.law == ContactBlock::Law::contact && by(block.first) < 0)
                times = std::min(times, x(block.first) / -by(block.first));
        for (Eigen::Index i = 0; std::isfinite(times) && i < x.size(); ++i)
            x(i) += times * by(i);
    };

    SweepSettings sweep;
    sweep.sweeps = settings.sweeps;
    sweep.tolerance = 0;
    sweep.stop = settings.stop;
    for (int round = 0; round < rounds && (round == 0 || !is_set(settings.stop));
         ++round, sweep.sweeps *= 2) {
        // Close by, a step of Newton's is worth more than any number of sweeps.
        const bool close = round == 0 && best.residual < 1e-3;
        if (!close) {
            const ContactAnswer swept =
                *gauss_seidel(problem, sweep, best.r.size() != 0 ? best.r : start);
            best.sweeps += swept.sweeps;
            offer(swept.r);
        }
        Eigen::VectorXd x = rows.scaled(best.r);
        double alpha = close ? nearby_alpha : 1e-2;
        int failed = 0, idle = 0;
        const double enough = std::max(1e-14, natural_rounding(problem, best.r) / 32);
        if (rows.plain()) { // where W is regular this is all
            Eigen::VectorXd next = x;
            rows.ease(next, 0, 0.3 * enough, settings.steps, best.steps);
            offer(rows.unscaled(next));
            if (best.residual <= enough)
                break;
        }
        const int eased = settings.thorough ? 4 * settings.eased : settings.eased / 2;
        for (int k = 0; k < eased && failed < 8 && idle < 2; ++k) {
            Eigen::VectorXd next = x;
            const bool found = rows.ease(next, alpha, 0.3 * enough, settings.steps, best.steps);
            const double before = best.residual;
            offer(rows.unscaled(next));
            if (best.residual <= enough)
                break;
            if (best.residual <= settings.tolerance)
                idle = best.residual < 0.5 * before ? 0 : idle + 1;
            if (found) {
                move_on(x, next, alpha);
                alpha = std::max(least_alpha, 0.1 * alpha);
            } else {
                ++failed;
                alpha = std::min(most_alpha, 5 * alpha);
            }
        }
        if (best.residual <= settings.tolerance || !settings.thorough)
            break;
        // Far from the answer |Φ| has valleys that do not lead to it. The path of rounded corners
        // begins in the middle of all cones, or at what sweeps have found, and goes around most of
        // them; where it ends, α is found that takes each next problem.
        x = round == 0 ? Eigen::VectorXd::Zero(problem.q.size()) : rows.scaled(best.r);
        rows.follow(x, 1e-6, settings, best.steps);
        offer(rows.unscaled(x));
        alpha = nearby_alpha;
        for (int k = 0; k < 5 * settings.eased && best.residual > 1e-13; ++k) {
            Eigen::VectorXd next = x;
            const bool eased = rows.ease(next, alpha, 1e-15, settings.steps, best.steps);
            offer(rows.unscaled(next));
            if (eased)
                move_on(x, next, alpha);
            alpha = eased ? std::max(least_alpha, 0.1 * alpha) : std::min(2.0, 3 * alpha);
            if (best.residual <= settings.tolerance && alpha == least_alpha && eased)
                break;
        }
        if (best.residual <= settings.tolerance)
            break;
    }
    // Where all of these end in valleys, steps that do not ask whether |Φ| falls walk out of them;
    // half ones then come to an answer with each half as far from it. Which do is not known before.
    if (best.residual > settings.tolerance && last && settings.thorough) {
        const Eigen::VectorXd from = rows.scaled(best.r);
        for (const auto& [part, alpha] : cone_walks) {
            Eigen::VectorXd x = from;
            for (int k = 0; k < 8 * settings.steps && !is_set(settings.stop); ++k) {
                const double before = best.residual;
                if (!rows.walk(x, alpha, part))
                    break;
                ++best.steps;
                offer(rows.unscaled(x));
                if (best.residual <= settings.tolerance && best.residual > 0.7 * before)
                    break;
            }
            if (best.residual <= settings.tolerance)
                break;
        }
    }
    best.solved = best.residual <= settings.tolerance;
    return best;
}

} // namespace poinsot
