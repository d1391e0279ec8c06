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

/// How much of the largest energy came from nowhere in a run: blows and friction only take.
double made_in(Simulation&& run)
{
    double most = energy_of(run), last = most, made = 0;
    while (!run.done()) {
        take_step(run);
        const double now = energy_of(run);
        made = std::max(made, now - last);
        last = now;
    }
    return made / most;
}

/// The same while one is thrown on the ground.
double made_by(const Thing& thing, std::uint64_t seed, double h, Formulation formulation,
               Method method = Method::runge_kutta4)
{
    Dice dice(seed);
    TouchingWorld w(seed % 3 == 0 ? 0 : dice.uniform(0.1, 0.9), seed % 2 == 0 ? 0 : 0.5);
    w.method = method;
    w.ground();
    w.add(thing.name, thing.shape, thing.mass, {{0, 0, 0.4}, dice.rotation()},
          {dice.uniform(-1, 1), 0, -1}, dice.vector(4));
    return made_in(w.start(h, 1.5, {}, formulation));
}

/// Three of all that is round, dropped on each other.
Simulation heap(std::uint64_t seed, double h, double until, Formulation formulation)
{
    const std::array all{things[0],
                         things[2],
                         Thing{"box", Box{{0.2, 0.15, 0.1}}, solid_box({0.2, 0.15, 0.1}, 600)},
                         Thing{"ball", Ball{0.1}, solid_ball(0.1, 500)},
                         Thing{"capsule", Capsule{0.07, 0.2}, solid_capsule(0.07, 0.2, 500)},
                         things[1]};
    Dice dice(seed);
    TouchingWorld w(seed % 3 == 0 ? 0 : dice.uniform(0.1, 0.9), seed % 2 == 0 ? 0 : 0.5);
    w.method = Method::runge_kutta4;
    w.ground();
    for (int k = 0; k < 3; ++k) {
        const Thing& thing = all[static_cast<std::size_t>(dice.uniform(0, 5.999))];
        const double x = dice.uniform(-0.05, 0.05), y = dice.uniform(-0.05, 0.05);
        const Quat<double> q = dice.rotation();
        w.add(thing.name + std::to_string(k), thing.shape, thing.mass, {{x, y, 0.25 + 0.3 * k}, q},
              {0, 0, -1.0 - k}, dice.vector(3));
    }
    return w.start(h, until, {}, formulation);
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

TEST_CASE("An error control follows what is thrown on its rim until it lies" *
          doctest::test_suite("slow"))
{
    // Steps of 5 ms, to a tolerance of 1e-9. Where the lowest point of a rim goes over to the other
    // side sub-steps had no end. Measured: 2e-12.
    for (const Formulation formulation : either_form)
        for (const Thing& thing : things)
            for (const std::uint64_t seed : {1u, 2u, 5u}) {
                INFO(thing.name, " thrown as ", seed);
                CHECK(made_by(thing, seed, 5e-3, formulation, Method::adaptive) < 1e-10);
            }
}

TEST_CASE("Round bodies thrown on each other never gain" * doctest::test_suite("slow"))
{
    // Rims on rims, sides and flat faces of bodies. Before normals were known to rounding the
    // throws named 2 and 17 gained 5e-2 and 6e-4 in a step. What is left, 8e-5 of throw 24, comes
    // where a cylinder turns into the cap of a capsule: curvature jumps within a part of a step.
    for (const Formulation formulation : either_form)
        for (const std::uint64_t seed : {2u, 6u, 7u, 12u, 15u, 16u, 17u, 24u, 28u}) {
            INFO("thrown as ", seed);
            CHECK(made_in(heap(seed, 5e-3, 1.5, formulation)) < 1.5e-4);
        }
}

TEST_CASE("What slips and stops in turns is followed for some time, and then stands" *
          doctest::test_suite("slow"))
{
    // A disc on two cylinders that roll: its slip came and went hundreds of times in 5 ms, and
    // forces were found 150 000 times. Measured: 23 000.
    Simulation run = heap(134, 5e-3, 0.17, Formulation::reduced);
    CHECK(made_in(std::move(run)) < 1e-5);
    CHECK(run.evaluations() < 50000);
}
