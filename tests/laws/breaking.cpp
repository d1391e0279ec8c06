// SPDX-License-Identifier: MIT
// What is loaded beyond its strength breaks, and the parts carry their momenta on.

#include "formulations.hpp"
#include "poinsot/forces/bushing_force.hpp"
#include "poinsot/model/beam.hpp"
#include "poinsot/step/cut_watch.hpp"

using namespace poinsot;

namespace {

/// Two balls on a rod, here a weld or a bushing, that are spun up by a torque until it breaks.
Builder spun(bool by_bushing)
{
    Builder b;
    for (const double x : {-1.0, 1.0}) {
        Body ball =
            body_with(x < 0 ? "left" : "right", 2, diagonal(0.1, 0.1, 0.1), {0, 3, 0}, {0, 0, 2});
        ball.pose.x = {x, 0, 0};
        ball.velocity = ball.velocity + cross(ball.angular_velocity, ball.pose.x);
        b.add(ball);
        AppliedLoad drive;
        drive.name = std::string("drive ") + ball.name;
        drive.body = x < 0 ? 0 : 1;
        drive.torque = {0, 0, 5};
        drive.until = 1;
        b.loads.push_back(drive);
    }
    const Pose<double> left{{1, 0, 0}, exp_quat(V3{0, M_PI / 2, 0})}; // z from left to right
    const Pose<double> right{{-1, 0, 0}, left.q};
    Cut cut;
    cut.name = "rod";
    cut.strength.tension = 30;
    if (by_bushing) {
        Bushing rod;
        rod.name = "rod";
        rod.a = 0;
        rod.b = 1;
        rod.frame_a = left;
        rod.frame_b = right;
        rod.stiffness = six_of(std::array<double, 6>{1e3, 1e3, 1e4, 1e3, 1e3, 1e3});
        rod.damping = six_of(std::array<double, 6>{5, 5, 100, 5, 5, 5});
        b.bushings.push_back(rod);
        cut.of = Cut::Of::bushing;
    } else {
        Joint rod = hinge("rod", 0, left.x, 1, right.x);
        rod.kind = JointKind::weld;
        rod.frame_a.q = rod.frame_b.q = left.q;
        b.add(rod);
        cut.of = Cut::Of::joint;
    }
    b.cuts.push_back(cut);
    Release snap;
    snap.name = "snap";
    snap.joint = by_bushing ? -1 : 0;
    snap.bushing = by_bushing ? 0 : -1;
    snap.when_over = 0;
    b.releases.push_back(snap);
    return b;
}

V3 whole_p(const Placed& placed)
{
    return placed.bodies[0].p + placed.bodies[1].p;
}

} // namespace

TEST_CASE("A rod that is spun up breaks where its tension reaches its strength, m r omega^2")
{
    for (const bool by_bushing : {false, true})
        for (const Formulation f : both) {
            INFO(std::string(by_bushing ? "bushing, " : "weld, "), name_of(f));
            const auto model = built(spun(by_bushing));
            RunSettings run = run_in(f, Method::runge_kutta4, 1e-3, 3);
            auto sim = Simulation::start(model, run);
            REQUIRE_MESSAGE(sim, (sim ? "" : sim.problems().text()));
            double broke = 0;
            V3 omega = zero3<double>();
            while (!sim->done()) {
                const V3 p = whole_p(sim->placed());
                REQUIRE(!sim->step());
                // The torques push nothing; in joint coordinates p is as good as the method.
                CHECK(norm(whole_p(sim->placed()) - p) <
                      (f == Formulation::maximal ? 1e-13 : 1e-8));
                if (broke == 0 && sim->state().released[0]) {
                    broke = sim->time();
                    omega = sim->placed().bodies[0].omega;
                    CHECK(sim->cuts()[0].most >= 1);
                    CHECK(sim->cuts()[0].at == broke);
                    CHECK(std::string(sim->cuts()[0].by) == "tension");
                }
            }
            // 2 kg at 1 m: 30 N at ω = √15, which a step may pass; a bushing gives a little.
            REQUIRE(broke > 0);
            CHECK(near(omega.z, std::sqrt(15.0), by_bushing ? 0.02 : 1e-3));
            CHECK(sim->cuts()[0].gone);
            CHECK(sim->cuts()[0].utilisation == 0);
            // After that they fly apart on straight lines and spin for themselves.
            const Placed end = sim->placed();
            CHECK(norm(end.bodies[0].x - end.bodies[1].x) > 3);
            sim->close_books();
            const Books& books = sim->ledger().books();
            if (f == Formulation::maximal)
                CHECK(sim->ledger().balanced());
            // What the bushing held is lost, and is on the books as that, not as a residual.
            if (by_bushing)
                CHECK(books.shifted.spring < -0.01);
            else
                CHECK(books.shifted.spring == 0);
            CHECK(std::abs(books.total.residual.E()) < 1e-6 * books.total.closing.T);
        }
}

TEST_CASE("A bushing that lets go at a time keeps p and L, and its energy is accounted for")
{
    Builder b = spun(true);
    b.cuts.clear();
    b.loads.clear();
    b.releases[0].when_over = -1;
    b.releases[0].at = 0.3337; // within a step
    const auto model = built(b);
    RunSettings run = run_in(Formulation::maximal, Method::runge_kutta4, 1e-3, 1);
    auto sim = Simulation::start(model, run);
    REQUIRE(sim);
    while (!sim->done())
        REQUIRE(!sim->step());
    sim->close_books();
    const Books& books = sim->ledger().books();
    CHECK(sim->ledger().balanced());
    CHECK(books.shifted.spring < 0);
    CHECK(books.closing_stores.spring == 0);
    CHECK(std::abs(books.total.residual.E()) < 1e-9 * books.total.closing.T); // RK4, ωh = 0.1
    CHECK(norm(books.total.closing.p - V3{0, 12, 0}) < 1e-12);
}

TEST_CASE("A run that broke and was resumed goes on to the same bits")
{
    const auto model = built(spun(true));
    const RunSettings run = run_in(Formulation::maximal, Method::runge_kutta4, 1e-3, 2);
    auto unbroken = Simulation::start(model, run);
    auto first = Simulation::start(model, run);
    REQUIRE((unbroken && first));
    while (!unbroken->done())
        REQUIRE(!unbroken->step());
    REQUIRE(unbroken->state().released[0]);
    while (first->time() < 1)
        REQUIRE(!first->step());
    auto second = Simulation::start(model, run);
    second->resume(first->checkpoint());
    while (!second->done())
        REQUIRE(!second->step());
    CHECK(hash_of(second->state()) == hash_of(unbroken->state()));
}

TEST_CASE("What lets go by load and is wrong is named")
{
    Builder b = spun(true);
    b.releases[0].when_over = 4;
    CHECK(b.build().problems().text().find("cut that does not exist") != std::string::npos);
    b.releases[0].bushing = 3;
    CHECK(b.build().problems().text().find("bushing that does not exist") != std::string::npos);
    b = spun(true);
    b.releases.push_back(b.releases[0]);
    CHECK(b.build().problems().text().find("this bushing is let go twice") != std::string::npos);
    b.releases[1].joint = 0;
    CHECK(b.build().problems().text().find("make two of it") != std::string::npos);
}
