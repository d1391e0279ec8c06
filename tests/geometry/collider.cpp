// SPDX-License-Identifier: MIT
#include "poinsot/geometry/collider.hpp"
#include "geometry/pairs.hpp"
#include "poinsot/geometry/part_pairs.hpp"

using namespace poinsot;

namespace {

std::string complaint(const Result<Collider>& made)
{
    return made ? std::string("accepted") : made.problems().text();
}
bool says(const Result<Collider>& made, const char* what)
{
    return complaint(made).find(what) != std::string::npos;
}

} // namespace

TEST_CASE("Collider: sizes of zero, below zero, infinite and NaN are refused, all of them at once")
{
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(complaint(collider_of(Box{{0, -1, 1}}, -2, "crate")) ==
          "crate: the margin must be zero or more, and at most 1e+30, is -2\n"
          "crate: the side along x of a box must be between 1e-30 and 1e+30, is 0\n"
          "crate: the side along y of a box must be between 1e-30 and 1e+30, is -1\n");
    CHECK(says(collider_of(Ball{0}), "the radius of a ball must be between"));
    CHECK(says(collider_of(Ball{std::nan("")}), "is nan"));
    CHECK(says(collider_of(Ball{inf}), "is inf"));
    CHECK(says(collider_of(Ellipsoid{{1, 1, -1}}), "the half axis z"));
    CHECK(says(collider_of(Cylinder{1, 0}), "the height of a cylinder"));
    CHECK(says(collider_of(Capsule{-1, 1}), "the radius of a capsule"));
    CHECK(says(collider_of(Cone{0, 0}), "the radius of a cone"));
    CHECK(says(collider_of(Cone{0, 0}), "the height of a cone"));
    CHECK(says(collider_of(MeshShape{"x.stl"}), "must be read before"));
    CHECK(says(collider_of(Shape{}), "touches nothing"));
    CHECK(bool(collider_of(Capsule{1, 0}))); // a ball
}

TEST_CASE(
    "Collider: hulls without volume and broken meshes are refused; faces without area are edges")
{
    const std::vector<Vec3<double>> flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
#if POINSOT_WITH_HULL
    CHECK(says(collider_of_hull(flat), "their hull has no volume"));
#endif
    CHECK(says(collider_of_mesh({}), "the mesh has no faces"));
    CHECK(says(collider_of_mesh({{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 2}}}),
               "face 0 has the vertex 2; the mesh has vertices 0 to 1"));
    CHECK(says(collider_of_mesh({{{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}, {{0, 1, 2}}}),
               "vertex 2 has a coordinate"));
    // an edge, a point, and a needle of a triangle
    const auto mesh = collider_of_mesh(
        {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0.5, 1e-17, 0}}, {{0, 1, 2}, {1, 1, 1}, {0, 1, 3}}});
    REQUIRE(bool(mesh));
    const auto ball = collider_of(Ball{0.25});
    PartWorkspace w;
    for (const double z : {1.0, 0.25, 0.2, 0.0}) {
        const PartGap found = nearest_parts(*mesh, identity_pose<double>(), *ball,
                                            {{1.5, 0, z}, identity_quat<double>()}, w);
        CHECK(near(found.gap.distance, z - 0.25, 1e-15, 1));
        CHECK(near(norm(found.gap.normal), 1, 1e-15));
    }
    CHECK(says(compound_of({}), "at least one part"));
    CHECK(
        says(compound_of({{half_space(), identity_pose<double>()}}), "give it a body of its own"));
    CHECK(says(compound_of({{*ball, {{std::nan(""), 0, 0}, identity_quat<double>()}}}),
               "a pose that is not finite"));
    CHECK(says(compound_of({{*ball, {{0, 0, 0}, {0, 0, 0, 0}}}}), "a pose that is not finite"));
}

TEST_CASE("Collider: triangles side by side in one plane are one face, and a bent edge parts two")
{
    // Two squares of two triangles each, the second bent up by `rise` at its far side; vertices are
    // given again for each triangle, as files of triangles do, and the second winding is reversed.
    const auto faces = [](double rise) {
        const std::vector<Vec3<double>> at{{0, 0, 0}, {1, 0, 0},    {0, 1, 0},
                                           {1, 1, 0}, {2, 0, rise}, {2, 1, rise}};
        Surface soup;
        for (const std::array<int, 3>& t : {std::array{0, 1, 2}, {1, 2, 3}, {1, 4, 3}, {4, 5, 3}}) {
            const int first = static_cast<int>(soup.vertices.size());
            for (const int i : t)
                soup.vertices.push_back(at[static_cast<std::size_t>(i)]);
            soup.faces.push_back({first, first + 1, first + 2});
        }
        std::vector<int> made;
        const auto mesh = collider_of_mesh(soup);
        REQUIRE(bool(mesh));
        for (const Collider::Part& part : mesh->parts())
            made.push_back(part.face);
        // in a compound they are numbered as its parts are
        const auto both = compound_of(
            {{*collider_of(Ball{1}), identity_pose<double>()}, {*mesh, identity_pose<double>()}});
        for (std::size_t i = 0; i < made.size(); ++i)
            CHECK(both->parts()[i + 1].face == made[i] + 1);
        return made;
    };
    CHECK(faces(0) == std::vector{0, 0, 0, 0});
    CHECK(faces(1e-9) == std::vector{0, 0, 0, 0}); // rounding of a file in single precision
    CHECK(faces(1e-3) == std::vector{0, 0, 2, 2});
    CHECK(faces(-1e-3) == std::vector{0, 0, 2, 2});
}

TEST_CASE("Collider: a surface that is open or not convex is no polytope")
{
    Surface cube{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                 {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    CHECK(bool(polytope_of(cube)));
    Surface open = cube;
    open.faces.pop_back();
    open.faces.push_back({0, 2, 1});
    CHECK(!polytope_of(open));
    Surface dented{{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {0.5, 0.5, 0.5}},
                   {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}, {2, 3, 4}, {3, 1, 4}}};
    const auto made = polytope_of(dented, "dent");
    REQUIRE(!made);
    CHECK(made.problems().text().find("dent: not convex") != std::string::npos);
}

TEST_CASE("Collider: boxes hold the shapes, and touch them on every side")
{
    Dice dice(21);
    for (int trial = 0; trial < 800; ++trial) {
        const auto s = random_shape(dice, static_cast<std::size_t>(trial % 8));
        const Pose<double> pose{dice.vec(3), dice.turn()};
        const Bounds box = bounds_of(s.shape, pose);
        const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const double hi[] = {box.hi.x, box.hi.y, box.hi.z}, lo[] = {box.lo.x, box.lo.y, box.lo.z};
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(hi[i] >= extent(s.shape, pose, axes[i]));
            CHECK(near(hi[i], extent(s.shape, pose, axes[i]), 1e-13, 1));
            CHECK(lo[i] <= -extent(s.shape, pose, -axes[i]));
            CHECK(near(lo[i], -extent(s.shape, pose, -axes[i]), 1e-13, 1));
        }
        const Vec3<double> centre = dice.vec(1);
        double farthest = 0;
        for (int k = 0; k < 50; ++k)
            farthest = std::max(farthest, norm(support(s.shape, dice.unit()).r - centre));
        CHECK(reach_of(s.shape, centre) >= farthest + s.shape.radius);
    }
}

TEST_CASE("Collider: filters: both must agree")
{
    const Filter all{}, ghost{1, 0}, two{2, ~0u}, only_two{1, 2};
    CHECK(may_touch(all, all));
    CHECK(!may_touch(all, ghost));
    CHECK(!may_touch(only_two, all));
    CHECK(may_touch(only_two, two));
    CHECK(may_touch(two, only_two));
}

TEST_CASE("Collider: meshes and compounds: the nearest part is that of asking all parts")
{
    Dice dice(31);
    PartWorkspace w;
    for (int trial = 0; trial < 60; ++trial) {
        // a bumpy surface, and a heap of shapes
        Surface mesh;
        const int n = 6;
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j)
                mesh.vertices.push_back({0.5 * i, 0.5 * j, dice.in(0, 0.3)});
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const int a = i * (n + 1) + j, b = a + n + 1;
                mesh.faces.push_back({a, b, a + 1});
                mesh.faces.push_back({b, b + 1, a + 1});
            }
        const auto ground = collider_of_mesh(mesh, trial % 2 ? 0.05 : 0.0);
        REQUIRE(bool(ground));
        std::vector<PlacedCollider> parts;
        for (int k = 0; k < 5; ++k) {
            const Pose<double> at{dice.vec(0.5), dice.turn()};
            if (k % 2)
                parts.push_back({*collider_of(Box{{dice.in(0.1, 0.4), 0.2, 0.3}}), at});
            else
                parts.push_back({*collider_of(Capsule{0.1, dice.in(0.1, 0.5)}, 0.01), at});
        }
        const auto heap = compound_of(parts);
        REQUIRE(bool(heap));
        const Pose<double> here{dice.vec(1), dice.turn()};
        const Pose<double> there{place(here, {dice.in(0, 3), dice.in(0, 3), dice.in(-0.5, 2)}),
                                 dice.turn()};
        double least = 1e300;
        SearchCache cache;
        for (int i = 0; i < static_cast<int>(ground->parts().size()); ++i)
            for (int j = 0; j < 5; ++j)
                least = std::min(
                    least, gap_of_parts(*ground, here, i, *heap, there, j, w, cache).distance);
        const PartGap found = nearest_parts(*ground, here, *heap, there, w);
        CHECK(near(found.gap.distance, least, 1e-12, 1));
        const PartGap turned = nearest_parts(*heap, there, *ground, here, w);
        CHECK(near(turned.gap.distance, least, 1e-12, 1));
        CHECK(nearest_parts(*ground, here, *heap, there, w, least - 1e-6).part_a == -1);

        std::vector<std::pair<int, int>> pairs;
        near_parts(*ground, here, *heap, there, 0.1, pairs);
        for (int i = 0; i < static_cast<int>(ground->parts().size()); ++i)
            for (int j = 0; j < 5; ++j)
                if (gap_of_parts(*ground, here, i, *heap, there, j, w, cache).distance <= 0.1)
                    CHECK(std::binary_search(pairs.begin(), pairs.end(), std::pair{i, j}));
    }
}

TEST_CASE("Collider: half-space and plane: the lowest point of every shape")
{
    // a cylinder tilted by 30°: centre height − (h/2 cos 30° + r sin 30°)
    Convex c;
    c.core = Core::cylinder;
    c.size = {0.5, 0, 1};
    const Pose<double> tilted{{0, 0, 2}, exp_quat<double>({std::numbers::pi / 6, 0, 0})};
    const Gap drop = gap_to_plane(Collider::Kind::half_space, c, tilted, identity_pose<double>());
    CHECK(near(drop.distance, 2 - 1.11602540378444, 1e-14));
    Dice dice(41);
    for (int trial = 0; trial < 400; ++trial) {
        const auto s = random_shape(dice, static_cast<std::size_t>(trial % 8));
        const Pose<double> pose{dice.vec(2), dice.turn()}, at{dice.vec(2), dice.turn()};
        const Vec3<double> up = rotate(at.q, {0, 0, 1});
        const double low = -extent(s.shape, pose, -up) - dot(up, at.x);
        const double high = extent(s.shape, pose, up) - dot(up, at.x);
        const Gap half = gap_to_plane(Collider::Kind::half_space, s.shape, pose, at);
        CHECK(near(half.distance, low, 1e-13, 4));
        CHECK(near(dot(up, half.on_b - at.x), 0, 1e-13, 4));
        CHECK(norm(half.normal + up) <= 1e-14);
        const Gap sheet = gap_to_plane(Collider::Kind::plane, s.shape, pose, at);
        CHECK(near(sheet.distance, std::max(low, -high), 1e-13, 4));
    }
}
