// SPDX-License-Identifier: MIT
#pragma once

// Other engines on the same problem. Each stands in a file of its own that includes nothing of ours
// but this and the clock, since some do not compile as C++20.

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace poinsot {

/// A free body about its principal axes, at rest in place, the body axes along the world's.
struct FreeBodyProblem {
    std::array<double, 3> moments, omega;
    double duration;
};
struct PeerRun {
    std::string method;
    double step, cpu;        // seconds simulated per step; seconds of CPU for all
    std::array<double, 4> q; // w, x, y, z at the end, body to world
};
using Report = std::function<void(const PeerRun&)>;

struct Peer {
    const char* name;
    void (*run)(const FreeBodyProblem&, const Report&); // null: not installed
};
std::vector<Peer> peers();

void run_mujoco(const FreeBodyProblem& problem, const Report& report);
void run_bullet(const FreeBodyProblem& problem, const Report& report);
void run_simbody(const FreeBodyProblem& problem, const Report& report);

/// What a long run of a chain under gravity −9.81 along z, or of a free body, is asked about. Links
/// hang on each other along −z of their frames; `angles` are those of the first joints about y.
struct DriftProblem {
    const char* name;
    int links;                  // none: the free body below
    double length, mass, axial; // of one link: a rod, and its moment about itself
    bool balls;                 // hinges about y otherwise
    std::array<double, 2> angles;
    double spin; // of all together, about the vertical through the first joint
    std::array<double, 3> moments{}, omega{};
};
/// Is there an angular momentum that nothing changes?
inline bool keeps_L(const DriftProblem& problem)
{
    return problem.links == 0 || problem.spin != 0;
}
/// The largest |E − E₀| of a run against its largest kinetic energy, and of |L − L₀| against |L₀|
/// (of a chain about the vertical); `cpu` is of a run in which nothing is measured.
struct DriftRun {
    double energy, L, cpu;
};
/// MuJoCo's Runge-Kutta; numbers that are none where it has diverged, or is not installed.
DriftRun drift_of_mujoco(const DriftProblem& problem, double h, double duration);

/// Steps that every fixed-step peer is run with.
inline const std::array<double, 5> peer_steps{0.1, 0.03125, 0.01, 0.001, 0.0001};

} // namespace poinsot
