// SPDX-License-Identifier: MIT
#pragma once

// Signed distance of two convex shapes: the gap between them, or how deep they are in each other
// and which way out is shortest.
//
//     h(n) = max over w ∈ A ⊖ B of n · w       moving B by h(n) n parts the shapes
//     depth = min over unit n of h(n)          the shortest such move
//
// The depth is found by an expanding polytope: a hull of points of A ⊖ B grows by the point
// farthest along the normal of the face nearest to the origin. The plane of that face bounds the
// depth from below, h of any normal bounds it from above, and the answer is always a normal with
// its own h: a move that does part the shapes, also where the search had to stop early. For flat
// faces it ends with the exact face of A ⊖ B; for curved ones when the bounds are within
// `depth_accuracy` of the size, or when the polytope is full: then h is minimised along the sphere
// of directions, and `error` keeps the distance between the bounds.
//
// The hull may begin anywhere in A ⊖ B: faces that the origin is outside of come first. So it needs
// no tetrahedron around the origin, which touching shapes do not have. Where A ⊖ B itself is flat
// (two crossing segments, a ball's centre on a triangle), its normal is a way out of length zero.

#include "poinsot/geometry/distance.hpp"

#include <memory>
#include <vector>

namespace poinsot {

/// Which features meet: corners of each that hold the nearest points. For cores of flat faces (1,
/// 3) is a corner on a face, (2, 2) an edge on an edge.
struct FeaturePair {
    int count_a = 0, count_b = 0;
    std::array<int, 3> corner_a = {-1, -1, -1}, corner_b = {-1, -1, -1};
};

struct Gap {
    double distance = 0;                   // below zero: the depth
    Vec3<double> normal = zero3<double>(); // unit, from a to b
    Vec3<double> on_a = zero3<double>();   // on_b − on_a = distance · normal
    Vec3<double> on_b = zero3<double>();
    double error = 0; // the true distance is no less than distance − error
    // Unit, from a to b: if apart, planes across it prove that bound. The normal but for rounding,
    // and where a search stopped early.
    Vec3<double> proof = zero3<double>();
    bool beyond = false; // farther than asked: `distance` is a lower bound, the points say nothing
    int steps = 0;       // of both searches
    FeaturePair features = {};
};

/// Memory of the search for the depth; one per thread.
class DepthSearch {
  public:
    static constexpr int most_corners = 256, most_faces = 2 * most_corners;

    struct Face {
        std::array<int, 3> corner; // anticlockwise from outside
        std::array<int, 3> across; // the face beyond the edge from corner i to corner i + 1
        Vec3<double> normal;
        double distance; // of its plane from the origin; below zero: the origin is outside
        bool alive;
    };
    std::vector<Corner> corners;
    std::vector<Face> faces;
    std::vector<int> visible, horizon_face, horizon_edge, made;

    DepthSearch();
};

/// The bounds of a depth end this close to each other, as part of the size of the shapes.
inline constexpr double depth_accuracy = 1e-11;

/// Gap and closest points, or depth and deepest points. Shapes farther apart than `limit` are only
/// told to be so.
Gap gap_between(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                const Pose<double>& pose_b, DepthSearch& search, SearchCache& cache,
                double limit = std::numeric_limits<double>::infinity());

/// The same without keeping anything.
Gap gap_between(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                const Pose<double>& pose_b);

} // namespace poinsot
