// SPDX-License-Identifier: MIT
#pragma once

// Two colliders, part by part: which parts are near each other, and the gap of two of them, planes
// and half-spaces included.

#include "poinsot/geometry/patch.hpp"

namespace poinsot {

/// Memory for questions about pairs of parts; one per thread.
struct PartWorkspace {
    DepthSearch depth;
    std::vector<std::pair<int, int>> pairs;
};

/// The pairs of parts whose boxes are no farther apart than `reach`, in ascending order. A plane or
/// half-space counts as part 0. None for two without bounds.
void near_parts(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                const Pose<double>& pose_b, double reach, std::vector<std::pair<int, int>>& pairs);

/// The gap of two parts. Margins are part of it.
Gap gap_of_parts(const Collider& a, const Pose<double>& pose_a, int part_a, const Collider& b,
                 const Pose<double>& pose_b, int part_b, PartWorkspace& w, SearchCache& cache,
                 double limit = std::numeric_limits<double>::infinity());
/// The least gap of all parts of two faces (Collider::Part::face), each named by one of its parts.
/// None nearer than the limit: it is beyond.
Gap gap_of_faces(const Collider& a, const Pose<double>& pose_a, int part_a, const Collider& b,
                 const Pose<double>& pose_b, int part_b, PartWorkspace& w, double limit);
Patch patch_of_parts(const Collider& a, const Pose<double>& pose_a, int part_a, const Collider& b,
                     const Pose<double>& pose_b, int part_b, const Gap& gap, double margin);

/// A gap, and whose it is.
struct PartGap {
    Gap gap;
    int part_a = -1, part_b = -1; // −1: nothing nearer than the limit
};

/// The least gap of all parts: closest points, or the deepest overlap. Branches farther than the
/// best so far are not looked at. Nothing is found beyond `limit`, nor between two without bounds.
PartGap nearest_parts(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                      const Pose<double>& pose_b, PartWorkspace& w,
                      double limit = std::numeric_limits<double>::infinity());

} // namespace poinsot
