// SPDX-License-Identifier: MIT
#include "poinsot/mass/sampled.hpp"
#include "mass/bodies.hpp"
#include "poinsot/mass/solids.hpp"

#include <rapidcheck.h>

using namespace poinsot;

namespace {

const Bounds around_ball{{-1, -1, -1}, {1, 1, 1}};
bool in_ball(const Vec3<double>& r)
{
    return norm2(r) <= 1;
}

// The root mean square of the relative error of I_xx over some seeds.
double random_error(std::int64_t samples)
{
    const double truth = solid_ball(1, 1).inertia.xx;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
        const auto found = sample_random(in_ball, around_ball, 1, samples, seed);
        const double error = found->body.inertia.xx / truth - 1;
        sum += error * error;
    }
    return std::sqrt(sum / 32);
}

} // namespace

TEST_CASE("Random points: the error of the inertia falls as N^-1/2")
{
    // from 32 seeds each: the ratio is known to 18 %, a quarter of a power over a factor of 64
    const double order = std::log(random_error(2000) / random_error(128000)) / std::log(64.0);
    CHECK(order == doctest::Approx(0.5).epsilon(0.12));
}

TEST_CASE("Random points: the error they claim is the error they make")
{
    const MassProperties truth = moved(
        solid_box({1, 2, 0.5}, 3), Pose<double>{{1, 2, 3}, exp_quat(Vec3<double>{0.3, 0.2, 0.1})});
    const Pose<double> home =
        inverse(Pose<double>{{1, 2, 3}, exp_quat(Vec3<double>{0.3, 0.2, 0.1})});
    const Inside inside = [&](const Vec3<double>& r) {
        const Vec3<double> b = place(home, r);
        return std::abs(b.x) <= 0.5 && std::abs(b.y) <= 1 && std::abs(b.z) <= 0.25;
    };
    const Bounds box{{0, 0.5, 2}, {2, 3.5, 4}};
    constexpr int trials = 200;
    double mass = 0, center = 0, I_xx = 0, I_xy = 0, per_mass = 0;
    for (std::uint64_t seed = 0; seed < trials; ++seed) {
        const auto found = sample_random(inside, box, 3, 4000, seed);
        REQUIRE(bool(found));
        const auto squared = [](double error, double claimed) {
            return std::pow(error / claimed, 2) / trials;
        };
        mass += squared(found->body.mass - truth.mass, found->mass_error);
        center += squared(found->body.center.y - truth.center.y, found->center_error.y);
        I_xx += squared(found->body.inertia.xx - truth.inertia.xx, found->inertia_error.xx);
        I_xy += squared(found->body.inertia.xy - truth.inertia.xy, found->inertia_error.xy);
        per_mass +=
            squared(found->body.inertia.zz / found->body.mass - truth.inertia.zz / truth.mass,
                    found->inertia_per_mass_error.zz);
    }
    // mean square of error over claim is 1; 200 trials know it to 10 % (one sigma), allow three
    for (const double ratio : {mass, center, I_xx, I_xy, per_mass})
        CHECK(ratio == doctest::Approx(1).epsilon(0.3));
}

TEST_CASE("Random points: the same seed gives the same bits, another seed does not")
{
    const auto a = sample_random(in_ball, around_ball, 1, 5000, 7),
               b = sample_random(in_ball, around_ball, 1, 5000, 7),
               c = sample_random(in_ball, around_ball, 1, 5000, 8);
    CHECK(a->body == b->body);
    CHECK_FALSE(a->body == c->body);
}

TEST_CASE("Grid: a box along it errs by one layer of cells, N^-1/3, and by no more than it claims")
{
    // The boundary falls at a quarter of a cell for every count used, so that nothing cancels by
    // luck.
    const auto error = [](int n) {
        const double half =
            (n / 4 + 0.25) * 2.0 / n; // from the middle of 2n cells... of n over [-1, 1]
        const Inside inside = [half](const Vec3<double>& r) {
            return std::abs(r.x) <= half && std::abs(r.y) <= half && std::abs(r.z) <= half;
        };
        const auto found = sample_grid(inside, around_ball, 1, std::int64_t(n) * n * n);
        REQUIRE(bool(found));
        CHECK(found->samples == std::int64_t(n) * n * n);
        const MassProperties truth = solid_box({2 * half, 2 * half, 2 * half}, 1);
        CHECK(std::abs(found->body.mass - truth.mass) <= found->mass_error);
        CHECK(std::abs(found->body.inertia.xx - truth.inertia.xx) <= found->inertia_error.xx);
        return std::abs(found->body.inertia.xx / truth.inertia.xx - 1);
    };
    // first power of the cell up to its second: a few cells in a hundred
    CHECK(std::log2(error(32) / error(64)) == doctest::Approx(1).epsilon(0.1));
    CHECK(std::log2(error(64) / error(128)) == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("Grid: round bodies err less than the bound, and a box that fills its cells is exact")
{
    const MassProperties truth = solid_ball(1, 1);
    for (const std::int64_t n : {1000, 8000, 64000, 512000}) {
        const auto found = sample_grid(in_ball, around_ball, 1, n);
        CHECK(std::abs(found->body.mass - truth.mass) <= found->mass_error);
        CHECK(std::abs(found->body.inertia.xx - truth.inertia.xx) <= found->inertia_error.xx);
        CHECK(norm(found->body.center) <= 1e-14);
        // the bound itself falls with the cell
        CHECK(found->mass_error / truth.mass <= 8 / std::cbrt(static_cast<double>(n)));
    }
    const auto box =
        sample_grid([](const Vec3<double>&) { return true; }, {{0, 0, 0}, {1, 2, 3}}, 5, 6000);
    CHECK(difference(box->body, moved(solid_box({1, 2, 3}, 5), Vec3<double>{0.5, 1, 1.5})) <=
          1e-12);
}

TEST_CASE("Inside a surface: rays and winding numbers agree, also through edges and corners")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        Surface surface = torus_surface(1, 0.4, 12);
        if (dice.whole(0, 1))
            surface = moved(surface, {zero3<double>(), dice.turn()});
        const InsideSurface inside(surface);
        for (int i = 0; i < 50; ++i) {
            Vec3<double> r = dice.vec(1.5);
            if (i % 2) { // straight below a corner
                const auto n = static_cast<int>(surface.vertices.size());
                const Vec3<double>& v =
                    surface.vertices[static_cast<std::size_t>(dice.whole(0, n - 1))];
                r = {v.x, v.y, r.z};
            }
            const double w = winding_number(surface, r);
            if (std::abs(w - 0.5) < 0.4) // on the surface itself
                continue;
            RC_ASSERT(inside(r) == (w > 0.5));
        }
    }));
}

TEST_CASE("Inside a surface: sampled and exact mass agree within the errors claimed")
{
    const Surface torus =
        moved(torus_surface(1, 0.4, 40), {{5, 6, 7}, exp_quat(Vec3<double>{1, 0.5, 0.2})});
    const MassProperties truth = *mass_of_surface(torus, 2);
    const InsideSurface inside(torus);
    const Bounds box = bounds_of(torus.vertices);
    const auto random = sample_random(inside, box, 2, 200000);
    REQUIRE(bool(random));
    // four standard errors: one run in sixteen thousand would fail, and the seed is fixed
    CHECK(std::abs(random->body.mass - truth.mass) <= 4 * random->mass_error);
    CHECK(std::abs(random->body.inertia.xy - truth.inertia.xy) <= 4 * random->inertia_error.xy);
    const auto grid = sample_grid(inside, box, 2, 200000);
    REQUIRE(bool(grid));
    CHECK(std::abs(grid->body.mass - truth.mass) <= grid->mass_error);
    CHECK(difference(grid->body, truth) <= 0.01); // measured 2026-11-15: 0.0004
}

TEST_CASE("Bounding box: the slides' cheapest estimate, and how far it is off")
{
    const auto mesh_file = outside("meshes.json"), mass_file = outside("mass_of_meshes.json");
    if (!mesh_file || !mass_file)
        SKIP_TEST("outside reference not found (meshes.json, mass_of_meshes.json)");
    const auto meshes = read_json(*mesh_file)["items"],
               truths = read_json(*mass_file)["items"]["meshes"];
    for (const auto& [name, mesh] : meshes.items()) {
        std::vector<Vec3<double>> vertices;
        for (const auto& v : mesh["v"])
            vertices.push_back(vec3_of(v));
        const auto box = bounding_box_estimate(bounds_of(vertices), 1);
        REQUIRE(bool(box));
        const auto& truth = truths[name]["bbox_inertia_per_mass"];
        const Vec3<double> k = vec3_of(truth);
        // STL coordinates are printed to nine digits
        CHECK(difference(1 / box->mass * box->inertia, diagonal(k.x, k.y, k.z)) <= 1e-8);
    }
}

TEST_CASE("Refused: a flat box, too few and too many samples, nothing inside")
{
    const auto text = [](const auto& result) {
        return result ? std::string("accepted") : result.problems().text();
    };
    CHECK(text(sample_random(in_ball, {{0, 0, 0}, {1, 1, 0}}, 1, 5000)).find("finite volume") !=
          std::string::npos);
    CHECK(text(sample_grid(in_ball, around_ball, 1, 10)).find("number of samples") !=
          std::string::npos);
    CHECK(text(sample_random(in_ball, around_ball, -1, 5000)).find("density") != std::string::npos);
    const Inside never = [](const Vec3<double>&) { return false; };
    CHECK(text(sample_random(never, around_ball, 1, 5000)).find("only 0 of 5056 points") !=
          std::string::npos);
    CHECK(text(sample_grid(never, around_ball, 1, 5000)).find("only 0 of") != std::string::npos);
    CHECK(text(bounding_box_estimate({{0, 0, 0}, {1, 1, 0}}, 1)).find("finite volume") !=
          std::string::npos);
}
