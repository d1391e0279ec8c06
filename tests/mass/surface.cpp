// SPDX-License-Identifier: MIT
#include "poinsot/mass/surface.hpp"
#include "mass/bodies.hpp"
#include "poinsot/mass/principal.hpp"
#include "poinsot/mass/solids.hpp"

#include <rapidcheck.h>

#include <optional>

using namespace poinsot;

namespace {

std::string complaint(const Surface& surface)
{
    const auto body = mass_of_surface(surface, 1, "part");
    return body ? std::string("accepted") : body.problems().text();
}
bool says(const std::string& text, const std::string& what)
{
    return text.find(what) != std::string::npos;
}

Surface unit_cube()
{
    return box_surface({0, 0, 0}, {1, 1, 1});
}

// ---- the independent road: quadrature of the surface itself, in quadruple precision ------------

using Quad = __float128;

// Volume, first and second moments as integrals of the vector fields of degree three
//
//     V = ∮ x n_x,   ∫x = ∮ x²/2 n_x,   ∫x² = ∮ x³/3 n_x,   ∫xy = ∮ x²y/2 n_x,   ∫yz = ∮ xyz n_x, …
//
// by a rule of seven points on each face that is exact for degree five [Radon 1948]. Nothing is
// shared with the library: no tetrahedra, no common point, no double arithmetic.
MassProperties by_quadrature(const Surface& surface)
{
    const auto q = [](double x) { return static_cast<Quad>(x); };
    // √15 in two doubles: the nearest, and what it misses
    const Quad root15 = q(3.872983346207417) - q(5.9154289205480394e-17);
    const Quad near_corner = (6 - root15) / 21, near_side = (6 + root15) / 21;
    struct Node {
        Quad u, v, w, weight;
    };
    const Quad w1 = (155 - root15) / 1200, w2 = (155 + root15) / 1200, third = q(1) / 3;
    const Node nodes[] = {{third, third, third, q(9) / 40},
                          {near_corner, near_corner, 1 - 2 * near_corner, w1},
                          {near_corner, 1 - 2 * near_corner, near_corner, w1},
                          {1 - 2 * near_corner, near_corner, near_corner, w1},
                          {near_side, near_side, 1 - 2 * near_side, w2},
                          {near_side, 1 - 2 * near_side, near_side, w2},
                          {1 - 2 * near_side, near_side, near_side, w2}};
    Quad V = 0, x1 = 0, y1 = 0, z1 = 0, xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    for (const auto& face : surface.faces) {
        Quad r[3][3];
        for (int i = 0; i < 3; ++i) {
            const Vec3<double>& v =
                surface.vertices[static_cast<std::size_t>(face[static_cast<std::size_t>(i)])];
            r[i][0] = q(v.x);
            r[i][1] = q(v.y);
            r[i][2] = q(v.z);
        }
        Quad n[3]; // normal times area
        for (int k = 0; k < 3; ++k) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            n[k] = ((r[1][a] - r[0][a]) * (r[2][b] - r[0][b]) -
                    (r[1][b] - r[0][b]) * (r[2][a] - r[0][a])) /
                   2;
        }
        for (const Node& node : nodes) {
            const auto at = [&](int k) {
                return node.u * r[0][k] + node.v * r[1][k] + node.w * r[2][k];
            };
            const Quad x = at(0), y = at(1), z = at(2), w = node.weight;
            V += w * x * n[0];
            x1 += w * x * x / 2 * n[0];
            y1 += w * y * y / 2 * n[1];
            z1 += w * z * z / 2 * n[2];
            xx += w * x * x * x / 3 * n[0];
            yy += w * y * y * y / 3 * n[1];
            zz += w * z * z * z / 3 * n[2];
            xy += w * x * x * y / 2 * n[0];
            xz += w * z * z * x / 2 * n[2];
            yz += w * y * y * z / 2 * n[1];
        }
    }
    const Quad cx = x1 / V, cy = y1 / V, cz = z1 / V;
    const auto d = [](Quad x) { return static_cast<double>(x); };
    const Sym3<double> S{d(xx - V * cx * cx), d(yy - V * cy * cy), d(zz - V * cz * cz),
                         d(xy - V * cx * cy), d(xz - V * cx * cz), d(yz - V * cy * cz)};
    return {d(V), {d(cx), d(cy), d(cz)}, inertia_of_second_moments(S)};
}

} // namespace

// ---- the integrals are right --------------------------------------------------------------------

TEST_CASE("Outside truth: meshes of trimesh to 1e-10")
{
    const auto mesh_file = outside("meshes.json"), mass_file = outside("mass_of_meshes.json");
    if (!mesh_file || !mass_file)
        SKIP_TEST("outside reference not found (meshes.json, mass_of_meshes.json)");
    const auto meshes = read_json(*mesh_file)["items"],
               truths = read_json(*mass_file)["items"]["meshes"];
    int compared = 0;
    for (const auto& [key, truth] : truths.items()) {
        const std::string name = key; // clang 14 captures no structured bindings
        const auto surface = outside_mesh(meshes, name);
        if (!surface)
            continue;
        INFO(name);
        const auto body = mass_of_surface(*surface, 1, name);
        REQUIRE_MESSAGE(bool(body), body.problems().text());
        const MassProperties expected{truth["volume"], vec3_of(truth["com"]),
                                      sym3_of(truth["inertia_com_density1"])};
        CHECK(difference(*body, expected) <= 1e-10);
        CHECK(near(integrals_of(*surface).area, truth["area"], 1e-10));
        const Vec3<double> moments = principal_axes(body->inertia).moments;
        CHECK(norm(moments - vec3_of(truth["principal"])) <= 1e-10 * moments.z);
        ++compared;
    }
    CHECK(compared == 5);
}

TEST_CASE("Oracle: the integrals are those of a degree-five quadrature in quadruple precision")
{
    Dice dice(7);
    const Pose<double> pose{{3, -2, 1}, dice.turn()};
    for (const Surface& plain : {unit_cube(), ball_surface(0.7, 16), torus_surface(1, 0.4, 24),
                                 capsule_surface(0.3, 1, 12)}) {
        const Surface surface = moved(stretched(plain, {1, 1.5, 0.7}), pose);
        CHECK(difference(*mass_of_surface(surface, 1), by_quadrature(surface)) <= 1e-14 * 10);
    }
}

TEST_CASE("Far away: a surface a million sizes from the origin keeps the digits its vertices have")
{
    Dice dice(8);
    // where vertices are rounded when they are moved, the truth is that of the rounded ones
    const Surface far = moved(torus_surface(1, 0.4, 24), {{1e6, -1e6, 3e6}, dice.turn()});
    CHECK(difference(*mass_of_surface(far, 1), by_quadrature(far)) <= 1e-13);
    // where they are not, the inertia is the same
    const Surface cube = unit_cube();
    const Surface away = moved(cube, {{0x1p20, 0x1p20, -0x1p20}, identity_quat<double>()});
    CHECK(difference(mass_of_surface(away, 1)->inertia, mass_of_surface(cube, 1)->inertia) <=
          1e-15);
}

TEST_CASE("Change of view: turned, moved, in other units, with other orders of faces and vertices")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Surface surface =
            stretched(ball_surface(1, 6), {dice.in(0.3, 2), dice.in(0.3, 2), 1});
        const MassProperties body = *mass_of_surface(surface, 3);
        const Pose<double> pose{dice.vec(5), dice.turn()};
        // vertices a few sizes away are rounded there: a few times 1e-16, over the size
        RC_ASSERT(difference(*mass_of_surface(moved(surface, pose), 3), moved(body, pose)) <=
                  1e-13);
        const double s = std::pow(10.0, dice.in(-6, 6));
        RC_ASSERT(difference(*mass_of_surface(stretched(surface, {s, s, s}), 3),
                             enlarged(body, s)) <= 1e-13);
        Surface other = surface;
        for (auto& face : other.faces)
            std::rotate(face.begin(), face.begin() + dice.whole(0, 2), face.end());
        for (std::size_t i = other.faces.size() - 1; i > 0; --i)
            std::swap(other.faces[i],
                      other.faces[static_cast<std::size_t>(dice.whole(0, static_cast<int>(i)))]);
        RC_ASSERT(difference(*mass_of_surface(other, 3), body) <= 1e-14);
    }));
}

TEST_CASE("Two surfaces in one file are two bodies joined, and a cavity is one taken out")
{
    const Surface a = unit_cube(), b = box_surface({3, 0, 0}, {5, 1, 1});
    const auto both = mass_of_surface(together(a, b), 2);
    REQUIRE(bool(both));
    CHECK(difference(*both, joined(*mass_of_surface(a, 2), *mass_of_surface(b, 2))) <= 1e-14);
    CHECK(inspect(together(a, b)).shells.size() == 2);

    const Surface hole = box_surface({0.2, 0.3, 0.4}, {0.6, 0.7, 0.8});
    const auto hollowed = mass_of_surface(together(a, reversed(hole)), 2);
    REQUIRE_MESSAGE(bool(hollowed), hollowed.problems().text());
    CHECK(difference(*hollowed, *hollow(*mass_of_surface(a, 2), *mass_of_surface(hole, 2))) <=
          1e-14);
    // and a kernel loose in the cavity is material again
    const Surface kernel = box_surface({0.3, 0.4, 0.5}, {0.5, 0.6, 0.7});
    CHECK(bool(mass_of_surface(together(together(a, reversed(hole)), kernel), 2)));
}

TEST_CASE("Winding number: one inside, nought outside, half on a face")
{
    const Surface cube = unit_cube();
    CHECK(near(winding_number(cube, {0.3, 0.4, 0.5}), 1, 1e-15, 1));
    CHECK(near(winding_number(cube, {1.3, 0.4, 0.5}), 0, 1e-15, 1));
    CHECK(near(winding_number(cube, {1, 0.41, 0.5}), 0.5, 1e-15, 1));
}

// ---- what is wrong with a surface is named ------------------------------------------------------

TEST_CASE("Welding: corners given once per face, and a rounding apart, become one")
{
    Dice dice(9);
    const Surface closed = ball_surface(1, 8);
    Surface loose;
    for (const auto& face : closed.faces) {
        const int n = static_cast<int>(loose.vertices.size());
        for (const int i : face)
            loose.vertices.push_back(closed.vertices[static_cast<std::size_t>(i)] +
                                     dice.vec(1e-10));
        loose.faces.push_back({n, n + 1, n + 2});
    }
    const SurfaceReport report = inspect(loose);
    CHECK(report.merged == static_cast<int>(loose.vertices.size() - closed.vertices.size()));
    CHECK_FALSE(report.problems("ball").any());
    // the displacement itself, over the size
    CHECK(difference(*mass_of_surface(loose, 1), *mass_of_surface(closed, 1)) <= 1e-9);
    CHECK(welded(closed).merged == 0);
    // ten times the tolerance apart they are different corners
    for (Vec3<double>& r : loose.vertices)
        r += dice.vec(1e-7);
    CHECK(says(complaint(loose), "the surface is open"));
}

TEST_CASE("Refused: a cube without one face has three open edges, and they are named")
{
    Surface open = unit_cube();
    open.faces.pop_back(); // the corners 1, 7, 5
    const SurfaceReport report = inspect(open);
    CHECK(report.open.size() == 3);
    CHECK_FALSE(report.closed());
    const std::string text = complaint(open);
    CHECK(says(text, "part: the surface is open: 3 edges have a face on one side only"));
    CHECK(says(text, "(1, 0, 0) to (1, 0, 1) of face"));
    const auto file = outside("meshes.json");
    if (!file)
        SKIP_TEST("outside reference not found (meshes.json)");
    const Surface origin_inside = *outside_mesh(read_json(*file)["items"], "origin_inside.STL");
    for (std::size_t i = 0; i < origin_inside.faces.size(); ++i) {
        Surface holed = origin_inside;
        holed.faces.erase(holed.faces.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK(inspect(holed).open.size() == 3);
        CHECK(says(complaint(holed), "3 edges have a face on one side only"));
    }
}

TEST_CASE("Refused: inside out, with the volume it would have")
{
    const std::string text = complaint(reversed(unit_cube()));
    CHECK(says(text, "inside out: it encloses the volume -1. Reverse all faces"));
    // one of two shells: the sum would even be positive
    const Surface two = together(box_surface({3, 0, 0}, {5, 1, 1}), reversed(unit_cube()));
    CHECK(says(complaint(two), "1 shell is inside out (of 2): 1, the first with volume -1"));
}

TEST_CASE("Refused: one face flipped, which is named with the three edges it disagrees at")
{
    const Surface good = ball_surface(1, 8);
    for (std::size_t i = 0; i < good.faces.size(); ++i) {
        Surface bad = good;
        std::swap(bad.faces[i][0], bad.faces[i][1]);
        CHECK(inspect(bad).reversed.size() == 3);
        CHECK(says(complaint(bad), text_of("at 3 edges")));
        CHECK(says(complaint(bad), text_of("Reverse face ", i, "\n")));
    }
}

TEST_CASE("Refused: NaN and infinite vertices, wrong indices, nothing at all, no volume")
{
    Surface bad = unit_cube();
    bad.vertices[3].y = std::nan("");
    bad.vertices[5].z = HUGE_VAL;
    CHECK(complaint(bad) ==
          "part: 2 vertices have a coordinate that is not a finite number: 3, 5\n");
    bad.faces[2][1] = 8;
    bad.faces[4][1] = -1;
    CHECK(
        says(complaint(bad), "2 faces name a vertex that is not there (the surface has 8): 2, 4"));
    CHECK(says(complaint(bad), "2 vertices have")); // both at once
    CHECK(complaint({}) == "part: the surface is empty: it has no faces\n");
    CHECK(says(complaint({{{0, 0, 0}}, {}}), "empty"));
    CHECK(says(complaint({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}}}), "collapsed"));
    CHECK(says(complaint({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}}),
               "encloses no volume"));
    CHECK(says(complaint({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}}}), "open"));
    for (const double density : {0.0, -1.0, std::nan(""), HUGE_VAL})
        CHECK(!mass_of_surface(unit_cube(), density));
}

TEST_CASE("Refused: faces given twice, a wall through the inside, a shell counted twice")
{
    Surface doubled = unit_cube();
    doubled.faces.push_back(doubled.faces[4]);
    CHECK(says(complaint(doubled),
               "1 pair of doubled faces, with the same three corners and the same side out: "
               "4 and 12. Remove"));
    CHECK(says(complaint(doubled), "3 edges have more than two faces"));

    Surface walled = unit_cube();
    walled.faces.push_back({0, 3, 7}); // from edge to edge through the inside
    CHECK(inspect(walled).crowded.size() >= 1);
    CHECK(says(complaint(walled), "more than two faces, and they do not pair up"));

    const Surface nested = together(unit_cube(), box_surface({0.2, 0.2, 0.2}, {0.4, 0.4, 0.4}));
    CHECK(says(complaint(nested),
               "1 shell lies inside the material of another and would count twice"));
}

TEST_CASE("Refused: every face given twice, though each edge has as many faces each way")
{
    const Surface once{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                       {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
    CHECK(near(mass_of_surface(once, 1)->mass, 1.0 / 6, 1e-15));
    Surface twice = once;
    for (auto face : once.faces) {
        std::rotate(face.begin(), face.begin() + 1, face.end()); // the same face, begun elsewhere
        twice.faces.push_back(face);
    }
    CHECK(inspect(twice).closed());
    CHECK(says(complaint(twice), "4 pairs of doubled faces"));
    CHECK(says(complaint(twice), "0 and 4; 1 and 5; 2 and 6; 3 and 7"));
    // two copies with vertices of their own are the same to the weld
    CHECK(says(complaint(together(once, once)), "4 pairs of doubled faces"));
    // back to back they are two bodies that share a wall
    const Surface wall = together(unit_cube(), box_surface({1, 0, 0}, {2, 1, 1}));
    CHECK(inspect(wall).repeated.empty());
    for (const auto& [a, b] : inspect(wall).twins)
        CHECK(a != b);
    CHECK(near(mass_of_surface(wall, 1)->mass, 2, 1e-15));
    // doubled without area, it adds nothing
    Surface flat = once;
    flat.vertices.push_back({0.5, 0, 0});
    for (int i = 0; i < 2; ++i) {
        flat.faces.push_back({0, 1, 4});
        flat.faces.push_back({0, 4, 1});
    }
    CHECK(inspect(flat).repeated.empty());
    CHECK(near(mass_of_surface(flat, 1)->mass, 1.0 / 6, 1e-15));
}

TEST_CASE("Forgiven: faces without area, and bodies that touch along an edge")
{
    Surface cube = unit_cube();
    cube.faces.push_back({0, 0, 1});
    CHECK(inspect(cube).degenerate == std::vector<int>{12});
    CHECK(near(mass_of_surface(cube, 1)->mass, 1, 1e-15));
    // two cubes that share the edge x = y = 1: four faces there, two each way
    const Surface touching = together(unit_cube(), box_surface({1, 1, 0}, {2, 2, 1}));
    const SurfaceReport report = inspect(touching);
    CHECK(report.crowded.size() == 1);
    CHECK(report.closed());
    CHECK(near(mass_of_surface(touching, 1)->mass, 2, 1e-15));
    // a small cube that stands on a large one
    const Surface stacked = together(box_surface({0.3, 0.3, 1}, {0.7, 0.7, 1.5}), unit_cube());
    CHECK(near(mass_of_surface(stacked, 1)->mass, 1.08, 1e-15));
    CHECK(says(
        complaint(together(unit_cube(), reversed(box_surface({0.3, 0.3, 1}, {0.7, 0.7, 1.5})))),
        "1 shell is inside out"));
}

TEST_CASE("Inspection: the time per face does not grow with the faces" *
          doctest::test_suite("slow"))
{
    // a million faces in seconds; a quadratic weld would take hours
    const Surface large = torus_surface(1, 0.4, 500);
    CHECK(inspect(large).closed());
    CHECK(inspect(large).faces == 500000);
}
