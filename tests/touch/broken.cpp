// SPDX-License-Identifier: MIT
// What touches breaks: bodies with surfaces are shared out with them, joints let go, and the parts
// fall on what is there, by impulses in both formulations.
#include "poinsot/model/breaking.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/happening.hpp"
#include "touching.hpp"

namespace poinsot {

namespace {

constexpr std::array<Formulation, 2> both_ways{Formulation::maximal, Formulation::reduced};
const Quat<double> along_x = exp_quat(V3{0, M_PI / 2, 0}); // z of a cut along x

constexpr double beam_m = 8, beam_l = 2, beam_b = 0.1, props_at = 0.9, top_of_props = 1;
constexpr double load_rate = 200, load_ends = 0.6, strength = 60, g = 9.81;

/// A beam on props, over the ground, that a load in its middle bends more and more. Props are
/// smooth: friction there may press the beam together as it likes, which bends it too.
TouchingWorld bent_beam()
{
    TouchingWorld w(0.5);
    w.ground();
    Material smooth;
    smooth.name = "smooth";
    smooth.law.friction = smooth.law.static_friction = 0;
    const int material = w.builder.add(smooth);
    for (const double x : {-props_at, props_at})
        for (const double y : {-0.04, 0.04})
            w.builder
                .skins[static_cast<std::size_t>(
                    w.skin(text_of("prop ", x, " ", y), world, collider_of(Ball{0.05}),
                           {{x, y, top_of_props - 0.05}, identity_quat<double>()}))]
                .material = material;
    w.box("beam", {beam_l, beam_b, beam_b}, beam_m,
          {{0, 0, top_of_props + 0.5 * beam_b}, identity_quat<double>()});
    Builder& b = w.builder;
    Control ramp;
    ramp.name = "ramp";
    ramp.times = {0, 1};
    ramp.values = {0, load_rate};
    b.controls.push_back(ramp);
    AppliedLoad press;
    press.name = "press";
    press.force = {0, 0, -1};
    press.point = {0, 0, 0.5 * beam_b};
    press.control = 0;
    press.until = load_ends;
    b.loads.push_back(press);
    Cut cut;
    cut.name = "middle";
    cut.frame = {zero3<double>(), along_x};
    cut.beyond = *part_beyond(b.bodies[0], cut.frame);
    cut.strength.bending = strength;
    b.cuts.push_back(cut);
    return w;
}

double lowest_corner(const PlacedBody& body, const V3& size)
{
    double least = INFINITY;
    for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
            for (const double z : {-0.5, 0.5})
                least =
                    std::min(least, (body.x + body.R * V3{x * size.x, y * size.y, z * size.z}).z);
    return least;
}

} // namespace

// On props at ±a a load F in the middle gives M = a (m g + F)/2 − m g l/8, and what breaks by
// impulses does so at the end of a step: forces are means over it, of its middle.
TEST_CASE(
    "A beam on props breaks at M = a (m g + F)/2 - m g l/8, and its halves fall to the ground")
{
    const double h = 0.002;
    const double F = 2 / props_at * (strength + beam_m * g * beam_l / 8) - beam_m * g;
    const double moment = F / load_rate;
    for (const Formulation f : both_ways) {
        INFO(name_of(f));
        TouchingWorld w = bent_beam();
        REQUIRE(!break_at(w.builder, 0, "right").any());
        REQUIRE(w.builder.skins.size() == 7); // one is cut in two
        CHECK(w.builder.skins.back().name == "right");
        CHECK(w.builder.skins.back().body == 1);
        for (const Skin& skin : w.builder.skins)
            if (skin.body != world)
                CHECK(skin.pose.x == zero3<double>()); // where the part is
        Simulation sim = w.start(h, 3, {}, f);
        double bending = 0;
        while (!sim.done()) {
            const bool held = !sim.state().released[0];
            take_step(sim);
            if (held && near(sim.time(), 0.2, 1e-9)) // long after the start, and before the end
                bending = sim.cuts()[0].load.bending_y;
            if (held && sim.state().released[0]) {
                CHECK_MESSAGE(std::abs(sim.time() - moment) < 2 * h, sim.time(), " ", moment);
                // The halves move as the whole did: letting go is no push.
                const Placed at = sim.placed();
                const PlacedBody &left = at.bodies[0], &right = at.bodies[1];
                CHECK(norm(left.omega - right.omega) < 1e-12);
                CHECK(norm(right.v - left.v - cross(left.omega, right.x - left.x)) < 1e-9);
            }
        }
        sim.close_books();
        REQUIRE(sim.state().released[0]);
        // Of the load of the end of the step: half a step of the ramp is not yet in the means.
        const double then =
            0.5 * props_at * (beam_m * g + load_rate * 0.2) - beam_m * g * beam_l / 8;
        CHECK_MESSAGE(std::abs(std::abs(bending) - then) < 0.5 * props_at * load_rate * h, bending,
                      " ", then);
        CHECK(sim.happenings().list().size() >= 2);
        CHECK(sim.ledger().balanced());
        CHECK(sim.contact_quality().unsolved == 0);
        for (const PlacedBody& body : sim.placed().bodies) {
            // On the ground, within the gap that counts as touch, and at rest.
            const double low = lowest_corner(body, {0.5 * beam_l, beam_b, beam_b});
            CHECK_MESSAGE(std::abs(low) < 1e-3, low);
            CHECK(norm(body.v) + norm(body.omega) < 1e-6 * g * h);
            CHECK(body.x.z < 0.2);
        }
    }
}

} // namespace poinsot
