// SPDX-License-Identifier: MIT
// Systems of point masses: the theorems of the complex-objects document on random systems, and
// motions whose answers are known.

#include "allowed.hpp"
#include "poinsot/mass/points.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

/// A random system with central internal forces (springs, dampers, attraction) and external ones.
struct RandomSystem {
    std::shared_ptr<const Model> model;
    Input input;
    Placed placed;
    Loads all, internal; // every load; and those between the masses alone
    std::vector<PointMass> points;
    std::vector<V3> external; // per mass

    explicit RandomSystem(std::uint64_t seed)
    {
        Dice dice(seed);
        Builder b;
        const int n = 2 + static_cast<int>(dice.uniform(0, 6));
        for (int i = 0; i < n; ++i)
            b.add_particle(text_of("m", i), dice.uniform(0.1, 5), dice.vector(3), dice.vector(2));
        for (int i = 0; i < n; ++i)
            for (int j = i + 1; j < n; ++j)
                if (dice.uniform(0, 1) < 0.6)
                    b.springs.push_back({"s",
                                         {i, zero3<double>()},
                                         {j, zero3<double>()},
                                         dice.uniform(0, 50),
                                         dice.uniform(0, 5),
                                         dice.uniform(0, 2)});
        b.gravity.G = dice.uniform(0.1, 2);
        const auto inside = built(b);
        for (int i = 0; i < n; ++i)
            b.loads.push_back({"e", i, dice.vector(4)});
        b.gravity.uniform = dice.vector(9);
        model = built(b);
        placed = place(*model, start_of(*model, FormKind::momentum));
        gather_loads(*model, placed, input, 0, 0, all);
        gather_loads(*inside, placed, input, 0, 0, internal);
        for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
            points.push_back({placed.bodies[i].mass.m, placed.bodies[i].x, placed.bodies[i].v});
            external.push_back(all.total[i].F - internal.total[i].F);
        }
    }
    double largest_force() const
    {
        double worst = 0;
        for (const LoadPart& part : all.parts)
            worst = std::max(worst, norm(part.wrench.F));
        return worst;
    }
};

double number(const nlohmann::json& j) // some are strings with more digits than a double
{
    return j.is_string() ? std::stod(j.get<std::string>()) : j.get<double>();
}

} // namespace

TEST_CASE("Theorem 3.4: the centre of mass moves as one particle under the external forces")
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const RandomSystem s(seed);
        V3 F = zero3<double>(), m_a = zero3<double>();
        for (std::size_t i = 0; i < s.points.size(); ++i) {
            F += s.external[i];
            m_a += s.points[i].m * (s.all.total[i].F / s.points[i].m);
        }
        CHECK(norm(F - m_a) < 1e-13 * s.largest_force() * 10);
        // V' of the theorem: of velocities that the forces have changed for one second
        std::vector<PointMass> later = s.points;
        for (std::size_t i = 0; i < later.size(); ++i)
            later[i].v += s.all.total[i].F / later[i].m;
        const V3 gain = velocity_of_center(later) - velocity_of_center(s.points);
        CHECK(norm(F - total_mass(s.points) * gain) < 1e-13 * s.largest_force() * 10);
    }
}

TEST_CASE("Theorem 3.4 in time: a tied system's centre of mass falls as a stone does")
{
    for (const Method method : {Method::splitting, Method::midpoint, Method::runge_kutta4}) {
        Builder b;
        Dice dice(3);
        for (int i = 0; i < 4; ++i)
            b.add_particle(text_of("m", i), dice.uniform(0.5, 2), dice.vector(1), dice.vector(1));
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j)
                b.springs.push_back({"s", {i, zero3<double>()}, {j, zero3<double>()}, 30, 0.2, 1});
        b.gravity.uniform = {0, 0, -9.81};
        const auto model = built(b);
        const Placed start = place(*model, start_of(*model, FormKind::momentum));
        const V3 c0 = system_center(start);
        V3 p = zero3<double>();
        double m = 0;
        for (const PlacedBody& body : start.bodies) {
            p += body.p;
            m += body.mass.m;
        }
        const double T = 2;
        const V3 c = system_center(ran(model, run_with(method, 1.0 / 128, T)).placed());
        const V3 stone = c0 + (T / m) * p + (0.5 * T * T) * V3{0, 0, -9.81};
        CHECK(norm(c - stone) < 1e-12 * norm(stone)); // rounding of 256 steps
    }
}

TEST_CASE("Theorem 3.7: the torques of internal forces cancel about every point")
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const RandomSystem s(seed);
        const V3 c = Dice(seed + 1000).vector(10);
        V3 F = zero3<double>(), tau = zero3<double>();
        for (std::size_t i = 0; i < s.points.size(); ++i) {
            F += s.internal.total[i].F;
            tau += cross(s.points[i].x - c, s.internal.total[i].F);
        }
        CHECK(norm(F) < 1e-13 * s.largest_force() * 10);
        CHECK(norm(tau) < 1e-13 * s.largest_force() * 100); // levers up to 20
    }
}

TEST_CASE("Theorem 3.8: the torque of all forces is the torque of the external ones")
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const RandomSystem s(seed);
        const V3 c = Dice(seed + 2000).vector(10);
        std::vector<V3> all;
        for (const Wrench<double>& load : s.all.total)
            all.push_back(load.F);
        const V3 of_all = total_torque(s.points, all, c),
                 of_external = total_torque(s.points, s.external, c);
        CHECK(norm(of_all - of_external) < 1e-12 * s.largest_force() * 100);
    }
}

TEST_CASE("Theorem 3.9: dL/dt about a fixed point is the external torque there")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const RandomSystem s(seed);
        const V3 c = Dice(seed + 3000).vector(5);
        const V3 tau = total_torque(s.points, s.external, c);
        // L a little later and a little earlier, by the motion itself
        const auto L = [&](double h) {
            const Input nothing;
            System system(*s.model, nothing);
            MomentumBodies bodies =
                std::get<MomentumBodies>(start_of(*s.model, FormKind::momentum).bodies);
            Postings none(Postings::Detail::off);
            runge_kutta4(system, bodies, 0, h, none);
            std::vector<PointMass> points;
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                const double m = s.points[i].m;
                points.push_back({m, bodies[i].x, bodies[i].p / m});
            }
            return angular_momentum(points, c);
        };
        const double h = 1e-4;
        const V3 L_dot = (1 / (2 * h)) * (L(h) - L(-h));
        CHECK(norm(L_dot - tau) < 1e-6 * (1 + norm(tau)) * 100); // h² of a central difference
    }
}

TEST_CASE(
    "Theorem 3.10: uniform gravity makes no torque about the centre of mass, nor above or below it")
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const RandomSystem s(seed);
        Dice dice(seed);
        const V3 g = dice.vector(10);
        const V3 c = system_center(s.placed) + dice.uniform(-3, 3) * g;
        V3 tau = zero3<double>();
        for (const PointMass& point : s.points)
            tau += cross(point.x - c, point.m * g);
        CHECK(norm(tau) < 1e-12 * norm(g) * 100);
        const V3 elsewhere = c + V3{g.y, -g.x, 0.5 * g.z}; // not on that line: there is a torque
        V3 other = zero3<double>();
        for (const PointMass& point : s.points)
            other += cross(point.x - elsewhere, point.m * g);
        CHECK(norm(other) > 1e-3);
    }
}

TEST_CASE("Definition 4.1: a rigid speed function keeps distances, any other does not")
{
    Dice dice(5);
    for (int i = 0; i < 50; ++i) {
        const V3 v = dice.vector(2), omega = dice.vector(3);
        const V3 a = dice.vector(4), b = dice.vector(4);
        const RigidMotion motion{{v, omega}, 0};
        const auto speed = [&](const V3& x) { return motion.velocity(x); };
        CHECK(speed(a) == v + cross(omega, a));
        const double rate = 2 * dot(a - b, speed(a) - speed(b)); // d|a − b|²/dt
        CHECK(std::abs(rate) < 1e-13 * 200);
        const V3 stretch = 0.1 * a;
        CHECK(std::abs(2 * dot(a - b, speed(a) + stretch - speed(b))) > 1e-6);
    }
}

TEST_CASE("Kepler's ellipse of eccentricity one half, against the series")
{
    const auto item = reference_items("point_masses.json").at("kepler_e05");
    // The centre is a body so heavy that it stays where it is: mu = G M.
    Builder b;
    const auto& first = item.at("state_xy_vxvy").at(0);
    b.add_particle("planet", 1, {first.at(0), first.at(1), 0}, {first.at(2), first.at(3), 0});
    b.add_particle("sun", 1e13, zero3<double>(), zero3<double>());
    b.gravity.G = 1e-13;
    const auto model = built(b);
    RunSettings run = run_with(Method::adaptive, 0.5, 13);
    run.step.tolerance = {1e-13, 1e-15, 1000000};
    auto sim = Simulation::start(model, run);
    REQUIRE(sim);
    const double close = allowed(item, 2); // 4e-11; the sun's own motion is 1e-13
    const auto here = [&](const Simulation& run, const nlohmann::json& s) {
        const PlacedBody planet = run.placed().bodies[0];
        CHECK(std::abs(planet.x.x - s.at(0).get<double>()) < close);
        CHECK(std::abs(planet.x.y - s.at(1).get<double>()) < close);
        CHECK(std::abs(planet.v.x - s.at(2).get<double>()) < close);
        CHECK(std::abs(planet.v.y - s.at(3).get<double>()) < close);
        // per unit of mass: what Kepler's two constants are
        CHECK(std::abs(cross(planet.x, planet.v).z - item.at("L").get<double>()) < close);
        const double E = 0.5 * norm2(planet.v) - item.at("mu").get<double>() / norm(planet.x);
        CHECK(std::abs(E - item.at("E_specific").get<double>()) < close);
    };
    for (std::size_t k = 1; k < item.at("t").size(); ++k) {
        REQUIRE_FALSE(sim->step());
        here(*sim, item.at("state_xy_vxvy").at(k));
    }
    const double period = item.at("period"); // after which it is where it began
    run = run_with(Method::adaptive, period, period);
    run.step.tolerance = {1e-13, 1e-15, 1000000};
    here(ran(model, run), first);
}

TEST_CASE("Three masses on a figure eight come back, and their angular momentum stays zero")
{
    const auto item = reference_items("point_masses.json").at("figure_eight");
    Builder b;
    for (std::size_t i = 0; i < 3; ++i)
        b.add_particle(text_of("m", i), item.at("masses").at(i),
                       {item.at("pos0").at(i).at(0), item.at("pos0").at(i).at(1), 0},
                       {item.at("vel0").at(i).at(0), item.at("vel0").at(i).at(1), 0});
    b.gravity.G = item.at("G");
    const auto model = built(b);
    const double close = allowed(item, 1.2); // 1.9e-11
    for (std::size_t k = 1; k < item.at("t").size(); ++k) {
        const double t = item.at("t").at(k);
        RunSettings run = run_with(Method::adaptive, t, t);
        run.step.tolerance = {1e-13, 1e-15, 1000000};
        const Simulation sim = ran(model, run);
        double off = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto& s = item.at("state").at(k);
            const PlacedBody body = sim.placed().bodies[i];
            const double of_body[] = {body.x.x, body.x.y, body.v.x, body.v.y};
            const std::size_t at[] = {2 * i, 2 * i + 1, 6 + 2 * i, 6 + 2 * i + 1};
            for (std::size_t c = 0; c < 4; ++c) {
                CHECK(std::abs(of_body[c] - s.at(at[c]).get<double>()) < close);
                if (t == item.at("period").get<double>()) // by how much it does not close
                    off = std::max(
                        off, std::abs(of_body[c] - item.at("state").at(0).at(at[c]).get<double>()));
            }
        }
        if (t == item.at("period").get<double>())
            CHECK(std::abs(off - item.at("return_error").get<double>()) < close);
        CHECK(std::abs(sim.ledger().books().total.closing.L.z - item.at("ang_mom").get<double>()) <
              1e-12);
        const Books& books = sim.ledger().books();
        CHECK(near(books.total.closing.T + books.closing_stores.gravity, item.at("energy"), 1e-11));
    }
    // The splitting step keeps p and L to rounding over many periods.
    const Simulation sim = ran(model, run_with(Method::splitting, 0.002, 60));
    CHECK(sim.ledger().books().worst_L < 1e-13);
    CHECK(norm(sim.ledger().books().total.closing.p) < 1e-13);
}

TEST_CASE("A particle with linear drag follows its closed form")
{
    const auto item = reference_items("point_masses.json").at("drag_particle");
    Builder b;
    b.add_particle("p", number(item.at("m")), zero3<double>(), vec(item.at("v0")));
    b.gravity.uniform = {0, number(item.at("g").at(1)), 0};
    b.drags.push_back({"air", 0, number(item.at("k")), 0});
    for (const auto& sample : item.at("samples")) {
        const double t = number(sample.at("t"));
        RunSettings run = run_with(Method::adaptive, t, t);
        run.step.tolerance = {1e-13, 1e-14, 100000};
        const PlacedBody end = ran(built(b), run).placed().bodies[0];
        CHECK(norm(end.x - vec(sample.at("pos"))) < 1e-12 * norm(end.x));
        CHECK(norm(end.v - vec(sample.at("vel"))) < 1e-12 * norm(end.v));
    }
}

TEST_CASE("Quadratic drag: a falling stone approaches v tanh(g t/v)")
{
    const double k = 0.3, m = 2, g = 9.81, v_inf = std::sqrt(m * g / k);
    Builder b;
    b.add_particle("stone", m, zero3<double>(), zero3<double>());
    b.gravity.uniform = {0, 0, -g};
    b.drags.push_back({"air", 0, 0, k});
    for (const double t : {0.3, 1.0, 4.0}) {
        RunSettings run = run_with(Method::adaptive, t, t);
        const PlacedBody end = ran(built(b), run).placed().bodies[0];
        CHECK(near(end.v.z, -v_inf * std::tanh(g * t / v_inf), 1e-9));
        CHECK(near(end.x.z, -(v_inf * v_inf / g) * std::log(std::cosh(g * t / v_inf)), 1e-9));
    }
}

TEST_CASE("A chain of five masses between walls swings in its five normal modes")
{
    const auto item = reference_items("point_masses.json").at("springs_N5");
    Builder b; // along x; rest length 0 leaves k (x_j − x_i), linear as the modes are
    for (int i = 0; i < 5; ++i)
        b.add_particle(text_of("m", i), 1,
                       {i + 1 + item.at("x0").at(static_cast<std::size_t>(i)).get<double>(), 0, 0},
                       zero3<double>());
    const double k = item.at("k");
    b.springs.push_back({"left", {world, zero3<double>()}, {0, zero3<double>()}, k, 0, 1});
    for (int i = 0; i < 4; ++i)
        b.springs.push_back({"s", {i, zero3<double>()}, {i + 1, zero3<double>()}, k, 0, 1});
    b.springs.push_back({"right", {4, zero3<double>()}, {world, {6, 0, 0}}, k, 0, 1});
    for (std::size_t n = 1; n < item.at("t").size(); ++n) {
        const double t = item.at("t").at(n);
        RunSettings run = run_with(Method::adaptive, t, t);
        run.step.tolerance = {1e-15, 1e-16, 100000};
        const Placed end = ran(built(b), run).placed();
        for (std::size_t i = 0; i < 5; ++i)
            CHECK(std::abs(end.bodies[i].x.x - static_cast<double>(i + 1) -
                           item.at("x").at(n).at(i).get<double>()) < allowed(item, 0.1));
    }
    // Each mode alone, sin(j π i/6) along the chain, passes through rest after a quarter of its
    // period, where it is fastest.
    for (std::size_t mode = 1; mode <= 5; ++mode) {
        const auto shape = [&](std::size_t i) {
            return 0.1 * std::sin(static_cast<double>(mode * (i + 1)) * M_PI / 6);
        };
        for (std::size_t i = 0; i < 5; ++i)
            b.bodies[i].pose.x.x = static_cast<double>(i + 1) + shape(i);
        const double quarter = 0.5 * M_PI / item.at("omega").at(mode - 1).get<double>();
        RunSettings run = run_with(Method::adaptive, quarter, quarter);
        run.step.tolerance = {1e-15, 1e-16, 100000};
        const Placed end = ran(built(b), run).placed();
        for (std::size_t i = 0; i < 5; ++i)
            CHECK(std::abs(end.bodies[i].x.x - static_cast<double>(i + 1)) < allowed(item, 0.1));
    }
}

TEST_CASE("A damped oscillator follows its closed form")
{
    const auto item = reference_items("point_masses.json").at("damped_osc");
    // The spring reaches along x, so that its length is x and something. Not much: tolerances are
    // relative to places.
    const double rest = 0.5, amplitude = 0.36; // √(x0² + (v0/ω)²)
    Builder b;
    b.add_particle("m", number(item.at("m")), {rest + number(item.at("x0")), 0, 0},
                   {number(item.at("v0")), 0, 0});
    b.springs.push_back({"s",
                         {world, zero3<double>()},
                         {0, zero3<double>()},
                         number(item.at("k")),
                         number(item.at("c")),
                         rest});
    for (const auto& sample : item.at("samples")) {
        const double t = number(sample.at("t"));
        for (const Method method : {Method::adaptive, Method::adams, Method::bdf}) {
            INFO(facts_of(method).name, " ", t);
            RunSettings run = run_with(method, t, t);
            run.step.tolerance = {1e-15, 1e-18, 1000000}; // local errors add up
            const double x = ran(built(b), run).placed().bodies[0].x.x - rest;
            CHECK(std::abs(x - number(sample.at("x"))) < allowed(item, amplitude));
        }
    }
}

TEST_CASE("A user's force acts as the same load in the scene does, and is posted as applied")
{
    Builder b;
    b.add_particle("p", 2, zero3<double>(), {1, 0, 0});
    const auto plain = built(b);
    b.loads.push_back({"push", 0, {0, 3, 0}});
    Input input;
    input.user_force = [](const Placed&, double, Loads& loads) {
        loads.add_force(0, Cause::applied, zero3<double>(), {0, 3, 0});
    };
    const RunSettings run = run_with(Method::runge_kutta4, 0.1, 1);
    const Simulation by_user = ran(plain, run, input), by_scene = ran(built(b), run);
    CHECK(hash_of(by_user.state()) == hash_of(by_scene.state()));
    CHECK(near(by_user.ledger().books().total.posted[index_of(Cause::applied)].J.y, 3, 1e-14));
}
