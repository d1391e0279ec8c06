// SPDX-License-Identifier: MIT
// Splitting where there are joints: their kicks let every flight end where they hold.

#include "joined.hpp"

using namespace poinsot;

namespace {

/// A tree of all kinds of joint that swings under gravity, with a spring across it.
Builder tree_with_spring(std::uint64_t seed)
{
    Builder b = some_tree(4, seed);
    b.springs.push_back({"across", {0, {0.3, 0.1, 0}}, {3, {-0.2, 0.1, 0.3}}, 5, 0, 1});
    return b;
}

double energy_of(const Simulation& sim)
{
    const Placed at = sim.placed();
    double sum = stores_of(sim.model(), at).total();
    for (const PlacedBody& body : at.bodies)
        sum += body.kinetic_energy();
    return sum;
}

} // namespace

TEST_CASE("Splitting with joints: the error falls with the square of the step, in every form")
{
    const auto model = built(tree_with_spring(2));
    const Placed truth = ran(model, run_with(Method::runge_kutta4, 2e-4, 0.2)).placed();
    for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
        CAPTURE(name_of(form));
        const auto error = [&](double h) {
            return difference(ran(model, run_with(Method::splitting, h, 0.2, form)).placed(),
                              truth);
        };
        const double coarse = error(2e-3), fine = error(1e-3);
        CAPTURE(coarse);
        CAPTURE(fine);
        CHECK(std::log2(coarse / fine) > 1.8);
        CHECK(std::log2(coarse / fine) < 2.2);
    }
}

TEST_CASE("Splitting with joints: p, L about each centre and about O close to rounding, and "
          "reactions come in pairs")
{
    Builder b = some_tree(5, 3);
    for (Joint& joint : b.joints) // nothing is tied to the world, which takes momentum
        if (joint.a == world) {
            joint.kind = JointKind::free;
            joint.laws.clear();
        }
    b.gravity.uniform = zero3<double>();
    const Simulation sim = ran(built(b), run_with(Method::splitting, 1e-3, 0.5));
    const Books& books = sim.ledger().books();
    for (const Account& account : books.bodies) {
        CHECK(norm(account.residual.p) < 1e-13 * books.scale_p);
        CHECK(norm(account.residual.spin) < 1e-13 * books.scale_L);
        CHECK(norm(account.residual.L) < 1e-13 * books.scale_L);
        CHECK(std::abs(account.residual.T) < 1e-12 * books.scale_E);
    }
    const Posting& joints = books.total.posted[index_of(Cause::joint)];
    CHECK(norm(joints.J) < 1e-13 * books.scale_p);
    CHECK(norm(joints.K + joints.S) < 1e-13 * books.scale_L);
    CHECK(sim.ledger().verdict() == "");
    CHECK(books.total.posted[index_of(Cause::stabilisation)].J == zero3<double>());
}

TEST_CASE("Splitting with joints: they hold to rounding, and energy has no drift")
{
    // A double pendulum that swings through, a hundred seconds.
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    for (int i = 0; i < 2; ++i) {
        Joint hinge;
        hinge.name = text_of("hinge ", i);
        hinge.a = i - 1;
        hinge.b = b.add(body_with(text_of("rod ", i).c_str(), 1, diagonal(1.0 / 12, 1e-3, 1.0 / 12),
                                  zero3<double>(), zero3<double>()));
        if (i > 0)
            hinge.frame_a.x = {0, -0.5, 0};
        hinge.frame_b.x = {0, 0.5, 0};
        hinge.start = {i == 0 ? 1.0 : 0.3};
        b.add(hinge);
    }
    const auto model = built(b);
    RunSettings run = run_with(Method::splitting, 5e-3, 100);
    run.ledger.detail = Postings::Detail::off;
    auto sim = Simulation::start(model, run);
    REQUIRE(sim);
    const double start = energy_of(*sim);
    double early = 0, late = 0, place = 0, speed = 0;
    Rows rows;
    while (!sim->done()) {
        REQUIRE_FALSE(sim->step());
        const double off = std::abs(energy_of(*sim) - start);
        (sim->time() < 10 ? early : late) = std::max(sim->time() < 10 ? early : late, off);
        bind_joints(*model, sim->placed(), sim->time(), rows);
        for (const Row& row : rows.rows) {
            place = std::max(place, std::abs(row.g));
            speed = std::max(speed, std::abs(row.g_dot));
        }
    }
    CAPTURE(early);
    CAPTURE(late);
    CAPTURE(place);
    CAPTURE(speed);
    CHECK(early > 1e-6); // it is a method of second order
    CHECK(late < 2 * early);
    CHECK(place < 1e-14); // metres, at arms of one metre
    CHECK(speed < 1e-13); // at a few m/s
}

TEST_CASE("Splitting with joints goes back the way it came")
{
    const auto model = built(tree_with_spring(5));
    RunSettings run = run_with(Method::splitting, 1e-3, 0.3);
    auto sim = Simulation::start(model, run);
    REQUIRE(sim);
    const Placed start = sim->placed();
    while (!sim->done())
        REQUIRE_FALSE(sim->step());
    Checkpoint turned = sim->checkpoint();
    CHECK(difference(sim->placed(), start) > 0.1);
    turned.state.step = 0;
    for (auto& body : std::get<MomentumBodies>(turned.state.bodies)) {
        body.p = -body.p;
        body.L = -body.L;
    }
    auto back = Simulation::start(model, run);
    REQUIRE(back);
    back->resume(turned);
    while (!back->done())
        REQUIRE_FALSE(back->step());
    for (std::size_t i = 0; i < start.bodies.size(); ++i) // rounding, grown by the motion
        CHECK(near(norm(back->placed().bodies[i].x - start.bodies[i].x), 0, 1e-10, 1.0));
}

TEST_CASE("Splitting keeps loops that repeat, gears and prescribed coordinates")
{
    const auto model = built(parallelogram());
    const auto at = [&](Method method, double h) {
        return ran(model, run_with(method, h, 1)).placed();
    };
    const Placed truth = at(Method::runge_kutta4, 5e-4);
    const double coarse = difference(at(Method::splitting, 2e-3), truth);
    const double fine = difference(at(Method::splitting, 1e-3), truth);
    CAPTURE(coarse);
    CAPTURE(fine);
    CHECK(std::log2(coarse / fine) > 1.9);

    const auto driven = built(driven_and_geared());
    const Simulation one = ran(driven, run_with(Method::splitting, 1e-3, 1)),
                     two = ran(driven, run_with(Method::runge_kutta4, 1e-3, 1));
    CHECK(difference(one.placed(), two.placed()) < 1e-4); // the square of the step
    CHECK(near(one.placed().joints[0].q[0], 1.3, 1e-13, 1.0));
    const Placed end = one.placed();
    CHECK(near(end.joints[2].q[0] - 0.3, 0.1 * (end.joints[1].q[0] - 0.3), 1e-13, 1.0));
    CHECK(near(one.ledger().books().total.posted[index_of(Cause::motor)].work,
               two.ledger().books().total.posted[index_of(Cause::motor)].work, 1e-4, 1.0));
}

TEST_CASE("Splitting refuses what it cannot keep, and a step that is too long says so")
{
    const auto reason = [](const Builder& b, Stabilisation how = Stabilisation::projection) {
        RunSettings run = run_with(Method::splitting, 1e-3, 1);
        run.step.stabilisation = how;
        const auto sim = Simulation::start(built(b), run);
        return sim ? std::string() : sim.problems().text();
    };
    CHECK(reason(joined_pair(JointKind::revolute, 1)).empty());
    CHECK(reason(joined_pair(JointKind::rolling, 1, true)).find("cannot let a disc roll") !=
          std::string::npos);
    CHECK(reason(joined_pair(JointKind::revolute, 1), Stabilisation::baumgarte).find("by itself") !=
          std::string::npos);
    Builder geared = joined_pair(JointKind::revolute, 1);
    geared.joints[0].laws.resize(1);
    geared.joints[0].laws[0].armature = 0.1;
    CHECK(reason(geared).find("inertia of a drive") != std::string::npos);

    auto sim = Simulation::start(built(some_tree(3, 1)), run_with(Method::splitting, 5, 100));
    REQUIRE(sim);
    const auto ended = sim->step();
    REQUIRE(ended);
    CHECK(ended->find("take a smaller step") != std::string::npos);
    CHECK(sim->state().step == 0);
}
