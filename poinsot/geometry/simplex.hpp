// SPDX-License-Identifier: MIT
#pragma once

// Up to four points of the difference of two shapes, and the point of their hull nearest to the
// origin: the sub-problem of the search for closest points.
//
//     v = Σ λᵢ wᵢ,   λᵢ ≥ 0,   Σ λᵢ = 1,   |v| least
//
// Solved by signed volumes [Montanari, Petrinic, Barbieri 2017]: the origin is projected on the
// affine hull, the signs of the volumes that it cuts off say which corners do not hold v, and only
// the faces across from those are looked at. Unlike Johnson's recursion nothing is divided by a
// volume that has cancelled: a tetrahedron or triangle that is flat to rounding is taken for the
// union of its faces.

#include "poinsot/math/vec3.hpp"

#include <array>

namespace poinsot {

/// A point w = a − b of the difference, and where it comes from, in the frame of the first shape.
struct Corner {
    Vec3<double> w, a, b;
    int corner_a, corner_b; // numbers of corners; −1 on what is curved
};

struct Simplex {
    int count = 0;
    std::array<Corner, 4> corner;
    std::array<double, 4> lambda;

    /// Σ λ a and Σ λ b
    Vec3<double> point_a() const;
    Vec3<double> point_b() const;
};

/// Keeps only the corners that hold the nearest point, sets λ, and returns v: zero if the origin is
/// inside the tetrahedron.
Vec3<double> reduce_to_nearest(Simplex& simplex);

} // namespace poinsot
