// SPDX-License-Identifier: MIT
// What falls comes to rest, and stays there, however long the step.
#include "touching.hpp"

namespace poinsot {

namespace {

constexpr double g = 9.81;

/// Ten boxes of 0.1 m, each turned as chance has it, over the ground; apart, or over each other.
TouchingWorld ten_boxes(double restitution, bool apart, std::uint64_t seed)
{
    TouchingWorld w(0.5, restitution);
    Dice dice(seed);
    for (int i = 0; i < 10; ++i) {
        const V3 x =
            apart ? V3{0.4 * i, 0, dice.uniform(0.1, 0.6)} : V3{0.1 * (i % 2), 0, 0.2 + 0.18 * i};
        w.box(text_of("box ", i), {0.1, 0.1, 0.1}, 1, {x, dice.rotation()});
    }
    w.ground();
    return w;
}

/// The largest speed of a corner.
double fastest_of(const Simulation& run)
{
    double most = 0;
    for (const PlacedBody& body : run.placed().bodies)
        most = std::max(most, norm(body.v) + norm(body.omega) * 0.05 * std::sqrt(3.0));
    return most;
}

/// Runs for 6 s, and gives the largest speed of the last 2 s.
double fastest_at_last(Simulation& run)
{
    double most = 0;
    while (!run.done()) {
        take_step(run);
        if (run.time() > 4)
            most = std::max(most, fastest_of(run));
    }
    run.close_books();
    return most;
}

const Posting& speculative(const Simulation& run)
{
    return run.ledger().books().total.posted[index_of(Cause::contact_speculative)];
}

} // namespace

// What is free for one step gains g h. What is held keeps the residual of the solver, 1e-10 of
// that; a thousandth of a thousandth is between the two.
TEST_CASE("Boxes that fall come to rest at any step, and stay there")
{
    for (const double h : {0.0025, 0.005, 0.01, 1.0 / 60})
        for (const double restitution : {0.0, 0.3}) {
            CAPTURE(h);
            CAPTURE(restitution);
            Simulation run = ten_boxes(restitution, true, 1).start(h, 6);
            CHECK(fastest_at_last(run) < 1e-6 * g * h);
            CHECK(run.contact_quality().unsolved == 0);
            CHECK(run.ledger().balanced());
            CHECK(speculative(run).J.z > 0);
            CHECK(speculative(run).work < 0);
        }
}

TEST_CASE("Boxes that fall on each other come to rest at any step, by sweeps and exactly")
{
    for (const double h : {0.005, 1.0 / 60})
        for (const bool exact : {true, false}) {
            CAPTURE(h);
            CAPTURE(exact);
            ContactSettings contact;
            contact.exact = exact;
            Simulation run = ten_boxes(0, false, 1).start(h, 6, contact);
            CHECK(fastest_at_last(run) < 1e-6 * g * h);
            CHECK(run.ledger().balanced());
        }
}

TEST_CASE("Boxes that fall come to rest in joint coordinates too")
{
    Simulation run = ten_boxes(0, true, 1).start(1.0 / 60, 6, {}, Formulation::reduced);
    CHECK(fastest_at_last(run) < 1e-6 * g / 60);
    CHECK(run.contact_quality().unsolved == 0);
    CHECK(run.ledger().balanced());
}

// Without looking ahead the boxes hop: this is what it is for.
TEST_CASE("Boxes that are not held before they touch hop at long steps")
{
    ContactSettings contact;
    contact.ahead = false;
    Simulation run = ten_boxes(0, true, 1).start(0.01, 6, contact);
    CHECK(fastest_at_last(run) > 0.5 * g * 0.01);
    CHECK(speculative(run).J.z == 0);
}

// While a ball bounces it is not held, and its motion has the bits of one in which nothing ever is:
// u⁻ ≥ −h g (1 − e)/(2 e) and a gap that closes in the step are there only where a bounce is as low
// as 1.125 h² g, so that it began at less than 1.5 h g, and the one before at less than 1.5 h g/e.
// Then the ball rests, where by Moreau's law alone it would hop for ever.
TEST_CASE("A ball that bounces is held when its bounces would be over within a step")
{
    const double h = 0.005, e = 0.8;
    TouchingWorld w(0, e);
    w.ground();
    w.ball("ball", 0.1, 1, {0, 0, 1.1});
    ContactSettings ahead, never;
    ahead.law = never.law = ImpactLaw::moreau;
    never.ahead = false;
    Simulation held = w.start(h, 8, ahead), free = w.start(h, 8, never);
    double slowest = std::numeric_limits<double>::infinity(); // of those that bounced alike
    bool alike = true;
    while (!held.done()) {
        const double before = free.placed().bodies[0].v.z;
        take_step(held);
        take_step(free);
        const double after = free.placed().bodies[0].v.z;
        alike = alike && held.placed().bodies[0].v.z == after;
        if (alike && before < 0 && after > 0)
            slowest = std::min(slowest, -before);
    }
    CHECK(!alike);
    CHECK(slowest < 1.5 * h * g / e);
    CHECK(norm(held.placed().bodies[0].v) < 1e-12);
    CHECK(norm(free.placed().bodies[0].v) > 0.01 * h * g);
    CHECK(std::abs(held.placed().bodies[0].x.z - 0.1) < 1e-6);
}

TEST_CASE("With restitution 1 nothing is held before it touches")
{
    TouchingWorld w(0, 1);
    w.ground();
    for (int i = 0; i < 5; ++i) // some of them bounce lower than a step resolves
        w.ball(text_of("ball ", i), 0.1, 1, {i * 1.0, 0, 0.1 + 1e-4 * std::pow(8.0, i)});
    Simulation run = w.start(0.01, 10);
    const double before = energy_of(run);
    run_to_end(run);
    CHECK(near(energy_of(run), before, 1e-12));
    CHECK(speculative(run).J.z == 0);
}

} // namespace poinsot
