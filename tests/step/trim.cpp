// SPDX-License-Identifier: MIT
// Steady flight: closed forms of a linear aircraft, turns, wings that bend, what cannot be.

#include "poinsot/step/trim.hpp"

#include "joined.hpp"
#include "poinsot/forces/air.hpp"

using namespace poinsot;

namespace {

constexpr double rho = 1.2, S = 14, chord = 1.4, span = 10, m = 900, g = 9.81;

/// x forward, y left, z up. Its thrust is against drag, so that lift alone carries it, and lift and
/// pitch are linear in angle of attack and elevator.
Builder linear_aircraft()
{
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    b.air.kind = Air::Kind::uniform;
    b.air.density = rho;
    Body body = body_with("aircraft", m, diagonal(1200.0, 1700.0, 2600.0), {50, 0, 0}, {0, 0, 0});
    body.pose.x = {0, 0, 500};
    b.add(body);
    b.controls = {{"elevator", -0.5, 0.5, {0}, {0}},
                  {"throttle", 0, 1, {0}, {0.5}},
                  {"aileron", -0.5, 0.5, {0}, {0}},
                  {"rudder", -0.5, 0.5, {0}, {0}}};
    Aerodynamics a;
    a.name = "air";
    a.frame.q = {0, 1, 0, 0}; // half a turn about x
    a.area = S;
    a.span = span;
    a.chord = chord;
    a.lift.constant = 0.25;
    a.lift.alpha = 5.2;
    a.lift.controls = {{0, 0.4}};
    a.drag.constant = 0.03;
    a.drag.controls = {{1, -0.12}};
    a.side.beta = -0.6;
    a.pitch.constant = 0.02;
    a.pitch.alpha = -0.9;
    a.pitch.q = -14;
    a.pitch.controls = {{0, -1.1}};
    a.roll.beta = -0.08;
    a.roll.p = -0.5;
    a.roll.r = 0.1;
    a.roll.controls = {{2, 0.2}};
    a.yaw.beta = 0.07;
    a.yaw.r = -0.12;
    a.yaw.controls = {{3, -0.09}};
    b.aerodynamics.push_back(a);
    return b;
}
Trim trimmed_at(const Builder& b, const TrimRequest& request)
{
    const auto made = trim(*built(b), request);
    if (!made)
        FAIL(made.problems().text());
    return *made;
}
std::string refusal(const Builder& b, const TrimRequest& request)
{
    const auto made = trim(*built(b), request);
    return made ? "nothing" : made.problems().text();
}
void says(const std::string& text, const char* words)
{
    CHECK_MESSAGE(text.find(words) != std::string::npos, text, " should say: ", words);
}

/// A fuselage and two wings that the air lifts, on bushings.
Builder bending_aircraft()
{
    Builder b = linear_aircraft();
    b.bodies[0].mass_properties.mass = 700;
    b.aerodynamics[0].lift = {};
    b.aerodynamics[0].lift.controls = {{0, 0.4}};
    for (const double side : {1.0, -1.0}) {
        Body wing = body_with(side > 0 ? "left" : "right", 100, diagonal(200.0, 15.0, 210.0),
                              {50, 0, 0}, {0, 0, 0});
        wing.pose.x = {0, side * 2.5, 500};
        const int index = b.add(wing);
        Aerodynamics lift;
        lift.name = side > 0 ? "lift left" : "lift right";
        lift.body = index;
        lift.frame.q = {0, 1, 0, 0};
        lift.area = S / 2;
        lift.lift.constant = 0.25;
        lift.lift.alpha = 5.2;
        b.aerodynamics.push_back(lift);
        Bushing root;
        root.name = side > 0 ? "left root" : "right root";
        root.a = 0;
        root.b = index;
        root.frame_a.x = {0, side * 0.5, 0};
        root.frame_b.x = {0, -side * 2, 0};
        root.stiffness = six_of(std::array<double, 6>{2e6, 2e6, 2e6, 2e5, 2e6, 2e6});
        root.damping = six_of(std::array<double, 6>{4e3, 4e3, 4e3, 4e2, 4e3, 4e3});
        b.bushings.push_back(root);
    }
    return b;
}

} // namespace

TEST_CASE("Trim: angle of attack, elevator and throttle of a linear aircraft are those of the two "
          "linear equations")
{
    const Builder b = linear_aircraft();
    for (const double V : {40.0, 50.0, 70.0}) {
        TrimRequest request;
        request.speed = V;
        const Trim made = trimmed_at(b, request);
        REQUIRE_MESSAGE(made.found, made.why);
        // 5.2 α + 0.4 e = W/qS − 0.25,   −0.9 α − 1.1 e = −0.02,   0.03 − 0.12 t = 0
        const double qS = 0.5 * rho * V * V * S;
        const double r1 = m * g / qS - 0.25, r2 = -0.02, det = 5.2 * -1.1 - 0.4 * -0.9;
        CHECK(near(made.alpha, (r1 * -1.1 - 0.4 * r2) / det, 1e-10));
        CHECK(near(made.controls[0], (5.2 * r2 + 0.9 * r1) / det, 1e-10));
        CHECK(near(made.controls[1], 0.25, 1e-10));
        CHECK(std::abs(made.controls[2]) < 1e-12);
        CHECK(std::abs(made.controls[3]) < 1e-12);
        CHECK(std::abs(made.beta) < 1e-12);
        CHECK(std::abs(made.bank) < 1e-12);
        CHECK(near(made.pitch, made.alpha, 1e-10)); // it flies level
        CHECK(made.residual < 1e-9 * g);
        CHECK(made.altitude == 500);
        const PlacedBody& body = made.bodies[0];
        CHECK(near(norm(body.v), V, 1e-14));
    }
}

TEST_CASE("Trim: a level turn banks until lift carries weight and turn, tan(bank) cos(alpha) = V "
          "W/g, without sideslip")
{
    const Builder b = linear_aircraft();
    for (const double W : {0.15, -0.2}) {
        TrimRequest request;
        request.turn_rate = W;
        request.altitude = 1200;
        const Trim made = trimmed_at(b, request);
        REQUIRE_MESSAGE(made.found, made.why);
        const double V = 50, qS = 0.5 * rho * V * V * S;
        CHECK(near(std::tan(made.bank) * std::cos(made.alpha), -V * W / g, 1e-9));
        CHECK(std::abs(made.beta) < 1e-10);
        const double C_L = 0.25 + 5.2 * made.alpha + 0.4 * made.controls[0] - 0;
        CHECK(near(qS * C_L, m * std::hypot(g, V * W), 1e-9));
        CHECK(near(made.bodies[0].omega.z, W, 1e-14));
        CHECK(made.altitude == 1200);
    }
}

TEST_CASE("Trim: steady wind carries a turn along and changes nothing else of it")
{
    for (const Builder& b : {linear_aircraft(), bending_aircraft()}) {
        TrimRequest request;
        request.speed = 50;
        request.turn_rate = 0.15;
        const Trim calm = trimmed_at(b, request);
        REQUIRE_MESSAGE(calm.found, calm.why);
        Builder windy = b;
        windy.air.wind = {3, 15, -1}; // north, east, down
        const Trim made = trimmed_at(windy, request);
        REQUIRE_MESSAGE(made.found, made.why);
        const double room = 1e-9; // of Newton's iteration
        CHECK(std::abs(made.alpha - calm.alpha) < room);
        CHECK(std::abs(made.beta) < room);
        CHECK(std::abs(made.bank - calm.bank) < room);
        CHECK(std::abs(made.pitch - calm.pitch) < room);
        for (std::size_t i = 0; i < calm.controls.size(); ++i)
            CHECK(std::abs(made.controls[i] - calm.controls[i]) < room);

        // It flies on so: against the air it keeps its speed and its height.
        const auto described = trimmed(windy, made);
        REQUIRE(described);
        const PlacedBody before = made.bodies[0];
        const V3 wind =
            air_velocity(windy.planet, windy.air, before.x, horizon(windy.planet, before.x), 0);
        for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
            RunSettings run = run_with(Method::runge_kutta4, 1.0 / 512, 2);
            run.step.formulation = f;
            const PlacedBody at = ran(built(*described), run).placed().bodies[0];
            CHECK(std::abs(norm(at.v - wind) - 50) < 1e-6);
            CHECK(std::abs(at.x.z - before.x.z - 2 * wind.z) < 1e-6);
        }
    }
}

TEST_CASE("Trim: in wind that changes with altitude it flies level and straight, and no other way")
{
    Builder b = linear_aircraft();
    b.air.profile = {{0, 1000}, {V3{0, 0, 0}, V3{12, 0, 0}}};
    TrimRequest request;
    request.speed = 50;
    const Trim made = trimmed_at(b, request);
    REQUIRE_MESSAGE(made.found, made.why);
    const Trim calm = trimmed_at(linear_aircraft(), request);
    CHECK(near(made.alpha, calm.alpha, 1e-9));
    request.turn_rate = 0.1;
    says(refusal(b, request), "only level flight straight ahead is steady");
    request.turn_rate = 0;
    request.climb_angle = 0.05;
    says(refusal(b, request), "only level flight straight ahead is steady");
    request.climb_angle.reset();
    says(refusal(b, request), "only level flight straight ahead is steady");
}

TEST_CASE("Trim: without power an aircraft glides at the angle of drag over lift")
{
    Builder b = linear_aircraft();
    TrimRequest request;
    request.climb_angle.reset();
    request.kept = {1};
    b.controls[1].values = {0};
    const Trim made = trimmed_at(b, request);
    REQUIRE_MESSAGE(made.found, made.why);
    CHECK(made.controls[1] == 0);
    const double C_L = 0.25 + 5.2 * made.alpha + 0.4 * made.controls[0];
    CHECK(near(std::tan(made.climb_angle), -0.03 / C_L, 1e-9));
}

TEST_CASE("Trim: flown for ten seconds a trimmed aircraft keeps speed, height and turn, in both "
          "formulations")
{
    for (const double W : {0.0, 0.1})
        for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
            TrimRequest request;
            request.turn_rate = W;
            const Builder b = linear_aircraft();
            const Trim made = trimmed_at(b, request);
            REQUIRE_MESSAGE(made.found, made.why);
            const auto described = trimmed(b, made);
            REQUIRE(described);
            RunSettings run = run_with(Method::runge_kutta4, 1.0 / 64, 10);
            run.step.formulation = f;
            const PlacedBody at = ran(built(*described), run).placed().bodies[0];
            // What is left accelerates for ten seconds: ½ a t², ten times that for modes that
            // grow (the spiral); and rounding of 640 steps 500 m high. RK4's own error in a turn
            // is t W (W h)⁴/120 of V, 1e-12.
            const double room = 10 * 50 * made.residual + 1e-9;
            CHECK(std::abs(norm(at.v) - 50) < room);
            CHECK(std::abs(at.x.z - 500) < room);
            CHECK(std::abs(at.v.z) < room);
            CHECK(std::abs(at.omega.z - W) < room);
        }
}

TEST_CASE("Trim: wings on springs bend until each root carries its lift less its weight, and stay")
{
    const Builder b = bending_aircraft();
    const Trim made = trimmed_at(b, {});
    REQUIRE_MESSAGE(made.found, made.why);
    CHECK(made.residual <= made.tolerance);
    CHECK(made.tolerance < 1e-5); // 2e6 N/m on 100 kg: a last digit of 500 m is 1e-13 m
    // By symmetry the wings are bent up by the same angle, and their lift is half of what is
    // carried.
    const Mat3<double> relative = transpose(made.bodies[0].R) * made.bodies[1].R;
    const V3 bent = log_matrix(relative);
    const V3 other = log_matrix(transpose(made.bodies[0].R) * made.bodies[2].R);
    CHECK(bent.x > 0.001);
    CHECK(near(other.x, -bent.x, 1e-7));
    // The moment about the root: k φ = (lift − weight) of the wing at 2 m, along its own z.
    const double qS = 0.5 * rho * 50 * 50 * S;
    const double whole = m * g - qS * 0.4 * made.controls[0]; // of both wings, nearly up
    const double moment = (0.5 * whole - 100 * g) * 2;
    CHECK(near(2e5 * bent.x, moment, 2e-3)); // φ² and α² are a thousandth

    const auto described = trimmed(b, made);
    REQUIRE(described);
    const double room = 10 * 2 * made.residual + 1e-7;
    for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
        RunSettings run = run_with(Method::runge_kutta4, 1.0 / 512, 2);
        run.step.formulation = f;
        const PlacedBody at = ran(built(*described), run).placed().bodies[0];
        CHECK(std::abs(at.x.z - made.bodies[0].x.z) < room);
        CHECK(std::abs(at.v.z) < room);
    }
}

TEST_CASE("Trim: a schedule is shifted to begin with the trim, and refused where that leads beyond "
          "its limits")
{
    Builder b = linear_aircraft();
    b.controls[0].times = {0, 1, 2};
    b.controls[0].values = {0, 0, -0.2};
    const Trim made = trimmed_at(b, {});
    auto described = trimmed(b, made);
    REQUIRE(described);
    const Control& elevator = described->controls[0];
    CHECK(elevator.values[0] == made.controls[0]);
    CHECK(near(elevator.values[2], made.controls[0] - 0.2, 1e-14));
    b.controls[0].values = {0, 0, -0.5};
    described = trimmed(b, made);
    REQUIRE(!described);
    says(described.problems().text(), "outside its limits");
}

TEST_CASE("Trim: a control that saturates is named, and so is a flight that cannot be steady")
{
    Builder b = linear_aircraft();
    b.controls[0].lower = -0.05;
    TrimRequest slow;
    slow.speed = 32; // needs more elevator
    Trim made = trimmed_at(b, slow);
    CHECK(!made.found);
    CHECK(made.saturated[0]);
    says(made.why, "control 'elevator' saturates");
    b = linear_aircraft();
    b.controls[1].upper = 0.2;
    b.controls[1].values = {0.1};
    made = trimmed_at(b, {});
    CHECK(!made.found);
    says(made.why, "control 'throttle' saturates");
    // A turn without rudder and aileron.
    b = linear_aircraft();
    TrimRequest turn;
    turn.turn_rate = 0.3;
    turn.kept = {2, 3};
    made = trimmed_at(b, turn);
    CHECK(!made.found);
    says(made.why, "no attitude and no controls make the flight steady");
    CHECK(made.residual > 1e-3);
}

TEST_CASE("Trim: joints that may let go hold in steady flight, so it is that of welds and hinges")
{
    Builder b = linear_aircraft();
    b.bodies[0].mass_properties.mass = 800;
    Body pod = body_with("pod", 60, diagonal(4.0, 20.0, 20.0), {50, 0, 0}, {0, 0, 0});
    pod.pose.x = {0.1, 0, 499};
    const int below = b.add(pod);
    Body ball = body_with("ball", 40, diagonal(1.0, 1.0, 1.0), {50, 0, 0}, {0, 0, 0});
    ball.pose.x = {0.1, 0, 497};
    const int lowest = b.add(ball);
    Joint clamp = hinge("clamp", 0, {0.1, 0, -0.5}, below, {0, 0, 0.5});
    clamp.kind = JointKind::weld;
    b.add(clamp);
    b.add(hinge("sling", below, {0, 0, -0.5}, lowest, {0, 0, 1.5}));
    for (Joint& joint : b.joints) // z across
        joint.frame_a.q = joint.frame_b.q = exp_quat(V3{M_PI / 2, 0, 0});
    const Trim held = trimmed_at(b, {});
    REQUIRE_MESSAGE(held.found, held.why);
    b.releases.push_back({"drop", 0, 5});
    b.releases.push_back({"cut", 1, 6});
    const Trim made = trimmed_at(b, {});
    REQUIRE_MESSAGE(made.found, made.why);
    CHECK(made.alpha == held.alpha);
    CHECK(made.controls == held.controls);
    CHECK(made.coordinates == held.coordinates);
    for (std::size_t i = 0; i < held.bodies.size(); ++i) {
        CHECK(made.bodies[i].x == held.bodies[i].x);
        CHECK(made.bodies[i].R == held.bodies[i].R);
    }
    const auto again = trimmed(b, made);
    REQUIRE(again);
    const Trim stays = trimmed_at(*again, {});
    CHECK(near(stays.alpha, made.alpha, 1e-9));

    Builder closed = b;
    closed.add(hinge("brace", 0, {0.1, 0, -0.5}, below, {0, 0, 0.5}));
    closed.joints.back().kind = JointKind::ball;
    says(refusal(closed, {}), "joint 'brace' closes a loop");
    Builder driven = b;
    driven.releases.clear();
    driven.joints[1].laws.resize(1);
    driven.joints[1].laws[0].prescribed = Course{0.0, 0.0};
    says(refusal(driven, {}), "joint 'sling' follows a prescribed motion");
}

TEST_CASE("Trim: what cannot be asked is refused with the remedy")
{
    const Builder b = linear_aircraft();
    TrimRequest request;
    request.speed = -3;
    says(refusal(b, request), "must be positive");
    request = {};
    request.climb_angle = 2;
    says(refusal(b, request), "between -1.5 and 1.5");
    Builder other = b;
    other.gravity.uniform = {0, 0, 0};
    says(refusal(other, {}), "needs gravity along -z");
    other = b;
    other.air.gusts.push_back({"bump", {0, 0, 1}, 0, 1});
    says(refusal(other, {}), "no flight through gusts is steady");
    other = b;
    other.add(body_with("ballast", 1, diagonal(1.0, 1.0, 1.0), {0, 0, 0}, {0, 0, 0}));
    request = {};
    request.body = 1;
    says(refusal(other, request), "the air does not act on body 'ballast'");
    other.aerodynamics.clear();
    other.controls.clear();
    says(refusal(other, {}), "the air acts on nothing");

    const auto joined = [&](JointKind kind) {
        Builder tied = b;
        Joint joint;
        joint.name = "tie";
        joint.kind = kind;
        joint.a = world;
        joint.b = 0;
        joint.frame_a.x = {0, 0, 500};
        tied.bodies[0].velocity = {0, 0, 0};
        tied.add(joint);
        return tied;
    };
    TrimRequest fast;
    fast.speed = 50;
    says(refusal(joined(JointKind::weld), fast), "is welded to the world");
    says(refusal(joined(JointKind::ball), fast), "a joint with the world");
    Builder held = b;
    held.bodies[0].velocity = {0, 0, 0};
    held.bodies[0].held = Held{{0, 0, 0}, {}};
    says(refusal(held, fast), "a body that is held cannot fly");
    Builder flock = b;
    for (int i = 0; i < 200; ++i)
        flock.add(body_with(("bird " + std::to_string(i)).c_str(), 1, diagonal(1.0, 1.0, 1.0),
                            {50, 0, 0}, {0, 0, 0}));
    says(refusal(flock, {}), "1206 freedoms, trim takes at most 1200");
}
