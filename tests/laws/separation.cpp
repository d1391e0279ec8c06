// SPDX-License-Identifier: MIT
// Joints that let go: stages that separate, loads that are dropped.

#include "formulations.hpp"

using namespace poinsot;

namespace {

/// A pendulum under a trolley that tumbles freely; the load lets go in the midst of a step.
Builder dropping(JointKind kind)
{
    Builder b = joined_pair(kind, 17);
    b.gravity.uniform = {0, 0, -3};
    b.releases.push_back({"drop", 0, 0.537, -1});
    return b;
}

/// Two stages on one axis. The nozzles are where the propellant is: nothing flows inside.
Builder two_stages()
{
    Builder b;
    Body lower =
        body_with("lower", 100, diagonal(60.0, 60.0, 10.0), zero3<double>(), zero3<double>());
    Body upper =
        body_with("upper", 50, diagonal(20.0, 20.0, 4.0), zero3<double>(), zero3<double>());
    upper.pose.x = {0, 0, 3};
    b.add(lower);
    b.add(upper);
    Joint clamp;
    clamp.name = "clamp";
    clamp.kind = JointKind::weld;
    clamp.a = 0;
    clamp.b = 1;
    clamp.frame_a.x = {0, 0, 2};
    clamp.frame_b.x = {0, 0, -1};
    b.add(clamp);
    for (const int body : {0, 1}) {
        Tank tank;
        tank.name = body == 0 ? "first" : "second";
        tank.body = body;
        tank.content = body == 0 ? 600 : 200;
        b.tanks.push_back(tank);
        Flow engine;
        engine.name = body == 0 ? "booster" : "sustainer";
        engine.sources = {body};
        engine.direction = {0, 0, -1};
        engine.exhaust_speed = body == 0 ? 2200 : 2600;
        engine.mass_flow = body == 0 ? 40 : 10;
        engine.from = body == 0 ? 0 : 16.3;
        b.flows.push_back(engine);
    }
    b.releases.push_back({"staging", 0, INFINITY, 0});
    return b;
}

} // namespace

TEST_CASE("A joint that lets go takes and gives nothing: both fly on with what they had")
{
    for (const JointKind kind :
         {JointKind::weld, JointKind::revolute, JointKind::ball, JointKind::distance}) {
        const Builder b = dropping(kind);
        const auto model = built(b);
        // The motion up to the release, then two free bodies.
        Builder held = b;
        held.releases.clear();
        const double at = 0.537, until = 1.2;
        for (const Formulation f : both) {
            RunSettings run = tight(f, 0.1, until, 1e-13);
            run.ledger.detail = Postings::Detail::bodies;
            const Simulation sim = ran(model, run);
            const Placed before = ran(built(held), tight(f, at / 8, at, 1e-13)).placed();
            const Placed end = sim.placed();
            const double T = until - at;
            for (std::size_t i = 0; i < 2; ++i) {
                const PlacedBody &x0 = before.bodies[i], &x1 = end.bodies[i];
                const V3 g = b.gravity.uniform;
                CHECK(norm(x1.x - (x0.x + T * x0.v + (0.5 * T * T) * g)) < 1e-9);
                CHECK(norm(x1.L - x0.L) < 1e-9); // no torque since
            }
            CHECK(sim.state().released == std::vector<char>{1});
            const Books& books = sim.ledger().books();
            CHECK(norm(books.total.residual.p) < 1e-9 * books.scale_p);
            CHECK(norm(books.total.residual.L) < 1e-9 * books.scale_L);
            CHECK(std::abs(books.total.residual.E()) < 1e-9 * books.scale_E);
            CHECK(norm(books.total.posted[index_of(Cause::joint)].J) < 1e-10);
        }
        for (const Method method : {Method::runge_kutta4, Method::midpoint, Method::splitting}) {
            const Simulation sim = ran(model, run_with(method, 0.01, until));
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
            CHECK(difference(sim.placed(),
                             ran(model, tight(Formulation::maximal, 0.1, until)).placed()) < 1e-2);
        }
        // In joint coordinates p and L are derived, and as good as the method.
        const auto missing = [&](double h) {
            const Simulation sim =
                ran(model, run_in(Formulation::reduced, Method::runge_kutta4, h, until));
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
            const Residual& r = sim.ledger().books().total.residual;
            return std::pair(norm(r.p), norm(r.L));
        };
        const auto coarse = missing(0.02), fine = missing(0.01);
        CHECK(std::log2(coarse.first / fine.first) > 3.7);
        CHECK(std::log2(coarse.second / fine.second) > 3.7);
    }
}

TEST_CASE("What acts along a joint that lets go ends with it, and a spring takes what it held")
{
    // Each law by itself; a coordinate of a hinge that is stretched, driven, led or stopped when it
    // lets go. From then on both fly freely, and the store of springs has nothing left.
    const char* const names[] = {
        "spring and damper", "friction",         "force", "position", "speed", "as prescribed",
        "a limit",           "a stop that bears"};
    for (int which = 0; which < 8; ++which) {
        Builder b = dropping(JointKind::revolute);
        Builder held = b;
        CoordinateLaw law;
        if (which == 0) {
            law.stiffness = 20;
            law.damping = 0.3;
            law.rest = 1;
        } else if (which == 1) {
            law.friction = 0.5;
            law.slip_speed = 0.1;
        } else if (which < 5) {
            law.motor = Motor{};
            law.motor->kind = which == 2   ? Motor::Kind::force
                              : which == 3 ? Motor::Kind::position
                                           : Motor::Kind::velocity;
            law.motor->target.value = 1;
            law.motor->gain = 3;
            law.motor->damping = 0.2;
        } else if (which == 5) {
            const JointStart start = built(b)->joint_starts()[0];
            law.prescribed = Course{};
            law.prescribed->value = start.q[0];
            law.prescribed->rate = start.speed[0];
        } else {
            const double q = built(b)->joint_starts()[0].q[0];
            const double speed = built(b)->joint_starts()[0].speed[0];
            // Reached before it lets go, and borne where nothing comes back; or only after.
            const double reach = (which == 7 ? 0.2 : 0.6) * speed;
            (speed > 0 ? law.upper : law.lower) = q + reach;
            law.restitution = 0;
        }
        b.joints[0].laws = held.joints[0].laws = {law};
        held.releases.clear();
        const auto model = built(b);
        const double at = 0.537, until = 1.2;
        for (const Formulation f : both) {
            CAPTURE(names[which]);
            RunSettings run = tight(f, 0.1, until, 1e-13);
            run.ledger.detail = Postings::Detail::bodies;
            const Simulation sim = ran(model, run);
            const Simulation first = ran(built(held), tight(f, at / 8, at, 1e-13));
            const Placed before = first.placed(), end = sim.placed();
            const double T = until - at;
            for (std::size_t i = 0; i < 2; ++i) {
                const PlacedBody &x0 = before.bodies[i], &x1 = end.bodies[i];
                CHECK(norm(x1.x - (x0.x + T * x0.v + (0.5 * T * T) * b.gravity.uniform)) < 1e-8);
                CHECK(norm(x1.L - x0.L) < 1e-8);
            }
            CHECK(sim.state().standing.empty());
            CHECK(stores_of(*model, end).spring == 0);
            const Books& books = sim.ledger().books();
            CHECK(norm(books.total.residual.p) < 1e-9 * books.scale_p);
            CHECK(norm(books.total.residual.L) < 1e-9 * books.scale_L);
            CHECK(std::abs(books.total.residual.E()) < 1e-9 * books.scale_E);
            if (which == 0)
                CHECK(stores_of(*model, before).spring > 0.1); // and was lost
        }
    }
}

TEST_CASE("Letting go in the midst of a step keeps the order of the method")
{
    const auto model = built(dropping(JointKind::revolute));
    const Placed exact = ran(model, tight(Formulation::maximal, 0.1, 1.2, 1e-13)).placed();
    for (const Formulation f : both) {
        const auto error = [&](double h) {
            return difference(ran(model, run_in(f, Method::runge_kutta4, h, 1.2)).placed(), exact);
        };
        CHECK(std::abs(std::log2(error(0.02) / error(0.01)) - 4) < 0.3);
    }
}

TEST_CASE("Tsiolkovsky for two stages: each adds its own, and the spent one falls behind")
{
    const auto model = built(two_stages());
    // The second stage burns from 16.3 s on for 20 s; 15 s is the end of the first.
    const double first = 2200 * std::log(950.0 / 350.0), second = 2600 * std::log(250.0 / 50.0);
    for (const Formulation f : both)
        for (const Method method : {Method::runge_kutta4, Method::adaptive}) {
            auto sim = Simulation::start(model, run_in(f, method, 0.05, 40));
            REQUIRE(sim);
            while (!sim->done()) {
                const auto ended = sim->step();
                REQUIRE_MESSAGE(!ended, *ended);
                CHECK(static_cast<bool>(sim->state().released[0]) == (sim->time() > 15.02));
            }
            sim->close_books();
            const Placed end = sim->placed();
            CHECK(near(end.bodies[0].v.z, first, 1e-9));
            CHECK(near(end.bodies[1].v.z, first + second, 1e-9));
            CHECK(sim->state().tanks == std::vector<double>{0, 0});
            CHECK(end.bodies[1].x.z - end.bodies[0].x.z > 1e4);
            const Books& books = sim->ledger().books();
            CHECK(norm(books.total.residual.p) < 1e-12 * books.scale_p);
            CHECK(std::abs(books.total.residual.mass) < 1e-10);
        }
}

TEST_CASE("A run in which a joint lets go, resumed, has the bits of one that was not broken")
{
    for (const Formulation f : both) {
        const auto model = built(two_stages());
        const RunSettings run = run_in(f, Method::runge_kutta4, 0.1, 20);
        auto whole = Simulation::start(model, run);
        REQUIRE(whole);
        for (int i = 0; i < 155; ++i)
            REQUIRE(!whole->step());
        auto resumed = Simulation::start(model, run);
        resumed->resume(whole->checkpoint());
        CHECK(whole->state().released == std::vector<char>{1});
        for (int i = 155; i < 200; ++i) {
            REQUIRE(!whole->step());
            REQUIRE(!resumed->step());
        }
        CHECK(whole->state() == resumed->state());
    }
}

TEST_CASE("Releases that cannot be are named")
{
    const auto problem = [](const Builder& b) {
        const auto model = b.build();
        return model ? std::string("none") : model.problems().text();
    };
    Builder b = dropping(JointKind::revolute);
    CHECK(problem(b) == "none");
    b.releases[0].joint = 3;
    CHECK(problem(b).find("does not exist") != std::string::npos);
    b = dropping(JointKind::revolute);
    b.releases[0].at = -1;
    CHECK(problem(b).find("not before the start") != std::string::npos);
    b = dropping(JointKind::revolute);
    b.releases.push_back(b.releases[0]);
    CHECK(problem(b).find("twice") != std::string::npos);
    b = dropping(JointKind::revolute);
    b.joints[0].laws.resize(1);
    b.joints[0].laws[0].armature = 3;
    CHECK(problem(b).find("no armature") != std::string::npos);
    b = dropping(JointKind::revolute);
    b.releases[0].when_empty = 2;
    CHECK(problem(b).find("tank that does not exist") != std::string::npos);
    b = two_stages();
    REQUIRE(problem(b) == "none");
    b.releases[0].at = std::numeric_limits<double>::infinity();
    b.releases[0].when_empty = 0;
    CHECK(problem(b) == "none");
    b.flows.clear();
    CHECK(problem(b).find("nothing is taken from") != std::string::npos);
}

// Flight by impulses is exact, and the step is taken in two parts where the joint lets go: from
// then on nothing is left of what acted along it, to rounding, and in joint coordinates the body
// that the joint would carry floats like any other.
TEST_CASE("A step by impulses lets go in its midst, and then both fly freely to rounding")
{
    const double at = 0.537;
    const auto strays = [&](Formulation f, bool driven, double h) {
        Builder b = dropping(JointKind::revolute);
        if (driven) {
            CoordinateLaw law;
            law.motor = Motor{};
            law.motor->kind = Motor::Kind::velocity;
            law.motor->target.value = 1;
            law.motor->gain = 3;
            law.friction = 0.1;
            law.slip_speed = 0.1;
            law.upper = built(b)->joint_starts()[0].q[0] + 2; // passed when it has let go
            b.joints[0].laws = {law};
        }
        auto sim = Simulation::start(built(b), run_in(f, Method::impulsive, h, 1.2));
        REQUIRE_MESSAGE(sim, (sim ? "" : sim.problems().text()));
        while (sim->time() < at)
            REQUIRE(!sim->step());
        REQUIRE(sim->state().released[0]);
        REQUIRE(sim->happenings().list().size() == 1);
        CHECK(near(sim->happenings().list()[0].time, at, 1e-12));
        const Placed before = sim->placed();
        const double from = sim->time();
        while (!sim->done())
            REQUIRE(!sim->step());
        const double T = sim->time() - from;
        const Placed end = sim->placed();
        double worst = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            const PlacedBody &x0 = before.bodies[i], &x1 = end.bodies[i];
            const V3 x = x0.x + T * x0.v + (0.5 * T * T) * b.gravity.uniform;
            worst = std::max({worst, norm(x1.x - x), norm(x1.L - x0.L)});
        }
        sim->close_books();
        const Books& books = sim->ledger().books();
        CHECK(sim->ledger().balanced());
        if (f == Formulation::maximal) {
            CHECK(norm(books.total.residual.p) < 1e-13 * books.scale_p);
            CHECK(norm(books.total.residual.L) < 1e-12 * books.scale_L);
        }
        return worst;
    };
    for (const bool driven : {false, true})
        for (const Formulation f : both) {
            INFO(name_of(f));
            CAPTURE(driven);
            CHECK(strays(f, driven, 0.01) < 1e-12);
        }
}
