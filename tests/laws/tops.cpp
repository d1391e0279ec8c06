// SPDX-License-Identifier: MIT
// Heavy tops: one point held fixed.

#include "worlds.hpp"

using namespace poinsot;

namespace {

RunSettings tight(double step, double until)
{
    RunSettings run = run_with(Method::adaptive, step, until);
    run.step.tolerance = {1e-13, 1e-14, 1000000};
    return run;
}

/// The top of an item: symmetry axis z of the body, pivot at its origin, nutation θ0 about y.
std::shared_ptr<const Model> top(const nlohmann::json& item, double theta, double phi_dot,
                                 double psi_dot)
{
    const double m = item.at("m"), l = item.at("l"),
                 I1 = item.at("I1_pivot").get<double>() - m * l * l, I3 = item.at("I3");
    const Quat<double> q = exp_quat<double>({0, theta, 0});
    const V3 axis = rotate(q, {0, 0, 1});
    const V3 omega = phi_dot * V3{0, 0, 1} + psi_dot * axis;
    Body body = body_with("top", m, diagonal(I1, I1, I3), cross(omega, l * axis), omega);
    body.mass_properties.center = {0, 0, l};
    body.pose.q = q;
    body.held = Held{};
    Builder b;
    b.add(body);
    b.gravity.uniform = {0, 0, -item.at("g").get<double>()};
    return built(b);
}

constexpr double degree = 0.017453292519943295769;

} // namespace

TEST_CASE("The heavy top of Bruls and Cardona, attitude and centre of mass against the series")
{
    const auto item = reference_items("tops.json").at("heavy_top_bruls");
    const auto I = item.at("I_cm");
    const V3 omega = vec(item.at("omega0_body")), c = vec(item.at("com_body"));
    Body body =
        body_with("top", item.at("m"), diagonal<double>(I[0], I[1], I[2]), cross(omega, c), omega);
    body.mass_properties.center = c;
    body.held = Held{};
    Builder b;
    b.add(body);
    b.gravity.uniform = item.at("g").get<double>() * vec(item.at("gravity_dir"));
    auto sim = Simulation::start(built(b), tight(0.1, 2));
    REQUIRE(sim);
    for (std::size_t k = 1; k < item.at("t").size(); ++k) {
        REQUIRE_FALSE(sim->step());
        const PlacedBody at = sim->placed().bodies[0];
        // ten times the series' own check, 2e-9
        CHECK(norm(at.x - vec(item.at("com_world").at(k))) < 2e-8);
        const auto q = std::get<MomentumBodies>(sim->state().bodies)[0].attitude;
        CHECK(angle_between(q, quat(item.at("quat_wxyz").at(k))) < 2e-8);
        CHECK(norm(at.x + at.lever(zero3<double>())) < 1e-15); // the tip stays
    }
    // Energy: kinetic and potential, what the tip's reaction cannot change.
    sim->close_books();
    const Books& books = sim->ledger().books();
    CHECK(std::abs(books.total.residual.E()) < 1e-9 * books.scale_E);
    CHECK(std::abs(books.total.posted[index_of(Cause::joint)].work) < 1e-9 * books.scale_E);
}

TEST_CASE("Cuspidal and looping tops nutate between their limits, against the series")
{
    for (const char* name : {"cuspidal", "looping"}) {
        const auto item = reference_items("tops.json").at(name);
        auto sim = Simulation::start(top(item, item.at("theta0_deg").get<double>() * degree,
                                         item.at("phidot0"), item.at("psidot0")),
                                     tight(0.05, 2));
        REQUIRE(sim);
        for (std::size_t k = 1; k < item.at("t").size(); ++k) {
            REQUIRE_FALSE(sim->step());
            // ten times the check of the series (1.6e-10)
            CHECK(norm(sim->placed().bodies[0].x - vec(item.at("com_world").at(k))) < 1.7e-9);
        }
        // limits of nutation, by a fine run
        auto fine = Simulation::start(
            top(item, item.at("theta0_deg").get<double>() * degree, item.at("phidot0"),
                item.at("psidot0")),
            run_with(Method::runge_kutta4, 1e-4, item.at("nutation_period").get<double>() * 1.01));
        REQUIRE(fine);
        double lowest = 180, highest = 0;
        while (!fine->done()) {
            REQUIRE_FALSE(fine->step());
            const V3 x = fine->placed().bodies[0].x;
            const double theta = std::acos(x.z / norm(x)) / degree;
            lowest = std::min(lowest, theta);
            highest = std::max(highest, theta);
        }
        // extremes are flat: sampled at 1e-4 s they are right to (1e-4/0.2)² of 5 degrees
        CHECK(near(highest, item.at("theta_max_deg"), 1e-6));
        CHECK(near(lowest, item.at("theta_min_deg"), 1e-5));
    }
}

TEST_CASE("Steady precession: at the slow and at the fast rate the top keeps its inclination")
{
    const auto item = reference_items("tops.json").at("steady");
    const double theta = item.at("theta_deg").get<double>() * degree, omega3 = item.at("omega3");
    for (const char* rate : {"slow_precession", "fast_precession"}) {
        const double Omega = item.at(rate);
        const double T = 2;
        const Simulation sim =
            ran(top(item, theta, Omega, omega3 - Omega * std::cos(theta)), tight(T, T));
        const V3 x = sim.placed().bodies[0].x;
        CHECK(near(std::acos(x.z / norm(x)), theta, 1e-10));
        const double azimuth = std::remainder(std::atan2(x.y, x.x) - Omega * T, 2 * M_PI);
        CHECK(std::abs(azimuth) < 1e-9); // digits of the printed rate times the time
    }
}

TEST_CASE("The reaction of a fixed point is that of the equations of motion about it")
{
    Dice dice(11);
    for (int k = 0; k < 50; ++k) {
        const V3 c = dice.vector(1), omega = dice.vector(3);
        Body body = body_with("b", dice.uniform(0.5, 3), dice.inertia(), zero3<double>(), omega);
        body.mass_properties.center = c;
        body.pose.q = dice.rotation();
        body.velocity = cross(omega, rotate(body.pose.q, c));
        body.held = Held{};
        Builder b;
        b.add(body);
        b.gravity.uniform = dice.vector(9);
        b.loads.push_back({"l", 0, dice.vector(5), dice.vector(5), dice.vector(1)});
        const auto model = built(b);
        const Placed at = place(*model, start_of(*model, FormKind::momentum));
        Loads loads;
        gather_loads(*model, at, {}, 0, 0, loads);
        const PlacedBody& p = at.bodies[0];
        // I_A α + ω × I_A ω = τ_A, then the force that is missing from m a_C
        const V3 r = p.lever(zero3<double>()); // A from C
        const Sym3<double> I_A = about_displaced(p.inertia(), p.mass.m, r);
        const V3 tau_A = shift(loads.total[0], r).tau;
        const V3 alpha = inverse(I_A) * (tau_A - cross(omega, I_A * omega));
        const V3 a_C = cross(alpha, -r) + cross(omega, cross(omega, -r));
        const V3 expected = p.mass.m * a_C - loads.total[0].F;
        add_reactions(*model, at, loads);
        CHECK(norm(loads.parts.back().wrench.F - expected) < 1e-12 * (1 + norm(expected)));
    }
}
