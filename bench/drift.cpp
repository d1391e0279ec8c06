// SPDX-License-Identifier: MIT
// What does a long run lose, and what does it cost? Four systems, 100 s in steps of 1 ms and 10 ms,
// beside MuJoCo's Runge-Kutta with the same steps.
//
//     drift = largest |E − E₀| over the run / largest kinetic energy
//     ratio = CPU time / MuJoCo's

#include "drift.hpp"
#include "measure.hpp"

using namespace poinsot;

namespace {

void report(const DriftProblem& problem, const Way& way, double h, double duration,
            const DriftRun& peer)
{
    Simulation sim = started(problem, way, h, duration);
    Watch watch(problem);
    watch.see(sim);
    if (!ran_on(sim, sim.steps_in_all(), &watch))
        return;
    double cpu = INFINITY;
    for (int turn = 0; turn < 3; ++turn) {
        Simulation again = started(problem, way, h, duration);
        cpu = std::fmin(cpu, time_of([&] { ran_on(again, again.steps_in_all(), nullptr); }));
    }
    const double steps = static_cast<double>(sim.steps_in_all());
    std::printf("%s,%s,%g,%g,%.1e,%.1e,%.1f,%.2f,%.2f\n", problem.name, way.name, h, duration,
                watch.energy(), watch.L(), static_cast<double>(sim.evaluations()) / steps,
                1e6 * cpu / steps, cpu / peer.cpu);
    std::fflush(stdout);
}

void beside_mujoco(const DriftProblem& problem, double h)
{
    constexpr double duration = 100;
    const DriftRun peer = drift_of_mujoco(problem, h, duration);
    std::printf("%s,MuJoCo_RK4,%g,%g,%.1e,%.1e,4,%.2f,1\n", problem.name, h, duration, peer.energy,
                peer.L, 1e6 * peer.cpu * h / duration);
    report(problem, {"gauss", Method::gauss, Formulation::reduced}, h, duration, peer);
    report(problem, {"runge_kutta4", Method::runge_kutta4, Formulation::reduced}, h, duration,
           peer);
    if (problem.links == 0)
        report(problem, {"splitting", Method::splitting, Formulation::maximal}, h, duration, peer);
}

} // namespace

int main()
{
    std::printf("system,method,step,duration,drift_E,drift_L,evaluations,us_per_step,ratio\n");
    for (const DriftProblem& problem : problems)
        for (const double h : {1e-3, 1e-2})
            beside_mujoco(problem, h);
}
