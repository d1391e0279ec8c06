// SPDX-License-Identifier: MIT
// What controls do: schedules, and the coefficients and loads that follow them.

#include "poinsot/forces/aero.hpp"

#include "worlds.hpp"

using namespace poinsot;

namespace {

constexpr std::array formulations{Formulation::maximal, Formulation::reduced};

RunSettings flown(Formulation formulation, double h, double until)
{
    RunSettings run = run_with(Method::runge_kutta4, h, until);
    run.step.formulation = formulation;
    return run;
}

/// A body in air of 1.2 kg/m³ without weight, flying along its x axis.
Builder arrow(double speed)
{
    Builder b;
    b.air.kind = Air::Kind::uniform;
    b.air.density = 1.2;
    b.add(body_with("arrow", 800, diagonal(900.0, 1200.0, 1900.0), {speed, 0, 0}, {0, 0, 0}));
    Aerodynamics a;
    a.name = "air";
    a.area = 12;
    a.span = 10;
    a.chord = 1.2;
    b.aerodynamics.push_back(a);
    return b;
}

} // namespace

TEST_CASE("A control moves linearly between its nodes and stays where its schedule ends")
{
    const Control c{"flap", 0, 1, {1, 2, 4}, {0.1, 0.5, 0.3}};
    CHECK(c.at(-5) == 0.1);
    CHECK(c.at(1) == 0.1);
    CHECK(near(c.at(1.25), 0.2, 1e-15));
    CHECK(c.at(2) == 0.5);
    CHECK(near(c.at(3), 0.4, 1e-15));
    CHECK(c.at(4) == 0.3);
    CHECK(c.at(99) == 0.3);
    CHECK(Control{"one", 0, 1, {3}, {0.7}}.at(0) == 0.7);
}

TEST_CASE("The moment of a control is its coefficient times dynamic pressure, area and length")
{
    Dice dice(41);
    for (int i = 0; i < 50; ++i) {
        const std::vector<Control> controls{{"a", -1, 1, {0}, {dice.uniform(-1, 1)}},
                                            {"b", -1, 1, {0, 2}, {0, dice.uniform(-1, 1)}}};
        Aerodynamics with;
        with.area = dice.uniform(1, 20);
        with.span = dice.uniform(1, 10);
        with.chord = dice.uniform(0.5, 2);
        const double slopes[3] = {dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)};
        with.roll.controls = {{0, slopes[0]}};
        with.pitch.controls = {{1, slopes[1]}};
        with.yaw.controls = {{0, slopes[2]}, {1, 2 * slopes[2]}};
        Air air;
        air.kind = Air::Kind::uniform;
        air.density = dice.uniform(0.1, 2);
        PlacedBody body{};
        body.R = identity3<double>();
        body.v = dice.vector(80);
        const double t = dice.uniform(0, 2);
        const double a = controls[0].values[0], c = controls[1].values[1] * t / 2;
        const Wrench<double> W = aerodynamic_load(with, {}, air, body, t, {&controls, nullptr, t});
        const double qS = 0.5 * air.density * norm2(body.v) * with.area;
        CHECK(norm(W.F) == 0);
        const V3 expected{qS * with.span * slopes[0] * a, qS * with.chord * slopes[1] * c,
                          qS * with.span * slopes[2] * (a + 2 * c)};
        CHECK(norm(W.tau - expected) <= 1e-13 * (norm(expected) + 1));

        Input input;
        input.controls = {{1, 0.25}}; // a step may set one of them
        const Wrench<double> set = aerodynamic_load(with, {}, air, body, t, {&controls, &input, t});
        CHECK(near(set.tau.y, qS * with.chord * slopes[1] * 0.25, 1e-13));
        CHECK(set.tau.x == W.tau.x);
    }
}

TEST_CASE("Ailerons: the roll rate grows to p = -(C_a a/C_p) 2V/b, as 1 - exp(-t/T), in both "
          "formulations")
{
    const double V = 60, rho = 1.2, S = 12, span = 10, I = 900, C_p = -0.5, C_a = 0.2, a = 0.05;
    Builder b = arrow(V);
    b.controls.push_back({"aileron", -0.4, 0.4, {0}, {a}});
    b.aerodynamics[0].roll.p = C_p;
    b.aerodynamics[0].roll.controls = {{0, C_a}};
    const double final_rate = -C_a * a / C_p * 2 * V / span;
    const double T = I / (-C_p * 0.25 * rho * V * S * span * span);
    for (const Formulation f : formulations)
        for (const double until : {T, 40 * T}) {
            const double h = until == T ? T / 256 : T / 16;
            const PlacedBody at = ran(built(b), flown(f, h, until)).placed().bodies[0];
            // RK4: t/T (h/T)⁴/120 of what still changes, below 1e-11; rounding after 40 T.
            CHECK(near(at.omega.x, final_rate * (1 - std::exp(-until / T)), 1e-10));
            CHECK(near(at.v.x, V, 1e-13));
        }
}

TEST_CASE("A throttle scales its load: the speed is the integral of the schedule")
{
    Builder b;
    b.add(body_with("sledge", 2, diagonal(1.0, 1.0, 1.0), {0, 0, 0}, {0, 0, 0}));
    b.controls.push_back({"throttle", 0, 1, {0.5, 1.5, 2.5}, {0, 1, 0.5}});
    AppliedLoad thrust;
    thrust.name = "thrust";
    thrust.force = {8, 0, 0};
    thrust.body_axes = true;
    thrust.control = 0;
    b.loads.push_back(thrust);
    for (const Formulation f : formulations) {
        const auto sim = ran(built(b), flown(f, 0.125, 3));
        // ½ + ¾ + ¼ of 8 N s on 2 kg; nodes are at ends of steps, where RK4 is exact.
        CHECK(near(sim.placed().bodies[0].v.x, 4 * 1.5, 1e-14));
        CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        // The adaptive method stops at the nodes wherever its steps are.
        RunSettings run = run_with(Method::adaptive, 3, 3);
        run.step.formulation = f;
        CHECK(near(ran(built(b), run).placed().bodies[0].v.x, 6, 1e-12));
        // An input holds it for a step, whatever the schedule says.
        Input half;
        half.controls = {{0, 0.5}};
        CHECK(near(ran(built(b), flown(f, 0.125, 3), half).placed().bodies[0].v.x, 6, 1e-14));
    }
}

TEST_CASE("Controls that cannot be are named: times, limits, and what nothing follows")
{
    const auto told = [](const Control& c, bool follows = true) {
        Builder b = arrow(50);
        b.controls.push_back(c);
        if (follows)
            b.aerodynamics[0].pitch.controls = {{0, 1.0}};
        else
            b.aerodynamics[0].pitch.alpha = 1;
        const auto model = b.build();
        return model ? std::string("nothing") : model.problems().text();
    };
    const auto says = [](const std::string& text, const char* words) {
        CHECK_MESSAGE(text.find(words) != std::string::npos, text, " should say: ", words);
    };
    CHECK(told({"e", -1, 1, {0, 1}, {0, 0.5}}) == "nothing");
    says(told({"e", -1, 1, {0, 0}, {0, 0.5}}), "times of a schedule must increase");
    says(told({"e", -1, 1, {0, 1}, {0}}), "one value at each of its 2 times");
    says(told({"e", -1, 1, {}, {}}), "one value at each of its 0 times");
    says(told({"e", -1, 1, {0, 1}, {0, NAN}}), "must be finite");
    says(told({"e", 1, -1, {0}, {0}}), "[lower, upper]");
    says(told({"e", -1, 1, {0, 2}, {0, 1.5}}), "is 1.5 at t = 2 s, outside its limits -1 to 1");
    says(told({"e", -1, 1, {0}, {0}}, false), "nothing follows it");

    Builder b = arrow(50);
    b.aerodynamics[0].pitch.controls = {{3, 1.0}};
    says(b.build().problems().text(), "follows a control that does not exist");
    b.aerodynamics[0].pitch.controls = {};
    b.aerodynamics[0].pitch.alpha = 1;
    AppliedLoad load;
    load.name = "thrust";
    load.control = 0;
    b.loads.push_back(load);
    says(b.build().problems().text(), "a control that does not exist");
}
