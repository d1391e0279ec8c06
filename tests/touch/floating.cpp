// SPDX-License-Identifier: MIT
// Trees that float, stepped by impulses in joint coordinates.
#include "poinsot/step/floating.hpp"

#include "poinsot/dynamics/momentum.hpp"
#include "touching.hpp"

using namespace poinsot;

namespace {

/// Three boxes on hinges across each other, thrown and spinning; the first hinge has stops.
TouchingWorld thrown_boxes(double gravity, double restitution)
{
    TouchingWorld w(0.4, restitution);
    w.builder.gravity.uniform = {0, 0, -gravity};
    const int a = w.box("a", {0.4, 0.2, 0.1}, 2, {{0, 0, 3}, identity_quat<double>()},
                        {0.5, -0.2, 0.3}, {1, 2, -1.5});
    const int b = w.box("b", {0.3, 0.1, 0.1}, 1, {{0.4, 0, 3}, identity_quat<double>()});
    const int c = w.box("c", {0.1, 0.1, 0.3}, 0.5, {{0.7, 0, 3}, identity_quat<double>()});
    const auto hinge = [&](const char* name, int from, int to, const V3& in_from, const V3& in_to,
                           const V3& turn, double speed) {
        Joint made;
        made.name = name;
        made.kind = JointKind::revolute;
        made.a = from;
        made.b = to;
        made.frame_a = {in_from, exp_quat(turn)};
        made.frame_b = {in_to, exp_quat(turn)};
        made.laws.resize(1);
        made.start = {0.3};
        made.start_speed = {speed};
        return made;
    };
    Joint first = hinge("first", a, b, {0.22, 0, 0}, {-0.18, 0, 0}, {1.2, 0, 0}, -3);
    first.laws[0].lower = -0.6;
    first.laws[0].upper = 0.9;
    first.laws[0].restitution = restitution;
    w.builder.add(first);
    w.builder.add(hinge("second", b, c, {0.17, 0, 0}, {-0.13, 0, 0}, {0, 0.7, 0}, 4));
    return w;
}

Momentum<double> momentum_of(const Simulation& run)
{
    return momentum_about(run.placed().bodies, zero3<double>());
}

} // namespace

TEST_CASE("A tree that floats keeps p and L to rounding by impulses in joint coordinates, through "
          "blows and stops")
{
    TouchingWorld w = thrown_boxes(0, 0.7);
    const V3 hit{1.9, 0.1, 3.2};
    w.ball("ball", 0.15, 3, hit, {-3, 0, 0}, {0, 5, 2});
    Simulation run = w.start(2e-3, 3, {}, Formulation::reduced);
    const auto [p, L] = momentum_of(run);
    double off_p = 0, off_L = 0;
    int touched = 0, stopped = 0;
    while (!run.done()) {
        take_step(run);
        const auto [p_now, L_now] = momentum_of(run);
        off_p = std::max(off_p, norm(p_now - p));
        off_L = std::max(off_L, norm(L_now - L));
        touched += !run.touches().empty();
        const double q = run.placed().joints[0].q[0];
        stopped += q < -0.59 || q > 0.89;
    }
    CHECK(touched > 0);
    CHECK(stopped > 0);
    // What velocities say of p rounds at 1e-15 of some 10 kg m/s, and does not add up. L about the
    // origin does, since the centre of mass rounds in each of 1500 steps: 1e-15 of 30 kg m²/s.
    CHECK(off_p < 1e-13);
    CHECK(off_L < 1e-11);
    // So the ledger promises both, and would say where they do not close.
    CHECK(run.ledger().settings().promises_momentum);
    CHECK(run.ledger().settings().promises_L);
    CHECK_FALSE(run.ledger().settings().promises_spin); // that of each link is the method's
    run.close_books();
    CHECK(run.ledger().verdict() == "");
    MESSAGE("p off by " << off_p << ", L by " << off_L);
}

TEST_CASE("Trees that a joint which may let go holds together float as one: their p and L close to "
          "rounding through a blow, by impulses in joint coordinates")
{
    // They begin as one rigid body; the second hinge lets go at 1.5 s, and a ball strikes before.
    TouchingWorld w = thrown_boxes(0, 0.7);
    for (Joint& joint : w.builder.joints) {
        joint.start.clear();
        joint.start_speed.clear();
    }
    const Body& first = w.builder.bodies[0];
    for (Body& body : w.builder.bodies) {
        body.angular_velocity = first.angular_velocity;
        body.velocity = first.velocity + cross(first.angular_velocity, body.pose.x - first.pose.x);
    }
    w.ball("ball", 0.15, 3, {1.9, 0.1, 3.2}, {-3, 0, 0}, {0, 5, 2});
    Release release;
    release.name = "release";
    release.joint = 1;
    release.at = 1.5;
    w.builder.releases.push_back(release);
    Simulation run = w.start(2e-3, 3, {}, Formulation::reduced);
    const V3 p = momentum_of(run).p;
    double off = 0;
    int touched = 0;
    while (!run.done()) {
        take_step(run);
        off = std::max(off, norm(momentum_of(run).p - p));
        touched += run.time() < 1.4 && !run.touches().empty();
    }
    CHECK(touched > 0);
    CHECK(run.state().released[0]);
    CHECK(run.ledger().settings().promises_momentum);
    CHECK(run.ledger().settings().promises_L);
    run.close_books();
    CHECK(run.ledger().verdict() == "");
    const Books& books = run.ledger().books();
    CHECK(norm(books.total.residual.p) < 1e-12 * books.scale_p);
    CHECK(norm(books.total.residual.L) < 1e-12 * books.scale_L);
    // Putting the joint back turns what moves: that is on the account of stabilisation, and small.
    const V3 put_back = books.total.posted[index_of(Cause::stabilisation)].J;
    CHECK(norm(momentum_of(run).p - p - put_back) < 1e-12 * books.scale_p);
    CHECK(off < 1e-4 * books.scale_p);
}

TEST_CASE(
    "A body that no joint holds moves in joint coordinates as in maximal ones, however fast it "
    "spins")
{
    // It turns by more than a radian in a step, and comes down on an edge.
    TouchingWorld w(0.3, 0.6);
    w.ground();
    w.box("plate", {0.2, 0.15, 0.02}, 1, {{0, 0, 0.5}, exp_quat(V3{0.4, 1.3, -0.2})}, {1, 0, -2},
          {300, 700, -50});
    Simulation maximal = w.start(2e-3, 0.4), reduced = w.start(2e-3, 0.4, {}, Formulation::reduced);
    double in_flight = 0, after = 0;
    bool struck = false;
    while (!maximal.done()) {
        take_step(maximal);
        take_step(reduced);
        struck = struck || !maximal.touches().empty();
        const PlacedBody a = maximal.placed().bodies[0], b = reduced.placed().bodies[0];
        const Quat<double> between = conjugate(quat_of(a.R)) * quat_of(b.R);
        const double off =
            std::max({norm(a.x - b.x), norm(log_quat(normalised(between))), norm(a.v - b.v)});
        (struck ? after : in_flight) = std::max(struck ? after : in_flight, off);
    }
    CHECK(struck);
    CHECK(in_flight > 0);
    MESSAGE("apart by " << in_flight << " in flight, " << after << " after it struck");
    // 100 steps that round at 1e-16 of a hundred radians; a blow at 100 m/s makes more of it.
    CHECK(in_flight < 1e-11);
    CHECK(after < 1e-8);
    maximal.close_books();
    reduced.close_books();
    CHECK(maximal.ledger().balanced());
    CHECK(reduced.ledger().balanced());
}

TEST_CASE("What hangs on the world has no such promise; loads that floating trees feel are booked")
{
    TouchingWorld falls = thrown_boxes(9.81, 0.7);
    falls.ground();
    falls.ball("ball", 0.15, 3, {1.9, 0.1, 3.2}, {-3, 0, 0}, {0, 5, 2});
    Simulation run = falls.start(2e-3, 2, {}, Formulation::reduced);
    run_to_end(run);
    CHECK(run.ledger().settings().promises_L);
    CHECK(run.ledger().verdict() == "");
    const Books& books = run.ledger().books();
    CHECK(norm(books.total.residual.L) < 1e-12 * books.scale_L);
    CHECK(norm(books.total.residual.p) < 1e-12 * books.scale_p);

    Joint hung;
    hung.name = "hung";
    hung.kind = JointKind::ball;
    hung.a = world;
    hung.b = 0;
    hung.frame_a = {{0, 0, 3.1}, identity_quat<double>()};
    hung.frame_b = {{0, 0, 0.1}, identity_quat<double>()};
    TouchingWorld hangs = thrown_boxes(9.81, 0.7);
    hangs.builder.bodies[0].velocity = zero3<double>();
    hangs.builder.bodies[0].angular_velocity = zero3<double>();
    hangs.builder.add(hung);
    const Simulation held = hangs.start(2e-3, 2, {}, Formulation::reduced);
    CHECK_FALSE(held.ledger().settings().promises_momentum);
    CHECK_FALSE(held.ledger().settings().promises_L);
}

TEST_CASE("The centre of mass of a tree that floats falls on its parabola, whatever the joints do")
{
    Simulation run = thrown_boxes(9.81, 0.7).start(5e-3, 2, {}, Formulation::reduced);
    const SystemCenter begin = system_center_of(run.placed().bodies);
    double worst = 0;
    while (!run.done()) {
        take_step(run);
        const double t = run.time();
        const V3 c = begin.x + t * begin.v + V3{0, 0, -0.5 * 9.81 * t * t};
        worst = std::max(worst, norm(system_center_of(run.placed().bodies).x - c));
    }
    CHECK(worst < 1e-12); // rounding of 400 steps
}

TEST_CASE("A tree that floats moves with second order by impulses in joint coordinates")
{
    const auto end = [](Method method, double h) {
        TouchingWorld w = thrown_boxes(9.81, 0);
        w.builder.joints[0].laws[0].lower = -std::numeric_limits<double>::infinity();
        w.builder.joints[0].laws[0].upper = std::numeric_limits<double>::infinity();
        w.method = method;
        Simulation run = w.start(h, 1, {}, Formulation::reduced);
        run_to_end(run);
        const double E = energy_of(run);
        return std::pair(run.placed().bodies[2], E);
    };
    const auto [best, E] = end(Method::runge_kutta4, 1e-3);
    const auto off = [&, &best = best, &E = E](double h) {
        const auto [body, energy] = end(Method::impulsive, h);
        return std::array<double, 3>{norm(body.x - best.x), norm(body.omega - best.omega),
                                     std::abs(energy - E)};
    };
    const auto coarse = off(4e-3), fine = off(2e-3);
    for (std::size_t k = 0; k < coarse.size(); ++k) {
        INFO(k, ": ", coarse[k], " ", fine[k]);
        CHECK(std::log2(coarse[k] / fine[k]) > 1.9);
    }
}
