// SPDX-License-Identifier: MIT
#pragma once

// Points of touch as rows, at one world point P for both bodies, halfway between the surfaces. The
// points of one pair are in one plane across n, at their mean height: feet that stand on it and
// tip, u = n (α + β · r), keep their distances to each other only if n · r is the same for all.
// Where it differs by a trace, one of them has to slip by a trace, and which one is hard to find.
//
//     normal      n · (v_b − v_a) at P            n from a to b; λ ≥ 0 pushes them apart
//     tangential  t₁, t₂ likewise
//     torsion     n · (ω_b − ω_a)                 where the materials resist it
//     rolling     t₁, t₂ · (ω_b − ω_a)
//
// The normal row is a block of its own, so that the books know it from friction.

#include "poinsot/constraints/row.hpp"
#include "poinsot/contacts/manifold.hpp"
#include "poinsot/state/placed.hpp"

namespace poinsot {

/// Where the rows of one point of touch are, and what the surfaces are.
struct TouchRows {
    int manifold = 0, point = 0;
    ContactLaw law = {};
    int first = 0; // row: normal, then two tangential ones if there is friction, torsion, rolling
    int tangents = 0, twists = 0, rolls = 0;
    double ahead = 0;      // gap/h of a point that is open and may close in a step; 0: it touches
    bool left_out = false; // no law is asked of it

    int rows() const { return 1 + tangents + twists + rolls; }
};

/// Where the skins of a model are in the world.
void place_skins(const Model& model, const Placed& placed, std::vector<Pose<double>>& out);

/// Rows of one point with this law, at most.
int most_rows_of(const ContactLaw& law);
/// Adds the rows of all points, and says which are whose. Bodies that take no torque have neither
/// torsion nor rolling.
void bind_contacts(const Model& model, const Placed& placed, std::span<const Manifold> manifolds,
                   Rows& out, std::vector<TouchRows>& points);

} // namespace poinsot
