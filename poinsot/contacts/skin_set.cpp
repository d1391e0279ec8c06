// SPDX-License-Identifier: MIT
#include "poinsot/contacts/skin_set.hpp"

#include <algorithm>

namespace poinsot {

namespace {

std::size_t index(int skin)
{
    return static_cast<std::size_t>(skin);
}

} // namespace

Pose<double> pose_of(const Skin& skin, const Placed& placed)
{
    if (skin.body == world)
        return skin.pose;
    const PlacedBody& body = placed.bodies[index(skin.body)];
    return Pose<double>{body.x + body.lever(zero3<double>()), quat_of(body.R)} * skin.pose;
}

SkinSet::SkinSet(const Model& model, const Placed& placed) : model_(&model)
{
    for (const Skin& skin : model.skins()) {
        poses_.push_back(pose_of(skin, placed));
        all_.add(skin.collider, poses_.back(), {~0u, ~0u});
    }
}

bool SkinSet::may_meet(int a, int b) const
{
    const auto& skins = model_->skins();
    const auto& apart = model_->skins_apart();
    return skins[index(a)].body != skins[index(b)].body &&
           may_touch(skins[index(a)].filter, skins[index(b)].filter) &&
           !std::binary_search(apart.begin(), apart.end(), std::pair<int, int>(std::minmax(a, b)));
}

std::optional<ShapeSet::Swept> SkinSet::shape_cast(const Collider& shape, const Passage& course,
                                                   double duration)
{
    return all_.shape_cast(shape, course, duration);
}
std::optional<ShapeSet::Swept> SkinSet::shape_cast(int skin, const Vec3<double>& velocity,
                                                   const Vec3<double>& angular_velocity,
                                                   double duration)
{
    const Passage course{pose(skin), velocity, angular_velocity};
    std::optional<ShapeSet::Swept> best;
    double left = duration;
    for (int i = 0; i < all_.count(); ++i) {
        if (i == skin || !may_meet(skin, i))
            continue;
        const FirstTouch touch =
            first_touch(all_.shape(skin), course, all_.shape(i), {pose(i)}, left, work_);
        if (touch.touch && (!best || touch.time < left)) {
            best = ShapeSet::Swept{i, touch};
            left = touch.time;
        }
    }
    return best;
}

std::vector<int> SkinSet::overlaps(const Collider& shape, const Pose<double>& pose)
{
    return all_.overlaps(shape, pose);
}
std::vector<int> SkinSet::overlaps(int skin)
{
    std::vector<int> found = all_.overlaps(all_.shape(skin), pose(skin));
    std::erase_if(found, [&](int other) { return other == skin || !may_meet(skin, other); });
    return found;
}
std::vector<std::pair<int, int>> SkinSet::overlaps()
{
    std::vector<std::pair<int, int>> found;
    for (int a = 0; a < all_.count(); ++a)
        for (const int b : overlaps(a))
            if (b > a)
                found.emplace_back(a, b);
    return found;
}

std::optional<ShapeSet::Nearest> SkinSet::closest(const Collider& shape, const Pose<double>& pose,
                                                  double limit)
{
    return all_.closest(shape, pose, limit);
}
std::optional<ShapeSet::Nearest> SkinSet::closest(int skin, double limit)
{
    std::optional<ShapeSet::Nearest> best;
    double least = limit;
    for (int i = 0; i < all_.count(); ++i) {
        if (i == skin || !may_meet(skin, i))
            continue;
        const PartGap gap = nearest_parts(all_.shape(skin), pose(skin), all_.shape(i), pose(i),
                                          work_, std::max(least, 0.0));
        if (gap.part_a < 0 || gap.gap.distance > least || (best && !(gap.gap.distance < least)))
            continue;
        best = ShapeSet::Nearest{i, gap};
        least = gap.gap.distance;
    }
    return best;
}
std::optional<Gap> SkinSet::between(int a, int b)
{
    return between(all_.shape(a), pose(a), b);
}
std::optional<Gap> SkinSet::between(const Collider& shape, const Pose<double>& pose, int skin)
{
    const PartGap gap = nearest_parts(shape, pose, all_.shape(skin), this->pose(skin), work_);
    return gap.part_a < 0 ? std::nullopt : std::optional(gap.gap);
}

} // namespace poinsot
