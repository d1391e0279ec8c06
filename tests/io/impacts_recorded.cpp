// SPDX-License-Identifier: MIT
// Impacts are events: at stops and between surfaces, at the moment or at the end of the step.

#include "recorded.hpp"

#include "near.hpp"
#include "poinsot/step/happening.hpp"

#include <algorithm>

using namespace poinsot;

namespace {

// What falls from rest has closed a gap of 1.03968 m = g t²/2 at t = 0.456 s; 2 kg at g t, thrown
// back with half of it, take m g t (1 + e) = 13.68 N s.
constexpr double moment = 0.456;

std::string slider(const std::string& integrator)
{
    return "gravity: [0, 0, -10]\n"
           "bodies: [{name: block, box: [0.1, 0.1, 0.1], mass: 2}]\n"
           "joints:\n"
           "  - {name: rail, type: prismatic, bodies: [world, block], at: [0, 0, 0], axis: [0, 0, "
           "1],\n"
           "     limits: [-1.03968, 5], restitution: 0.5}\n"
           "run: {until: 0.8, step: 0.01, integrator: " +
           integrator + "}\n";
}
std::string ball(double restitution, const std::string& step)
{
    return "gravity: [0, 0, -10]\n"
           "bodies: [{name: ball, ball: 0.5, mass: 2, position: [0, 0, 1.53968]}]\n"
           "surfaces: [{name: ground, half_space: true}]\n"
           "contact: {}\n"
           "materials: [{name: default, friction: 0.5, restitution: " +
           std::to_string(restitution) + "}]\nrun: {until: 0.8, step: " + step + "}\n";
}

std::vector<TrajectoryHead::Event> events_of(const std::string& scene, Formulation formulation,
                                             int every)
{
    const RecordFolder folder("impacts");
    record(folder.path / "a.h5", scene, formulation, every);
    return opened(folder.path / "a.h5").head().events;
}

} // namespace

TEST_CASE("A joint that strikes its limit is an event at that moment, between frames too")
{
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
        const auto events = events_of(slider("runge_kutta4"), formulation, 7);
        REQUIRE(events.size() == 1);
        CHECK(events[0].kind == "impact");
        CHECK(events[0].name == "rail");
        CHECK(near(events[0].time, moment, 1e-11)); // found to 1e-12 of a step
        CHECK(has_words(events[0].text,
                        "joint 'rail' strikes its lower limit -1.03968 with 13.68 N s"));
    }
}

TEST_CASE("A joint that turns strikes with an angular impulse")
{
    const auto events =
        events_of("bodies: [{name: door, mass: 1, inertia: [2, 2, 2]}]\n"
                  "joints:\n"
                  "  - {name: hinge, type: revolute, bodies: [world, door], at: [0, 0, 0],\n"
                  "     axis: [0, 0, 1], speed: 1, limits: [-1, 0.5]}\n"
                  "run: {until: 0.8, step: 0.01, integrator: runge_kutta4}\n",
                  Formulation::reduced, 10);
    REQUIRE(events.size() == 1);
    CHECK(near(events[0].time, 0.5, 1e-11));
    CHECK(has_words(events[0].text, "joint 'hinge' strikes its upper limit 0.5 with 2 N m s"));
}

TEST_CASE("What a step by impulses strikes is an event at its end, and what rests is none")
{
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
        const auto thrown = events_of(ball(0.5, "0.01"), formulation, 7);
        REQUIRE(thrown.size() == 1);
        CHECK(thrown[0].kind == "impact");
        CHECK(thrown[0].name == "ball, ground");
        // Gaps are looked at in the middle of a step: 0.455 is before the moment, 0.465 after it.
        CHECK(near(thrown[0].time, 0.47, 1e-15));
        CHECK(has_words(thrown[0].text, "'ball' and 'ground' strike each other with 13."));
        const auto rests = events_of(ball(0, "0.001"), formulation, 100);
        REQUIRE(rests.size() == 1); // it stays for 344 steps, and is struck once
        CHECK(rests[0].time > moment);
        CHECK(rests[0].time < moment + 1.5e-3);
        const auto stopped = events_of(slider("impulsive"), formulation, 7);
        REQUIRE(stopped.size() == 1);
        CHECK(stopped[0].name == "rail");
        CHECK(near(stopped[0].time, 0.47, 1e-15));
    }
}

TEST_CASE(
    "A pile that stands has no impacts, and one that falls together has none before the ground")
{
    std::string pile = "gravity: [0, 0, -10]\ncontact: {}\nbodies:\n";
    for (int i = 0; i < 4; ++i)
        pile += "  - {name: box " + std::to_string(i) +
                ", box: [1, 1, 1], mass: 1, position: [0, 0, " + std::to_string(i) + ".5]}\n";
    const std::string ground = "surfaces: [{name: ground, half_space: true, position: [0, 0, ";
    const std::string run = "]}]\nrun: {until: 0.4, step: 0.005}\n";
    CHECK(events_of(pile + ground + "0" + run, Formulation::maximal, 10).empty());
    const auto fallen = events_of(pile + ground + "-0.2" + run, Formulation::maximal, 10);
    REQUIRE(!fallen.empty());
    CHECK(fallen.front().time > 0.195); // √(2 · 0.2/10) = 0.2 s
    CHECK(std::any_of(fallen.begin(), fallen.end(),
                      [](const TrajectoryHead::Event& e) { return e.name == "box 0, ground"; }));
}
