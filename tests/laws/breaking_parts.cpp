// SPDX-License-Identifier: MIT
// Bodies that carry tanks, rotors and drag, where they are cut and where they break.

#include "poinsot/mass/solids.hpp"
#include "poinsot/model/breaking.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/happening.hpp"
#include "section_loads.hpp"
#include "tankers.hpp"

using namespace poinsot;

namespace {

constexpr double cut_at = 0.3, engine_flow = 0.2, jet_flow = 0.1, fan_torque = 0.02;

/// A beam along z that tumbles and falls, with a tank, a thruster, a rotor and a drag on either
/// side of its cut; the floor of the fore tank lies in the cut. A torque at its foot grows.
Builder laden_beam()
{
    Builder b;
    const V3 size{0.1, 0.12, 2};
    Body beam = body_with("beam", 6, diagonal(1.0, 1.0, 1.0), {0.5, 1, -2}, {0.7, 0.3, -0.4});
    beam.shape = Box{size};
    beam.mass_properties = with_mass(solid_box(size, 1), 6);
    beam.pose = {{3, 0, 1}, exp_quat(V3{0.2, -0.5, 0.3})};
    b.add(beam);
    b.gravity.uniform = {0, 0, -9.81};
    b.tanks = {cylinder_tank("aft", 0, {0.01, 0.02, -0.8}, 1, 2, 0.03, 0.5),
               point_tank("fore", 0, {0, 0, cut_at}, 0.5)};
    b.tanks[1].room = Tank::Room::box;
    b.tanks[1].filling = Tank::Filling::from_bottom;
    b.tanks[1].capacity = 1;
    b.tanks[1].size = {0.05, 0.04, 0.4};
    b.flows = {thruster("engine", 0, {0, 0.03, -1}, {0.1, 0, -1}, 3, engine_flow),
               thruster("jet", 1, {0.05, 0, 0.6}, {1, 0.2, 0}, 2, jet_flow)};
    b.flows[1].radius = 0.02;
    Rotor wheel;
    wheel.name = "wheel";
    wheel.axis = {0, 1, 0.2};
    wheel.inertia = 1e-3;
    wheel.spin = 300;
    wheel.at = V3{0, 0, -0.5};
    Rotor fan = wheel;
    fan.name = "fan";
    fan.axis = {1, 0, 0.3};
    fan.inertia = 5e-4;
    fan.spin = -200;
    fan.torque = Course{fan_torque};
    fan.at = V3{0, 0, 0.8};
    b.rotors = {wheel, fan};
    b.drags = {{"sail", 0, 0.3, 0, V3{0.02, 0, 0.9}}, {"skid", 0, 0, 0.2, V3{0, 0, -0.7}}};
    Control ramp;
    ramp.name = "ramp";
    ramp.times = {0, 10};
    ramp.values = {0, 400};
    b.controls.push_back(ramp);
    AppliedLoad twist;
    twist.name = "twist";
    twist.torque = {1, 0, 0};
    twist.point = {0, 0, -0.9};
    twist.control = 0;
    b.loads.push_back(twist);
    Cut cut;
    cut.name = "section";
    cut.frame.x = {0, 0, cut_at};
    cut.beyond = *part_beyond(b.bodies[0], cut.frame);
    cut.strength.bending = 1e9;
    b.cuts.push_back(cut);
    return b;
}

} // namespace

TEST_CASE("A section of a body with tanks, rotors and drag carries what the weld of its parts does")
{
    const Builder whole = laden_beam();
    Builder parts = whole;
    REQUIRE(!break_at(parts, 0, "outer").any());
    CHECK(parts.tanks[0].body == 0);
    CHECK(parts.tanks[1].body == 1);
    CHECK(parts.rotors[0].body == 0);
    CHECK(parts.rotors[1].body == 1);
    CHECK(parts.drags[0].body == 1);
    CHECK(parts.drags[1].body == 0);
    for (const Formulation f : both) {
        INFO(name_of(f));
        const RunSettings run = tight(f, 1e-3, 0.3);
        const Simulation one = ran(built(whole), run), two = ran(built(parts), run);
        const PlacedBody all = one.placed().bodies[0], near_part = two.placed().bodies[0];
        // The same motion: rounding, and the tolerance of the method.
        CHECK(norm(all.omega - near_part.omega) < 1e-9);
        const SectionLoad a = one.cuts()[0].load, b = two.cuts()[0].load;
        const double much = std::abs(b.tension) + std::abs(b.bending_x) + std::abs(b.torsion);
        CHECK(much > 1);
        CHECK_MESSAGE(far_apart(a, b) < 1e-8 * much, far_apart(a, b), " ", much);
    }
}

TEST_CASE(
    "A tank, a rotor or a drag that stays with the wrong part is seen in what the weld carries")
{
    const Builder whole = laden_beam();
    Builder parts = whole;
    REQUIRE(!break_at(parts, 0, "outer").any());
    // From where it is in the outer part to the same place seen from the other.
    const V3 over = transpose_times(matrix_of(parts.bodies[0].pose.q),
                                    parts.bodies[1].pose.x - parts.bodies[0].pose.x);
    const auto seen = [&](const char* what, auto misplace) {
        Builder wrong = parts;
        misplace(wrong);
        for (const Formulation f : both) {
            INFO(std::string(what), " ", name_of(f));
            const RunSettings run = tight(f, 1e-3, 0.3);
            const Simulation one = ran(built(whole), run), two = ran(built(wrong), run);
            // The whole moves as before: nothing but the weld tells.
            CHECK(norm(one.placed().bodies[0].omega - two.placed().bodies[0].omega) < 1e-9);
            const SectionLoad a = one.cuts()[0].load, b = two.cuts()[0].load;
            const double much = std::abs(a.tension) + std::abs(a.bending_x) + std::abs(a.torsion);
            CHECK_MESSAGE(far_apart(a, b) > 1e-3 * much, far_apart(a, b), " ", much);
        }
    };
    seen("tank", [&](Builder& b) {
        b.tanks[1].body = 0;
        b.tanks[1].frame.x += over;
        b.flows[1].point += over;
    });
    seen("rotor", [&](Builder& b) {
        b.rotors[1].body = 0;
        *b.rotors[1].at += over;
    });
    seen("drag", [&](Builder& b) {
        b.drags[0].body = 0;
        *b.drags[0].point += over;
    });
}

TEST_CASE(
    "A body with tanks, rotors and drag breaks with p and L, and all keep working on its parts")
{
    Builder b = laden_beam();
    b.cuts[0].strength.bending = 3;
    REQUIRE(!break_at(b, 0, "outer").any());
    const auto model = built(b);
    for (const Formulation f : both) {
        INFO(name_of(f));
        const bool maximal = f == Formulation::maximal;
        const double until = 0.8;
        const Simulation sim = ran(model, maximal ? run_in(f, Method::runge_kutta4, 1e-3, until)
                                                  : tight(f, 1e-3, until));
        REQUIRE(sim.state().released[0]);
        const Happening& snap = sim.happenings().list().back();
        CHECK(snap.kind == Happening::Kind::broken);
        CHECK(snap.time > 0.02);
        CHECK(snap.time < 0.7);
        // Parts, and what left them: all is on the books, through the break. p and L about the
        // centres close to rounding, L about the origin to the error of the method; in joint
        // coordinates all are derived, and as good as its tolerance.
        const Books& books = sim.ledger().books();
        CHECK(sim.ledger().balanced());
        CHECK(norm(books.total.residual.p) < (maximal ? 1e-13 : 1e-10) * books.scale_p);
        CHECK(norm(books.total.residual.spin) < (maximal ? 1e-12 : 1e-10) * books.scale_spin);
        CHECK(norm(books.total.residual.L) < (maximal ? 1e-11 : 1e-10) * books.scale_L);
        CHECK(std::abs(books.total.residual.mass) < 1e-13);
        // The torque turns the foot alone, and each part burns, spins and is driven on.
        const Placed end = sim.placed();
        CHECK(norm(end.bodies[0].omega - end.bodies[1].omega) > 1);
        CHECK(near(sim.state().tanks[0], 1 - engine_flow * until, 1e-12));
        CHECK(near(sim.state().tanks[1], 0.5 - jet_flow * until, 1e-12));
        CHECK(near(end.bodies[0].mass.m, 6 * 0.65 + 1 - engine_flow * until, 1e-12));
        CHECK(near(end.bodies[1].mass.m, 6 * 0.35 + 0.5 - jet_flow * until, 1e-12));
        const State start = start_of(*model, FormKind::momentum);
        CHECK(near(sim.state().rotors[1], start.rotors[1] + fan_torque * until, 1e-12));
        CHECK(sim.state().rotors[0] == start.rotors[0]);
    }
}

TEST_CASE("What a body that breaks carries and cannot be shared out is named, and so are its cuts")
{
    const auto told = [](auto change) {
        Builder wrong = laden_beam();
        change(wrong);
        const std::size_t before = wrong.bodies.size();
        const std::string text = break_at(wrong, 0, "outer").text();
        CHECK(wrong.bodies.size() == before);
        return text;
    };
    const auto names = [](const std::string& text, const char* words) {
        CHECK_MESSAGE(text.find(words) != std::string::npos, text);
    };
    names(told([](Builder& b) { b.rotors[0].at.reset(); }), "which part rotor 'wheel' is in");
    names(told([](Builder& b) { b.drags[0].point.reset(); }), "which part drag 'sail' acts on");
    names(told([](Builder& b) { b.tanks[1].frame.x.z = 0.1; }),
          "goes through tank 'fore' at (0, 0, 0.1)");
    names(told([](Builder& b) { b.tanks[0].frame.x.z = -0.1; }), "goes through tank 'aft'");
    names(told([](Builder& b) { b.flows[1].point.z = 0; }), "what 'jet' moves goes through it");
    names(told([](Builder& b) { b.flows.push_back(pump("pump", 0, 1, 0.1)); }),
          "what 'pump' moves goes through it");
    // Of a cut that breaks nothing the same is asked, and that what leaves has a known speed.
    Builder b = laden_beam();
    b.controls[0].lower = 0;
    b.flows[1].speed_control = 0;
    const auto model = b.build();
    REQUIRE(!model);
    names(model.problems().text(), "'jet' moves has a speed that is not fixed");
}
