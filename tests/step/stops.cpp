// SPDX-License-Identifier: MIT
// Limits push back: closed forms of impact, rest and letting go, in both formulations.

#include "stops.hpp"

#include "poinsot/integrate/event.hpp"
#include "poinsot/integrate/stiff.hpp"

using namespace poinsot;
using namespace poinsot::stop_tests;

TEST_CASE("False position finds where a function becomes negative, and no further than asked")
{
    int calls = 0;
    const auto f = [&](double x) {
        ++calls;
        return 2 - std::exp(x);
    };
    const double found = crossing(f, 0, 1, 3, 2 - std::exp(3.0), 1e-13);
    CHECK(f(found) < 0);
    CHECK(f(found - 1e-13) >= 0);
    CHECK(calls < 20);
    // A step has no slope: it is halved.
    calls = 0;
    const auto jump = [&](double x) {
        ++calls;
        return x < 0.3 ? 1.0 : -1e-9;
    };
    CHECK(near(crossing(jump, 0, 1, 1, -1e-9, 1e-13), 0.3, 1e-12));
    CHECK(calls < 180); // four to a halving
    const auto broken = [](double) { return std::nan(""); };
    CHECK(crossing(broken, 0, 1, 1, -1, 1e-13) == 1);
}

TEST_CASE("A block that falls on its stop touches in time, rests, and is carried by its weight")
{
    const double drop = 0.7, fall = std::sqrt(2 * drop / g), until = 0.6, m = 2;
    for (const Formulation f : formulations)
        for (const Method method : {Method::explicit_euler, Method::symplectic_euler,
                                    Method::second_order, Method::midpoint, Method::runge_kutta4,
                                    Method::adaptive, Method::adams, Method::bdf}) {
            RunSettings run = run_in(f, method, 0.01, until);
            const auto model = built(block(-drop));
            if (unfit(*model, run.step).any() || !takes_stops(run.step))
                continue;
            INFO(facts_of(method).name, " ", name_of(f));
            const Simulation sim = ran(model, run);
            CHECK(sim.state().standing == std::vector<Stop>{{0, 0, false}});
            CHECK(near(q_of(sim), -drop, 1e-14));
            CHECK(near(speed_of(sim), 0, 0, 1));
            // The weight's impulse is taken by the stop, all of it.
            CHECK(near(posted(sim, Cause::limit).J.z, m * g * until, 1e-11));
            CHECK(near(posted(sim, Cause::gravity).J.z, -m * g * until, 1e-12));
            check_books(sim, facts_of(method).order > 1 ? 1e-9 : 0.2);
            if (facts_of(method).order < 2)
                continue;
            // A parabola is exact: what it loses is its fall, and the stop takes it.
            CHECK(near(posted(sim, Cause::limit).work, -m * g * drop, 1e-9));
            CHECK(near(posted(sim, Cause::gravity).work, m * g * drop, 1e-9));
            run.until = 0.01 * std::floor(fall / 0.01);
            CHECK(ran(model, run).state().standing.empty());
            run.until = 0.01 * std::ceil(fall / 0.01);
            CHECK(ran(model, run).state().standing.size() == 1);
        }
}

TEST_CASE("Every form of the state is struck alike, stabilised or not")
{
    const auto model = built(block(-0.7, 0.5));
    for (const Formulation f : formulations)
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
            for (const Stabilisation by :
                 {Stabilisation::projection, Stabilisation::baumgarte, Stabilisation::none}) {
                RunSettings run = run_in(f, Method::runge_kutta4, 0.01, 2);
                run.step.form = form;
                run.step.stabilisation = by;
                if (unfit(*model, run.step).any())
                    continue;
                INFO(name_of(f), " ", name_of(form), " ", name_of(by));
                const Simulation sim = ran(model, run);
                CHECK(near(q_of(sim), -0.7, 1e-12));
                CHECK(near(posted(sim, Cause::limit).J.z, 2 * g * 2, 1e-11));
                CHECK(near(posted(sim, Cause::limit).work, -2 * g * 0.7, 1e-9));
            }
}

TEST_CASE("Bounces lose the square of the restitution in height, and end in finite time")
{
    const double drop = 0.7, e = 0.6, fall = std::sqrt(2 * drop / g), h = 0.01;
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        auto sim = Simulation::start(built(block(-drop, e)), run_in(f, Method::runge_kutta4, h, 2));
        REQUIRE(sim);
        double worst = 0, rest = 0;
        while (!sim->done()) {
            REQUIRE_FALSE(sim->step());
            // The arc that this moment is in: it begins at `from` with speed `up`.
            double from = fall, up = e * g * fall;
            while (sim->time() > from + 2 * up / g && 2 * up / g > h) {
                from += 2 * up / g;
                up *= e;
            }
            const double t = sim->time() - from;
            if (sim->time() < fall)
                worst = std::max(worst, std::abs(q_of(*sim) + 0.5 * g * sim->time() * sim->time()));
            else if (2 * up / g > h)
                worst = std::max(worst, std::abs(q_of(*sim) + drop - up * t + 0.5 * g * t * t));
            else {
                CHECK(near(q_of(*sim), -drop, 1e-12));
                rest = rest > 0 ? rest : sim->time();
            }
        }
        CHECK(worst < 1e-10);
        CHECK(sim->state().standing.size() == 1);
        // All bounces together: fall (1 + e)/(1 − e), of which those below a step are cut off.
        const double all = fall * (1 + e) / (1 - e);
        CHECK(rest < all + h);
        CHECK(rest > all - h / (1 - e) - h);
        sim->close_books();
        check_books(*sim, 1e-10);
        CHECK(near(posted(*sim, Cause::limit).work, -2 * g * drop, 1e-10));
    }
}

TEST_CASE("A pendulum with an elastic stop at the bottom keeps its energy and takes half the time")
{
    const double start = 0.9;
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        std::array<double, 2> error{};
        for (const int k : {0, 1}) {
            const double h = k == 0 ? 0.02 : 0.01;
            const Simulation stopped =
                ran(built(pendulum(start, 0, 1)), run_in(f, Method::runge_kutta4, h, 3));
            const Simulation free =
                ran(built(pendulum(start, -10, 1)), run_in(f, Method::runge_kutta4, 1e-3, 3));
            CHECK(stopped.state().standing.empty());
            // It is the mirror image of the free one.
            error[static_cast<std::size_t>(k)] =
                std::abs(std::abs(q_of(free)) - q_of(stopped)) +
                std::abs(std::abs(speed_of(free)) - std::abs(speed_of(stopped)));
            const Books& books = stopped.ledger().books();
            CHECK(std::abs(posted(stopped, Cause::limit).work) < 1e-13 * books.scale_E);
            check_books(stopped, k == 0 ? 1e-5 : 1e-6);
        }
        INFO(error[0], " ", error[1]);
        CHECK(error[1] < 2e-6);                      // as without a stop
        CHECK(std::log2(error[0] / error[1]) > 3.5); // four, through every impact
    }
}

TEST_CASE("What a stop without restitution takes is the kinetic energy, all of it")
{
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        const Simulation sim =
            ran(built(pendulum(0.9, 0.2, 0)), run_in(f, Method::adaptive, 0.01, 1));
        const Books& books = sim.ledger().books();
        CHECK(sim.state().standing.size() == 1);
        CHECK(books.total.closing.T < 1e-26);
        // All that gravity gave went into the stop, and the hinge did no work: to the tolerance.
        const double given = 1.5 * g * 0.4 * (std::cos(0.2) - std::cos(0.9));
        CHECK(near(posted(sim, Cause::gravity).work, given, 1e-10));
        CHECK(near(posted(sim, Cause::limit).work, -given, 1e-10));
        CHECK(std::abs(posted(sim, Cause::joint).work) < 1e-10);
        check_books(sim, 1e-10);
    }
}

TEST_CASE(
    "At a stop the drive stops too: the impulse is (m + A) q̇, and all of ½ (m + A) q̇² is lost")
{
    const double m = 2, A = 0.7, fall = 0.3;
    Builder b = block(-fall);
    b.joints[0].laws[0].armature = A;
    const auto model = built(b);
    const double a = m * g / (m + A), v = std::sqrt(2 * a * fall);
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        const double until = 1.25 * v / a;
        Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 1e-2, until));
        const double stood = sim.time() - v / a;
        CHECK(near(posted(sim, Cause::limit).work, -0.5 * (m + A) * v * v, 1e-9));
        CHECK(near(posted(sim, Cause::limit).J.z, (m + A) * v + m * g * stood, 1e-9));
        // the fall took A v from the body, the impact gave it back
        CHECK(near(posted(sim, Cause::rotor).J.z, 0, 1e-9, A * v));
        CHECK(near(posted(sim, Cause::rotor).work, 0, 1e-9, A * v * v));
        CHECK(near(sim.ledger().books().closing_stores.rotor, 0, 1e-20, 1.0));
        CHECK(near(sim.ledger().books().total.residual.stores.rotor, 0, 1e-12, A * v * v));
        check_books(sim, 1e-12);
    }
}

TEST_CASE("A coordinate leaves its stop when the force turns round, at that very time")
{
    // Q = −F cos ωt along a slide without weight, stop at 0: it leaves at a quarter of the period,
    //     x = F/(m ω) (cos(ωt)/ω + t − t*)
    const double F = 3, m = 2, f_Hz = 0.31, omega = 2 * M_PI * f_Hz, leaves = 0.25 / f_Hz;
    Builder b = block(0);
    b.gravity.uniform = zero3<double>();
    b.joints[0].laws[0].motor =
        Motor{Motor::Kind::force, Course{0, 0, F, f_Hz, -M_PI / 2}, 0, 0, 1e9};
    const auto model = built(b);
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        std::array<double, 2> error{};
        for (const int k : {0, 1}) {
            const Simulation sim =
                ran(model, run_in(f, Method::runge_kutta4, k == 0 ? 0.1 : 0.05, 1.5));
            const double t = sim.time();
            CHECK(sim.state().standing.empty());
            error[static_cast<std::size_t>(k)] =
                std::abs(q_of(sim) - F / (m * omega) * (std::cos(omega * t) / omega + t - leaves));
            check_books(sim, 1e-3);
        }
        CHECK(error[1] < 1e-7);
        CHECK(std::log2(error[0] / error[1]) > 3.7);
        // While it stands, the stop gives what the motor takes: ∫ F cos ωt.
        RunSettings run = run_in(f, Method::adaptive, 0.1, 0.7);
        const Simulation stands = ran(model, run);
        CHECK(stands.state().standing.size() == 1);
        CHECK(near(posted(stands, Cause::limit).J.z, F / omega * std::sin(omega * 0.7), 1e-9));
        CHECK(std::abs(posted(stands, Cause::limit).work) < 1e-20);
        run.until = 1.5;
        const Simulation left = ran(model, run);
        CHECK(near(q_of(left), F / (m * omega) * (std::cos(omega * 1.5) / omega + 1.5 - leaves),
                   1e-9));
    }
}

TEST_CASE("A load that ends inside of an adaptive step lets go there, and on the grid elsewhere")
{
    // Pressed for a while, and pulled from then on: x = (Q/2m) (t − end)².
    for (const bool on_grid : {true, false})
        for (const Formulation f : formulations) {
            const double end = on_grid ? 0.3 : 0.3217;
            Builder b = block(0);
            b.gravity.uniform = zero3<double>();
            b.loads.push_back({"press", 0, {0, 0, -5}, zero3<double>(), zero3<double>()});
            b.loads.push_back({"pull", 0, {0, 0, 4}, zero3<double>(), zero3<double>()});
            b.loads[0].until = b.loads[1].from = end;
            const Simulation sim =
                ran(built(b), run_in(f, on_grid ? Method::runge_kutta4 : Method::adaptive, 0.1, 1));
            CHECK(near(q_of(sim), 0.5 * (4.0 / 2) * (1 - end) * (1 - end), 1e-11));
            CHECK(near(posted(sim, Cause::limit).J.z, 5 * end, 1e-11));
        }
}
