// SPDX-License-Identifier: MIT
// Gyrostats: bodies with parts that spin in them.

#include "formulations.hpp"
#include "poinsot/forces/gyrostat.hpp"
#include "poinsot/step/linearise.hpp"

#include <numbers>

using namespace poinsot;

namespace {

/// As the reference has it: ten times what its two computations differ by.
double tolerance_of(const nlohmann::json& check)
{
    double worst = 0;
    if (check.is_number())
        worst = check.get<double>();
    else
        for (const auto& item : check)
            worst = std::max(worst, item.get<double>());
    return std::max(10 * worst, 1e-12);
}

/// How far the first body is from the attitude and rates of a reference.
double off(const Placed& placed, const nlohmann::json& q, const nlohmann::json& omega_body)
{
    const PlacedBody& at = placed.bodies[0];
    const V3 omega = transpose_times(at.R, at.omega) - vec(omega_body);
    return std::max(norm(omega), norm(log_matrix(transpose(at.R) * matrix_of(quat(q)))));
}

/// L of all bodies with their rotors, about the origin.
V3 whole_L(const Model& model, const Placed& placed)
{
    V3 sum = zero3<double>();
    for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
        const PlacedBody& at = placed.bodies[i];
        sum += at.L + cross(at.x, at.p) + rotor_momentum_of(model, placed, static_cast<int>(i));
    }
    return sum;
}
double whole_energy(const Model& model, const Placed& placed)
{
    return kinetic_energy(placed.bodies) + stores_of(model, placed).total();
}

Rotor rotor_of(const char* name, const V3& axis, double inertia, double spin)
{
    Rotor rotor;
    rotor.name = name;
    rotor.axis = axis;
    rotor.inertia = inertia;
    rotor.spin = spin;
    return rotor;
}

/// A body that tumbles with two driven rotors and one that keeps a changing speed.
Builder three_rotors()
{
    Builder b;
    Dice dice(11);
    Body body = body_with("hull", 3, dice.inertia(), {0.2, -0.1, 0.3}, {0.4, 0.8, -0.3});
    body.mass_properties.center = {0.1, 0.2, -0.1};
    b.add(body);
    b.rotors = {rotor_of("one", {1, 2, -1}, 0.03, 20), rotor_of("two", {0, 0, 2}, 0.02, -35),
                rotor_of("three", {1, 0, 0}, 0.05, 0)};
    b.rotors[0].torque = {0.1, -0.05, 0.2, 0.7, 0.3};
    b.rotors[2].speed = Course{10, 2, 1, 0.5, 0.2};
    return b;
}

} // namespace

TEST_CASE("Kelvin's gyrostat: a rotor of constant speed holds a body on its middle axis")
{
    const auto items = reference_items("gyrostats.json");
    for (const char* name : {"gyrostat_unstable", "gyrostat_stable"}) {
        const auto& item = items.at(name);
        const V3 I = vec(item.at("I")), h = vec(item.at("rotor_h_body"));
        Builder b;
        b.add(
            body_with("hull", 1, diagonal(I.x, I.y, I.z), zero3<double>(), vec(item.at("omega0"))));
        b.rotors.push_back(rotor_of("wheel", {0, 1, 0}, 0.1, 0));
        b.rotors[0].speed = Course{h.y / 0.1};
        const auto model = built(b);
        const auto& t = item.at("t");
        for (const Formulation f : both) {
            const RunSettings run = tight(f, 0.5, t.back(), 1e-14);
            const Followed worst = worst_of(model, run, t, [&](const Placed& at, std::size_t i) {
                return off(at, item.at("quat_wxyz")[i], item.at("omega_body")[i]);
            });
            CHECK_MESSAGE(worst.error < tolerance_of(item.at("check")), name, " ", worst.error);
        }
    }
}

TEST_CASE("A rotor that turns freely is the second body of a reference, in both formulations")
{
    const auto item = reference_items("gyrostats.json").at("gyrostat_two_body");
    const V3 I = vec(item.at("platform").at("I")) + vec(item.at("rotor").at("I"));
    Builder b;
    b.add(body_with("platform", 12, diagonal(I.x, I.y, I.z), zero3<double>(),
                    vec(item.at("omega0"))));
    b.rotors.push_back(rotor_of("rotor", vec(item.at("rotor").at("axis")),
                                item.at("rotor").at("I")[2], item.at("rotor").at("spin_rel0")));
    const auto model = built(b);
    CHECK(near(start_of(*model, FormKind::momentum).rotors.at(0),
               item.at("rotor_abs_axial_momentum").get<double>(), 1e-15));
    for (const Formulation f : both) {
        const Followed worst =
            worst_of(model, tight(f, 0.5, 2), item.at("t"), [&](const Placed& at, std::size_t i) {
                return off(at, item.at("platform_quat_wxyz")[i], item.at("platform_omega_body")[i]);
            });
        CHECK_MESSAGE(worst.error < tolerance_of(item.at("check")), worst.error);
    }
}

TEST_CASE("A rotor is the same thing as two bodies and a hinge")
{
    // A wheel off the centre of mass, its axis aslant, driven by a torque that varies; gravity and
    // a spring act too.
    Dice dice(5);
    const V3 axis = normalised(V3{0.3, -0.5, 0.8}), at{0.4, 0.1, -0.2};
    const double J = 0.06, spin = 30;
    const Course torque{0.2, 0.1, 0.5, 0.8, 0.4};
    Body hull = body_with("hull", 4, dice.inertia(), {0.3, -0.2, 0.1}, {0.5, 0.9, -0.4});
    hull.mass_properties.center = {0.05, -0.1, 0.02};
    hull.pose = {{0.2, 0.3, 1}, dice.rotation()};
    // The wheel in the frame of the hull: J along the axis, 0.6 J across.
    const V3& a = axis;
    const MassProperties wheel{1.5, at,
                               (0.6 * J) * diagonal(1.0, 1.0, 1.0) +
                                   (0.4 * J) * Sym3<double>{a.x * a.x, a.y * a.y, a.z * a.z,
                                                            a.x * a.y, a.x * a.z, a.y * a.z}};
    const auto with_spring = [](Builder& b) {
        b.gravity.uniform = {0, 0, -2};
        b.springs.push_back({"s", {world, {0, 0, 2}}, {0, {0.3, 0, 0.1}}, 15, 0, 1});
    };

    Builder one;
    one.add(hull);
    one.bodies[0].mass_properties = joined(hull.mass_properties, wheel);
    const V3 moved_center =
        rotate(hull.pose.q, one.bodies[0].mass_properties.center - hull.mass_properties.center);
    one.bodies[0].velocity += cross(hull.angular_velocity, moved_center);
    one.rotors.push_back(rotor_of("wheel", 3.0 * axis, J, spin));
    one.rotors[0].torque = torque;
    with_spring(one);

    Builder two;
    two.add(hull);
    Body disc = hull;
    disc.name = "disc";
    disc.mass_properties = wheel;
    disc.velocity = hull.velocity + cross(hull.angular_velocity,
                                          rotate(hull.pose.q, at - hull.mass_properties.center));
    disc.angular_velocity = hull.angular_velocity + spin * rotate(hull.pose.q, axis);
    Joint hinge;
    hinge.name = "axle";
    hinge.a = 0;
    hinge.b = two.add(disc);
    const V3 across = normalised(cross(V3{0, 0, 1}, axis));
    hinge.frame_a = hinge.frame_b = {at, exp_quat(std::acos(axis.z) * across)};
    CoordinateLaw law;
    law.motor = Motor{Motor::Kind::force, torque, 0, 0, 1e9};
    hinge.laws = {law};
    two.add(hinge);
    with_spring(two);

    const double until = 2;
    const auto model = built(one);
    for (const Formulation f : both) {
        const RunSettings run = tight(f, 1.0 / 64, until);
        const auto one_ran = ran(model, run), two_ran = ran(built(two), run);
        const PlacedBody x = one_ran.placed().bodies[0], y = two_ran.placed().bodies[0];
        CHECK(norm(log_matrix(transpose(x.R) * y.R)) < 1e-9);
        CHECK(norm(x.omega - y.omega) < 1e-9);
        const V3 origin_x = x.x - x.R * x.mass.center, origin_y = y.x - y.R * y.mass.center;
        CHECK(norm(origin_x - origin_y) < 1e-9);
        const double Omega = rotor_spin(model->rotors()[0], one_ran.placed().rotors[0], x);
        CHECK(near(Omega, two_ran.placed().joints[0].speed[0], 1e-10));
        CHECK(near(whole_energy(*model, one_ran.placed()),
                   whole_energy(two_ran.model(), two_ran.placed()), 1e-9));
        CHECK(norm(whole_L(*model, one_ran.placed()) - whole_L(two_ran.model(), two_ran.placed())) <
              1e-9);
        // What the drives did is the same work of the same cause.
        const auto work = [](const Simulation& sim) {
            return sim.ledger().books().total.posted[index_of(Cause::motor)].work;
        };
        CHECK(std::abs(work(one_ran)) > 10);
        CHECK(near(work(one_ran), work(two_ran), 1e-9));
    }
}

TEST_CASE(
    "Every method takes rotors with the order it promises, in all forms and both formulations")
{
    const auto model = built(three_rotors());
    const double until = 0.5;
    const Placed truth = ran(model, tight(Formulation::maximal, until, until, 1e-13)).placed();
    for (const MethodFacts& facts : methods)
        for (const Formulation f : both)
            for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
                RunSettings run = run_in(f, facts.method, 1.0 / 128, until);
                run.step.form = form;
                if (unfit(*model, run.step).any())
                    continue;
                INFO(facts.name, " ", name_of(f), " ", name_of(form));
                if (chooses_its_steps(facts.method)) {
                    run.step.tolerance = {1e-10, 1e-10, 1000000};
                    CHECK(difference(ran(model, run).placed(), truth) < 1e-7);
                    continue;
                }
                const double coarse = difference(ran(model, run).placed(), truth);
                run.step.h /= 2;
                const double fine = difference(ran(model, run).placed(), truth);
                // Eighth order is at rounding with the coarse step already.
                if (facts.order == 8)
                    CHECK(std::max(coarse, fine) < 1e-11);
                else
                    CHECK_MESSAGE(near(std::log2(coarse / fine), facts.order, 0.15), coarse, " ",
                                  fine);
            }
}

TEST_CASE("L of a body and its rotors stays, and energy grows by what the drives give")
{
    const auto model = built(three_rotors());
    for (const Formulation f : both) {
        const RunSettings run = run_in(f, Method::runge_kutta4, 1.0 / 1024, 2);
        auto sim = Simulation::start(model, run);
        REQUIRE(sim);
        const V3 L = whole_L(*model, sim->placed());
        const double E = whole_energy(*model, sim->placed());
        while (!sim->done())
            REQUIRE(!sim->step());
        sim->close_books();
        CHECK_MESSAGE(sim->ledger().balanced(), sim->ledger().verdict());
        // RK4 with rates of 100 rad/s against the step: (0.1)⁴/120 a step at most.
        CHECK(norm(whole_L(*model, sim->placed()) - L) < 1e-9 * norm(L));
        const Books& books = sim->ledger().books();
        const auto posted = [&](Cause cause) { return books.total.posted[index_of(cause)]; };
        const double given = posted(Cause::motor).work;
        CHECK(near(whole_energy(*model, sim->placed()) - E, given, 1e-9, std::abs(E)));
        CHECK(std::abs(books.total.residual.stores.rotor) < 1e-9 * E);
        CHECK(std::abs(books.total.residual.T) < 1e-9 * E);
        // The third law: what bodies got, rotors lost. (World axes; the one that keeps its speed is
        // driven by `motor`.)
        const V3 got = posted(Cause::rotor).S + posted(Cause::motor).S;
        const Placed start = place(*model, start_of(*model, FormKind::momentum));
        const V3 lost =
            rotor_momentum_of(*model, start, 0) - rotor_momentum_of(*model, sim->placed(), 0);
        CHECK(norm(got - lost) < 1e-9 * norm(L));
        // All that acts is inside.
        for (const Cause cause : {Cause::gravity, Cause::applied, Cause::joint})
            CHECK(norm(posted(cause).S) == 0);
    }
    // To rounding where the method has no more error than that.
    const V3 start = whole_L(*model, place(*model, start_of(*model, FormKind::momentum)));
    const Simulation kept = ran(model, run_in(Formulation::reduced, Method::gauss, 1.0 / 256, 2));
    CHECK(norm(whole_L(*model, kept.placed()) - start) < 1e-12 * norm(start));
}

TEST_CASE("Books without what a rotor did do not close")
{
    const auto model = built(three_rotors());
    for (const Formulation f : both) {
        const RunSettings run = run_in(f, Method::runge_kutta4, 1.0 / 256, 1);
        Input input;
        Workspace w(*model, input, Postings::Detail::totals);
        State state = start_of(*model, FormKind::momentum, f);
        const Ledger::Settings settings{.energy_tolerance = 1e-6};
        const Placed start = place(*model, state);
        REQUIRE(!smooth_step(state, run.step, w).failure);
        const auto verdict = [&](auto change) {
            PostingsByCause totals = w.postings.totals();
            change(totals);
            Postings changed(Postings::Detail::totals);
            changed.restore(totals, {}, w.postings.shifted(), w.postings.sizes());
            Ledger ledger(settings, *model, start);
            ledger.book(*model, changed, place(*model, state));
            return ledger.verdict();
        };
        CHECK(verdict([](PostingsByCause&) {}) == "");
        const auto says = [&](const std::string& told, const char* words) {
            CHECK_MESSAGE(told.find(words) != std::string::npos, told);
        };
        says(verdict([](PostingsByCause& p) { p[index_of(Cause::rotor)] = {}; }),
             "angular momentum about the centres of mass is off");
        says(verdict([](PostingsByCause& p) { p[index_of(Cause::motor)].work = 0; }),
             "energy is off");
        // What a store gives and a body does not get shows in both their lines, and not in the sum.
        PostingsByCause turned = w.postings.totals();
        turned[index_of(Cause::rotor)].work *= -1;
        const double work = turned[index_of(Cause::rotor)].work;
        Postings changed(Postings::Detail::totals);
        changed.restore(turned, {}, w.postings.shifted(), w.postings.sizes());
        Ledger ledger(settings, *model, start);
        ledger.book(*model, changed, place(*model, state));
        const Residual& residual = ledger.books().total.residual;
        CHECK(std::abs(work) > 1e-3);
        CHECK(near(residual.stores.rotor, 2 * work, 1e-6));
        CHECK(near(residual.T, -2 * work, 1e-6));
    }
}

TEST_CASE("A drive is on from its first moment to its last, wherever steps end")
{
    Builder b;
    b.add(body_with("hull", 1, diagonal(1.0, 1.0, 1.0), zero3<double>(), zero3<double>()));
    b.rotors.push_back(rotor_of("wheel", {0, 0, 1}, 0.1, 0));
    b.rotors[0].torque = {0.2};
    b.rotors[0].from = 0.55;
    b.rotors[0].until = 1.23;
    const auto model = built(b);
    for (const Formulation f : both) {
        const auto adaptive = ran(model, tight(f, 0.1, 2));
        CHECK(near(adaptive.state().rotors[0], 0.2 * 0.68, 1e-14));
        CHECK(near(adaptive.placed().bodies[0].omega.z, -0.2 * 0.68 / 0.9, 1e-12));
        const auto fixed = ran(model, run_in(f, Method::runge_kutta4, 0.1, 2));
        CHECK(near(fixed.state().rotors[0], 0.2 * 0.68, 1e-14));
        CHECK(near(fixed.placed().bodies[0].omega.z, -0.2 * 0.68 / 0.9, 1e-13));
    }
}

TEST_CASE("An input drives a rotor as the model's torque does")
{
    Builder b = three_rotors();
    b.rotors[0].torque = {};
    Builder driven = b;
    driven.rotors[0].torque = {0.3};
    driven.rotors[1].torque = {-0.1};
    Input input;
    input.rotor_torques = {{0, 0.1}, {1, -0.1}, {0, 0.2}};
    for (const Formulation f : both) {
        const RunSettings run = run_in(f, Method::runge_kutta4, 0.01, 1);
        const auto one = ran(built(b), run, input), other = ran(built(driven), run);
        CHECK(difference(one.placed(), other.placed()) < 1e-13);
        CHECK(near(one.state().rotors[0], other.state().rotors[0], 1e-14));
    }
}

TEST_CASE("Nutation of a dual-spin body: eigenvalues as the formula has them, stable or not")
{
    const auto item = reference_items("gyrostats.json").at("gyrostat_nutation");
    for (const auto& c : item.at("cases")) {
        const V3 I = vec(c.at("I"));
        const double h = c.at("h"), Om = c.at("Om"), lambda2 = c.at("lambda2");
        Builder b;
        b.add(body_with("hull", 1, diagonal(I.x, I.y, I.z), zero3<double>(), {0, 0, Om}));
        b.rotors.push_back(rotor_of("wheel", {0, 0, 1}, 0.1, 0));
        b.rotors[0].speed = Course{h / 0.1};
        const auto model = built(b);
        const auto made =
            linearise(*model, start_of(*model, FormKind::momentum, Formulation::reduced), 0, {});
        REQUIRE(made);
        const double size = std::sqrt(std::abs(lambda2));
        double nearest = INFINITY;
        for (const Eigenvalue& e : made->spectrum.eigenvalues)
            nearest = std::min(nearest, lambda2 > 0 ? std::hypot(e.re, e.im - size)
                                                    : std::hypot(e.re - size, e.im));
        CHECK_MESSAGE(nearest < 1e-9, "h ", h, ": ", nearest);
    }
}

TEST_CASE("Dual spin: of two bodies on their middle axis the one with a wheel stays")
{
    const auto model = scene("dual_spin");
    for (const Formulation f : both) {
        auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 0.01, 40));
        REQUIRE(sim);
        double plain = 1, held = 1;
        while (!sim->done()) {
            REQUIRE(!sim->step());
            const Placed at = sim->placed();
            plain = std::min(plain, at.bodies[0].R.r1.y);
            held = std::min(held, at.bodies[1].R.r1.y);
        }
        CHECK(plain < -0.9); // it has turned over
        CHECK(held > 0.999);
    }
}

TEST_CASE("A reaction wheel turns a satellite from rest to rest by the angle of its own turn")
{
    const auto model = scene("reaction_wheel");
    for (const Formulation f : both) {
        const auto sim = ran(model, run_in(f, Method::runge_kutta4, 0.01, 20));
        const PlacedBody at = sim.placed().bodies[0];
        // Torque T sin 2πt/P for one period P: ∫h dt = T P²/2π, and h comes back to zero.
        const Rotor& wheel = model->rotors()[0];
        const double P = 20, T = wheel.torque.amplitude;
        const double angle = -T * P * P / two_pi / at.mass.I_b.zz;
        CHECK(near(log_matrix(at.R).z, angle, 1e-8));
        CHECK(near(angle, -std::numbers::pi / 2, 1e-3)); // a right angle, as the story says
        CHECK(norm(at.omega) < 1e-9);
        CHECK(norm(whole_L(*model, sim.placed())) < 1e-12);
    }
}

TEST_CASE("Control moments: wheels that tilt against each other turn a satellite from rest to rest")
{
    // With no momentum in all, I ω + 2 h sin δ = 0; wheels kept at a speed have h = J Ω.
    const auto model = scene("control_moment");
    const double h = 0.002 * 600, I = 3 + 2 * 2 * 0.15 * 0.15 + 2 * 0.4 * 2 * 0.01, P = 20;
    const Course tilt = *model->joints()[1].laws[0].prescribed;
    double turned = 0; // by Simpson's rule
    const int n = 4000;
    for (int i = 0; i <= n; ++i)
        turned -= (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * 2 * h * std::sin(tilt.at(P * i / n)) / I;
    turned *= P / (3 * n);
    CHECK(near(turned, -std::numbers::pi / 2, 1e-6)); // a right angle, as the story says
    for (const Formulation f : both) {
        const auto sim = ran(model, run_in(f, Method::runge_kutta4, 0.01, P));
        const PlacedBody at = sim.placed().bodies[0];
        CHECK(near(log_matrix(at.R).z, turned, 1e-8));
        CHECK(norm(at.omega) < 1e-8);
        CHECK(norm(whole_L(*model, sim.placed())) < 1e-9);
    }
}

TEST_CASE("In a left turn a propeller presses the nose up until the aircraft's stability holds it")
{
    const auto model = scene("turning_aircraft");
    const double I_x = 1285, I_z = 2667, k = 20000, h = 1.6 * 280, r = 0.2;
    // The body turned by θ about y, nose down for θ > 0, while it turns with r about the vertical:
    //     ½ r² (I_x − I_z) sin 2θ − h r cos θ − k θ = 0
    // by Newton's method; the first term is 55 of 20000.
    double theta = 0;
    for (int i = 0; i < 20; ++i)
        theta = (0.5 * r * r * (I_x - I_z) * std::sin(2 * theta) - h * r * std::cos(theta)) / k;
    CHECK(theta < -0.004);
    for (const Formulation f : both) {
        const auto sim = ran(model, run_in(f, Method::runge_kutta4, 0.01, 20));
        // Motion dies away as exp(−6000/(2 · 1825) t): e⁻³² after 20 s.
        CHECK(near(sim.placed().joints[1].q[0], theta, 1e-9));
        CHECK(near(sim.placed().bodies[1].omega.z, r, 1e-12));
    }
}
