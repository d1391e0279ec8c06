// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone.hpp"

#include "poinsot/math/dense.hpp"
#include "poinsot/solve/gauss_seidel.hpp"
#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

// Φ of a scaled problem, and its derivative where asked for.
class ConeMap {
  public:
    explicit ConeMap(const ContactProblem& problem) : problem_(problem) {}

    Eigen::VectorXd value(const Eigen::VectorXd& r, Eigen::MatrixXd* derivative = nullptr) const
    {
        const Eigen::VectorXd u = speeds_of(problem_, r);
        Eigen::VectorXd phi(r.size());
        if (derivative)
            derivative->setZero(r.size(), r.size());
        for (const ContactBlock& block : problem_.blocks) {
            if (block.law == ContactBlock::Law::contact) {
                contact(block, r, u, phi, derivative);
                continue;
            }
            for (int i = block.first; i < block.first + block.rows; ++i) {
                const double next = r(i) - u(i);
                const bool inside = next > block.lower && next < block.upper;
                phi(i) = inside ? u(i) : r(i) - std::clamp(next, block.lower, block.upper);
                if (derivative)
                    add(*derivative, i, i, inside ? 0 : 1, inside ? 1 : 0);
            }
        }
        return phi;
    }

  private:
    // Row i of the derivative: of_r times row k of 1 and of_u times row k of W.
    void add(Eigen::MatrixXd& D, int i, int k, double of_r, double of_u) const
    {
        D(i, k) += of_r;
        if (of_u != 0)
            for (Eigen::Index j = 0; j < D.cols(); ++j)
                D(i, j) += of_u * problem_.W(k, j);
    }
    void contact(const ContactBlock& block, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                 Eigen::VectorXd& phi, Eigen::MatrixXd* D) const
    {
        const int n = block.first;
        const double pressed = r(n) - u(n);
        phi(n) = pressed > 0 ? u(n) : r(n);
        if (D)
            add(*D, n, n, pressed > 0 ? 0 : 1, pressed > 0 ? 1 : 0);
        for (const FrictionGroup& group : groups_of(block)) {
            const int first = n + group.first;
            const double radius = group.bound * std::max(0.0, pressed);
            std::array<double, 2> y{};
            double square = 0;
            for (int i = 0; i < group.rows; ++i) {
                double& own = y[static_cast<std::size_t>(i)];
                own = r(first + i) - u(first + i);
                square += own * own;
            }
            const double length = std::sqrt(square);
            for (int i = 0; i < group.rows; ++i) {
                const int row = first + i;
                if (length <= radius) { // sticks
                    phi(row) = u(row);
                    if (D)
                        add(*D, row, row, 0, 1);
                    continue;
                }
                // Slides: r − ρ e with e = y/|y|; de = (1 − e eᵀ) dy/|y|, dρ = μ d(r_n − u_n).
                const double e = y[static_cast<std::size_t>(i)] / length;
                phi(row) = r(row) - radius * e;
                if (!D)
                    continue;
                add(*D, row, row, 1, 0);
                if (!(radius > 0))
                    continue;
                add(*D, row, n, -group.bound * e, group.bound * e);
                for (int k = 0; k < group.rows; ++k) {
                    const double part =
                        radius / length *
                        ((i == k ? 1 : 0) - e * y[static_cast<std::size_t>(k)] / length);
                    add(*D, row, first + k, -part, part);
                }
            }
        }
    }

    const ContactProblem& problem_;
};

double cone_square(const Eigen::VectorXd& x)
{
    double sum = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        sum += x(i) * x(i);
    return sum;
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
        ContactAnswer known;
        known.r = start;
        make_admissible(problem.blocks, known.r);
        known.u = speeds_of(problem, known.r);
        known.residual = natural_residual(problem, known.r, known.u);
        known.solved = known.residual <= std::min(settings.tolerance, 1e-13);
        if (known.solved)
            return known;
    }

    // r = d r', u' = d u with d² ≈ 1/W_ii: a power of two, so that scaling rounds nothing.
    ContactProblem scaled;
    scaled.W = delassus_of(problem);
    scaled.q = problem.q;
    scaled.blocks = problem.blocks;
    const Eigen::Index n = problem.q.size();
    Eigen::VectorXd d(n);
    for (ContactBlock& block : scaled.blocks) {
        const bool contact = block.law == ContactBlock::Law::contact;
        double sum = 0;
        for (int i = 0; i < block.rows; ++i)
            sum += scaled.W(block.first + i, block.first + i);
        for (int i = 0; i < block.rows; ++i) {
            const double own = scaled.W(block.first + i, block.first + i);
            d(block.first + i) = unit_scale(contact ? sum / block.rows : own);
        }
        if (block.law == ContactBlock::Law::bounded) {
            block.lower /= d(block.first);
            block.upper /= d(block.first);
        }
    }
    for (Eigen::Index j = 0; j < n; ++j) {
        scaled.q(j) *= d(j);
        for (Eigen::Index i = 0; i < n; ++i)
            scaled.W(i, j) *= d(i) * d(j);
    }

    ContactAnswer best;
    best.residual = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Eigen::VectorXd& r_scaled) {
        ContactAnswer made;
        made.r = r_scaled;
        for (Eigen::Index i = 0; i < n; ++i)
            made.r(i) *= d(i);
        make_admissible(problem.blocks, made.r);
        made.u = speeds_of(problem, made.r);
        made.residual = natural_residual(problem, made.r, made.u);
        if (made.residual < best.residual) {
            made.sweeps = best.sweeps;
            made.steps = best.steps;
            best = made;
        }
        return made.residual;
    };

    // Steps from x while |Φ| falls; what solves the problem itself is offered.
    const double size = cone_square(scaled.q), least_damping = 1e-28;
    const auto newton = [&](const ContactProblem& own, Eigen::VectorXd x, bool itself,
                            double damped) {
        const ConeMap map(own);
        int idle = 0;
        for (int step = 0; step < settings.steps && idle < 2; ++step) {
            Eigen::MatrixXd D;
            const Eigen::VectorXd phi = map.value(x, &D);
            const double now = cone_square(phi), relative = size > 0 ? now / size : now;
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
                if (cone_square(map.value(next)) < (1 - 1e-4 * part) * now)
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
    sweep.tolerance = 0;
    for (int round = 0; round < settings.rounds; ++round, sweep.sweeps *= 2) {
        // Damping serves singular W and hinders one that is merely ill-conditioned.
        const double damped = round % 2 == 0 ? 1e-6 : least_damping;
        const ContactAnswer swept = *gauss_seidel(scaled, sweep, r);
        best.sweeps += swept.sweeps;
        r = swept.r;
        offer(r);
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
    if (best.residual > 1e-14) { // the last digits, from the best there is
        for (Eigen::Index i = 0; i < n; ++i)
            r(i) = best.r(i) / d(i);
        newton(scaled, r, true, least_damping);
    }
    best.solved = best.residual <= settings.tolerance;
    return best;
}

} // namespace poinsot
