// SPDX-License-Identifier: MIT
// One model, two formulations: every body with six freedoms and joints as rows, or joint
// coordinates. They agree as far as the integrator goes, and so do their books.

#include "formulations.hpp"
#include "poinsot/integrate/stiff.hpp"
#include "poinsot/step/acting.hpp"
#include "poinsot/step/both.hpp"

using namespace poinsot;

namespace {

RunSettings settings(Formulation formulation, Method method, double h, double until)
{
    RunSettings run;
    run.step.h = h;
    run.step.method = method;
    run.step.formulation = formulation;
    run.until = until;
    run.ledger.detail = Postings::Detail::bodies;
    return run;
}

} // namespace

TEST_CASE("Two formulations of any tree agree, and come closer with the fourth power of the step")
{
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
        CAPTURE(seed);
        const auto model = built(some_tree(5, seed));
        const auto apart = [&](double h) {
            return difference(
                ran(model, settings(Formulation::maximal, Method::runge_kutta4, h, 0.2)).placed(),
                ran(model, settings(Formulation::reduced, Method::runge_kutta4, h, 0.2)).placed());
        };
        const double coarse = apart(2e-3), fine = apart(1e-3);
        CAPTURE(coarse);
        CAPTURE(fine);
        // Random trees of random frames turn at tens of rad/s: 1e-6 is their RK4's error at 1 ms.
        CHECK(fine < 1e-6);
        CHECK(coarse / fine > 8);
    }
}

TEST_CASE("Springs, dampers, motors and friction on coordinates act alike in both formulations")
{
    Builder b = some_tree(4, 17);
    Dice dice(5);
    for (Joint& joint : b.joints) {
        joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
        for (CoordinateLaw& law : joint.laws) {
            law.stiffness = dice.uniform(1, 5);
            law.rest = dice.uniform(-1, 1);
            law.damping = dice.uniform(0, 0.5);
            law.friction = 0.2;
            law.slip_speed = 0.5;
            law.motor = Motor{Motor::Kind::position, {0.3, 0, 0.2, 1.5, 0.1}, 2.0, 0.3, 0.8};
        }
    }
    const auto model = built(b);
    const Simulation one =
        ran(model, settings(Formulation::maximal, Method::runge_kutta4, 1e-3, 0.2));
    const Simulation two =
        ran(model, settings(Formulation::reduced, Method::runge_kutta4, 1e-3, 0.2));
    CHECK(difference(one.placed(), two.placed()) < 1e-6);
    // Work by cause is the same work.
    for (const Cause cause : {Cause::gravity, Cause::spring, Cause::damper, Cause::motor}) {
        INFO(name_of(cause));
        const double w1 = one.ledger().books().total.posted[index_of(cause)].work;
        const double w2 = two.ledger().books().total.posted[index_of(cause)].work;
        CHECK(near(w1, w2, 1e-6, 1.0));
        CHECK(w1 != 0.0);
    }
}

TEST_CASE("Motors of force, velocity and position, bounded or not, act alike in both formulations")
{
    for (const Motor::Kind kind :
         {Motor::Kind::force, Motor::Kind::velocity, Motor::Kind::position}) {
        std::array<Placed, 2> free_end; // without and with a bound
        for (const bool bounded : {false, true}) {
            INFO(static_cast<int>(kind), bounded ? " bounded" : "");
            Builder b = some_tree(4, 17);
            for (Joint& joint : b.joints) {
                joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
                for (CoordinateLaw& law : joint.laws) {
                    law.motor = Motor{kind, {0.8, 0.5, 0.6, 1.5, 0.1}, 2.0, 0.3};
                    if (bounded)
                        law.motor->most = 0.5;
                }
            }
            const auto model = built(b);
            const Simulation one =
                ran(model, settings(Formulation::maximal, Method::runge_kutta4, 1e-3, 0.2));
            const Simulation two =
                ran(model, settings(Formulation::reduced, Method::runge_kutta4, 1e-3, 0.2));
            CHECK(difference(one.placed(), two.placed()) < 1e-6);
            const auto work = [](const Simulation& sim) {
                return sim.ledger().books().total.posted[index_of(Cause::motor)].work;
            };
            CHECK(near(work(one), work(two), 1e-6, 1.0));
            CHECK(work(one) != 0.0);
            free_end[bounded] = one.placed();
        }
        CHECK(difference(free_end[0], free_end[1]) > 1e-3); // the bound is reached
    }
}

TEST_CASE("A motor at the end of its strength pushes with that, whatever its kind: x = F t²/2m")
{
    const double most = 1.5, m = 2, until = 0.8;
    for (const Motor::Kind kind :
         {Motor::Kind::force, Motor::Kind::velocity, Motor::Kind::position})
        for (const double sign : {1.0, -1.0})
            for (const Formulation f : both) {
                INFO(static_cast<int>(kind), " ", sign, " ", name_of(f));
                Builder b;
                b.add(body_with("sledge", m, diagonal(0.1, 0.1, 0.1), zero3<double>(),
                                zero3<double>()));
                Joint rail;
                rail.name = "rail";
                rail.kind = JointKind::prismatic;
                rail.b = 0;
                rail.laws.resize(1);
                rail.laws[0].motor = Motor{kind, {sign * 100}, 1000, 1, most}; // far out of reach
                b.add(rail);
                const Simulation sim =
                    ran(built(b), settings(f, Method::runge_kutta4, 1e-2, until));
                const double x = sign * most * until * until / (2 * m);
                CHECK(near(sim.placed().joints[0].q[0], x, 1e-14));
                CHECK(near(sim.ledger().books().total.posted[index_of(Cause::motor)].work,
                           sign * most * x, 1e-13));
            }
}

TEST_CASE("A drive's inertia is felt alike: armature as a soft row, and in the mass matrix")
{
    Builder b = some_tree(4, 23);
    for (Joint& joint : b.joints) {
        joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
        for (CoordinateLaw& law : joint.laws)
            law.armature = 0.7;
    }
    const auto model = built(b);
    const auto state = [&](Formulation f) {
        return ran(model, settings(f, Method::runge_kutta4, 1e-3, 0.2)).placed();
    };
    CHECK(difference(state(Formulation::maximal), state(Formulation::reduced)) < 1e-6);
}

TEST_CASE(
    "With a drive's inertia the books close, T + stores stay, and A q̇²/2 is one of the stores")
{
    Builder b = some_tree(4, 23);
    for (Joint& joint : b.joints) {
        joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
        for (CoordinateLaw& law : joint.laws)
            law.armature = 0.7;
    }
    const auto model = built(b);
    const auto energy = [&](const Placed& placed) {
        return kinetic_energy(placed.bodies) + stores_of(*model, placed).total();
    };
    const auto in_drives = [&](const Placed& placed) {
        double sum = 0;
        for (std::size_t j = 0; j < placed.joints.size(); ++j)
            for (std::size_t k = 0; k < model->joints()[j].laws.size(); ++k)
                sum += 0.5 * model->joints()[j].laws[k].armature * placed.joints[j].speed[k] *
                       placed.joints[j].speed[k];
        return sum;
    };
    for (const Formulation f : both) {
        INFO(name_of(f));
        struct Lost {
            double energy, books, size, drives;
        };
        const auto lost = [&](double h) {
            const auto run = settings(f, Method::runge_kutta4, h, 0.5);
            auto start = Simulation::start(model, run);
            REQUIRE(start);
            const Simulation end = ran(model, run);
            const Books& books = end.ledger().books();
            const double gained = in_drives(end.placed()) - in_drives(start->placed());
            CHECK(near(books.closing_stores.rotor, in_drives(end.placed()), 1e-14));
            // the work of the line is the integral of A q̈ q̇ by the method, the gain is exact
            CHECK(near(-books.total.posted[index_of(Cause::rotor)].work, gained, 1e-7,
                       books.scale_E));
            CHECK(std::abs(books.total.residual.stores.rotor) < 1e-7 * books.scale_E);
            return Lost{std::abs(energy(end.placed()) - energy(start->placed())),
                        std::abs(books.total.residual.E()), books.scale_E, in_drives(end.placed())};
        };
        const Lost coarse = lost(2e-3), fine = lost(1e-3);
        INFO(coarse.energy, " ", fine.energy, "; ", coarse.books, " ", fine.books);
        CHECK(fine.drives > 0.01 * fine.size); // the drives hold a part of it that counts
        CHECK(fine.energy < 1e-8 * fine.size);
        CHECK(fine.books < 1e-8 * fine.size);
        CHECK(coarse.energy / fine.energy > 8);
        CHECK(coarse.books / fine.books > 8);
    }
}

TEST_CASE("Reduced coordinates: the books of every body close to the error of the integrator")
{
    const auto model = built(some_tree(5, 3));
    const auto residuals = [&](double h) {
        const Simulation sim =
            ran(model, settings(Formulation::reduced, Method::runge_kutta4, h, 0.2));
        double worst = 0;
        for (const Account& account : sim.ledger().books().bodies)
            worst = std::max({worst, norm(account.residual.p), norm(account.residual.spin)});
        return worst;
    };
    const double coarse = residuals(2e-3), fine = residuals(1e-3);
    CAPTURE(coarse);
    CAPTURE(fine);
    CHECK(fine < 1e-6);
    CHECK(coarse / fine > 8);
}

TEST_CASE("Reactions are the same in both formulations: what the world gives to the tree")
{
    const auto model = built(some_tree(5, 9));
    const auto impulse = [&](Formulation f) {
        const Simulation sim = ran(model, settings(f, Method::runge_kutta4, 1e-3, 0.2));
        return sim.ledger().books().total.posted[index_of(Cause::joint)];
    };
    const Posting one = impulse(Formulation::maximal), two = impulse(Formulation::reduced);
    CHECK(near(norm(one.J - two.J), 0, 1e-6, 1.0));
    CHECK(near(norm((one.K + one.S) - (two.K + two.S)), 0, 1e-6, 1.0));
    CHECK(norm(one.J) > 1.0);
}

TEST_CASE("Every joint of any tree or loop carries the same wrench in both formulations")
{
    for (const int loops : {0, 1, 3})
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            INFO(loops, " loops, seed ", seed);
            const auto model =
                built(loops == 0 ? some_tree(12, seed) : some_loops(12, loops, seed));
            const JointLoads one(*model, Formulation::maximal), two(*model, Formulation::reduced);
            // Of joints that repeat each other every formulation has its own share.
            const std::vector<bool> unique = reactions_unique(*model);
            double apart = 0, size = 0;
            int compared = 0;
            for (std::size_t j = 0; j < unique.size(); ++j) {
                const V3 at = one.placed().joints[j].x_b;
                const Wrench<double> W = one.reaction(static_cast<int>(j), at),
                                     V = two.reaction(static_cast<int>(j), at);
                size = std::max({size, norm(W.F), norm(W.tau)});
                if (!unique[j])
                    continue;
                apart = std::max({apart, norm(W.F - V.F), norm(W.tau - V.tau)});
                ++compared;
            }
            CHECK(compared >= (loops == 0 ? 12 : 7));
            const Bound at(model);
            std::vector<MovingMass> masses;
            masses_of(at.placed, masses);
            Direct dense;
            dense.factorise(at.rows, masses);
            // Rounding of the equations, magnified by their condition; measured: a sixth of it.
            const double condition = condition_of(dense);
            CHECK(condition < 1e6);
            CHECK(apart <= std::numeric_limits<double>::epsilon() * condition * size);
        }
}

TEST_CASE("A four-bar of redundant hinges moves alike in both formulations")
{
    const auto model = built(parallelogram());
    CHECK(model->tree().rows.size() == 1);
    const auto at = [&](Formulation f, double h) {
        return ran(model, settings(f, Method::runge_kutta4, h, 1.0)).placed();
    };
    const Placed fine = at(Formulation::reduced, 5e-4);
    // A parallelogram: the coupler stays level, and all has the speed of one crank.
    CHECK(near(norm(fine.bodies[1].omega), 0, 1e-12, 1.0));
    const double coarse =
        difference(at(Formulation::maximal, 2e-3), at(Formulation::reduced, 2e-3));
    const double half = difference(at(Formulation::maximal, 1e-3), at(Formulation::reduced, 1e-3));
    CAPTURE(coarse);
    CAPTURE(half);
    CHECK(half < 1e-9);
    CHECK(coarse / half > 8);
}

TEST_CASE("A gear and a prescribed coordinate act alike in both formulations")
{
    const auto model = built(driven_and_geared());
    const auto run = [&](Formulation f) {
        return ran(model, settings(f, Method::runge_kutta4, 1e-3, 1));
    };
    const Simulation one = run(Formulation::maximal), two = run(Formulation::reduced);
    CHECK(difference(one.placed(), two.placed()) < 1e-9);
    CHECK(near(one.placed().joints[0].q[0], 1.3, 1e-13, 1.0));
    CHECK(near(two.placed().joints[0].q[0], 1.3, 1e-13, 1.0));
    const Placed end = two.placed();
    CHECK(near(end.joints[2].q[0] - 0.3, 0.1 * (end.joints[1].q[0] - 0.3), 1e-13, 1.0));
    // The drive's work is the same.
    CHECK(near(one.ledger().books().total.posted[index_of(Cause::motor)].work,
               two.ledger().books().total.posted[index_of(Cause::motor)].work, 1e-8, 1.0));
}

TEST_CASE("Adams's formulas and backward differences come to one motion in both formulations")
{
    if (!stiff_available())
        SKIP_TEST("built without SUNDIALS");
    // Trees have balls, bodies that float and joints of several coordinates; the parallelogram
    // has a loop with rows that repeat others, the last one a gear and a prescribed coordinate.
    for (const auto& model : {built(some_tree(6, 4)), built(some_tree(6, 11)),
                              built(parallelogram()), built(driven_and_geared())}) {
        CAPTURE(model->bodies()[0].name);
        auto run = settings(Formulation::reduced, Method::adaptive, 0.05, 0.5);
        run.step.tolerance = {1e-13, 1e-14, 1000000};
        const Placed truth = ran(model, run).placed();
        for (const Method method : {Method::adams, Method::bdf})
            for (const Formulation f : both) {
                INFO(facts_of(method).name, " ", name_of(f));
                const auto error = [&](double tolerance) {
                    RunSettings to = settings(f, method, 0.05, 0.5);
                    to.step.tolerance = {tolerance, 1e-3 * tolerance, 1000000};
                    const Simulation sim = ran(model, to);
                    const Books& books = sim.ledger().books();
                    // Quadratures share the steps of the motion, and its error. A step of 50 ms
                    // starts anew with the first order: a few hundred tolerances in all.
                    CHECK(std::abs(books.total.residual.E()) < 1e3 * tolerance * books.scale_E);
                    for (const Account& account : books.bodies) {
                        CHECK(norm(account.residual.p) < 1e3 * tolerance * books.scale_p);
                        CHECK(norm(account.residual.spin) < 1e3 * tolerance * books.scale_spin);
                    }
                    return difference(sim.placed(), truth);
                };
                const double coarse = error(1e-6), fine = error(1e-9);
                CAPTURE(coarse);
                CAPTURE(fine);
                CHECK(fine < 1e-6);
                CHECK(coarse / fine > 30); // of a thousand
            }
    }
}

TEST_CASE("Backward differences in joint coordinates: steps go by the motion, not by the stiffness")
{
    if (!stiff_available())
        SKIP_TEST("built without SUNDIALS");
    // A pendulum of two rods whose second hinge is held by a spring and damper that would ring
    // with 1e5 rad/s; an explicit method needs 30 steps to a radian of that.
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    for (const char* name : {"upper", "lower"})
        b.add(body_with(name, 1, diagonal(0.1, 0.1, 0.1), zero3<double>(), zero3<double>()));
    b.add(hinge("shoulder", world, zero3<double>(), 0, {0, 0.5, 0}));
    b.add(hinge("elbow", 0, {0, -0.5, 0}, 1, {0, 0.5, 0}));
    b.joints[0].start = b.joints[1].start = {0.3};
    b.joints[1].laws.resize(1);
    b.joints[1].laws[0].stiffness = 1e9;
    b.joints[1].laws[0].damping = 1e5;
    b.joints[1].laws[0].rest = 0.3;
    const auto model = built(b);
    const auto evaluations = [&](Method method) {
        RunSettings run = settings(Formulation::reduced, method, 0.1, 0.1);
        run.step.tolerance = {1e-6, 1e-9, 10000000};
        auto state = start_of(*model, FormKind::momentum, Formulation::reduced);
        const Input nothing;
        Workspace w(*model, nothing, Postings::Detail::totals);
        const StepReport report = smooth_step(state, run.step, w);
        REQUIRE(report.failure == nullptr);
        return report.evaluations;
    };
    const int stiff = evaluations(Method::bdf), not_stiff = evaluations(Method::adaptive);
    CAPTURE(stiff);
    CAPTURE(not_stiff);
    CHECK(stiff * 20 < not_stiff);
}

TEST_CASE("Gauss: no drift of energy, order eight, and the same bits when resumed")
{
    const auto model = built(some_tree(3, 31));
    const auto at = [&](double h) {
        return ran(model, settings(Formulation::reduced, Method::gauss, h, 1));
    };
    const Placed truth = at(1e-3).placed();
    const double coarse = difference(at(0.05).placed(), truth);
    const double fine = difference(at(0.025).placed(), truth);
    CAPTURE(coarse);
    CAPTURE(fine);
    CHECK(std::log2(coarse / fine) > 7.3);
    CHECK(difference(
              ran(model, settings(Formulation::reduced, Method::runge_kutta4, 1e-3, 1)).placed(),
              truth) < 1e-7);
    const Simulation sim = at(1e-3);
    CHECK(std::abs(sim.ledger().books().total.residual.E()) < 1e-10 * sim.ledger().books().scale_E);

    auto whole = Simulation::start(model, settings(Formulation::reduced, Method::gauss, 1e-3, 1));
    auto resumed = Simulation::start(model, settings(Formulation::reduced, Method::gauss, 1e-3, 1));
    REQUIRE(whole);
    REQUIRE(resumed);
    for (int i = 0; i < 50; ++i)
        REQUIRE_FALSE(whole->step());
    resumed->resume(whole->checkpoint());
    for (int i = 0; i < 50; ++i) {
        REQUIRE_FALSE(whole->step());
        REQUIRE_FALSE(resumed->step());
    }
    CHECK(hash_of(whole->state()) == hash_of(resumed->state()));
}

TEST_SUITE("slow")
{
    TEST_CASE("Gentle scenes: both formulations agree to 1e-8 through ten seconds of RK4 at 1 ms")
    {
        std::vector<std::pair<std::string, std::shared_ptr<const Model>>> gentle;
        for (const std::size_t rods : {1u, 2u, 3u}) { // all in line, 30 degrees from straight down
            Builder b = scene_description("five_link_chain");
            b.bodies.resize(rods);
            b.joints.resize(rods);
            b.joints.front().start = {-M_PI / 3};
            gentle.emplace_back(text_of("pendulum of ", rods, rods > 1 ? " rods" : " rod"),
                                built(b));
        }
        gentle.emplace_back("A01", scene("simple_pendulum"));
        gentle.emplace_back("A02, two windows", scene("four_bar"));
        for (const auto& one : gentle) {
            INFO(one.first);
            auto sim = SideBySide::start(
                one.second, run_in(Formulation::maximal, Method::runge_kutta4, 1e-3, 10));
            REQUIRE(sim);
            double p = 0, L = 0; // how large they get
            while (!sim->done()) {
                if (const auto ended = sim->step())
                    FAIL(*ended);
                const Placed now = sim->reduced().placed();
                V3 p_now = zero3<double>(), L_now = p_now;
                for (const PlacedBody& body : now.bodies) {
                    p_now += body.p;
                    L_now += body.L + cross(body.x, body.p);
                }
                p = std::max(p, norm(p_now));
                L = std::max(L, norm(L_now));
            }
            const Differences& d = sim->differences();
            const double end = difference(sim->maximal().placed(), sim->reduced().placed());
            measured({{"table", "agreement"},
                      {"case", one.first},
                      {"position", d.position.largest},
                      {"attitude", d.attitude.largest},
                      {"end", end}});
            CHECK(d.position.largest < 1e-8);
            CHECK(d.attitude.largest < 1e-8);
            CHECK(d.velocity.largest < 1e-8);
            CHECK(d.angular_velocity.largest < 1e-8);
            CHECK(d.energy.largest < 1e-8);
            // Of what they are. The bars of A02 have 24 kg m/s together, on which the two differ by
            // 1.0e-8: RK4's error of phase in maximal coordinates, which is 1.1e-8 by step halving.
            CHECK(d.p.largest < 1e-8 * p);
            CHECK(d.L.largest < 1e-8 * L);
            CHECK(end < 1e-8);
        }
    }
}
