// SPDX-License-Identifier: MIT
#include "poinsot/contacts/first_hit.hpp"

#include <algorithm>

namespace poinsot {

namespace {

/// The farthest that a point of these bounds is from where its body turns.
double reach_from(const Bounds& box, const Vec3<double>& centre)
{
    const Vec3<double> a = box.lo - centre, b = box.hi - centre;
    return norm(Vec3<double>{max(std::abs(a.x), std::abs(b.x)), max(std::abs(a.y), std::abs(b.y)),
                             max(std::abs(a.z), std::abs(b.z))});
}

} // namespace

std::optional<double> FirstHit::find(std::span<const Collider* const> shapes,
                                     std::span<const Passage> courses,
                                     std::span<const Filter> filters, std::span<const int> owners,
                                     std::span<const std::pair<int, int>> apart, double duration,
                                     double within)
{
    const std::size_t count = shapes.size();
    is_fast_.assign(count, false);
    bool any = false;
    const auto travel = [&](std::size_t i) {
        return duration *
               (norm(courses[i].velocity) + norm(courses[i].angular_velocity) *
                                                reach_from(shapes[i]->bounds(), courses[i].centre));
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (!shapes[i]->bounded())
            continue;
        const Vec3<double> side = shapes[i]->bounds().hi - shapes[i]->bounds().lo;
        is_fast_[i] = travel(i) > 0.25 * min(side.x, min(side.y, side.z));
        any = any || is_fast_[i];
    }
    if (!any)
        return std::nullopt;

    pairs_.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (auto box = bounds_of(*shapes[i], courses[i].start)) {
            box = grown(*box, travel(i));
            if (finite(*box))
                tree_.set(static_cast<int>(i), *box);
            else // beyond the largest numbers: the step says so at its end
                tree_.remove(static_cast<int>(i));
        }
    tree_.pairs(pairs_);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count && !shapes[i]->bounded(); ++j)
            if (is_fast_[j] && tree_.has(static_cast<int>(j)))
                pairs_.push_back(std::minmax(static_cast<int>(i), static_cast<int>(j)));

    std::optional<double> first;
    for (const auto& pair : pairs_) {
        const auto a = static_cast<std::size_t>(pair.first),
                   b = static_cast<std::size_t>(pair.second);
        if (!(is_fast_[a] || is_fast_[b]) || owners[a] == owners[b] ||
            !may_touch(filters[a], filters[b]) ||
            std::binary_search(apart.begin(), apart.end(), pair))
            continue;
        const PartGap now = nearest_parts(*shapes[a], courses[a].start, *shapes[b],
                                          courses[b].start, work_, within);
        if (now.part_a >= 0 && now.gap.distance <= within)
            continue;
        const FirstTouch touch = first_touch(*shapes[a], courses[a], *shapes[b], courses[b],
                                             first.value_or(duration), work_, 0.5 * within);
        if (touch.touch)
            first = touch.time;
    }
    return first;
}

} // namespace poinsot
