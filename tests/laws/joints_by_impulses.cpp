// SPDX-License-Identifier: MIT
// Steps by impulses with joints, where nothing touches: each is its own mirror image, so that the
// error falls with the square of the step, in both formulations, and joints do no work. What
// depends on velocity keeps that order, whatever holds the bodies.

#include "formulations.hpp"

#include <cmath>

using namespace poinsot;

namespace {

std::shared_ptr<const Model> told(const std::string& text)
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

/// Two bodies that hang on two joints of a kind whose axes are not parallel, with laws along every
/// coordinate. `more` are lists beside them.
std::string two_hang(std::string_view kind, int coordinates, const std::string& laws,
                     const std::string& more = "", const std::string& parent = "world")
{
    std::string text = R"(
gravity: [1, 0.5, -9.81]
bodies:
  - {name: a, mass: 1, inertia: [0.1, 0.15, 0.2], position: [0.1, 0, -0.5]}
  - {name: b, mass: 1.5, inertia: [0.2, 0.1, 0.25], position: [0.5, 0.1, -0.8]}
)" + more + "joints:\n";
    const bool two_axes = kind == "universal" || kind == "planar";
    const char* const speeds[] = {"2", "[2, 1]", "[2, 1, -1]"};
    for (const bool first : {true, false}) {
        text += "  - {type: " + std::string(kind) +
                (first ? ", bodies: [" + parent + ", a], at: [0, 0, -0.1], axis: [0.2, 1, 0.5]"
                       : ", bodies: [a, b], at: [0.3, 0, -0.7], axis: [1, 0.4, -0.3]");
        if (two_axes)
            text += first ? ", second_axis: [1, 0, -0.4]" : ", second_axis: [0.3, 0, 1]";
        if (kind == "screw")
            text += ", pitch: 0.2";
        text += std::string(", speed: ") + speeds[coordinates - 1];
        if (coordinates == 1) {
            text += ", " + laws + "}\n";
            continue;
        }
        text += ", coordinates: [";
        for (int k = 0; k < coordinates; ++k)
            text += (k > 0 ? ", {" : "{") + laws + "}";
        text += "]}\n";
    }
    return text;
}

struct Kind {
    std::string_view name;
    int coordinates;
};
constexpr std::array<Kind, 6> kinds{{{"revolute", 1},
                                     {"prismatic", 1},
                                     {"screw", 1},
                                     {"universal", 2},
                                     {"cylindrical", 2},
                                     {"planar", 3}}};

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

TEST_CASE("Dampers and drives' inertias by impulses are of second order on joints of all kinds, in "
          "both formulations")
{
    for (const Formulation f : both)
        for (const Kind& kind : kinds)
            for (const char* laws : {"damping: 0.4", "armature: 0.3, stiffness: 5"}) {
                INFO(name_of(f), " ", kind.name, " ", laws);
                CHECK(near(order_of(told(two_hang(kind.name, kind.coordinates, laws)), f, 2e-3), 2,
                           0.1));
            }
}

TEST_CASE("The inertia of a drive along a slider that turns feels the bend of its course")
{
    // q̈ of a slider on an arm that turns has ω² q in it, which no acceleration of bodies makes.
    for (const Formulation f : both)
        CHECK(near(order_of(told(slider), f, 2.5e-3), 2, 0.03));
}

TEST_CASE("What depends on velocity is of second order by impulses on bodies that joints hold")
{
    const std::string drives = "damping: 0.3, armature: 0.2, "
                               "motor: {type: position, target: 1, gain: 20, damping: 1}";
    const std::pair<const char*, std::string> cases[] = {
        {"a motor beside it", two_hang("revolute", 1, drives)},
        {"a damper between bodies",
         two_hang("revolute", 1, "stiffness: 1",
                  "springs: [{from: {world: [1, 0, 0]}, to: {body: b, at: [0, 0.1, 0]}, "
                  "stiffness: 2, damping: 1, rest_length: 0.3}]\n")},
        {"drag", two_hang("universal", 2, "stiffness: 1",
                          "drag: [{body: b, linear: 0.5, quadratic: 0.5}]\n")},
        {"a rotor", two_hang("revolute", 1, "stiffness: 1",
                             "rotors: [{name: r, body: b, axis: [0.6, 0, 0.8], inertia: 0.02, "
                             "spin: 60}]\n")},
        {"a box that lies on the ground elsewhere",
         two_hang("revolute", 1, "damping: 0.4, armature: 0.1",
                  "  - {name: box, box: [0.2, 0.2, 0.2], mass: 1, position: [3, 0, 0.1]}\n"
                  "materials: [{name: wood, friction: 1}]\n"
                  "surfaces: [{name: ground, half_space: true}]\n"
                  "contact: {material: wood}\n")},
    };
    for (const auto& one : cases)
        for (const Formulation f : both) {
            INFO(one.first, " ", name_of(f));
            CHECK(near(order_of(told(one.second), f, 2e-3), 2, 0.1));
        }
}

TEST_CASE("Dampers and drives' inertias by impulses keep p and L of what floats, and a run that is "
          "resumed has the same bits")
{
    const auto model = told(two_hang("universal", 2, "damping: 0.3, armature: 0.2, friction: 0.1",
                                     "  - {name: c, mass: 1, inertia: [0.1, 0.2, 0.15]}\n", "c"));
    const RunSettings run = run_in(Formulation::maximal, Method::impulsive, 0.01, 2);
    auto whole = Simulation::start(model, run);
    REQUIRE(whole);
    auto resumed = Simulation::start(model, run);
    for (int i = 0; i < 200; ++i) {
        REQUIRE(!whole->step());
        if (i == 99)
            resumed->resume(whole->checkpoint());
        else if (i > 99)
            REQUIRE(!resumed->step());
    }
    CHECK(whole->state() == resumed->state());
    whole->close_books();
    const Books& books = whole->ledger().books();
    CHECK(norm(books.total.residual.p) < 1e-13 * books.scale_p);
    CHECK(norm(books.total.residual.L) < 1e-13 * books.scale_L);
    CHECK(books.total.posted[index_of(Cause::damper)].work < 0);
}

TEST_CASE("A damped arm that lies on the ground by impulses is held up as by statics, in maximal "
          "coordinates")
{
    // The hinge is at one end: what the ground gives about it is what weight takes, and the damper
    // of what stands does nothing.
    const auto model = told(R"(
gravity: [0, 0, -9.81]
bodies: [{name: a, box: [1.0, 0.1, 0.1], mass: 1, position: [0.5, 0, 0.05]}]
joints:
  - {name: j, type: revolute, bodies: [world, a], at: [0, 0, 0.05], axis: [0, 1, 0], damping: 2}
materials: [{name: m, friction: 0.5}]
surfaces: [{name: ground, half_space: true}]
contact: {material: m}
)");
    const Simulation sim = ran(model, run_in(Formulation::maximal, Method::impulsive, 0.01, 0.2));
    const auto about = [&](Cause cause) {
        const auto& posted = sim.ledger().books().total.posted[index_of(cause)];
        return posted.K.y + posted.S.y;
    };
    CHECK(std::abs(about(Cause::damper)) < 1e-12);
    CHECK(near(about(Cause::contact_normal) + about(Cause::joint), -9.81 * 0.5 * 0.2, 1e-12));
}
