// SPDX-License-Identifier: MIT
#pragma once

// What would pass through another between two looks: the first hit of anything fast.
//
// An item is fast if some point of it may move farther in the time asked for than a quarter of its
// smallest side. Only pairs with a fast one are swept (geometry/sweep.hpp); where nothing is fast
// the cost is one comparison an item. Those that touch already are for others to look after.

#include "poinsot/geometry/sweep.hpp"

#include <optional>
#include <span>

namespace poinsot {

class FirstHit {
  public:
    /// No earlier than this does a fast item touch another, within `duration`; none: not at all.
    /// Items of one owner never meet, nor do the pairs of `apart`, ascending. What is nearer than
    /// `within` touches already.
    std::optional<double> find(std::span<const Collider* const> shapes,
                               std::span<const Passage> courses, std::span<const Filter> filters,
                               std::span<const int> owners,
                               std::span<const std::pair<int, int>> apart, double duration,
                               double within);

  private:
    BoundsTree tree_;
    std::vector<bool> is_fast_;
    std::vector<BoundsTree::Pair> pairs_;
    PartWorkspace work_;
};

} // namespace poinsot
