// SPDX-License-Identifier: MIT
// What lands on a rim: its lowest point runs round it, without end as it comes to lie flat.
#include "poinsot/mass/solids.hpp"
#include "touching.hpp"

using namespace poinsot;

namespace {

struct Thing {
    const char* name;
    Shape shape;
    MassProperties mass;
};
const std::array things{Thing{"cylinder", Cylinder{0.1, 0.2}, solid_cylinder(0.1, 0.2, 300)},
                        Thing{"disc", Cylinder{0.1, 0.02}, solid_cylinder(0.1, 0.02, 3000)},
                        Thing{"cone", Cone{0.1, 0.2}, solid_cone(0.1, 0.2, 900)}};

/// How much of the largest energy came from nowhere while one is thrown on the ground.
double made_by(const Thing& thing, std::uint64_t seed, double h, Formulation formulation)
{
    Dice dice(seed);
    TouchingWorld w(seed % 3 == 0 ? 0 : dice.uniform(0.1, 0.9), seed % 2 == 0 ? 0 : 0.5);
    w.method = Method::runge_kutta4;
    w.ground();
    w.add(thing.name, thing.shape, thing.mass, {{0, 0, 0.4}, dice.rotation()},
          {dice.uniform(-1, 1), 0, -1}, dice.vector(4));
    Simulation run = w.start(h, 1.5, {}, formulation);
    double most = energy_of(run), last = most, made = 0;
    while (!run.done()) {
        take_step(run);
        const double now = energy_of(run); // blows and friction only take
        made = std::max(made, now - last);
        last = now;
    }
    return made / most;
}

} // namespace

TEST_CASE("What is thrown on its rim gains no energy, however flat it comes to lie" *
          doctest::test_suite("slow"))
{
    // Before γ looked as near as points run, every second throw gained up to its own energy, with
    // steps however small. Measured now: 7e-5, where a face that is flat to 1e-5 begins to lie.
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        for (const double h : {1e-3, 5e-3})
            for (const Thing& thing : things)
                for (std::uint64_t seed = 0; seed < 8; ++seed) {
                    INFO(thing.name, " thrown as ", seed, ", step ", h);
                    CHECK(made_by(thing, seed, h, formulation) < 3e-4);
                }
}
