// SPDX-License-Identifier: MIT
// Limits of several joints at once: arms, loops, coupled joints and trees; and what takes no stop.

#include "stops.hpp"

#include "poinsot/integrate/event.hpp"
#include "poinsot/integrate/stiff.hpp"

using namespace poinsot;
using namespace poinsot::stop_tests;

TEST_CASE("A stop of the second joint of an arm gives the impulse that the mass matrix says")
{
    // M Δq̇ = (0, Λ), with Δq̇₂ = −(1 + e) q̇₂:  Λ = Δq̇₂/(M⁻¹)₂₂,  Δq̇₁ = (M⁻¹)₁₂ Λ
    const double m_1 = 1.2, m_2 = 0.7, l_1 = 0.5, l_2 = 0.6, q_2 = 0.8, e = 0.4;
    const double speeds[] = {0.9, 2.1};
    Builder b = arm(0.3, q_2 - 1e-9, speeds[0], speeds[1]);
    b.joints[1].laws[0].upper = q_2;
    b.joints[1].laws[0].restitution = e;
    const double I_1 = m_1 * l_1 * l_1 / 12, I_2 = m_2 * l_2 * l_2 / 12, c = std::cos(q_2);
    const double M_22 = I_2 + m_2 * l_2 * l_2 / 4;
    const double M_12 = M_22 + m_2 * l_1 * l_2 / 2 * c;
    const double M_11 = I_1 + m_1 * l_1 * l_1 / 4 + m_2 * l_1 * l_1 + M_22 + m_2 * l_1 * l_2 * c;
    const double det = M_11 * M_22 - M_12 * M_12;
    const double Lambda = -(1 + e) * speeds[1] * det / M_11;
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, 2e-9, 2e-9));
        CHECK(near(speed_of(sim, 1), -e * speeds[1], 1e-7)); // 2 ns of swinging on
        CHECK(near(speed_of(sim, 0), speeds[0] - M_12 / det * Lambda, 1e-7));
        const Books& books = sim.ledger().books();
        // The stop's torque is on the lower arm, and its opposite on the upper one.
        CHECK(near(books.bodies[1].posted[index_of(Cause::limit)].S.z, Lambda, 1e-7));
        CHECK(near(books.bodies[0].posted[index_of(Cause::limit)].S.z, -Lambda, 1e-7));
        CHECK(near(posted(sim, Cause::limit).work, 0.5 * (1 - e) * speeds[1] * Lambda, 1e-7));
        CHECK(norm(posted(sim, Cause::limit).S) < 1e-15);
        CHECK(norm(posted(sim, Cause::limit).J) < 1e-15);
        check_books(sim, 1e-12);
        for (const Account& account : books.bodies) {
            CHECK(norm(account.residual.p) < 1e-14);
            CHECK(norm(account.residual.spin) < 1e-14);
            CHECK(std::abs(account.residual.T) < 1e-14);
        }
    }
}

TEST_CASE("Two joints that reach their stops together come to rest together")
{
    // Both limits at once, without restitution: the arm becomes one body at rest.
    Builder b = arm(-1e-3, -2e-3, 1, 2);
    b.joints[0].laws[0].upper = b.joints[1].laws[0].upper = 0;
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        const auto model = built(b);
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 1e-3, 0.1));
        // Nothing presses, so nothing holds them: they touch, and rest.
        CHECK(std::abs(q_of(sim, 0)) + std::abs(q_of(sim, 1)) < 1e-5);
        CHECK(near(posted(sim, Cause::limit).work, -sim.ledger().books().total.opening.T, 1e-5));
        check_books(sim, 1e-6);
    }
    // Two slides in a row that fall on their stops: nothing changes but that there are two.
    Builder two = block(-0.5, 0.5);
    two.add(body_with("upper", 1, diagonal(1.0, 1.0, 1.0), zero3<double>(), zero3<double>()));
    Joint slide = two.joints[0];
    slide.name = "second";
    slide.b = 1;
    two.add(slide);
    for (const Formulation f : formulations) {
        const Simulation sim = ran(built(two), run_in(f, Method::runge_kutta4, 0.01, 1.7));
        CHECK(sim.state().standing.size() == 2);
        CHECK(near(posted(sim, Cause::limit).J.z, 3 * g * 1.7, 1e-11));
        check_books(sim, 1e-10);
    }
}

TEST_CASE("An arm that falls against several stops moves alike in both formulations, order kept")
{
    Builder b = arm(0.4, 0.3, 0, 0);
    b.gravity.uniform = {0, -g, 0};
    b.joints[0].laws[0].lower = -0.5;
    b.joints[0].laws[0].restitution = 0.5;
    b.joints[1].laws[0].lower = -0.1;
    b.joints[1].laws[0].upper = 0.6;
    b.joints[1].laws[0].restitution = 0.7;
    const auto model = built(b);
    const double until = 1.6;
    const auto at = [&](Formulation f, Method method, double h) {
        const Simulation sim = ran(model, run_in(f, method, h, until));
        check_books(sim, 1e-4);
        return sim.placed();
    };
    const Placed best = at(Formulation::reduced, Method::adaptive, 0.01);
    CHECK(difference(at(Formulation::maximal, Method::adaptive, 0.01), best) < 1e-8);
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        const double coarse = difference(at(f, Method::runge_kutta4, 4e-3), best),
                     fine = difference(at(f, Method::runge_kutta4, 2e-3), best);
        INFO(coarse, " ", fine);
        CHECK(fine < 1e-6);
        CHECK(std::log2(coarse / fine) > 3.3);
    }
}

TEST_CASE("A joint of a closed loop has its stops too")
{
    // A four-bar whose rocker may not swing out: the whole loop is struck.
    Builder b;
    b.gravity.uniform = {0, -g, 0};
    const std::array<V3, 4> pins{{{0, 0, 0}, {0.1, 0.3, 0}, {0.6, 0.4, 0}, {0.7, 0, 0}}};
    for (const std::size_t i : {0u, 1u, 2u}) {
        const V3 middle = 0.5 * (pins[i] + pins[i + 1]);
        Body bar = body_with(text_of("bar ", i).c_str(), 1 + 0.2 * static_cast<double>(i),
                             diagonal(0.02, 0.03, 0.03), zero3<double>(), zero3<double>());
        bar.pose.x = middle;
        b.add(bar);
    }
    for (const std::size_t i : {0u, 1u, 2u, 3u}) {
        Joint pin;
        pin.name = text_of("pin ", i);
        pin.a = static_cast<int>(i) - 1;
        pin.b = i == 3 ? world : static_cast<int>(i);
        const auto local = [&](int body) {
            return body == world ? pins[i]
                                 : pins[i] - b.bodies[static_cast<std::size_t>(body)].pose.x;
        };
        pin.frame_a.x = local(pin.a);
        pin.frame_b.x = local(pin.b);
        pin.laws.resize(1);
        b.add(pin);
    }
    b.joints[0].laws[0].lower = -0.6;
    b.joints[0].laws[0].restitution = 0.5;
    const auto model = built(b);
    const auto at = [&](Formulation f, double h) {
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, h, 0.8));
        CHECK(posted(sim, Cause::limit).work < -1e-3);
        CHECK(q_of(sim) > -0.6 - 1e-10);
        check_books(sim, 1e-5);
        return sim.placed();
    };
    const Placed best = at(Formulation::reduced, 5e-4);
    CHECK(difference(at(Formulation::maximal, 5e-4), best) < 1e-7);
    for (const Formulation f : formulations) {
        const double coarse = difference(at(f, 4e-3), best), fine = difference(at(f, 2e-3), best);
        INFO(coarse, " ", fine);
        CHECK(std::log2(coarse / fine) > 3.3);
    }
}

TEST_CASE("Stops of coupled joints may say the same twice")
{
    // A gear makes one of two wheels; both have a stop at the same place.
    Builder b;
    for (const char* name : {"one", "two"}) {
        Body wheel = body_with(name, 1, diagonal(0.1, 0.1, 0.2), zero3<double>(), {0, 0, -1});
        b.add(wheel);
        Joint axle;
        axle.name = text_of("axle of ", name);
        axle.b = static_cast<int>(b.bodies.size()) - 1;
        axle.frame_a.x = axle.frame_b.x = zero3<double>();
        axle.laws.resize(1);
        axle.laws[0].lower = -0.5;
        axle.laws[0].restitution = 0.5;
        b.add(axle);
    }
    b.gears.push_back({"pair", 0, 0, 1, 0, 1});
    for (const Formulation f : formulations) {
        const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, 0.01, 1.5));
        CHECK(near(q_of(sim, 0), -0.5 + 0.5, 1e-10, 1)); // there at 0.5 s, back with half the speed
        CHECK(near(q_of(sim, 1), 0, 1e-10, 1));
        CHECK(near(posted(sim, Cause::limit).S.z, 2 * 0.2 * 1.5, 1e-10));
        check_books(sim, 1e-10);
    }
    // Thrown back by one and stopped by the other: that which gives more decides.
    b.joints[1].laws[0].restitution = 0;
    for (const Formulation f : formulations)
        CHECK(near(speed_of(ran(built(b), run_in(f, Method::runge_kutta4, 0.01, 1))), 0.5, 1e-10));
}

TEST_CASE("A gap that closes and opens again within one step is seen")
{
    // A block thrown up against a ceiling, which it would pass for 40 ms in steps of 100 ms.
    for (const Formulation f : formulations) {
        INFO(name_of(f));
        Builder b = block(-10);
        const double v = 2.6, top = v * v / (2 * g) - 0.5 * g * 0.02 * 0.02;
        b.joints[0].start_speed = {v};
        b.joints[0].laws[0].upper = top;
        b.joints[0].laws[0].restitution = 1;
        b.joints[0].start = {0};
        const double touch = v / g - 0.02;
        REQUIRE(std::floor(touch / 0.1) == std::floor((touch + 0.04) / 0.1));
        const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, 0.1, 0.5));
        const double t = 0.5 - touch, u = -(v - g * touch);
        CHECK(near(q_of(sim), top + u * t - 0.5 * g * t * t, 1e-10));
    }
}

TEST_CASE("A coordinate that starts at its limit stands there from the first step")
{
    for (const double beside : {0.0, 3e-7, -3e-7}) // as far as digits are typed
        for (const Formulation f : formulations) {
            INFO(name_of(f), " ", beside);
            const auto model = built(block(beside));
            const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 0.01, 0.1));
            CHECK(sim.state().standing.size() == 1);
            CHECK(near(q_of(sim), beside, 1e-12, 1));
            CHECK(near(posted(sim, Cause::limit).J.z, 2 * g * 0.1, 1e-11));
            CHECK(std::abs(posted(sim, Cause::limit).work) < 1e-5);
            CHECK(std::abs(posted(sim, Cause::stabilisation).work) < 1e-5);
        }
    // Pulled inwards, it leaves.
    Builder b = block(0);
    b.gravity.uniform = {0, 0, 1};
    for (const Formulation f : formulations) {
        const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, 0.01, 1));
        CHECK(near(q_of(sim), 0.5, 1e-12));
        CHECK(sim.state().standing.empty());
        CHECK(posted(sim, Cause::limit).J.z == 0);
    }
    // Without a force it does neither.
    b.gravity.uniform = zero3<double>();
    CHECK(ran(built(b), run_in(Formulation::reduced, Method::runge_kutta4, 0.01, 1)).done());
}

TEST_CASE("A coordinate outside of its limits is not stopped, and the run says so")
{
    Builder b = block(0.1);
    for (const Formulation f : formulations) {
        auto sim = Simulation::start(built(b), run_in(f, Method::runge_kutta4, 0.01, 1));
        REQUIRE(sim);
        const auto ended = sim->step();
        REQUIRE(ended);
        CHECK(ended->find("joint 'slide' has reached its limit 0.1") != std::string::npos);
        CHECK(ended->find("it was at 0 before this step") != std::string::npos);
        CHECK(q_of(*sim) == 0);
    }
}

TEST_CASE("An integrator that takes no impact ends the run at the limit and says which do")
{
    for (const auto& [f, method, word] :
         {std::tuple(Formulation::reduced, Method::gauss, "gauss does not take in reduced"),
          {Formulation::reduced, Method::midpoint, "midpoint does not take in reduced"},
          {Formulation::maximal, Method::splitting, "splitting does not take in maximal"}}) {
        auto sim = Simulation::start(built(block(-0.7)), run_in(f, method, 0.01, 1));
        REQUIRE(sim);
        std::optional<std::string> ended;
        while (!sim->done() && !ended)
            ended = sim->step();
        REQUIRE(ended);
        INFO(*ended);
        CHECK(ended->find("joint 'slide' has reached its limit -0.7 (coordinate 1 would be ") !=
              std::string::npos);
        CHECK(ended->find(word) != std::string::npos);
        CHECK(ended->find("use one of explicit_euler, symplectic_euler") != std::string::npos);
        CHECK(ended->find("runge_kutta4, adaptive") != std::string::npos);
        CHECK(q_of(*sim) > -0.7);
    }
    // A prescribed motion is not to be stopped.
    Builder b = block(-0.7);
    b.joints[0].laws[0].prescribed = Course{0, -1};
    b.joints[0].start_speed = {-1};
    auto sim = Simulation::start(built(b), run_with(Method::runge_kutta4, 0.01, 1));
    REQUIRE(sim);
    std::optional<std::string> ended;
    while (!sim->done() && !ended)
        ended = sim->step();
    REQUIRE(ended);
    CHECK(ended->find("its prescribed motion leads there") != std::string::npos);
    // Nor is one that hangs on such a motion by a gear.
    b.add(body_with("geared", 1, diagonal(1.0, 1.0, 1.0), {0, 0, -1}, zero3<double>()));
    Joint slide = b.joints[0];
    b.joints[0].laws[0].lower = -10;
    slide.name = "follower";
    slide.b = 1;
    slide.laws[0].prescribed = {};
    b.add(slide);
    b.gears.push_back({"gear", 0, 0, 1, 0, 1});
    for (const Formulation f : formulations) {
        auto geared = Simulation::start(built(b), run_in(f, Method::runge_kutta4, 0.01, 1));
        REQUIRE(geared);
        ended.reset();
        while (!geared->done() && !ended)
            ended = geared->step();
        REQUIRE(ended);
        INFO(*ended);
        CHECK(ended->find("driven through its limit by what else binds it") != std::string::npos);
    }
}

TEST_CASE("A run taken up while a coordinate stands at its stop has the same bits")
{
    Builder b = arm(0.4, 0.3, 0, 0);
    b.gravity.uniform = {0, -g, 0};
    b.joints[0].laws[0].lower = -0.2;
    b.joints[1].laws[0].upper = 0.6;
    const auto model = built(b);
    for (const Formulation f : formulations) {
        const RunSettings run = run_in(f, Method::runge_kutta4, 0.01, 2);
        auto one = Simulation::start(model, run);
        REQUIRE(one);
        while (one->state().standing.empty())
            REQUIRE_FALSE(one->step());
        auto two = Simulation::start(model, run);
        REQUIRE(two);
        two->resume(one->checkpoint());
        while (!one->done()) {
            REQUIRE_FALSE(one->step());
            REQUIRE_FALSE(two->step());
            REQUIRE(one->state() == two->state());
        }
        CHECK(hash_of(one->state()) == hash_of(two->state()));
        CHECK(one->ledger().books().total.residual.T == two->ledger().books().total.residual.T);
        // Where it stands is part of the hash.
        State moved = one->state();
        moved.standing.push_back({1, 0, true});
        CHECK(hash_of(moved) != hash_of(one->state()));
    }
}

TEST_CASE("Trees with limits on every coordinate stay within them, and no stop gives energy")
{
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 61u, 135u, 183u}) {
        const auto model = built(limited_tree(seed));
        std::array<Placed, 2> ends;
        for (const Formulation f : formulations) {
            INFO(seed, " ", name_of(f));
            auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 1e-3, 0.5));
            REQUIRE(sim);
            double outside = 0, taken = 0, given = 0;
            while (!sim->done()) {
                const auto ended = sim->step();
                if (ended)
                    FAIL(*ended);
                std::size_t at = 0;
                for (const Joint& joint : model->joints())
                    for (const CoordinateLaw& law : joint.laws) {
                        const double q = sim->state().joint_coordinates[at++];
                        outside = std::max({outside, law.lower - q, q - law.upper});
                    }
                const double work = posted(*sim, Cause::limit).work;
                given = std::max(given, work - taken);
                taken = work;
                if (sim->state().step == 60)
                    ends[f == Formulation::maximal ? 0 : 1] = sim->placed();
            }
            const Books& books = sim->ledger().books();
            CHECK(outside < 1e-11);
            CHECK(taken < 0);
            // What a row does on a motion that keeps it is rounding and the error of the stages.
            CHECK(given < 1e-9 * books.scale_E);
            CHECK(std::abs(books.total.residual.E()) < 1e-4 * books.scale_E);
            if (f == Formulation::maximal)
                CHECK(books.worst_p < 1e-11);
        }
        INFO(seed);
        CHECK(difference(ends[0], ends[1]) < 1e-5);
    }
}

TEST_CASE("Every integrator that takes stops gets through a tree of them, stabilised or not")
{
    for (const std::uint64_t seed : {23u, 30u, 40u})
        for (const Formulation f : formulations)
            for (const Method method :
                 {Method::explicit_euler, Method::symplectic_euler, Method::second_order,
                  Method::midpoint, Method::runge_kutta4, Method::adaptive})
                for (const Stabilisation by :
                     {Stabilisation::projection, Stabilisation::baumgarte, Stabilisation::none}) {
                    const auto model = built(limited_tree(seed));
                    RunSettings run = run_in(f, method, 2e-3, 0.3);
                    run.step.stabilisation = by;
                    run.step.tolerance = {1e-9, 1e-11, 1000000};
                    if (unfit(*model, run.step).any() || !takes_stops(run.step))
                        continue;
                    INFO(seed, " ", facts_of(method).name, " ", name_of(f), " ", name_of(by));
                    const Simulation sim = ran(model, run);
                    CHECK(posted(sim, Cause::limit).work < 0);
                    double outside = 0;
                    std::size_t at = 0;
                    for (const Joint& joint : model->joints())
                        for (const CoordinateLaw& law : joint.laws) {
                            const double q = sim.state().joint_coordinates[at++];
                            outside = std::max({outside, law.lower - q, q - law.upper});
                        }
                    // Where nothing puts it back, a method of first order loses ½ h² c̈ of a stop
                    // in every step: ½ T h c̈ in all, with c̈ of the size of g.
                    const double drift = 0.5 * run.until * run.step.h * g;
                    CHECK(outside < (facts_of(method).order == 1 ? drift : 1e-5));
                }
}
