// SPDX-License-Identifier: MIT
#pragma once

// Many worlds of one model, each from its own start and under its own forces.

#include "python/described.hpp"

#include <functional>

namespace poinsot {

struct RolloutShape {
    std::size_t worlds = 0, steps = 0;
};

/// The model with other masses, one for each body with what its tanks hold as described, and then
/// with other contents of its tanks; either may be none. Every inertia of what is no content grows
/// with its mass, as of a body of the same shape. Or why there is no such model.
Result<Model> loaded_with(const Described& described, std::span<const double> masses,
                          std::span<const double> contents);

/// Fills q (worlds, steps + 1, nq) and v (worlds, steps + 1, nv) from q0, v0 and tau, which is none
/// or (worlds, steps, nv), masses, which are none or (worlds, bodies), and contents of tanks, none
/// or (worlds, tanks). Every world is computed by itself, so the number of threads (0: as many as
/// the machine has) changes no bit. `stop` is asked now and then by the calling thread. Returns why
/// worlds could not go on, the first ones; empty if all could.
std::string roll_out(const Described& described, const StepSettings& settings,
                     const RolloutShape& shape, std::span<const double> q0,
                     std::span<const double> v0, std::span<const double> tau,
                     std::span<const double> masses, std::span<const double> contents,
                     std::span<double> q, std::span<double> v, int threads,
                     const std::function<bool()>& stop);

} // namespace poinsot
