// SPDX-License-Identifier: MIT
#include "poinsot/geometry/part_pairs.hpp"

#include <algorithm>

namespace poinsot {

namespace {

const Collider::Part& part_of(const Collider& c, int i)
{
    return c.parts()[static_cast<std::size_t>(i)];
}

// The box of a part of `of` in the frame of `in`.
Bounds seen_from(const Collider::Part& part, const Pose<double>& relative)
{
    return bounds_of(part.convex, pose_of(part, relative));
}

} // namespace

void near_parts(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                const Pose<double>& pose_b, double reach, std::vector<std::pair<int, int>>& pairs)
{
    pairs.clear();
    if (!a.bounded() && !b.bounded())
        return;
    const int count_a = a.bounded() ? static_cast<int>(a.parts().size()) : 1;
    const int count_b = b.bounded() ? static_cast<int>(b.parts().size()) : 1;
    if (!a.bounded() || !b.bounded()) {
        for (int i = 0; i < count_a; ++i)
            for (int j = 0; j < count_b; ++j)
                pairs.push_back({i, j});
        return;
    }
    if (count_a == 1 && count_b == 1) {
        pairs.push_back({0, 0});
        return;
    }
    // Parts of the one with fewer are looked up in the tree of the other.
    const bool a_tree = count_a >= count_b;
    const Collider &tree = a_tree ? a : b, &few = a_tree ? b : a;
    const Pose<double> relative =
        a_tree ? inverse(pose_a) * pose_b : inverse(pose_b) * pose_a; // of few in tree
    for (int i = 0; i < static_cast<int>(few.parts().size()); ++i)
        tree.tree().each_overlap(grown(seen_from(part_of(few, i), relative), reach), [&](int j) {
            pairs.push_back(a_tree ? std::pair{j, i} : std::pair{i, j});
            return true;
        });
    std::sort(pairs.begin(), pairs.end());
}

Gap gap_of_parts(const Collider& a, const Pose<double>& pose_a, int part_a, const Collider& b,
                 const Pose<double>& pose_b, int part_b, PartWorkspace& w, SearchCache& cache,
                 double limit)
{
    check(a.bounded() || b.bounded(), "one of two colliders has bounds");
    if (!b.bounded()) {
        const Collider::Part& part = part_of(a, part_a);
        return gap_to_plane(b.kind(), part.convex, pose_of(part, pose_a), pose_b, b.margin());
    }
    if (!a.bounded()) {
        const Collider::Part& part = part_of(b, part_b);
        return reversed(
            gap_to_plane(a.kind(), part.convex, pose_of(part, pose_b), pose_a, a.margin()));
    }
    const Collider::Part &in_a = part_of(a, part_a), &in_b = part_of(b, part_b);
    return gap_between(in_a.convex, pose_of(in_a, pose_a), in_b.convex, pose_of(in_b, pose_b),
                       w.depth, cache, limit);
}

Gap gap_of_faces(const Collider& a, const Pose<double>& pose_a, int part_a, const Collider& b,
                 const Pose<double>& pose_b, int part_b, PartWorkspace& w, double limit)
{
    const auto same = [](const Collider& c, int i, int part) {
        return !c.bounded() || part_of(c, i).face == part_of(c, part).face;
    };
    Gap least;
    least.distance = std::numeric_limits<double>::infinity();
    least.beyond = true;
    near_parts(a, pose_a, b, pose_b, max(limit, 0.0), w.pairs);
    for (const auto& [i, j] : w.pairs) {
        if (!same(a, i, part_a) || !same(b, j, part_b))
            continue;
        SearchCache cache;
        const Gap gap = gap_of_parts(a, pose_a, i, b, pose_b, j, w, cache, max(limit, 0.0));
        if (!gap.beyond && gap.distance < least.distance)
            least = gap;
    }
    return least;
}

Patch patch_of_parts(const Collider& a, const Pose<double>& pose_a, int part_a, const Collider& b,
                     const Pose<double>& pose_b, int part_b, const Gap& gap, double margin)
{
    if (!b.bounded()) {
        const Collider::Part& part = part_of(a, part_a);
        return patch_on_plane(part.convex, pose_of(part, pose_a), gap, margin);
    }
    if (!a.bounded()) {
        const Collider::Part& part = part_of(b, part_b);
        return reversed(patch_on_plane(part.convex, pose_of(part, pose_b), reversed(gap), margin));
    }
    const Collider::Part &in_a = part_of(a, part_a), &in_b = part_of(b, part_b);
    return patch_between(in_a.convex, pose_of(in_a, pose_a), in_b.convex, pose_of(in_b, pose_b),
                         gap, margin);
}

PartGap nearest_parts(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                      const Pose<double>& pose_b, PartWorkspace& w, double limit)
{
    PartGap best;
    if (!a.bounded() && !b.bounded())
        return best;
    double least = limit;
    SearchCache cache;
    const auto look = [&](int i, int j) {
        const Gap gap = gap_of_parts(a, pose_a, i, b, pose_b, j, w, cache, max(least, 0.0));
        if (!gap.beyond && (gap.distance < least || (gap.distance <= least && best.part_a < 0))) {
            least = gap.distance;
            best = {gap, i, j};
        }
    };
    if (!a.bounded() || !b.bounded() || (a.parts().size() == 1 && b.parts().size() == 1)) {
        near_parts(a, pose_a, b, pose_b, 0, w.pairs);
        for (const auto& [i, j] : w.pairs)
            look(i, j);
        return best;
    }
    const bool a_tree = a.parts().size() >= b.parts().size();
    const Collider &tree = a_tree ? a : b, &few = a_tree ? b : a;
    const Pose<double> relative = a_tree ? inverse(pose_a) * pose_b : inverse(pose_b) * pose_a;
    // Overlaps are compared by depth, so boxes that overlap are all looked at.
    double near = max(least, 0.0);
    for (int i = 0; i < static_cast<int>(few.parts().size()); ++i)
        tree.tree().each_nearer(seen_from(part_of(few, i), relative), near, [&](int j) {
            if (a_tree)
                look(j, i);
            else
                look(i, j);
            near = max(least, 0.0);
        });
    return best;
}

} // namespace poinsot
