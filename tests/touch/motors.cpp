// SPDX-License-Identifier: MIT
// Motors and friction of joints beside contact: rows of one solve, in both formulations, solved
// exactly and by sweeps.
#include "poinsot/step/drives.hpp"

#include "poinsot/contacts/touch.hpp"
#include "poinsot/step/acting.hpp"
#include "touching.hpp"

using namespace poinsot;

namespace {

constexpr double g = 9.81;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Way {
    Formulation formulation;
    bool exact;

    ContactSettings contact() const
    {
        ContactSettings made;
        made.exact = exact;
        made.sweeps = 100000;
        made.tolerance = exact ? 1e-10 : 1e-12;
        return made;
    }
    friend std::ostream& operator<<(std::ostream& out, const Way& way)
    {
        return out << name_of(way.formulation) << (way.exact ? " exact" : " sweeps");
    }
};
constexpr std::array<Way, 4> all_ways{{{Formulation::maximal, true},
                                       {Formulation::maximal, false},
                                       {Formulation::reduced, true},
                                       {Formulation::reduced, false}}};

const Quat<double> z_along_x = exp_quat(V3{0, M_PI / 2, 0});
const Quat<double> z_along_y = exp_quat(V3{-M_PI / 2, 0, 0});

Joint joint(const std::string& name, JointKind kind, int a, int b, const V3& in_a, const V3& in_b,
            const Quat<double>& axis)
{
    Joint made;
    made.name = name;
    made.kind = kind;
    made.a = a;
    made.b = b;
    made.frame_a = {in_a, axis};
    made.frame_b = {in_b, axis};
    made.laws.resize(1);
    return made;
}
Motor to_place(double target, double gain, double damping, double most = infinite)
{
    return {Motor::Kind::position, {target}, gain, damping, most};
}
Motor to_speed(double target, double gain, double most = infinite)
{
    return {Motor::Kind::velocity, {target}, gain, 0, most};
}

int plain_body(TouchingWorld& w, const std::string& name, double mass, const V3& inertia,
               const V3& x, const V3& v = zero3<double>())
{
    Body body;
    body.name = name;
    body.mass_properties = {mass, zero3<double>(), diagonal(inertia.x, inertia.y, inertia.z)};
    body.pose.x = x;
    body.velocity = v;
    return w.builder.add(body);
}

/// A mass on a rail along x, driven by this motor.
TouchingWorld driven_mass(const Motor& motor, double mass, double x, double v)
{
    TouchingWorld w;
    w.builder.gravity.uniform = zero3<double>();
    const int cart = plain_body(w, "cart", mass, {1, 1, 1}, {x, 0, 0}, {v, 0, 0});
    Joint rail = joint("rail", JointKind::prismatic, world, cart, {0, 0, 0}, {0, 0, 0}, z_along_x);
    rail.laws[0].motor = motor;
    w.builder.add(rail);
    return w;
}

/// A rod of one metre that a hinge above the ground holds at one end; a ball at the other touches.
/// Angle from the horizontal, downwards positive.
struct Arm {
    static constexpr double mass = 3, R = 0.05, height = 0.6;
    static double touching() { return std::asin(height - R); }

    TouchingWorld w;
    explicit Arm(double angle, const Motor& motor, double mu) : w(mu)
    {
        w.ground();
        const int rod = plain_body(w, "rod", mass, {0.01, 0.25, 0.25}, {0.5, 0, height});
        w.skin("tip", rod, collider_of(Ball{R}), {{0.5, 0, 0}, identity_quat<double>()});
        Joint hinge = joint("hinge", JointKind::revolute, world, rod, {0, 0, height}, {-0.5, 0, 0},
                            z_along_y);
        hinge.laws[0].motor = motor;
        hinge.start = {angle};
        w.builder.add(hinge);
    }
};

double impulse_along(const Simulation& run, const V3& n)
{
    double sum = 0;
    for (const TouchRecord& touch : run.touches())
        sum += std::abs(dot(touch.impulse, n));
    return sum;
}

const Posting& posted(const Simulation& run, Cause cause)
{
    return run.ledger().books().total.posted[index_of(cause)];
}

} // namespace

TEST_CASE("A motor that keeps a speed brakes a mass by 1/(1 + x + x²/2) a step, any gain")
{
    // x = h gain/m; no speed is ever passed.
    for (const Way& way : all_ways)
        for (const double gain : {1e-9, 0.3, 7.0, 4e3, 1e12}) {
            INFO(way, " gain ", gain);
            const double m = 2, h = 0.05, v_0 = 3, wanted = -1, x = h * gain / m;
            Simulation run = driven_mass(to_speed(wanted, gain), m, 0, v_0)
                                 .start(h, 1, way.contact(), way.formulation);
            double left = v_0 - wanted;
            for (int i = 0; i < 20; ++i) {
                take_step(run);
                left /= 1 + x + 0.5 * x * x;
                // Rounding, and the residual of twenty solves.
                CHECK(std::abs(run.placed().bodies[0].v.x - wanted - left) < 1e-9);
            }
            run.close_books();
            CHECK(run.ledger().balanced());
        }
}

TEST_CASE("Motors as rows: the error falls with the square of the step while it resolves them")
{
    // m ẍ = k (sin ωt − x) + c (ω cos ωt − ẋ): against Runge-Kutta with a hundredth of the step.
    for (const Way& way : all_ways)
        for (const auto& [gain, damping] : {std::pair(40.0, 0.0), {40.0, 3.0}, {5.0, 30.0}}) {
            Motor motor = to_place(0, gain, damping);
            motor.target = {0.1, 0.2, 0.5, 0.7, 0.3};
            TouchingWorld w = driven_mass(motor, 2, 0.3, -0.4);
            const auto end = [&](Method method, double h) {
                w.method = method;
                Simulation run = w.start(h, 1, way.contact(), way.formulation);
                run_to_end(run);
                return run.placed().bodies[0].x.x;
            };
            const double truth = end(Method::runge_kutta4, 1e-3);
            const double coarse = std::abs(end(Method::impulsive, 0.01) - truth),
                         fine = std::abs(end(Method::impulsive, 0.005) - truth);
            INFO(way, " gain ", motor.gain, " damping ", motor.damping, ": ", coarse, " ", fine);
            CHECK(std::log2(coarse / fine) == doctest::Approx(2).epsilon(0.1));
        }
}

TEST_CASE("A motor is stable with any stiffness, damping and step, and stiff ones arrive at once" *
          doctest::test_suite("slow"))
{
    Dice dice(11);
    for (int i = 0; i < 400; ++i) {
        const double h = std::pow(10, dice.uniform(-4, 0)), m = std::pow(10, dice.uniform(-2, 2)),
                     k = std::pow(10, dice.uniform(-3, 12)),
                     c = dice.uniform(0, 1) < 0.3 ? 0 : std::pow(10, dice.uniform(-3, 12));
        INFO("h ", h, " m ", m, " k ", k, " c ", c);
        Simulation run =
            driven_mass(to_place(0.5, k, c), m, 0, 0)
                .start(h, 300 * h, {}, i % 2 ? Formulation::maximal : Formulation::reduced);
        double far = 0;
        while (!run.done()) {
            take_step(run);
            far = std::max(far, std::abs(run.placed().bodies[0].x.x - 0.5));
        }
        // A swing without damping is as wide as it began, and no step adds to it more than order
        // two allows: at h ω = 2, the worst, a tenth.
        CHECK(far <= 0.56);
        if (h * h * k / m > 1e6 && h * k > 1e3 * c)
            CHECK(std::abs(run.placed().bodies[0].x.x - 0.5) < 1e-9);
    }
}

TEST_CASE("Motors along a chain of small links do not shake each other up" *
          doctest::test_suite("slow"))
{
    // Each link is light against what hangs on it, and each motor stiff: the worst case of rows
    // that see the others' bodies.
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        for (const double gain : {300.0, 1e4, 1e6, 1e9}) {
            TouchingWorld w;
            int before = world;
            for (int i = 0; i < 6; ++i) {
                const int link = plain_body(w, "link " + std::to_string(i), i % 2 ? 5 : 0.05,
                                            {1e-3, 1e-3, 1e-3}, {0.2 * i + 0.1, 0, 1});
                Joint hinge =
                    joint("hinge " + std::to_string(i), JointKind::revolute, before, link,
                          before == world ? V3{0, 0, 1} : V3{0.1, 0, 0}, {-0.1, 0, 0}, z_along_y);
                hinge.laws[0].motor = to_place(i % 2 ? 0.3 : -0.3, gain, 0.1 * gain);
                w.builder.add(hinge);
                before = link;
            }
            INFO(name_of(formulation), " gain ", gain);
            Simulation run = w.start(0.02, 20, {}, formulation);
            double fastest = 0;
            while (!run.done()) {
                take_step(run);
                if (run.time() > 15)
                    for (const PlacedBody& body : run.placed().bodies)
                        fastest = std::max(fastest, norm(body.omega));
            }
            CHECK(fastest < 1e-3); // it hangs still, or is held
            if (gain == 1e9)       // weight bends it by 10 N · 0.6 m/gain
                CHECK(std::abs(run.placed().joints[1].q[0] - 0.3) < 1e-6);
        }
}

TEST_CASE("Motors of random trees, whatever their gains and the step, never swing out further than "
          "their energy allows")
{
    // Small swings about where all want to be: ½ Σ k e² is at most what it was at the start, so
    // that each |e| ≤ e₀ √(Σ k/k_i); the method may add to that what it adds to one motor alone.
    for (unsigned seed = 0; seed < 60; ++seed) {
        Dice dice(seed);
        TouchingWorld w;
        w.builder.gravity.uniform = zero3<double>();
        const int count = 2 + static_cast<int>(dice.uniform(0, 5));
        const double h = std::pow(10, dice.uniform(-4, 0)), e_0 = 1e-6;
        double sum = 0;
        std::vector<double> gains;
        for (int i = 0; i < count; ++i) {
            const int on = static_cast<int>(dice.uniform(0, i + 1)) - 1; // world, or one before
            const double m = std::pow(10, dice.uniform(-2, 2));
            Body body;
            body.name = "body " + std::to_string(i);
            body.mass_properties = {m, zero3<double>(), 0.1 * m * dice.inertia()};
            body.pose.x = on == world ? dice.vector(1)
                                      : w.builder.bodies[static_cast<std::size_t>(on)].pose.x +
                                            dice.vector(1);
            const int made = w.builder.add(body);
            const V3 between =
                0.5 * (body.pose.x + (on == world
                                          ? zero3<double>()
                                          : w.builder.bodies[static_cast<std::size_t>(on)].pose.x));
            Joint hinge = joint(
                "hinge " + std::to_string(i), JointKind::revolute, on, made,
                between - (on == world ? zero3<double>()
                                       : w.builder.bodies[static_cast<std::size_t>(on)].pose.x),
                between - body.pose.x, dice.rotation());
            gains.push_back(std::pow(10, dice.uniform(0, 9)));
            sum += gains.back();
            const bool damped = dice.uniform(0, 1) < 0.5;
            hinge.laws[0].motor =
                to_place(e_0, gains.back(), damped ? std::pow(10, dice.uniform(-3, 7)) : 0);
            w.builder.add(hinge);
        }
        Simulation run =
            w.start(h, 300 * h, {}, seed % 2 ? Formulation::maximal : Formulation::reduced);
        double worst = 0;
        while (!run.done()) {
            take_step(run);
            const Placed placed = run.placed();
            for (std::size_t i = 0; i < gains.size(); ++i)
                worst = std::max(worst, std::abs(placed.joints[i].q[0] - e_0) / e_0 /
                                            std::sqrt(sum / gains[i]));
        }
        INFO("seed ", seed, " h ", h, " bodies ", count);
        CHECK(worst < 1.5);
    }
}

TEST_CASE("A stiff motor presses an arm on the ground with steps of a hundred of its periods")
{
    // What presses without bound sweeps come to by 1/(h² k w) of the way in each: they are given a
    // motor that reaches its bound.
    for (const Way& way : all_ways)
        for (const bool bounded : {true, false}) {
            if (!bounded && !way.exact)
                continue;
            const double k = 1e9, I = 0.25 + 0.25 * Arm::mass, period = 2 * M_PI / std::sqrt(k / I),
                         h = 100 * period, start = Arm::touching(), wanted = start + 1e-3,
                         most = bounded ? 40 : infinite;
            INFO(way, " bounded ", bounded);
            Arm arm(start, to_place(wanted, k, 0.1 * std::sqrt(k * I), most), 0.4);
            Simulation run = arm.w.start(h, 10, way.contact(), way.formulation);
            double off = 0;
            while (!run.done()) {
                take_step(run);
                off = std::max(off, std::abs(run.placed().joints[0].q[0] - start));
            }
            run.close_books();
            CHECK(off < 1e-9);
            CHECK(run.contact_quality().unsolved == 0);
            CHECK(run.ledger().balanced());
            // Statics about the hinge; friction may be anything in its cone, and is measured.
            const double q = run.placed().joints[0].q[0], Q = std::min(most, k * (wanted - q));
            REQUIRE(run.touches().size() == 1);
            const V3 F = (1 / h) * run.touches()[0].impulse, P = run.touches()[0].point;
            const double sign = F.z > 0 ? 1 : -1; // on the rod
            const double about = sign * (F.z * P.x - F.x * (P.z - Arm::height));
            CHECK(near(about, Q + Arm::mass * g * 0.5 * std::cos(q), 1e-8, Q));
            REQUIRE(run.drives().size() == 1);
            CHECK(near(run.drives()[0].impulse / h, Q, 1e-8, Q));
        }
}

TEST_CASE(
    "A motor that stalls against a wall gives its largest torque, and the wall statics' force")
{
    for (const Way& way : all_ways)
        for (const Motor& motor :
             {to_speed(5, 1e7, 40), to_speed(5, 300, 40), to_place(3, 4e11, 1e4, 40)}) {
            INFO(way, " gain ", motor.gain);
            Arm arm(0.1, motor, 0);
            const double h = 1e-3;
            Simulation run = arm.w.start(h, 1, way.contact(), way.formulation);
            run_to_end(run);
            const double q = run.placed().joints[0].q[0];
            CHECK(std::abs(q - Arm::touching()) < 2e-6);
            REQUIRE(run.drives().size() == 1);
            CHECK(near(run.drives()[0].impulse, 40 * h, 1e-12));
            REQUIRE(run.touches().size() == 1);
            // N x_tip = 40 N m + m g x_C
            const double N = (40 + Arm::mass * g * 0.5 * std::cos(q)) / std::cos(q);
            // A residual is counted in all speeds, and what a motor lacks may be a thousand times
            // the others.
            CHECK(near(impulse_along(run, {0, 0, 1}), N * h, way.exact ? 1e-9 : 1e-8));
            CHECK(run.ledger().balanced());
            CHECK(run.contact_quality().unsolved == 0);
        }
}

TEST_CASE("What a motor did in a step acts beside what touched, for those who look")
{
    // Stalled: torque, ground and weight are in balance about the hinge, which carries their sum.
    for (const Way& way : all_ways) {
        INFO(way);
        const double h = 1e-3;
        Arm arm(Arm::touching(), to_place(3, 1e12, 0, 40), 0);
        Simulation run = arm.w.start(h, 10 * h, way.contact(), way.formulation);
        run_to_end(run);
        Acting acting(run.model(), run.settings().step, run.input());
        acting.look(run.state(), run.answered());
        const double q = run.placed().joints[0].q[0],
                     N = (40 + Arm::mass * g * 0.5 * std::cos(q)) / std::cos(q);
        CHECK(norm(acting.on(0, Cause::motor).tau - V3{0, 40, 0}) < 1e-10);
        CHECK(norm(acting.on(0, Cause::contact_normal).F - V3{0, 0, N}) < 1e-7);
        CHECK(norm(acting.joint(0).F - V3{0, 0, Arm::mass * g - N}) < 1e-7);
    }
}

TEST_CASE("A motor with a bound stalls by every law of impact and in sequence" *
          doctest::test_suite("slow"))
{
    for (const Way& way : all_ways)
        for (const ImpactLaw law :
             {ImpactLaw::energetic, ImpactLaw::moreau, ImpactLaw::newton, ImpactLaw::poisson})
            for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence}) {
                INFO(way, " ", name_of(law), " ", name_of(order));
                const double h = 1e-3;
                Arm arm(0.3, to_speed(5, 1e5, 40), 0.3);
                ContactSettings contact = way.contact();
                contact.law = law;
                contact.order = order;
                Simulation run = arm.w.start(h, 0.5, contact, way.formulation);
                run_to_end(run);
                CHECK(std::abs(run.placed().joints[0].q[0] - Arm::touching()) < 2e-6);
                REQUIRE(run.drives().size() == 1);
                CHECK(near(run.drives()[0].impulse, 40 * h, 1e-9));
                CHECK(run.ledger().balanced());
            }
}

TEST_CASE("Jaws hold a box while 2 μ F exceeds its weight, and else it slips as the formula says")
{
    const double mu = 0.5, m = 2, h = 0.01, until = 1;
    for (const Way& way : all_ways)
        for (const bool place : {true, false})
            for (const double part : {1.02, 0.98, 0.6}) {
                INFO(way, " place ", place, " part ", part);
                const double F = part * m * g / (2 * mu);
                TouchingWorld w(mu);
                w.box("box", {0.1, 0.1, 6}, m, {{0, 0, 1}, identity_quat<double>()});
                for (const double side : {-1.0, 1.0}) {
                    // One point each: where faces press, it is open where in them they do.
                    const std::string name = side < 0 ? "left" : "right";
                    const int jaw = w.ball(name, 0.02, 0.7, {side * 0.07, 0, 1});
                    Joint rail = joint("rail " + name, JointKind::prismatic, world, jaw,
                                       {side * 0.07, 0, 1}, {0, 0, 0}, z_along_x);
                    rail.laws[0].motor =
                        place ? to_place(-side * 0.03, 1e6, 1e3, F) : to_speed(-side * 0.2, 1e5, F);
                    w.builder.add(rail);
                }
                Simulation run = w.start(h, until, way.contact(), way.formulation);
                run_to_end(run);
                // Friction is constant, and parabolas are exact.
                const double a = std::max(0.0, g - 2 * mu * F / m);
                CHECK(std::abs(run.placed().bodies[0].x.z - 1 + 0.5 * a * until * until) < 1e-8);
                CHECK(std::abs(run.placed().bodies[0].v.z + a * until) < 1e-8);
                CHECK(norm(run.placed().bodies[0].omega) < 1e-8);
                CHECK(near(impulse_along(run, {1, 0, 0}), 2 * F * h, 1e-9));
                CHECK(run.ledger().balanced());
            }
}

TEST_CASE("A cart on driven wheels rolls with v = ω r, and its motors give what it gains")
{
    for (const Way& way : all_ways) {
        INFO(way);
        const double r = 0.1, wanted = 12, h = 0.01;
        TouchingWorld w(0.8);
        w.ground();
        const int chassis = plain_body(w, "chassis", 8, {0.3, 0.5, 0.6}, {0, 0, r});
        for (const double x : {-0.4, 0.4})
            for (const double y : {-0.3, 0.3}) {
                const std::string name = text_of("wheel ", x, " ", y);
                const int wheel = w.ball(name, r, 1, {x, y, r});
                Joint axle = joint("axle of " + name, JointKind::revolute, chassis, wheel,
                                   {x, y, 0}, {0, 0, 0}, z_along_y);
                axle.laws[0].motor = to_speed(wanted, 4, 1);
                w.builder.add(axle);
            }
        ContactSettings contact = way.contact();
        contact.within = 1e-5; // while it pitches, wheels leave the ground by some 1e-7 m
        Simulation run = w.start(h, 6, contact, way.formulation);
        const double before = energy_of(run);
        run_to_end(run);
        const Placed placed = run.placed();
        CHECK(near(placed.bodies[0].v.x, wanted * r, 1e-9));
        for (std::size_t i = 1; i < 5; ++i) {
            CHECK(near(placed.bodies[i].omega.y, wanted, 1e-9));
            CHECK(norm(placed.bodies[i].v - V3{wanted * r, 0, 0}) < 1e-9);
        }
        // Nothing slips: what motors gave is there.
        CHECK(near(posted(run, Cause::motor).work, energy_of(run) - before, 1e-8));
        CHECK(norm(posted(run, Cause::motor).J) < 1e-12); // they are pairs
        CHECK(run.ledger().balanced());
    }
}

TEST_CASE("A gripper that floats keeps p and L while its motors squeeze and turn what they hold" *
          doctest::test_suite("slow"))
{
    for (const Way& way : all_ways) {
        INFO(way);
        TouchingWorld w(0.6);
        w.builder.gravity.uniform = zero3<double>();
        const int palm = plain_body(w, "palm", 3, {0.02, 0.03, 0.04}, {0, 0, 0.2}, {0.1, 0.2, 0});
        w.box("box", {0.1, 0.12, 0.1}, 1, {{0, 0, 0}, identity_quat<double>()}, {0.1, 0.2, 0});
        for (const double side : {-1.0, 1.0}) {
            const int jaw = w.box(side < 0 ? "left" : "right", {0.02, 0.1, 0.1}, 0.3,
                                  {{side * 0.07, 0, 0}, identity_quat<double>()}, {0.1, 0.2, 0});
            Joint rail = joint(side < 0 ? "rail left" : "rail right", JointKind::prismatic, palm,
                               jaw, {side * 0.07, 0, -0.2}, {0, 0, 0}, z_along_x);
            rail.laws[0].motor = to_place(-side * 0.04, 1e5, 1e2, 20);
            w.builder.add(rail);
        }
        const int wheel = plain_body(w, "wheel", 2, {0.02, 0.02, 0.03}, {0, 0, 0.3}, {0.1, 0.2, 0});
        Joint spin = joint("spin", JointKind::revolute, palm, wheel, {0, 0, 0.1}, {0, 0, 0},
                           exp_quat(V3{0.4, 0.2, 0}));
        spin.laws[0].motor = to_speed(20, 10, 0.3);
        w.builder.add(spin);
        ContactSettings contact = way.contact();
        contact.within = 1e-5; // what turns together parts by (ω h)² r/8 in a step
        contact.sweeps = 300;  // whether solved or not: each reaction is a pair
        Simulation run = w.start(5e-3, 1, contact, way.formulation);
        const auto momenta = [&] {
            V3 p = zero3<double>(), L = p;
            for (const PlacedBody& body : run.placed().bodies) {
                p += body.p;
                L += body.L + cross(body.x, body.p);
            }
            return std::pair(p, L);
        };
        const auto before = momenta();
        run_to_end(run);
        const auto after = momenta();
        CHECK(norm(after.first - before.first) < 1e-12);
        V3 moved = zero3<double>();
        for (const Cause cause : {Cause::contact_correction, Cause::stabilisation})
            moved += posted(run, cause).K + posted(run, cause).S;
        CHECK(norm(after.second - before.second - moved) < 1e-12);
        CHECK(norm(run.placed().bodies[0].omega) > 0.1); // the wheel turns it
        if (way.exact)
            CHECK(run.touches().size() >= 2); // and the box goes with it
        CHECK(norm(posted(run, Cause::motor).J) < 1e-12);
        CHECK(norm(posted(run, Cause::motor).K + posted(run, Cause::motor).S) < 1e-12);
        CHECK(run.ledger().balanced());
    }
}

TEST_CASE("Motors beside contact come to the motion of located contact as the step falls")
{
    // A carriage is driven along a rail; an arm on it is pressed on the ground and rubs. Nothing
    // begins or ends: two orders by impulses, four by forces.
    const auto end = [](Method method, double h, const Way& way) {
        TouchingWorld w(0.3);
        w.method = method;
        w.ground();
        const int cart = plain_body(w, "cart", 4, {1, 1, 1}, {0, 0, Arm::height});
        const int rod = plain_body(w, "rod", Arm::mass, {0.01, 0.25, 0.25}, {0.5, 0, Arm::height});
        w.skin("tip", rod, collider_of(Ball{Arm::R}), {{0.5, 0, 0}, identity_quat<double>()});
        Joint rail = joint("rail", JointKind::prismatic, world, cart, {0, 0, Arm::height},
                           {0, 0, 0}, z_along_x);
        rail.laws[0].motor = to_place(0, 60, 8, 200);
        rail.laws[0].motor->target = {0.1, 0.8, 0.1, 0.6, 0};
        rail.start_speed = {0.5};
        rail.start = {0};
        Joint hinge =
            joint("hinge", JointKind::revolute, cart, rod, {0, 0, 0}, {-0.5, 0, 0}, z_along_y);
        hinge.laws[0].motor = to_place(1.2, 50, 2);
        hinge.start = {Arm::touching()};
        w.builder.add(rail);
        w.builder.add(hinge);
        Simulation run = w.start(h, 0.5, way.contact(), way.formulation);
        run_to_end(run);
        CHECK(run.steps_by_impulses() == 0);
        CHECK(run.touches().size() == 1);
        return run.placed().bodies[0].x.x;
    };
    for (const Way& way : all_ways) {
        const double truth = end(Method::runge_kutta4, 1e-3, way);
        const double coarse = std::abs(end(Method::impulsive, 4e-3, way) - truth),
                     fine = std::abs(end(Method::impulsive, 2e-3, way) - truth);
        INFO(way, ": ", coarse, " ", fine);
        CHECK(std::log2(coarse / fine) > 1.8);
    }
}

TEST_CASE("Dry friction of a joint holds up to its force, and stops what moves where it should")
{
    for (const Way& way : all_ways) {
        INFO(way);
        const double F = 6, m = 2, v = 3, h = 0.01;
        TouchingWorld w = driven_mass(to_place(0, 0, 0), m, 0, v);
        w.builder.joints[0].laws[0].motor.reset();
        w.builder.joints[0].laws[0].friction = F;
        Simulation run = w.start(h, 3, way.contact(), way.formulation);
        run_to_end(run);
        // After m v/F = 1 s and m v²/2F = 1.5 m; the step in which it stops is off by up to F h²/m.
        CHECK(std::abs(run.placed().bodies[0].x.x - 0.5 * m * v * v / F) < F * h * h / m);
        CHECK(std::abs(run.placed().bodies[0].v.x) < 1e-15);
        CHECK(near(posted(run, Cause::damper).work, -0.5 * m * v * v, 1e-12));

        // On a mast it carries the weight, if it can; and another one on its back, if it can.
        for (const double load : {0.0, 1.0}) {
            TouchingWorld mast(0.3);
            const int lower =
                mast.box("lower", {0.2, 0.2, 0.2}, 1, {{0, 0, 1}, identity_quat<double>()});
            mast.box("upper", {0.1, 0.1, 0.1}, 1, {{0, 0, 1.15}, identity_quat<double>()});
            Joint rail = joint("mast", JointKind::prismatic, world, lower, {0, 0, 1}, {0, 0, 0},
                               identity_quat<double>());
            rail.laws[0].friction = (2 - load) * g + 0.1;
            mast.builder.add(rail);
            Simulation both = mast.start(h, 1, way.contact(), way.formulation);
            run_to_end(both);
            const double a = load > 0 ? (2 * g - rail.laws[0].friction) / 2 : 0;
            CHECK(std::abs(both.placed().bodies[0].x.z - 1 + 0.5 * a) < 1e-8);
            CHECK(std::abs(both.placed().bodies[1].x.z - 1.15 + 0.5 * a) < 1e-8);
            CHECK(both.ledger().balanced());
        }
    }
}
