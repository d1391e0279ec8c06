// SPDX-License-Identifier: MIT
// Heavy tops: one point held fixed.

#include "allowed.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

RunSettings tight(double step, double until, double tolerance = 1e-13)
{
    RunSettings run = run_with(Method::adaptive, step, until);
    run.step.tolerance = {tolerance, 0.1 * tolerance, 1000000};
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

TEST_CASE("The heavy top of Bruls and Cardona: attitude, centre of mass and rates of the series")
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
        CHECK(norm(at.x - vec(item.at("com_world").at(k))) < allowed(item, 1));
        const auto q = std::get<MomentumBodies>(sim->state().bodies)[0].attitude;
        CHECK(angle_between(q, quat(item.at("quat_wxyz").at(k))) < allowed(item, 1));
        const V3 omega_b = transpose_times(at.R, at.omega);
        CHECK(norm(omega_b - vec(item.at("omega_body").at(k))) < allowed(item, 150));
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
            CHECK(norm(sim->placed().bodies[0].x - vec(item.at("com_world").at(k))) <
                  allowed(item, item.at("l")));
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

TEST_CASE("In one nutation a top comes back to its inclination and has gone round by what the "
          "quadrature says")
{
    for (const char* name : {"cuspidal", "looping"}) {
        INFO(std::string(name));
        const auto item = reference_items("tops.json").at(name);
        const double T = item.at("nutation_period");
        auto sim = Simulation::start(top(item, item.at("theta0_deg").get<double>() * degree,
                                         item.at("phidot0"), item.at("psidot0")),
                                     tight(T / 2, T, 1e-15));
        REQUIRE(sim);
        // The quadrature agrees with its own ordinary differential equation to 3e-14.
        const double close = 1e-12;
        const auto theta = [&](const V3& x) { return std::acos(x.z / norm(x)) / degree; };
        REQUIRE_FALSE(sim->step()); // half way it is lowest, and turns back
        const PlacedBody low = sim->placed().bodies[0];
        CHECK(near(theta(low.x), item.at("theta_max_deg"), close));
        CHECK(std::abs(low.v.z) < close);
        REQUIRE_FALSE(sim->step());
        const PlacedBody again = sim->placed().bodies[0];
        CHECK(near(theta(again.x), item.at("theta_min_deg"), close));
        CHECK(std::abs(again.v.z - item.at("thetadot0").get<double>()) < close);
        CHECK(near(std::atan2(again.x.y, again.x.x), item.at("precession_per_nutation_rad"), close,
                   1));
    }
}

TEST_CASE("Steady precession: at the slow and at the fast rate the top keeps its inclination")
{
    const auto item = reference_items("tops.json").at("steady");
    const double omega3 = item.at("omega3");
    const auto steady = [&](double theta, double Omega) {
        const double T = 2;
        const Simulation sim =
            ran(top(item, theta, Omega, omega3 - Omega * std::cos(theta)), tight(T, T, 1e-15));
        const V3 x = sim.placed().bodies[0].x;
        CHECK(near(std::acos(x.z / norm(x)), theta, 1e-12));
        const double azimuth = std::remainder(std::atan2(x.y, x.x) - Omega * T, 2 * M_PI);
        CHECK(std::abs(azimuth) < 1e-12 * std::max(1.0, Omega * T));
    };
    const double theta = item.at("theta_deg").get<double>() * degree;
    steady(theta, item.at("slow_precession"));
    steady(theta, item.at("fast_precession"));
    steady(M_PI / 2, item.at("fast_spin_approx_mgl_over_I3w3")); // exact for a horizontal axis
}

TEST_CASE("A sleeping top stays upright above its least spin, and falls below it")
{
    // With ζ = x + i y of the axis: I1 ζ'' − i I3 ω3 ζ' − m g l ζ = 0, whose roots meet where
    // I3² ω3² = 4 I1 m g l. A thousandth below they grow by 0.27/s; a thousandth above |ζ| swings
    // up to 1/√(1 − 1/1.001²) = 22 times the start.
    const auto item = reference_items("tops.json").at("steady");
    const double least = item.at("sleeping_top_min_omega3"), start = 1e-6;
    const auto farthest = [&](double omega3) {
        RunSettings run = run_with(Method::adaptive, 0.05, 30);
        run.step.tolerance = {1e-11, 1e-13, 1000000};
        auto sim = Simulation::start(top(item, start, 0, omega3), run);
        REQUIRE(sim);
        double worst = 0;
        while (!sim->done()) {
            REQUIRE_FALSE(sim->step());
            const V3 x = sim->placed().bodies[0].x;
            worst = std::max(worst, std::hypot(x.x, x.y) / norm(x));
        }
        return worst / start;
    };
    CHECK(farthest(1.001 * least) < 23);
    CHECK(farthest(0.999 * least) > 1e4); // 11 sinh(0.266 · 30) times 2
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
