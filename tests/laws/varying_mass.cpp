// SPDX-License-Identifier: MIT
// Mass that varies: burning, dumping, pumping.

#include "poinsot/integrate/stiff.hpp"
#include "poinsot/step/acting.hpp"
#include "tankers.hpp"

#include <numbers>

using namespace poinsot;

TEST_CASE("Tsiolkovsky: a rocket that climbs gains what its equation says, less what gravity takes")
{
    const auto item = reference_items("variable_mass.json").at("rocket");
    const double m0 = number(item.at("m0")), m1 = number(item.at("m1"));
    const double flow = number(item.at("mdot")), speed = number(item.at("ve"));
    Builder b;
    b.add(body_with("rocket", m1, diagonal(800.0, 800.0, 100.0), zero3<double>(), zero3<double>()));
    b.tanks.push_back(point_tank("fuel", 0, {0, 0, -2}, m0 - m1));
    b.flows.push_back(thruster("engine", 0, {0, 0, -2}, {0, 0, -1}, speed, flow));
    b.gravity.uniform = {0, 0, -number(item.at("g"))};
    const auto model = built(b);
    const double burn = number(item.at("burn_time"));
    const double h0 = place(*model, start_of(*model, FormKind::momentum)).bodies[0].x.z;
    for (const Formulation f : both)
        for (const Method method : {Method::runge_kutta4, Method::adaptive}) {
            const Simulation sim = ran(model, run_in(f, method, 0.5, burn));
            // The height is that of the shell: the tank is below its centre of mass.
            const PlacedBody at = sim.placed().bodies[0];
            const double height = at.x.z - at.mass.center.z;
            CHECK(near(at.v.z, number(item.at("v_burnout")), 1e-9));
            CHECK(near(height, number(item.at("h_burnout")), 1e-9));
            CHECK(sim.state().tanks[0] == 0);
            CHECK(at.mass.m == m1);
            CHECK(near(sim.ledger().books().total.posted[index_of(Cause::thrust)].mass, m1 - m0,
                       1e-13));
            CHECK(h0 < 0);
        }
    for (const Method method : {Method::midpoint, Method::splitting}) { // of second order
        const Simulation sim = ran(model, run_in(Formulation::maximal, method, 0.05, burn));
        CHECK(near(sim.placed().bodies[0].v.z, number(item.at("v_burnout")), 1e-6));
    }
    const auto gained = [&](Formulation f, Method method, double h) {
        RunSettings run = run_in(f, method, h, burn);
        if (method == Method::body_frame)
            run.step.form = FormKind::velocity;
        return ran(model, run).placed().bodies[0].v.z;
    };
    CHECK(near(gained(Formulation::reduced, Method::midpoint, 0.05), number(item.at("v_burnout")),
               1e-6));
    CHECK(near(gained(Formulation::reduced, Method::gauss, 0.5), number(item.at("v_burnout")),
               1e-12));
    if (stiff_available())
        for (const Method method : {Method::adams, Method::bdf})
            for (const Formulation f : both)
                CHECK(near(gained(f, method, 0.5), number(item.at("v_burnout")), 1e-8));
    for (const Method method : // of first order, in steps that burn a thousandth of the mass
         {Method::explicit_euler, Method::symplectic_euler, Method::body_frame})
        for (const Formulation f : both)
            if (method != Method::body_frame || f == Formulation::maximal)
                CHECK(near(gained(f, method, 0.05), number(item.at("v_burnout")), 3e-3));
}

namespace {

/// A schedule that opens, closes, rests shut and opens again.
Control throttle()
{
    Control control;
    control.name = "throttle";
    control.lower = 0;
    control.upper = 2;
    control.times = {0, 0.301, 0.5, 0.9, 1.2, 1.75};
    control.values = {1, 0.2, 0, 0, 1.7, 0.6};
    return control;
}

} // namespace

TEST_CASE("Tsiolkovsky: what a rocket gains does not ask how its throttle was moved")
{
    Builder b;
    b.add(body_with("rocket", 2, diagonal(1.0, 1.0, 0.2), zero3<double>(), zero3<double>()));
    b.tanks.push_back(point_tank("fuel", 0, {0, 0, -2}, 3));
    b.flows.push_back(thruster("engine", 0, {0, 0, -2}, {0, 0, -1}, 10, 1.5));
    b.flows[0].control = 0;
    b.controls = {throttle()};
    const auto model = built(b);
    const double expected = 10 * std::log(5.0 / 2);
    // ∫c dt is 0.18060 + 0.0199 + 0.255 + 0.6325 up to the last bend, then 0.6 a second: of the
    // two seconds of full flow that the fuel is, the rest lasts until
    const double dry = 1.75 + (2 - 0.1806 - 0.0199 - 0.255 - 0.6325) / 0.6;
    for (const Formulation f : both) {
        for (const double late : {-1e-6, 1e-6}) { // it runs dry at its moment, whatever the step
            RunSettings run = run_in(f, Method::runge_kutta4, (dry + late) / 400, dry + late);
            const Simulation sim = ran(model, run);
            CHECK((sim.state().tanks[0] == 0) == (late > 0));
            CHECK(near(sim.state().tanks[0], late > 0 ? 0 : 0.9e-6, 1e-3, 1e-6));
        }
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 0.0125, 4));
        // Of fourth order in a step that burns a hundredth of the mass.
        CHECK(near(sim.placed().bodies[0].v.z, expected, 1e-9));
        CHECK(sim.placed().bodies[0].mass.m == 2);
        CHECK(near(ran(model, tight(f, 0.1, 4)).placed().bodies[0].v.z, expected, 1e-11));
        // A pilot who moves it step by step comes to the same.
        auto flown = Simulation::start(model, run_in(f, Method::runge_kutta4, 0.0125, 4));
        REQUIRE(flown);
        for (int i = 0; !flown->done(); ++i) {
            Input input;
            input.controls = {{0, 0.25 * ((7 * i) % 9)}};
            flown->set_input(input);
            REQUIRE(!flown->step());
        }
        CHECK(flown->state().tanks[0] == 0);
        CHECK(near(flown->placed().bodies[0].v.z, expected, 1e-9));
        CHECK(std::abs(flown->ledger().books().total.residual.mass) < 1e-13);
    }
    for (const Method method : {Method::midpoint, Method::splitting}) // of second order
        CHECK(near(
            ran(model, run_in(Formulation::maximal, method, 0.00125, 4)).placed().bodies[0].v.z,
            expected, 1e-6));
}

TEST_CASE("Throttled: books of mass, p and L close, and both formulations agree")
{
    for (Builder b : {tanker(), tanker_with_arm()}) {
        b.controls = {throttle()};
        for (const std::size_t f : {0u, 1u, 2u, 4u})
            b.flows[f].control = 0;
        const auto model = built(b);
        const auto closes = [&](const RunSettings& run) {
            const Simulation sim = ran(model, run);
            const Books& books = sim.ledger().books();
            const std::string_view name = facts_of(run.step.method).name;
            CHECK_MESSAGE(std::abs(books.total.residual.mass) < 1e-13, name);
            CHECK_MESSAGE(p_residual(sim) < 1e-13, name, " ", p_residual(sim));
            CHECK_MESSAGE(norm(books.total.residual.spin) < 1e-12 * books.scale_spin, name);
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        };
        for (const FormKind form : {FormKind::momentum, FormKind::matrix})
            for (const Method method :
                 {Method::runge_kutta4, Method::adaptive, Method::midpoint, Method::splitting})
                closes(run_with(method, 0.01, 1.5, form));
        closes(run_in(Formulation::reduced, Method::gauss, 0.01, 1.5));
        const Simulation maximal = ran(model, tight(Formulation::maximal, 0.05, 1.5)),
                         reduced = ran(model, tight(Formulation::reduced, 0.05, 1.5));
        for (std::size_t i = 0; i < b.bodies.size(); ++i) {
            const PlacedBody a = maximal.placed().bodies[i], c = reduced.placed().bodies[i];
            CHECK(norm(a.x - c.x) < 1e-9);
            CHECK(norm(a.v - c.v) < 1e-9);
            CHECK(norm(a.omega - c.omega) < 1e-9);
            CHECK(near(a.mass.m, c.mass.m, 1e-14));
        }
    }
}

TEST_CASE("Spin of a burning rocket: what leaves takes less than it had, and the rest spins up")
{
    const auto item = reference_items("variable_mass.json").at("spinning_rocket");
    const double m0 = number(item.at("m0")), m1 = number(item.at("m1"));
    const double R = number(item.at("cyl_R")), a = number(item.at("nozzle_a"));
    const double axial = 0.5 * m1 * R * R;
    Builder b;
    b.add(body_with("rocket", m1, diagonal(2 * axial, 2 * axial, axial), zero3<double>(),
                    {0, 0, number(item.at("w0"))}));
    Tank fuel = cylinder_tank("fuel", 0, {0, 0, 0.3}, m0 - m1, m0, R, 1.2);
    fuel.filling = Tank::Filling::in_place;
    b.tanks.push_back(fuel);
    b.flows.push_back(thruster("nozzle", 0, {0, 0, -1}, {0, 0, -1}, 900, 12));
    b.flows[0].radius = a;
    for (const Formulation f : both) {
        const Simulation sim = ran(built(b), tight(f, 0.5, (m0 - m1) / 12));
        const double w = sim.placed().bodies[0].omega.z;
        CHECK(near(w, number(item.at("w_end")), 1e-10));
    }
}

TEST_CASE("Jet damping: a rocket that tumbles is slowed by what leaves at its end")
{
    // I ω' + İ ω = −μ l² ω with I = I₀ + m k², the tank in place at the centre of mass: İ = −μ k².
    const double m = 3, k2 = 0.02, l = 0.7, mu = 0.5, dry = 1.1, w0 = 2;
    Builder b;
    b.add(body_with("rocket", 5, diagonal(dry, dry, 0.4), zero3<double>(), {w0, 0, 0}));
    Tank fuel = cylinder_tank("fuel", 0, zero3<double>(), m, m, std::sqrt(4 * k2), 1e-9);
    fuel.filling = Tank::Filling::in_place;
    b.tanks.push_back(fuel);
    b.flows.push_back(thruster("nozzle", 0, {0, 0, -l}, {0, 0, -1}, 10, mu));
    const double I0 = dry + m * k2, I1 = dry;
    const double expected = w0 * std::pow(I1 / I0, (l * l - k2) / k2);
    for (const Formulation f : both) {
        const Simulation sim = ran(built(b), tight(f, 0.25, m / mu));
        CHECK(near(sim.placed().bodies[0].omega.x, expected, 1e-10));
        CHECK(expected < 0.35 * w0);
    }
}

TEST_CASE("A pump moves the shell and not the centre of mass")
{
    Builder b;
    Body body = body_with("ship", 4, diagonal(2.0, 3.0, 4.0), zero3<double>(), zero3<double>());
    b.add(body);
    b.tanks = {cylinder_tank("fore", 0, {0, 0, 2}, 3, 3, 0.3, 0.8),
               cylinder_tank("aft", 0, {0, 0, -3}, 0, 3, 0.4, 0.5)};
    b.flows = {pump("pump", 0, 1, 0.5)};
    b.flows[0].from = 1;
    const auto model = built(b);
    for (const Formulation f : both)
        for (const Method method : {Method::runge_kutta4, Method::adaptive}) {
            auto sim = Simulation::start(model, run_in(f, method, 0.1, 8));
            REQUIRE(sim);
            const V3 x = sim->placed().bodies[0].x;
            const double before = sim->placed().bodies[0].mass.center.z;
            bool moved = false;
            while (!sim->done()) {
                REQUIRE(!sim->step());
                const PlacedBody at = sim->placed().bodies[0];
                CHECK(norm(at.x - x) < 1e-13);
                CHECK(norm(at.p) < 1e-13);
                moved = moved || at.v.z > 0.3; // against what flows down
            }
            const PlacedBody at = sim->placed().bodies[0];
            CHECK(moved);
            CHECK(norm(at.v) < 1e-13); // at rest again, when all is pumped
            CHECK(at.mass.center.z < before - 1.5);
            CHECK(sim->state().tanks == std::vector<double>{0, 3});
        }
}

TEST_CASE("A pump past the centre of mass turns the shell as many small loads that slide would")
{
    // In a plane: point masses, of which one after another slides from tank to tank. L of all of
    // them about their centre of mass is zero:  ω = −m_s (r_s − c) × ṙ_s / Σ m |r − c|².
    const V3 A{1, 0.5, 0}, B{-0.8, 0.9, 0};
    const double hull = 2, spread = 0.6, fuel = 1.5; // the hull is a ring about its centre
    const auto turned_by = [&](int loads) {
        const double one = fuel / loads;
        double angle = 0;
        constexpr int steps = 64; // of the midpoint rule, for each load
        for (int i = 0; i < loads; ++i)
            for (int s = 0; s < steps; ++s) {
                const V3 slide = ((s + 0.5) / steps) * (B - A), r = A + slide;
                const double m_A = fuel - (i + 1) * one, m_B = i * one;
                const V3 c = (m_A * A + m_B * B + one * r) / (hull + fuel);
                double I = hull * (spread * spread + norm2(c));
                I += m_A * norm2(A - c) + m_B * norm2(B - c) + one * norm2(r - c);
                angle -= one * cross(r - c, (1.0 / steps) * (B - A)).z / I;
            }
        return angle;
    };
    Builder b;
    const double I = hull * spread * spread;
    b.add(body_with("ring", hull, diagonal(0.5 * I, 0.5 * I, I), zero3<double>(), zero3<double>()));
    b.tanks = {point_tank("A", 0, A, fuel), point_tank("B", 0, B, 0)};
    b.flows = {pump("pump", 0, 1, 0.3)};
    const double coarse = turned_by(200), fine = turned_by(400);
    const double limit = fine + (fine - coarse); // the error falls as one over the number
    for (const Formulation f : both) {
        const Simulation sim = ran(built(b), tight(f, 0.1, 6));
        const PlacedBody at = sim.placed().bodies[0];
        const double angle = log_matrix(at.R).z;
        CHECK(std::abs(limit) > 0.3);
        CHECK(near(angle, limit, 2e-5));
        CHECK(norm(at.omega) < 1e-11);
    }
}

TEST_CASE("Conveyor: a belt of constant speed under falling stuff needs the force mu v")
{
    const auto item = reference_items("variable_mass.json").at("conveyor");
    const double mu = number(item.at("mu")), v = number(item.at("v"));
    Builder b;
    b.add(body_with("belt", 20, diagonal(1.0, 1.0, 1.0), {v, 0, 0}, zero3<double>()));
    b.tanks.push_back(point_tank("load", 0, zero3<double>(), 0));
    b.flows.push_back(inlet("chute", 0, zero3<double>(), {0, 0, -4}, mu));
    Joint slide;
    slide.name = "rollers";
    slide.kind = JointKind::prismatic;
    slide.b = 0;
    slide.frame_a.q = slide.frame_b.q = exp_quat(V3{0, std::numbers::pi / 2, 0}); // z along x
    CoordinateLaw law;
    law.prescribed = Course{0, v};
    slide.laws = {law};
    b.add(slide);
    const auto model = built(b);
    for (const Formulation f : both) {
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 0.1, 2));
        const Account& total = sim.ledger().books().total;
        const Posting &motor = total.posted[index_of(Cause::motor)],
                      &thrust = total.posted[index_of(Cause::thrust)];
        CHECK(near(motor.J.x / 2, number(item.at("force")), 1e-12));
        CHECK(near(motor.work / 2, number(item.at("power")), 1e-12));
        // Half of it moves what has come, the rest is lost where it lands.
        CHECK(near(total.closing.T - total.opening.T, 0.5 * motor.work, 1e-12));
        CHECK(near(thrust.work, -0.5 * motor.work, 1e-12));
        CHECK(near(thrust.J.z, -4 * mu * 2, 1e-12));
    }
}

TEST_CASE("Chain on a scale: it reads three times the weight of what lies on it")
{
    // What comes down has fallen freely from rest: ρ g t kilograms a second at g t.
    const auto item = reference_items("variable_mass.json").at("chain_on_scale");
    const double M = number(item.at("M")), l = number(item.at("L")), g = number(item.at("g"));
    const double t = number(item.at("at_t")), x = number(item.at("x"));
    Builder b;
    b.add(body_with("pan", 0.5, diagonal(0.01, 0.01, 0.01), zero3<double>(), zero3<double>()));
    b.gravity.uniform = {0, 0, -g};
    Joint foot;
    foot.name = "foot";
    foot.kind = JointKind::weld;
    foot.a = world;
    foot.b = 0;
    b.add(foot);
    b.tanks.push_back(point_tank("heap", 0, zero3<double>(), 0));
    b.flows.push_back(inlet("chain", 0, zero3<double>(), {0, 0, -g}, M / l * g));
    Control fall;
    fall.name = "fall";
    fall.lower = 0;
    fall.upper = 1;
    fall.times = {0, 1};
    fall.values = {0, 1};
    b.controls = {fall};
    b.flows[0].control = b.flows[0].speed_control = 0;
    b.flows[0].until = std::sqrt(2 * l / g);
    const auto model = built(b);
    for (const Formulation f : both)
        for (const Method method : {Method::runge_kutta4, Method::adaptive, Method::midpoint}) {
            const RunSettings run = run_in(f, method, 0.02, t);
            const Simulation sim = ran(model, run);
            CHECK(near(sim.state().tanks[0], M * x / l, 1e-13));
            const Input input;
            Acting acting(*model, run.step, input);
            acting.look(sim.state());
            CHECK(near(acting.joint(0).F.z - 0.5 * g, number(item.at("reading")), 1e-12));
            // In all it has given M g² t³/2L, which methods of second order take from the middle
            // of steps.
            const double given =
                sim.ledger().books().total.posted[index_of(Cause::joint)].J.z - 0.5 * g * t;
            CHECK(near(given, M * g * g * t * t * t / (2 * l),
                       method == Method::midpoint ? 1e-3 : 1e-12));
            CHECK(sim.ledger().balanced());
        }
    // When all of it has come, its weight is left.
    for (const Formulation f : both) {
        const RunSettings run = run_in(f, Method::runge_kutta4, 0.02, 1);
        const Simulation sim = ran(model, run);
        CHECK(near(sim.state().tanks[0], M, 1e-13));
        const Input input;
        Acting acting(*model, run.step, input);
        acting.look(sim.state());
        CHECK(near(acting.joint(0).F.z, (0.5 + M) * g, 1e-12));
    }
}

TEST_CASE("An exhaust whose speed follows a control: the gain is the integral of u dm/m")
{
    // u = u₁ t/T with an even flow: Δv = (u₁/T) ((m₀/μ) ln(m₀/m) − t).
    const double u = 10, T = 2, m0 = 5, mu = 1.5;
    Builder b;
    b.add(body_with("rocket", 2, diagonal(1.0, 1.0, 0.2), zero3<double>(), zero3<double>()));
    b.tanks.push_back(point_tank("fuel", 0, zero3<double>(), 3));
    b.flows.push_back(thruster("engine", 0, zero3<double>(), {0, 0, -1}, u, mu));
    Control grid;
    grid.name = "grid";
    grid.lower = 0;
    grid.upper = 1;
    grid.times = {0, T};
    grid.values = {0, 1};
    b.controls = {grid};
    b.flows[0].speed_control = 0;
    const auto model = built(b);
    const double expected = u / T * (m0 / mu * std::log(m0 / 2) - T);
    for (const Formulation f : both) {
        CHECK(near(ran(model, tight(f, 0.1, T)).placed().bodies[0].v.z, expected, 1e-11));
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 0.0125, T));
        CHECK(near(sim.placed().bodies[0].v.z, expected, 1e-8));
        CHECK(sim.state().tanks[0] == 0);
    }
}

TEST_CASE("What leaves takes what the shell feels of it and what mass carries off, found at once")
{
    const auto model = built(tanker());
    const State start = start_of(*model, FormKind::momentum);
    const auto& bodies = std::get<MomentumBodies>(start.bodies);
    const std::vector<char> all(model->flows().size(), 1);
    const Input input;
    System joined(*model, input), apart(*model, input);
    apart.shows_loads = true;
    for (System* system : {&joined, &apart}) {
        system->start_tanks(start.tanks, all, 0.4);
        system->evaluate(std::span<const MomentumForm<double>>(bodies), 0.5);
    }
    CHECK(joined.loads.carried.empty());
    REQUIRE(apart.loads.carried.size() == 1);
    const Wrench<double>&a = joined.loads.total[0], &b = apart.loads.total[0];
    CHECK(norm(apart.loads.carried[0].wrench.F) > 0.01 * norm(b.F)); // there is something to join
    CHECK(norm(a.F - b.F) < 1e-14 * norm(b.F));                      // rounding of a few terms
    CHECK(norm(a.tau - b.tau) < 1e-14 * norm(b.tau));
}

namespace {

/// One tank and one nozzle, which is the most common: a body that tumbles, with and without a load
/// from outside.
Builder one_tank(bool pushed)
{
    Builder b;
    Body hull = body_with("hull", 5, Dice(4).inertia(), {1, -2, 0.5}, {0.7, -0.4, 1.1});
    hull.mass_properties.center = {0.1, -0.05, 0.2};
    b.add(hull);
    b.tanks = {cylinder_tank("fuel", 0, {0.2, 0.1, -0.3}, 3, 4, 0.2, 0.5)};
    b.flows = {thruster("jet", 0, {0.3, 0, -0.6}, {0.1, 0.2, -1}, 40, 2)};
    b.gravity.uniform = {0, 0, -3};
    if (pushed)
        b.springs.push_back({"s", {world, {0, 0, 2}}, {0, {0.3, 0, 0.1}}, 15, 0.3, 1});
    return b;
}

} // namespace

TEST_CASE("Varying mass: who keeps no books goes the same way, to the last bit")
{
    for (const Builder& b : {tanker(), tanker_with_arm(), one_tank(false), one_tank(true)})
        for (const Formulation f : both)
            for (const Method method : {Method::runge_kutta4, Method::adaptive, Method::midpoint})
                for (const FormKind form :
                     {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
                    const auto model = built(b);
                    RunSettings run = run_in(f, method, 0.01, 0.5);
                    run.step.form = form;
                    if (unfit(*model, run.step).any())
                        continue;
                    const std::uint64_t booked = hash_of(ran(model, run).state());
                    run.ledger.detail = Postings::Detail::off;
                    CHECK(hash_of(ran(model, run).state()) == booked);
                }
}

TEST_CASE("Varying mass: steps by one method and by another find the rates that each asks for, and "
          "what a method remembers is forgotten when another has stepped")
{
    const auto model = built(one_tank(true));
    const Input input;
    const auto mixes = [&](Formulation f, FormKind form, std::initializer_list<Method> order) {
        Workspace mixed(*model, input, Postings::Detail::off);
        State state = start_of(*model, form, f);
        StepSettings step = run_in(f, Method::runge_kutta4, 0.01, 1).step;
        step.form = form;
        for (const Method method : order) {
            step.method = method;
            State alone = state;
            Workspace fresh(*model, input, Postings::Detail::off);
            REQUIRE(!smooth_step(state, step, mixed).failure);
            REQUIRE(!smooth_step(alone, step, fresh).failure);
            CHECK(hash_of(state) == hash_of(alone));
        }
        return place(*model, state);
    };
    for (const FormKind form : {FormKind::momentum, FormKind::matrix})
        mixes(Formulation::maximal, form,
              {Method::runge_kutta4, Method::midpoint, Method::runge_kutta4, Method::splitting});
    mixes(Formulation::reduced, FormKind::momentum,
          {Method::runge_kutta4, Method::midpoint, Method::gauss, Method::midpoint,
           Method::adaptive, Method::gauss, Method::gauss, Method::midpoint});
    const Placed turns = mixes(
        Formulation::reduced, FormKind::momentum,
        {Method::gauss, Method::runge_kutta4, Method::gauss, Method::adaptive, Method::gauss});
    const Placed exact = ran(model, tight(Formulation::maximal, 0.01, 0.05)).placed();
    CHECK(difference(turns, exact) < 1e-8); // one step of fourth order
}

TEST_CASE("Varying mass: a run that is resumed has the bits of one that was not")
{
    for (const Builder& b : {tanker(), tanker_with_arm(), one_tank(true)})
        for (const Formulation f : both)
            for (const Method method :
                 {Method::runge_kutta4, Method::adaptive, Method::midpoint,
                  f == Formulation::reduced ? Method::gauss : Method::splitting}) {
                const auto model = built(b);
                const RunSettings run = run_in(f, method, 0.05, 1.2);
                auto whole = Simulation::start(model, run), part = Simulation::start(model, run);
                REQUIRE(whole);
                for (int i = 0; i < 24; ++i)
                    REQUIRE(!whole->step());
                for (int i = 0; i < 13; ++i)
                    REQUIRE(!part->step());
                auto resumed = Simulation::start(model, run);
                resumed->resume(part->checkpoint());
                for (int i = 13; i < 24; ++i)
                    REQUIRE(!resumed->step());
                CHECK(hash_of(whole->state()) == hash_of(resumed->state()));
                CHECK(whole->state() == resumed->state());
            }
}

TEST_CASE("Varying mass in a loop: both formulations go the same way")
{
    // A rod from the tanker to the world, and a hinge with a limit that the hand comes to.
    Builder b = tanker_with_arm();
    Joint rod;
    rod.name = "rod";
    rod.kind = JointKind::ball;
    rod.closes_loop = true;
    rod.a = 0;
    rod.frame_a.x = {0.3, -0.2, 0.5};
    rod.b = world;
    rod.frame_b.x = place(b.bodies[0].pose, rod.frame_a.x);
    // The point that is held is at rest.
    Body& body = b.bodies[0];
    const V3 r = rotate(body.pose.q, rod.frame_a.x - body.mass_properties.center);
    const V3 v = -cross(body.angular_velocity, r);
    for (Body& one : b.bodies)
        one.velocity += v - V3{0.2, -0.1, 0.3};
    b.add(rod);
    const auto model = built(b);
    const Placed maximal = ran(model, tight(Formulation::maximal, 0.03, 1.2, 1e-12)).placed();
    const Placed reduced = ran(model, tight(Formulation::reduced, 0.03, 1.2, 1e-12)).placed();
    CHECK_MESSAGE(difference(maximal, reduced) < 1e-8, difference(maximal, reduced));
    CHECK(gap(*model, reduced) < 1e-12);

    Builder limited = tanker_with_arm();
    limited.joints[1].laws.resize(1);
    const double q = built(limited)->joint_starts()[1].q[0];
    limited.joints[1].laws[0].lower = q - 0.4;
    limited.joints[1].laws[0].upper = q + 0.4;
    const auto stopped = built(limited);
    const Placed one = ran(stopped, tight(Formulation::maximal, 0.03, 1.2, 1e-12)).placed();
    const Placed other = ran(stopped, tight(Formulation::reduced, 0.03, 1.2, 1e-12)).placed();
    CHECK_MESSAGE(difference(one, other) < 1e-7, difference(one, other));
    CHECK(difference(
              one, ran(built(tanker_with_arm()), tight(Formulation::maximal, 0.03, 1.2)).placed()) >
          0.1); // the limit was met
}
