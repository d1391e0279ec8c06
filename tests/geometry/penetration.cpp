// SPDX-License-Identifier: MIT
#include "geometry/pairs.hpp"
#include "poinsot/geometry/patch.hpp"

#include <rapidcheck.h>

using namespace poinsot;

namespace {

Convex brick(double x, double y, double z)
{
    Convex c;
    c.core = Core::box;
    c.size = {x, y, z};
    return c;
}

/// The least overlap along any of some directions, each walked downhill at random.
double least_by_search(Dice& dice, const Convex& a, const Pose<double>& pa, const Convex& b,
                       const Pose<double>& pb, double start)
{
    double least = start;
    for (int k = 0; k < 60; ++k) {
        Vec3<double> n = dice.unit();
        double h = overlap_along(a, pa, b, pb, n), step = 0.3;
        for (int i = 0; i < 40 && h < 2 * start + 0.1; ++i) {
            const Vec3<double> tried = normalised(n + dice.vec(step));
            if (const double lower = overlap_along(a, pa, b, pb, tried); lower < h) {
                h = lower;
                n = tried;
            } else {
                step *= 0.8;
            }
        }
        least = std::min(least, h);
    }
    return least;
}

/// Normals of the faces of a core of flat faces, and its edges: in the world.
struct FlatParts {
    std::vector<Vec3<double>> normals, edges;
};
FlatParts flat_parts(const Convex& shape, const Quat<double>& q)
{
    FlatParts made;
    const auto normal = [&](const Vec3<double>& n) { made.normals.push_back(rotate(q, n)); };
    const auto edge = [&](const Vec3<double>& e) { made.edges.push_back(rotate(q, e)); };
    if (shape.core == Core::box) {
        for (const Vec3<double>& e : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
            normal(e);
            edge(e);
        }
    } else if (shape.core == Core::triangle) {
        const Vec3<double> e = shape.b - shape.size, f = shape.c - shape.size;
        normal(normalised(cross(e, f)));
        for (const Vec3<double>& side : {e, f, f - e})
            edge(side);
    } else {
        const Polytope& p = *shape.polytope;
        for (const Polytope::Face& face : p.faces)
            normal(face.normal);
        for (int i = 0; i < static_cast<int>(p.vertices.size()); ++i)
            for (const int j : p.neighbours(i))
                if (i < j)
                    edge(p.vertices[static_cast<std::size_t>(j)] -
                         p.vertices[static_cast<std::size_t>(i)]);
    }
    return made;
}

} // namespace

TEST_CASE("Penetration: of flat faces the depth is the least overlap across a face or two edges")
{
    // Each face of A ⊖ B is one of A, of B, or spanned by an edge of each: all of them tried.
    Dice dice(23);
    double worst = 0;
    int compared = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const std::array<std::size_t, 3> flat{2, 3, 7};
        const auto A = random_shape(dice, flat[static_cast<std::size_t>(dice.whole(0, 2))]);
        const auto B = random_shape(dice, flat[static_cast<std::size_t>(dice.whole(0, 2))]);
        const Pose<double> pa{dice.vec(0.5), dice.turn()}, pb{dice.vec(0.5), dice.turn()};
        const Gap gap = gap_between(A.shape, pa, B.shape, pb);
        if (!(gap.distance < 0))
            continue;
        const FlatParts a = flat_parts(A.shape, pa.q), b = flat_parts(B.shape, pb.q);
        double least = std::numeric_limits<double>::infinity();
        const auto look = [&](const Vec3<double>& n) {
            for (const double sign : {1.0, -1.0})
                least = std::min(least, overlap_along(A.shape, pa, B.shape, pb, sign * n));
        };
        for (const Vec3<double>& n : a.normals)
            look(n);
        for (const Vec3<double>& n : b.normals)
            look(n);
        for (const Vec3<double>& e : a.edges)
            for (const Vec3<double>& f : b.edges)
                if (const Vec3<double> n = cross(e, f); norm(n) > 1e-6 * norm(e) * norm(f))
                    look((1 / norm(n)) * n);
        worst = std::max(worst, std::abs(least + gap.distance));
        ++compared;
    }
    CHECK(compared > 150);
    CHECK(worst < 1e-13); // rounding of points up to 3 from the origin, over normals of short edges
    MESSAGE(compared << " depths of flat faces, off by at most " << worst);
}

TEST_CASE("Penetration: moving by the depth parts every pair of shapes, and no search finds less")
{
    int worst = 0;
    double parted = 0, beaten = 0, bound = 0;
    int depths = 0;
    for (std::size_t i = 0; i < shape_names().size(); ++i)
        for (std::size_t j = 0; j < shape_names().size(); ++j) {
            Dice dice(300 * i + j);
            for (int trial = 0; trial < 40; ++trial) {
                const auto A = random_shape(dice, i), B = random_shape(dice, j);
                const Pose<double> pa{dice.vec(0.6), dice.turn()}, pb{dice.vec(0.6), dice.turn()};
                const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                if (gap.distance >= 0)
                    continue;
                ++depths;
                const double h = overlap_along(A.shape, pa, B.shape, pb, gap.normal);
                parted = std::max(parted, std::abs(h + gap.distance));
                bound = std::max(bound, gap.error);
                beaten = std::max(beaten, h - least_by_search(dice, A.shape, pa, B.shape, pb, h));
                worst = std::max(worst, gap.steps);
                Pose<double> moved = pb;
                moved.x += (1e-7 - gap.distance) * gap.normal;
                CHECK(gap_between(A.shape, pa, B.shape, moved).distance > 0);
                CHECK(norm(gap.on_b - gap.on_a - gap.distance * gap.normal) <= 1e-14);
            }
        }
    MESSAGE(depths << " depths, steps at most " << worst << "; parted to " << parted
                   << ", bounds apart by " << bound << ", a search found less by " << beaten);
    CHECK(parted <= 5e-11);
    CHECK(beaten <= 1e-10); // ten times depth_accuracy: shapes are up to 3 in size
    CHECK(bound <= 1e-10);
    CHECK(worst < DepthSearch::most_corners + distance_steps);
}

TEST_CASE("Penetration: features: a corner on a face, an edge on an edge, a face on a corner")
{
    const Convex floor = brick(5, 5, 0.5), cube = brick(0.5, 0.5, 0.5);
    const Pose<double> here = identity_pose<double>();
    Dice dice(4);
    for (const double depth : {0.01, -0.01}) { // overlapping, and apart
        // standing on a corner
        const Quat<double> on_corner = exp_quat<double>({0, 0, 0.3}) *
                                       exp_quat<double>({0.6, 0, 0}) *
                                       exp_quat<double>({0, 0.5, 0});
        Pose<double> pose{zero3<double>(), on_corner};
        pose.x = {0.2, 0.1, 0.5 - depth + extent(cube, pose, {0, 0, -1})};
        Gap gap = gap_between(floor, here, cube, pose);
        CHECK(near(gap.distance, -depth, 1e-14, 1));
        CHECK(near(gap.normal.z, 1, 1e-15));
        CHECK(gap.features.count_b == 1);
        if (depth > 0)
            CHECK(gap.features.count_a == 3);
        gap = gap_between(cube, pose, floor, here);
        CHECK(gap.features.count_a == 1);

        // two edges across each other
        const Quat<double> on_edge = exp_quat<double>({std::numbers::pi / 4, 0, 0});
        const Quat<double> across = exp_quat<double>({0, 0, std::numbers::pi / 2}) * on_edge;
        const double high = std::numbers::sqrt2 - depth;
        gap = gap_between(cube, {zero3<double>(), on_edge}, cube, {{0.1, 0.05, high}, across});
        CHECK(near(gap.distance, -depth, 1e-13, 1));
        CHECK(near(gap.normal.z, 1, 1e-14));
        CHECK(gap.features.count_a == 2);
        CHECK(gap.features.count_b == 2);
    }
}

TEST_CASE(
    "Penetration: patches: edges that lie on each other keep their corners, whatever rounding")
{
    // A wall: bricks as wide as each other, whose long edges coincide but for the last digits.
    const Convex stone = brick(0.2, 0.1, 0.1);
    Dice dice(5);
    for (int i = 0; i < 400; ++i) {
        const auto rounding = [&] { return dice.in(-3e-16, 3e-16); };
        const Vec3<double> turn{rounding(), rounding(), rounding()};
        const Pose<double> below{{0.3, rounding(), 0.5}, identity_quat<double>()};
        const Pose<double> above{{0.4, rounding(), 0.7 + rounding()}, exp_quat(turn)};
        const Patch p = patch_between(stone, below, stone, above,
                                      gap_between(stone, below, stone, above), 1e-6);
        REQUIRE(p.count == 4);
        for (const double x : {0.2, 0.5})
            for (const double y : {-0.1, 0.1}) {
                double nearest = 1;
                for (const Spot& s : p.spot)
                    nearest = std::min(nearest, norm(s.on_a - Vec3<double>{x, y, 0.6}));
                CHECK(nearest <= 1e-12);
            }
    }
}

TEST_CASE("Penetration: patches: a box on a box has four points, at the corners of what they share")
{
    const Convex floor = brick(5, 5, 0.5), cube = brick(0.5, 0.5, 0.5);
    const Pose<double> here = identity_pose<double>();
    const auto patch = [](const Convex& a, const Pose<double>& pa, const Convex& b,
                          const Pose<double>& pb) {
        return patch_between(a, pa, b, pb, gap_between(a, pa, b, pb), 0.02);
    };
    for (const double gap : {-0.01, 0.0, 0.01}) {
        const Pose<double> pose{{1, 2, 1 + gap}, exp_quat<double>({0, 0, 0.3})};
        for (const bool swapped : {false, true}) {
            const Patch p =
                swapped ? patch(cube, pose, floor, here) : patch(floor, here, cube, pose);
            REQUIRE(p.count == 4);
            CHECK(near(p.normal.z, swapped ? -1 : 1, 1e-15));
            double most = 0;
            for (const Spot& s : p.spot) {
                CHECK(near(s.gap, gap, 1e-14, 1));
                CHECK(norm(s.on_b - s.on_a - s.gap * p.normal) <= 1e-14);
                const Vec3<double> r =
                    rotate(conjugate(pose.q), (swapped ? s.on_a : s.on_b) - pose.x);
                CHECK(near(std::abs(r.x), 0.5, 1e-14));
                CHECK(near(std::abs(r.y), 0.5, 1e-14));
                for (const Spot& t : p.spot)
                    most = std::max(most, norm(s.on_a - t.on_a));
            }
            CHECK(near(most, std::numbers::sqrt2, 1e-14));
        }
    }
    // Half over the edge of the floor: two corners of the cube, two points on the edge.
    const Patch edge = patch(floor, here, cube, {{5, 0, 1}, identity_quat<double>()});
    REQUIRE(edge.count == 4);
    for (const Spot& s : edge.spot)
        CHECK((near(s.on_a.x, 5, 1e-15) || near(s.on_a.x, 4.5, 1e-15)));
    // On an edge two points, on a corner one.
    const Quat<double> on_edge = exp_quat<double>({std::numbers::pi / 4, 0, 0});
    CHECK(patch(floor, here, cube, {{0, 0, 0.5 + std::sqrt(0.5)}, on_edge}).count == 2);
    CHECK(patch(floor, here, cube, {{0, 0, 0.5 + 0.85}, exp_quat<double>({0.6, 0.55, 0})}).count ==
          1);
    // nothing beyond the margin
    CHECK(patch(floor, here, cube, {{0, 0, 1.03}, identity_quat<double>()}).count == 0);
}

TEST_CASE("Penetration: patches: what is round, and hulls, rest on as many points as they need")
{
    const Convex floor = brick(5, 5, 0.5);
    const auto count = [&](const Convex& shape, const Quat<double>& q) {
        Pose<double> pose{zero3<double>(), q};
        pose.x.z = 0.5 + extent(shape, pose, {0, 0, -1});
        const Pose<double> here = identity_pose<double>();
        const Gap gap = gap_between(floor, here, shape, pose);
        CHECK(near(gap.distance, 0, 1e-11, 1));
        const Patch patch = patch_between(floor, here, shape, pose, gap, 1e-3);
        // the same on a half-space, whose surface is where the floor's is
        const Pose<double> top{{0, 0, 0.5}, identity_quat<double>()};
        const Gap flat = gap_to_plane(Collider::Kind::half_space, shape, pose, top);
        CHECK(near(flat.distance, 0, 1e-15, 1));
        CHECK(patch_on_plane(shape, pose, flat, 1e-3).count == patch.count);
        return patch.count;
    };
    const Quat<double> lying = exp_quat<double>({std::numbers::pi / 2, 0, 0}),
                       upright = identity_quat<double>(), tilted = exp_quat<double>({0.4, 0.3, 0});
    Convex c;
    c.radius = 0.3;
    CHECK(count(c, tilted) == 1);
    c.core = Core::segment;
    c.size = {0, 0, 0.5};
    CHECK(count(c, lying) == 2);
    CHECK(count(c, upright) == 1);
    CHECK(count(c, tilted) == 1);
    c = {};
    c.core = Core::cylinder;
    c.size = {0.3, 0, 0.5};
    CHECK(count(c, upright) == 4);
    CHECK(count(c, lying) == 2);
    CHECK(count(c, tilted) == 1);
    c.core = Core::cone;
    c.size = {0.3, 0, 0.5};
    CHECK(count(c, upright) == 4);
    CHECK(count(c, tilted) == 1);
    // on its side: turned about x by the angle that lays a line of the side flat
    CHECK(count(c, exp_quat<double>({std::numbers::pi / 2 + std::atan(0.3 / 0.5), 0, 0})) == 2);
    c.core = Core::ellipsoid;
    c.size = {0.3, 0.4, 0.5};
    CHECK(count(c, tilted) == 1);
    // a prism of six sides, given as points: its hull has faces, not triangles
    std::vector<Vec3<double>> points;
    for (int k = 0; k < 6; ++k)
        for (const double z : {-0.5, 0.5})
            points.push_back(
                {std::cos(k * std::numbers::pi / 3), std::sin(k * std::numbers::pi / 3), z});
    const auto prism = polytope_around(points);
    REQUIRE(bool(prism));
    CHECK(prism->faces.size() == 8);
    c = {};
    c.core = Core::polytope;
    c.polytope = &*prism;
    CHECK(count(c, upright) == 4);
    // its sides face ±y and ±60° from there
    CHECK(count(c, lying) == 4);
}

TEST_CASE("Penetration: patches: no spot of any pair of shapes is deeper than the depth")
{
    Dice dice(77);
    int most = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const auto A = random_shape(dice, static_cast<std::size_t>(dice.whole(0, 7)));
        const auto B = random_shape(dice, static_cast<std::size_t>(dice.whole(0, 7)));
        const Pose<double> pa{dice.vec(1), dice.turn()}, pb{dice.vec(1), dice.turn()};
        const Gap gap = gap_between(A.shape, pa, B.shape, pb);
        const Patch patch = patch_between(A.shape, pa, B.shape, pb, gap, 0.05);
        REQUIRE((patch.count > 0) == (gap.distance <= 0.05));
        for (int k = 0; k < patch.count; ++k) {
            const Spot& s = patch.spot[static_cast<std::size_t>(k)];
            REQUIRE(norm(s.on_b - s.on_a - s.gap * patch.normal) <= 1e-13);
            REQUIRE(s.gap <= 0.05);
            REQUIRE(s.gap >= gap.distance - 1e-9);
            for (int m = 0; m < k; ++m)
                REQUIRE(patch.spot[static_cast<std::size_t>(m)].feature != s.feature);
        }
        most = std::max(most, patch.count);
    }
    CHECK(most == 4);
}

// Triangles side by side have corners in common, each of them as rounding has it. A line through
// two of one place leads anywhere: some of these were gone around without an end.
TEST_CASE("Penetration: patches: a square of corners that rounding has multiplied has four")
{
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Dice dice(seed);
        const double size = std::pow(10, dice.in(-2, 2));
        const double rounding = size * std::pow(10, dice.in(-10, -8));
        std::vector<Spot> spots;
        for (const auto& [x, y] : {std::pair(0.0, 0.0),
                                   {1, 0},
                                   {1, 1},
                                   {0, 1},
                                   {0.5, 0},
                                   {0.5, 1},
                                   {0, 0.5},
                                   {1, 0.5},
                                   {0.25, 0},
                                   {0.75, 0}})
            for (int k = 0; k < 4; ++k) {
                const double dx = dice.in(-rounding, rounding), dy = dice.in(-rounding, rounding);
                const Vec3<double> r{size * x + dx, size * y + dy, 0};
                spots.push_back({r, r, 0, static_cast<std::uint32_t>(spots.size())});
            }
        const Patch patch = outermost(spots, {0, 0, 1});
        CAPTURE(seed);
        REQUIRE(patch.count == 4);
        for (const double x : {0.0, size})
            for (const double y : {0.0, size}) {
                double least = size;
                for (int i = 0; i < patch.count; ++i)
                    least = std::min(least, norm(patch.spot[static_cast<std::size_t>(i)].on_b -
                                                 Vec3<double>{x, y, 0}));
                CHECK(least <= 2 * rounding);
            }
    }
}
