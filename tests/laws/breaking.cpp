// SPDX-License-Identifier: MIT
// What is loaded beyond its strength breaks, and the parts carry their momenta on.

#include "poinsot/model/breaking.hpp"
#include "formulations.hpp"
#include "poinsot/forces/bushing_force.hpp"
#include "poinsot/mass/solids.hpp"
#include "poinsot/model/beam.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/happening.hpp"

using namespace poinsot;

namespace {

/// Two balls on a rod, here a weld or a bushing, that are spun up by a torque until it breaks.
Builder spun(bool by_bushing)
{
    Builder b;
    for (const double x : {-1.0, 1.0}) {
        Body ball =
            body_with(x < 0 ? "left" : "right", 2, diagonal(0.1, 0.1, 0.1), {0, 3, 0}, {0, 0, 2});
        ball.pose.x = {x, 0, 0};
        ball.velocity = ball.velocity + cross(ball.angular_velocity, ball.pose.x);
        b.add(ball);
        AppliedLoad drive;
        drive.name = std::string("drive ") + ball.name;
        drive.body = x < 0 ? 0 : 1;
        drive.torque = {0, 0, 5};
        drive.until = 1;
        b.loads.push_back(drive);
    }
    const Pose<double> left{{1, 0, 0}, exp_quat(V3{0, M_PI / 2, 0})}; // z from left to right
    const Pose<double> right{{-1, 0, 0}, left.q};
    Cut cut;
    cut.name = "rod";
    cut.strength.tension = 30;
    if (by_bushing) {
        Bushing rod;
        rod.name = "rod";
        rod.a = 0;
        rod.b = 1;
        rod.frame_a = left;
        rod.frame_b = right;
        rod.stiffness = six_of(std::array<double, 6>{1e3, 1e3, 1e4, 1e3, 1e3, 1e3});
        rod.damping = six_of(std::array<double, 6>{5, 5, 100, 5, 5, 5});
        b.bushings.push_back(rod);
        cut.of = Cut::Of::bushing;
    } else {
        Joint rod = hinge("rod", 0, left.x, 1, right.x);
        rod.kind = JointKind::weld;
        rod.frame_a.q = rod.frame_b.q = left.q;
        b.add(rod);
        cut.of = Cut::Of::joint;
    }
    b.cuts.push_back(cut);
    Release snap;
    snap.name = "snap";
    snap.joint = by_bushing ? -1 : 0;
    snap.bushing = by_bushing ? 0 : -1;
    snap.when_over = 0;
    b.releases.push_back(snap);
    return b;
}

V3 whole_p(const Placed& placed)
{
    return placed.bodies[0].p + placed.bodies[1].p;
}
/// About the origin of the world.
V3 whole_L(const Placed& placed)
{
    V3 L = zero3<double>();
    for (const PlacedBody& body : placed.bodies)
        L += body.L + cross(body.x, body.p);
    return L;
}

} // namespace

TEST_CASE("A rod that is spun up breaks where its tension reaches its strength, m r omega^2")
{
    for (const bool by_bushing : {false, true})
        for (const Formulation f : both) {
            INFO(std::string(by_bushing ? "bushing, " : "weld, "), name_of(f));
            const auto model = built(spun(by_bushing));
            RunSettings run = run_in(f, Method::runge_kutta4, 1e-3, 3);
            auto sim = Simulation::start(model, run);
            REQUIRE_MESSAGE(sim, (sim ? "" : sim.problems().text()));
            double broke = 0;
            V3 omega = zero3<double>();
            while (!sim->done()) {
                const V3 p = whole_p(sim->placed()), L = whole_L(sim->placed());
                const V3 driven{0, 0, sim->time() < 0.9995 ? 10 * 1e-3 : 0.0};
                REQUIRE(!sim->step());
                // The torques push nothing; in joint coordinates p is as good as the method.
                CHECK(norm(whole_p(sim->placed()) - p) <
                      (f == Formulation::maximal ? 1e-13 : 1e-8));
                // So is L, and with forces that turn with what they act on.
                CHECK(norm(whole_L(sim->placed()) - L - driven) < (f == Formulation::reduced ? 1e-8
                                                                   : by_bushing              ? 1e-10
                                                                                : 2e-13));
                if (broke == 0 && sim->state().released[0]) {
                    broke = sim->cuts()[0].at;
                    omega = sim->placed().bodies[0].omega;
                    CHECK(broke < sim->time());
                    CHECK(broke > sim->time() - 1e-3);
                    CHECK(sim->cuts()[0].most >= 1);
                    CHECK(sim->cuts()[0].most < 1 + 1e-9); // there, not at the end of the step
                    CHECK(std::string(sim->cuts()[0].by) == "tension");
                }
            }
            // 2 kg at 1 m: 30 N at ω = √15, of which each ball alone takes 5/0.1 per second more in
            // what is left of the step; a bushing gives a little.
            REQUIRE(broke > 0);
            CHECK(near(omega.z, std::sqrt(15.0), by_bushing ? 0.02 : 0.05 / std::sqrt(15.0)));
            if (!by_bushing) // ω̇ = 10/4.2 from 2 on
                CHECK(near(broke, (std::sqrt(15.0) - 2) * 0.42, 1e-9));
            REQUIRE(sim->happenings().list().size() == 2);
            for (const Happening& one : sim->happenings().list())
                CHECK(one.time == broke);
            CHECK(sim->cuts()[0].gone);
            CHECK(sim->cuts()[0].utilisation == 0);
            // After that they fly apart on straight lines and spin for themselves.
            const Placed end = sim->placed();
            CHECK(norm(end.bodies[0].x - end.bodies[1].x) > 3);
            sim->close_books();
            const Books& books = sim->ledger().books();
            if (f == Formulation::maximal)
                CHECK(sim->ledger().balanced());
            // What the bushing held is lost, and is on the books as that, not as a residual.
            if (by_bushing)
                CHECK(books.shifted.spring < -0.01);
            else
                CHECK(books.shifted.spring == 0);
            CHECK(std::abs(books.total.residual.E()) < 1e-6 * books.total.closing.T);
        }
}

namespace {

/// A rod of length l on a hinge in the world, at rest and level when gravity takes it.
constexpr double rod_m = 3, rod_l = 1.5, gravity = 9.81;
Builder falling_rod()
{
    Builder b;
    const double across = rod_m * rod_l * rod_l / 12;
    Body rod =
        body_with("rod", rod_m, diagonal(1e-3, across, across), zero3<double>(), zero3<double>());
    rod.pose.x = {rod_l / 2, 0, 0};
    b.add(rod);
    b.gravity.uniform = {0, -gravity, 0};
    b.add(hinge("pin", world, zero3<double>(), 0, {-rod_l / 2, 0, 0}));
    Cut cut;
    cut.name = "pin";
    cut.of = Cut::Of::joint;
    cut.strength.shear = 1.7 * rod_m * gravity;
    b.cuts.push_back(cut);
    Release snap;
    snap.name = "snap";
    snap.joint = 0;
    snap.when_over = 0;
    b.releases.push_back(snap);
    return b;
}
/// At φ below the level ω² = 3 (g/l) sin φ, and the pin carries 5/2 m g sin φ along the rod and
/// 1/4 m g cos φ across it.
double angle_of_break()
{
    return std::asin(std::sqrt((1.7 * 1.7 - 1.0 / 16) / (6.25 - 1.0 / 16)));
}
/// ∫dφ/ω with φ = u², by Simpson's rule.
double time_of_break()
{
    const double end = std::sqrt(angle_of_break());
    const int n = 2000;
    double sum = 0;
    for (int i = 0; i <= n; ++i) {
        const double u = end * i / n;
        const double value = i == 0 ? 2.0 : 2 * u / std::sqrt(std::sin(u * u));
        sum += (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0) * value;
    }
    return sum * end / (3 * n) * std::sqrt(rod_l / (3 * gravity));
}

} // namespace

TEST_CASE("The moment of breaking lies within a step, and converges with the order of the method")
{
    const double moment = time_of_break(), angle = angle_of_break();
    const auto model = built(falling_rod());
    struct Broken {
        double at;       // error of the moment
        double flight;   // and of the place after it
        double residual; // of the energy
    };
    const auto broken = [&](Formulation f, Method method, double h) {
        const Simulation sim = ran(model, run_in(f, method, h, 0.8));
        REQUIRE(sim.happenings().list().size() == 2);
        const Happening &over = sim.happenings().list()[0], &snap = sim.happenings().list()[1];
        CHECK(over.kind == Happening::Kind::overload);
        CHECK(snap.kind == Happening::Kind::broken);
        CHECK(over.time == snap.time);
        CHECK(std::string(snap.by) == "shear");
        CHECK(near(snap.utilisation, 1, 1e-9)); // that of the moment
        // It flies on from there.
        const double omega = std::sqrt(3 * gravity / rod_l * std::sin(angle));
        const double left = 0.8 - moment;
        const V3 r{0.5 * rod_l * std::cos(angle), -0.5 * rod_l * std::sin(angle), 0};
        const V3 end =
            r + left * cross(V3{0, 0, -omega}, r) + V3{0, -0.5 * gravity * left * left, 0};
        return Broken{std::abs(snap.time - moment), norm(sim.placed().bodies[0].x - end),
                      std::abs(sim.ledger().books().total.residual.E())};
    };
    struct Case {
        Method method;
        double h;
        int order;
        bool reduced;
    };
    for (const Case& c :
         {Case{Method::runge_kutta4, 0.05, 4, true}, Case{Method::midpoint, 0.02, 2, false},
          Case{Method::splitting, 0.02, 2, false}, Case{Method::explicit_euler, 0.002, 1, true},
          Case{Method::symplectic_euler, 0.002, 1, true}})
        for (const Formulation f : both) {
            if (f == Formulation::reduced && !c.reduced)
                continue;
            const Broken coarse = broken(f, c.method, c.h), fine = broken(f, c.method, 0.5 * c.h);
            const double of_moment = std::log2(coarse.at / fine.at),
                         of_flight = std::log2(coarse.flight / fine.flight);
            CHECK_MESSAGE(std::abs(of_moment - c.order) < 0.4, facts_of(c.method).name, " ",
                          name_of(f), " ", coarse.at, " ", fine.at);
            CHECK_MESSAGE(std::abs(of_flight - c.order) < 0.4, facts_of(c.method).name, " ",
                          name_of(f), " ", coarse.flight, " ", fine.flight);
        }
    for (const Formulation f : both) {
        const Broken tight_one = broken(f, Method::adaptive, 0.1);
        CHECK_MESSAGE(tight_one.at < 1e-9, tight_one.at);
        CHECK(tight_one.flight < 1e-8);
        CHECK(tight_one.residual < 1e-8);
    }
}

TEST_CASE("A cut that only warns tells the moment, and leaves the motion alone")
{
    Builder b = falling_rod();
    b.releases.clear();
    Builder unlimited = b;
    unlimited.cuts.clear();
    for (const Formulation f : both) {
        const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, 0.01, 0.8));
        const Simulation free = ran(built(unlimited), run_in(f, Method::runge_kutta4, 0.01, 0.8));
        CHECK(hash_of(sim.state()) == hash_of(free.state()));
        REQUIRE(sim.happenings().list().size() == 1);
        CHECK(near(sim.happenings().list()[0].time, time_of_break(), 1e-6));
        CHECK(sim.cuts()[0].most > 1.3); // 5/2 over 1.7 at the bottom
    }
}

TEST_CASE("What cannot carry what another left to it breaks at the same moment")
{
    // A body that is pulled down by a growing force hangs on two welds, which share it. One can
    // carry 60 N; the other 100 N, which is less than both had.
    Builder b;
    b.add(body_with("load", 2, diagonal(0.1, 0.1, 0.1), zero3<double>(), zero3<double>()));
    b.gravity.uniform = {0, 0, -9.81};
    for (const double strength : {60.0, 100.0}) {
        Joint rope =
            hinge(strength == 60.0 ? "rope" : "spare", world, zero3<double>(), 0, zero3<double>());
        rope.kind = JointKind::weld;
        rope.closes_loop = true;
        rope.frame_a.q = rope.frame_b.q = exp_quat(V3{M_PI, 0, 0}); // z from the world to the load
        Cut cut;
        cut.name = rope.name;
        cut.of = Cut::Of::joint;
        cut.index = static_cast<int>(b.joints.size());
        cut.strength.tension = strength;
        Release snap;
        snap.name = rope.name + " snaps";
        snap.joint = cut.index;
        snap.when_over = cut.index;
        b.add(rope);
        b.cuts.push_back(cut);
        b.releases.push_back(snap);
    }
    Control winch;
    winch.name = "winch";
    winch.lower = 0;
    winch.upper = 1;
    winch.times = {0, 2};
    winch.values = {0, 1};
    b.controls = {winch};
    AppliedLoad pull;
    pull.name = "pull";
    pull.body = 0;
    pull.force = {0, 0, -300};
    pull.control = 0;
    b.loads.push_back(pull);
    const double moment = 2 * (2 * 60 - 2 * 9.81) / 300;
    for (const Formulation f : both)
        for (const double h : {0.1, 0.01, 0.003}) { // at rest until then: the step does not matter
            const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, h, 1.5));
            const auto list = sim.happenings().list();
            REQUIRE(list.size() == 4);
            for (const Happening& one : list)
                CHECK(near(one.time, moment, 1e-11));
            CHECK(list[1].kind == Happening::Kind::broken);
            CHECK(list[3].kind == Happening::Kind::broken);
            CHECK(near(list[1].utilisation, 1, 1e-10));
            CHECK(near(list[3].utilisation, 1.2, 1e-10));
        }
}

TEST_CASE("A bushing that lets go at a time keeps p and L, and its energy is accounted for")
{
    Builder b = spun(true);
    b.cuts.clear();
    b.loads.clear();
    b.releases[0].when_over = -1;
    b.releases[0].at = 0.3337; // within a step
    const auto model = built(b);
    // Both methods keep p and L of bodies that nothing touches from outside.
    for (const Formulation f : both) {
        INFO(name_of(f));
        const Method method = f == Formulation::maximal ? Method::runge_kutta4 : Method::gauss;
        const Simulation sim = ran(model, run_in(f, method, 1e-3, 1));
        const Books& books = sim.ledger().books();
        CHECK(sim.ledger().balanced());
        CHECK(books.shifted.spring < 0);
        CHECK(books.closing_stores.spring == 0);
        CHECK(std::abs(books.total.residual.E()) < 1e-9 * books.total.closing.T); // RK4, ωh = 0.1
        CHECK(norm(books.total.closing.p - V3{0, 12, 0}) < 1e-12);
        // Rounding; that of stages whose springs are stiff adds to it.
        CHECK(norm(books.total.closing.L - books.total.opening.L) <
              (f == Formulation::maximal ? 1e-12 : 1e-13 * books.scale_L));
    }
    // In joint coordinates others keep them to the order that they have.
    const auto lost = [&](double h) {
        const Simulation sim = ran(model, run_in(Formulation::reduced, Method::runge_kutta4, h, 1));
        CHECK(sim.ledger().balanced());
        CHECK(sim.ledger().books().closing_stores.spring == 0);
        return norm(sim.ledger().books().total.residual.L);
    };
    CHECK(near(std::log2(lost(4e-3) / lost(2e-3)), 4, 0.15));
}

namespace {

/// A beam along z that flies and turns about x, and is twisted at its foot by a torque that grows
/// until the beam breaks: τ = rate t about x.
constexpr double beam_m = 6, beam_l = 2, beam_at = 0.3, torque_rate = 40, beam_strength = 2;
const V3 beam_size{0.1, 0.1, beam_l}, beam_v{0.5, 1, -2};
constexpr double beam_w = 0.7;
Builder breaking_beam()
{
    Builder b;
    Body beam =
        body_with("beam", beam_m, diagonal(1.0, 1.0, 1.0), zero3<double>(), zero3<double>());
    beam.shape = Box{beam_size};
    beam.mass_properties = with_mass(solid_box(beam_size, 1), beam_m);
    beam.pose.x = {3, 0, 1};
    beam.velocity = beam_v;
    beam.angular_velocity = {beam_w, 0, 0};
    b.add(beam);
    Control ramp;
    ramp.name = "ramp";
    ramp.times = {0, 10};
    ramp.values = {0, 10 * torque_rate};
    b.controls.push_back(ramp);
    AppliedLoad twist;
    twist.name = "twist";
    twist.torque = {1, 0, 0};
    twist.point = {0, 0, -0.9};
    twist.control = 0;
    b.loads.push_back(twist);
    Cut cut;
    cut.name = "section";
    cut.frame.x = {0, 0, beam_at};
    cut.beyond = *part_beyond(b.bodies[0], cut.frame);
    cut.strength.bending = beam_strength;
    b.cuts.push_back(cut);
    return b;
}
double I_x(double m, double l)
{
    return m * (l * l + beam_size.y * beam_size.y) / 12;
}

} // namespace

TEST_CASE("A beam that breaks by its own bending keeps p and L, and its parts fly on by themselves")
{
    Builder b = breaking_beam();
    const MassProperties all = b.bodies[0].mass_properties;
    REQUIRE(!break_at(b, 0, "outer").any());
    REQUIRE(b.bodies.size() == 2);
    CHECK(b.bodies[0].name == "beam");
    CHECK(b.bodies[1].name == "outer");
    {
        const Pose<double> back{{-3, 0, -1}, identity_quat<double>()};
        const auto of = [&](std::size_t i) {
            return moved(moved(b.bodies[i].mass_properties, b.bodies[i].pose), back);
        };
        const MassProperties again = joined(of(0), of(1));
        CHECK(near(again.mass, all.mass, 1e-15));
        CHECK(norm(again.center) < 1e-15);
        CHECK(near(trace(again.inertia), trace(all.inertia), 1e-15));
    }
    // M = ω̇ m₊ (l₊²/12 + (s + l₊/2) l₊/2) and what of a box is not slender, ω̇ = rate t/I.
    const double l = 0.5 * beam_l - beam_at, m = beam_m * l / beam_l, I = I_x(beam_m, beam_l),
                 middle = beam_at + 0.5 * l;
    const double arm = I_x(m, l) + m * middle * 0.5 * l;
    const double moment = beam_strength * I / (torque_rate * arm);
    const double until = moment + 0.4, h = 1e-3;
    for (const Formulation f : both) {
        INFO(name_of(f));
        const bool maximal = f == Formulation::maximal;
        auto sim = Simulation::start(built(b), maximal ? run_in(f, Method::runge_kutta4, h, until)
                                                       : tight(f, h, until));
        REQUIRE_MESSAGE(sim, (sim ? "" : sim.problems().text()));
        const V3 p = whole_p(sim->placed()), L = whole_L(sim->placed());
        double worst_p = 0, worst_L = 0;
        while (!sim->done()) {
            REQUIRE(!sim->step());
            const double t = sim->time();
            worst_p = std::max(worst_p, norm(whole_p(sim->placed()) - p));
            // The torque is that of the world on the foot alone, however far it has broken off.
            worst_L = std::max(
                worst_L, norm(whole_L(sim->placed()) - L - V3{0.5 * torque_rate * t * t, 0, 0}));
        }
        // Rounding of 500 steps, with p of 14 N s and L of 60 N m s; in joint coordinates they are
        // derived, and as good as the tolerance of the method.
        CHECK_MESSAGE(worst_p < (maximal ? 5e-13 : 1e-11), worst_p);
        CHECK_MESSAGE(worst_L < (maximal ? 3e-12 : 5e-11), worst_L);
        REQUIRE(sim->happenings().list().size() == 2);
        const Happening& snap = sim->happenings().list()[1];
        CHECK(snap.kind == Happening::Kind::broken);
        CHECK(std::string(snap.by) == "bending");
        CHECK(near(snap.time, moment, 1e-10)); // the error of the method
        // As the two parts must: ω = w + rate t²/2I and θ its integral until then; then straight.
        const double w = beam_w + 0.5 * torque_rate * moment * moment / I,
                     theta = beam_w * moment + torque_rate * moment * moment * moment / (6 * I),
                     T = static_cast<double>(sim->steps_in_all()) * h - moment;
        const V3 axis{0, -std::sin(theta), std::cos(theta)}; // of the beam
        const double l_near = 0.5 * beam_l + beam_at, m_near = beam_m - m;
        const Placed end = sim->placed();
        for (const auto& [body, at] :
             {std::pair(0, beam_at - 0.5 * l_near), std::pair(1, middle)}) {
            const PlacedBody& part = end.bodies[static_cast<std::size_t>(body)];
            const V3 r = at * axis, v = beam_v + cross(V3{w, 0, 0}, r);
            CHECK(norm(part.x - (V3{3, 0, 1} + moment * beam_v + r + T * v)) < 1e-9);
            CHECK(norm(part.v - v) < 1e-9);
            const double spun_up =
                body == 1 ? 0 : torque_rate * (moment * T + 0.5 * T * T) / I_x(m_near, l_near);
            CHECK(norm(part.omega - V3{w + spun_up, 0, 0}) < 1e-9 * (1 + spun_up));
        }
    }
}

TEST_CASE(
    "A body that breaks moves as the whole until then, and what cannot be shared out is named")
{
    Builder whole = breaking_beam(), b = whole;
    b.cuts[0].strength.bending = whole.cuts[0].strength.bending = 1e9;
    REQUIRE(!break_at(b, 0, "outer").any());
    for (const Formulation f : both) {
        const auto run = run_in(f, Method::runge_kutta4, 1e-3, 0.5);
        const Simulation one = ran(built(whole), run), two = ran(built(b), run);
        const PlacedBody all = one.placed().bodies[0], far = two.placed().bodies[1];
        CHECK(norm(far.x - (all.x + all.R * V3{0, 0, beam_at + 0.35})) < 1e-11);
        CHECK(norm(far.omega - all.omega) < 1e-10);
        CHECK(near(two.cuts()[0].load.bending_x, one.cuts()[0].load.bending_x, 1e-9));
    }
    const auto told = [&](auto change) {
        Builder wrong = whole;
        change(wrong);
        const Builder before = wrong;
        const std::string text = break_at(wrong, 0, "outer").text();
        CHECK(wrong.bodies.size() == before.bodies.size());
        return text;
    };
    CHECK(told([](Builder& w) { w.cuts[0].strength = {}; }).find("give it a limit") !=
          std::string::npos);
    CHECK(told([](Builder& w) {
              w.cuts.push_back(w.cuts[0]);
              w.cuts[1].name = "again";
          }).find("cut 'again' of the same body lies in its plane") != std::string::npos);
    CHECK(told([](Builder& w) {
              w.cuts.push_back(w.cuts[0]);
              w.cuts[1].name = "askew";
              w.cuts[1].frame.q = w.cuts[1].frame.q * exp_quat(V3{0.1, 0, 0});
          }).find("meets that of cut 'askew'") != std::string::npos);
    CHECK(told([](Builder& w) {
              w.drags.push_back({"drag", 0, 1, 0});
          }).find("which part") != std::string::npos);
    CHECK(told([](Builder& w) { w.bodies[0].held = Held{}; }).find("held") != std::string::npos);
}

TEST_CASE("A run that broke and was resumed goes on to the same bits")
{
    const auto model = built(spun(true));
    for (const Formulation f : both) {
        const RunSettings run = run_in(f, Method::runge_kutta4, 1e-3, 2);
        auto unbroken = Simulation::start(model, run);
        auto first = Simulation::start(model, run);
        REQUIRE((unbroken && first));
        while (!unbroken->done())
            REQUIRE(!unbroken->step());
        REQUIRE(unbroken->state().released[0]);
        while (first->time() < 1)
            REQUIRE(!first->step());
        auto second = Simulation::start(model, run);
        second->resume(first->checkpoint());
        while (!second->done())
            REQUIRE(!second->step());
        CHECK(hash_of(second->state()) == hash_of(unbroken->state()));
    }
}

TEST_CASE("What lets go by load and is wrong is named")
{
    Builder b = spun(true);
    b.releases[0].when_over = 4;
    CHECK(b.build().problems().text().find("cut that does not exist") != std::string::npos);
    b.releases[0].bushing = 3;
    CHECK(b.build().problems().text().find("bushing that does not exist") != std::string::npos);
    b = spun(true);
    b.releases.push_back(b.releases[0]);
    CHECK(b.build().problems().text().find("this bushing is let go twice") != std::string::npos);
    b.releases[1].joint = 0;
    CHECK(b.build().problems().text().find("make two of it") != std::string::npos);
}
