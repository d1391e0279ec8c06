// SPDX-License-Identifier: MIT
// What each integrator keeps, and what it does not.

#include "worlds.hpp"

using namespace poinsot;

namespace {

struct Drift {
    double L, T; // relative change after the run
};
Drift drift(Method method, FormKind form, double h, double steps)
{
    RunSettings run = run_with(method, h, h * steps, form);
    run.ledger.detail = Postings::Detail::off;
    auto sim = Simulation::start(tumbler(), run);
    REQUIRE(sim);
    const PlacedBody start = sim->placed().bodies[0];
    Drift worst{0, 0};
    const std::int64_t every = std::max<std::int64_t>(1, sim->steps_in_all() / 100);
    while (!sim->done()) {
        REQUIRE_FALSE(sim->step());
        if (sim->state().step % every != 0)
            continue;
        const PlacedBody at = sim->placed().bodies[0];
        worst.L = std::max(worst.L, std::abs(norm(at.L) / norm(start.L) - 1));
        worst.T = std::max(worst.T, std::abs(at.kinetic_energy() / start.kinetic_energy() - 1));
    }
    return worst;
}

} // namespace

TEST_CASE("Midpoint and splitting in the velocity form keep |L| and energy to 1e-12 over a million "
          "steps" *
          doctest::test_suite("slow"))
{
    for (const Method method : {Method::midpoint, Method::splitting}) {
        INFO(facts_of(method).name);
        const Drift d = drift(method, FormKind::velocity, 0.01, 1e6);
        CHECK(d.L < 1e-12);
        CHECK(d.T < 1e-12);
    }
}

TEST_CASE("In the momentum form L of a free body does not change by a bit, with any method")
{
    for (const Method method :
         {Method::explicit_euler, Method::symplectic_euler, Method::second_order, Method::midpoint,
          Method::runge_kutta4, Method::splitting, Method::adaptive, Method::adams, Method::bdf,
          Method::impulsive}) {
        INFO(facts_of(method).name);
        CHECK(drift(method, FormKind::momentum, 0.01, 1000).L == 0);
    }
}

TEST_CASE(
    "A box that flies and spins is after 10 s where its velocity takes it, with any integrator")
{
    const auto item = reference_items("free_rigid_body.json").at("boxes_simple");
    const V3 I = vec(item.at("I"));
    Builder builder;
    builder.add(
        body_with("box", 10, diagonal(I.x, I.y, I.z), vec(item.at("v0")), vec(item.at("omega0"))));
    const auto model = built(builder);
    const PlacedBody start = place(*model, start_of(*model, FormKind::momentum)).bodies[0];
    for (const MethodFacts& method : methods) {
        INFO(std::string(method.name));
        RunSettings run = run_with(method.method, 0.01, 10);
        if (method.method == Method::body_frame)
            run.step.form = FormKind::velocity;
        if (!method.in_maximal)
            run.step.formulation = Formulation::reduced;
        run.step.tolerance = {1e-13, 1e-15, 100000};
        const PlacedBody end = ran(model, run).placed().bodies[0];
        // Rounding of 1000 steps; the multistep methods of variable order keep their tolerance.
        const bool multistep = method.method == Method::adams || method.method == Method::bdf;
        const double close = multistep ? 1e-10 : 1e-12;
        CHECK(norm(end.x - vec(item.at("pos_10s"))) < close * norm(end.x));
        CHECK(near(end.kinetic_energy(), start.kinetic_energy(), close));
        CHECK(near(end.kinetic_energy(), item.at("E0"), 1e-8)); // of a moment given in six digits
    }
}

TEST_CASE("Midpoint keeps the energy of free rotation at steps of half a radian")
{
    const Drift d = drift(Method::midpoint, FormKind::momentum, 0.25, 10000); // |ω| is about 2
    CHECK(d.T < 1e-12);
}

TEST_CASE("Explicit Euler gains energy in free rotation; the gain falls in proportion to the step")
{
    const double coarse = drift(Method::explicit_euler, FormKind::velocity, 1e-3, 1000).T;
    const double fine = drift(Method::explicit_euler, FormKind::velocity, 5e-4, 2000).T;
    CHECK(coarse > 1e-4);
    CHECK(near(std::log2(coarse / fine), 1, 0.05));
}

TEST_CASE(
    "The body-frame procedure keeps the velocity of a free body to the bit; |L| and energy of "
    "its rotation drift in proportion to the step")
{
    const Drift coarse = drift(Method::body_frame, FormKind::velocity, 1e-3, 1000);
    const Drift fine = drift(Method::body_frame, FormKind::velocity, 5e-4, 2000);
    CHECK(coarse.T > 1e-4);
    CHECK(near(std::log2(coarse.T / fine.T), 1, 0.05));
    CHECK(near(std::log2(coarse.L / fine.L), 1, 0.05));
    RunSettings run = run_with(Method::body_frame, 0.01, 10, FormKind::velocity);
    const auto model = tumbler();
    const V3 v = place(*model, start_of(*model, FormKind::velocity)).bodies[0].v;
    CHECK(ran(model, run).placed().bodies[0].v == v);
}

TEST_CASE(
    "The adaptive pair, Adams and BDF keep |L| and energy of free rotation to their tolerance")
{
    for (const Method method : {Method::adaptive, Method::adams, Method::bdf}) {
        INFO(facts_of(method).name);
        RunSettings run = run_with(method, 0.1, 10, FormKind::velocity);
        double last = INFINITY;
        for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
            run.step.tolerance = {tolerance, 0.01 * tolerance, 1000000};
            const auto model = tumbler();
            const PlacedBody start = place(*model, start_of(*model, FormKind::velocity)).bodies[0];
            const PlacedBody end = ran(model, run).placed().bodies[0];
            const double L = std::abs(norm(end.L) / norm(start.L) - 1),
                         T = std::abs(end.kinetic_energy() / start.kinetic_energy() - 1);
            CHECK(std::max(L, T) < 3000 * tolerance); // local errors of some hundred steps
            CHECK(std::max(L, T) < 0.1 * last);
            last = std::max(L, T);
        }
    }
}

TEST_CASE("Symplectic Euler and steps by impulses: energy under springs wavers and does not grow")
{
    Builder b;
    b.add_particle("p", 1.5, {1, 0.3, -0.2}, {0, 0.4, 1});
    b.springs.push_back({"s", {world, zero3<double>()}, {0, zero3<double>()}, 7, 0, 0});
    for (const Method method : {Method::symplectic_euler, Method::impulsive}) {
        INFO(facts_of(method).name);
        auto sim = Simulation::start(built(b), run_with(method, 0.01, 400));
        REQUIRE(sim);
        double early = 0, late = 0;
        while (!sim->done()) {
            REQUIRE_FALSE(sim->step());
            const Books& books = sim->ledger().books();
            double& worst = sim->time() < 40 ? early : late;
            worst = std::max(worst, std::abs(books.total.residual.E()) / books.scale_E);
        }
        CHECK(early > 0);
        CHECK(late < 1.01 * early);
    }
}

TEST_CASE("Runge-Kutta loses |L| and energy of free rotation at its fourth order or better")
{
    const Drift coarse = drift(Method::runge_kutta4, FormKind::velocity, 0.02, 500);
    const Drift fine = drift(Method::runge_kutta4, FormKind::velocity, 0.01, 1000);
    CHECK(std::log2(coarse.T / fine.T) > 3.9);
    CHECK(std::log2(coarse.L / fine.L) > 3.9);
}

TEST_CASE("Splitting under gravity and springs: energy error stays bounded over a long run and "
          "falls as h squared")
{
    const auto worst_E = [](double h) {
        auto sim = Simulation::start(built(tied_bodies()), run_with(Method::splitting, h, 100));
        REQUIRE(sim);
        double worst = 0, at_half = 0;
        while (!sim->done()) {
            REQUIRE_FALSE(sim->step());
            const Books& books = sim->ledger().books();
            worst = std::max(worst, std::abs(books.total.residual.E()) / books.scale_E);
            if (sim->time() < 50)
                at_half = worst;
        }
        CHECK(worst < 3 * at_half); // it wavers, it does not grow with time
        return worst;
    };
    CHECK(near(std::log2(worst_E(0.02) / worst_E(0.01)), 2, 0.2));
}

TEST_CASE(
    "Midpoint keeps the energy of a linear spring to rounding, exactly as its quadratic form says")
{
    Builder b; // rest length zero: the force is linear in the place
    b.add_particle("p", 1.5, {1, 0.3, -0.2}, {0, 0.4, 1});
    b.springs.push_back({"s", {world, zero3<double>()}, {0, zero3<double>()}, 7, 0, 0});
    const Simulation sim = ran(built(b), run_with(Method::midpoint, 0.1, 1000));
    const Books& books = sim.ledger().books();
    CHECK(std::abs(books.total.residual.E()) < 1e-12 * books.scale_E);
    CHECK(std::abs(books.closing_stores.total() + books.total.closing.T -
                   books.opening_stores.total() - books.total.opening.T) < 1e-12 * books.scale_E);
}

TEST_CASE("Reversing time: midpoint and splitting come back to where they started")
{
    const auto model = built(tied_bodies());
    const Input nothing;
    for (const Method method : {Method::midpoint, Method::splitting}) {
        State state = start_of(*model, FormKind::momentum);
        const Placed start = place(*model, state);
        Workspace w(*model, nothing, Postings::Detail::off);
        StepSettings step = run_with(method, 0.01, 1).step;
        for (int i = 0; i < 100; ++i)
            REQUIRE_FALSE(smooth_step(state, step, w).failure);
        CHECK(difference(place(*model, state), start) > 0.1);
        step.h = -step.h;
        for (int i = 0; i < 100; ++i)
            REQUIRE_FALSE(smooth_step(state, step, w).failure);
        CHECK(difference(place(*model, state), start) <
              1e-11); // rounding of 200 steps, grown a little
    }
}
