// SPDX-License-Identifier: MIT
#include "poinsot/mass/solids.hpp"
#include "mass/bodies.hpp"
#include "poinsot/mass/principal.hpp"

#include <rapidcheck.h>

using namespace poinsot;

namespace {

// The reference prints 15 digits: 5e-15, and the closed forms round a dozen times.
constexpr double printed = 1e-13;

void check_primitive(const nlohmann::json& truth, const MassProperties& body)
{
    CHECK(near(body.mass, truth["volume"], printed));
    CHECK(near(body.inertia.xx / body.mass, truth["inertia_per_mass"][0], printed));
    CHECK(near(body.inertia.yy / body.mass, truth["inertia_per_mass"][1], printed));
    CHECK(near(body.inertia.zz / body.mass, truth["inertia_per_mass"][2], printed));
}

MassProperties exact(const Surface& surface, double density)
{
    const auto body = mass_of_surface(surface, density);
    REQUIRE_MESSAGE(bool(body), body.problems().text());
    return *body;
}

// log2 of how much the difference shrinks when the surface has twice as many facets round.
template <class Tessellated>
double order(const MassProperties& closed_form, const Tessellated& with_facets)
{
    return std::log2(difference(exact(with_facets(32), 2), closed_form) /
                     difference(exact(with_facets(64), 2), closed_form));
}

} // namespace

TEST_CASE("Closed forms: the primitives of own/mass_properties")
{
    const auto truth = read_json(reference("mass_properties.json"))["items"]["primitives"];
    check_primitive(truth["sphere_r0.7"], solid_ball(0.7, 1));
    check_primitive(truth["box_1x4x9_tenth"], solid_box({0.1, 0.4, 0.9}, 1));
    check_primitive(truth["cylinder_r0.3_h1.1"], solid_cylinder(0.3, 1.1, 1));
    check_primitive(truth["cone_r0.5_h1.2"], solid_cone(0.5, 1.2, 1));
    check_primitive(truth["ellipsoid_1_2_3"], solid_ellipsoid({1, 2, 3}, 1));
    CHECK(
        near(solid_cone(0.5, 1.2, 1).center.z, truth["cone_r0.5_h1.2"]["com_from_base"], printed));
    const MassProperties sphere = with_mass(shell_ball(0.7, 5), 1);
    CHECK(
        near(sphere.inertia.xx, truth["hollow_thin_sphere_r0.7"]["inertia_per_mass"][0], printed));
}

TEST_CASE("Closed forms: Tonon's tetrahedron, and the L of two boxes joined")
{
    const auto items = read_json(reference("mass_properties.json"))["items"];
    const auto& tonon = items["tet_tonon"];
    std::array<Vec3<double>, 4> v;
    for (std::size_t i = 0; i < 4; ++i)
        v[i] = vec3_of(tonon["vertices"][i]);
    const MassProperties tetrahedron = solid_tetrahedron(v, 1);
    CHECK(near(tetrahedron.mass, tonon["volume"], printed));
    const std::string fraction = tonon["volume_exact"]; // of two whole numbers
    const double over = std::stod(fraction.substr(fraction.find('/') + 1));
    CHECK(near(tetrahedron.mass, std::stod(fraction) / over, 1e-13));
    CHECK(norm(tetrahedron.center - vec3_of(tonon["com"])) <= printed * norm(tetrahedron.center));
    CHECK(difference(tetrahedron.inertia, sym3_of(tonon["inertia_com_density1"])) <= printed);
    std::swap(v[0], v[3]);
    CHECK(difference(solid_tetrahedron(v, 1), tetrahedron) <= printed);

    const auto& l_shape = items["l_shape"];
    std::vector<MassProperties> boxes;
    for (const auto& box : l_shape["boxes"]) {
        const Bounds bounds{vec3_of(box["lo"]), vec3_of(box["hi"])};
        boxes.push_back(moved(solid_box(bounds.size(), 1), bounds.middle()));
    }
    const MassProperties whole = joined(boxes);
    CHECK(near(whole.mass, l_shape["volume"], printed));
    CHECK(norm(whole.center - vec3_of(l_shape["com"])) <= printed);
    CHECK(difference(whole.inertia, sym3_of(l_shape["inertia_com_density1"])) <= printed);
}

TEST_CASE("Closed forms: the regular solids as hulls of their corners")
{
#if POINSOT_WITH_HULL
    const auto items = read_json(reference("mass_properties.json"))["items"];
    for (const auto& [key, truth] : items["regular_solids"].items()) {
        const std::string name = key; // clang 14 captures no structured bindings
        INFO(name);
        std::vector<Vec3<double>> corners;
        for (const auto& v : truth["vertices"])
            corners.push_back(vec3_of(v));
        const auto body = solid_hull(corners, 1, name);
        REQUIRE_MESSAGE(bool(body), body.problems().text());
        CHECK(near(body->mass, truth["volume"], printed));
        const double I = truth["inertia_per_mass"];
        CHECK(difference(1 / body->mass * body->inertia, diagonal(I, I, I)) <= printed);
        CHECK(norm(body->center) <= printed);
    }
#else
    SKIP_TEST("built without Qhull");
#endif
}

TEST_CASE("Two roads: solids with flat faces are their surfaces")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Vec3<double> sides{dice.in(0.1, 3), dice.in(0.1, 3), dice.in(0.1, 3)};
        RC_ASSERT(difference(*mass_of_surface(box_surface(-0.5 * sides, 0.5 * sides), 3),
                             solid_box(sides, 3)) <= 1e-13);

        std::array<Vec3<double>, 4> v{dice.vec(1), dice.vec(1), dice.vec(1), dice.vec(1)};
        if (dot(v[1] - v[0], cross(v[2] - v[0], v[3] - v[0])) < 0)
            std::swap(v[0], v[1]);
        const double thinness = dot(v[1] - v[0], cross(v[2] - v[0], v[3] - v[0]));
        RC_PRE(thinness > 1e-3); // a flat one loses its digits in its own corners
        const Surface s{{v.begin(), v.end()}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
        RC_ASSERT(difference(*mass_of_surface(s, 3), solid_tetrahedron(v, 3)) <=
                  1e-15 / thinness * 100);
    }));
}

TEST_CASE("Two roads: facets approach round solids with the square of their number")
{
    // 2 up to the next term of the series, which at 32 facets is a hundredth
    CHECK(order(solid_ball(0.7, 2), [](int n) { return ball_surface(0.7, n); }) ==
          doctest::Approx(2).epsilon(0.02));
    CHECK(order(solid_ellipsoid({1, 2, 3}, 2), [](int n) {
              return stretched(ball_surface(1, n), {1, 2, 3});
          }) == doctest::Approx(2).epsilon(0.02));
    CHECK(order(solid_cylinder(0.3, 1.1, 2), [](int n) { return cylinder_surface(0.3, 1.1, n); }) ==
          doctest::Approx(2).epsilon(0.02));
    CHECK(order(solid_capsule(0.4, 1.3, 2), [](int n) { return capsule_surface(0.4, 1.3, n); }) ==
          doctest::Approx(2).epsilon(0.02));
    CHECK(order(solid_cone(0.5, 1.2, 2), [](int n) { return frustum_surface(0.5, 0, 1.2, n); }) ==
          doctest::Approx(2).epsilon(0.02));
    CHECK(order(solid_frustum(0.5, 0.2, 1.2, 2), [](int n) {
              return frustum_surface(0.5, 0.2, 1.2, n);
          }) == doctest::Approx(2).epsilon(0.02));
    CHECK(order(solid_frustum(0.2, 0.5, 1.2, 2), [](int n) {
              return frustum_surface(0.2, 0.5, 1.2, n);
          }) == doctest::Approx(2).epsilon(0.02));
    CHECK(order(solid_torus(1.0, 0.4, 2), [](int n) { return torus_surface(1.0, 0.4, n); }) ==
          doctest::Approx(2).epsilon(0.02));
}

TEST_CASE("Limits: a capsule without height is a ball, a frustum ends as cylinder or cone")
{
    CHECK(difference(solid_capsule(0.7, 0, 3), solid_ball(0.7, 3)) <= 1e-15);
    CHECK(difference(shell_capsule(0.7, 0, 3), shell_ball(0.7, 3)) <= 1e-15);
    CHECK(difference(moved(solid_frustum(0.3, 0.3, 1.1, 3), Vec3<double>{0, 0, -0.55}),
                     solid_cylinder(0.3, 1.1, 3)) <= 1e-15);
    const MassProperties upside_down =
        moved(solid_frustum(0, 0.5, 1.2, 3), Pose<double>{{0, 0, 1.2}, {0, 1, 0, 0}});
    CHECK(difference(upside_down, solid_cone(0.5, 1.2, 3)) <= 1e-15);
    // a cone with its tip cut off is a frustum
    const auto cut =
        hollow(solid_cone(0.5, 1.2, 3), moved(solid_cone(0.25, 0.6, 3), Vec3<double>{0, 0, 0.6}));
    REQUIRE(bool(cut));
    CHECK(difference(*cut, solid_frustum(0.5, 0.25, 0.6, 3)) <= 1e-14);
}

TEST_CASE("Hollow bodies: become thin shells as their wall gets thin, with the first power of it")
{
    const double sigma = 3;
    // The wall is t inside and t/2 is half that: what is left of the difference must halve.
    const auto order_of = [&](const MassProperties& shell, const auto& walled) {
        const double d1 = difference(*walled(1e-3), shell), d2 = difference(*walled(5e-4), shell);
        CHECK(d2 < 0.02);
        return std::log2(d1 / d2);
    };
    // 1 up to the wall's next power, a thousandth of the size over it
    CHECK(order_of(shell_box({1, 2, 3}, sigma), [&](double t) {
              return hollow(solid_box({1, 2, 3}, sigma / t),
                            solid_box({1 - 2 * t, 2 - 2 * t, 3 - 2 * t}, sigma / t));
          }) == doctest::Approx(1).epsilon(0.02));
    CHECK(order_of(shell_ball(0.7, sigma), [&](double t) {
              return hollow(solid_ball(0.7, sigma / t), solid_ball(0.7 - t, sigma / t));
          }) == doctest::Approx(1).epsilon(0.02));
    CHECK(order_of(shell_cylinder(0.3, 1.1, sigma), [&](double t) {
              return hollow(solid_cylinder(0.3, 1.1, sigma / t),
                            solid_cylinder(0.3 - t, 1.1 - 2 * t, sigma / t));
          }) == doctest::Approx(1).epsilon(0.02));
    CHECK(order_of(shell_capsule(0.4, 1.3, sigma), [&](double t) {
              return hollow(solid_capsule(0.4, 1.3, sigma / t),
                            solid_capsule(0.4 - t, 1.3, sigma / t));
          }) == doctest::Approx(1).epsilon(0.02));
    CHECK(order_of(shell_cone(0.5, 1.2, sigma), [&](double t) {
              // the wall is t thick everywhere: the hole is similar, its insphere smaller by t
              const double l = std::hypot(0.5, 1.2), in_radius = 0.5 * 1.2 / (0.5 + l);
              const double s = 1 - t / in_radius;
              return hollow(solid_cone(0.5, 1.2, sigma / t),
                            moved(solid_cone(0.5 * s, 1.2 * s, sigma / t), Vec3<double>{0, 0, t}));
          }) == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("Existence: every closed form can exist, and density only scales it")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double a = dice.in(0.01, 5), b = dice.in(0.01, 5), c = dice.in(0.01, 5);
        const auto all = [&](double density) {
            return std::vector<MassProperties>{solid_box({a, b, c}, density),
                                               solid_ball(a, density),
                                               solid_ellipsoid({a, b, c}, density),
                                               solid_cylinder(a, b, density),
                                               solid_capsule(a, b, density),
                                               solid_cone(a, b, density),
                                               solid_frustum(a, b, c, density),
                                               solid_torus(a + b, b, density),
                                               shell_box({a, b, c}, density),
                                               shell_ball(a, density),
                                               shell_cylinder(a, b, density),
                                               shell_capsule(a, b, density),
                                               shell_cone(a, b, density)};
        };
        const auto light = all(1), heavy = all(7);
        for (std::size_t i = 0; i < light.size(); ++i) {
            RC_ASSERT(light[i].mass > 0);
            RC_ASSERT(can_exist(light[i].inertia));
            RC_ASSERT(difference(rescaled(light[i], 7, 1), heavy[i]) <= 1e-14);
        }
    }));
}
