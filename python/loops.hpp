// SPDX-License-Identifier: MIT
#pragma once

// Coordinates of a tree say nothing of what else binds it: joints that close loops, gears and
// prescribed motions. Those of a caller must fit these too.

#include "poinsot/step/smooth.hpp"
#include "python/described.hpp"

namespace poinsot {

/// Which joint or gear a state at the start breaks, and by how much, in a sentence; empty if it
/// breaks none.
std::string broken_bond(const Model& model, const State& start);

/// The nearest q, measured by the inertias, at which all that binds is met, and with the least
/// impulse the nearest v that keeps it so. Throws a ValueError where there is none.
Coordinates closed_coordinates(const Described& model, std::span<const double> q,
                               std::span<const double> v);

} // namespace poinsot
