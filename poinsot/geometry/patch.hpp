// SPDX-License-Identifier: MIT
#pragma once

// Where two shapes touch: up to four points in the plane of contact, from the features that face
// each other.
//
// The face that is turned more squarely to the normal is the reference; the feature of the other
// shape is clipped at the planes through its edges, and every corner of what is left that is within
// the margin is a point of contact. A corner is known by the two edges that meet in it, each an
// edge of the clipped face or a side of the reference: that number stays the same from step to step
// as long as the same features meet, however they slide.

#include "poinsot/geometry/collider.hpp"
#include "poinsot/geometry/penetration.hpp"

#include <span>

namespace poinsot {

struct Spot {
    Vec3<double> on_a, on_b; // in the world: on_b − on_a = gap · normal
    double gap;              // below zero: depth
    std::uint32_t feature;   // two labels of edges, or of corners
};

struct Patch {
    Vec3<double> normal = zero3<double>(); // unit, from a to b
    int count = 0;
    std::array<Spot, 4> spot = {};
};

/// The points of contact of two shapes whose gap is known. Points farther apart than `margin` are
/// left out; a gap beyond it gives none.
Patch patch_between(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                    const Pose<double>& pose_b, const Gap& gap, double margin);

/// All corners of what their features have in common that face each other along a normal which need
/// not be that of their gap; added to `out`. None where no edge or face does.
void corners_along(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                   const Pose<double>& pose_b, const Vec3<double>& normal, double margin,
                   std::vector<Spot>& out);

/// Of points in a plane across the normal up to four: those that hold the others between them. What
/// forces at all of them can do, forces at the outermost can.
Patch outermost(std::span<const Spot> spots, const Vec3<double>& normal);

/// Gap of a convex shape to the half-space z ≤ 0 or the sheet z = 0 of a frame, from shape to
/// plane.
Gap gap_to_plane(Collider::Kind kind, const Convex& a, const Pose<double>& pose_a,
                 const Pose<double>& plane, double plane_margin = 0);
Patch patch_on_plane(const Convex& a, const Pose<double>& pose_a, const Gap& gap, double margin);

/// The same answer with the two shapes exchanged.
Gap reversed(const Gap& gap);
Patch reversed(const Patch& patch);

} // namespace poinsot
