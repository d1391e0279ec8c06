// SPDX-License-Identifier: MIT
#include "poinsot/contacts/first_hit.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// The farthest that a point of these bounds is from where its body turns.
double reach_from(const Bounds& box, const Vec3<double>& centre)
{
    const Vec3<double> a = box.lo - centre, b = box.hi - centre;
    return norm(Vec3<double>{max(std::abs(a.x), std::abs(b.x)), max(std::abs(a.y), std::abs(b.y)),
                             max(std::abs(a.z), std::abs(b.z))});
}

/// |ω̇| of a body that turns freely is no more. Each ω_i is largest where T and L allow, the
/// moments I_1 ≤ I_2 ≤ I_3:
///
///     I_1 (I_3 − I_1) ω_1² ≤ 2 T I_3 − L²      I_3 (I_3 − I_1) ω_3² ≤ L² − 2 T I_1
///     I_2 (I_3 − I_2) ω_2² ≤ 2 T I_3 − L²      I_2 (I_2 − I_1) ω_2² ≤ L² − 2 T I_1
///
/// and  I_i ω̇_i = (I_j − I_k) ω_j ω_k.
double wobble_of(const PlacedBody& body)
{
    const Vec3<double>& I = body.mass.principal;
    if (!(I.x > 0) || I.x == I.z)
        return 0;
    const double twice_T = dot(body.L, body.omega), L_2 = dot(body.L, body.L);
    const double low = max(0.0, L_2 - twice_T * I.x), high = max(0.0, twice_T * I.z - L_2);
    const auto most = [&](double own, double below, double above) { // of ω_i²
        double bound = twice_T / own;
        if (above > own)
            bound = min(bound, high / (own * (above - own)));
        if (below < own)
            bound = min(bound, low / (own * (own - below)));
        return max(0.0, bound);
    };
    const double x = most(I.x, I.x, I.z), y = most(I.y, I.x, I.z), z = most(I.z, I.x, I.z);
    const auto rate = [](double difference, double own, double first, double second) {
        const double by = difference / own;
        return by * by * first * second;
    };
    return std::sqrt(rate(I.z - I.y, I.x, y, z) + rate(I.z - I.x, I.y, x, z) +
                     rate(I.y - I.x, I.z, x, y));
}

} // namespace

void courses_of(const Placed& placed, std::span<const int> owners,
                std::span<const Pose<double>> poses, double duration, std::vector<Passage>& courses)
{
    courses.resize(poses.size());
    for (std::size_t i = 0; i < poses.size(); ++i) {
        Passage& course = courses[i];
        course = {poses[i]};
        if (owners[i] == world)
            continue;
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(owners[i])];
        course.velocity = body.v;
        course.angular_velocity = body.omega;
        course.centre = rotate(conjugate(course.start.q), body.x - course.start.x);
        if (norm(body.omega) * duration > 1e-4) // else it is off by less than what counts as touch
            course.wobble = wobble_of(body);
    }
}

std::optional<double> FirstHit::find(std::span<const Collider* const> shapes,
                                     std::span<const Passage> courses,
                                     std::span<const Filter> filters, std::span<const int> owners,
                                     std::span<const std::pair<int, int>> apart, double duration,
                                     double within)
{
    const std::size_t count = shapes.size();
    is_fast_.assign(count, false);
    any_fast_ = false;
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
        any_fast_ = any_fast_ || is_fast_[i];
    }
    if (!any_fast_)
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
        const bool touching = now.part_a >= 0 && now.gap.distance <= within;
        const double until = first.value_or(duration), enough = 0.5 * within;
        const FirstTouch touch = touching ? first_sinking(*shapes[a], courses[a], *shapes[b],
                                                          courses[b], until, work_, enough)
                                          : first_touch(*shapes[a], courses[a], *shapes[b],
                                                        courses[b], until, work_, enough);
        if (touch.touch) {
            first = touch.time;
            gap_ = touch.gap;
        }
    }
    return first;
}

} // namespace poinsot
