// SPDX-License-Identifier: MIT
#pragma once

// Other engines on the same tree of hinges at the same state. Each stands in a file of its own that
// includes nothing of ours but this and the clock.

#include <functional>
#include <string>
#include <vector>

namespace poinsot {

/// A link: its frame stands on its hinge, z along the axis.
struct TreeLink {
    int parent;  // an earlier link, or −1
    bool floats; // the first link, its frame at its centre of mass; else it is on a hinge
    double R[9]; // its frame at zero angle in that of the parent: rotation by rows
    double r[3]; // and place
    double m;    // mass
    double c[3]; // centre of mass
    double I[6]; // about the centre of mass: xx, yy, zz, xy, xz, yz
};

/// A base that floats is at the origin in world axes.
struct TreeProblem {
    std::vector<TreeLink> links;
    double gravity[3];
    double base_v[3], base_omega[3];
    std::vector<double> q, v, tau; // of the hinges, in the order of the links
};

/// How long a call takes, in seconds.
using Stopwatch = double (*)(const std::function<void()>& call);
/// The least of some short runs.
double seconds_per_call(const std::function<void()>& call);
/// One call and no time: answers are compared before anything is timed.
double only_once(const std::function<void()>& call);

/// One question to an engine. Answers are numbers that do not depend on how an engine names the
/// velocities of a base.
struct TreeAnswer {
    std::string engine;
    const char* quantity;
    double seconds;
    std::vector<double> numbers;
};
namespace quantity {
constexpr const char* kinematics = "kinematics";   // centre of mass of the last link
constexpr const char* inverse = "inverse";         // τ of the hinges at the problem's v̇
constexpr const char* inertia = "inertia";         // M of the hinges, by rows
constexpr const char* forward = "forward";         // v̇ of the hinges
constexpr const char* momentum = "momentum";       // p
constexpr const char* derivatives = "derivatives"; // ∂v̇/∂v of the hinges, by rows
} // namespace quantity

struct TreePeer {
    const char* name;
    std::vector<TreeAnswer> (*run)(const TreeProblem&, Stopwatch); // null: not installed
};
std::vector<TreePeer> tree_peers();

std::vector<TreeAnswer> mujoco_on_tree(const TreeProblem& problem, Stopwatch seconds);
std::vector<TreeAnswer> bullet_on_tree(const TreeProblem& problem, Stopwatch seconds);
std::vector<TreeAnswer> simbody_on_tree(const TreeProblem& problem, Stopwatch seconds);
std::vector<TreeAnswer> dart_on_tree(const TreeProblem& problem, Stopwatch seconds);

} // namespace poinsot
