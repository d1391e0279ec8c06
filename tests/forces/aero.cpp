// SPDX-License-Identifier: MIT
#include "poinsot/forces/aero.hpp"

#include "worlds.hpp"

using namespace poinsot;

namespace {

Aerodynamics ball(double area, double C_D)
{
    Aerodynamics a;
    a.name = "ball";
    a.area = area;
    a.drag.constant = C_D;
    return a;
}
Air uniform_air(double density)
{
    Air air;
    air.kind = Air::Kind::uniform;
    air.density = density;
    return air;
}
PlacedBody at_rest()
{
    PlacedBody body{};
    body.R = identity3<double>();
    return body;
}
PlacedBody random_flyer(Dice& dice)
{
    PlacedBody body = at_rest();
    body.x = {0, 0, dice.uniform(0, 20000)};
    body.R = matrix_of(dice.rotation());
    body.v = dice.vector(200);
    body.omega = dice.vector(3);
    body.mass.center = dice.vector(1);
    return body;
}
/// Everything at once, at a point away from the centre of mass, in axes of its own.
Aerodynamics random_wing(Dice& dice)
{
    Aerodynamics a;
    a.name = "wing";
    a.frame = {dice.vector(1), dice.rotation()};
    a.area = dice.uniform(1, 20);
    a.span = dice.uniform(1, 10);
    a.chord = dice.uniform(0.5, 2);
    for (Coefficient* c : {&a.drag, &a.side, &a.lift, &a.roll, &a.pitch, &a.yaw}) {
        c->constant = dice.uniform(-1, 1);
        c->alpha = dice.uniform(-3, 3);
        c->beta = dice.uniform(-1, 1);
        c->p = dice.uniform(-1, 1);
        c->q = dice.uniform(-5, 5);
        c->r = dice.uniform(-1, 1);
        c->over = {Coefficient::Over::mach, Coefficient::Over::alpha};
        c->table = {{{0, 0.5, 2}, {-4, 0, 4}}, {}, Beyond::hold};
        for (int i = 0; i < 9; ++i)
            c->table.values.push_back(dice.uniform(-1, 1));
    }
    return a;
}

} // namespace

TEST_CASE("A sphere of constant drag coefficient: F = ½ρV² S C_D against the wind that meets it")
{
    PlacedBody body = at_rest();
    body.v = {30, -40, 0};
    body.omega = {1, 2, 3};
    Air air = uniform_air(1.2);
    const Wrench<double> W = aerodynamic_load(ball(0.5, 0.4), {}, air, body, 0);
    CHECK(norm(W.F + (0.5 * 1.2 * 50 * 0.5 * 0.4) * body.v) < 1e-13);
    CHECK(norm(W.tau) == 0);
    // A wind of the body's own velocity leaves nothing: x is east and y is north.
    air.wind = {-40, 30, 0};
    CHECK(norm(aerodynamic_load(ball(0.5, 0.4), {}, air, body, 0).F) == 0);
}

TEST_CASE("Drag works against the motion, lift and side force do none")
{
    Dice dice(21);
    for (int i = 0; i < 200; ++i) {
        const V3 v = dice.vector(100);
        CoefficientsNow<double> C{};
        const auto F = [&] { return aerodynamic_wrench(C, 1.0, v, 2.0, 1.0, 1.0).F; };
        const double q = 0.5 * norm2(v) * 2;
        C.lift.still = 1;
        const V3 lift = F();
        C = {};
        C.side.still = 1;
        const V3 side = F();
        C = {};
        C.drag.still = 1;
        const V3 drag = F();
        CHECK(near(norm(lift), q, 1e-14));
        CHECK(near(norm(side), q, 1e-14));
        CHECK(near(dot(drag, v), -q * norm(v), 1e-14));
        CHECK(std::abs(dot(lift, v)) < 1e-13 * q * norm(v));
        CHECK(std::abs(dot(side, v)) < 1e-13 * q * norm(v));
        // Wind axes are right-handed: forward, right, down.
        CHECK(norm(cross(-drag, side) + q * lift) < 1e-13 * q * q);
        CHECK(lift.y == 0); // in the plane of symmetry
    }
    // Level flight with the nose up lifts up: z is down.
    CoefficientsNow<double> C{};
    C.lift.still = 1;
    CHECK(aerodynamic_wrench<double>(C, 1, {10, 0, 1}, 1, 1, 1).F.z < 0);
}

TEST_CASE("Angles of attack and sideslip as flight mechanics has them")
{
    const Airflow<double> flow =
        airflow_of<double>({100 * std::cos(0.2) * std::cos(0.1), 100 * std::sin(0.1),
                            100 * std::sin(0.2) * std::cos(0.1)},
                           200);
    CHECK(near(flow.alpha, 0.2, 1e-14));
    CHECK(near(flow.beta, 0.1, 1e-14));
    CHECK(near(flow.mach, 0.5, 1e-14));
}

TEST_CASE("Coefficients: constant, slopes, rates and table add up")
{
    Aerodynamics a = ball(1, 0);
    a.span = 4;
    a.chord = 3;
    a.pitch = {{}, 0.1, 2, 3, 0.5, 0.25, -1};
    a.pitch.over = {Coefficient::Over::mach, Coefficient::Over::alpha, Coefficient::Over::beta};
    a.pitch.table = {{{0, 1}, {0, 1}, {0, 1}}, {0, 0, 0, 0, 8, 8, 8, 8}};
    const auto C = coefficients_of(a, {100, 0.1, 0.2, 0.5}, {1, 2, 3}).pitch;
    CHECK(near(C.still, 0.1 + 0.2 + 0.6 + 4, 1e-15));
    CHECK(near(C.turning, 0.5 * 4 + 0.25 * 2 * 3 - 3 * 4, 1e-15));
    // C = still + turning/2V: the torque is ½ρV² S c C.
    CoefficientsNow<double> now{};
    now.pitch = C;
    const Wrench<double> W = aerodynamic_wrench<double>(now, 1.1, {20, 0, 0}, 2, 4, 3);
    CHECK(near(W.tau.y, 0.5 * 1.1 * 400 * 2 * 3 * (C.still + C.turning / 40), 1e-14));
}

TEST_CASE("What rates are multiplied by follows angle of attack, sideslip and Mach number")
{
    Aerodynamics a = ball(1, 0);
    a.span = 4;
    a.chord = 3;
    a.pitch.q = -2;
    a.pitch.q_table = {
        {Tabled::Over::alpha, Tabled::Over::mach}, {}, {{{0, 1}, {0, 1}}, {0, -10, -20, -30}}};
    a.roll.p_table = {{Tabled::Over::beta}, {}, {{{0, 1}}, {-1, -3}}};
    a.yaw.r_table = {{Tabled::Over::control}, {0}, {{{0, 1}}, {-1, -5}, Beyond::refuse}};
    Control flap;
    flap.name = "flap";
    flap.times = {0};
    flap.values = {0.25};
    const std::vector<Control> controls{flap};
    const Input input;
    const ControlsNow now{&controls, &input, 0};
    const auto C = coefficients_of(a, {100, 0.1, 0.2, 0.5}, {1, 2, 3}, now);
    CHECK(C.pitch.still == 0);
    CHECK(near(C.pitch.turning, (-2 - 0.1 * 20 - 0.5 * 10) * 2 * 3, 1e-14));
    CHECK(near(C.roll.turning, (-1 - 0.2 * 2) * 1 * 4, 1e-14));
    CHECK(near(C.yaw.turning, (-1 - 0.25 * 4) * 3 * 4, 1e-14));
    // The torque ½ρV² S c (q c/2V) C_q at this angle.
    const Wrench<double> W = aerodynamic_wrench<double>(C, 1.1, {20, 0, 0}, 2, 4, 3);
    CHECK(near(W.tau.y, 0.5 * 1.1 * 400 * 2 * 3 * (2 * 3.0 / 40) * -9, 1e-14));
    // Where such a table ends, it says so.
    a.pitch.q_table.table.beyond = Beyond::refuse;
    PlacedBody body = at_rest();
    body.v = {10, 0, -10};
    CHECK(why_no_load(a, {}, uniform_air(1), body, 0, now).find("ends at alpha 0 and 1") !=
          std::string::npos);
}

TEST_CASE("A body at rest in the air feels nothing, whatever its coefficients")
{
    Dice dice(22);
    const Aerodynamics wing = random_wing(dice);
    const Wrench<double> W = aerodynamic_load(wing, {}, uniform_air(1), at_rest(), 0);
    CHECK(norm(W.F) == 0);
    CHECK(norm(W.tau) == 0);
}

TEST_CASE("The air does not care which axes the body is told in")
{
    Dice dice(23);
    Air air = uniform_air(1.1);
    for (int i = 0; i < 100; ++i) {
        const Aerodynamics wing = random_wing(dice);
        const PlacedBody body = random_flyer(dice);
        const Wrench<double> W = aerodynamic_load(wing, {}, air, body, 0);
        // The same body in a body frame that is shifted and turned by D.
        const Pose<double> D{dice.vector(1), dice.rotation()};
        Aerodynamics told = wing;
        told.frame = inverse(D) * wing.frame;
        PlacedBody again = body;
        again.R = body.R * matrix_of(D.q);
        again.mass.center = place(inverse(D), body.mass.center);
        const Wrench<double> same = aerodynamic_load(told, {}, air, again, 0);
        const double size = norm(W.F) + norm(W.tau);
        CHECK(norm(same.F - W.F) < 1e-12 * size);
        CHECK(norm(same.tau - W.tau) < 1e-12 * size);
    }
}

TEST_CASE("A force at a point other than the centre of mass turns the body about it")
{
    PlacedBody body = at_rest();
    body.v = {0, 0, -10};
    body.mass.center = {1, 0, 0};
    Aerodynamics chute = ball(2, 1);
    chute.frame.x = {1, 0.5, 3};
    const Wrench<double> W = aerodynamic_load(chute, {}, uniform_air(1), body, 0);
    CHECK(norm(W.F - V3{0, 0, 100}) < 1e-12);
    CHECK(norm(W.tau - cross(V3{0, 0.5, 3}, W.F)) < 1e-12);
}

TEST_CASE("A table over angle and flap is linear along both, and ends where its nodes do")
{
    Aerodynamics a = ball(1, 0);
    a.name = "wing";
    a.lift.over = {Coefficient::Over::alpha, Coefficient::Over::control};
    a.lift.over_controls = {1};
    a.lift.table = {{{0, 0.2}, {0, 0.5, 1}}, {0, 0.3, 0.4, 1, 1.5, 1.9}};
    std::vector<Control> controls(2);
    controls[1].name = "flap";
    controls[1].times = {0, 10};
    controls[1].values = {0, 1};
    const auto lift = [&](double alpha, double t) {
        return coefficients_of(a, {100, alpha, 0, 0.3}, zero3<double>(), {&controls, nullptr, t})
            .lift.still;
    };
    CHECK(lift(0.2, 5) == 1.5); // at a node
    CHECK(near(lift(0.05, 2.5), 0.75 * 0.15 + 0.25 * 1.25, 1e-15));
    CHECK(near(lift(0.1, 7.5), 0.5 * (0.35 + 1.7), 1e-15));
    Input input;
    input.controls = {{1, 1.2}};
    PlacedBody body = at_rest();
    body.v = {0, 0, 100};
    body.R = identity3<double>();
    const Air air = uniform_air(1);
    const ControlsNow beyond{&controls, &input, 0};
    a.lift.over = {Coefficient::Over::control};
    a.lift.table = {{{0, 1}}, {0.1, 0.2}};
    CHECK(!finite(aerodynamic_load(a, {}, air, body, 0, beyond).F));
    CHECK(why_no_load(a, {}, air, body, 0, beyond).find("control 'flap' 0 and 1") !=
          std::string::npos);
    a.lift.table.beyond = Beyond::hold;
    CHECK(finite(aerodynamic_load(a, {}, air, body, 0, beyond).F));
    CHECK(why_no_load(a, {}, air, body, 0, beyond).empty());
}

TEST_CASE("Galilei: body and steady wind boosted together feel the same air")
{
    Dice dice(24);
    for (int i = 0; i < 50; ++i) {
        const Aerodynamics wing = random_wing(dice);
        PlacedBody body = random_flyer(dice);
        Air air = uniform_air(1);
        const Wrench<double> still = aerodynamic_load(wing, {}, air, body, 0);
        const V3 boost = dice.vector(50);
        body.v += boost;
        air.wind = {boost.y, boost.x, -boost.z}; // north, east, down of x east, y north, z up
        const Wrench<double> moved = aerodynamic_load(wing, {}, air, body, 0);
        const double size = norm(still.F) + norm(still.tau);
        CHECK(norm(moved.F - still.F) < 1e-12 * size);
        CHECK(norm(moved.tau - still.tau) < 1e-12 * size);
    }
}

TEST_CASE("Where air, wind or table end there is no load, and the reason is named")
{
    PlacedBody body = at_rest();
    body.v = {100, 0, 0};
    Aerodynamics a = ball(1, 0.4);
    Air air;
    air.kind = Air::Kind::standard;
    const auto why = [&] { return why_no_load(a, {}, air, body, 0); };
    CHECK(why().empty());
    body.x.z = 90000;
    CHECK(!finite(aerodynamic_load(a, {}, air, body, 0).F));
    CHECK(why().find("86000 m of altitude, asked for was 90000 m") != std::string::npos);
    body.x.z = 2000;
    air.profile = {{0, 1000}, {zero3<double>(), zero3<double>()}};
    CHECK(!finite(aerodynamic_load(a, {}, air, body, 0).F));
    CHECK(why().find("the wind profile ends at 0 m and 1000 m") != std::string::npos);
    air.profile = {};
    a.drag.over = {Coefficient::Over::mach};
    a.drag.table = {{{0, 0.2}}, {0.1, 0.2}};
    CHECK(!finite(aerodynamic_load(a, {}, air, body, 0).F));
    CHECK(why().find("a table of ball ends at mach 0 and 0.2") != std::string::npos);
    a.drag.table.beyond = Beyond::hold;
    CHECK(finite(aerodynamic_load(a, {}, air, body, 0).F));
    CHECK(why().empty());
}
