// SPDX-License-Identifier: MIT
// Bodies on joints with limits fall, are solved in every step, and lie still in the end.
#include "poinsot/io/scene.hpp"
#include "touching.hpp"

namespace poinsot {

namespace {

constexpr std::array<Formulation, 2> both_roads{Formulation::maximal, Formulation::reduced};

double fastest_body(const Simulation& run)
{
    double most = 0;
    for (const PlacedBody& body : run.placed().bodies)
        most = std::max(most, norm(body.v) + norm(body.omega));
    return most;
}

/// A base on the ground, and an arm on it that falls from 0.2 rad inside its limit onto it.
TouchingWorld leaning_arm()
{
    TouchingWorld w(0.5);
    w.ground();
    const int base = w.box("base", {0.4, 0.4, 0.2}, 5, {{0, 0, 0.1}, identity_quat<double>()});
    const int arm = w.box("arm", {0.05, 0.05, 0.6}, 1, {{0, 0, 0.55}, identity_quat<double>()});
    Joint hinge;
    hinge.name = "hinge";
    hinge.kind = JointKind::revolute;
    hinge.a = base;
    hinge.b = arm;
    const Quat<double> along_y = exp_quat(V3{-M_PI / 2, 0, 0}); // z of the frames along y
    hinge.frame_a = {{0, 0, 0.15}, along_y};
    hinge.frame_b = {{0, 0, -0.3}, along_y};
    hinge.laws.resize(1);
    hinge.laws[0].lower = -0.5;
    hinge.laws[0].upper = 0.7;
    hinge.start = {0.5};
    w.builder.add(hinge);
    return w;
}

} // namespace

// What is free for one step gains g h; what is held keeps the residual of the solver, as in
// resting.cpp.
TEST_CASE("A limp figure that falls down a stair is solved in every step, and lies still at last" *
          doctest::test_suite("slow"))
{
    auto scene = read_scene(tests_folder() / "touch/limp_figure.yaml");
    if (!scene)
        FAIL(scene.problems().text());
    struct Throw {
        V3 by;
        double h;
    };
    for (const Throw& one : {Throw{{1.5, 0.2, 0}, 0.002}, Throw{{-0.441, 0.594, -0.722}, 0.008},
                             Throw{{0.046, -0.278, -0.668}, 0.002}})
        for (const Formulation formulation : both_roads) {
            CAPTURE(one.h);
            CAPTURE(formulation);
            Builder figure = scene->description;
            for (Body& body : figure.bodies)
                body.velocity = one.by;
            RunSettings how = scene->run;
            how.step.h = one.h;
            how.step.formulation = formulation;
            auto run = Simulation::start(built(figure), how);
            if (!run)
                FAIL(run.problems().text());
            run_to_end(*run);
            CHECK(run->contact_quality().unsolved == 0);
            CHECK(run->ledger().balanced());
            CHECK(fastest_body(*run) < 1e-6 * 9.81 * one.h);
        }
}

TEST_CASE("What leans on a limit lies still at any step")
{
    const TouchingWorld w = leaning_arm();
    for (const double h : {0.001, 0.005, 1.0 / 60})
        for (const Formulation formulation : both_roads) {
            CAPTURE(h);
            CAPTURE(formulation);
            Simulation run = w.start(h, 4, {}, formulation);
            run_to_end(run);
            CHECK(fastest_body(run) < 1e-6 * 9.81 * h);
            CHECK(near(run.placed().joints[0].q[0], 0.7, 1e-6));
            CHECK(run.ledger().balanced());
        }
    // Free for a step, held for the next: this is what holding is for.
    ContactSettings never;
    never.ahead = false;
    Simulation hops = w.start(0.005, 4, never);
    double most = 0;
    while (!hops.done()) {
        take_step(hops);
        if (hops.time() > 3)
            most = std::max(most, fastest_body(hops));
    }
    CHECK(most > 0.1 * 9.81 * 0.005);
}

TEST_CASE("What stands when it is let go has its static friction from the first step on")
{
    const double slope = 25 * M_PI / 180; // its tangent is 0.466
    for (const double holds : {0.7, 0.45})
        for (const Formulation formulation : both_roads)
            for (const double tolerance : {1e-10, 1e-4}) {
                CAPTURE(holds);
                CAPTURE(formulation);
                CAPTURE(tolerance);
                TouchingWorld w(0.3);
                w.builder.materials[0].law.static_friction = holds;
                w.builder.gravity.uniform = 9.81 * V3{std::sin(slope), 0, -std::cos(slope)};
                w.ground();
                w.box("block", {0.4, 0.3, 0.2}, 2, {{0, 0, 0.1}, identity_quat<double>()});
                ContactSettings contact;
                contact.exact = tolerance < 1e-9;
                contact.tolerance = tolerance;
                contact.sweeps = 1000;
                Simulation run = w.start(0.01, 1, contact, formulation);
                run_to_end(run);
                const double a = 9.81 * (std::sin(slope) - 0.3 * std::cos(slope));
                const double v = run.placed().bodies[0].v.x;
                if (holds > 0.5) // what sweeps leave is 1e-4 of g h
                    CHECK(std::abs(v) < 10 * tolerance * 9.81 * 0.01);
                else // it slides, by first order in the step at the beginning
                    CHECK(near(v, a, 0.02, 1));
            }
}

} // namespace poinsot
