// SPDX-License-Identifier: MIT
#include "poinsot/geometry/query.hpp"

#include <algorithm>

namespace poinsot {

const ShapeSet::Item& ShapeSet::item(int number) const
{
    check(number >= 0 && number < count() && items_[static_cast<std::size_t>(number)].there,
          "a number that ShapeSet::add returned, and that was not removed");
    return items_[static_cast<std::size_t>(number)];
}

template <class Visit>
void ShapeSet::each_unbounded(const Filter& filter, Visit&& visit) const
{
    for (const int i : unbounded_)
        if (may_touch(item(i).filter, filter))
            visit(i);
}

int ShapeSet::add(Collider shape, const Pose<double>& pose, const Filter& filter)
{
    const int number = count();
    items_.push_back({std::move(shape), pose, filter, true});
    if (!items_.back().shape.bounded())
        unbounded_.push_back(number);
    move(number, pose);
    return number;
}

void ShapeSet::move(int number, const Pose<double>& pose)
{
    item(number);
    Item& moved = items_[static_cast<std::size_t>(number)];
    moved.pose = pose;
    if (const auto box = bounds_of(moved.shape, pose))
        tree_.set(number, *box);
}

void ShapeSet::remove(int number)
{
    item(number);
    items_[static_cast<std::size_t>(number)].there = false;
    tree_.remove(number);
    std::erase(unbounded_, number);
}

std::optional<ShapeSet::Met> ShapeSet::ray_cast(const Ray& ray, const Filter& filter) const
{
    std::optional<Met> best;
    Ray left = ray;
    const auto look = [&](int i) {
        const Item& there = items_[static_cast<std::size_t>(i)];
        if (!may_touch(there.filter, filter))
            return;
        const auto hit = meet(left, there.shape, there.pose);
        if (hit && (!best || hit->t < best->hit.t || (hit->t == best->hit.t && i < best->number))) {
            best = Met{i, *hit};
            left.until = hit->t;
        }
    };
    each_unbounded(filter, look);
    if (norm2(ray.d) > 0 && finite(ray.d) && finite(ray.from))
        tree_.each_on_line(ray.from, ray.d, left.until, zero3<double>(), look);
    return best;
}

std::optional<ShapeSet::Swept> ShapeSet::shape_cast(const Collider& shape, const Passage& course,
                                                    double duration, const Filter& filter,
                                                    double tolerance)
{
    std::vector<int> near;
    each_unbounded(filter, [&](int i) { near.push_back(i); });
    if (shape.bounded()) {
        std::optional<Bounds> box;
        for (const Collider::Part& part : shape.parts()) {
            const Bounds more = swept_bounds(part.convex, part.pose, course, duration);
            box = box ? joined(*box, more) : more;
        }
        tree_.each_overlap(*box, [&](int i) {
            if (may_touch(item(i).filter, filter))
                near.push_back(i);
            return true;
        });
    } else {
        for (int i = 0; i < count(); ++i)
            if (tree_.has(i) && may_touch(item(i).filter, filter))
                near.push_back(i);
    }
    std::sort(near.begin(), near.end());
    std::optional<Swept> best;
    double left = duration;
    for (const int i : near) {
        const Passage still{item(i).pose};
        const FirstTouch touch =
            first_touch(shape, course, item(i).shape, still, left, work_, tolerance);
        if (touch.touch && (!best || touch.time < best->touch.time)) {
            best = Swept{i, touch};
            left = touch.time;
        }
    }
    return best;
}

std::vector<int> ShapeSet::overlaps(const Collider& shape, const Pose<double>& pose,
                                    const Filter& filter)
{
    std::vector<int> found;
    const auto look = [&](int i) {
        const Item& there = items_[static_cast<std::size_t>(i)];
        if (!may_touch(there.filter, filter))
            return;
        near_parts(shape, pose, there.shape, there.pose, 0, work_.pairs);
        for (const auto& [part_a, part_b] : work_.pairs) {
            SearchCache cache;
            const Gap gap =
                gap_of_parts(shape, pose, part_a, there.shape, there.pose, part_b, work_, cache, 0);
            if (!gap.beyond && gap.distance <= 0) {
                found.push_back(i);
                return;
            }
        }
    };
    each_unbounded(filter, look);
    if (const auto box = bounds_of(shape, pose))
        tree_.each_overlap(*box, [&](int i) {
            look(i);
            return true;
        });
    else
        for (int i = 0; i < count(); ++i)
            if (tree_.has(i))
                look(i);
    std::sort(found.begin(), found.end());
    return found;
}

std::optional<ShapeSet::Nearest> ShapeSet::closest(const Collider& shape, const Pose<double>& pose,
                                                   double limit, const Filter& filter)
{
    std::optional<Nearest> best;
    double least = limit, reach = max(limit, 0.0);
    const auto look = [&](int i) {
        const Item& there = items_[static_cast<std::size_t>(i)];
        if (!may_touch(there.filter, filter))
            return;
        const PartGap gap =
            nearest_parts(shape, pose, there.shape, there.pose, work_, max(least, 0.0));
        if (gap.part_a < 0 || gap.gap.distance > least)
            return;
        if (!best || gap.gap.distance < least || i < best->number) {
            best = Nearest{i, gap};
            least = gap.gap.distance;
            reach = max(least, 0.0);
        }
    };
    each_unbounded(filter, look);
    if (const auto box = bounds_of(shape, pose))
        tree_.each_nearer(*box, reach, look);
    else
        for (int i = 0; i < count(); ++i)
            if (tree_.has(i))
                look(i);
    return best;
}

} // namespace poinsot
