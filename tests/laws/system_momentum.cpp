// SPDX-License-Identifier: MIT
// Momentum of every model there is, at random states: of every scene, with loops or without, and of
// every robot. By Liu's formula in generalised coordinates, by the bodies, and by one matrix; about
// the centre of mass, the origin, and points that move.

#include "dynamics/linkages.hpp"
#include "formulations.hpp"
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/io/urdf.hpp"

using namespace poinsot;

namespace {

void check_momentum(const Builder& description)
{
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        INFO(seed);
        Rig rig(description, seed);
        const Placed placed = rig.bodies();
        LinkageSpace<Dual<double>> along(rig.linkage);
        const Momentum<double> by_coordinates =
            momentum_in_coordinates(rig.linkage, masses_of(*rig.model), rig.q, rig.v, along);
        // the sum over bodies, by hand
        const SystemCenter center = system_center_of(placed.bodies);
        V3 p = zero3<double>(), L_O = zero3<double>();
        double size_p = 0, size_L = 0; // of the terms of the sums
        for (const PlacedBody& body : placed.bodies) {
            p += body.mass.m * body.v;
            const V3 spin = body.inertia() * body.omega;
            L_O += spin + cross(body.x, body.mass.m * body.v);
            // v may be what is left of terms that cancel: those of a body that turns in its place
            size_p += body.mass.m * (norm(body.v) + norm(body.omega) * norm(body.x));
            size_L += norm(spin) + (norm(body.x) + norm(center.x)) * body.mass.m * norm(body.v);
        }
        const V3 L_C = L_O - cross(center.x, p);
        REQUIRE(size_L > 0);
        CHECK(norm(by_coordinates.p - p) <= 1e-12 * size_p);
        CHECK(norm(by_coordinates.L - L_C) < 1e-12 * size_L);
        const Momentum<double> maximal = centroidal_momentum(placed.bodies);
        CHECK(norm(maximal.p - p) <= 1e-12 * size_p);
        CHECK(norm(maximal.L - L_C) < 1e-12 * size_L);
        CHECK(norm(momentum_about(placed.bodies, zero3<double>()).L - L_O) < 1e-12 * size_L);

        // about a point that moves, against the world and against it
        Dice dice(seed + 100);
        const V3 A = dice.vector(2), v_A = dice.vector(2);
        const double far = size_L + norm(A) * size_p + norm(v_A) * center.m * norm(center.x - A);
        CHECK(norm(momentum_about(placed.bodies, A).L - (L_O - cross(A, p))) < 1e-12 * far);
        CHECK(norm(relative_momentum_about(placed.bodies, A, v_A).L -
                   (L_O - cross(A, p) - cross(center.m * (center.x - A), v_A))) < 1e-12 * far);

        // one matrix times v; bodies that are welded to the world have no column
        compose<double>(rig.linkage, rig.inertias, rig.w);
        std::vector<double> matrix(6 * rig.nv()), h(6, 0.0);
        centroidal_matrix<double>(rig.linkage, center.x, matrix, rig.w);
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t i = 0; i < rig.nv(); ++i)
                h[row] += matrix[row * rig.nv() + i] * rig.v[i];
        CHECK(norm(V3{h[0], h[1], h[2]} - p) <= 1e-12 * size_p);
        CHECK(norm(V3{h[3], h[4], h[5]} - L_C) < 1e-12 * size_L);
    }
}

} // namespace

TEST_CASE("Momentum of every scene at random states is one, by every road, about any point")
{
    int models = 0, with_loops = 0;
    for (const auto& entry : std::filesystem::directory_iterator(tests_folder() / "../scenes")) {
        if (entry.path().extension() != ".yaml")
            continue;
        INFO(entry.path().string());
        const auto scene = read_scene(entry.path());
        if (!scene)
            FAIL(scene.problems().text());
        if (scene->model->joints().empty() || linkage_of(*scene->model).nv == 0) // nothing can move
            continue;
        ++models;
        with_loops += !scene->model->tree().rows.empty();
        check_momentum(scene->description);
    }
    CHECK(models > 15);
    CHECK(with_loops > 4);
}

TEST_CASE("Momentum of published robots at random states is one, by every road, about any point")
{
    for (const char* name : {"ur5_robot", "panda", "anymal_b", "simple_humanoid"}) {
        const auto path = outside(text_of("urdf/", name, ".urdf"));
        if (!path)
            SKIP_TEST("the URDF files of published robots are not here");
        INFO(std::string(name));
        for (const UrdfBase base : {UrdfBase::fixed, UrdfBase::floating}) {
            const auto robot = read_urdf(*path, UrdfOptions(base));
            if (!robot)
                FAIL(robot.problems().text());
            check_momentum(robot->description);
        }
    }
}
