// SPDX-License-Identifier: MIT
// Penalty contact in whole runs: any step that takes loads, in both formulations.
#include "poinsot/contacts/press.hpp"

#include "allocations.hpp"
#include "touching.hpp"

#include <algorithm>

using namespace poinsot;

namespace {

struct PressedWorld : TouchingWorld {
    using TouchingWorld::TouchingWorld;
    Method method = Method::splitting;
    PressSettings press = {};
    Formulation formulation = Formulation::maximal;

    RunSettings settings(double h, double until) const
    {
        RunSettings run = run_with(method, h, until);
        run.step.formulation = formulation;
        run.step.contact.response = ContactResponse::penalty;
        run.step.contact.press = press;
        run.step.tolerance = {1e-9, 1e-12, 1000000};
        return run;
    }
    Simulation start(double h, double until) const
    {
        auto made = Simulation::start(built(builder), settings(h, until));
        if (!made)
            FAIL(made.problems().text());
        return std::move(*made);
    }
    std::string refusal(double h = 1e-3) const
    {
        const auto made = Simulation::start(built(builder), settings(h, 1));
        return made ? "" : made.problems().text();
    }
};

/// Every method that can, with the formulations it works in.
struct Road {
    Method method;
    Formulation formulation;
    std::string name() const { return text_of(facts_of(method).name, " ", name_of(formulation)); }
};
std::vector<Road> roads()
{
    std::vector<Road> all;
    for (const Method method : {Method::symplectic_euler, Method::splitting, Method::runge_kutta4,
                                Method::adaptive, Method::impulsive})
        for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
            const MethodFacts& facts = facts_of(method);
            if (formulation == Formulation::maximal ? facts.in_maximal : facts.in_reduced)
                all.push_back({method, formulation});
        }
    return all;
}

/// The restitution of a ball that is thrown at the ground without gravity.
double thrown(PressedWorld w, double h, double speed)
{
    w.builder.gravity.uniform = zero3<double>();
    w.ground();
    w.ball("ball", 0.1, 2, {0, 0, 0.1 + 5.3 * h * speed}, {0, 0, -speed});
    Simulation run = w.start(h, (30 + 2 * w.press.steps) * h);
    run_to_end(run);
    CHECK(run.ledger().balanced());
    CHECK(run.touches().empty());
    return run.placed().bodies[0].v.z / speed;
}

} // namespace

TEST_CASE("Penalty: a ball comes back with its restitution, by every method, in both formulations")
{
    for (const Road& road : roads()) {
        INFO(road.name());
        for (const double e : {1.0, 0.6, 0.2}) {
            PressedWorld w(0, e);
            w.method = road.method;
            w.formulation = road.formulation;
            CAPTURE(e);
            const auto off = [&](double steps) {
                w.press.steps = steps;
                return std::abs(thrown(w, 1e-3, 2) - e);
            };
            // The damper begins with a jump, somewhere in a step: an error of first order in the
            // step over the contact. Measured: at most 0.06 with 20 steps, and a tenth with 200.
            CHECK(off(20) < 0.1);
            CHECK(off(200) < 0.01);
        }
    }
}

TEST_CASE("Penalty: a ball at rest sinks by m g/k, a box as much on all its corners")
{
    const double h = 1e-3, e = 0.5, k_over_m = penalty_spring(1, 1, e, h)->k;
    for (const Road& road : roads()) {
        INFO(road.name());
        PressedWorld w(0.5, e);
        w.method = road.method;
        w.formulation = road.formulation;
        w.ground();
        w.ball("ball", 0.1, 2, {0, 0, 0.1});
        w.box("cube", {0.2, 0.2, 0.2}, 3, {{1, 0, 0.1}, identity_quat<double>()});
        Simulation run = w.start(h, 1.5);
        run_to_end(run);
        const Placed at = run.placed();
        for (const PlacedBody& body : at.bodies) {
            CHECK(near(0.1 - body.x.z, 9.81 / k_over_m, 1e-6));
            CHECK(norm(body.v) < 1e-6);
        }
        // What presses is known by pair: five points, and the weights.
        REQUIRE(run.touches().size() == 5);
        double F = 0;
        for (const TouchRecord& touch : run.touches()) {
            CHECK(touch.gap < 0);
            F += dot(touch.impulse, touch.normal) / h;
        }
        CHECK(near(F, 5 * 9.81, 1e-6));
        CHECK(run.ledger().balanced());
    }
}

TEST_CASE("Penalty: a block stays on a slope below its angle of friction and slides above it")
{
    for (const Road& road : roads())
        for (const double slope : {0.4, 0.6}) {
            INFO(road.name(), " ", slope);
            const double mu = 0.5; // tan 0.46
            PressedWorld w(mu, 0.5);
            w.method = road.method;
            w.formulation = road.formulation;
            w.ground(slope);
            const Quat<double> q = exp_quat(V3{0, slope, 0});
            const V3 down = rotate(q, V3{1, 0, 0}), up = rotate(q, V3{0, 0, 1});
            const double h = 5e-4, depth = 9.81 * std::cos(slope) / penalty_spring(1, 1, 0.5, h)->k;
            w.box("block", {0.3, 0.3, 0.1}, 2, {(0.05 - depth) * up, q});
            Simulation run = w.start(h, 1);
            const V3 begin = run.placed().bodies[0].x;
            V3 settled = begin;
            while (!run.done()) {
                take_step(run);
                if (std::abs(run.time() - 0.5) < 0.25 * h)
                    settled = run.placed().bodies[0].x;
            }
            const PlacedBody end = run.placed().bodies[0];
            if (slope < 0.46) {
                CHECK(norm(end.x - settled) < 1e-9); // no creep
                CHECK(norm(end.x - begin) < 1e-3);   // the stretch that carries it
                CHECK(norm(end.v) < 1e-9);
            } else {
                const double a = 9.81 * (std::sin(slope) - mu * std::cos(slope));
                CHECK(near(dot(end.v, down), a * 1, 2e-3)); // a step late
                CHECK(std::abs(dot(end.v, up)) < 1e-6);
            }
        }
}

TEST_CASE("Penalty: a ball that slides ends rolling at 5/7 of its speed, and rolls on without loss")
{
    for (const Road& road : roads()) {
        INFO(road.name());
        if (road.method == Method::symplectic_euler && road.formulation == Formulation::reduced)
            continue; // where what turns gains speed by itself: its velocity is in its own axes
        const double h = 5e-4, depth = 9.81 / penalty_spring(1, 1, 1, h)->k;
        PressedWorld w(0.3, 1);
        w.method = road.method;
        w.formulation = road.formulation;
        w.ground();
        w.ball("ball", 0.1, 2, {0, 0, 0.1 - depth}, {2, 0, 0});
        Simulation run = w.start(h, 1);
        // It rolls after 2/7 v₀/μg = 0.19 s.
        double then = 0;
        while (!run.done()) {
            take_step(run);
            if (std::abs(run.time() - 0.5) < 0.25 * h)
                then = run.placed().bodies[0].v.x;
        }
        run.close_books();
        const PlacedBody end = run.placed().bodies[0];
        // Friction acts halfway through the depth, at r from the centre: it rolls at v with
        // m (v₀ − v) = J, I v/r = r J. Both to the second order of the step over the time of a
        // contact; measured 5e-6.
        const double r = 0.1 - 0.5 * depth;
        CHECK(near(end.v.x, 2 / (1 + 0.4 * 0.01 / (r * r)), 2e-5));
        CHECK(near(end.v.x, then, 1e-6)); // no creep of what rolls
        CHECK(run.ledger().balanced());
    }
}

TEST_CASE("Penalty: p, L and the energy book close while bodies press, rub and spin")
{
    const auto run_of = [](Method method, double h) {
        PressedWorld w(0.4, 0.7);
        w.method = method;
        w.builder.gravity.uniform = zero3<double>();
        w.ball("left", 0.1, 2, {-0.2, 0.03, 0}, {1, 0, 0}, {0, 3, -5});
        w.ball("right", 0.15, 3, {0.2, 0, 0.02}, {-1, 0, 0}, {2, 0, 4});
        w.box("box", {0.2, 0.3, 0.1}, 1, {{0, 0.35, 0}, exp_quat(V3{0.3, 0.2, 0.5})}, {0, -1, 0});
        w.press.law = PressLaw::hunt_crossley;
        w.builder.materials[0].young_modulus = 2e5;
        w.builder.materials[0].contact_radius = 0.01;
        Simulation run = w.start(h, 0.5);
        bool touched = false;
        while (!run.done()) {
            take_step(run);
            touched = touched || !run.touches().empty();
        }
        run.close_books();
        CHECK(touched);
        return run;
    };
    for (const Method method : {Method::symplectic_euler, Method::splitting, Method::runge_kutta4,
                                Method::adaptive, Method::adams, Method::bdf, Method::impulsive}) {
        INFO(facts_of(method).name);
        const Simulation run = run_of(method, 1e-3);
        const Books& books = run.ledger().books();
        CHECK(run.ledger().balanced());
        // The third law: normal forces and friction sum to nothing over the bodies.
        for (const Cause cause : {Cause::contact_normal, Cause::contact_friction}) {
            const Posting& sum = books.total.posted[index_of(cause)];
            const Posting& one = books.bodies[0].posted[index_of(cause)];
            CHECK(norm(one.J) > 1e-3);
            CHECK(norm(sum.J) < 1e-13);
            CHECK(norm(sum.K + sum.S) < 1e-13);
            CHECK(sum.work < 0);
        }
        CHECK(near(norm(books.total.closing.p), norm(books.total.opening.p), 1e-9));
    }
    // The energy book closes to the order of the method; a contact has kinks, which leave the
    // second order of the highest.
    const auto open = [&](Method method, double h) {
        return std::abs(run_of(method, h).ledger().books().total.residual.T);
    };
    MESSAGE("open in the energy book, J: " << open(Method::runge_kutta4, 1e-3)
                                           << ", with half the step "
                                           << open(Method::runge_kutta4, 5e-4));
    CHECK(open(Method::runge_kutta4, 1e-3) < 1e-4);
    CHECK(open(Method::runge_kutta4, 2.5e-4) < 0.1 * open(Method::runge_kutta4, 1e-3));
}

TEST_CASE("Hertz: a steel ball touches a plate as long as the closed form says")
{
    const double R = 0.01, m = 7830 * 4.0 / 3 * M_PI * R * R * R, v = 0.5, E = 206e9, nu = 0.29;
    const double k = *hertz_stiffness(*effective_modulus(E, nu, E, nu), R);
    const double depth = std::pow(5 * m * v * v / (4 * k), 0.4);
    const double lasts = 2.9432750 * depth / v; // 8.3e-5 s
    for (const Method method : {Method::splitting, Method::runge_kutta4}) {
        const double h = lasts / 1000;
        PressedWorld w(0, 0);
        w.method = method;
        w.press.law = PressLaw::hertz;
        w.builder.materials[0].young_modulus = E;
        w.builder.materials[0].poisson_ratio = nu;
        w.ground();
        w.builder.gravity.uniform = zero3<double>(); // 2e-3 of the mean force of this contact
        w.ball("ball", R, m, {0, 0, R + 10 * h * v}, {0, 0, -v});
        Simulation run = w.start(h, 1200 * h);
        double touched = 0, deepest = 0;
        while (!run.done()) {
            take_step(run);
            for (const TouchRecord& touch : run.touches()) {
                touched += h;
                deepest = std::max(deepest, -touch.gap);
            }
        }
        run.close_books();
        INFO(facts_of(method).name);
        CHECK(near(touched, lasts, 2e-3)); // two steps of a thousand
        CHECK(near(deepest, depth, 1e-5)); // of the step nearest to it
        CHECK(near(run.placed().bodies[0].v.z, v, 1e-6));
        CHECK(run.ledger().balanced());
    }
}

TEST_CASE("Hunt and Crossley: a run gives the restitution of the material at its speed")
{
    PressedWorld w(0, 0.6);
    w.method = Method::runge_kutta4;
    w.press.law = PressLaw::hunt_crossley;
    w.press.impact_speed = 2;
    w.press.steps = 1000;                       // how long `thrown` looks, not how stiff
    w.builder.materials[0].young_modulus = 1e8; // it lasts 4 ms
    CHECK(near(thrown(w, 1e-5, 2), 0.6, 1e-4));
    const double alpha = *hunt_crossley_damping(0.6, 2);
    w.press.steps = 1500;
    CHECK(near(thrown(w, 1e-5, 1), hunt_crossley_restitution(alpha, 1), 1e-4));
}

TEST_CASE("Penalty: maximal and reduced coordinates agree where a hinged rod falls on a ball")
{
    const auto make = [](Formulation formulation, double h) {
        PressedWorld w(0.5, 0.3);
        w.method = Method::runge_kutta4;
        w.formulation = formulation;
        w.ground();
        const int rod = w.box("rod", {1, 0.05, 0.05}, 2, {{0.5, 0, 0.4}, identity_quat<double>()});
        w.ball("ball", 0.1, 1, {0.8, 0.01, 0.1});
        Joint hinge;
        hinge.name = "hinge";
        hinge.kind = JointKind::revolute;
        hinge.a = world;
        hinge.b = rod;
        hinge.frame_a = {{0, 0, 0.4}, exp_quat(V3{-M_PI / 2, 0, 0})};
        hinge.frame_b = {{-0.5, 0, 0}, exp_quat(V3{-M_PI / 2, 0, 0})};
        w.builder.add(hinge);
        w.press.steps = 20 * 1e-3 / h; // the same stiffness with every step
        Simulation run = w.start(h, 0.6);
        bool touched = false;
        while (!run.done()) {
            take_step(run);
            for (const TouchRecord& touch : run.touches())
                touched = touched || touch.a == 1 || touch.b == 1;
        }
        run.close_books();
        CHECK(touched);
        CHECK(run.ledger().balanced());
        return run.placed();
    };
    const auto apart = [&](double h) {
        const Placed a = make(Formulation::maximal, h), b = make(Formulation::reduced, h);
        double far = 0;
        for (std::size_t i = 0; i < a.bodies.size(); ++i)
            far = std::max(far, norm(a.bodies[i].x - b.bodies[i].x));
        return far;
    };
    const double coarse = apart(1e-3), fine = apart(2e-4);
    MESSAGE("rod on a ball, apart by " << coarse << " m, with a fifth of the step " << fine
                                       << " m");
    CHECK(coarse < 1e-7); // 2e-9 when this was written
    CHECK(fine < 0.2 * coarse);
}

TEST_CASE("Penalty: a run that is resumed in the middle of a contact has the same bits")
{
    for (const Road& road : roads()) {
        INFO(road.name());
        PressedWorld w(0.4, 0.2);
        w.method = road.method;
        w.formulation = road.formulation;
        w.ground(0.3);
        w.box("box", {0.2, 0.2, 0.2}, 1, {{0, 0, 0.2}, exp_quat(V3{0.2, 0.4, 0})}, {0.5, 0.2, -1});
        Simulation whole = w.start(1e-3, 0.3), first = w.start(1e-3, 0.3),
                   second = w.start(1e-3, 0.3);
        for (int i = 0; i < 150; ++i)
            take_step(first);
        REQUIRE(first.state().pressed.size() > 0);
        CHECK(std::any_of(first.state().pressed.begin(), first.state().pressed.end(),
                          [](const Pressed& p) { return norm(p.stretch) > 0; }));
        second.resume(first.checkpoint());
        run_to_end(whole);
        run_to_end(second);
        CHECK(hash_of(whole.state()) == hash_of(second.state()));
        // The memory matters: without it the run goes elsewhere.
        Simulation forgot = w.start(1e-3, 0.3);
        Checkpoint lost = first.checkpoint();
        lost.state.pressed.clear();
        forgot.resume(lost);
        run_to_end(forgot);
        CHECK(hash_of(whole.state()) != hash_of(forgot.state()));
    }
}

TEST_CASE("Penalty: steps with what presses allocate nothing once they are warm")
{
    for (const Road& road : roads()) {
        if (road.method == Method::impulsive || road.method == Method::adaptive)
            continue; // which allocate without contact, too
        INFO(road.name());
        PressedWorld w(0.4, 0.2);
        w.method = road.method;
        w.formulation = road.formulation;
        w.ground();
        w.ball("ball", 0.1, 2, {0, 0, 0.12});
        w.box("box", {0.2, 0.2, 0.2}, 1, {{1, 0, 0.12}, identity_quat<double>()}, {0.5, 0, 0});
        Simulation run = w.start(1e-3, 1);
        for (int i = 0; i < 300; ++i)
            take_step(run);
        REQUIRE(run.touches().size() == 5);
        const long before = allocations;
        for (int i = 0; i < 100; ++i)
            take_step(run);
        CHECK(allocations == before);
    }
}

TEST_CASE("Penalty: what cannot be is refused by name, with what to do")
{
    const auto says = [](const std::string& text, const char* words) {
        INFO(text);
        CHECK(text.find(words) != std::string::npos);
    };
    PressedWorld w(0.5, 0);
    w.ground();
    w.box("box", {0.2, 0.2, 0.2}, 1, {{0, 0, 0.2}, identity_quat<double>()});
    CHECK(w.refusal() == "");
    for (const Method method :
         {Method::explicit_euler, Method::second_order, Method::midpoint, Method::gauss}) {
        w.method = method;
        says(w.refusal(), text_of("integrator ", facts_of(method).name).c_str());
        says(w.refusal(), "use symplectic_euler");
    }
    w.method = Method::splitting;
    w.press.steps = 3;
    says(w.refusal(), "4 steps or more");
    w.press.steps = 5; // stable for what bounces, not for what stays
    says(w.refusal(), "unstable where restitution is 0: let them last 10 or more");
    w.press.steps = 10;
    CHECK(w.refusal() == "");
    w.press.law = PressLaw::hertz;
    says(w.refusal(), "'ground' and 'box' meet flat on flat");
    says(w.refusal(), "needs young_modulus of material 'stuff'");
    w.builder.materials[0].young_modulus = 2e11;
    w.builder.materials[0].contact_radius = 1e-3;
    CHECK(w.refusal() == "");
    w.press.law = PressLaw::hunt_crossley;
    says(w.refusal(), "restitution above 0 of 'stuff'");
    w.builder.materials[0].law.restitution = 0.5;
    CHECK(w.refusal() == "");
    w.press.impact_speed = 0;
    says(w.refusal(), "impact_speed must be positive");
    w.press.impact_speed = 1;
    w.builder.materials[0].contact_radius = 0;
    w.add("can", Cylinder{0.1, 0.2}, {1, zero3<double>(), diagonal(1., 1., 1.)},
          {{1, 0, 0.3}, identity_quat<double>()});
    says(w.refusal(), "'can' is curved in more than one way");
    for (const auto& [key, value] :
         {std::pair("young_modulus", -1.0), {"poisson_ratio", 0.7}, {"contact_radius", -1.0}}) {
        Builder bad = w.builder;
        Material& material = bad.materials[0];
        (key[0] == 'y'   ? material.young_modulus
         : key[0] == 'p' ? material.poisson_ratio
                         : material.contact_radius) = value;
        const auto made = bad.build();
        REQUIRE(!made);
        says(made.problems().text(), key);
    }
}

TEST_CASE("Hertz: a contact too stiff for the step ends the run and says which step would do")
{
    PressedWorld w(0.3, 0);
    w.press.law = PressLaw::hertz;
    w.builder.materials[0].young_modulus = 2e11;
    w.ground();
    w.ball("ball", 0.01, 0.03, {0, 0, 0.02});
    const auto ends = [&](double h) {
        Simulation run = w.start(h, 0.1);
        std::optional<std::string> ended;
        while (!ended && !run.done())
            ended = run.step();
        return ended;
    };
    const auto refused = ends(1e-3);
    REQUIRE(refused);
    INFO(*refused);
    const std::string words =
        "the contact of 'ground' and 'ball' is too stiff for the step: take one of at most ";
    const auto at = refused->find(words);
    REQUIRE(at != std::string::npos);
    CHECK_FALSE(ends(std::stod(refused->substr(at + words.size()))));
    w.method = Method::adaptive; // which chooses its own
    CHECK_FALSE(ends(1e-3));
}
