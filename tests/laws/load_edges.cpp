// SPDX-License-Identifier: MIT
// Loads, torques of rotors, schedules and gusts that begin, end and bend within steps.

#include "formulations.hpp"
#include "poinsot/step/edges.hpp"

using namespace poinsot;

namespace {

constexpr double h = 0.01, t_end = 0.1;

struct Window {
    double from, until;

    double within(double end) const { return std::max(0.0, std::min(until, end) - from); }
};
const double forever = std::numeric_limits<double>::infinity();
// Both edges within a step, one in each of two, on the grid, on one side of it, over many steps,
// from the start, to the end and beyond it; and for a ten-thousandth of a millionth of a step.
const std::array<Window, 10> windows{{{0.0301, 0.0349},
                                      {0.033, 0.037},
                                      {0.0377, 0.0423},
                                      {0.03, 0.05},
                                      {0.03, 0.0313},
                                      {0.0287, 0.03},
                                      {0.0123, 0.0877},
                                      {0, 0.0001},
                                      {0.0349, forever},
                                      {0.033, 0.033 + 1e-12}}};

AppliedLoad load_on(int body, const V3& force, const Window& when)
{
    AppliedLoad load;
    load.name = text_of("load from ", when.from, " on ", body);
    load.body = body;
    load.force = force;
    load.from = when.from;
    load.until = when.until;
    return load;
}

/// Every integrator in every formulation that takes the model.
template <class Check>
void with_every_method(const std::shared_ptr<const Model>& model, double step, double until,
                       const Check& check)
{
    for (const Formulation f : both)
        for (const MethodFacts& facts : methods) {
            RunSettings run = run_in(f, facts.method, step, until);
            if (facts.method == Method::body_frame)
                run.step.form = FormKind::velocity;
            if (unfit(*model, run.step).any())
                continue;
            CAPTURE(name_of(f));
            CAPTURE(facts.name);
            check(run);
        }
}

V3 total_p(const Placed& placed)
{
    V3 sum = zero3<double>();
    for (const PlacedBody& body : placed.bodies)
        sum += body.p;
    return sum;
}
V3 applied(const Simulation& sim)
{
    return sim.ledger().books().total.posted[index_of(Cause::applied)].J;
}

/// How far an impulse of `size` may be off in sums of a hundred terms; a force has the rounding of
/// its times.
double rounding(double size, double force)
{
    return 1e-14 * size + 4e-16 * t_end * force;
}

/// Three links, hinged to each other, that float.
Builder floating_chain()
{
    Builder b;
    for (int i = 0; i < 3; ++i) {
        Body link = body_with(text_of("link ", i).c_str(), 1 + i, diagonal(0.1, 0.3, 0.2),
                              zero3<double>(), zero3<double>());
        link.pose.x = {1.0 * i, 0, 0};
        b.add(link);
        if (i > 0)
            b.add(hinge(text_of("hinge ", i), i - 1, {0.5, 0, 0}, i, {-0.5, 0, 0}));
    }
    return b;
}

/// A pendulum of two links that a load pushes while it swings, edges off any grid.
Builder pushed_pendulum(const Window& when)
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    for (int i = 0; i < 2; ++i) {
        b.add(body_with(text_of("rod ", i).c_str(), 1, diagonal(0.08, 0.01, 0.09), zero3<double>(),
                        zero3<double>()));
        Joint joint =
            hinge(text_of("pin ", i), i - 1, i ? V3{0, -0.5, 0} : zero3<double>(), i, {0, 0.5, 0});
        joint.start = {i ? -0.4 : 0.7};
        b.add(joint);
    }
    b.loads = {load_on(1, {6, 3, 0}, when)};
    b.loads[0].body_axes = true;
    return b;
}

} // namespace

TEST_CASE("The impulse of a load is force times the time it is on, wherever its edges fall in the "
          "step")
{
    for (const Window& when : windows) {
        const double on = when.within(t_end), force = 4.8 / on;
        Builder b;
        b.add_particle("a", 2, {1, 2, 3}, zero3<double>());
        b.loads = {load_on(0, {force, 0, 0}, when)};
        CAPTURE(when.from);
        CAPTURE(when.until);
        with_every_method(built(b), h, t_end, [&](const RunSettings& run) {
            const Simulation sim = ran(built(b), run);
            CHECK(norm(total_p(sim.placed()) - V3{force * on, 0, 0}) < rounding(4.8, force));
            CHECK(norm(applied(sim) - V3{force * on, 0, 0}) < rounding(4.8, force));
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        });
    }
}

TEST_CASE("Several loads that begin and end in one step give their impulses each, on links of a "
          "chain too")
{
    Builder b = floating_chain();
    b.loads = {load_on(0, {0, 300, 0}, {0.0301, 0.0349}),
               load_on(1, {100, 0, 40}, {0.0302, 0.0398}),
               load_on(2, {0, -70, 0}, {0.0349, 0.0351}), load_on(2, {20, 0, 0}, {0.0349, 0.05}),
               load_on(1, {0, 1e3, 0}, {0.0377, 0.0377 + 1e-12})};
    V3 J = zero3<double>();
    double force = 0;
    for (const AppliedLoad& load : b.loads) {
        J += (load.until - load.from) * load.force;
        force += norm(load.force);
    }
    const auto model = built(b);
    with_every_method(model, h, t_end, [&](const RunSettings& run) {
        const Simulation sim = ran(model, run);
        CHECK(norm(applied(sim) - J) < rounding(norm(J), force));
        // In joint coordinates p follows from speeds, which methods find to their order.
        const bool kept = run.step.formulation == Formulation::maximal;
        CHECK(norm(total_p(sim.placed()) - J) < (kept ? 1e-13 : 0.01) * norm(J));
        CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
    });
}

TEST_CASE("The momentum of a rotor is torque times the time its drive is on, wherever its edges "
          "fall in the step")
{
    for (const Window& when : windows) {
        const double on = when.within(t_end), torque = 0.48 / on;
        Builder b;
        b.add(body_with("hull", 1, diagonal(1.0, 2.0, 3.0), zero3<double>(), zero3<double>()));
        Rotor rotor;
        rotor.name = "wheel";
        rotor.inertia = 0.1;
        rotor.torque = {torque};
        rotor.from = when.from;
        rotor.until = when.until;
        b.rotors = {rotor};
        CAPTURE(when.from);
        CAPTURE(when.until);
        with_every_method(built(b), h, t_end, [&](const RunSettings& run) {
            const Simulation sim = ran(built(b), run);
            CHECK(std::abs(sim.state().rotors[0] - torque * on) < rounding(0.48, torque));
            const bool kept = run.step.formulation == Formulation::maximal; // or derived
            CHECK(std::abs(sim.placed().bodies[0].L.z + torque * on) <
                  10 * rounding(0.48, torque) + (kept ? 0 : 1e-7));
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        });
    }
}

TEST_CASE("A load that follows a control has the area of its schedule, within one step too")
{
    Builder b;
    b.add_particle("a", 1, zero3<double>(), zero3<double>());
    Control pulse;
    pulse.name = "pulse";
    pulse.times = {0.0301, 0.0320, 0.0349};
    pulse.values = {0, 1, 0};
    b.controls = {pulse};
    b.loads = {load_on(0, {1000, 0, 0}, {0, forever})};
    b.loads[0].control = 0;
    const auto model = built(b);
    const double J = 1000 * 0.5 * 0.0048;
    for (const Formulation f : both)
        for (const Method method : {Method::midpoint, Method::runge_kutta4, Method::adaptive,
                                    Method::impulsive}) { // which take a straight line exactly
            const Simulation sim = ran(model, run_in(f, method, h, t_end));
            CHECK(std::abs(total_p(sim.placed()).x - J) < rounding(J, 1000));
        }
}

TEST_CASE("Runge-Kutta: across edges of a load within its steps the error falls with the fourth "
          "power")
{
    const auto model = built(pushed_pendulum({0.2371, 0.6113}));
    for (const Formulation f : both) {
        const Placed truth = ran(model, tight(f, 0.1, 1, 1e-13)).placed();
        const auto error = [&](double step) {
            return difference(ran(model, run_in(f, Method::runge_kutta4, step, 1)).placed(), truth);
        };
        const double coarse = error(0.005), fine = error(0.0025);
        CAPTURE(coarse);
        CAPTURE(fine);
        CHECK(std::log2(coarse / fine) > 3.8);
        CHECK(std::log2(coarse / fine) < 4.5);
    }
}

TEST_CASE("Every method has its order across edges of a load within its steps")
{
    const auto model = built(pushed_pendulum({0.2371, 0.6113}));
    for (const Formulation f : both) {
        const Placed truth = ran(model, tight(f, 0.1, 1, 1e-13)).placed();
        with_every_method(model, 0.02, 1, [&](RunSettings run) {
            const int order = facts_of(run.step.method).order;
            if (run.step.formulation != f || order > 2 || order == 0)
                return;
            const auto error = [&](double step) {
                run.step.h = step;
                return difference(ran(model, run).placed(), truth);
            };
            const double fine = 0.0025;
            CHECK(std::log2(error(2 * fine) / error(fine)) > order - 0.2);
        });
    }
}

TEST_CASE("A gust shorter than a step is felt")
{
    const auto ball = read_scene_text(R"(
air: {model: uniform, gusts: [{peak: [5, 0, 0], start: 0.0409, duration: 0.0025}]}
bodies: [{name: ball, ball: 0.5, mass: 2, velocity: [0, -50, 0]}]
aerodynamics: [{body: ball, area: 0.2, drag: 0.5}]
)",
                                      "ball");
    if (!ball)
        FAIL(ball.problems().text());
    Builder calm = ball->description;
    calm.air.gusts.clear();
    for (const Formulation f : both) {
        const auto p_at_end = [&](const Builder& b, double step) {
            return ran(built(b), run_in(f, Method::runge_kutta4, step, t_end))
                .placed()
                .bodies[0]
                .p.y;
        };
        // Of what a gust does, Simpson's rule over all of it has a third too much.
        const double gains = p_at_end(ball->description, 1e-4) - p_at_end(calm, 1e-4);
        CHECK(gains > 0);
        CHECK(near(p_at_end(ball->description, h) - p_at_end(calm, h), 4.0 / 3 * gains, 0.05));
    }
}

TEST_CASE("A run that is resumed between the edges of a load has the bits of one that was not")
{
    for (const Formulation f : both)
        for (const MethodFacts& facts : methods) {
            const auto model = built(pushed_pendulum({0.2371, 0.2749}));
            const RunSettings run = run_in(f, facts.method, h, 0.4);
            if (unfit(*model, run.step).any())
                continue;
            CAPTURE(facts.name);
            auto whole = Simulation::start(model, run), part = Simulation::start(model, run);
            REQUIRE(whole);
            for (int i = 0; i < 40; ++i)
                REQUIRE(!whole->step());
            for (const int until : {23, 24, 26, 28}) { // before, between and behind
                while (part->state().step < until)
                    REQUIRE(!part->step());
                auto resumed = Simulation::start(model, run);
                resumed->resume(part->checkpoint());
                while (!resumed->done())
                    REQUIRE(!resumed->step());
                CHECK(hash_of(whole->state()) == hash_of(resumed->state()));
            }
        }
}

TEST_CASE("A cut that a load within one step is too much for breaks when the load begins; one that "
          "holds leaves the step as it was")
{
    Builder b = floating_chain();
    b.loads = {load_on(2, {500, 0, 0}, {0.0311, 0.0349})};
    Cut cut;
    cut.name = "section";
    cut.of = Cut::Of::joint;
    cut.index = 1;
    cut.strength.shear = 200; // across the axis: links 0 and 1 take half of the 500 N
    b.cuts = {cut};
    Release snap;
    snap.name = "snap";
    snap.joint = 1;
    snap.when_over = 0;
    b.releases = {snap};
    Builder strong = b, plain = b;
    strong.cuts[0].strength.shear = 300;
    plain.cuts.clear();
    plain.releases[0].when_over = -1;
    plain.releases[0].at = 2 * t_end; // a joint that may let go is no part of a tree
    for (const Formulation f : both)
        for (const Method method : {Method::runge_kutta4, Method::adaptive, Method::midpoint}) {
            CAPTURE(name_of(f));
            CAPTURE(facts_of(method).name);
            const RunSettings run = run_in(f, method, h, t_end);
            if (f == Formulation::reduced && method == Method::midpoint)
                continue; // works on momenta of a tree that stays one
            const Simulation sim = ran(built(b), run);
            CHECK(sim.state().released == std::vector<char>{1});
            REQUIRE(sim.happenings().list().size() == 2); // too much, and broken
            CHECK(near(sim.happenings().list()[1].time, 0.0311, 1e-14));
            CHECK(near(sim.placed().bodies[2].p.x, 500 * 0.0038, 1e-13));
            CHECK(norm(sim.placed().bodies[1].p) < 1e-13);
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
            const Simulation held = ran(built(strong), run), other = ran(built(plain), run);
            CHECK(held.happenings().list().empty());
            CHECK(difference(held.placed(), other.placed()) == 0);
        }
}

TEST_CASE("What rests is moved from the moment at which a load begins within a step")
{
    // A box of 1 kg that slides with friction from 0.0301 s on: v = (F/m − μ g) 4.8 ms − μ g t.
    const auto box = read_scene_text(R"(
gravity: [0, 0, -9.81]
contact: {}
materials: [{name: wood, friction: 0.5}]
surfaces: [{name: floor, half_space: true, material: wood}]
bodies: [{name: box, box: [1, 1, 1], mass: 1, position: [0, 0, 0.5], material: wood}]
loads: [{body: box, force: [100, 0, 0], from: 0.0301, until: 0.0349}]
)",
                                     "box");
    if (!box)
        FAIL(box.problems().text());
    const double g = 9.81, rubs = 0.5 * g, on = 0.0349 - 0.0301;
    const double slid = (100 - rubs) * on - rubs * (t_end - 0.0349);
    for (const Formulation f : both)
        for (const Method method :
             {Method::runge_kutta4, Method::adaptive, Method::splitting, Method::impulsive}) {
            if (f == Formulation::reduced && method == Method::splitting)
                continue;
            CAPTURE(name_of(f));
            CAPTURE(facts_of(method).name);
            const Simulation sim = ran(built(box->description), run_in(f, method, h, t_end));
            CHECK(std::abs(sim.placed().bodies[0].v.x - slid) < 1e-9); // solved to 1e-10
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        }

    // A slide of 2 kg on its lower limit, which 50 N lift off and drop again.
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    b.add(body_with("block", 2, diagonal(1.0, 2.0, 2.5), zero3<double>(), zero3<double>()));
    Joint slide;
    slide.name = "slide";
    slide.kind = JointKind::prismatic;
    slide.b = 0;
    slide.laws.resize(1);
    slide.laws[0].lower = 0;
    b.add(slide);
    b.loads = {load_on(0, {0, 0, 50}, {0.0301, 0.0349})};
    const double a = 50 / 2.0 - g, flies = 0.04 - 0.0349;
    const double high = 0.5 * a * on * on + a * on * flies - 0.5 * g * flies * flies;
    for (const Formulation f : both)
        for (const Method method : {Method::runge_kutta4, Method::adaptive, Method::impulsive}) {
            CAPTURE(name_of(f));
            CAPTURE(facts_of(method).name);
            const Simulation up = ran(built(b), run_in(f, method, h, 0.04));
            CHECK(std::abs(up.placed().bodies[0].x.z - high) < 1e-12);
            const Simulation down = ran(built(b), run_in(f, method, h, t_end));
            CHECK(std::abs(down.placed().bodies[0].x.z) < 1e-6); // what touches, for impulses
            CHECK_MESSAGE(down.ledger().balanced(), down.ledger().verdict());
        }
}

TEST_CASE("A load that lasts for less than times are rounded by is refused; steps end at what is "
          "left")
{
    Builder b;
    b.add_particle("a", 1, zero3<double>(), zero3<double>());
    b.loads = {load_on(0, {1, 0, 0}, {1000, std::nextafter(1000.0, 2000.0)})};
    const auto made = b.build();
    REQUIRE(!made);
    CHECK(made.problems().text().find("lasts for 1.13686837722e-13 s") != std::string::npos);
    CHECK(made.problems().text().find("rounded by more") != std::string::npos);

    // On the grid but for rounding: 3 · 0.1 is not 0.3.
    b.loads = {load_on(0, {1, 0, 0}, {0.3, 0.7})};
    const auto model = built(b);
    for (int n = 0; n < 10; ++n)
        CHECK_FALSE(edge_within(*model, n * 0.1, 0.1));
    CHECK(until_edge(*model, 0.25, 0.1) == 0.3 - 0.25);
    CHECK(until_edge(*model, 0.3 - 1e-17, 0.1) == 0.1);
}
