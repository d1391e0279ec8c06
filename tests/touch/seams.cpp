// SPDX-License-Identifier: MIT
// Edges between faces in one plane are passed as if they were not there, in steps by impulses.
#include "touching.hpp"

namespace poinsot {

namespace {

/// A floor of squares of 0.25 m, each of two triangles, around the origin.
Surface tiled_mesh(int n)
{
    Surface mesh;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            mesh.vertices.push_back({0.25 * (i - 0.5 * n), 0.25 * (j - 0.5 * n), 0});
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + n + 1;
            mesh.faces.push_back({a, b, a + 1});
            mesh.faces.push_back({b, b + 1, a + 1});
        }
    return mesh;
}

/// The part of its kinetic energy that is left after it slid or rolled over the edges.
double left_of_sliding(TouchingWorld w, bool ball, double v, double h, Formulation formulation)
{
    const V3 x{-1.03173, 0.02, 0.1}; // no edge is met where a step looks
    if (ball)
        w.ball("moves", 0.1, 1, x, {v, 0, 0});
    else
        w.box("moves", {0.2, 0.2, 0.2}, 1, {x, identity_quat<double>()}, {v, 0, 0});
    Simulation run = w.start(h, 1.5, {}, formulation);
    run_to_end(run);
    CHECK(run.ledger().balanced());
    CHECK(run.contact_quality().unsolved == 0);
    return dot(run.placed().bodies[0].v, run.placed().bodies[0].v) / (v * v);
}

} // namespace

// An edge takes what is due to the depth to which things sank in, below a millionth of their size;
// a hundredth of the energy is between that and what edges took as walls, 0.2 and more.
TEST_CASE("What slides over edges between faces of one plane is not braked by them")
{
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        for (const double h : {0.01, 0.002})
            for (const double v : {0.1, 0.5, 1.0}) {
                CAPTURE(formulation);
                CAPTURE(h);
                CAPTURE(v);
                TouchingWorld mesh, tiles;
                mesh.skin("floor", world, collider_of_mesh(tiled_mesh(16)));
                for (int i = 0; i < 12; ++i)
                    tiles.skin(text_of("tile ", i), world, collider_of(Box{{0.25, 1, 0.1}}),
                               {{0.25 * i - 1.5, 0, -0.05}, identity_quat<double>()});
                CHECK(left_of_sliding(mesh, false, v, h, formulation) > 0.99);
                CHECK(left_of_sliding(mesh, true, v, h, formulation) > 0.99);
                CHECK(left_of_sliding(tiles, false, v, h, formulation) > 0.99);
                CHECK(left_of_sliding(tiles, true, v, h, formulation) > 0.99);
            }
}

// Steps themselves are hit: an edge that stands in the way is one.
TEST_CASE("What slides against a step is stopped by it, before it or at it")
{
    for (const double v : {0.05, 1.0}) {
        TouchingWorld w;
        w.ground();
        w.skin("step", world, collider_of(Box{{1, 1, 0.1}}),
               {{0.8, 0, 0.05}, identity_quat<double>()});
        w.box("moves", {0.2, 0.2, 0.2}, 1, {{0.15, 0, 0.1}, identity_quat<double>()}, {v, 0, 0});
        Simulation run = w.start(0.01, 2);
        run_to_end(run);
        CHECK(run.placed().bodies[0].x.x < 0.2 + 1e-6);
    }
}

} // namespace poinsot
