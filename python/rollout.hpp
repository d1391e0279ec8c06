// SPDX-License-Identifier: MIT
#pragma once

// Many worlds of one model, each from its own start and under its own forces.

#include "python/described.hpp"

#include <functional>

namespace poinsot {

struct RolloutShape {
    std::size_t worlds = 0, steps = 0;
};

/// What differs from world to world, for all of them or for one; each may be none.
struct OwnNumbers {
    std::span<const double> masses;    // per body, with what its tanks hold as described
    std::span<const double> contents;  // per tank
    std::span<const double> armatures; // per velocity

    bool any() const { return !masses.empty() || !contents.empty() || !armatures.empty(); }
    OwnNumbers of_world(std::size_t world, const Described& described) const;
};

/// The model with other masses, then with other contents of its tanks, and with other armatures.
/// Every inertia of what is no content grows with its mass, as of a body of the same shape. Or why
/// there is no such model.
Result<Model> loaded_with(const Described& described, const OwnNumbers& own);

/// Fills q (worlds, steps + 1, nq) and v (worlds, steps + 1, nv) from q0, v0 and tau, which is none
/// or (worlds, steps, nv), and what worlds have of their own. Every world is computed by itself, so
/// the number of threads (0: as many as the machine has) changes no bit. `stop` is asked now and
/// then by the calling thread. Returns why worlds could not go on, the first ones; empty if all
/// could.
std::string roll_out(const Described& described, const StepSettings& settings,
                     const RolloutShape& shape, std::span<const double> q0,
                     std::span<const double> v0, std::span<const double> tau, const OwnNumbers& own,
                     std::span<double> q, std::span<double> v, int threads,
                     const std::function<bool()>& stop);

} // namespace poinsot
