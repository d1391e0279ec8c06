// SPDX-License-Identifier: MIT
#include "poinsot/geometry/query.hpp"
#include "geometry/pairs.hpp"

#include <rapidcheck.h>

using namespace poinsot;

namespace {

Collider some_collider(Dice& dice)
{
    switch (dice.whole(0, 6)) {
    case 0:
        return *collider_of(Box{{dice.in(0.2, 1), dice.in(0.2, 1), dice.in(0.2, 1)}});
    case 1:
        return *collider_of(Ball{dice.in(0.1, 0.6)});
    case 2:
        return *collider_of(Capsule{dice.in(0.1, 0.4), dice.in(0.1, 1)});
    case 3:
        return *collider_of(Cylinder{dice.in(0.1, 0.5), dice.in(0.2, 1)});
    case 4:
        return *collider_of(Cone{dice.in(0.1, 0.5), dice.in(0.2, 1)}, 0.05);
    case 5:
        return *collider_of(Ellipsoid{{dice.in(0.1, 0.5), dice.in(0.1, 0.5), dice.in(0.1, 0.5)}});
    default:
        return *compound_of({{*collider_of(Ball{0.3}), {{0.4, 0, 0}, identity_quat<double>()}},
                             {*collider_of(Box{{0.3, 0.3, 0.9}}), {{-0.4, 0, 0}, dice.turn()}}});
    }
}

} // namespace

TEST_CASE("Ray: closed forms agree with a point that advances until it touches")
{
    Dice dice(51);
    DepthSearch search;
    int hits = 0;
    for (int trial = 0; trial < 8000; ++trial) {
        const auto s = random_shape(dice, static_cast<std::size_t>(trial % 8));
        const Pose<double> pose{dice.vec(1), dice.turn()};
        const Vec3<double> from = dice.vec(3);
        const Vec3<double> towards = normalised(pose.x + dice.vec(0.7) - from);
        const Ray ray{from, dice.in(0.5, 2) * towards, dice.in(0.5, 8)};
        const auto hit = meet(ray, s.shape, pose);
        const FirstTouch swept =
            first_touch(s.shape, {pose}, {}, {{ray.from, identity_quat<double>()}, ray.d},
                        ray.until, search, 1e-10);
        if (hit) {
            ++hits;
            CHECK(hit->t >= 0);
            CHECK(hit->t <= ray.until);
            CHECK(norm(hit->point - (ray.from + hit->t * ray.d)) <= 1e-14);
            CHECK(std::abs(outside_by(s.shape, pose, hit->t > 0 ? hit->point : pose.x)) <=
                  (hit->t > 0 ? 1e-9 : 10));
            CHECK(near(norm(hit->normal), 1, 1e-14));
            CHECK(dot(hit->normal, ray.d) <= 1e-12);
            CHECK(swept.touch);
            CHECK(swept.time <= hit->t + 1e-12);
            // nothing of the shape beyond the normal's plane: it is the surface's
            if (hit->t > 0 && s.shape.core != Core::triangle)
                CHECK(extent(s.shape, pose, hit->normal) - dot(hit->normal, hit->point) <= 1e-7);
        } else if (swept.touch && swept.resolved) {
            // a graze within the tolerance of the sweep
            CHECK(swept.gap > 0);
            Passage on{{ray.from, identity_quat<double>()}, ray.d};
            double deepest = 1;
            for (int k = 0; k <= 400; ++k)
                deepest = std::min(deepest,
                                   outside_by(s.shape, pose, pose_at(on, ray.until * k / 400).x));
            CHECK((deepest > -1e-9 || s.shape.core == Core::triangle));
        }
    }
    CHECK(hits > 800);
}

TEST_CASE("Ray: a point that advances on a cone, cylinder or ellipsoid is never late")
{
    // Near a curved surface simplices are thin. With a normal from their two long edges, or with
    // the direction of v where another one proves the bound, one in 10⁴ of these passed through a
    // cone.
    Dice dice(52);
    DepthSearch search;
    int late = 0, hits = 0;
    for (int trial = 0; trial < 60000; ++trial) {
        const auto s = random_shape(dice, 4 + static_cast<std::size_t>(trial % 3));
        const Pose<double> pose{dice.vec(1), dice.turn()};
        const Vec3<double> from = dice.vec(3);
        const Ray ray{from, normalised(pose.x + dice.vec(0.7) - from), 8};
        const auto hit = meet(ray, s.shape, pose);
        if (!hit)
            continue;
        ++hits;
        const FirstTouch swept =
            first_touch(s.shape, {pose}, {}, {{ray.from, identity_quat<double>()}, ray.d},
                        ray.until, search, 1e-10);
        late += !swept.touch || swept.time > hit->t + 1e-12;
    }
    CHECK(hits > 20000);
    CHECK(late == 0);
}

TEST_CASE("Ray: from inside at once, from behind not at all, along an edge, of length zero")
{
    const auto box = collider_of(Box{{2, 2, 2}});
    const Pose<double> here = identity_pose<double>();
    CHECK(meet({{0, 0, 0}, {1, 0, 0}}, *box, here)->t == 0);
    CHECK(!meet({{2, 0, 0}, {1, 0, 0}}, *box, here));
    CHECK(meet({{-3, 1, 1}, {1, 0, 0}}, *box, here)->t == 2); // along an edge
    CHECK(!meet({{-3, 0, 0}, {1, 0, 0}, 1.5}, *box, here));
    CHECK(!meet({{-3, 0, 0}, {0, 0, 0}}, *box, here));
    CHECK(!meet({{-3, 0, 0}, {std::nan(""), 0, 0}}, *box, here));
    CHECK(near(meet({{-3, 0, 5}, {1, 0, -1}}, half_space(), here)->t, 5, 1e-15));
    CHECK(meet({{-3, 0, -5}, {1, 0, -1}}, half_space(), here)->t == 0);
    CHECK(near(meet({{-3, 0, -5}, {1, 0, 1}}, plane(), here)->t, 5, 1e-15));
    CHECK(!meet({{-3, 0, 5}, {1, 0, 1}}, plane(), here));
    CHECK(!meet({{-3, 0, 5}, {1, 0, 0}}, half_space(), here));
}

TEST_CASE(
    "Set of shapes: rays, overlaps, closest points and casts are those of asking all, with filters")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        ShapeSet set;
        const int items = dice.whole(1, 40);
        std::vector<Filter> filters;
        if (dice.whole(0, 2) == 0) {
            filters.push_back({});
            set.add(dice.whole(0, 1) ? half_space() : plane(),
                    {{0, 0, -3}, identity_quat<double>()});
        }
        for (int i = 0; i < items; ++i) {
            filters.push_back({1u << dice.whole(0, 2), ~0u});
            set.add(some_collider(dice), {dice.vec(4), dice.turn()}, filters.back());
        }
        for (int i = set.count() - items; i < set.count(); ++i)
            if (dice.whole(0, 3) == 0)
                set.move(i, {dice.vec(4), dice.turn()});
        const Filter mine{1, 3};
        PartWorkspace w;

        const Ray ray{dice.vec(5), dice.unit(), 10};
        const auto met = set.ray_cast(ray, mine);
        std::optional<ShapeSet::Met> first;
        const Collider probe = some_collider(dice);
        const Pose<double> at{dice.vec(4), dice.turn()};
        const double limit = dice.in(0.1, 6);
        std::vector<int> overlapped;
        double nearest = limit;
        const Passage course{at, dice.vec(5), dice.vec(1), zero3<double>()};
        double touch = 1e300;
        for (int i = 0; i < set.count(); ++i) {
            if (!may_touch(filters[static_cast<std::size_t>(i)], mine))
                continue;
            const auto hit = meet(ray, set.shape(i), set.pose(i));
            if (hit && (!first || hit->t < first->hit.t))
                first = ShapeSet::Met{i, *hit};
            const PartGap gap = nearest_parts(probe, at, set.shape(i), set.pose(i), w);
            if (gap.gap.distance <= 0)
                overlapped.push_back(i);
            nearest = std::min(nearest, gap.gap.distance);
            const FirstTouch one =
                first_touch(probe, course, set.shape(i), {set.pose(i)}, 1, w, 1e-8);
            if (one.touch)
                touch = std::min(touch, one.time);
        }
        RC_ASSERT(bool(met) == bool(first));
        if (met)
            RC_ASSERT(met->number == first->number && met->hit.t == first->hit.t);
        RC_ASSERT(set.overlaps(probe, at, mine) == overlapped);
        const auto closest = set.closest(probe, at, limit, mine);
        RC_ASSERT(bool(closest) == (nearest < limit));
        if (closest)
            RC_ASSERT(std::abs(closest->gap.gap.distance - nearest) <= 1e-12);
        const auto cast = set.shape_cast(probe, course, 1, mine, 1e-8);
        RC_ASSERT(bool(cast) == (touch < 1e300));
        if (cast)
            RC_ASSERT(std::abs(cast->touch.time - touch) <= 1e-6);
    }));
}

TEST_CASE(
    "Set of shapes: what is removed is not found; a thousand shapes in one place are all found")
{
    ShapeSet set;
    const auto ball = collider_of(Ball{1});
    for (int i = 0; i < 1000; ++i)
        set.add(*ball, identity_pose<double>());
    CHECK(set.overlaps(*ball, identity_pose<double>()).size() == 1000);
    set.remove(0);
    CHECK(set.overlaps(*ball, identity_pose<double>()).size() == 999);
    CHECK(set.closest(*ball, identity_pose<double>())->number == 1);
    CHECK(set.ray_cast({{-5, 0, 0}, {1, 0, 0}})->number == 1);
    for (int i = 1; i < 1000; ++i)
        set.remove(i);
    CHECK(!set.closest(*ball, identity_pose<double>()));
    CHECK(!set.ray_cast({{-5, 0, 0}, {1, 0, 0}}));
}
