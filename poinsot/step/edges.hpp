// SPDX-License-Identifier: MIT
#pragma once

// The moments at which what acts jumps or bends: a load, the torque of a rotor or a gust begins or
// ends, a schedule has a node. Steps are taken in parts from one such moment to the next, so that
// a method of any order sees nothing but what is smooth, and an impulse is what it was given as.
//
//     t                  edge        edge               t + h
//     |------ off -------|--- on ----|------- off -------|
//
// What lies on the grid of steps, n h, is there but for the rounding of two products and of what
// was typed: an edge that close to either end of a step is at that end. Within a part a load is on
// or off as in its middle, System::active_at.

#include "poinsot/model/model.hpp"

#include <algorithm>
#include <limits>

namespace poinsot {

/// The last digits of t, within which times are not told apart.
inline double rounding_of_time(double t)
{
    return 4 * std::numeric_limits<double>::epsilon() * t;
}

/// How long it is from t to the next edge before t + rest; without one, `rest`.
inline double until_edge(const Model& model, double t, double rest)
{
    const auto& edges = model.edges();
    const auto next = std::upper_bound(edges.begin(), edges.end(), t + rounding_of_time(t));
    const double end = t + rest;
    return next != edges.end() && *next < end - rounding_of_time(end) ? *next - t : rest;
}

/// Is there an edge within a step from t over h?
inline bool edge_within(const Model& model, double t, double h)
{
    return until_edge(model, t, h) < h;
}

/// A moment by which loads are on or off as they are right after t, at the beginning of a step.
inline double right_after(const Model& model, double t, double h)
{
    return t + 0.5 * until_edge(model, t, h);
}

} // namespace poinsot
