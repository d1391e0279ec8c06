// SPDX-License-Identifier: MIT
// Bodies whose motion is told: they follow it whatever hangs on them, and the books say what it
// took.

#include "formulations.hpp"

using namespace poinsot;

namespace {

/// A table that is shaken along three axes and turned about a fourth, with a pendulum on a ball
/// joint below it. The pendulum is listed first: the tree must grow from what is moved.
Builder shaken(bool turns = true)
{
    Dice dice(6);
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    Body bob = some_body("bob", dice), table = some_body("table", dice);
    bob.pose = {{0.2, 0.1, -0.8}, identity_quat<double>()};
    bob.velocity = bob.angular_velocity = zero3<double>();
    table.pose = {{0.1, -0.2, 0.3}, dice.rotation()};
    table.velocity = table.angular_velocity = zero3<double>(); // it is put in motion
    b.add(bob);
    b.add(table);
    Joint moved;
    moved.name = "shaker";
    moved.kind = JointKind::weld;
    moved.b = 1;
    moved.frame_a = {table.pose.x + V3{0.3, 0, 0.1}, dice.rotation()};
    moved.frame_b = inverse(table.pose) * moved.frame_a;
    moved.motion = FrameMotion{
        {Course{0.1, 0.2, 0.05, 1.5, 0.3}, Course{0, 0, 0.1, 0.7, 1}, Course{0, -0.1, 0, 0, 0}},
        {1, 2, -1},
        turns ? Course{0.2, 0.5, 0.4, 0.8, 0.2} : Course{}};
    b.add(moved);
    Joint ball;
    ball.name = "hook";
    ball.kind = JointKind::ball;
    ball.a = 1;
    ball.b = 0;
    ball.frame_a.x = {0, 0.1, -0.2};
    ball.frame_b.x = {0.1, 0, 0.4};
    ball.frame_a.q = ball.frame_b.q = identity_quat<double>();
    b.add(ball);
    // The bob hangs where the table is at the start; both go with its velocity.
    const Pose<double> X = moved.motion->pose_at(0, moved.frame_a) * inverse(moved.frame_b);
    b.bodies[0].pose.x = place(X, ball.frame_a.x) - ball.frame_b.x;
    return b;
}
/// A motion with its axis of unit length, as a model has it.
FrameMotion motion_of(const Model& model)
{
    return *model.joints()[0].motion;
}
/// The velocity of the hook, so that a ball joint lets the bob start.
Builder started(Builder b)
{
    FrameMotion motion = *b.joints[0].motion;
    motion.axis = normalised(motion.axis);
    const Pose<double> X = motion.pose_at(0, b.joints[0].frame_a);
    const Pose<double> table = X * inverse(b.joints[0].frame_b);
    const V3 hook = place(table, b.joints[1].frame_a.x);
    b.bodies[0].pose.x = hook - b.joints[1].frame_b.x;
    b.bodies[0].velocity = shift(motion.twist_at(0), hook - X.x).v;
    return b;
}

/// Both formulations end in one place but for the error of RK4: some 1e-12, of which ten times are
/// allowed, and sixteen times smaller with half the step.
template <class End>
void come_together(const End& end)
{
    const auto apart = [&](double h) {
        return difference(end(Formulation::maximal, h), end(Formulation::reduced, h));
    };
    const double coarse = apart(2e-3), fine = apart(1e-3);
    CAPTURE(coarse);
    CAPTURE(fine);
    CHECK(fine < 2e-11);
    CHECK(coarse / fine > 12);
}

} // namespace

TEST_CASE("A body follows the motion it is told, whatever hangs on it, in both formulations")
{
    const auto model = built(started(shaken()));
    const FrameMotion motion = motion_of(*model);
    CHECK(near(norm(motion.axis), 1, 1e-15));
    const Joint& joint = model->joints()[0];
    const auto end = [&](Formulation f, double h) {
        INFO(name_of(f));
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, h, 1));
        const Placed at = sim.placed();
        const PlacedBody& table = at.bodies[1];
        const Pose<double> frame = motion.pose_at(1, joint.frame_a);
        const Pose<double> X = frame * inverse(joint.frame_b);
        CHECK(norm(table.x - place(X, table.mass.center)) < 1e-13);
        const Mat3<double> d = table.R - matrix_of(X.q);
        CHECK(std::max({norm(d.r0), norm(d.r1), norm(d.r2)}) < 1e-13);
        const Twist<double> V = shift(motion.twist_at(1), table.x - frame.x);
        CHECK(norm(table.v - V.v) < 1e-13);
        CHECK(norm(table.omega - V.omega) < 1e-13);
        // What it took is in the books, as a motor's work.
        const Books& books = sim.ledger().books();
        const double gained = books.total.closing.T - books.total.opening.T +
                              books.closing_stores.total() - books.opening_stores.total();
        const double work = books.total.posted[index_of(Cause::motor)].work;
        CHECK(std::abs(work) > 0.1);
        CHECK(near(work, gained, 1e-9, books.scale_E));
        CHECK(sim.ledger().balanced());
        return at;
    };
    come_together(end);
}

TEST_CASE("What moves a body gives m (a − g) and dL/dt, in both formulations")
{
    Builder b = shaken();
    b.bodies.erase(b.bodies.begin());
    b.joints.pop_back();
    b.joints[0].b = 0;
    const auto model = built(b);
    const FrameMotion motion = motion_of(*model);
    for (const Formulation f : both) {
        INFO(name_of(f));
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 1e-3, 0.7));
        const double t = sim.time();
        const JointLoads loads(*model, f, sim.state(), {}, t);
        const PlacedBody& body = loads.placed().bodies[0];
        const Pose<double> frame = motion.pose_at(t, model->joints()[0].frame_a);
        const Twist<double> A = motion.acceleration_at(t);
        const V3 d = body.x - frame.x, omega = motion.twist_at(t).omega;
        const V3 a = A.v + cross(A.omega, d) + cross(omega, cross(omega, d));
        const Sym3<double> I = body.inertia();
        const Wrench<double> W = loads.on(0, Cause::motor, body.x);
        const V3 F = body.mass.m * (a - V3{0, 0, -9.81});
        const V3 tau = I * A.omega + cross(omega, I * omega);
        CHECK(norm(F) > 1);
        CHECK(norm(W.F - F) < 1e-12 * norm(F));
        CHECK(norm(W.tau - tau) < 1e-12 * (norm(F) + norm(tau)));
    }
}

TEST_CASE("A particle is carried along a course as a body is")
{
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    b.add_particle("hand", 0.5, {1, 0, 0}, zero3<double>());
    b.add_particle("stone", 0.1, {1, 0, -0.5}, zero3<double>());
    Joint carried;
    carried.name = "carried";
    carried.kind = JointKind::point;
    carried.b = 0;
    carried.frame_a.x = {1, 0, 0};
    carried.motion = FrameMotion{{Course{0, 0, 0.2, 1, M_PI / 2}, Course{}, Course{}}};
    b.add(carried);
    Joint string;
    string.name = "string";
    string.kind = JointKind::distance;
    string.a = 0;
    string.b = 1;
    b.bodies[1].pose.x = {1.2, 0, -0.5};
    string.length = 0.5;
    b.add(string);
    const auto model = built(b);
    CHECK(norm(model->bodies()[0].pose.x - V3{1.2, 0, 0}) < 1e-15);
    std::array<Placed, 2> end;
    for (const Formulation f : both) {
        end[f == both[0] ? 0 : 1] = ran(model, run_in(f, Method::runge_kutta4, 1e-3, 1.3)).placed();
        const PlacedBody& hand = end[f == both[0] ? 0 : 1].bodies[0];
        CHECK(norm(hand.x - V3{1 + 0.2 * std::cos(2 * M_PI * 1.3), 0, 0}) < 1e-13);
    }
    CHECK(difference(end[0], end[1]) < 1e-9);
}

TEST_CASE("A body on a point that moves turns freely, alike in both formulations")
{
    Builder b = shaken(false);
    b.bodies.erase(b.bodies.begin());
    b.joints.pop_back();
    b.joints[0].b = 0;
    b.joints[0].kind = JointKind::point;
    b.bodies[0].angular_velocity = {0.5, -1, 2};
    const auto model = built(b);
    const auto end = [&](Formulation f, double h) {
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, h, 1));
        const V3 told = motion_of(*model).pose_at(1, model->joints()[0].frame_a).x;
        CHECK(norm(sim.placed().joints[0].x_b - told) < 1e-13);
        CHECK(norm(sim.placed().bodies[0].omega) > 1);
        return sim.placed();
    };
    come_together(end);
}

TEST_CASE(
    "Kapitza: a rod stands on a hinge that is shaken faster than sqrt(2 g l), and not slower" *
    doctest::test_suite("slow"))
{
    // l = 2/3 of its length is that of the simple pendulum with its period; the speed of the hinge
    // is at most a ω.
    const double length = 0.2, l = 2 * length / 3;
    for (const double factor : {0.7, 1.3})
        for (const Formulation f : both) {
            INFO(factor, " ", name_of(f));
            Builder b = scene_description("kapitza");
            REQUIRE(b.joints[0].motion);
            Course& shake = b.joints[0].motion->shift[2];
            shake.amplitude = 0.005; // small against l, as the formula asks
            shake.frequency = factor * std::sqrt(2 * 9.81 * l) / (2 * M_PI * shake.amplitude);
            b.joints[1].start = {0.02};
            auto sim = Simulation::start(built(b), run_in(f, Method::runge_kutta4, 2e-4, 2));
            REQUIRE(sim);
            double most = 0;
            while (!sim->done()) {
                REQUIRE_FALSE(sim->step());
                most = std::max(most, std::abs(sim->placed().joints[1].q[0]));
            }
            if (factor > 1)
                CHECK(most < 0.1);
            else
                CHECK(most > 2);
        }
}

TEST_CASE("Motions that cannot be are named")
{
    const auto told = [](const Builder& b) {
        const auto model = b.build();
        REQUIRE_FALSE(model);
        return model.problems().text();
    };
    const auto has = [](const std::string& text, const char* words) {
        INFO(text);
        CHECK(text.find(words) != std::string::npos);
    };
    const Builder good = started(shaken());
    built(good);
    Builder b = good;
    b.joints[0].kind = JointKind::revolute;
    has(told(b), "shaker: only a weld or a point follows a motion, not a revolute");
    b = good;
    b.joints[1].motion = FrameMotion{};
    has(told(b), "hook: only a weld");
    has(told(b), "hook: is seen from the world");
    b = good;
    b.joints[0].motion->axis = zero3<double>();
    has(told(b), "shaker: the axis needs a direction");
    b = good;
    b.joints[0].motion->shift[1].rate = std::nan("");
    has(told(b), "shaker: the motion must be finite");
    b = good;
    b.joints[0].kind = JointKind::point;
    has(told(b), "shaker: a point has no attitude to turn");
    b = good;
    b.bodies[1].velocity = {1, 0, 0};
    has(told(b), "shaker: says how body 'table' moves, and so does the body, otherwise");
    b.bodies[1].velocity = built(good)->bodies()[1].velocity; // the same
    built(b);
    b = good;
    b.add(b.joints[0]); // two that contradict each other
    b.joints[2].name = "other";
    b.joints[2].motion->shift[0].value = 0.7;
    has(told(b), "is not assembled");
}
