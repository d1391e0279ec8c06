// SPDX-License-Identifier: MIT
// Two roads: the same model in maximal and in reduced coordinates.

#include "poinsot/step/both.hpp"

#include "joined.hpp"

using namespace poinsot;

namespace {

SideBySide ran_both(const std::shared_ptr<const Model>& model, const RunSettings& run)
{
    auto both = SideBySide::start(model, run);
    if (!both)
        FAIL(both.problems().text());
    while (!both->done()) {
        const auto ended = both->step();
        if (ended)
            FAIL(*ended);
    }
    both->close_books();
    return std::move(*both);
}

/// The largest of all differences, in SI units.
double worst(const Differences& d)
{
    return std::max({d.position.largest, d.attitude.largest, d.velocity.largest,
                     d.angular_velocity.largest, d.energy.largest, d.p.largest, d.L.largest});
}

} // namespace

TEST_CASE("Maximal and reduced coordinates part by no more than the error of the method")
{
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const auto model = built(some_tree(6, seed));
        const auto part = [&](double h) {
            const SideBySide both = ran_both(model, run_with(Method::runge_kutta4, h, 0.4));
            CHECK(both.balanced());
            return worst(both.differences());
        };
        const double coarse = part(4e-3), fine = part(2e-3);
        INFO("seed ", seed, ": ", coarse, ", ", fine);
        CHECK(fine < 1e-5);
        CHECK(coarse / fine > 10); // fourth order: 16
    }
    // To a tolerance: nothing is left but that.
    const auto model = built(some_tree(6, 1));
    CHECK(worst(ran_both(model, run_with(Method::adaptive, 0.02, 0.4)).differences()) < 1e-8);
}

TEST_CASE("Both start from the same bits, and the largest difference knows when and whose")
{
    const auto model = built(some_tree(6, 2));
    auto both = SideBySide::start(model, run_with(Method::symplectic_euler, 1e-3, 0.1));
    REQUIRE(both);
    CHECK(worst(both->differences()) < 1e-13);
    for (int i = 0; i < 10; ++i)
        REQUIRE_FALSE(both->step());
    const Difference& d = both->differences().position;
    CHECK(d.largest > 0);
    CHECK(d.time == 0.01); // methods of first order part from the first step on
    const auto body = static_cast<std::size_t>(d.body);
    CHECK(near(
        d.largest,
        norm(both->maximal().placed().bodies[body].x - both->reduced().placed().bodies[body].x),
        1e-15));
    CHECK(both->differences().energy.body == Difference::whole);
    CHECK(both->maximal().settings().step.formulation == Formulation::maximal);
    CHECK(both->reduced().settings().step.formulation == Formulation::reduced);
}

TEST_CASE("Differences of given placements are measured as they are")
{
    const auto model = tumbler();
    const Placed one = place(*model, start_of(*model, FormKind::momentum));
    Placed other = one;
    PlacedBody& body = other.bodies[0];
    body.x += V3{0, 0, 0.5};
    body.R = exp_matrix(V3{0.2, 0, 0}) * body.R;
    Differences d;
    d.note(*model, one, one, 1);
    CHECK(worst(d) < 1e-15);
    d.note(*model, one, other, 2);
    d.note(*model, one, one, 3);
    CHECK(near(d.position.largest, 0.5, 1e-15));
    CHECK(near(d.attitude.largest, 0.2, 1e-14));
    CHECK(d.attitude.time == 2);
    CHECK(d.attitude.body == 0);
    CHECK(near(d.L.largest, norm(cross(V3{0, 0, 0.5}, body.p)), 1e-14));
}

TEST_CASE("An integrator of one formulation has its counterpart in the other")
{
    for (const MethodFacts& facts : methods) {
        INFO(facts.name);
        for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
            const MethodFacts& used = facts_of(method_in(f, facts.method));
            CHECK((f == Formulation::maximal ? used.in_maximal : used.in_reduced));
            const bool own = f == Formulation::maximal ? facts.in_maximal : facts.in_reduced;
            CHECK((used.method == facts.method) == own);
        }
    }
    const auto model = built(joined_pair(JointKind::revolute, 1));
    const SideBySide both = ran_both(model, run_with(Method::gauss, 1e-3, 0.1));
    CHECK(both.maximal().settings().step.method == Method::runge_kutta4);
    CHECK(both.reduced().settings().step.method == Method::gauss);
    CHECK(worst(both.differences()) < 1e-9); // RK4's error at 1 ms
    RunSettings late = run_with(Method::runge_kutta4, 1e-3, -1);
    const auto refused = SideBySide::start(model, late);
    REQUIRE_FALSE(refused);
    CHECK(refused.problems().list().size() == 1); // what both say is told once
}

TEST_CASE("The verdict names the formulation whose books do not balance")
{
    const auto model = built(some_tree(6, 2));
    RunSettings run = run_with(Method::explicit_euler, 1e-3, 0.1);
    run.ledger.energy_tolerance = 1e-12;
    const SideBySide both = ran_both(model, run);
    CHECK_FALSE(both.balanced());
    CHECK(both.verdict().find("in maximal coordinates: ") == 0);
    CHECK(both.verdict().find("; in reduced coordinates: ") != std::string::npos);
}

TEST_CASE("A particle pinned to the origin, where all terms are zero, stays there")
{
    Builder builder;
    builder.gravity.uniform = {0, 0, -9.81};
    builder.add_particle("pinned", 0.1, zero3<double>(), zero3<double>());
    builder.add_particle("bob", 0.1, {0.5, 0, 0}, {0, 0.3, 0});
    Joint pin, bar;
    pin.name = "pin";
    pin.kind = JointKind::point;
    pin.b = 0;
    builder.add(pin);
    bar.name = "bar";
    bar.kind = JointKind::distance;
    bar.a = 0;
    bar.b = 1;
    bar.length = 0.5;
    builder.add(bar);
    const Simulation sim = ran(built(builder), run_with(Method::runge_kutta4, 1e-3, 2));
    CHECK(norm(sim.placed().bodies[0].x) < 1e-15);
    CHECK(near(norm(sim.placed().bodies[1].x), 0.5, 1e-15));
    CHECK(sim.ledger().balanced());
}
