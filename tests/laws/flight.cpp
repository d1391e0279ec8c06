// SPDX-License-Identifier: MIT
// Flights whose answers are known: falling through air, drifting with the wind, orbits.

#include "formulations.hpp"
#include "poinsot/forces/aero.hpp"

#include <numbers>

using namespace poinsot;

namespace {

/// A ball of one kilogram that falls through uniform air over flat ground.
Builder falling_ball()
{
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    b.air.kind = Air::Kind::uniform;
    b.air.density = 1.2;
    b.add(body_with("ball", 1, diagonal(0.1, 0.1, 0.1), zero3<double>(), {0, 0, 1}));
    Aerodynamics a;
    a.name = "drag";
    a.area = 0.05;
    a.drag.constant = 0.4;
    b.aerodynamics.push_back(a);
    return b;
}
constexpr double k = 0.5 * 1.2 * 0.05 * 0.4; // F = k v²

} // namespace

TEST_CASE(
    "A ball falls through air as tanh, in both formulations, and the books say what drag took")
{
    const auto model = built(falling_ball());
    for (const Formulation f : both) {
        const auto sim = ran(model, run_in(f, Method::runge_kutta4, 1.0 / 64, 8));
        const PlacedBody ball = sim.placed().bodies[0];
        const double terminal = std::sqrt(9.81 / k), T = terminal / 9.81;
        // RK4: (h/T)⁴ is 2e-10 with T = 2.9 s; its constant is below one.
        CHECK(near(-ball.v.z, terminal * std::tanh(8 / T), 1e-9));
        CHECK(near(-ball.x.z, terminal * T * std::log(std::cosh(8 / T)), 1e-9));
        const Books& books = sim.ledger().books();
        CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        const double lost = books.total.posted[index_of(Cause::drag)].work;
        CHECK(near(lost, 0.5 * norm2(ball.v) - 9.81 * -ball.x.z, 1e-8));
        CHECK(near(ball.omega.z, 1, 1e-13)); // its spin is its own
    }
}

TEST_CASE("With the wind: a ball at rest in still air is the same flight in wind, carried along")
{
    const auto still = built(falling_ball());
    Builder windy = falling_ball();
    windy.air.wind = {3, 7, 0};           // north, east
    windy.bodies[0].velocity = {7, 3, 0}; // x east, y north
    const auto model = built(windy);
    const auto off = [&](Formulation f, Method method, double h) {
        const RunSettings run = run_in(f, method, h, 4);
        const PlacedBody a = ran(still, run).placed().bodies[0],
                         b = ran(model, run).placed().bodies[0];
        return std::max(norm(b.v - a.v - V3{7, 3, 0}), norm(b.x - a.x - V3{28, 12, 0}));
    };
    CHECK(off(Formulation::maximal, Method::runge_kutta4, 1.0 / 64) < 1e-12);
    CHECK(off(Formulation::reduced, Method::gauss, 1.0 / 64) < 1e-12); // has p in the world's axes
    // Velocities along axes that turn with the ball are no less for it, to the order of the method.
    const double coarse = off(Formulation::reduced, Method::runge_kutta4, 1.0 / 32),
                 fine = off(Formulation::reduced, Method::runge_kutta4, 1.0 / 64);
    CHECK(near(std::log2(coarse / fine), 4, 0.02));
}

TEST_CASE("A ball left at rest in wind reaches the wind's speed as 1/(1 + t/T)")
{
    Builder b = falling_ball();
    b.gravity.uniform = zero3<double>();
    b.air.wind = {0, 20, 0};
    b.bodies[0].angular_velocity = zero3<double>(); // joint coordinates turn with the body
    for (const Formulation f : both) {
        const PlacedBody ball =
            ran(built(b), run_in(f, Method::runge_kutta4, 1.0 / 64, 5)).placed().bodies[0];
        // u = 20 − v falls as u̇ = −k u².
        CHECK(near(ball.v.x, 20 - 20 / (1 + k * 20 * 5), 1e-10));
        CHECK(norm(V3{0, ball.v.y, ball.v.z}) < 1e-14);
    }
}

TEST_CASE("A circular orbit closes after Kepler's period")
{
    Builder b;
    b.planet = round_earth;
    const double r = 7e6, v = std::sqrt(b.planet.mu / r);
    const double period = two_pi * r / v;
    b.add_particle("moon", 100, {r, 0, 0}, {0, v * 0.6, v * 0.8});
    for (const Formulation f : both) {
        const auto sim = ran(built(b), run_in(f, Method::runge_kutta4, period / 2000, period));
        // RK4 at 2000 steps a turn: 2π (2π/2000)⁴/120 of the radius, and a few times that.
        CHECK(norm(sim.placed().bodies[0].x - V3{r, 0, 0}) < 1e-10 * r);
        CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
    }
}

TEST_CASE("Over an oblate planet energy and the polar part of L stay, and the orbit's plane turns")
{
    Builder b;
    b.planet = wgs84;
    const double r = 7e6, v = std::sqrt(b.planet.mu / r), i = 0.8;
    b.add_particle("satellite", 1, {r, 0, 0}, {0, v * std::cos(i), v * std::sin(i)});
    const double turns = 5, period = two_pi * r / v, h = period / 2000;
    const auto model = built(b);
    for (const Formulation f : both) {
        const auto sim = ran(model, run_in(f, Method::runge_kutta4, h, turns * period));
        const PlacedBody at = sim.placed().bodies[0];
        const V3 L0 = cross(V3{r, 0, 0}, V3{0, v * std::cos(i), v * std::sin(i)});
        const V3 L = cross(at.x, at.v);
        CHECK(near(L.z, L0.z, 1e-11));
        const auto energy = [&](const V3& x, const V3& u) {
            return 0.5 * norm2(u) + gravitational_potential(wgs84, x);
        };
        const double E0 = energy({r, 0, 0}, {0, v * std::cos(i), v * std::sin(i)});
        CHECK(near(energy(at.x, at.v), E0, 1e-11));
        // The store of gravity is the potential, and its work is what it gave.
        const Books& books = sim.ledger().books();
        CHECK(near(books.closing_stores.gravity, gravitational_potential(wgs84, at.x), 1e-14));
        CHECK(std::abs(books.total.residual.stores.gravity) < 1e-10 * std::abs(E0));

        // First order of J2 [Vallado, 9-38]: the node turns by −3/2 J2 (R/r)² cos i · 2π a turn.
        // The second order, and the mean radius in place of the initial one, are J2 of it: 2e-3.
        const double node = std::atan2(L.x, -L.y) - std::atan2(L0.x, -L0.y);
        const double expected =
            -1.5 * wgs84.J2 * std::pow(wgs84.radius / r, 2) * std::cos(i) * two_pi * turns;
        CHECK(near(node, expected, 1e-2));
    }
}

TEST_CASE("A flight that leaves the standard atmosphere ends with the altitude it reached")
{
    Builder b = falling_ball();
    b.air.kind = Air::Kind::standard;
    b.bodies[0].pose.x = {0, 0, 85900};
    b.bodies[0].velocity = {0, 0, 2000};
    for (const Formulation f : both) {
        auto sim = Simulation::start(built(b), run_in(f, Method::runge_kutta4, 0.01, 1));
        REQUIRE(sim);
        std::optional<std::string> ended;
        while (!ended && !sim->done())
            ended = sim->step();
        REQUIRE(ended);
        CHECK(ended->find("body 'ball'") != std::string::npos);
        CHECK(ended->find("cause: drag (the standard atmosphere reaches from -5000 m to 86000 m") !=
              std::string::npos);
        CHECK(sim->placed().bodies[0].x.z <= 86000);
    }
}

TEST_CASE("A fin behind the centre of mass turns a body into the wind, and damping stills it")
{
    Builder b;
    b.air.kind = Air::Kind::uniform;
    b.air.wind = {0, -30, 0}; // from the east: the dart looks along x, its nose into it
    b.add(body_with("dart", 1000, diagonal(1.0, 1.0, 1.0), zero3<double>(), zero3<double>()));
    b.bodies[0].pose.q = exp_quat<double>({0, 0.02, 0});
    Aerodynamics a;
    a.name = "fin";
    a.frame = {{-1, 0, 0}, exp_quat<double>({std::numbers::pi, 0, 0})}; // x forward, z down
    a.area = 0.01;
    a.lift.alpha = 4;
    b.aerodynamics.push_back(a);
    // θ̈ = −ω²θ − 2δ θ̇ for small angles of a heavy dart: ω² = ½ρV² S C/I with lever 1; the fin's own
    // speed turns its angle by θ̇/V: 2δ = ω²/V.
    const double omega2 = 0.5 * 1.225 * 900 * 0.01 * 4, delta = 0.5 * omega2 / 30;
    const double w = std::sqrt(omega2 - delta * delta), t = 0.5;
    for (const Formulation f : both) {
        const PlacedBody dart =
            ran(built(b), run_in(f, Method::runge_kutta4, 1.0 / 256, t)).placed().bodies[0];
        const double theta =
            0.02 * std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t));
        // sin θ for θ is 7e-5 of it; the heavy dart moves off by 1e-3 of the fin's speed.
        CHECK(near(std::asin(-(dart.R * V3{1, 0, 0}).z), theta, 2e-3, 0.02));
    }
}

TEST_CASE("A ball that falls from the stratosphere is faster than sound, then as slow as its drag")
{
    const auto model = scene("fall_from_the_stratosphere");
    for (const Formulation f : both) {
        auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 0.05, 160));
        REQUIRE(sim);
        double fastest = 0, altitude = 0, speed = 0;
        AirState air;
        const auto look = [&] {
            const PlacedBody ball = sim->placed().bodies[0];
            const Horizon<double> at = horizon(model->planet(), ball.x);
            altitude = at.altitude;
            air = air_at(model->air(), altitude);
            speed =
                norm(ball.v - air_velocity(model->planet(), model->air(), ball.x, at, sim->time()));
            fastest = std::max(fastest, speed / air.speed_of_sound);
        };
        look();
        CHECK(near(altitude, 36000, 1e-12));
        CHECK(speed < 1e-7); // still in still air
        while (!sim->done()) {
            REQUIRE(!sim->step());
            look();
        }
        CHECK(fastest > 1.3);
        CHECK(fastest < 1.4);
        CHECK(altitude > 0);
        CHECK(altitude < 500);
        // It lags behind the speed at which drag is its weight by the change of that over the time
        // v/g that drag needs: d(ln v)/dt = v/(2 · 10 km), so (v/g) v/(20 km) = 8 %; and not more.
        const double terminal =
            std::sqrt(2 * 80 * 9.806 / (air.density * 0.19634954 * 0.48715)); // at Mach 0.343
        CHECK(speed > terminal);
        CHECK(speed < 1.08 * terminal);
        sim->close_books();
        CHECK_MESSAGE(sim->ledger().balanced(), sim->ledger().verdict());
    }
}
