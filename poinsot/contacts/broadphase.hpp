// SPDX-License-Identifier: MIT
#pragma once

// Pairs of bodies that may touch: boxes that overlap, filters that agree, and no bond that says
// otherwise. Exact: the pairs are those that comparing all boxes with all would give, in the same
// order, whatever the past of the tree.

#include "poinsot/geometry/collider.hpp"

#include <span>

namespace poinsot {

class Broadphase {
  public:
    using Pair = BoundsTree::Pair;

    /// Bodies that joints connect, for instance, never meet.
    void never(int a, int b);

    /// All pairs of items whose boxes, grown by `margin` on each side, overlap. Items without
    /// bounds meet every item that has some. Numbers are positions in the lists. Allocates only
    /// while the lists or the pairs grow.
    std::span<const Pair> pairs(std::span<const Collider* const> shapes,
                                std::span<const Pose<double>> poses,
                                std::span<const Filter> filters, double margin);

    const BoundsTree& tree() const { return tree_; }

  private:
    BoundsTree tree_;
    std::vector<Pair> raw_, pairs_, never_;
    std::vector<int> unbounded_;
    std::size_t known_ = 0;
};

} // namespace poinsot
