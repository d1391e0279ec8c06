// SPDX-License-Identifier: MIT
#include "poinsot/contacts/broadphase.hpp"

#include <algorithm>

namespace poinsot {

void Broadphase::never(int a, int b)
{
    const Pair pair = std::minmax(a, b);
    const auto at = std::lower_bound(never_.begin(), never_.end(), pair);
    if (at == never_.end() || *at != pair)
        never_.insert(at, pair);
}

std::span<const Broadphase::Pair> Broadphase::pairs(std::span<const Collider* const> shapes,
                                                    std::span<const Pose<double>> poses,
                                                    std::span<const Filter> filters, double margin)
{
    check(shapes.size() == poses.size() && shapes.size() == filters.size(),
          "a shape, a pose and a filter for every item");
    const int count = static_cast<int>(shapes.size());
    for (std::size_t i = shapes.size(); i < known_; ++i)
        tree_.remove(static_cast<int>(i));
    known_ = shapes.size();
    unbounded_.clear();
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        auto box = shapes[at] ? bounds_of(*shapes[at], poses[at]) : std::nullopt;
        if (box)
            box = grown(*box, margin);
        if (box && finite(*box)) {
            tree_.set(i, *box);
        } else { // what is nowhere touches nothing: the step that put it there says so at its end
            tree_.remove(i);
            if (shapes[at] && !box)
                unbounded_.push_back(i);
        }
    }
    tree_.pairs(raw_);
    for (const int i : unbounded_)
        for (int j = 0; j < count; ++j)
            if (tree_.has(j))
                raw_.push_back(std::minmax(i, j));
    if (!unbounded_.empty())
        std::sort(raw_.begin(), raw_.end());

    pairs_.clear();
    for (const Pair& pair : raw_)
        if (may_touch(filters[static_cast<std::size_t>(pair.first)],
                      filters[static_cast<std::size_t>(pair.second)]) &&
            !std::binary_search(never_.begin(), never_.end(), pair))
            pairs_.push_back(pair);
    return pairs_;
}

} // namespace poinsot
