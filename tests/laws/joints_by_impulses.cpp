// SPDX-License-Identifier: MIT
// Steps by impulses with joints, where nothing touches: each is its own mirror image, so that the
// error falls with the square of the step, in both formulations, and joints do no work.

#include "formulations.hpp"

#include <cmath>

using namespace poinsot;

namespace {

std::shared_ptr<const Model> told(const char* text)
{
    const auto scene = read_scene_text(text, "a test");
    if (!scene)
        FAIL(scene.problems().text());
    return scene->model;
}

/// Two links, one driven to a speed and one to a place.
const char* const driven = R"(
gravity: [0, 0, -9.81]
bodies:
  - {name: a, mass: 1, inertia: [0.1, 0.1, 0.02], position: [0, 0, -0.5]}
  - {name: b, mass: 1, inertia: [0.1, 0.1, 0.02], position: [0.5, 0, -1]}
joints:
  - {name: j, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 1, 0], speed: 3,
     motor: {type: velocity, target: 4, gain: 2}}
  - {name: k, type: revolute, bodies: [a, b], at: [0, 0, -1], axis: [0, 1, 0], speed: 1,
     motor: {type: position, target: 1, gain: 20, damping: 1}}
)";

/// An arm that turns, and on it a slider that a drive weighs on.
const char* const slider = R"(
bodies:
  - {name: arm, mass: 1, inertia: [0.1, 0.1, 0.02], position: [0.2, 0, 0]}
  - {name: slider, mass: 1, inertia: [0.1, 0.1, 0.02], position: [0.5, 0, 0]}
joints:
  - {name: j, type: revolute, bodies: [world, arm], at: [0, 0, 0], axis: [0, 0, 1], speed: 3}
  - {name: k, type: prismatic, bodies: [arm, slider], at: [0, 0, 0], axis: [1, 0, 0], speed: 1,
     armature: 2}
)";

Placed end_of(const std::shared_ptr<const Model>& model, const RunSettings& run)
{
    return ran(model, run).placed();
}
double apart(const Placed& a, const Placed& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.bodies.size(); ++i)
        most = std::max(
            {most, norm(a.bodies[i].x - b.bodies[i].x), norm(a.bodies[i].v - b.bodies[i].v)});
    return most;
}

double order_of(const std::shared_ptr<const Model>& model, Formulation f, double h)
{
    constexpr double until = 0.4;
    const Placed truth =
        end_of(model, run_in(Formulation::maximal, Method::runge_kutta4, 5e-4, until));
    const auto error = [&](double step) {
        return apart(end_of(model, run_in(f, Method::impulsive, step, until)), truth);
    };
    return std::log2(error(h) / error(0.5 * h));
}

} // namespace

TEST_CASE("Joints by impulses: chains, loops, rolling and motors are of second order in both "
          "formulations")
{
    for (const Formulation f : both) {
        INFO(name_of(f));
        for (const char* name : {"double_pendulum", "five_link_chain", "four_bar", "bricard",
                                 "slider_crank", "bicycle"}) {
            INFO(name);
            // The error of the next power is a tenth at these steps, of the slider-crank's.
            CHECK(near(order_of(scene(name), f, 2.5e-3), 2, 0.06));
        }
        CHECK(near(order_of(told(driven), f, 2.5e-3), 2, 0.02));
    }
}

TEST_CASE("Joints by impulses do no work in maximal coordinates, to rounding")
{
    for (const char* name : {"five_link_chain", "slider_crank", "bricard", "bicycle"}) {
        INFO(name);
        RunSettings run = run_in(Formulation::maximal, Method::impulsive, 0.01, 1);
        const Simulation sim = ran(scene(name), run);
        double energy = 0;
        for (const PlacedBody& body : sim.placed().bodies)
            energy = std::max(energy, body.kinetic_energy());
        // r (u⁻ + u⁺)/2 of a hundred steps, each with r and u to the last digits.
        CHECK(std::abs(sim.ledger().books().total.posted[index_of(Cause::joint)].work) <
              1e-12 * energy);
    }
}

TEST_CASE("A pendulum by impulses carries in its joint what holds it on its circle")
{
    // A ball at r that circles freely: F = m ω² r at every moment, whatever the step. Projection
    // gives (ω h)² of it in each step, across the arm: ω h in all.
    const auto model = told(R"(
bodies: [{name: a, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}]
joints: [{name: j, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 0, 1], speed: 3}]
)");
    const double force = 2 * 9 * 0.5;
    const auto off = [&](double h) {
        RunSettings run = run_in(Formulation::maximal, Method::impulsive, h, 0.3);
        const Simulation sim = ran(model, run);
        // What the joint did to p: the integral of F along the circle.
        const V3 impulse = sim.ledger().books().total.posted[index_of(Cause::joint)].J;
        const double phi = 3 * 0.3;
        const V3 truth = (force / 3) * V3{-std::sin(phi), std::cos(phi) - 1, 0};
        return norm(impulse - truth) / norm(truth);
    };
    CHECK(off(0.01) < 0.1 * 0.03); // of ω h; with u⁺ = 0 half of the force would be missing
    CHECK(near(std::log2(off(0.01) / off(0.005)), 1, 0.05));
}

TEST_CASE("The inertia of a drive along a slider that turns feels the bend of its course")
{
    // q̈ of a slider on an arm that turns has ω² q in it, which no acceleration of bodies makes. In
    // maximal coordinates it is known to the first power of the step, in reduced ones it is in M.
    CHECK(near(order_of(told(slider), Formulation::maximal, 2.5e-3), 1, 0.03));
    CHECK(near(order_of(told(slider), Formulation::reduced, 2.5e-3), 2, 0.03));
}
