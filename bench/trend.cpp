// SPDX-License-Identifier: MIT
// Does a long run lose more and more? Four systems, 10⁴ s in steps of 1 ms.
//
// Prints the drift of each tenth of the run by itself as soon as it is known, which takes some
// minutes in all: where there is a trend, later ones are worse.

#include "drift.hpp"

using namespace poinsot;

namespace {

bool in_tenths(const DriftProblem& problem)
{
    Simulation sim = started(problem, {"gauss", Method::gauss, Formulation::reduced}, 1e-3, 1e4);
    Watch watch(problem);
    watch.see(sim);
    for (int tenth = 0; tenth < 10; ++tenth) {
        watch.next_window();
        if (!ran_on(sim, sim.steps_in_all() / 10, &watch))
            return false;
        std::printf("%s,%g,%.1e,%.1e\n", problem.name, sim.time(), watch.energy(), watch.L());
        std::fflush(stdout);
    }
    return true;
}

} // namespace

int main()
{
    std::printf("system,until,drift_E,drift_L\n");
    bool well = true;
    for (const DriftProblem& problem : problems)
        well = in_tenths(problem) && well;
    return well ? 0 : 1;
}
