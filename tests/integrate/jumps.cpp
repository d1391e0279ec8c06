// SPDX-License-Identifier: MIT
// Loads that jump from one place to the next, as in the potential k |x|.

#include "worlds.hpp"

using namespace poinsot;

// x falls to 0 with a = k/m from both sides, where v = √(2 a x₀). Where the middle of a step comes
// so near that its own push takes it to the other side, no load repeats itself: the step is taken
// in parts, and a thousandth of it leaves the jump.
TEST_CASE("Implicit midpoint passes a load that jumps, and keeps p on the books")
{
    const double a = 10, h = 0.05;
    int parts = 0;
    for (int from = 0; from < 40; ++from) {
        const double x0 = 0.5 + 0.01 * from;
        CAPTURE(x0);
        Builder b;
        b.add_particle("p", 2, {x0, 0, 0}, zero3<double>());
        Input input;
        input.user_force = [&](const Placed& placed, double, Loads& loads) {
            const double x = placed.bodies[0].x.x;
            loads.add_force(0, Cause::applied, zero3<double>(), {x > 0 ? -2 * a : 2 * a, 0, 0});
        };
        const auto model = built(b);
        auto sim = Simulation::start(model, run_with(Method::midpoint, h, 3), input);
        REQUIRE(sim);
        while (!sim->done()) {
            const std::int64_t before = sim->evaluations();
            const auto ended = sim->step();
            REQUIRE_MESSAGE(!ended, ended.value_or(""));
            parts += sim->evaluations() - before > 200; // more than repeating takes
        }
        sim->close_books();
        const PlacedBody end = sim->placed().bodies[0];
        // A step that crosses has one push for all of it: energy is off by up to a h v.
        const double fastest = std::sqrt(2 * a * x0);
        CHECK(0.5 * end.v.x * end.v.x + a * std::abs(end.x.x) < a * x0 + 8 * a * h * fastest);
        CHECK(std::abs(end.x.x) < 3 * x0);
        CHECK(sim->ledger().balanced());
        const Books& books = sim->ledger().books();
        CHECK(norm(books.total.residual.p) < 1e-13 * books.scale_p);
    }
    CHECK(parts > 0);
}
