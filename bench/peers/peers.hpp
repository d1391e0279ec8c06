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

/// Steps that every fixed-step peer is run with.
inline const std::array<double, 5> peer_steps{0.1, 0.03125, 0.01, 0.001, 0.0001};

} // namespace poinsot
