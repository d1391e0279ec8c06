// SPDX-License-Identifier: MIT
#include "poinsot/contacts/skin_set.hpp"
#include "near.hpp"
#include "poinsot/model/builder.hpp"

#include <random>

using namespace poinsot;

namespace {

using V3 = Vec3<double>;

Model some_skins(int count, unsigned seed)
{
    Builder builder;
    Material material;
    material.name = "stuff";
    builder.add(material);
    std::mt19937 dice(seed);
    const auto some = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(dice()) / 4294967296.0;
    };
    const auto vector = [&](double size) {
        const double x = some(-size, size), y = some(-size, size), z = some(-size, size);
        return V3{x, y, z};
    };
    for (int i = 0; i < count; ++i) {
        Body body;
        body.name = text_of("body ", i);
        body.mass_properties = {1, vector(0.1), diagonal(1.0, 1.0, 1.0)};
        body.pose.x = vector(3);
        body.pose.q = exp_quat(vector(2));
        Skin skin;
        skin.name = body.name;
        skin.body = builder.add(body);
        skin.pose = {vector(0.2), exp_quat(vector(2))};
        skin.collider = i % 2 ? *collider_of(Ball{some(0.1, 0.5)})
                              : *collider_of(Box{{some(0.2, 1), some(0.2, 1), some(0.2, 1)}});
        skin.filter.groups = 1u << (i % 3);
        if (i % 5 == 0)
            skin.filter.meets = 3;
        builder.add(skin);
    }
    Skin ground;
    ground.name = "ground";
    ground.collider = half_space();
    builder.add(ground);
    builder.apart.push_back({0, 1});
    auto made = builder.build();
    if (!made)
        FAIL(made.problems().text());
    return *made;
}

} // namespace

TEST_CASE("Skins know whom they may meet, and are told of no other")
{
    const Model model = some_skins(40, 3);
    const Placed placed = place(model, start_of<MomentumForm<double>>(model));
    SkinSet set(model, placed);
    const int count = static_cast<int>(model.skins().size());
    CHECK_FALSE(set.may_meet(0, 1)); // declared
    CHECK_FALSE(set.may_meet(1, 0));
    CHECK_FALSE(set.may_meet(3, 3));
    int overlapping = 0, met = 0;
    const auto all = set.overlaps();
    for (int a = 0; a < count; ++a) {
        // By comparing all with all.
        std::vector<int> inside;
        int nearest = -1;
        double least = std::numeric_limits<double>::infinity();
        for (int b = 0; b < count; ++b) {
            const auto gap = set.between(a, b);
            if (a == b || !gap || !set.may_meet(a, b))
                continue;
            if (gap->distance <= 0)
                inside.push_back(b);
            if (gap->distance < least) {
                least = gap->distance;
                nearest = b;
            }
        }
        CHECK(set.overlaps(a) == inside);
        for (const int b : inside)
            CHECK(std::count(all.begin(), all.end(), std::pair<int, int>(std::minmax(a, b))) == 1);
        overlapping += static_cast<int>(inside.size());
        const auto near_to = set.closest(a);
        REQUIRE(near_to.has_value() == (nearest >= 0));
        if (!near_to)
            continue;
        CHECK(near(near_to->gap.gap.distance, least, 1e-9, 1));
        if (least < 0)
            continue;
        CHECK(near_to->number == nearest);
        CHECK_FALSE(set.closest(a, 0.5 * least));
        // Straight to it they meet, with it or with something on the way, and never late.
        const V3 way = near_to->gap.gap.on_b - near_to->gap.gap.on_a;
        if (model.skins()[static_cast<std::size_t>(a)].body == world || !(norm(way) > 1e-6))
            continue;
        const auto swept = set.shape_cast(a, way, zero3<double>(), 2);
        REQUIRE(swept);
        CHECK(swept->touch.time <= 1 + 1e-9);
        CHECK(swept->touch.time > 0.999); // nothing is nearer
        ++met;
    }
    CHECK(2 * static_cast<int>(all.size()) == overlapping);
    CHECK(overlapping > 4);
    CHECK(met > 3);
}

TEST_CASE("A shape that is brought along is told of all skins")
{
    const Model model = some_skins(40, 3);
    SkinSet set(model, place(model, start_of<MomentumForm<double>>(model)));
    const Collider large = *collider_of(Ball{50});
    CHECK(set.overlaps(large, identity_pose<double>()).size() == model.skins().size());
    const auto hit = set.ray_cast({{30, 30, 3}, {0, 0, -1}});
    REQUIRE(hit);
    CHECK(model.skins()[static_cast<std::size_t>(hit->number)].name == "ground");
    CHECK(near(hit->hit.t, 3, 1e-12));
    const Collider small = *collider_of(Ball{0.5});
    const auto falls =
        set.shape_cast(small, {{V3{30, 30, 3}, identity_quat<double>()}, {0, 0, -1}}, 9);
    REQUIRE(falls);
    CHECK(falls->touch.time <= 2.5);
    CHECK(falls->touch.time > 2.5 - 1e-6);
    const auto below = set.closest(small, {V3{30, 30, 3}, identity_quat<double>()});
    REQUIRE(below);
    CHECK(near(below->gap.gap.distance, 2.5, 1e-12));
}
