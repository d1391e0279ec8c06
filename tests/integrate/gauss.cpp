// SPDX-License-Identifier: MIT
// The stages of an implicit step of a linkage: which momenta they work on, how they are found, and
// what the step keeps.

#include "poinsot/integrate/gauss.hpp"
#include "joined.hpp"
#include "poinsot/dynamics/momentum.hpp"

using namespace poinsot;

namespace {

RunSettings gauss_run(double h, double until)
{
    RunSettings run;
    run.step.h = h;
    run.step.method = Method::gauss;
    run.step.formulation = Formulation::reduced;
    run.until = until;
    run.ledger.detail = Postings::Detail::off;
    return run;
}

/// A chain of balls with frames turned every way, each link a thin rod along its own direction.
Builder ball_chain(int links, double axial, std::uint64_t seed)
{
    Dice dice(seed);
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    for (int i = 0; i < links; ++i) {
        const V3 rod = 0.2 * normalised(dice.vector(1)); // in the body frame, joint to joint
        Body body = some_body(text_of("link ", i), dice);
        const V3 n = normalised(rod);
        const double across = 0.5 * 0.04 / 12 + axial;
        const double less = axial - across;
        body.mass_properties = {0.5,
                                0.5 * rod,
                                {across + less * n.x * n.x, across + less * n.y * n.y,
                                 across + less * n.z * n.z, less * n.x * n.y, less * n.x * n.z,
                                 less * n.y * n.z}};
        Joint joint;
        joint.name = text_of("joint ", i);
        joint.kind = JointKind::ball;
        joint.a = i - 1;
        joint.b = b.add(body);
        joint.frame_a = {zero3<double>(), dice.rotation()};
        joint.frame_b = {zero3<double>(), dice.rotation()};
        if (i > 0) // at the far end of the rod before
            joint.frame_a.x =
                2.0 * b.bodies[static_cast<std::size_t>(i - 1)].mass_properties.center;
        put(b, joint, allowed(joint, dice));
        b.add(joint);
    }
    return b;
}
/// A body that floats, with a tree of balls and hinges on it.
Builder floating_tree(std::uint64_t seed)
{
    Dice dice(seed);
    Builder b;
    b.add(some_body("hull", dice));
    for (int i = 0; i < 5; ++i) {
        Joint joint;
        joint.name = text_of("joint ", i);
        joint.kind = i % 2 == 0 ? JointKind::ball : JointKind::revolute;
        joint.a = i / 2;
        joint.b = b.add(some_body(text_of("body ", i), dice));
        joint.frame_a = some_pose(dice);
        joint.frame_b = some_pose(dice);
        put(b, joint, allowed(joint, dice));
        b.add(joint);
    }
    return b;
}

/// What steps of a linkage need.
struct Stepped {
    explicit Stepped(std::shared_ptr<const Model> given)
        : model(std::move(given)), world(*model, input), joints(world)
    {
        const Coordinates start = start_coordinates(joints.linkage, *model);
        y = {start.q, start.v, {}};
    }
    void step(double h)
    {
        Postings none(Postings::Detail::off);
        const StepReport report = gauss8(joints, y, 0, h, none);
        REQUIRE_FALSE(report.failure);
        evaluations += report.evaluations;
    }

    std::shared_ptr<const Model> model;
    Input input;
    System world;
    JointSystem joints;
    JointMotion y;
    int evaluations = 0;
};

} // namespace

TEST_CASE("Momenta of the stages belong to their velocities: π · v is twice the kinetic energy")
{
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u})
        for (const Builder& b :
             {some_tree(6, seed), ball_chain(4, 1e-4, seed), floating_tree(seed)}) {
            Stepped tree(built(b));
            const Linkage& linkage = tree.joints.linkage;
            StageSweep stages(linkage, tree.joints.inertias);
            std::vector<double> own(tree.joints.freedoms());
            stages.momenta_of(tree.y.q, tree.y.v, own);
            double twice = 0;
            for (std::size_t i = 0; i < own.size(); ++i)
                twice += own[i] * stages.v[i][0];
            tree.joints.place_bodies(tree.y.q, tree.y.v);
            CHECK(near(twice, 2 * kinetic_energy(tree.world.placed.bodies), 1e-13));
            // and the way from velocities to the stages' own leads back
            std::vector<double> q(tree.y.q.size()), v(own.size());
            stages.place(zero3<double>());
            stages.read(2, q, v);
            for (std::size_t i = 0; i < v.size(); ++i)
                CHECK(near(v[i], tree.y.v[i], 1e-13, 5));
            for (std::size_t i = 0; i < q.size(); ++i)
                CHECK(near(std::abs(q[i]), std::abs(tree.y.q[i]), 1e-14, 2));
        }
}

TEST_CASE("Where a step ends, its velocities are those of its momenta")
{
    for (const std::uint64_t seed : {11u, 12u, 13u})
        for (const Builder& b :
             {some_tree(6, seed), ball_chain(4, 1e-4, seed), floating_tree(seed)}) {
            Stepped tree(built(b));
            for (int i = 0; i < 5; ++i)
                tree.step(1e-3);
            StageSweep stages(tree.joints.linkage, tree.joints.inertias);
            std::vector<double> own(tree.joints.freedoms());
            stages.momenta_of(tree.y.q, tree.y.v, own);
            double size = 0;
            for (const double p : own)
                size = std::max(size, std::abs(p));
            for (std::size_t i = 0; i < own.size(); ++i)
                CHECK(near(own[i], tree.y.stages[i], 1e-14, size));
        }
}

TEST_CASE("Gauss: the error falls with the eighth power of the step, with balls and when floating")
{
    // The first term of the error rules between two limits. Twice these steps are too long for it
    // (the error then falls with the powers 10.1 and 9.4), and with half of them it comes near what
    // rounding leaves, 3e-13. The largest error of eight moments is taken, since at one moment the
    // term may pass through zero.
    constexpr int n = 16;
    struct Case {
        Builder builder;
        double until;
    };
    for (const Case& c : {Case{ball_chain(2, 1e-2, 5), 0.4}, Case{floating_tree(8), 3.2}}) {
        const auto model = built(c.builder);
        const auto at_moments = [&](int steps) {
            auto sim = Simulation::start(model, gauss_run(c.until / steps, c.until));
            REQUIRE(sim);
            std::vector<Placed> seen;
            for (int i = 1; i <= steps; ++i) {
                REQUIRE_FALSE(sim->step());
                if (i % (steps / 8) == 0)
                    seen.push_back(sim->placed());
            }
            return seen;
        };
        const std::vector<Placed> truth = at_moments(16 * n);
        const auto error = [&](int steps) {
            const std::vector<Placed> seen = at_moments(steps);
            double worst = 0;
            for (std::size_t i = 0; i < seen.size(); ++i)
                worst = std::max(worst, difference(seen[i], truth[i]));
            return worst;
        };
        const double coarse = error(n), fine = error(2 * n);
        CAPTURE(coarse);
        CAPTURE(fine);
        CHECK(std::log2(coarse / fine) > 7.5);
        CHECK(std::log2(coarse / fine) < 8.5);
    }
}

TEST_CASE("However thin the links of a chain of balls, a few sweeps find the stages")
{
    // In coordinates against the parent the same sweeps run away below 1e-4 kg m². Three to five
    // are enough here. For the thinnest it is rounding that costs more: ε L of momentum is a speed
    // of twist ε L/axial, and the axes in which v is seen then turn by h ε L/axial, so that
    // residuals stay at 5e-13 however often one sweeps. Only when some have not fallen is that
    // known to be rounding, and not a sweep that creeps.
    struct Case {
        double axial;
        int sweeps; // at most, on average
    };
    for (const Case& c : {Case{1e-3, 4}, {1e-4, 5}, {1e-6, 5}, {1e-8, 6}, {1e-9, 12}}) {
        CAPTURE(c.axial);
        Stepped chain(built(ball_chain(10, c.axial, 21)));
        for (int i = 0; i < 200; ++i)
            chain.step(1e-3);
        CHECK(chain.evaluations < 200 * 4 * c.sweeps);
    }
}

TEST_CASE("A step of Gauss keeps areas in phase space: it is symplectic")
{
    // of two pendulums on each other: the sum of dq ∧ dp over both pairs, by central differences
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    for (int i = 0; i < 2; ++i) {
        b.add(body_with(i == 0 ? "upper" : "lower", 1, diagonal(0.1, 0.01, 0.1), {}, {}));
        Joint hinge;
        hinge.name = i == 0 ? "shoulder" : "elbow";
        hinge.a = i - 1;
        hinge.b = i;
        if (i > 0)
            hinge.frame_a.x = {0, -0.5, 0};
        hinge.frame_b.x = {0, 0.5, 0};
        hinge.start = {1.0 + i};
        hinge.start_speed = {2.0 - i};
        b.add(hinge);
    }
    Stepped arm(built(b));
    const double h = 0.1; // far from where every method is nearly so
    arm.step(h);
    const JointMotion start = arm.y; // the momenta are the first of what the method remembers
    const auto image = [&](int direction, double by) {
        arm.y = start;
        (direction < 2 ? arm.y.q : arm.y.stages)[static_cast<std::size_t>(direction % 2)] += by;
        arm.step(h);
        return std::array{arm.y.q[0], arm.y.q[1], arm.y.stages[0], arm.y.stages[1]};
    };
    const double d = 1e-4; // third derivatives then add 1e-8
    std::array<std::array<double, 4>, 4> J{};
    for (int k = 0; k < 4; ++k) {
        const auto more = image(k, d), less = image(k, -d);
        for (std::size_t i = 0; i < 4; ++i)
            J[static_cast<std::size_t>(k)][i] = (more[i] - less[i]) / (2 * d);
    }
    for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t c = 0; c < 4; ++c) {
            const double area =
                J[a][0] * J[c][2] - J[a][2] * J[c][0] + J[a][1] * J[c][3] - J[a][3] * J[c][1];
            const double expected = a + 2 == c ? 1 : c + 2 == a ? -1 : 0;
            CHECK(near(area, expected, 1e-6, 1));
        }
    CHECK(std::abs(J[0][0] - 1) > 1e-3); // it does move
}

TEST_CASE("Gauss is the same forwards and backwards: what it did it undoes")
{
    for (const Builder& b : {some_tree(5, 2), ball_chain(5, 1e-4, 3), floating_tree(4)}) {
        Stepped tree(built(b));
        const JointMotion start = tree.y;
        for (int i = 0; i < 20; ++i)
            tree.step(2e-3);
        for (double& v : tree.y.v)
            v = -v;
        tree.y.stages.clear();
        for (int i = 0; i < 20; ++i)
            tree.step(2e-3);
        for (std::size_t i = 0; i < start.v.size(); ++i)
            CHECK(near(tree.y.v[i], -start.v[i], 1e-11, 10));
    }
}

TEST_CASE("A floating tree keeps p to rounding and L to the order of Gauss")
{
    Builder b = floating_tree(17);
    const auto model = built(b);
    const auto momenta = [](const Simulation& sim) {
        V3 p = zero3<double>(), L = zero3<double>();
        for (const PlacedBody& body : sim.placed().bodies) {
            p += body.p;
            L += body.L + cross(body.x, body.p);
        }
        return Momentum<double>{p, L};
    };
    auto sim = Simulation::start(model, gauss_run(2e-3, 2));
    REQUIRE(sim);
    const Momentum<double> start = momenta(*sim);
    while (!sim->done())
        REQUIRE_FALSE(sim->step());
    const Momentum<double> end = momenta(*sim);
    CHECK(near(norm(end.p - start.p), 0, 1e-13, norm(start.p)));
    CHECK(near(norm(end.L - start.L), 0, 1e-10, norm(start.L)));
}

TEST_CASE("Springs, dampers, motors and friction act on Gauss as on Runge-Kutta")
{
    Builder b = some_tree(4, 17);
    Dice dice(5);
    for (Joint& joint : b.joints) {
        joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
        for (CoordinateLaw& law : joint.laws) {
            law.stiffness = dice.uniform(1, 5);
            law.damping = dice.uniform(0, 0.5);
            law.friction = 0.2;
            law.slip_speed = 0.5;
            law.armature = 0.3;
            law.motor = Motor{Motor::Kind::position, {0.3, 0, 0.2, 1.5, 0.1}, 2.0, 0.3, 0.8};
        }
    }
    b.add(body_with("free", 1, dice.inertia(), {0.1, 0, 0}, {1, 2, 3}));
    b.springs.push_back({"tie", {world, {1, 0, 1}}, {4, {0.3, 0.1, 0}}, 20, 0, 1});
    const auto model = built(b);
    RunSettings other = gauss_run(2.5e-4, 0.2);
    other.step.method = Method::runge_kutta4;
    RunSettings whole = gauss_run(1e-3, 0.2);
    whole.ledger.detail = Postings::Detail::bodies;
    const Simulation one = ran(model, whole), two = ran(model, other);
    CHECK(difference(one.placed(), two.placed()) < 1e-8);
    // The books of the kinetic energy close: each cause has posted its work.
    const Books& books = one.ledger().books();
    CHECK(std::abs(books.total.residual.T) < 1e-9 * books.scale_E);
}

TEST_CASE("A step too long to follow is taken in halves, and a resumed run takes the same")
{
    const auto model = built(ball_chain(10, 1e-4, 21));
    const double h = 0.03;
    auto whole = Simulation::start(model, gauss_run(h, 100 * h)),
         resumed = Simulation::start(model, gauss_run(h, 100 * h));
    REQUIRE(whole);
    REQUIRE(resumed);
    std::int64_t most = 0;
    for (int i = 0; i < 100; ++i) {
        const std::int64_t before = whole->evaluations();
        REQUIRE_FALSE(whole->step());
        most = std::max(most, whole->evaluations() - before);
        if (i == 49)
            resumed->resume(whole->checkpoint());
        if (i > 49)
            REQUIRE_FALSE(resumed->step());
    }
    CHECK(most > 4 * 40); // more than one solve can take
    CHECK(hash_of(whole->state()) == hash_of(resumed->state()));
}

TEST_CASE("Loads that no step can follow end it with the reason, and the state as it was")
{
    const auto model = built(ball_chain(2, 1e-3, 1));
    Input input;
    Dice dice(1);
    input.user_force = [&](const Placed&, double, Loads& loads) { // another one each time
        loads.add(0, Cause::applied, {dice.vector(1e3), dice.vector(1e3)});
    };
    auto sim = Simulation::start(model, gauss_run(1e-2, 1), input);
    REQUIRE(sim);
    const std::uint64_t before = hash_of(sim->state());
    const auto ended = sim->step();
    REQUIRE(ended);
    CHECK(ended->find("stages of the implicit step did not converge") != std::string::npos);
    CHECK(hash_of(sim->state()) == before);
}
