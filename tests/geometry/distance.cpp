// SPDX-License-Identifier: MIT
#include "geometry/pairs.hpp"

#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <fstream>

using namespace poinsot;

namespace {

Convex box_of(const Vec3<double>& half)
{
    Convex c;
    c.core = Core::box;
    c.size = half;
    return c;
}
Convex ball_of(double radius)
{
    Convex c;
    c.radius = radius;
    return c;
}
Convex capsule_of(const Vec3<double>& half, double radius)
{
    Convex c;
    c.core = Core::segment;
    c.size = half;
    c.radius = radius;
    return c;
}
Pose<double> at(double x, double y, double z)
{
    return {{x, y, z}, identity_quat<double>()};
}
Vec3<double> vec_of(const nlohmann::json& j)
{
    return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()};
}
Mat3<double> mat_of(const nlohmann::json& j)
{
    return {vec_of(j[0]), vec_of(j[1]), vec_of(j[2])};
}

} // namespace

TEST_CASE("Distance: of every pair of shapes, the plane between them proves it")
{
    // Weak duality: points of the shapes bound the distance from above, a plane between them from
    // below. Flat and round shapes meet both to rounding; where a core is curved the search ends
    // where simplices become thinner than rounding, at 1e-12 of the size.
    int worst = 0;
    double worst_flat = 0, worst_curved = 0, worst_point = 0;
    for (std::size_t i = 0; i < shape_names().size(); ++i)
        for (std::size_t j = 0; j < shape_names().size(); ++j) {
            Dice dice(100 * i + j);
            for (int trial = 0; trial < 300; ++trial) {
                const auto A = random_shape(dice, i), B = random_shape(dice, j);
                const Pose<double> pa{dice.vec(2), dice.turn()}, pb{dice.vec(2), dice.turn()};
                const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                if (gap.distance <= 0)
                    continue;
                const double proven = -overlap_along(A.shape, pa, B.shape, pb, gap.normal);
                double& error =
                    flat_faced(A.shape) && flat_faced(B.shape) ? worst_flat : worst_curved;
                error = std::max(error, gap.distance - proven);
                // the bound that is reported is one, in the direction that is said to prove it
                REQUIRE(gap.distance - gap.error <=
                        -overlap_along(A.shape, pa, B.shape, pb, gap.proof) + 1e-14);
                REQUIRE(near(norm(gap.normal), 1, 1e-15));
                REQUIRE(norm(gap.on_b - gap.on_a - gap.distance * gap.normal) <= 1e-14);
                worst_point = std::max({worst_point, outside_by(A.shape, pa, gap.on_a),
                                        outside_by(B.shape, pb, gap.on_b)});
                worst = std::max(worst, gap.steps);
            }
        }
    MESSAGE("steps at most " << worst << ", error " << worst_flat << " where flat, " << worst_curved
                             << " where curved, points off by " << worst_point);
    CHECK(worst_flat <= 2e-14); // positions are of size 2, and some ten products each are rounded
    CHECK(worst_curved <= 2e-12);
    CHECK(worst_point <= 2e-8); // along the surface a point is only as good as the root of that
    CHECK(worst < distance_steps);
}

TEST_CASE("Distance: boxes and hulls of the reference, apart and overlapping")
{
    const auto items = read_json(reference("gjk_epa.json"))["items"];
    int pairs = 0;
    for (const auto& item : items["pairs"]) {
        const bool boxes = item["kind"] == "box-box";
        std::array<Polytope, 2> hull;
        std::array<Convex, 2> shape;
        std::array<Pose<double>, 2> pose{identity_pose<double>(), identity_pose<double>()};
        for (std::size_t k = 0; k < 2; ++k) {
            const std::string which = k == 0 ? "A" : "B";
            if (boxes) {
                shape[k] = box_of(vec_of(item["half_" + which]));
                pose[k] = {vec_of(item["pos_" + which]), quat_of(mat_of(item["R_" + which]))};
                continue;
            }
            std::vector<Vec3<double>> points;
            for (const auto& r : item["verts_" + which])
                points.push_back(vec_of(r));
            auto made = polytope_around(points);
            REQUIRE(bool(made));
            hull[k] = std::move(*made);
            shape[k].core = Core::polytope;
            shape[k].polytope = &hull[k];
            if (item.contains("pos_" + which))
                pose[k].x = vec_of(item["pos_" + which]);
        }
        const Gap gap = gap_between(shape[0], pose[0], shape[1], pose[1]);
        const double truth = item["overlap"].get<bool>() ? -item["penetration_depth"].get<double>()
                                                         : item["distance"].get<double>();
        // fifteen digits are printed, and matrices become quaternions and matrices again
        CHECK(near(gap.distance, truth, 1e-13, 1));
        if (item.contains("mtv_normal"))
            CHECK(norm(gap.normal - vec_of(item["mtv_normal"])) <= 1e-12);
        ++pairs;
    }
    CHECK(pairs == 54);
    for (const auto& item : items["libccd_boxbox"]) {
        const auto R =
            item.contains("R_B") ? quat_of(mat_of(item["R_B"])) : identity_quat<double>();
        const Gap gap =
            gap_between(box_of(0.5 * vec_of(item["size_A"])),
                        {vec_of(item["pos_A"]), quat_of(mat_of(item["R_A"]))},
                        box_of(0.5 * vec_of(item["size_B"])), {vec_of(item["pos_B"]), R});
        CHECK(near(-gap.distance, item["exact_depth"].get<double>(), 1e-13, 1));
    }
}

TEST_CASE("Distance: cases with an answer by hand")
{
    const Convex cube = box_of({0.5, 0.5, 0.5});
    const double h = std::numbers::sqrt2 / 2;
    const auto gap = [](const Convex& a, const Pose<double>& pa, const Convex& b,
                        const Pose<double>& pb) { return gap_between(a, pa, b, pb).distance; };
    const Pose<double> here = identity_pose<double>();
    CHECK(gap(cube, here, cube, at(1, 0, 0)) == 0);
    CHECK(near(gap(cube, here, cube, at(1.000000001, 0, 0)), 1e-9, 1e-15, 1));
    CHECK(near(gap(cube, here, cube, at(2, 2, 2)), std::sqrt(3.0), 1e-15));
    const Quat<double> turn = exp_quat<double>({0, 0, std::numbers::pi / 4});
    CHECK(near(gap(cube, here, cube, {{1.5, 0, 0}, turn}), 1 - h, 1e-15));
    CHECK(near(gap(cube, here, cube, here), -1, 1e-15)); // any axis
    const Gap shallow = gap_between(cube, here, cube, at(0.9, 0.05, 0));
    CHECK(near(shallow.distance, -0.1, 1e-15, 1));
    CHECK(shallow.normal == Vec3<double>{1, 0, 0});
    CHECK(near(gap(ball_of(0.7), here, ball_of(0.4), at(1.5, 0, 0)), 0.4, 1e-15));
    const Convex two = box_of({1, 1, 1});
    CHECK(near(gap(ball_of(0.5), at(2, 2, 2), two, here), std::sqrt(3.0) - 0.5, 1e-15));
    CHECK(near(gap(ball_of(0.5), at(2, 2, 0), two, here), std::sqrt(2.0) - 0.5, 1e-15));
    CHECK(near(gap(ball_of(0.1), at(0.7, 0.2, 0), two, here), -0.4, 1e-15));
    CHECK(near(gap(capsule_of({1, 0, 0}, 0.2), here, capsule_of({0, 1, 0}, 0.3), at(0, 0, 0.9)),
               0.4, 1e-15));
    CHECK(near(gap(capsule_of({1, 0, 0}, 0.2), here, capsule_of({1.25, 0, 0}, 0.2), at(0.75, 1, 0)),
               0.6, 1e-15));
}

TEST_CASE("Distance: nothing changes with a common shift, turn, order or unit")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto kind = [&] { return static_cast<std::size_t>(dice.whole(0, 7)); };
        const auto A = random_shape(dice, kind()), B = random_shape(dice, kind());
        const Pose<double> pa{dice.vec(1), dice.turn()}, pb{dice.vec(1), dice.turn()};
        const double d = gap_between(A.shape, pa, B.shape, pb).distance;
        // depth of curved shapes is found to depth_accuracy of their size
        const double allowed = 20 * depth_accuracy;
        RC_ASSERT(std::abs(gap_between(B.shape, pb, A.shape, pa).distance - d) <= 2e-10);
        const Pose<double> view{dice.vec(10), dice.turn()};
        RC_ASSERT(std::abs(gap_between(A.shape, view * pa, B.shape, view * pb).distance - d) <=
                  allowed + 2e-10);
    }));
}

TEST_CASE("Distance: degenerate: far from the origin only the difference of places matters")
{
    Dice dice(5);
    for (const double far : {1e3, 1e6, 1e9, 1e12})
        for (int trial = 0; trial < 200; ++trial) {
            const auto A = random_shape(dice, static_cast<std::size_t>(dice.whole(0, 7)));
            const auto B = random_shape(dice, static_cast<std::size_t>(dice.whole(0, 7)));
            const Vec3<double> there = dice.vec(far);
            const Pose<double> pa{there, dice.turn()}, pb{there + dice.vec(1), dice.turn()};
            const Pose<double> qa{zero3<double>(), pa.q}, qb{pb.x - pa.x, pb.q};
            // the same bits: the difference of two near numbers is exact
            CHECK(gap_between(A.shape, pa, B.shape, pb).distance ==
                  gap_between(A.shape, qa, B.shape, qb).distance);
        }
}

TEST_CASE("Distance: degenerate: sizes 1e-6 beside 1e6")
{
    Dice dice(6);
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j)
            for (int trial = 0; trial < 30; ++trial) {
                const auto A = random_shape(dice, i, 1e6), B = random_shape(dice, j, 1e-6);
                // near the surface of the large one, just outside, just inside, or anywhere
                const Vec3<double> n = dice.unit();
                const Pose<double> pa{zero3<double>(), dice.turn()};
                Vec3<double> r = extent(A.shape, pa, n) * n;
                if (trial % 3 == 1)
                    r = r + dice.vec(1e-6);
                if (trial % 3 == 2)
                    r = dice.vec(1e6);
                const Pose<double> pb{r, dice.turn()};
                const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                REQUIRE(std::isfinite(gap.distance));
                REQUIRE(near(norm(gap.normal), 1, 1e-14));
                const double h = overlap_along(A.shape, pa, B.shape, pb, gap.normal);
                // 32 roundings of its size and place, 3.4e6 in all, or 1e-10 of it where it is
                // curved
                const double allowed = flat_faced(A.shape) ? 2.4e-8 : 1e-4;
                CHECK(std::abs(gap.distance + h) <= allowed);
                CHECK(gap.steps < 2 * distance_steps + DepthSearch::most_corners);
            }
}

TEST_CASE("Distance: degenerate: needle and sheet")
{
    const Convex needle = box_of({1e-6, 1e-6, 1}), sheet = box_of({1, 1, 1e-6});
    Dice dice(7);
    for (int trial = 0; trial < 1000; ++trial) {
        const Pose<double> pa{dice.vec(0.5), dice.turn()}, pb{dice.vec(0.5), dice.turn()};
        for (const Convex* other : {&needle, &sheet}) {
            const Gap gap = gap_between(needle, pa, *other, pb);
            const double h = overlap_along(needle, pa, *other, pb, gap.normal);
            REQUIRE(near(gap.distance, -h, 1e-13, 1));
            // A ⊖ B may be as thin as 1e-6, and nothing is shorter than its normal
            if (gap.distance < 0)
                for (int k = 0; k < 100; ++k)
                    REQUIRE(overlap_along(needle, pa, *other, pb, dice.unit()) >=
                            -gap.distance - 1e-13);
        }
    }
    // The needle stands on the sheet, lies on it, and goes through it.
    const Pose<double> here = identity_pose<double>();
    CHECK(near(gap_between(needle, at(0.3, 0.2, 1 + 1e-6), sheet, here).distance, 0, 1e-15, 1));
    const Quat<double> lying = exp_quat<double>({std::numbers::pi / 2, 0, 0});
    CHECK(near(gap_between(needle, {{0, 0, 2e-6}, lying}, sheet, here).distance, 0, 1e-15, 1));
    CHECK(
        near(gap_between(needle, at(0.99, 0, 0), sheet, here).distance, -(0.01 + 1e-6), 1e-13, 1));
}

TEST_CASE("Distance: degenerate: touching exactly, in a face, an edge and a corner")
{
    const Convex cube = box_of({0.5, 0.5, 0.5});
    Dice dice(8);
    for (int trial = 0; trial < 500; ++trial) {
        // dyadic places: the sums are exact
        const Pose<double> a = at(std::ldexp(dice.whole(-999, 999), -5), 0, 3);
        const double dx = dice.sign();
        const double dy = std::ldexp(dice.whole(-64, 64), -6);
        const double dz = std::ldexp(dice.whole(-64, 64), -6);
        const Gap gap = gap_between(cube, a, cube, {{a.x.x + dx, dy, 3 + dz}, a.q});
        CHECK(gap.distance == 0);
        CHECK(std::abs(gap.normal.x) + std::abs(gap.normal.y) + std::abs(gap.normal.z) ==
              doctest::Approx(1).epsilon(1e-15));
    }
    for (const Vec3<double>& r : {Vec3<double>{1, 1, 0.25}, Vec3<double>{1, 1, 1}}) {
        const Gap gap =
            gap_between(cube, identity_pose<double>(), cube, {r, identity_quat<double>()});
        CHECK(gap.distance == 0);
        CHECK(near(overlap_along(cube, identity_pose<double>(), cube, {r, identity_quat<double>()},
                                 gap.normal),
                   0, 1e-15, 1));
    }
    CHECK(gap_between(ball_of(0.5), identity_pose<double>(), ball_of(0.25), at(0.75, 0, 0))
              .distance == 0);
}

TEST_CASE("Distance: degenerate: one inside the other, and both in one place")
{
    Dice dice(9);
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j)
            for (int trial = 0; trial < 10; ++trial) {
                const auto A = random_shape(dice, i, 10), B = random_shape(dice, j, 0.1);
                const Pose<double> pa{zero3<double>(), dice.turn()};
                Pose<double> pb{place(pa, middle_of(A.shape)), dice.turn()};
                pb.x -= rotate(pb.q, middle_of(B.shape));
                const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                CHECK(gap.distance <= 1e-12);
                CHECK(near(norm(gap.normal), 1, 1e-14));
                CHECK(near(-gap.distance, overlap_along(A.shape, pa, B.shape, pb, gap.normal), 1e-9,
                           10));
                const Gap same = gap_between(A.shape, pa, A.shape, pa);
                CHECK(same.distance <= 1e-14); // of size 10; triangles have no depth
                CHECK(near(norm(same.normal), 1, 1e-14));
            }
    // nothing but points
    const Gap points = gap_between({}, identity_pose<double>(), {}, identity_pose<double>());
    CHECK(points.distance == 0);
    CHECK(near(norm(points.normal), 1, 1e-15));
    // two balls in one place: out by both radii, any way
    CHECK(near(gap_between(ball_of(2), at(1, 1, 1), ball_of(1), at(1, 1, 1)).distance, -3, 1e-15));
    // two capsules that cross in their axes: out across both
    const Gap crossed = gap_between(capsule_of({1, 0, 0}, 0.2), at(0, 0, 0),
                                    capsule_of({0, 1, 0}, 0.3), at(0.25, 0.25, 0));
    CHECK(near(crossed.distance, -0.5, 1e-14));
    CHECK(near(std::abs(crossed.normal.z), 1, 1e-14));
}

TEST_CASE("Distance: degenerate: parallel faces at every gap from 1e-15 to 1")
{
    const Convex a = box_of({1, 2, 3}), b = box_of({2, 1, 1});
    for (double gap = 1e-15; gap <= 1; gap *= 10)
        for (const double sign : {1.0, -1.0}) {
            const Gap found =
                gap_between(a, identity_pose<double>(), b, at(3 + sign * gap, 0.5, 0.25));
            CHECK(near(found.distance, sign * gap, 1e-15, 3));
            CHECK(norm(found.normal - Vec3<double>{1, 0, 0}) <= 1e-12);
        }
}

TEST_CASE(
    "Distance: a search that begins with the last one's axis takes fewer steps to the same end")
{
    Dice dice(12);
    DepthSearch depth;
    int cold = 0, warm = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const auto A = random_shape(dice, 7), B = random_shape(dice, 7);
        const Pose<double> pa{dice.vec(1), dice.turn()};
        Pose<double> pb{dice.vec(1) + Vec3<double>{3, 0, 0}, dice.turn()};
        SearchCache cache;
        gap_between(A.shape, pa, B.shape, pb, depth, cache);
        pb = pb * Pose<double>{dice.vec(1e-4), exp_quat(dice.vec(1e-4))};
        SearchCache none;
        const Gap fresh = gap_between(A.shape, pa, B.shape, pb, depth, none);
        const Gap kept = gap_between(A.shape, pa, B.shape, pb, depth, cache);
        CHECK(near(fresh.distance, kept.distance, 1e-13, 1));
        cold += fresh.steps;
        warm += kept.steps;
    }
    MESSAGE("steps without a cache " << cold / 300.0 << ", with one " << warm / 300.0);
    CHECK(warm < cold);
    // any cache is allowed
    SearchCache odd{{std::nan(""), 1, 2}, 1000, -7};
    const Gap gap = gap_between(box_of({1, 1, 1}), identity_pose<double>(), ball_of(1), at(3, 0, 0),
                                depth, odd);
    CHECK(near(gap.distance, 1, 1e-15));
}
