// SPDX-License-Identifier: MIT
#pragma once

// An adaptive method over one step of the grid, in as many sub-steps as its tolerance asks for.
//
//     h_next = 0.9 h error^(−1/5),  within a factor of five        error: in units of the tolerance
//
// `attempt(done, step, postings)` tries a sub-step that begins at `done` and returns its error;
// `accept(done, step)` takes it.

#include "poinsot/integrate/runge_kutta.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

template <class Attempt, class Accept>
StepReport adaptive_steps(const System& system, double h, double& substep,
                          const Tolerance& tolerance, Postings& postings, const Attempt& attempt,
                          const Accept& accept)
{
    StepReport report{0, nullptr};
    double done = 0;
    double trial = substep > 0 ? substep : 0.01 * h;
    for (int tries = 0; done < h; ++tries) {
        if (tries == tolerance.most_substeps) {
            report.failure = "the tolerance asks for too many sub-steps";
            report.too_long = true;
            return report;
        }
        if (system.stopped())
            return interrupted_after(report.evaluations);
        // The last sub-step ends on the grid; one that would leave a sliver is shortened to half.
        const double left = h - done;
        const bool last = trial >= left;
        const double step = last ? left : (trial > 0.5 * left ? 0.5 * left : trial);
        Postings tried(postings.detail());
        tried.clear(system.model.bodies().size());
        const double error = attempt(done, step, tried);
        report.evaluations += 7;
        if (!std::isfinite(error)) {
            report.failure = "a rate is not a number";
            return report;
        }
        const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
        if (error <= 1) {
            accept(done, step);
            postings.merge(tried);
            done = last ? h : done + step;
            // A step cut short by the grid says nothing about the length to try next.
            trial = (last || step < trial) ? std::max(trial, step * factor) : step * factor;
        } else {
            trial = step * std::min(factor, 1.0);
            if (!(trial > 1e-14 * h)) {
                report.failure = "the tolerance asks for sub-steps below rounding";
                report.too_long = true;
                return report;
            }
        }
    }
    substep = trial;
    return report;
}

} // namespace poinsot
