// SPDX-License-Identifier: MIT
#include "poinsot/step/contact_events.hpp"

#include "touching.hpp"

using namespace poinsot;

namespace {

constexpr std::array<Method, 3> event_driven{Method::runge_kutta4, Method::adaptive,
                                             Method::splitting};

TouchingWorld located(double friction, double restitution, Method method = Method::runge_kutta4)
{
    TouchingWorld w(friction, restitution);
    w.method = method;
    return w;
}

/// A pendulum of two boxes hung from the world by hinges swings into a free box and sweeps the
/// ground.
TouchingWorld swinging(double friction, double restitution)
{
    TouchingWorld w = located(friction, restitution);
    w.ground();
    const int upper = w.box("upper", {0.6, 0.1, 0.1}, 1, {{0.3, 0, 0.7}, identity_quat<double>()});
    const int lower =
        w.box("lower", {0.4, 0.1, 0.1}, 0.5, {{0.8, 0, 0.7}, identity_quat<double>()});
    w.box("free", {0.2, 0.2, 0.2}, 0.8, {{0.0, 0, 0.1}, identity_quat<double>()});
    Joint a;
    a.name = "a";
    a.kind = JointKind::revolute;
    a.a = world;
    a.b = upper;
    const Quat<double> along_y = exp_quat(V3{-M_PI / 2, 0, 0}); // z of the frames along y
    a.frame_a = {{0, 0, 0.7}, along_y};
    a.frame_b = {{-0.3, 0, 0}, along_y};
    Joint b;
    b.name = "b";
    b.kind = JointKind::revolute;
    b.a = upper;
    b.b = lower;
    b.frame_a = {{0.3, 0, 0}, along_y};
    b.frame_b = {{-0.2, 0, 0}, along_y};
    w.builder.add(a);
    w.builder.add(b);
    return w;
}

} // namespace

TEST_CASE("A bouncing ball is where its closed form has it until its bounces are shorter than a "
          "step; then it rests")
{
    const auto c = reference_items("contact_closed_forms.json").at("bouncing_ball");
    const double e = c.at("e"), g = c.at("g"), drop = c.at("h"), R = 0.1, h = 1e-3;
    for (const Method method : event_driven)
        for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
            if (method == Method::splitting && formulation == Formulation::reduced)
                continue;
            TouchingWorld w = located(0, e, method);
            w.ground();
            w.ball("ball", R, 2, {0, 0, drop + R});
            Simulation run = w.start(h, 4.2, {}, formulation);
            INFO(facts_of(method).name, " ", name_of(formulation));
            double hit = std::sqrt(2 * drop / g), up = e * g * hit, worst = 0;
            while (!run.done()) {
                take_step(run);
                const double t = run.time();
                while (t > hit + 2 * up / g && 2 * up / g > h) {
                    hit += 2 * up / g;
                    up *= e;
                }
                if (2 * up / g < h)
                    continue;
                const double z = t < hit ? drop - 0.5 * g * t * t
                                         : up * (t - hit) - 0.5 * g * (t - hit) * (t - hit);
                worst = std::max(worst, std::abs(run.placed().bodies[0].x.z - R - z));
            }
            run.close_books();
            CHECK(worst < 1e-9);
            measured_truth("contact_closed_forms", "bouncing_ball",
                           text_of(facts_of(method).name, ", ", name_of(formulation),
                                   ", step 1 ms, located in time"),
                           worst, "m");
            const PlacedBody ball = run.placed().bodies[0];
            CHECK(near(ball.x.z, R, 1e-12));
            CHECK(norm(ball.v) < 1e-12);
            CHECK(run.touches().size() == 1);
            CHECK(near(dot(run.touches()[0].impulse, V3{0, 0, -1}), -2 * g * h, 1e-9));
            CHECK(run.ledger().balanced());
        }
}

TEST_CASE("A ball that slides comes to roll where its closed form says")
{
    const auto items = reference_items("contact_closed_forms.json");
    // In joint coordinates a free body has its speeds in its own axes, and they turn with it: what
    // is exact in maximal ones is of fourth order, 1e-6 of the place at 10 ms, and 1e-10 at 1 ms.
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        const bool exact = formulation == Formulation::maximal;
        const double within = exact ? 1e-10 : 1e-9;
        for (const Method method : event_driven)
            for (const char* name : {"ball_sliding_to_rolling", "ball_backspin"}) {
                if (method == Method::splitting && formulation == Formulation::reduced)
                    continue;
                const auto& c = items.at(name);
                const double R = c.at("R"), t_roll = c.at("t_roll");
                TouchingWorld w = located(c.at("mu"), 0, method);
                w.ground();
                w.ball("ball", R, 1, {0, 0, R}, {c.at("v0"), 0, 0}, {0, c.at("omega0"), 0});
                Simulation run = w.start(exact ? 0.01 : 1e-3, 2 * t_roll, {}, formulation);
                run_to_end(run);
                const PlacedBody ball = run.placed().bodies[0];
                INFO(facts_of(method).name, " ", name);
                CHECK(near(ball.v.x, c.at("v_final"), within));
                CHECK(near(ball.omega.y, c.at("omega_final"), within));
                const double x_roll = c.at("x_roll"), v = c.at("v_final");
                const double there = x_roll + v * (run.time() - t_roll);
                CHECK(near(ball.x.x, there, within));
                if (exact)
                    measured_truth("contact_closed_forms", name,
                                   text_of(facts_of(method).name, ", step 10 ms, located in time"),
                                   std::max(relative(ball.v.x, v), relative(ball.x.x, there)),
                                   "of speed and place");
                CHECK(run.ledger().balanced());
            }
    }
}

TEST_CASE("A ball with side spin comes to roll where its closed form says; in joint coordinates to "
          "fourth order")
{
    const auto c = reference_items("contact_closed_forms.json").at("ball_masse");
    const double R = c.at("R"), t_roll = c.at("t_roll");
    TouchingWorld w = located(c.at("mu"), 0);
    w.ground();
    w.ball("ball", R, 1, {0, 0, R}, vec(c.at("v0")), vec(c.at("omega0")));
    struct Off {
        double v, omega, x;
    };
    const auto off = [&](double h, Formulation formulation) {
        Simulation run = w.start(h, 1, {}, formulation);
        run_to_end(run);
        CHECK(run.ledger().balanced());
        const PlacedBody ball = run.placed().bodies[0];
        const V3 at = vec(c.at("x_at_roll")) + (run.time() - t_roll) * vec(c.at("v_final"));
        return Off{norm(ball.v - vec(c.at("v_final"))), norm(ball.omega - vec(c.at("omega_final"))),
                   norm(ball.x - V3{0, 0, R} - at)};
    };
    const Off exact = off(0.01, Formulation::maximal);
    CHECK(exact.v < 1e-10);
    CHECK(exact.omega < 1e-9);
    CHECK(exact.x < 1e-10);
    measured_truth("contact_closed_forms", "ball_masse",
                   "runge_kutta4, step 10 ms, located in time", std::max(exact.x, exact.v),
                   "m, m/s");
    // Its speeds turn with the body there, by 0.3 rad in 10 ms.
    const Off coarse = off(1. / 400, Formulation::reduced),
              fine = off(1. / 800, Formulation::reduced);
    CHECK(std::abs(std::log2(coarse.v / fine.v) - 4) < 0.1); // measured 3.98
    CHECK(fine.v < 1e-7);
    CHECK(fine.omega < 1e-6);
    CHECK(fine.x < 1e-7);
}

TEST_CASE("A block on a slope stays below the critical angle and slides above it, located in time")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const double mu : {0.5, 0.6}) {
            const auto [went, by_law] = slide_of_block(located(mu, 0), mu, 1e-2, formulation);
            CHECK(near(went, by_law, 1e-10, 1e-3));
            if (formulation == Formulation::maximal)
                measured_truth("contact_closed_forms", mu < 0.55 ? "block_slides" : "block_sticks",
                               "runge_kutta4, step 10 ms, located in time", std::abs(went - by_law),
                               "m in 2 s");
        }
    }
}

TEST_CASE("A block that rocks meets the ground when and as fast as its equation says")
{
    const auto c = reference_items("contact_closed_forms.json").at("rocking_block");
    const double b = c.at("half_b"), a = c.at("half_h"), theta = c.at("theta0");
    const double quarter = c.at("quarter_period_exact");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        TouchingWorld w = located(10, 0); // it does not slip
        w.ground();
        // Turned by theta about the edge at (b, 0, 0).
        const Quat<double> q = exp_quat(V3{0, theta, 0});
        w.box("block", {2 * b, 0.3, 2 * a}, 5, {V3{b, 0, 0} + rotate(q, V3{-b, 0, a}), q});
        // Just before and just after the impact: 1e-8 of the time on either side of it.
        double omega[2];
        for (const int side : {0, 1}) {
            const int steps = 64;
            Simulation run =
                w.start(quarter * (1 + (2 * side - 1) * 1e-8) / steps, quarter, {}, formulation);
            for (int i = 0; i < steps; ++i)
                take_step(run);
            run.close_books();
            omega[side] = norm(run.placed().bodies[0].omega);
            CHECK(run.ledger().balanced());
        }
        CHECK(near(omega[0], c.at("omega_before_impact"), 1e-7));
        CHECK(near(omega[1], c.at("omega_after_impact"), 1e-7));
        if (formulation == Formulation::maximal)
            measured_truth("contact_closed_forms", "rocking_block",
                           "runge_kutta4, 64 steps, located in time",
                           std::max(relative(omega[0], c.at("omega_before_impact")),
                                    relative(omega[1], c.at("omega_after_impact"))),
                           "of the rate at the impact");
    }
}

TEST_CASE("Static friction holds until it is passed; then a block slides, from that moment on")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        TouchingWorld w = located(0.3, 0);
        w.builder.materials[0].law.static_friction = 0.5;
        w.ground();
        w.box("block", {1, 1, 0.2}, 2, {{0, 0, 0.1}, identity_quat<double>()});
        for (const double factor : {0.99, 1.01}) {
            w.builder.loads.clear();
            AppliedLoad pull;
            pull.name = "pull";
            pull.body = 0;
            pull.force = V3{factor * 0.5 * 2 * 9.81, 0, 0};
            pull.from = 0.05;
            pull.point = V3{0, 0, -0.1};
            w.builder.loads.push_back(pull);
            Simulation run = w.start(1e-2, 1.05, {}, formulation);
            run_to_end(run);
            const double a = factor < 1 ? 0 : 9.81 * (0.5 * factor - 0.3);
            INFO(factor);
            CHECK(near(run.placed().bodies[0].v.x, a, 1e-9, 1));
            CHECK(near(run.placed().bodies[0].x.x, 0.5 * a, 1e-9, 1));
            CHECK(run.ledger().balanced());
        }
    }
}

TEST_CASE("Rolling and torsional resistance stop a ball and a spin where the law says, to 1e-9")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        TouchingWorld w = located(0.5, 0);
        ContactLaw& law = w.builder.materials[0].law;
        law.rolling = 0.01;
        law.torsion = 0.02;
        w.ground();
        const double R = 0.2, m = 3, v = 1, spin = 5, I = 0.4 * m * R * R;
        w.ball("rolls", R, m, {0, 0, R}, {v, 0, 0}, {0, v / R, 0});
        w.ball("spins", R, m, {0, 5, R}, zero3<double>(), {0, 0, spin});
        const double a = law.rolling * 9.81 / (1.4 * R), alpha = law.torsion * m * 9.81 / I;
        // In joint coordinates of fourth order: 3e-9 at 10 ms.
        const double h = formulation == Formulation::maximal ? 1e-2 : 2.5e-3;
        Simulation run = w.start(h, 4, {}, formulation);
        while (run.time() < 0.2 - 0.5 * h)
            take_step(run);
        CHECK(near(run.placed().bodies[0].v.x, v - a * run.time(), 1e-10));
        CHECK(near(run.placed().bodies[1].omega.z, spin - alpha * run.time(), 1e-10));
        run_to_end(run);
        CHECK(norm(run.placed().bodies[0].v) < 1e-10);
        CHECK(norm(run.placed().bodies[1].omega) < 1e-10);
        CHECK(near(run.placed().bodies[0].x.x, 0.5 * v * v / a, 1e-9));
        CHECK(run.ledger().balanced());
    }
}

TEST_CASE("A ball that rolls over a ball leaves it where its weight no longer holds it, to fourth "
          "order")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        // A small ball slides without friction from the top of a fixed one: it leaves at cos θ = ⅔.
        const double R = 1, r = 0.1, g = 9.81, v0 = 0.3;
        TouchingWorld w = located(0, 0);
        w.skin("hill", world, collider_of(Ball{R}));
        w.ball("ball", r, 2, {0, 0, R + r}, {v0, 0, 0});
        // v² = v0² + 2 g l (1 − cos θ) = g l cos θ at the end
        const double l = R + r, leaves = (v0 * v0 / (g * l) + 2) / 3;
        double last = 0;
        for (const double h : {0.02, 0.01}) {
            Simulation run = w.start(h, 1.0, {}, formulation);
            while (!run.done()) {
                take_step(run);
                if (run.state().touched.empty())
                    break;
            }
            run_to_end(run);
            const PlacedBody ball = run.placed().bodies[0];
            // Then it flies: energy, and the speed along x of the moment when it left.
            const double v_x = std::sqrt(g * l * leaves) * leaves;
            const double off = std::abs(ball.v.x - v_x);
            CHECK(off < 1e-6);
            if (last > 0)
                CHECK(off < std::max(last / 8, 1e-11));
            last = off;
            CHECK(run.ledger().balanced());
        }
    }
}

TEST_CASE("Who cannot find contacts in time says so, and what can")
{
    TouchingWorld w(0.5);
    w.ground();
    const int ball = w.ball("ball", 0.1, 1, {0, 0, 1});
    const auto told = [&](const StepSettings& settings) {
        return unfit(*built(w.builder), settings).text();
    };
    const auto names = [](const std::string& text, const char* what) {
        return text.find(what) != std::string::npos;
    };
    for (const MethodFacts& facts : methods) {
        StepSettings settings;
        settings.method = facts.method;
        settings.form = facts.method == Method::body_frame ? FormKind::velocity : settings.form;
        if (!facts.in_maximal)
            settings.formulation = Formulation::reduced;
        const bool takes = facts.method == Method::impulsive || takes_contacts(facts.method);
        INFO(std::string(facts.name));
        CHECK(unfit(*built(w.builder), settings).any() == !takes);
        CHECK(names(told(settings), "use impulsive, or runge_kutta4, adaptive or splitting") ==
              !takes);
    }
    StepSettings settings;
    settings.method = Method::splitting;
    Joint hinge;
    hinge.name = "hinge";
    hinge.kind = JointKind::revolute;
    hinge.a = world;
    hinge.b = ball;
    hinge.frame_a = {{0, 0, 1.5}, identity_quat<double>()};
    hinge.frame_b = {{0, 0, 0.5}, identity_quat<double>()};
    w.builder.add(hinge);
    CHECK(names(told(settings), "cannot let surfaces rest on each other"));
    settings.method = Method::runge_kutta4;
    CHECK(told(settings).empty());
    settings.stabilisation = Stabilisation::baumgarte;
    CHECK(names(told(settings), "use projection"));
    settings.stabilisation = Stabilisation::projection;
    w.builder.joints[0].laws.resize(1);
    w.builder.joints[0].laws[0].lower = -1;
    CHECK(told(settings).empty()); // limits and surfaces are met in one step
    settings.method = Method::splitting;
    CHECK(names(told(settings), "cannot let surfaces rest on each other"));
    settings.method = Method::impulsive;
    CHECK(told(settings).empty());
}

namespace {

/// Bounces of a ball in a box; energy must stay.
int located_bounces(double until, double gravity)
{
    TouchingWorld w = located(0, 1);
    w.builder.gravity.uniform = {0, 0, -gravity};
    const double half = 0.5;
    int wall = 0;
    for (const V3& n :
         {V3{1, 0, 0}, V3{-1, 0, 0}, V3{0, 1, 0}, V3{0, -1, 0}, V3{0, 0, 1}, V3{0, 0, -1}}) {
        const V3 axis = cross(V3{0, 0, 1}, n);
        const Quat<double> q = norm(axis) > 0 ? exp_quat((M_PI / 2) * axis)
                               : n.z > 0      ? identity_quat<double>()
                                              : exp_quat(V3{M_PI, 0, 0});
        w.skin("wall " + std::to_string(wall++), world, half_space(), {-half * n, q});
    }
    w.ball("ball", 0.1, 1, {0.1, 0.05, -0.02}, {40, 70, -90}, {3, 4, 5});
    Simulation run = w.start(1e-2, until);
    const double before = energy_of(run);
    int bounces = 0;
    while (!run.done()) {
        take_step(run);
        bounces += static_cast<int>(run.touches().size());
    }
    run.close_books();
    CHECK(near(energy_of(run), before, 1e-9));
    MESSAGE(bounces << " bounces; energy off by " << (energy_of(run) / before - 1));
    CHECK(run.ledger().balanced());
    return bounces;
}

} // namespace

TEST_CASE("With restitution 1 and impacts located in time a ball in a box keeps its energy")
{
    CHECK(located_bounces(4, 0) > 800);
    CHECK(located_bounces(4, 9.81) > 800);
}
TEST_SUITE("slow")
{
    TEST_CASE(
        "With restitution 1 a ball in a box keeps its energy over 10⁶ impacts located in time")
    {
        CHECK(located_bounces(4010, 0) > 1000000);
    }
    TEST_CASE("With restitution 1 a ball that falls in a box keeps its energy over 10⁶ impacts")
    {
        CHECK(located_bounces(4010, 9.81) > 1000000);
    }
}

TEST_CASE("Newton's cradle: impacts in sequence hand the motion on")
{
    const auto items = reference_items("contact_closed_forms.json");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const char* name : {"cradle_e1", "cradle_2balls", "cradle_masses", "cradle_e09"}) {
            const auto& c = items.at(name);
            TouchingWorld w = located(0, c.at("e"));
            w.builder.gravity.uniform = zero3<double>();
            const auto& m = c.at("m");
            const auto& v0 = c.at("v0");
            std::size_t moving = 0;
            while (moving < m.size() && v0[moving] != 0)
                ++moving;
            for (std::size_t i = 0; i < m.size(); ++i) // those that move come from a distance
                w.ball("ball " + std::to_string(i), 0.05, m[i],
                       {0.1 * static_cast<double>(i) - (i < moving ? 0.0123 : 0.0), 0, 0},
                       {v0[i], 0, 0});
            ContactSettings contact;
            contact.order = ImpactOrder::in_sequence;
            Simulation run = w.start(1e-2, 0.1, contact, formulation);
            run_to_end(run);
            INFO(name);
            const Placed at = run.placed();
            double far = 0;
            for (std::size_t i = 0; i < m.size(); ++i) {
                const double there = c.at("v_final")[i];
                CHECK(near(at.bodies[i].v.x, there, 1e-12, 1e-12));
                far = std::max(far, std::abs(at.bodies[i].v.x - there));
            }
            if (formulation == Formulation::maximal)
                measured_truth("contact_closed_forms", name,
                               "runge_kutta4, step 10 ms, in sequence", far, "m/s");
            CHECK(run.ledger().balanced());
        }
    }
}

TEST_CASE("Boxes that are put on each other stay there, and a step costs no events")
{
    TouchingWorld w = located(0.5, 0.3);
    w.ground();
    for (int i = 0; i < 3; ++i)
        w.box("box " + std::to_string(i), {1, 1, 0.5}, 1 + i,
              {{0.1 * i, 0, 0.25 + 0.5 * i}, identity_quat<double>()});
    Simulation run = w.start(1e-2, 1);
    const Placed begin = run.placed();
    run_to_end(run);
    const Placed end = run.placed();
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(norm(end.bodies[i].x - begin.bodies[i].x) < 1e-10);
    CHECK(run.ledger().balanced());
}

TEST_CASE("Painleve's rod: where no force keeps its tip from digging in, the step says so and is "
          "taken by impulses")
{
    // A rod on its tip at an angle theta, which slides so that friction digs it in.
    const auto items = reference_items("contact_closed_forms.json");
    struct Case {
        std::string name;
        double mu, theta;
        bool paradox;
    };
    std::vector<Case> cases;
    for (const char* name : {"painleve_ok", "painleve_paradox"}) {
        const auto& c = items.at(name);
        cases.push_back({name, c.at("mu"), static_cast<double>(c.at("theta_deg")) * M_PI / 180,
                         c.at("paradox")});
    }
    // The least friction of all angles: just below it there are forces, just above there are none.
    // The tip is round, 1 % of the rod, and meets the ground that much below its centre.
    const auto& least = items.at("painleve_min");
    const double mu_min = least.at("mu_min"), at = std::atan(least.at("tan_theta").get<double>());
    cases.push_back({"just below mu_min", mu_min * (1 - 0.03), at, false});
    cases.push_back({"just above mu_min", mu_min * (1 + 0.03), at, true});
    for (const Formulation formulation : either_form)
        for (const Case& c : cases) {
            const double theta = c.theta, l = 1, r = 0.01;
            TouchingWorld w = located(c.mu, 0);
            w.ground();
            const double m = 1, I = m * l * l / 3; // half length l: m (2 l)²/12
            Body rod;
            rod.name = "rod";
            rod.mass_properties = {m, zero3<double>(), diagonal(I, I, 1e-4)};
            // z of the rod is its axis; the tip is at −l z.
            const Quat<double> q = exp_quat(V3{0, -(M_PI / 2 - theta), 0});
            const V3 up = rotate(q, V3{0, 0, 1});
            rod.pose = {V3{0, 0, r} + l * up, q};
            rod.velocity = {4, 0, 0};
            const int body = w.builder.add(rod);
            w.skin("tip", body, collider_of(Ball{r}), {{0, 0, -l}, identity_quat<double>()});
            RunSettings run;
            run.step.h = 1e-3;
            run.step.method = Method::runge_kutta4;
            run.step.formulation = formulation;
            const auto model = built(w.builder);
            State state = start_of(*model, FormKind::momentum, formulation);
            const Input input;
            Workspace space(*model, input, Postings::Detail::totals);
            const StepReport report = smooth_step(state, run.step, space);
            INFO(name_of(formulation), " ", c.name, " ", up.x, " ", up.z);
            CHECK(report.failure == nullptr);
            const bool paradox = c.paradox;
            CHECK(space.events->by_impulses() ==
                  (paradox ? ContactEvents::ByImpulses::no_forces : ContactEvents::ByImpulses::no));
            auto simulation = Simulation::start(model, run);
            REQUIRE(simulation);
            take_step(*simulation);
            CHECK(simulation->steps_by_impulses() == paradox);
            CHECK(simulation->placed().bodies[0].v.x < 4); // friction holds it back
            if (formulation == Formulation::maximal)
                measured_truth("contact_closed_forms",
                               c.name.find("min") == std::string::npos ? c.name : "painleve_min",
                               text_of("runge_kutta4, step 1 ms, friction ", c.mu, ": forces ",
                                       paradox ? "do not exist" : "exist"),
                               simulation->steps_by_impulses() == paradox ? 0 : 1, "wrong");
            CHECK(!simulation->touches().empty());
        }
}

namespace {

void check_resumed(const TouchingWorld& w, Formulation formulation)
{
    Simulation whole = w.start(2e-3, 0.6, {}, formulation);
    for (int i = 0; i < 187; ++i)
        take_step(whole);
    const Checkpoint kept = whole.checkpoint();
    run_to_end(whole);
    Simulation resumed = w.start(2e-3, 0.6, {}, formulation);
    resumed.resume(kept);
    run_to_end(resumed);
    CHECK(hash_of(whole.state()) == hash_of(resumed.state()));
    CHECK(whole.state() == resumed.state());
    CHECK(whole.ledger().balanced());
}

} // namespace

TEST_CASE("A run with contact located in time that was resumed has the same bits")
{
    TouchingWorld w = located(0.4, 0.5);
    w.ground();
    w.ball("ball", 0.1, 1, {0, 0, 0.5}, {1, 0, 0}, {0, 3, 1});
    w.box("box", {0.2, 0.3, 0.2}, 2, {{1, 0, 0.3}, exp_quat(V3{0.3, 0.2, 0.1})}, {0, 0.3, 0});
    w.box("slab", {0.4, 0.4, 0.1}, 2, {{-1, 0, 0.05}, identity_quat<double>()}, {0.5, 0.2, 0});
    check_resumed(w, Formulation::maximal);
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        check_resumed(swinging(0.4, 0.2), formulation);
}

TEST_CASE("Contact located in time is the same in every form of the state")
{
    TouchingWorld w = located(0.4, 0.5);
    w.ground();
    w.ball("ball", 0.1, 1, {0, 0, 0.5}, {1, 0, 0}, {0, 3, 1});
    std::optional<PlacedBody> first;
    for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
        RunSettings run;
        run.step.method = Method::runge_kutta4;
        run.step.form = form;
        run.step.h = 5e-3;
        run.until = 2;
        auto simulation = Simulation::start(built(w.builder), run);
        REQUIRE(simulation);
        run_to_end(*simulation);
        const PlacedBody ball = simulation->placed().bodies[0];
        if (!first)
            first = ball;
        INFO(std::string(name_of(form)));
        CHECK(norm(ball.x - first->x) < 1e-10);
        CHECK(norm(ball.omega - first->omega) < 1e-9);
        CHECK(simulation->ledger().balanced());
    }
}

TEST_CASE("A ball on a ball on the ground: the upper one bounces, and all comes to rest")
{
    TouchingWorld w = located(0, 0.5);
    w.ground();
    w.ball("lower", 0.1, 1, {0, 0, 0.1});
    w.ball("upper", 0.1, 0.5, {0, 0, 0.5});
    Simulation run = w.start(2e-3, 3);
    run_to_end(run);
    const Placed at = run.placed();
    CHECK(near(at.bodies[0].x.z, 0.1, 1e-9));
    CHECK(near(at.bodies[1].x.z, 0.3, 1e-9));
    CHECK(norm(at.bodies[1].v) < 1e-9);
    CHECK(run.ledger().balanced());
}

TEST_CASE("Boxes that fall on each other come to rest, and the books close" *
          doctest::test_suite("slow"))
{
    TouchingWorld w = located(0.5, 0.3);
    w.ground();
    for (int i = 0; i < 2; ++i)
        w.box("box " + std::to_string(i), {0.3, 0.25, 0.2}, 1 + i,
              {{0.05 * i, 0.03 * i, 0.3 + 0.4 * i}, exp_quat(V3{0.3 * i, 0.2, 0.1 * i})}, {0, 0, 0},
              {1, 0.5, -1.0 * i});
    Simulation run = w.start(2e-3, 2);
    const double before = energy_of(run);
    run_to_end(run);
    CHECK(energy_of(run) < before);
    for (const PlacedBody& body : run.placed().bodies) {
        CHECK(body.x.z > 0.09);
        CHECK(norm(body.v) < 1e-6);
    }
    CHECK(run.ledger().balanced());
}

TEST_CASE("A bullet at 1000 m/s does not pass a sheet of 1 mm, and meets it when it should")
{
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        for (const double restitution : {0.0, 0.5, 1.0})
            for (const double start : {0.0, 0.123, 0.4567}) {
                TouchingWorld w = located(0, restitution);
                w.skin("sheet", world, collider_of(Box{{1e-3, 1, 1}}),
                       {{1.5, 0, 0}, identity_quat<double>()});
                w.ball("bullet", 2e-3, 0.01, {start, 0, 0}, {1000, 0, 0});
                Simulation run = w.start(1e-3, 5e-3, {}, formulation);
                run_to_end(run);
                const double hit = (1.4975 - start) / 1000,
                             x = 1.4975 - restitution * 1000 * (5e-3 - hit);
                INFO(restitution, " from ", start, " ", name_of(formulation));
                CHECK(near(run.placed().bodies[0].x.x, x, 1e-12, 1));
                CHECK(near(run.placed().bodies[0].v.x, -restitution * 1000, 1e-12, 1));
                CHECK(run.ledger().balanced());
            }
}

TEST_CASE("Contact located in time, with joints: both formulations agree")
{
    const TouchingWorld w = swinging(0.4, 0.2);
    Simulation a = w.start(2e-3, 0.6), b = w.start(2e-3, 0.6, {}, Formulation::reduced);
    double far = 0;
    while (!a.done()) {
        take_step(a);
        take_step(b);
        const Placed in_a = a.placed(), in_b = b.placed();
        for (std::size_t i = 0; i < in_a.bodies.size(); ++i)
            far = std::max(far, norm(in_a.bodies[i].x - in_b.bodies[i].x));
    }
    a.close_books();
    b.close_books();
    CHECK(far < 1e-7);
    CHECK(a.ledger().balanced());
}
