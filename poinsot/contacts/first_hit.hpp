// SPDX-License-Identifier: MIT
#pragma once

// What would pass through another between two looks: the first hit of anything fast.
//
// An item is fast if some point of it may move farther in the time asked for than a quarter of its
// smallest side. Only pairs with a fast one are swept (geometry/sweep.hpp); where nothing is fast
// the cost is one comparison an item. Those that touch already, as what was struck a moment ago and
// turns about the point where it was, hit when they are deeper in each other than now.

#include "poinsot/geometry/sweep.hpp"
#include "poinsot/state/placed.hpp"

#include <optional>
#include <span>

namespace poinsot {

/// How items at `poses` move that belong to these bodies, for a time in which nothing acts on them.
void courses_of(const Placed& placed, std::span<const int> owners,
                std::span<const Pose<double>> poses, double duration,
                std::vector<Passage>& courses);

class FirstHit {
  public:
    /// No earlier than this does a fast item touch another, within `duration`; none: not at all.
    /// Items of one owner never meet, nor do the pairs of `apart`, ascending. What is nearer than
    /// `within` touches already: it hits where it is deeper than `first_sinking` allows.
    std::optional<double> find(std::span<const Collider* const> shapes,
                               std::span<const Passage> courses, std::span<const Filter> filters,
                               std::span<const int> owners,
                               std::span<const std::pair<int, int>> apart, double duration,
                               double within);
    /// When it was asked last: was anything fast, and what is left of the gap at the hit?
    bool any_fast() const { return any_fast_; }
    double gap() const { return gap_; }

  private:
    BoundsTree tree_;
    std::vector<bool> is_fast_;
    std::vector<BoundsTree::Pair> pairs_;
    PartWorkspace work_;
    bool any_fast_ = false;
    double gap_ = 0;
};

} // namespace poinsot
