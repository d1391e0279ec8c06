// SPDX-License-Identifier: MIT
#include "poinsot/geometry/linear_sweep.hpp"
#include "math/kernels.hpp"
#include "near.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

using namespace poinsot;

namespace {

using V = Vec3<double>;

LinearTouch asked(const std::array<V, 8>& q, bool vertex)
{
    return vertex ? vertex_face_touch(q[0], {q[1], q[2], q[3]}, q[4], {q[5], q[6], q[7]})
                  : edge_edge_touch({q[0], q[1]}, {q[2], q[3]}, {q[4], q[5]}, {q[6], q[7]});
}

} // namespace

TEST_CASE("Linear sweep: no touch of the published queries is missed")
{
    const auto path = outside("ccd_queries.json");
    if (!path)
        SKIP_TEST("outside reference not found (ccd_queries.json)");
    const auto items = read_json(*path)["items"];
    int queries = 0, missed = 0, made_up = 0, unresolved = 0, touches = 0, worst = 0;
    double boxes = 0;
    for (const auto& [name, list] : items.items()) {
        const bool vertex = name.find("vertex-face") != std::string::npos;
        for (const auto& query : list) {
            std::array<V, 8> q{};
            for (std::size_t i = 0; i < 8; ++i)
                q[i] = {query[0][i][0].get<double>(), query[0][i][1].get<double>(),
                        query[0][i][2].get<double>()};
            const bool truth =
                query[1].is_boolean() ? query[1].get<bool>() : query[1].get<int>() != 0;
            const LinearTouch found = asked(q, vertex);
            ++queries;
            touches += truth;
            missed += truth && !found.touch;
            made_up += !truth && found.touch;
            unresolved += !found.resolved;
            worst = std::max(worst, found.boxes);
            boxes += found.boxes;
        }
    }
    MESSAGE(queries << " queries, " << touches << " touch; missed " << missed << ", made up "
                    << made_up << ", not resolved " << unresolved << "; boxes " << boxes / queries
                    << ", at most " << worst);
    CHECK(queries == 824);
    CHECK(missed == 0);
    CHECK(made_up * 20 <= queries);
}

TEST_CASE(
    "Linear sweep: a vertex through a triangle and two edges that cross, at the time they do" *
    doctest::test_suite("slow"))
{
    Dice dice(3);
    for (int trial = 0; trial < 2000; ++trial) {
        // At time s the vertex is at a point of the triangle; before and after all move on lines.
        const double s = dice.in(0.05, 0.95);
        const double u = dice.in(0.05, 0.9), v = dice.in(0.02, 0.95 - u);
        const std::array<V, 3> face{dice.vec(1), dice.vec(1), dice.vec(1)};
        const V p = (1 - u - v) * face[0] + u * face[1] + v * face[2];
        std::array<V, 8> q{};
        for (std::size_t i = 0; i < 4; ++i) {
            const V velocity = dice.vec(3);
            const V there = i == 0 ? p : face[i - 1];
            q[i] = there - s * velocity;
            q[i + 4] = there + (1 - s) * velocity;
        }
        const LinearTouch found = asked(q, true);
        REQUIRE(found.touch);
        REQUIRE(found.time <= s + 1e-12); // it may be an earlier one

        const V crossing = dice.vec(1);
        for (std::size_t e = 0; e < 2; ++e) {
            const V along = dice.unit();
            const double share = dice.in(0.1, 0.9);
            for (std::size_t k = 0; k < 2; ++k) {
                const V velocity = dice.vec(3);
                const V there = crossing + ((k == 0 ? 0 : 1) - share) * along;
                q[2 * e + k] = there - s * velocity;
                q[2 * e + k + 4] = there + (1 - s) * velocity;
            }
        }
        const LinearTouch edges = asked(q, false);
        REQUIRE(edges.touch);
        REQUIRE(edges.time <= s + 1e-12);
    }
}

TEST_CASE("Linear sweep: what passes beside or stays away does not touch; the time of a plain hit")
{
    const std::array<V, 3> face{V{0, 0, 0}, V{1, 0, 0}, V{0, 1, 0}};
    const LinearTouch hit = vertex_face_touch({0.25, 0.25, 1}, face, {0.25, 0.25, -3}, face);
    CHECK(hit.touch);
    CHECK(hit.time <= 0.25);
    CHECK(near(hit.time, 0.25, 1e-9));
    CHECK(!vertex_face_touch({0.75, 0.75, 1}, face, {0.75, 0.75, -3}, face).touch);
    CHECK(!vertex_face_touch({0.25, 0.25, 1}, face, {0.25, 0.25, 1e-6}, face).touch);
    CHECK(!edge_edge_touch({V{-1, 0, 1}, V{1, 0, 1}}, {V{0, -1, 0}, V{0, 1, 0}},
                           {V{-1, 0, 0.1}, V{1, 0, 0.1}}, {V{0, -1, 0}, V{0, 1, 0}})
               .touch);
    // edges that lie in each other all the time, a vertex that rests on a face, points in one place
    CHECK(edge_edge_touch({V{0, 0, 0}, V{1, 0, 0}}, {V{0.5, 0, 0}, V{2, 0, 0}},
                          {V{0, 0, 0}, V{1, 0, 0}}, {V{0.5, 0, 0}, V{2, 0, 0}})
              .time == 0);
    CHECK(vertex_face_touch({0.2, 0.2, 0}, face, {0.3, 0.3, 0}, face).time == 0);
    const V one{1, 2, 3};
    CHECK(edge_edge_touch({one, one}, {one, one}, {one, one}, {one, one}).touch);
    // far from the origin as near it
    const V far{1e8, -1e8, 1e8};
    CHECK(near(
        vertex_face_touch(V{0.25, 0.25, 1} + far, {face[0] + far, face[1] + far, face[2] + far},
                          V{0.25, 0.25, -3} + far, {face[0] + far, face[1] + far, face[2] + far})
            .time,
        0.25, 1e-9));
    // what is no number excludes nothing
    CHECK(vertex_face_touch({std::nan(""), 0, 0}, face, {0, 0, 0}, face).touch);
}
