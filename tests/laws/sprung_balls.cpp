// SPDX-License-Identifier: MIT
// What acts on the turn of a ball or a point: springs and dampers about any axis.

#include "formulations.hpp"
#include "poinsot/forces/gather.hpp"

using namespace poinsot;

namespace {

constexpr double k = 7, c = 0.9, I = 1.7; // of the turn about x

/// A body on a sprung ball at its own centre and the world, turned by `angle` about x from where
/// its spring is slack; the frames and the rest stand askew.
Builder turned_body(double angle, double damping)
{
    Dice dice(17);
    Builder b;
    Body body = body_with("body", 2, diagonal(I, 2.1, 1.2), zero3<double>(), zero3<double>());
    body.pose.q = exp_quat(V3{angle, 0, 0});
    b.add(body);
    Joint ball;
    ball.name = "ball";
    ball.kind = JointKind::ball;
    ball.b = 0;
    ball.frame_a.q = dice.rotation();
    ball.frame_b.q = dice.rotation();
    // R_b R_restᵀ is R_a where the body stands upright.
    ball.turn = TurnLaw{{k, k, k}, {damping, damping, damping}, identity_quat<double>()};
    ball.turn->rest = conjugate(ball.frame_a.q) * ball.frame_b.q;
    b.add(ball);
    return b;
}
double angle_about_x(const Placed& placed)
{
    const Mat3<double>& R = placed.bodies[0].R;
    return atan2(R.r2.y, R.r1.y);
}

/// A chain of three bodies that floats, held by sprung balls, the middle one also to the world by a
/// sprung point, with other springs about other axes.
Builder sprung_chain()
{
    Dice dice(23);
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    for (int i = 0; i < 3; ++i) {
        Joint joint;
        joint.name = text_of("joint ", i);
        joint.kind = JointKind::ball;
        joint.a = i == 0 ? world : i - 1;
        Body body = some_body(text_of("body ", i), dice);
        joint.b = b.add(body);
        joint.frame_a = some_pose(dice);
        joint.frame_b = some_pose(dice);
        Allowed as = allowed(joint, dice);
        as.twist.omega = 0.3 * as.twist.omega;
        put(b, joint, as);
        // slack within a radian of where it stands
        joint.turn = TurnLaw{{dice.uniform(20, 40), dice.uniform(20, 40), dice.uniform(20, 40)},
                             {dice.uniform(0, 1), dice.uniform(0, 1), dice.uniform(0, 1)},
                             exp_quat(dice.vector(0.5)) * as.pose.q};
        b.add(joint);
    }
    return b;
}

double power_of(const Loads& loads, const Placed& placed, Cause cause)
{
    double sum = 0;
    for (const LoadPart& part : loads.parts)
        if (part.cause == cause)
            sum += power(part.wrench, placed.bodies[static_cast<std::size_t>(part.body)].twist());
    return sum;
}

} // namespace

TEST_CASE("A body on a sprung ball swings as a torsion pendulum does, however far it is turned")
{
    for (const Formulation f : both)
        for (const double damping : {0.0, c}) {
            INFO(std::string(name_of(f)), ", damping ", damping);
            const double angle = 2.8;
            const auto model = built(turned_body(angle, damping));
            auto sim = Simulation::start(model, tight(f, 0.05, 3));
            REQUIRE(sim);
            // I φ″ + c φ′ + k φ = 0
            const double a = damping / (2 * I), w = std::sqrt(k / I - a * a);
            while (!sim->done()) {
                REQUIRE(!sim->step());
                const double t = sim->time();
                const double exact =
                    angle * std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t));
                REQUIRE(std::abs(angle_about_x(sim->placed()) - exact) < 1e-10); // tolerance 1e-12
            }
            sim->close_books();
            const Books& books = sim->ledger().books();
            CHECK(near(books.opening_stores.spring, 0.5 * k * angle * angle, 1e-14));
            CHECK(std::abs(books.total.residual.E()) < 1e-9 * books.opening_stores.spring);
        }
}

TEST_CASE("The torque of a sprung ball is the slope of its energy, what its damper takes is c φ′²")
{
    for (const JointKind kind : {JointKind::ball, JointKind::point})
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            Dice dice(seed);
            Builder b = joined_pair(kind, seed);
            TurnLaw law;
            law.stiffness = V3{2, 3, 5};
            law.rest = dice.rotation();
            b.joints[0].turn = law;
            const auto model = built(b);
            State state = start_of(*model, FormKind::velocity, Formulation::maximal);
            const Placed placed = place(*model, state);
            Loads loads;
            gather_loads(*model, placed, {}, 0, 0, loads);
            const double does = power_of(loads, placed, Cause::spring);
            // A store and its slope as the bodies move on.
            const auto store_of = [&](const Model& sprung) {
                const double e = 1e-4;
                const auto at = [&](double t) {
                    Placed moved = placed;
                    for (PlacedBody& body : moved.bodies) {
                        body.x += t * body.v;
                        body.R = matrix_of(exp_quat(t * body.omega)) * body.R;
                    }
                    return stores_of(sprung, moved).spring;
                };
                return std::pair(at(0),
                                 (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e));
            };
            // Differences of fourth order: e⁴ and rounding of a store of some ten over e.
            CHECK(near(does, -store_of(*model).second, 1e-10, 10));

            // About one axis V = ½ φ² and V′ = φ φ′.
            const V3 damping{0.7, 1.1, 1.3};
            double taken = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const V3 e = axis == 0 ? V3{1, 0, 0} : axis == 1 ? V3{0, 1, 0} : V3{0, 0, 1};
                b.joints[0].turn = TurnLaw{e, zero3<double>(), law.rest};
                const auto [V, V_dot] = store_of(*built(b));
                taken += dot(damping, e) * V_dot * V_dot / (2 * V);
            }
            b.joints[0].turn = TurnLaw{zero3<double>(), damping, law.rest};
            gather_loads(*built(b), placed, {}, 0, 0, loads);
            CHECK(near(power_of(loads, placed, Cause::damper), -taken, 1e-9, 10));
            CHECK(norm(loads.total[0].F) + norm(loads.total[1].F) == 0);
            CHECK(norm(loads.total[0].tau + loads.total[1].tau) <
                  1e-15 * (norm(loads.total[0].tau) + 1));
        }
}

TEST_CASE("Chains on sprung balls: both formulations agree and close their books")
{
    const auto model = built(sprung_chain());
    for (const Method method : {Method::runge_kutta4, Method::impulsive, Method::bdf}) {
        std::array<Placed, 2> ends;
        for (const Formulation f : both) {
            INFO(std::string(facts_of(method).name), ", ", std::string(name_of(f)));
            RunSettings run = run_in(f, method, 1e-3, 0.5);
            run.step.tolerance = {1e-12, 1e-12};
            auto sim = Simulation::start(model, run);
            REQUIRE(sim);
            while (!sim->done())
                REQUIRE(!sim->step());
            sim->close_books();
            ends[f == Formulation::reduced] = sim->placed();
            const Books& books = sim->ledger().books();
            const double size = books.opening_stores.spring + books.total.opening.T;
            // (ω h)² of a step by impulses with ω of some 10/s, (ω h)⁴ of Runge and Kutta.
            CHECK(std::abs(books.total.residual.E()) <
                  (method == Method::impulsive ? 1e-4 : 1e-8) * size);
            CHECK(books.total.posted[index_of(Cause::damper)].work < -0.01 * size);
            CHECK(books.total.posted[index_of(Cause::spring)].work != 0);
        }
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(norm(ends[0].bodies[i].x - ends[1].bodies[i].x) <
                  (method == Method::impulsive ? 1e-4 : 1e-7));
    }
}

TEST_CASE("A point with a spring does what a ball does with it")
{
    Builder b = sprung_chain();
    const auto ball = built(b);
    for (Joint& joint : b.joints)
        joint.kind = JointKind::point;
    const auto point = built(b);
    const RunSettings run = run_in(Formulation::maximal, Method::runge_kutta4, 1e-3, 0.2);
    CHECK(difference(ran(ball, run).placed(), ran(point, run).placed()) < 1e-13);
}

TEST_CASE("A cut through a sprung ball carries the torque of its spring")
{
    Builder b = turned_body(0.6, 0);
    Cut cut;
    cut.name = "cut";
    cut.of = Cut::Of::joint;
    b.cuts.push_back(cut);
    const auto model = built(b);
    for (const Formulation f : both) {
        auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 1e-4, 1e-4));
        REQUIRE(sim);
        REQUIRE(!sim->step());
        const SectionLoad& load = sim->cuts()[0].load;
        CHECK(near(norm(V3{load.bending_x, load.bending_y, load.torsion}), 0.6 * k, 1e-6));
    }
}

TEST_CASE("A sprung ball that lets go leaves its energy to nobody, and the books say so")
{
    Builder b = turned_body(0.6, c);
    Release release;
    release.name = "goes";
    release.joint = 0;
    release.at = 0.0337;
    b.releases.push_back(release);
    const auto model = built(b);
    for (const Formulation f : both) {
        auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 1e-3, 0.5));
        REQUIRE(sim);
        V3 omega{};
        while (!sim->done()) {
            REQUIRE(!sim->step());
            if (sim->time() < 0.035)
                omega = sim->placed().bodies[0].omega;
        }
        sim->close_books();
        const Books& books = sim->ledger().books();
        CHECK(books.shifted.spring < 0);
        CHECK(books.closing_stores.spring == 0);
        CHECK(std::abs(books.total.residual.E()) < 1e-9 * books.opening_stores.spring);
        CHECK(norm(sim->placed().bodies[0].omega - omega) < 1e-12); // about a principal axis
    }
}

TEST_CASE("What turns a joint that cannot be turned any way, or no body, is refused by name")
{
    const auto told = [](auto change) {
        Builder b = turned_body(0.6, c);
        change(b);
        const auto model = b.build();
        return model ? std::string() : model.problems().text();
    };
    const auto says = [](const std::string& text, const char* part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    says(told([](Builder& b) { b.joints[0].turn->stiffness.y = -1; }),
         "stiffness must be finite and not negative, is -1");
    says(told([](Builder& b) { b.joints[0].turn->damping.z = std::nan(""); }),
         "damping must be finite and not negative");
    says(told([](Builder& b) { b.joints[0].turn->rest.w = 3; }), "rest must be a unit quaternion");
    says(told([](Builder& b) { b.joints[0].kind = JointKind::free; }),
         "a free joint does not turn any way about a point");
    says(told([](Builder& b) {
             b.joints[0].kind = JointKind::point;
             b.bodies[0] = Body{};
             b.bodies[0].name = "dot";
             b.bodies[0].particle = true;
             b.bodies[0].mass_properties.mass = 1;
             b.joints[0].frame_b.x = zero3<double>();
         }),
         "particle 'dot' has no attitude to hold");
}
