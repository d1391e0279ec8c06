// SPDX-License-Identifier: MIT
// Every integrator has the order it promises, in place, attitude and motion, in each form of the
// state; and the three forms agree to that order.

#include "poinsot/integrate/event.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

/// The tied bodies with a damper, drag and a torque in body axes: every kind of load.
std::shared_ptr<const Model> loaded()
{
    Builder b = tied_bodies();
    b.springs[0].damping = 0.6;
    b.drags.push_back({"air", 1, 0.2, 0.1});
    b.loads.push_back({"jet", 0, {0.4, 0, 0.1}, {0, 0.2, 0}, {0.1, 0.2, 0}, true});
    return built(b);
}

/// One reference for all: the adaptive pair at its tightest, checked below against SUNDIALS.
const Placed& truth()
{
    static const Placed made = [] {
        RunSettings run = run_with(Method::adaptive, 1, 1);
        run.step.tolerance = {1e-13, 1e-14, 1000000};
        return ran(loaded(), run).placed();
    }();
    return made;
}

double error(Method method, FormKind form, double h)
{
    return difference(ran(loaded(), run_with(method, h, 1, form)).placed(), truth());
}

/// Measured order between two steps that differ by two.
double order(Method method, FormKind form, double h)
{
    return std::log2(error(method, form, h) / error(method, form, h / 2));
}

} // namespace

TEST_CASE("Adaptive Runge-Kutta and SUNDIALS agree on a loaded system of bodies to their tolerance")
{
    RunSettings run = run_with(Method::adams, 1, 1);
    run.step.tolerance = {1e-12, 1e-13, 1000000};
    CHECK(difference(ran(loaded(), run).placed(), truth()) <
          1e-9); // CVODE keeps local errors: 1e3 steps
    run.step.method = Method::bdf;
    CHECK(difference(ran(loaded(), run).placed(), truth()) < 1e-8);
}

TEST_CASE("First-order methods: the error falls in proportion to the step, in every form")
{
    for (const Method method :
         {Method::explicit_euler, Method::symplectic_euler, Method::second_order})
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
            INFO(facts_of(method).name, " ", name_of(form));
            CHECK(near(order(method, form, 1.0 / 2048), 1, 0.06)); // h² terms still show at 1/2048
        }
}

TEST_CASE("The body-frame procedure: the error falls in proportion to the step")
{
    CHECK(near(order(Method::body_frame, FormKind::velocity, 1.0 / 2048), 1, 0.06));
}

TEST_CASE(
    "Steps by impulses: without anything to strike, the error falls with the square of the step")
{
    CHECK(near(order(Method::impulsive, FormKind::momentum, 1.0 / 128), 2, 0.03));
}

namespace {

/// A body on a spring, with drag and a jet: here the leading term of the pair's error shows.
/// (Of the bodies that springs tie above, the sixth power is larger until both are rounding.)
const std::shared_ptr<const Model>& sprung()
{
    static const auto model = [] {
        Builder b;
        b.add(body_with("b", 2, diagonal(1.0, 2.0, 3.0), {0.3, -0.2, 0.1}, {0.5, 2, 0.7}));
        b.drags.push_back({"air", 0, 0.8, 0.1});
        b.loads.push_back({"jet", 0, {0.4, 0, 0.1}, {0, 0.2, 0}, {0.1, 0.2, 0}, true});
        b.springs.push_back({"s", {world, {0, 0, 2}}, {0, {0.3, 0.1, 0}}, 5, 0.3, 1});
        return built(b);
    }();
    return model;
}

/// Error after a second of the pair, in equal steps that nothing cuts short: its step control has a
/// tolerance that every step meets.
template <class Form>
double error_of_pair(FormKind kind, int steps)
{
    RunSettings tight = run_with(Method::adaptive, 1, 1);
    tight.step.tolerance = {1e-15, 1e-16, 1000000};
    const Input nothing;
    System system(*sprung(), nothing);
    State state = start_of(*sprung(), kind);
    auto& bodies = std::get<std::vector<Form>>(state.bodies);
    Postings none(Postings::Detail::off);
    const double h = 1.0 / steps;
    int taken = 0;
    for (int i = 0; i < steps; ++i) {
        double substep = h;
        dormand_prince<Form>(system, bodies, i * h, h, substep, {1, 1, 10}, none,
                             [&](const auto&) { ++taken; });
    }
    CHECK(taken == steps);
    return difference(place(*sprung(), state), ran(sprung(), tight).placed());
}

} // namespace

TEST_CASE("Dormand and Prince: the error falls with the fifth power of the step, in every form")
{
    CHECK(facts_of(Method::adaptive).order == 5);
    const auto fifth = [](auto error) { return std::log2(error(32) / error(64)); };
    CHECK(near(
        fifth([](int n) { return error_of_pair<MomentumForm<double>>(FormKind::momentum, n); }), 5,
        0.05));
    CHECK(near(
        fifth([](int n) { return error_of_pair<VelocityForm<double>>(FormKind::velocity, n); }), 5,
        0.05));
    CHECK(near(fifth([](int n) { return error_of_pair<MatrixForm<double>>(FormKind::matrix, n); }),
               5, 0.05));
}

TEST_CASE("Adams and BDF: the error follows the tolerance")
{
    for (const Method method : {Method::adams, Method::bdf}) {
        INFO(facts_of(method).name);
        double last = INFINITY;
        for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
            RunSettings run = run_with(method, 1, 1);
            run.step.tolerance = {tolerance, 0.01 * tolerance, 1000000};
            const double e = difference(ran(loaded(), run).placed(), truth());
            CHECK(e < 1000 * tolerance); // local errors add up over some hundred steps
            CHECK(e < 0.2 * last);
            last = e;
        }
    }
}

TEST_CASE("Midpoint and splitting: the error falls with the square of the step, in every form")
{
    for (const Method method : {Method::midpoint, Method::splitting})
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
            INFO(facts_of(method).name, " ", name_of(form));
            CHECK(near(order(method, form, 1.0 / 128), 2, 0.03));
        }
}

TEST_CASE("Runge-Kutta on the rotation group: the error falls with the fourth power of the step")
{
    for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
        INFO(name_of(form));
        CHECK(near(order(Method::runge_kutta4, form, 1.0 / 256), 4, 0.03));
    }
}

TEST_CASE("The second-order position update is exact in place for a constant force")
{
    Builder b;
    b.add_particle("stone", 1.3, {1, 2, 3}, {3, -1, 8});
    b.gravity.uniform = {0, 0, -9.81};
    const Placed end = ran(built(b), run_with(Method::second_order, 0.125, 2)).placed();
    CHECK(near(end.bodies[0].x.z, 3 + 8 * 2.0 - 0.5 * 9.81 * 4, 1e-14, 20)); // rounding of 16 steps
    // while explicit Euler lags by g h t/2
    const Placed euler = ran(built(b), run_with(Method::explicit_euler, 0.125, 2)).placed();
    CHECK(near(euler.bodies[0].x.z - end.bodies[0].x.z, 9.81 * 0.125 * 2 / 2, 1e-13, 20));
}

TEST_CASE("Splitting keeps its second order under a user's force that depends on velocity")
{
    Builder b;
    b.add_particle("p", 1, zero3<double>(), {1, 0, 0});
    Input input; // v̇ = −v
    input.user_force = [](const Placed& placed, double, Loads& loads) {
        loads.add_force(0, Cause::applied, zero3<double>(), -placed.bodies[0].v);
    };
    const auto error = [&](double h) {
        const double v =
            ran(built(b), run_with(Method::splitting, h, 1), input).placed().bodies[0].v.x;
        return std::abs(v - std::exp(-1.0));
    };
    CHECK(near(std::log2(error(0.05) / error(0.025)), 2, 0.03));
}

TEST_CASE("The adaptive pair meets its tolerance, and a tighter tolerance costs more and errs less")
{
    double last_error = INFINITY;
    std::int64_t last_cost = 0;
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        RunSettings run = run_with(Method::adaptive, 1, 1);
        run.step.tolerance = {tolerance, 0.01 * tolerance, 1000000};
        const Simulation sim = ran(loaded(), run);
        const double e = difference(sim.placed(), truth());
        CHECK(e < 30 * tolerance); // local errors add up over some tens of steps
        CHECK(e < last_error);
        CHECK(sim.evaluations() > last_cost);
        last_error = e;
        last_cost = sim.evaluations();
    }
}

TEST_CASE("Dense output: inside a step the state is right to fourth order, and at its ends exact")
{
    const auto model = loaded();
    const Input nothing;
    // Error at a point inside the step, for a step of length h taken from the start.
    const auto inside = [&](double h) {
        System system(*model, nothing);
        MomentumBodies bodies =
            std::get<MomentumBodies>(start_of(*model, FormKind::momentum).bodies);
        const MomentumBodies start = bodies;
        double substep = h, worst = 0;
        MomentumBodies end_of_dense;
        Postings none(Postings::Detail::off);
        dormand_prince<MomentumForm<double>>(
            system, bodies, 0, h, substep, {1, 1, 10}, none, [&](const auto& dense) {
                const auto at_start = dense.at(0), at_end = dense.at(h);
                for (std::size_t i = 0; i < start.size(); ++i)
                    CHECK(norm(at_start[i].p - start[i].p) == 0);
                MomentumBodies exact = start;
                double tight = 0;
                dormand_prince<MomentumForm<double>>(system, exact, 0, 0.4 * h, tight,
                                                     {1e-14, 1e-15, 100000}, none);
                const auto middle = dense.at(0.4 * h);
                for (std::size_t i = 0; i < exact.size(); ++i)
                    worst = std::max({worst, norm(middle[i].x - exact[i].x),
                                      norm(middle[i].L - exact[i].L),
                                      angle_between(middle[i].attitude, exact[i].attitude)});
                end_of_dense = at_end;
            });
        REQUIRE(end_of_dense.size() == bodies.size());
        for (std::size_t i = 0; i < bodies.size(); ++i) { // rounding of one sum
            CHECK(norm(end_of_dense[i].x - bodies[i].x) < 1e-14);
            CHECK(norm(end_of_dense[i].L - bodies[i].L) < 1e-14);
            CHECK(angle_between(end_of_dense[i].attitude, bodies[i].attitude) < 1e-14);
        }
        return worst;
    };
    // Local error of a fourth-order interpolant: the fifth power of the step.
    CHECK(near(std::log2(inside(0.05) / inside(0.025)), 5, 0.05));
}

TEST_CASE("Events: a stone hits the ground when the closed form says")
{
    Builder b;
    b.add_particle("stone", 1, {0, 0, 10}, {1, 0, 3});
    b.gravity.uniform = {0, 0, -9.81};
    const auto model = built(b);
    const Input nothing;
    System system(*model, nothing);
    MomentumBodies bodies = std::get<MomentumBodies>(start_of(*model, FormKind::momentum).bodies);
    std::optional<double> hit;
    double substep = 0;
    Postings none(Postings::Detail::off);
    dormand_prince<MomentumForm<double>>(
        system, bodies, 0, 3, substep, {1e-12, 1e-12, 10000}, none, [&](const auto& dense) {
            if (!hit)
                hit = event_time([&](double t) { return dense.at(t)[0].x.z; }, dense.t,
                                 dense.t + dense.h);
        });
    REQUIRE(hit);
    const double exact = (3 + std::sqrt(9.0 + 2 * 9.81 * 10)) / 9.81;
    CHECK(near(*hit, exact, 1e-14)); // the motion is a parabola: the quartic has it to rounding
    CHECK_FALSE(event_time([](double) { return 1.0; }, 0, 1));
    CHECK(event_time([](double t) { return t; }, 0, 1) == 0.0);
}
