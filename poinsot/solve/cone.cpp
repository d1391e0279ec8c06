// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone.hpp"

#include "poinsot/solve/cone_bodies.hpp"
#include "poinsot/solve/cone_full.hpp"
#include "poinsot/solve/cone_held.hpp"
#include "poinsot/solve/gauss_seidel.hpp"

#include <algorithm>

namespace poinsot {

namespace {

/// Sweeps alone, twice as many each time, for more rows than Newton's method has time for.
ContactAnswer swept(const ContactProblem& problem, const ConeSettings& settings,
                    Eigen::VectorXd start)
{
    SweepSettings sweep;
    sweep.sweeps = settings.sweeps;
    sweep.tolerance = settings.tolerance;
    sweep.stop = settings.stop;
    ContactAnswer best;
    best.residual = std::numeric_limits<double>::infinity();
    // Whoever is asked to stop has an answer all the same, if a poor one: the first round goes on.
    for (int round = 0; round < settings.rounds && (round == 0 || !is_set(settings.stop));
         ++round, sweep.sweeps *= 2) {
        ContactAnswer made = *gauss_seidel(problem, sweep, start);
        best.sweeps += made.sweeps;
        start = made.r;
        keep_nearer(best, std::move(made));
        if (best.residual <= settings.tolerance)
            break;
    }
    best.solved = best.residual <= settings.tolerance;
    return best;
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
    if (!problem.rows)
        return problem.count() > settings.newton_rows ? swept(problem, settings, start)
                                                      : solve_in_full(problem, settings, start);

    ContactAnswer best;
    best.residual = std::numeric_limits<double>::infinity();
    const auto offer = [&](ContactAnswer made) {
        const int sweeps = best.sweeps + made.sweeps, steps = best.steps + made.steps;
        keep_nearer(best, std::move(made));
        best.sweeps = sweeps;
        best.steps = steps;
        best.solved = best.residual <= settings.tolerance;
        return best.solved || is_set(settings.stop);
    };
    if (joints_hold(problem, settings.dense_rows) &&
        (offer(solve_held(problem, settings, start)) || !settings.thorough))
        return best;
    if (offer(solve_through_bodies(problem, settings, start)) || !settings.thorough ||
        problem.count() > settings.dense_rows)
        return best;
    ContactProblem full;
    full.W = delassus_of(problem);
    full.q = problem.q;
    full.blocks = problem.blocks;
    ContactAnswer made = solve_in_full(full, settings, best.r);
    const int sweeps = made.sweeps, steps = made.steps;
    made = judged(problem, std::move(made.r)); // speeds as the rows have them
    made.sweeps = sweeps;
    made.steps = steps;
    offer(std::move(made));
    return best;
}

} // namespace poinsot
