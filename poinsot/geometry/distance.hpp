// SPDX-License-Identifier: MIT
#pragma once

// Closest points of two convex shapes, by the algorithm of Gilbert, Johnson and Keerthi.
//
//     M = A ⊖ B = {a − b}               the shapes share a point where the origin is in M
//     w = s_A(−v) − s_B(v)              the point of M farthest towards the origin as seen from v
//     v·w/|v| ≤ distance ≤ |v|          bounds on both sides in every step
//
// The search runs in the frame of the first shape, where nothing is larger than the shapes and the
// gap between them: how far both are from the origin of the world does not matter. It ends when the
// bounds meet to rounding, or when rounding lets v come no nearer; `error` is what is left between
// them. Cores are searched and the radii of the shapes are taken off at the end.

#include "poinsot/geometry/convex.hpp"
#include "poinsot/geometry/simplex.hpp"

#include <limits>

namespace poinsot {

/// What a search may begin with: keep it for a pair from step to step. Any value is allowed.
struct SearchCache {
    Vec3<double> axis = zero3<double>(); // in the frame of the first shape, from b to a
    int corner_a = 0, corner_b = 0;
};

/// Two cores, the second as seen from the first.
struct CorePair {
    const Convex& a;
    const Convex& b;
    Mat3<double> R;
    Vec3<double> x;

    CorePair(const Convex& first, const Pose<double>& pose_a, const Convex& second,
             const Pose<double>& pose_b);

    /// The point of A ⊖ B farthest along d.
    Corner farthest(const Vec3<double>& d, int hint_a, int hint_b) const;
};

/// How two cores stand. Where they do not share a point: v = a − b is the shortest way between
/// them.
struct CoreDistance {
    bool touch;  // |v| is below what rounding lets one tell from zero
    bool beyond; // farther than was asked for: `lower` says how far at least, v is not final
    double upper, lower; // of the distance
    Vec3<double> v;
    Vec3<double> axis; // unit; planes across it are `lower` apart: it need not be along v
    double scale;      // of the numbers that were rounded
    int steps;
    Simplex simplex;
};

/// No step more than this: rounding, or a gap that closes, ends the search well before.
inline constexpr int distance_steps = 200;

CoreDistance core_distance(const CorePair& pair, SearchCache& cache,
                           double limit = std::numeric_limits<double>::infinity());

} // namespace poinsot
