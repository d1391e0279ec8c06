// SPDX-License-Identifier: MIT
#include "poinsot/contacts/manifold.hpp"
#include "allocations.hpp"
#include "math/kernels.hpp"
#include "near.hpp"
#include "poinsot/contacts/broadphase.hpp"

#include <map>
#include <set>

using namespace poinsot;

namespace {

Pose<double> at(double x, double y, double z, const Vec3<double>& turn = zero3<double>())
{
    return {{x, y, z}, exp_quat(turn)};
}

struct World {
    std::vector<Collider> shapes;
    std::vector<Pose<double>> poses;
    std::vector<Filter> filters;
    std::vector<const Collider*> seen;
    Broadphase broadphase;
    Contacts contacts;

    void add(Collider shape, const Pose<double>& pose, const Filter& filter = {})
    {
        shapes.push_back(std::move(shape));
        poses.push_back(pose);
        filters.push_back(filter);
    }
    std::span<Manifold> find(double margin = 0.01)
    {
        if (seen.size() != shapes.size()) {
            seen.clear();
            for (const Collider& s : shapes)
                seen.push_back(&s);
        }
        return contacts.find(broadphase.pairs(seen, poses, filters, margin), seen, poses, margin);
    }
};

/// Some fifty bodies of all kinds in a small space above a floor.
World heap(std::uint64_t seed, int bodies = 50)
{
    World w;
    Dice dice(seed);
    w.add(half_space(), identity_pose<double>());
    for (int i = 0; i < bodies; ++i) {
        const Pose<double> pose{{dice.in(-2, 2), dice.in(-2, 2), dice.in(0, 3)}, dice.turn()};
        switch (i % 6) {
        case 0:
            w.add(*collider_of(Box{{0.6, 0.5, 0.4}}), pose);
            break;
        case 1:
            w.add(*collider_of(Ball{0.4}), pose);
            break;
        case 2:
            w.add(*collider_of(Capsule{0.2, 0.6}), pose);
            break;
        case 3:
            w.add(*collider_of(Cylinder{0.3, 0.6}), pose);
            break;
        case 4:
            w.add(*collider_of(Cone{0.3, 0.6}, 0.02), pose);
            break;
        default:
            w.add(*compound_of({{*collider_of(Ball{0.3}), at(0.3, 0, 0)},
                                {*collider_of(Box{{0.2, 0.2, 0.9}}), at(-0.3, 0, 0)}}),
                  pose);
        }
    }
    return w;
}

} // namespace

TEST_CASE("Manifold: a box that slides and turns keeps its points and what was solved for them")
{
    for (const bool solid : {true, false}) {
        World w;
        if (solid)
            w.add(*collider_of(Box{{20, 20, 1}}), at(0, 0, -0.5));
        else
            w.add(half_space(), identity_pose<double>());
        w.add(*collider_of(Box{{1, 1, 1}}), at(0, 0, 0.499));
        std::set<std::uint32_t> first;
        for (int step = 0; step < 200; ++step) {
            const auto found = w.find();
            REQUIRE(found.size() == 1);
            Manifold& m = found.front();
            REQUIRE(m.count == 4);
            CHECK(near(m.normal.z, 1, 1e-14));
            std::set<std::uint32_t> features;
            for (ContactPoint& p : m.point) {
                features.insert(p.feature);
                CHECK(p.old == (step > 0));
                if (step > 0)
                    CHECK(p.impulse[0] == static_cast<double>(p.feature));
                p.impulse = {static_cast<double>(p.feature), 0.1, 0.2};
            }
            CHECK(features.size() == 4);
            if (step == 0)
                first = features;
            CHECK(features == first);
            // 2 cm and half a degree a step, with a little trembling
            w.poses[1].x += Vec3<double>{0.02, 0.01, step % 2 ? 1e-4 : -1e-4};
            w.poses[1].q = exp_quat<double>({step % 3 * 1e-4, 0, 0.01}) * w.poses[1].q;
            w.poses[1].q = normalised(exp_quat<double>({-(step % 3) * 1e-4, 0, 0}) * w.poses[1].q);
        }
    }
}

TEST_CASE("Manifold: friction that is carried over keeps its direction in the world")
{
    Manifold before{0, 1, 0, 0, {0, 0, 1}, tangent_of({0, 0, 1}), 1, {}, {}};
    before.point[0] = {{}, {}, 0, 17, false, {5, 0.3, -0.4}};
    const Vec3<double> n = normalised(Vec3<double>{0.01, 0.02, 1});
    Manifold now{0, 1, 0, 0, n, tangent_of(n), 2, {}, {}};
    now.point[0] = {{}, {}, 0, 16, false, {}};
    now.point[1] = {{}, {}, 0, 17, false, {}};
    const auto friction = [](const Manifold& m, const ContactPoint& p) {
        return p.impulse[1] * m.tangent + p.impulse[2] * cross(m.normal, m.tangent);
    };
    carry_over({&before, 1}, {&now, 1});
    CHECK(!now.point[0].old);
    CHECK(now.point[1].old);
    CHECK(now.point[1].impulse[0] == 5);
    CHECK(norm(friction(now, now.point[1]) - friction(before, before.point[0])) <= 0.02);
    // another pair of parts takes over nothing
    Manifold other = now;
    other.part_b = 1;
    other.point[1].old = false;
    carry_over({&before, 1}, {&other, 1});
    CHECK(!other.point[1].old);
}

TEST_CASE("Manifold: tangents are unit and across for every normal")
{
    Dice dice(3);
    for (int i = 0; i < 1000; ++i) {
        const Vec3<double> n = dice.unit(), t = tangent_of(n);
        CHECK(near(norm(t), 1, 1e-15));
        CHECK(std::abs(dot(n, t)) <= 1e-15);
    }
    for (const Vec3<double>& n :
         {Vec3<double>{0, 0, 1}, Vec3<double>{0, 0, -1}, Vec3<double>{0, -1, 0}})
        CHECK(near(norm(tangent_of(n)), 1, 1e-15));
}

TEST_CASE("Manifold: a heap has the contacts that asking every pair gives, in order, each once")
{
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        World w = heap(seed);
        const double margin = 0.02;
        const auto found = w.find(margin);
        std::map<std::pair<int, int>, double> least;
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i > 0)
                CHECK(key_of(found[i - 1]) < key_of(found[i]));
            CHECK(found[i].count >= 1);
            for (int k = 0; k < found[i].count; ++k) {
                const ContactPoint& p = found[i].point[static_cast<std::size_t>(k)];
                CHECK(norm(p.on_b - p.on_a - p.gap * found[i].normal) <= 1e-13);
                auto [entry, fresh] = least.insert({{found[i].a, found[i].b}, p.gap});
                entry->second = std::min(entry->second, p.gap);
            }
        }
        PartWorkspace work;
        std::size_t touching = 0;
        for (int i = 0; i < static_cast<int>(w.shapes.size()); ++i)
            for (int j = i + 1; j < static_cast<int>(w.shapes.size()); ++j) {
                const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
                const PartGap gap =
                    nearest_parts(w.shapes[a], w.poses[a], w.shapes[b], w.poses[b], work);
                if (gap.gap.distance > margin)
                    continue;
                ++touching;
                REQUIRE(least.count({i, j}));
                CHECK(near(least[{i, j}], gap.gap.distance, 1e-9, 1));
            }
        CHECK(touching == least.size());
        CHECK(touching > 20);
    }
}

TEST_CASE("Manifold: the same bits whatever the tree has seen before")
{
    World fresh = heap(4), old = heap(4);
    Dice dice(9);
    const auto poses = old.poses;
    for (int step = 0; step < 20; ++step) {
        for (std::size_t i = 1; i < old.poses.size(); ++i)
            old.poses[i] = {dice.vec(4), dice.turn()};
        old.find();
    }
    old.poses = poses;
    old.contacts.clear();
    const auto a = fresh.find(), b = old.find();
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(key_of(a[i]) == key_of(b[i]));
        REQUIRE(a[i].count == b[i].count);
        for (std::size_t k = 0; k < static_cast<std::size_t>(a[i].count); ++k) {
            CHECK(a[i].point[k].gap == b[i].point[k].gap);
            CHECK(a[i].point[k].on_a == b[i].point[k].on_a);
            CHECK(a[i].point[k].feature == b[i].point[k].feature);
        }
    }
}

TEST_CASE("Manifold: nothing is allocated once a heap has been seen")
{
    World w = heap(5);
    Dice dice(6);
    const auto shake = [&] {
        for (std::size_t i = 1; i < w.poses.size(); ++i) {
            w.poses[i].x += dice.vec(0.01);
            w.poses[i].q = normalised(exp_quat(dice.vec(0.02)) * w.poses[i].q);
        }
    };
    const auto start = w.poses;
    for (int step = 0; step < 50; ++step) {
        shake();
        w.find(0.05);
    }
    w.poses = start;
    dice = Dice(6);
    w.find(0.05);
    const long before = allocations;
    for (int step = 0; step < 50; ++step) {
        shake();
        w.find(0.05);
    }
    CHECK(allocations == before);
}

TEST_CASE("Manifold: bodies of every kind in one place end with a manifold for each pair")
{
    World w = heap(7, 120);
    for (std::size_t i = 1; i < w.poses.size(); ++i)
        w.poses[i] = at(1, 2, 3);
    w.find();
    std::set<std::pair<int, int>> pairs;
    for (const Manifold& m : w.contacts.manifolds()) {
        REQUIRE(near(norm(m.normal), 1, 1e-14));
        REQUIRE(m.count > 0);
        REQUIRE(std::isfinite(m.point[0].gap));
        pairs.insert({m.a, m.b});
    }
    CHECK(pairs.size() == 120 * 119 / 2);
}

TEST_CASE("Manifold: a thousand boxes in one place: half a million pairs, each with a way out" *
          doctest::test_suite("slow"))
{
    World w;
    const auto box = collider_of(Box{{1, 2, 3}});
    for (int i = 0; i < 1000; ++i)
        w.add(*box, at(1, 2, 3));
    std::vector<const Collider*> seen(1000, &w.shapes.front());
    const auto pairs = w.broadphase.pairs(seen, w.poses, w.filters, 0);
    REQUIRE(pairs.size() == 499500);
    PartWorkspace work;
    int wrong = 0;
    for (const auto& [a, b] : pairs) {
        SearchCache cache;
        const Gap gap = gap_of_parts(*seen[0], w.poses[static_cast<std::size_t>(a)], 0, *seen[0],
                                     w.poses[static_cast<std::size_t>(b)], 0, work, cache);
        wrong += !near(gap.distance, -1, 1e-14);
    }
    CHECK(wrong == 0);
}

TEST_CASE(
    "Broadphase: pairs are those of comparing all boxes, less those that filters and bonds forbid")
{
    Dice dice(13);
    World w = heap(6);
    for (Filter& f : w.filters)
        f = {1u << dice.whole(0, 2), dice.whole(0, 3) ? ~0u : 2u};
    w.broadphase.never(3, 2);
    w.broadphase.never(2, 3);
    w.broadphase.never(0, 5);
    std::vector<const Collider*> seen;
    for (const Collider& s : w.shapes)
        seen.push_back(&s);
    for (int step = 0; step < 10; ++step) {
        for (std::size_t i = 1; i < w.poses.size(); ++i)
            w.poses[i].x += dice.vec(0.2);
        if (step == 5)
            seen[7] = nullptr; // a body without a shape
        const auto found = w.broadphase.pairs(seen, w.poses, w.filters, 0.05);
        std::vector<std::pair<int, int>> truth;
        for (int i = 0; i < static_cast<int>(seen.size()); ++i)
            for (int j = i + 1; j < static_cast<int>(seen.size()); ++j) {
                const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
                if (!seen[a] || !seen[b] || !may_touch(w.filters[a], w.filters[b]) ||
                    std::pair{i, j} == std::pair{2, 3} || std::pair{i, j} == std::pair{0, 5})
                    continue;
                const auto box_a = bounds_of(*seen[a], w.poses[a]),
                           box_b = bounds_of(*seen[b], w.poses[b]);
                if (!box_a || !box_b || overlap(grown(*box_a, 0.05), grown(*box_b, 0.05)))
                    truth.push_back({i, j});
            }
        CHECK(std::vector(found.begin(), found.end()) == truth);
    }
    // fewer bodies than before
    const std::span<const Collider* const> few(seen.data(), 3);
    const auto found = w.broadphase.pairs(few, {w.poses.data(), 3}, {w.filters.data(), 3}, 0.05);
    for (const auto& [a, b] : found)
        CHECK(b < 3);
}
