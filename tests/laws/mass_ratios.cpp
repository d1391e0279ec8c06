// SPDX-License-Identifier: MIT
// A heavy ball on a chain of light links: the mass ratio that stops iterative solvers costs direct
// ones nothing.

#include "formulations.hpp"

using namespace poinsot;

namespace {

constexpr std::array ratios{1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6};
constexpr double closed = 1e-10; // m; measured: 3e-15, the rounding of places five metres off

/// scenes/heavy_ball_chain.yaml with a ball of another mass.
Builder chain_with(double ratio)
{
    Builder b = scene_description("heavy_ball_chain");
    MassProperties& ball = b.bodies.back().mass_properties;
    ball = with_mass(ball, ratio * b.bodies.front().mass_properties.mass);
    return b;
}
/// Every link at an angle to the one before. A ball pulls bends straight, and what falls with it
/// shakes the links: bends of one over the root of the ratio make all chains equally fast.
Builder bent_chain_with(double ratio)
{
    Builder b = chain_with(ratio);
    const double bend = 0.3 / std::sqrt(ratio);
    for (std::size_t j = 1; j < b.joints.size(); ++j)
        b.joints[j].start = {j % 2 == 0 ? bend : -bend, 0.5 * bend};
    return b;
}
double reach(const Placed& placed)
{
    return norm(placed.bodies.back().x - placed.joints.front().x_a);
}

struct Swing {
    double opened = 0;               // the widest gap of a joint
    double reached = 0, crossed = 0; // the farthest that the ball was from its pivot, its start
    Placed end;
};
Swing swing(const std::shared_ptr<const Model>& model, const RunSettings& run)
{
    auto sim = Simulation::start(model, run);
    if (!sim)
        FAIL(sim.problems().text());
    Swing made;
    const V3 start = sim->placed().bodies.back().x;
    while (!sim->done()) {
        if (const auto ended = sim->step())
            FAIL(*ended);
        if (sim->state().step % 10 == 0) {
            const Placed placed = sim->placed();
            made.opened = std::max(made.opened, gap(*model, placed));
            made.reached = std::max(made.reached, reach(placed));
            made.crossed = std::max(made.crossed, norm(placed.bodies.back().x - start));
        }
    }
    made.end = sim->placed();
    return made;
}
void measured_gap(double ratio, const RunSettings& run, double opened)
{
    measured({{"table", "mass ratio"},
              {"ratio", ratio},
              {"formulation", name_of(run.step.formulation)},
              {"stabilisation", name_of(run.step.stabilisation)},
              {"gap", opened}});
}

} // namespace

TEST_CASE("Mass ratios of 1 to 1e6: a ball hangs on a light chain, and every joint has its load")
{
    for (const double ratio : ratios) {
        CAPTURE(ratio);
        Builder b = chain_with(ratio);
        b.joints.front().start = {0, 0};
        b.joints.front().start_speed = {0, 0};
        const auto model = built(b);
        const Moment start(*model, place(*model, start_of(*model, FormKind::momentum)));
        double weight = 0;
        for (std::size_t i = model->bodies().size(); i-- > 0;) {
            weight += 9.81 * model->bodies()[i].mass_properties.mass;
            const auto W =
                start.reaction(static_cast<int>(i), start.placed.joints[i].x_a); // joint i carries
            CHECK(near(W.F.z, weight, 1e-14));
            CHECK(norm(W.tau) < 1e-14 * weight);
        }
        for (const Formulation f : both) {
            INFO(name_of(f));
            const Swing made = swing(model, run_in(f, Method::runge_kutta4, 2e-4, 0.1));
            CHECK(made.opened < closed);
            CHECK(difference(made.end, start.placed) < closed);
        }
    }
}

TEST_SUITE("slow")
{
    TEST_CASE("Mass ratios of 1 to 1e6: a ball swings on a light chain, and no joint opens")
    {
        for (const double ratio : ratios) {
            CAPTURE(ratio);
            const auto model = built(bent_chain_with(ratio)), straight = built(chain_with(ratio));
            const auto reach_at_start = [](const Model& m) {
                return reach(place(m, start_of(m, FormKind::momentum)));
            };
            const double length = reach_at_start(*straight), bent = reach_at_start(*model);
            // The lightest links shake with 6000 rad/s; there and back takes the ball 4.6 s.
            const auto run = [](Formulation f, Stabilisation kept_by) {
                RunSettings made = run_in(f, Method::runge_kutta4, 2e-4, 5);
                made.step.stabilisation = kept_by;
                return made;
            };
            std::array<Swing, 2> swings;
            for (const Formulation f : both) {
                INFO(name_of(f));
                const RunSettings settings = run(f, Stabilisation::projection);
                const Swing made = swing(model, settings);
                measured_gap(ratio, settings, made.opened);
                CHECK(made.opened < closed);
                CHECK(made.reached < length + closed);
                CHECK(made.crossed > 3);
                swings[f == Formulation::reduced ? 1 : 0] = made;
            }
            // Where steps do not resolve how links shake, the ball's place is known to what bends
            // shorten the chain by.
            CHECK(norm(swings[0].end.bodies.back().x - swings[1].end.bodies.back().x) <
                  (ratio < 1e3 ? closed : length - bent));
            // What it would be without: rows that nothing holds drift with the error of the step.
            for (const Stabilisation kept_by : {Stabilisation::none, Stabilisation::baumgarte}) {
                const RunSettings settings = run(Formulation::maximal, kept_by);
                const double opened = swing(model, settings).opened;
                measured_gap(ratio, settings, opened);
                CHECK(opened > (kept_by == Stabilisation::none ? closed : swings[0].opened));
            }
        }
    }
}
