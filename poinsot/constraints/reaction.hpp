// SPDX-License-Identifier: MIT
#pragma once

// What a bond does to the bodies it joins: λ J, row by row.

#include "poinsot/constraints/row.hpp"
#include "poinsot/forces/gather.hpp"

namespace poinsot {

/// What a block does to the i-th of its bodies, about that body's centre of mass.
Wrench<double> reaction_on(const Rows& rows, const Block& block, std::span<const double> lambda,
                           int i);

/// What joint j does to its body b, about a world point; to its body a it does the opposite. Counts
/// the rows of the joint alone, or with those of its motors, drives and stops as well.
enum class ReactionOf { joint, joint_and_drive };
Wrench<double> reaction_of(const Model& model, const Rows& rows, int j,
                           std::span<const double> lambda, const Placed& placed,
                           const Vec3<double>& about, ReactionOf what = ReactionOf::joint);

/// Adds the reactions of all blocks, each to its bodies and under its own cause.
void add_reactions(const Rows& rows, std::span<const double> lambda, Loads& loads);
/// The same, all under one cause.
void add_reactions(const Rows& rows, std::span<const double> lambda, Cause cause, Loads& loads);

} // namespace poinsot
