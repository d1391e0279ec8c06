// SPDX-License-Identifier: MIT
#include "poinsot/step/impulsive.hpp"

#include "touching.hpp"

using namespace poinsot;

namespace {

double posted_work(const Simulation& run, Cause cause)
{
    return run.ledger().books().total.posted[index_of(cause)].work;
}

} // namespace

TEST_CASE("A ball with side spin: slip keeps its direction, and the ball comes to roll (massé)")
{
    const auto c = reference_items("contact_closed_forms.json").at("ball_masse");
    const double R = c.at("R"), t_roll = c.at("t_roll");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        TouchingWorld w(c.at("mu"));
        w.ground();
        w.ball("ball", R, 1, {0, 0, R}, vec(c.at("v0")), vec(c.at("omega0")));
        // A step that ends where rolling begins, so that the place there can be compared.
        Simulation run = w.start(t_roll / 500, 2 * t_roll, {}, formulation);
        while (run.state().step < 500)
            take_step(run);
        const double off = norm(run.placed().bodies[0].x - vec(c.at("x_at_roll")) - V3{0, 0, R});
        CHECK(off < 1e-10);
        run_to_end(run);
        const PlacedBody ball = run.placed().bodies[0];
        CHECK(norm(ball.v - vec(c.at("v_final"))) < 1e-10);
        const V3 spin = vec(c.at("omega_final"));
        CHECK(near(ball.omega.x, spin.x, 1e-9));
        CHECK(near(ball.omega.y, spin.y, 1e-9));
        if (formulation == Formulation::maximal)
            measured_truth("contact_closed_forms", "ball_masse",
                           "impulsive, 500 steps until it rolls",
                           std::max(off, norm(ball.v - vec(c.at("v_final")))), "m, m/s");
    }
}

TEST_CASE("A ball rolls and a cylinder slips down a slope as their inertia says")
{
    const auto items = reference_items("contact_closed_forms.json");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const bool ball : {true, false}) {
            const auto& c = items.at(ball ? "sphere_rolls_incline" : "cyl_slips_incline");
            const double slope = c.at("theta_deg").get<double>() * M_PI / 180, R = 0.3;
            TouchingWorld w(c.at("mu"));
            w.ground(slope);
            const Quat<double> q = exp_quat(V3{0, slope, 0});
            if (ball)
                w.ball("ball", R, 2, rotate(q, V3{0, 0, R}));
            else { // lying along y
                const double m = 2, L = 0.5, axial = 0.5 * m * R * R,
                             across = m * (3 * R * R + L * L) / 12;
                w.add("cylinder", Cylinder{R, L},
                      {m, zero3<double>(), diagonal(across, across, axial)},
                      {rotate(q, V3{0, 0, R}), q * exp_quat(V3{M_PI / 2, 0, 0})});
            }
            Simulation run = w.start(1e-3, 1, {}, formulation);
            run_to_end(run);
            const PlacedBody body = run.placed().bodies[0];
            CHECK(near(norm(body.v), c.at("a"), 1e-9));
            if (!ball)
                CHECK(near(norm(body.omega) * R, c.at("alpha_R"), 1e-9));
            if (formulation == Formulation::maximal)
                measured_truth(
                    "contact_closed_forms", ball ? "sphere_rolls_incline" : "cyl_slips_incline",
                    "impulsive, step 1 ms", relative(norm(body.v), c.at("a")), "of the speed");
            CHECK(run.ledger().balanced());
        }
    }
}

TEST_CASE("A box tips or slides, whichever its shape and friction allow first")
{
    const auto items = reference_items("contact_closed_forms.json");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const char* name : {"box_tip", "box_slide"}) {
            const auto& c = items.at(name);
            const double slope = c.at("theta_deg").get<double>() * M_PI / 180, b = c.at("b"),
                         height = c.at("h");
            TouchingWorld w(c.at("mu"));
            w.ground(slope);
            const Quat<double> q = exp_quat(V3{0, slope, 0});
            w.box("box", {b, 1, height}, 1, {rotate(q, V3{0, 0, 0.5 * height}), q});
            const double h = 1e-4;
            Simulation run = w.start(h, 1, {}, formulation);
            take_step(run);
            const PlacedBody box = run.placed().bodies[0];
            const double slides =
                9.81 * (std::sin(slope) - c.at("mu").get<double>() * std::cos(slope));
            const bool tips = c.at("first") == "tips";
            INFO(name);
            // The first step from rest: velocities are those of the release times h.
            CHECK(near(norm(box.omega) / h, tips ? c.at("alpha_tip_release").get<double>() : 0,
                       1e-9, 1));
            if (!tips)
                CHECK(near(norm(box.v) / h, slides, 1e-9));
            V3 F = zero3<double>();
            REQUIRE(run.state().touched.size() > 0);
            for (const Touched& touch : run.state().touched)
                F += (1 / h) * (touch.normal * rotate(q, V3{0, 0, 1}) + touch.friction);
            if (formulation == Formulation::maximal)
                measured_truth("contact_closed_forms", name, "impulsive, first step of 0.1 ms",
                               tips ? relative(norm(box.omega) / h, c.at("alpha_tip_release"))
                                    : relative(norm(box.v) / h, slides),
                               "of the acceleration");
            // The ground is skin 0 and the box skin 1: on b is on the box.
            if (tips) {
                CHECK(near(dot(F, rotate(q, V3{0, 0, 1})), c.at("N_per_m"), 1e-9));
                CHECK(near(-dot(F, rotate(q, V3{1, 0, 0})), c.at("F_per_m"), 1e-9));
            }
        }
    }
}

TEST_CASE("A ladder stands above its least angle and slides below it")
{
    const auto items = reference_items("contact_closed_forms.json");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const char* name : {"ladder", "ladder2"}) {
            const auto& c = items.at(name);
            for (const double beside : {-0.5, 0.5}) {
                const double angle = (c.at("min_angle_deg").get<double>() + beside) * M_PI / 180;
                TouchingWorld w(0);
                Material floor, wall;
                floor.name = "floor";
                floor.law.friction = floor.law.static_friction = c.at("mu_floor");
                wall.name = "wall";
                wall.law.friction = wall.law.static_friction = c.at("mu_wall");
                w.builder.add(floor);
                w.builder.add(wall);
                for (const int other : {1, 2}) // the ladder takes the law of what it stands on
                    w.builder.material_pairs.push_back(
                        {0, other, w.builder.materials[static_cast<std::size_t>(other)].law});
                w.skin("floor", world, half_space());
                w.builder.skins.back().material = 1;
                // The wall x ≥ 0 has the normal −x.
                w.skin("wall", world, half_space(),
                       {zero3<double>(), exp_quat(V3{0, -M_PI / 2, 0})});
                w.builder.skins.back().material = 2;
                // A thin rod as a capsule, whose ends are small balls: nearly the rod of the
                // formula.
                const double L = 4, r = 1e-4, m = 10;
                const double across = m * L * L / 12;
                w.add("ladder", Capsule{r, L}, {m, zero3<double>(), diagonal(across, across, 1e-7)},
                      {V3{-0.5 * L * std::cos(angle) - r, 0, 0.5 * L * std::sin(angle) + r},
                       exp_quat(V3{0, M_PI / 2 - angle, 0})});
                Simulation run = w.start(1e-3, 0.5, {}, formulation);
                const V3 begin = run.placed().bodies[0].x;
                run_to_end(run);
                const double moved = norm(run.placed().bodies[0].x - begin);
                INFO(name, " ", beside, " moved ", moved);
                CHECK((beside > 0 ? moved < 1e-9 : moved > 1e-3));
                if (beside > 0)
                    if (formulation == Formulation::maximal)
                        measured_truth("contact_closed_forms", name,
                                       "impulsive, step 1 ms: slides 0.5° below its angle, 0.5° "
                                       "above it moved",
                                       moved, "m in 0.5 s");
            }
        }
    }
}

TEST_CASE(
    "Newton's cradle: in sequence the last ball leaves, together three part as −1/3, 2/3, 2/3")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const ImpactOrder order : {ImpactOrder::in_sequence, ImpactOrder::together}) {
            TouchingWorld w(0, 1);
            w.builder.gravity.uniform = zero3<double>();
            w.ball("first", 0.1, 1, {-0.5, 0, 0}, {1, 0, 0});
            w.ball("second", 0.1, 1, {0, 0, 0});
            w.ball("third", 0.1, 1, {0.2, 0, 0});
            ContactSettings contact;
            contact.order = order;
            Simulation run = w.start(1e-3, 0.5, contact, formulation);
            run_to_end(run);
            const Placed end = run.placed();
            const double expected[2][3] = {{0, 0, 1}, {-1. / 3, 2. / 3, 2. / 3}};
            for (std::size_t i = 0; i < 3; ++i)
                CHECK(
                    near(end.bodies[i].v.x, expected[order == ImpactOrder::together][i], 1e-12, 1));
            CHECK(run.ledger().balanced());
        }
    }
}

TEST_CASE(
    "A block rocks: each impact takes the share that the angular momentum about its edge says")
{
    const auto c = reference_items("contact_closed_forms.json").at("rocking_block");
    const double b = 2 * c.at("half_b").get<double>(), height = 2 * c.at("half_h").get<double>(),
                 theta = c.at("theta0");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        TouchingWorld w(5); // it does not slip
        w.ground();
        const Quat<double> q = exp_quat(V3{0, theta, 0});
        // Tilted about its right lower edge, which is at the origin.
        w.box("block", {b, 0.1, height}, 1, {rotate(q, V3{-0.5 * b, 0, 0.5 * height}), q});
        const double h = 1e-5;
        Simulation run = w.start(h, 0.4, {}, formulation);
        double before = 0, time = 0, after = 0;
        while (!run.done() && after == 0) {
            take_step(run);
            const double rate = std::abs(run.placed().bodies[0].omega.y);
            if (rate < before * 0.98)
                after = rate;
            else {
                before = rate;
                time = run.time();
            }
        }
        CHECK(near(time, c.at("quarter_period_exact"), 1e-4));
        CHECK(near(before, c.at("omega_before_impact"), 1e-4));
        CHECK(near(after / before, c.at("r_angular_velocity_ratio"), 1e-4));
        if (formulation == Formulation::maximal)
            measured_truth("contact_closed_forms", "rocking_block", "impulsive, step 10 µs",
                           std::max(relative(before, c.at("omega_before_impact")),
                                    relative(after, c.at("omega_after_impact"))),
                           "of the rate at the impact");
    }
}

TEST_CASE("Static friction holds until it is passed, then the lower friction of sliding acts")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        TouchingWorld w(0.3);
        w.builder.materials[0].law.static_friction = 0.5;
        w.ground();
        w.box("block", {1, 1, 0.2}, 2, {{0, 0, 0.1}, identity_quat<double>()});
        for (const double factor : {0.99, 1.01}) {
            Builder& builder = w.builder;
            builder.loads.clear();
            AppliedLoad pull;
            pull.name = "pull";
            pull.body = 0;
            pull.force = V3{factor * 0.5 * 2 * 9.81, 0, 0};
            pull.from = 0.05; // it stands first: what is new on the ground slides
            pull.point = V3{0, 0, -0.1};
            builder.loads.push_back(pull);
            Simulation run = w.start(1e-3, 1.05, {}, formulation);
            run_to_end(run);
            const double a = factor < 1 ? 0 : 9.81 * (0.5 * factor - 0.3);
            INFO(factor);
            // The step in which it starts to slide still has the higher one.
            CHECK(near(run.placed().bodies[0].v.x, a, 3e-3, 1));
        }
    }
}

TEST_CASE(
    "Rolling and torsional resistance: a ball stops where the law says, a spin dies as it says")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        TouchingWorld w(0.5);
        ContactLaw& law = w.builder.materials[0].law;
        law.rolling = 0.01;
        law.torsion = 0.02;
        w.ground();
        const double R = 0.2, m = 3, v = 1, spin = 5, I = 0.4 * m * R * R;
        w.ball("rolls", R, m, {0, 0, R}, {v, 0, 0}, {0, v / R, 0});
        w.ball("spins", R, m, {0, 5, R}, zero3<double>(), {0, 0, spin});
        Simulation run = w.start(1e-3, 5, {}, formulation);
        std::optional<double> stopped, still;
        while (!run.done()) {
            take_step(run);
            const Placed at = run.placed();
            if (!stopped && norm(at.bodies[0].v) < 1e-9)
                stopped = run.time();
            if (!still && norm(at.bodies[1].omega) < 1e-9)
                still = run.time();
        }
        run.close_books();
        // The moment c m g slows both: (7/5) m R a = c m g; I α = c m g.
        const double a = law.rolling * 9.81 / (1.4 * R);
        REQUIRE(stopped);
        REQUIRE(still);
        CHECK(near(*stopped, v / a, 2e-3));
        CHECK(near(run.placed().bodies[0].x.x, 0.5 * v * v / a, 1e-4));
        CHECK(near(*still, spin * I / (law.torsion * m * 9.81), 2e-3));
        CHECK(run.ledger().balanced());
    }
}

TEST_CASE("Contact never makes energy, and its postings close the books of a heap")
{
    TouchingWorld w(0.4, 0.6);
    w.ground();
    Dice dice(3);
    for (int i = 0; i < 12; ++i) {
        const V3 x{dice.uniform(-0.3, 0.3), dice.uniform(-0.3, 0.3), 0.4 + 0.35 * i};
        if (i % 2)
            w.ball(text_of("ball ", i), 0.12, 1, x, dice.vector(1), dice.vector(5));
        else
            w.box(text_of("box ", i), {0.2, 0.25, 0.15}, 1, {x, dice.rotation()}, dice.vector(1),
                  dice.vector(5));
    }
    Simulation run = w.start(1e-3, 3);
    double energy = energy_of(run), most = 0;
    double shifted = 0;
    while (!run.done()) {
        take_step(run);
        run.close_books();
        const Books& books = run.ledger().books();
        const double by_moves = books.shifted.total() + posted_work(run, Cause::contact_correction);
        const double now = energy_of(run);
        most = std::max(most, now - energy - (by_moves - shifted));
        shifted = by_moves;
        energy = now;
    }
    MESSAGE("the largest gain of a step is "
            << most << " J; put apart " << shifted << " J; normal "
            << posted_work(run, Cause::contact_normal) << ", restitution "
            << posted_work(run, Cause::contact_restitution) << ", friction "
            << posted_work(run, Cause::contact_friction));
    // Friction of a step opposes the slip at its end: where loads turn the slip around within it,
    // it worked with them for a while. The bound is a part of what loads can do in a step.
    CHECK(most < 1e-2 * 12 * (9.81e-3) * (9.81e-3));
    CHECK(run.ledger().balanced());
    CHECK(posted_work(run, Cause::contact_friction) < 0);
}

TEST_CASE("A heap that is stopped and resumed goes on to the same bits, in both formulations")
{
    TouchingWorld w(0.4, 0.3);
    w.ground();
    Dice dice(5);
    for (int i = 0; i < 6; ++i)
        w.box(
            text_of("box ", i), {0.2, 0.25, 0.15}, 1,
            {{dice.uniform(-0.1, 0.1), dice.uniform(-0.1, 0.1), 0.2 + 0.25 * i}, dice.rotation()});
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
        Simulation whole = w.start(2e-3, 1, {}, formulation);
        Simulation first = w.start(2e-3, 1, {}, formulation);
        while (first.state().step < 230)
            take_step(first);
        REQUIRE(first.state().touched.size() > 3);
        Simulation second = w.start(2e-3, 1, {}, formulation);
        second.resume(first.checkpoint());
        run_to_end(whole);
        run_to_end(second);
        CHECK(hash_of(whole.state()) == hash_of(second.state()));
        CHECK(whole.state() == second.state());
    }
}
