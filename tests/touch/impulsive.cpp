// SPDX-License-Identifier: MIT
#include "poinsot/step/impulsive.hpp"

#include "touching.hpp"

using namespace poinsot;

TEST_CASE("A ball that slides comes to roll: closed forms")
{
    const auto items = reference_items("contact_closed_forms.json");
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const char* name : {"ball_sliding_to_rolling", "ball_backspin"}) {
            const auto& c = items.at(name);
            const double R = c.at("R"), t_roll = c.at("t_roll");
            TouchingWorld w(c.at("mu"));
            w.ground();
            w.ball("ball", R, 1, {0, 0, R}, {c.at("v0"), 0, 0}, {0, c.at("omega0"), 0});
            Simulation run = w.start(1e-3, 2 * t_roll, {}, formulation);
            run_to_end(run);
            const PlacedBody ball = run.placed().bodies[0];
            INFO(name);
            CHECK(near(ball.v.x, c.at("v_final"), 1e-12));
            CHECK(near(ball.omega.y, c.at("omega_final"), 1e-12));
            if (formulation == Formulation::maximal)
                measured_truth("contact_closed_forms", name, "impulsive, step 1 ms",
                               std::max(relative(ball.v.x, c.at("v_final")),
                                        relative(ball.omega.y, c.at("omega_final"))),
                               "of speed and spin");
            CHECK(run.ledger().balanced());
        }
    }
}

TEST_CASE("A block on a slope stays below the critical angle and slides above it as the law says")
{
    for (const Formulation formulation : either_form) {
        INFO(name_of(formulation));
        for (const double mu : {0.5, 0.6}) {
            const auto [went, by_law] = slide_of_block(TouchingWorld(mu), mu, 1e-3, formulation);
            CHECK(near(went, by_law, 1e-9, 1e-3));
            if (formulation == Formulation::maximal)
                measured_truth("contact_closed_forms", mu < 0.55 ? "block_slides" : "block_sticks",
                               "impulsive, step 1 ms", std::abs(went - by_law), "m in 2 s");
        }
    }
}

TEST_CASE("Where all comes back, energy stays to rounding")
{
    TouchingWorld w(0, 1);
    w.ground();
    for (int i = 0; i < 7; ++i)
        w.ball("ball " + std::to_string(i), 0.1, 10, {2.0 * i, 0, 5});
    Simulation run = w.start(1e-3, 20);
    const double before = energy_of(run);
    run_to_end(run);
    CHECK(near(energy_of(run), before, 1e-11));
    CHECK(run.ledger().balanced());
}

TEST_CASE("A bullet at 1000 m/s does not pass a sheet of 1 mm, and no time is lost")
{
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        for (const double restitution : {0.0, 0.5, 1.0})
            for (const double start : {0.0, 0.123, 0.4567}) {
                TouchingWorld w(0, restitution);
                w.builder.gravity.uniform = {0, 0, -9.81};
                w.skin("sheet", world, collider_of(Box{{1e-3, 1, 1}}),
                       {{1.5, 0, 0}, identity_quat<double>()});
                const V3 v{1000, 0, 0};
                w.ball("bullet", 2e-3, 0.01, {start, 0, 0}, v);
                Simulation run = w.start(1e-3, 5e-3, {}, formulation);
                run_to_end(run);
                // To the face at 1.4995 − 0.002, and back with e v.
                const double hit = (1.4975 - start) / 1000,
                             x = 1.4975 - restitution * 1000 * (5e-3 - hit);
                INFO(restitution, " from ", start, " ", name_of(formulation));
                CHECK(near(run.placed().bodies[0].x.x, x, 1e-6));
                CHECK(run.placed().bodies[0].v.x < 1e-12);
                CHECK(run.ledger().balanced());
            }
}

namespace {

/// Bounces of a ball in a box without gravity; energy must stay.
int bounces_in_a_box(double until)
{
    TouchingWorld w(0, 1);
    w.builder.gravity.uniform = zero3<double>();
    const double half = 0.5;
    int wall = 0;
    for (const V3& n :
         {V3{1, 0, 0}, V3{-1, 0, 0}, V3{0, 1, 0}, V3{0, -1, 0}, V3{0, 0, 1}, V3{0, 0, -1}}) {
        // z turned to n
        const V3 axis = cross(V3{0, 0, 1}, n);
        const Quat<double> q = norm(axis) > 0 ? exp_quat((M_PI / 2) * axis)
                               : n.z > 0      ? identity_quat<double>()
                                              : exp_quat(V3{M_PI, 0, 0});
        w.skin("wall " + std::to_string(wall++), world, half_space(), {-half * n, q});
    }
    w.ball("ball", 0.1, 1, {0.1, 0.05, -0.02}, {40, 70, -90}, {3, 4, 5});
    Simulation run = w.start(2e-3, until);
    const double before = energy_of(run);
    int bounces = 0;
    V3 v = run.placed().bodies[0].v;
    while (!run.done()) {
        take_step(run);
        const V3 now = run.placed().bodies[0].v;
        bounces += (now.x != v.x) + (now.y != v.y) + (now.z != v.z);
        v = now;
    }
    run.close_books();
    CHECK(near(energy_of(run), before, bounces * 0x1p-53)); // a rounding each
    MESSAGE(bounces << " bounces; energy off by " << (energy_of(run) / before - 1));
    CHECK(run.ledger().balanced());
    return bounces;
}

} // namespace

TEST_CASE("With restitution 1 a ball in a box keeps its energy")
{
    CHECK(bounces_in_a_box(10) > 3000);
}
TEST_SUITE("slow")
{
    TEST_CASE("With restitution 1 a ball in a box keeps its energy over 10⁶ bounces")
    {
        CHECK(bounces_in_a_box(2600) > 1000000);
    }
}

namespace {

/// A pendulum of two boxes hung from the world by hinges, which swings into a free box, and falls
/// onto the ground with a limit in its second hinge.
TouchingWorld flail(double friction, double restitution)
{
    TouchingWorld w(friction, restitution);
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
    b.laws.resize(1);
    b.laws[0].lower = -0.5;
    b.laws[0].upper = 0.5;
    w.builder.add(a);
    w.builder.add(b);
    return w;
}

double work_of(const Simulation& run, Cause cause)
{
    return run.ledger().books().total.posted[index_of(cause)].work;
}

double difference(const Simulation& a, const Simulation& b)
{
    double far = 0;
    const Placed in_a = a.placed(), in_b = b.placed();
    for (std::size_t i = 0; i < in_a.bodies.size(); ++i)
        far = std::max(far, norm(in_a.bodies[i].x - in_b.bodies[i].x));
    return far;
}

} // namespace

TEST_CASE("Contact, joints and limits in one solve: both formulations agree, ever closer")
{
    // In long steps joints that move are of first order beside contact. In the end all lies still,
    // where neither road matters but for the gap that counts as touch, 1e-6 of the smallest box.
    const TouchingWorld w = flail(0.4, 0.2);
    double last = 4e-3;
    for (const double h : {2e-3, 1e-3, 5e-4}) {
        Simulation a = w.start(h, 0.8), b = w.start(h, 0.8, {}, Formulation::reduced);
        double far = 0;
        while (!a.done()) {
            take_step(a);
            take_step(b);
            far = std::max(far, difference(a, b));
        }
        INFO(h, " s: ", far, " m, in the end ", difference(a, b));
        CHECK(far < 0.6 * last);
        CHECK(difference(a, b) < 2e-7);
        for (Simulation* run : {&a, &b}) {
            run->close_books();
            CHECK(run->ledger().balanced());
            CHECK(run->contact_quality().unsolved == 0);
        }
        // Of 9 J: what contact throws back changes what the limit has to hold, and no joint pays.
        CHECK(std::abs(work_of(a, Cause::joint)) < 1e-12);
        last = far;
    }
}

TEST_CASE("By impulses a limit gives back what its restitution says, and has it in its account")
{
    const double g = 9.81, drop = 0.5, h = 1e-3, fall = std::sqrt(2 * drop / g);
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        for (const double e : {0.0, 0.5, 0.8, 1.0}) {
            CAPTURE(formulation);
            CAPTURE(e);
            TouchingWorld w(0, 0);
            w.ground();
            Joint rail;
            rail.name = "rail";
            rail.kind = JointKind::prismatic;
            rail.a = world;
            rail.b = w.ball("slides", 0.1, 1, {0, 0, 2});
            rail.frame_a.x = {0, 0, 2};
            rail.laws.resize(1);
            rail.laws[0].lower = -drop;
            rail.laws[0].restitution = e;
            w.builder.add(rail);
            Simulation run = w.start(h, fall + e * fall + 0.05, {}, formulation);
            double peak = 0;
            while (!run.done()) {
                take_step(run);
                if (run.time() > fall + h)
                    peak = std::max(peak, run.placed().bodies[0].x.z - (2 - drop));
            }
            run.close_books();
            // It is struck up to a step beside its moment: h v of the way, and h g of the speed.
            const double speed = g * fall;
            CHECK(std::abs(peak - e * e * drop) < 3 * h * speed);
            CHECK(std::abs(work_of(run, Cause::limit) + (1 - e * e) * g * drop) <
                  3 * h * g * speed);
            CHECK(std::abs(work_of(run, Cause::joint)) < 1e-12);
            CHECK(run.ledger().balanced());
        }
}
