// SPDX-License-Identifier: MIT
#pragma once

// A convex shape as collision sees it: a core, and a ball that is swept over it.
//
//     shape = core ⊕ ball(radius)      ball = point ⊕ r,  capsule = segment ⊕ r,  margin: more r
//     h(d) = max over r of d · r       the support function; `support` gives a point of it
//
// Distances are found between cores and the radii are taken off at the end: what is round is exact,
// and balls that touch or overlap a little never need the search for the depth.

#include "poinsot/geometry/polytope.hpp"
#include "poinsot/math/pose.hpp"

#include <array>
#include <cstdint>

namespace poinsot {

/// What a core is; `size` of Convex says how large.
enum class Core : std::uint8_t {
    point,     // the origin
    segment,   // from −size to +size
    triangle,  // corners size, b, c: a face of a mesh
    box,       // half sides
    ellipsoid, // half axes
    cylinder,  // radius x, half height z, along z
    cone,      // radius x of the base at z = 0, tip at height z
    polytope,
};

struct Convex {
    Core core = Core::point;
    double radius = 0; // of the ball; a margin is part of it
    Vec3<double> size = zero3<double>(), b = zero3<double>(), c = zero3<double>();
    const Polytope* polytope = nullptr; // whoever made the shape keeps it
};

/// A point of a core that is farthest along some direction, and which corner it is: −1 where the
/// core is curved.
struct Extreme {
    Vec3<double> r;
    int corner;
};

/// The farthest point of the core along d, of any length. The corners of a polytope are climbed
/// from `hint`.
Extreme support(const Convex& shape, const Vec3<double>& d, int hint = 0);

/// True for cores of flat faces: their depth is found exactly in finitely many steps.
inline bool flat_faced(const Convex& shape)
{
    return shape.core != Core::ellipsoid && shape.core != Core::cylinder &&
           shape.core != Core::cone;
}

/// A point in the core, and the radius of the ball about a point of the frame that holds the shape.
Vec3<double> middle_of(const Convex& shape);
double reach_of(const Convex& shape, const Vec3<double>& from);

/// The box along the world's axes around the placed shape, rounded outwards.
Bounds bounds_of(const Convex& shape, const Pose<double>& pose);

/// The part of the core that faces a direction: a corner, an edge or a face, within 3° of it. Round
/// caps are octagons in the frame of the shape. Each corner has a number that stays with it.
struct Facet {
    int count = 0; // 1: a corner, 2: an edge, more: a face, anticlockwise about its normal
    Vec3<double> normal = zero3<double>();     // of a face
    std::array<Vec3<double>, 16> r = {};       // in the frame of the shape
    std::array<std::uint16_t, 16> number = {}; // of the corners
};
Facet facet_towards(const Convex& shape, const Vec3<double>& n);
/// The number of the rim of a cylinder or cone on which a point is, or of the cone's tip.
std::uint16_t rim_at(const Convex& round, const Vec3<double>& point);

} // namespace poinsot
