// SPDX-License-Identifier: MIT
#include "poinsot/geometry/hull.hpp"
#include "mass/bodies.hpp"
#include "poinsot/mass/surface.hpp"

// CGAL's triangulation is GPL: here it is an oracle in a test program, never part of the library.
#if __has_include(<CGAL/Delaunay_triangulation_3.h>)
#define CGAL_DISABLE_GMP 1 // Boost's numbers do for exact predicates, and need no linking
#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#define POINSOT_TESTS_HAVE_CGAL 1
#endif

#include <rapidcheck.h>

using namespace poinsot;

#if POINSOT_WITH_HULL

namespace {

std::vector<Vec3<double>> scattered(Dice& dice, int n, const Vec3<double>& at, double size)
{
    std::vector<Vec3<double>> points;
    for (int i = 0; i < n; ++i)
        points.push_back(at + dice.vec(size));
    return points;
}

} // namespace

TEST_CASE("Hull: closed, facing outwards, and no point is outside of any face")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double size = std::pow(10.0, dice.in(-3, 3));
        const auto points = scattered(dice, dice.whole(4, 60), dice.vec(10 * size), size);
        const auto hull = convex_hull(points);
        RC_ASSERT(bool(hull));
        RC_ASSERT(!inspect(*hull).problems("hull").any());
        // V − E + F = 2 with three sides to a face
        RC_ASSERT(hull->faces.size() == 2 * hull->vertices.size() - 4);
        for (const auto& [a, b, c] : hull->faces) {
            const auto& v = hull->vertices;
            const auto at = [](int i) { return static_cast<std::size_t>(i); };
            const Vec3<double> n = normalised(cross(v[at(b)] - v[at(a)], v[at(c)] - v[at(a)]));
            for (const Vec3<double>& r : points)
                RC_ASSERT(dot(n, r - v[at(a)]) <= 1e-11 * size); // Qhull's own width is 1e-14
        }
    }));
}

TEST_CASE("Hull: points of a lattice, where many share a plane, give a cube of twelve triangles")
{
    for (const double far : {0.0, 1e6}) {
        std::vector<Vec3<double>> points;
        for (const double x : {0.0, 0.5, 1.0})
            for (const double y : {0.0, 0.5, 1.0})
                for (const double z : {0.0, 0.5, 1.0})
                    points.push_back({x + far, y, z});
        const auto hull = convex_hull(points);
        REQUIRE(bool(hull));
        CHECK(hull->vertices.size() == 8);
        CHECK(hull->faces.size() == 12);
        const auto body = mass_of_surface(*hull, 1);
        REQUIRE(bool(body));
        CHECK(near(body->mass, 1, 1e-15));
    }
}

TEST_CASE("Hull: too few points, a plane, a line, one place and NaN are refused by name")
{
    const auto complaint = [](const std::vector<Vec3<double>>& points) {
        const auto hull = convex_hull(points, "rock");
        return hull ? std::string("accepted") : hull.problems().text();
    };
    CHECK(complaint({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) ==
          "rock: a hull needs at least four points, has 3\n");
    const std::string flat = "their hull has no volume";
    CHECK(complaint({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}}).find(flat) !=
          std::string::npos);
    CHECK(complaint({{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {3, 6, 9}}).find(flat) != std::string::npos);
    CHECK(complaint({{0, 0, 1}, {1, 2, 4}, {3, 1, 5}, {4, 3, 8}}).find(flat) != std::string::npos);
    CHECK(complaint(std::vector<Vec3<double>>(5, {1, 1, 1})).find(flat) != std::string::npos);
    CHECK(complaint({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}})
              .find("point 3 has a coordinate that is not a finite number") != std::string::npos);
}

TEST_CASE("Oracle: volume, centre and inertia of a hull are those of CGAL's tetrahedra inside it")
{
#ifdef POINSOT_TESTS_HAVE_CGAL
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    Dice dice(20);
    for (int trial = 0; trial < 10; ++trial) {
        const auto points = scattered(dice, 50, dice.vec(3), 1);
        CGAL::Delaunay_triangulation_3<Kernel> tetrahedra;
        for (const Vec3<double>& r : points)
            tetrahedra.insert({r.x, r.y, r.z});

        // ∫ over a tetrahedron with corners v: V, V/4 Σv, V/20 (Σ v vᵀ + (Σv)(Σv)ᵀ)
        double V = 0;
        Vec3<double> first = zero3<double>();
        Sym3<double> second = diagonal(0.0, 0.0, 0.0);
        for (auto cell = tetrahedra.finite_cells_begin(); cell != tetrahedra.finite_cells_end();
             ++cell) {
            const double volume = tetrahedra.tetrahedron(cell).volume();
            Vec3<double> sum = zero3<double>();
            Sym3<double> squares = diagonal(0.0, 0.0, 0.0);
            for (int i = 0; i < 4; ++i) {
                const auto& p = cell->vertex(i)->point();
                const Vec3<double> v{p.x(), p.y(), p.z()};
                sum += v;
                squares = squares + square(v);
            }
            V += volume;
            first += volume / 4 * sum;
            second = second + volume / 20 * (squares + square(sum));
        }
        const MassProperties truth =
            from_second_moments_about(V, first / V, zero3<double>(), second);
        const auto hull = convex_hull(points);
        REQUIRE(bool(hull));
        // the oracle sums some two hundred tetrahedra about a point a few sizes away
        CHECK(difference(*mass_of_surface(*hull, 1), truth) <= 1e-12);
    }
#else
    SKIP_TEST("CGAL is not installed (libcgal-dev)");
#endif
}

#else

TEST_CASE("Hull: a build without Qhull says so")
{
    const std::vector<Vec3<double>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto hull = convex_hull(points);
    REQUIRE(!hull);
    CHECK(hull.problems().text().find("built without Qhull") != std::string::npos);
}

#endif
