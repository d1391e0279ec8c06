// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone.hpp"

#include "poinsot/math/dense.hpp"
#include "poinsot/solve/cone_bodies.hpp"
#include "poinsot/solve/cone_map.hpp"
#include "poinsot/solve/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

// Φ of a scaled problem, and its derivative A + B W where asked for.
Eigen::VectorXd mapped(const ContactProblem& problem, const Eigen::VectorXd& r,
                       Eigen::MatrixXd* derivative = nullptr)
{
    const Eigen::VectorXd u = speeds_of(problem, r);
    Eigen::VectorXd phi(r.size());
    if (derivative)
        derivative->setZero(r.size(), r.size());
    for (const ContactBlock& block : problem.blocks) {
        ConeSlopes slopes;
        cone_map(block, r, u, phi, derivative ? &slopes : nullptr);
        for (int i = 0; derivative && i < block.rows; ++i)
            for (int k = 0; k < block.rows; ++k) {
                const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(k);
                const double of_u = slopes.B[a][b];
                (*derivative)(block.first + i, block.first + k) += slopes.A[a][b];
                for (Eigen::Index j = 0; of_u != 0 && j < r.size(); ++j)
                    (*derivative)(block.first + i, j) += of_u * problem.W(block.first + k, j);
            }
    }
    return phi;
}

// d with |D d + phi|² + lambda |d|² least.
Eigen::VectorXd damped_step(const Eigen::MatrixXd& D, const Eigen::VectorXd& phi, double lambda)
{
    const Eigen::Index n = phi.size();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(2 * n);
    for (Eigen::Index j = 0; j < n; ++j) {
        for (Eigen::Index i = 0; i < n; ++i)
            A(i, j) = D(i, j);
        A(n + j, j) = std::sqrt(lambda);
        b(j) = -phi(j);
    }
    return PivotedQr(A).solve(b);
}

} // namespace

Result<ContactAnswer> solve_cones(const ContactProblem& problem, const ConeSettings& settings,
                                  const Eigen::VectorXd& start)
{
    if (const Problems found = faults_of(problem, start); found.any())
        return found;
    if (start.size() != 0) { // what rests needs no more than a look
        ContactAnswer known = judged(problem, start);
        const double enough = std::max(1e-13, natural_rounding(problem, known.r));
        known.solved = known.residual <= std::min(settings.tolerance, enough);
        if (known.solved)
            return known;
    }

    ContactAnswer best;
    best.residual = std::numeric_limits<double>::infinity();
    if (problem.rows) {
        best = solve_through_bodies(problem, settings, start);
        if (best.solved || problem.count() > settings.dense_rows || is_set(settings.stop))
            return best;
    }

    const Eigen::Index n = problem.q.size();
    ContactProblem scaled;
    scaled.W = delassus_of(problem);
    scaled.q = problem.q;
    const Eigen::VectorXd d = cone_scales(problem.blocks, scaled.W.diagonal());
    scaled.blocks = scaled_blocks(problem.blocks, d);
    for (Eigen::Index j = 0; j < n; ++j) {
        scaled.q(j) *= d(j);
        for (Eigen::Index i = 0; i < n; ++i)
            scaled.W(i, j) *= d(i) * d(j);
    }

    const auto offer = [&](const Eigen::VectorXd& r_scaled) {
        ContactAnswer made = judged(problem, r_scaled.cwiseProduct(d));
        const double residual = made.residual;
        keep_nearer(best, std::move(made));
        return residual;
    };

    // Steps from x while |Φ| falls; what solves the problem itself is offered.
    const double size = sum_of_squares(scaled.q), least_damping = 1e-28;
    const auto newton = [&](const ContactProblem& own, Eigen::VectorXd x, bool itself,
                            double damped) {
        int idle = 0;
        for (int step = 0; step < settings.steps && idle < 2 && !is_set(settings.stop); ++step) {
            Eigen::MatrixXd D;
            const Eigen::VectorXd phi = mapped(own, x, &D);
            const double now = sum_of_squares(phi), relative = size > 0 ? now / size : now;
            if (relative < 1e-30)
                break;
            const Eigen::VectorXd by =
                damped_step(D, phi, std::clamp(relative, least_damping, damped));
            ++best.steps;
            double part = 1;
            Eigen::VectorXd next;
            for (; part > 1e-5; part *= 0.5) {
                next = x;
                for (Eigen::Index i = 0; i < n; ++i)
                    next(i) += part * by(i);
                if (sum_of_squares(mapped(own, next)) < (1 - 1e-4 * part) * now)
                    break;
            }
            if (!(part > 1e-5))
                break;
            x = next;
            const double before = best.residual;
            if (itself && offer(x) <= settings.tolerance)
                idle = best.residual < 0.5 * before ? 0 : idle + 1;
        }
        return x;
    };

    Eigen::VectorXd r = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < start.size(); ++i)
        r(i) = start(i) / d(i);
    SweepSettings sweep;
    sweep.sweeps = settings.sweeps;
    sweep.tolerance = n > settings.newton_rows ? settings.tolerance : 0;
    sweep.stop = settings.stop;
    // Whoever is asked to stop has an answer all the same, if a poor one: the first round goes on.
    for (int round = 0; round < settings.rounds && (round == 0 || !is_set(settings.stop));
         ++round, sweep.sweeps *= 2) {
        // Damping serves singular W and hinders one that is merely ill-conditioned.
        const double damped = round % 2 == 0 ? 1e-6 : least_damping;
        const ContactAnswer swept = *gauss_seidel(scaled, sweep, r);
        best.sweeps += swept.sweeps;
        r = swept.r;
        offer(r);
        if (n > settings.newton_rows) {
            if (best.residual <= settings.tolerance)
                break;
            continue;
        }
        newton(scaled, r, true, damped);
        if (best.residual <= settings.tolerance)
            break;
        // u = W r + q + α (r − r₀) has an easier solution, r₀ moves there and α falls.
        Eigen::VectorXd x = r;
        ContactProblem eased = scaled;
        double alpha = 0.1;
        for (int k = 0; k < settings.eased; ++k, alpha *= 0.5) {
            for (Eigen::Index i = 0; i < n; ++i) {
                eased.W(i, i) = scaled.W(i, i) + alpha;
                eased.q(i) = scaled.q(i) - alpha * x(i);
            }
            x = newton(eased, x, false, damped);
            offer(x);
        }
        newton(scaled, x, true, damped);
        if (best.residual <= settings.tolerance)
            break;
    }
    if (best.residual > 1e-14 && n <= settings.newton_rows &&
        !is_set(settings.stop)) { // the last digits, from the best there is
        for (Eigen::Index i = 0; i < n; ++i)
            r(i) = best.r(i) / d(i);
        newton(scaled, r, true, least_damping);
    }
    best.solved = best.residual <= settings.tolerance;
    return best;
}

} // namespace poinsot
