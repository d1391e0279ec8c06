// SPDX-License-Identifier: MIT
// Joints that only measure: ropes and cylinders between two points, the cone and the twist of a
// ball, and what acts along them.

#include "formulations.hpp"

#include <numbers>

using namespace poinsot;

namespace {

constexpr double g = 9.81, deg = std::numbers::pi / 180;

Joint joint_to_world(const char* name, JointKind kind)
{
    Joint joint;
    joint.name = name;
    joint.kind = kind;
    joint.b = 0;
    return joint;
}

/// A ball of 1 kg on a rope from the origin.
Builder on_rope(double length, const V3& x, const V3& v, double restitution = 0)
{
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    Body ball = body_with("ball", 1, diagonal(0.1, 0.1, 0.1), v, zero3<double>());
    ball.pose.x = x;
    b.add(ball);
    Joint rope = joint_to_world("rope", JointKind::strut);
    rope.laws.resize(1);
    rope.laws[0].upper = length;
    rope.laws[0].restitution = restitution;
    b.add(rope);
    return b;
}

/// A rod that hangs on a ball, of which a swing measures the cone and the twist.
Builder shoulder(const Quat<double>& turned, const V3& omega)
{
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    Body rod = body_with("rod", 2, diagonal(0.17, 0.17, 0.01), zero3<double>(), zero3<double>());
    rod.pose.q = turned;
    rod.pose.x = rotate(turned, V3{0, 0, -0.5});
    rod.angular_velocity = omega;
    rod.velocity = cross(omega, rod.pose.x);
    b.add(rod);
    for (const auto& [name, kind] :
         {std::pair("ball", JointKind::ball), std::pair("cone", JointKind::swing)}) {
        Joint joint = joint_to_world(name, kind);
        joint.frame_b.x = {0, 0, 0.5};
        b.add(joint);
    }
    b.joints[1].laws.resize(2);
    return b;
}
double swing_of(const Placed& placed)
{
    const Mat3<double>& R = placed.bodies[0].R;
    return std::atan2(std::hypot(R.r0.z, R.r1.z), R.r2.z);
}
double energy_of(const Model& model, const Placed& placed)
{
    return kinetic_energy(placed.bodies) + potential_energy(placed.bodies, model.gravity().uniform);
}

} // namespace

TEST_CASE("A ball on a rope flies freely until it is taut, loses what goes along it, and swings on")
{
    const double L = 1, v = 2;
    for (const Formulation f : both) {
        INFO(name_of(f));
        const auto model = built(on_rope(L, {0.2, 0, 0}, {v, 0, 0}));
        auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 1e-3, 1.2));
        REQUIRE(sim);
        // (0.2 + v t)² + g² t⁴/4 = L², by bisection
        double taut = 0, late = 1;
        for (int i = 0; i < 100; ++i) {
            const double t = 0.5 * (taut + late), x = 0.2 + v * t, z = 0.5 * g * t * t;
            (x * x + z * z < L * L ? taut : late) = t;
        }
        const V3 x{0.2 + v * taut, 0, -0.5 * g * taut * taut}, u{v, 0, -g * taut};
        const double along = dot(u, x) / L;
        const double after = 0.5 * dot(u, u) + g * x.z - 0.5 * along * along;
        bool swings = false;
        while (!sim->done()) {
            REQUIRE(!sim->step());
            const Placed placed = sim->placed();
            const V3& at = placed.bodies[0].x;
            const double t = sim->time();
            if (t < taut)
                CHECK(norm(at - V3{0.2 + v * t, 0, -0.5 * g * t * t}) < 1e-12);
            CHECK(norm(at) < L + 1e-9);
            if (t > taut && t < taut + 0.5) {
                swings = true;
                CHECK(near(norm(at), L, 1e-9));
                CHECK(near(energy_of(*model, placed), after, 1e-9, 10)); // RK4 at 1 ms
            }
        }
        CHECK(swings);
        sim->close_books();
        CHECK(near(sim->ledger().books().total.posted[index_of(Cause::limit)].work,
                   -0.5 * along * along, 1e-9, 1));
    }
}

TEST_CASE("What hangs on a rope pulls with its weight, and bounces on an elastic one as on a floor")
{
    for (const Formulation f : both) {
        INFO(name_of(f));
        // From 0.2 below the origin to 1 m: back up as high, in the time of a ball on a floor.
        const auto model = built(on_rope(1, {0, 0, -0.2}, zero3<double>(), 1));
        const double period = 2 * std::sqrt(2 * 0.8 / g);
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, period / 500, period));
        CHECK(norm(sim.placed().bodies[0].x - V3{0, 0, -0.2}) < 1e-9);
    }
    // At rest the force is its weight: the impulse of a second is m g.
    const auto model = built(on_rope(1, {0, 0, -1}, zero3<double>()));
    for (const Method method : {Method::runge_kutta4, Method::impulsive})
        for (const Formulation f : both) {
            const Simulation sim = ran(model, run_in(f, method, 1e-3, 1));
            CHECK(norm(sim.placed().bodies[0].x - V3{0, 0, -1}) < 1e-9);
            CHECK(near(sim.ledger().books().total.posted[index_of(Cause::limit)].J.z, g, 1e-9));
        }
}

TEST_CASE("Where a method takes no impact a rope that gets taut ends the run, with the reason")
{
    const auto model = built(on_rope(1, {0, 0, -0.2}, zero3<double>()));
    for (const Method method : {Method::gauss, Method::midpoint, Method::splitting}) {
        INFO(facts_of(method).name);
        const Formulation f =
            method == Method::splitting ? Formulation::maximal : Formulation::reduced;
        auto sim = Simulation::start(model, run_in(f, method, 1e-3, 1));
        REQUIRE(sim);
        std::optional<std::string> ended;
        while (!sim->done() && !ended)
            ended = sim->step();
        REQUIRE(ended);
        CHECK(ended->find("joint 'rope' has reached its limit 1") != std::string::npos);
        const double taut = std::sqrt(1.6 / g); // in the step that is not taken
        CHECK(sim->time() <= taut);
        CHECK(sim->time() > taut - 1e-3);
    }
}

TEST_CASE("What hangs on a rope falls when the rope is cut")
{
    Builder b = on_rope(1, {0, 0, -1}, zero3<double>());
    Release cut;
    cut.name = "cut";
    cut.joint = 0;
    cut.at = 0.2;
    b.releases.push_back(cut);
    const auto model = built(b);
    for (const Formulation f : both) {
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 1e-3, 0.5));
        CHECK(norm(sim.placed().bodies[0].x - V3{0, 0, -1 - 0.5 * g * 0.09}) < 1e-9);
    }
}

TEST_CASE("A strut with stiffness and damping is a spring, one that follows a course a winch")
{
    Builder by_strut = on_rope(1, {0.3, 0.4, -0.5}, {1, -1, 2}), by_spring = by_strut;
    by_strut.joints[0].laws[0] = {};
    by_strut.joints[0].laws[0].stiffness = 30;
    by_strut.joints[0].laws[0].rest = 0.6;
    by_strut.joints[0].laws[0].damping = 0.7;
    by_strut.joints[0].frame_b.x = {0.1, 0, 0.2};
    by_spring.joints.clear();
    Spring spring;
    spring.name = "spring";
    spring.b = {0, {0.1, 0, 0.2}};
    spring.stiffness = 30;
    spring.rest_length = 0.6;
    spring.damping = 0.7;
    by_spring.springs.push_back(spring);
    for (const Formulation f : both) {
        INFO(name_of(f));
        const RunSettings run = run_in(f, Method::runge_kutta4, 1e-3, 1);
        CHECK(difference(ran(built(by_strut), run).placed(), ran(built(by_spring), run).placed()) <
              1e-12);

        Builder winch = on_rope(1, {0, 0, -1}, {0, 0, 0.2});
        winch.joints[0].laws[0] = {};
        winch.joints[0].laws[0].prescribed = Course{1, -0.2, 0, 0, 0};
        const auto model = built(winch);
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 1e-3, 2));
        CHECK(norm(sim.placed().bodies[0].x - V3{0, 0, -0.6}) < 1e-10);
        CHECK(near(sim.ledger().books().total.posted[index_of(Cause::motor)].work, g * 0.4, 1e-10));
    }
}

TEST_CASE("A rod on a ball is thrown back by its cone, whichever way it swings")
{
    const double tilt = 20 * deg, cone = 40 * deg;
    for (const Formulation f : both) {
        std::array<V3, 2> ends;
        for (int k = 0; k < 2; ++k) {
            INFO(name_of(f), k);
            // The same world turned about the vertical by one radian.
            const Quat<double> about = exp_quat(V3{0, 0, 1.0 * k});
            const V3 axis = rotate(about, V3{1, 0, 0}), side = rotate(about, V3{0.4, 3, 1});
            Builder b = shoulder(exp_quat(tilt * axis), side);
            b.joints[1].laws[0].upper = cone;
            b.joints[1].laws[0].restitution = 1;
            const auto model = built(b);
            auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 1e-3, 1.5));
            REQUIRE(sim);
            const double start = energy_of(*model, sim->placed());
            double most = 0;
            while (!sim->done()) {
                REQUIRE(!sim->step());
                most = std::max(most, swing_of(sim->placed()));
            }
            CHECK(near(most, cone, 1e-3)); // seen at ends of steps alone
            CHECK(most < cone + 1e-9);
            CHECK(near(energy_of(*model, sim->placed()), start, 1e-8, 10)); // (ω h)⁴
            ends[static_cast<std::size_t>(k)] = rotate(conjugate(about), sim->placed().bodies[0].x);
        }
        CHECK(norm(ends[0] - ends[1]) < 1e-9);
    }
}

TEST_CASE("A rod that falls into its cone rests there, alike in both formulations")
{
    // The axis of the cone lies level: the rod hangs at its edge, 50 degrees above the plumb line.
    std::array<Placed, 2> ends;
    for (const Method method : {Method::runge_kutta4, Method::impulsive}) {
        for (const Formulation f : both) {
            INFO(facts_of(method).name, name_of(f));
            Builder b = shoulder(exp_quat(V3{-80 * deg, 0, 0}), zero3<double>());
            b.joints[1].frame_a.q = exp_quat(V3{-90 * deg, 0, 0});
            b.joints[1].laws[0].upper = 40 * deg;
            const auto model = built(b);
            const Simulation sim = ran(model, run_in(f, method, 1e-3, 1));
            const Placed placed = sim.placed();
            const double hangs = std::acos(-placed.bodies[0].x.z / 0.5);
            CHECK(near(hangs, 50 * deg, method == Method::impulsive ? 1e-5 : 1e-9));
            CHECK(norm(placed.bodies[0].omega) < 1e-9);
            ends[f == Formulation::reduced] = placed;
        }
        CHECK(difference(ends[0], ends[1]) < 1e-8);
    }
}

TEST_CASE("The twist of a ball turns back at its limit, at the time and with the speed it should")
{
    const double spin = 3, limit = 70 * deg, e = 0.5;
    for (const Formulation f : both) {
        INFO(name_of(f));
        Builder b = shoulder(identity_quat<double>(), {0, 0, spin});
        b.joints[1].laws[1].lower = -limit;
        b.joints[1].laws[1].upper = limit;
        b.joints[1].laws[1].restitution = e;
        const double until = limit / spin + 0.3;
        const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, until / 500, until));
        const Placed placed = sim.placed();
        CHECK(near(placed.bodies[0].omega.z, -e * spin, 1e-12));
        const double twist = std::atan2(placed.bodies[0].R.r1.x, placed.bodies[0].R.r0.x);
        CHECK(near(twist, limit - e * spin * 0.3, 1e-10));
    }
}

TEST_CASE("Bodies on a rope meet each other, and those on a rod do not")
{
    const auto apart = [](JointKind kind) {
        Builder b;
        for (const double x : {-1.0, 1.0}) {
            Body ball = body_with(x < 0 ? "left" : "right", 1, diagonal(0.1, 0.1, 0.1),
                                  zero3<double>(), zero3<double>());
            ball.pose.x = {x, 0, 0};
            Skin skin;
            skin.name = ball.name;
            skin.body = b.add(ball);
            skin.collider = *collider_of(Ball{0.5});
            b.add(skin);
        }
        b.add(Material{.name = "default"});
        Joint joint = joint_to_world("between", kind);
        joint.a = 0, joint.b = 1;
        joint.length = 2;
        b.add(joint);
        return built(b)->skins_apart().size();
    };
    CHECK(apart(JointKind::strut) == 0);
    CHECK(apart(JointKind::distance) == 1);
}

TEST_CASE("What a strut or a swing cannot have is refused by name")
{
    const auto told = [](Builder b, auto change) {
        change(b);
        const auto model = b.build();
        return model ? std::string() : model.problems().text();
    };
    const auto says = [](const std::string& text, const char* part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    const Builder rope = on_rope(1, {0, 0, -0.5}, zero3<double>()),
                  cone = shoulder(identity_quat<double>(), zero3<double>());
    says(told(rope, [](Builder& b) { b.joints[0].laws[0].lower = 0; }),
         "is never below zero: leave its lower limit out");
    says(told(rope, [](Builder& b) { b.joints[0].start = {0.3}; }),
         "measures where its bodies are");
    says(told(rope,
              [](Builder& b) {
                  b.joints[0].laws[0].prescribed = Course{0.7, 0, 0, 0, 0};
              }),
         "is not assembled");
    says(told(cone, [](Builder& b) { b.joints[1].laws[0].lower = -1; }), "is never below zero");
    says(told(cone,
              [](Builder& b) {
                  b.bodies[0] = Body{};
                  b.bodies[0].name = "dot";
                  b.bodies[0].particle = true;
                  b.bodies[0].mass_properties.mass = 1;
                  b.joints.erase(b.joints.begin());
              }),
         "a particle has no attitude");
}
