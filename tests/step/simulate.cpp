// SPDX-License-Identifier: MIT
// Runs: what ends them, what they cost in memory, and that they can be taken up again.

#include "poinsot/integrate/stiff.hpp"

#include "allocations.hpp"
#include "joined.hpp"
#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/step/ensemble.hpp"

using namespace poinsot;

namespace {

/// None of ten steps allocates, after three that may set things up.
void check_warm_steps(const std::shared_ptr<const Model>& model, const RunSettings& run)
{
    INFO(facts_of(run.step.method).name, " ", name_of(run.step.formulation), " ",
         name_of(run.step.form));
    auto sim = Simulation::start(model, run);
    if (!sim)
        FAIL(sim.problems().text());
    for (int i = 0; i < 3; ++i)
        REQUIRE_FALSE(sim->step());
    for (int i = 3; i < 13; ++i) {
        const long before = allocations;
        const bool ended = sim->step().has_value();
        const long made = allocations - before;
        INFO("step ", i);
        CHECK(made == 0);
        CHECK_FALSE(ended);
    }
}
/// The same in joint coordinates, with these methods.
void check_warm_joints(const std::shared_ptr<const Model>& model,
                       std::initializer_list<Method> methods)
{
    for (const Method method : methods) {
        RunSettings run = run_with(method, 1e-3, 1);
        run.step.formulation = Formulation::reduced;
        check_warm_steps(model, run);
    }
}

} // namespace

TEST_CASE("A warm step allocates nothing, with the books kept")
{
    Builder b = tied_bodies();
    b.drags.push_back({"air", 1, 0.2, 0.1});
    const auto model = built(b);
    for (const Method method :
         {Method::explicit_euler, Method::symplectic_euler, Method::second_order, Method::midpoint,
          Method::runge_kutta4, Method::splitting})
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
            check_warm_steps(model, run_with(method, 0.01, 1, form));
    check_warm_joints(model, {Method::explicit_euler, Method::symplectic_euler, Method::midpoint,
                              Method::runge_kutta4, Method::gauss});
}

TEST_CASE("A warm step allocates nothing with joints, loops and gears either")
{
    Builder b = some_tree(10, 3);
    for (Body& body : b.bodies)
        body.velocity = body.angular_velocity = zero3<double>();
    Joint loop;
    loop.name = "loop";
    loop.kind = JointKind::distance;
    loop.a = 2;
    loop.b = 7;
    loop.length = norm(b.bodies[7].pose.x - b.bodies[2].pose.x);
    b.add(loop);
    const auto turns = [&](std::size_t from) {
        while (facts_of(b.joints[from].kind).coordinates == 0)
            ++from;
        return static_cast<int>(from);
    };
    const int one = turns(0), two = turns(static_cast<std::size_t>(one) + 1);
    b.gears.push_back({"gear", one, 0, two, 0, 2});
    const auto model = built(b);
    for (const Method method : {Method::explicit_euler, Method::symplectic_euler,
                                Method::second_order, Method::midpoint, Method::runge_kutta4})
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
            for (const Stabilisation by : {Stabilisation::projection, Stabilisation::baumgarte}) {
                RunSettings run = run_with(method, 1e-3, 1, form);
                run.step.stabilisation = by;
                check_warm_steps(model, run);
            }
    check_warm_joints(model,
                      {Method::explicit_euler, Method::symplectic_euler, Method::runge_kutta4});
    check_warm_joints(built(some_tree(10, 3)), {Method::midpoint, Method::gauss});
}

TEST_CASE("A warm step allocates nothing where joints repeat what others say")
{
    const auto model = built(parallelogram());
    for (const Method method : {Method::explicit_euler, Method::symplectic_euler, Method::midpoint,
                                Method::runge_kutta4, Method::splitting})
        check_warm_steps(model, run_with(method, 1e-3, 1));
    check_warm_joints(model,
                      {Method::explicit_euler, Method::symplectic_euler, Method::runge_kutta4});
}

TEST_CASE("A warm step allocates nothing with limits, as long as nothing touches them")
{
    Builder b = some_tree(6, 3);
    const auto starts = built(b)->joint_starts();
    for (std::size_t j = 0; j < b.joints.size(); ++j)
        for (const double q : starts[j].q) {
            CoordinateLaw& law = b.joints[j].laws.emplace_back();
            law.lower = q - 10;
            law.upper = q + 10;
        }
    const auto model = built(b);
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
        for (const Method method :
             {Method::explicit_euler, Method::symplectic_euler, Method::runge_kutta4}) {
            RunSettings run = run_with(method, 1e-3, 1);
            run.step.formulation = formulation;
            check_warm_steps(model, run);
        }
}

TEST_CASE("A warm ensemble allocates nothing")
{
    const auto model = built(some_tree(10, 3));
    const Linkage linkage = linkage_of(*model);
    const Coordinates at = start_coordinates(linkage, *model);
    std::vector<double> q, v;
    for (int i = 0; i < 70; ++i) { // more than a piece of work
        q.insert(q.end(), at.q.begin(), at.q.end());
        v.insert(v.end(), at.v.begin(), at.v.end());
    }
    std::vector<double> tau(v.size(), 0.1), out(v.size());
    Ensemble ensemble(*model);
    const auto all = [&] {
        ensemble.forward_dynamics(q, v, tau, out);
        ensemble.inverse_dynamics(q, v, out, tau);
        ensemble.advance({1e-3}, 2, q, v, tau);
        ensemble.advance({1e-3, Ensemble::Method::symplectic_euler}, 2, q, v, tau);
    };
    all();
    const long before = allocations;
    all();
    CHECK(allocations - before == 0);
}

TEST_CASE("Time is the number of steps times their length, and the run ends where it should")
{
    const Simulation sim = ran(tumbler(), run_with(Method::splitting, 0.1, 10));
    CHECK(sim.state().step == 100);
    CHECK(sim.time() == 100 * 0.1);
}

TEST_CASE("A load that is not a number ends the run at the last good state and names body, cause "
          "and step")
{
    Builder b;
    b.add_particle("fine", 1, {5, 0, 0}, zero3<double>());
    b.add_particle("sick", 1, zero3<double>(), {1, 0, 0});
    for (const Method method :
         {Method::splitting, Method::runge_kutta4, Method::midpoint, Method::adaptive,
          Method::explicit_euler, Method::symplectic_euler}) {
        Input input;
        input.user_force = [](const Placed& placed, double t, Loads& loads) {
            const double F = t > 0.455 ? std::sqrt(-1 - placed.bodies[1].x.x) : 0.0;
            loads.add_force(1, Cause::applied, zero3<double>(), {F, 0, 0});
        };
        auto sim = Simulation::start(built(b), run_with(method, 0.1, 1), input);
        REQUIRE(sim);
        std::optional<std::string> ended;
        while (!sim->done() && !(ended = sim->step())) {
        }
        REQUIRE(ended);
        INFO(*ended);
        CHECK(ended->find("sick") != std::string::npos);
        CHECK(ended->find("applied") != std::string::npos);
        CHECK(ended->find("step ") != std::string::npos);
        const V3 x = sim->placed().bodies[1].x;
        CHECK(near(x.x, sim->time(), 1e-14)); // the last good state, at its own time
        CHECK(sim->time() > 0.35);
    }
}

TEST_CASE("An overflow ends the run and names the largest load as its cause")
{
    Builder b;
    b.add_particle("rocket", 1e-200, zero3<double>(), zero3<double>());
    b.loads.push_back({"thrust", 0, {1e200, 0, 0}});
    auto sim = Simulation::start(built(b), run_with(Method::splitting, 0.1, 1));
    REQUIRE(sim);
    const auto ended = sim->step();
    REQUIRE(ended);
    CHECK(ended->find("rocket") != std::string::npos);
    CHECK(ended->find("applied") != std::string::npos);
}

TEST_CASE("Joints do not hide what is beyond the largest numbers: body, cause and step are named")
{
    const auto ends = [](const Builder& b, Formulation f, double until) {
        RunSettings run = run_with(Method::runge_kutta4, 0.01, until);
        run.step.formulation = f;
        auto sim = Simulation::start(built(b), run);
        REQUIRE(sim);
        std::optional<std::string> ended;
        while (!sim->done() && !(ended = sim->step())) {
        }
        return ended.value_or("nothing");
    };
    const auto says = [](const std::string& text, const char* words) {
        CHECK_MESSAGE(text.find(words) != std::string::npos, text, " should say: ", words);
    };
    Builder pair;
    pair.gravity.uniform = {0, 0, -9.81};
    for (const double x : {0.0, 1.0}) {
        Body body = body_with(x == 0 ? "a" : "b", 5, diagonal(0.8, 0.8, 0.8), zero3<double>(),
                              zero3<double>());
        body.pose.x = {x, 0, 0};
        pair.add(body);
    }
    pair.add(hinge("pin", 0, {0.5, 0, 0}, 1, {-0.5, 0, 0}));
    for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
        INFO(name_of(f));
        Builder pushed = pair;
        pushed.loads.push_back({"push", 0, {1e308, 1e308, 0}});
        const std::string by_load = ends(pushed, f, 1);
        says(by_load, "step 1: the motion of body 'a' is not a number; cause: applied");
        Builder spun = pair;
        Rotor rotor;
        rotor.name = "wheel";
        rotor.body = 0;
        rotor.inertia = 0.1;
        rotor.speed = Course{1e300};
        spun.rotors.push_back(rotor);
        spun.loads.push_back({"turn", 0, zero3<double>(), {0, 0.1, 0}});
        const std::string by_rotor = ends(spun, f, 1);
        says(by_rotor, "the motion of body 'a' is not a number; cause: rotor");
        Builder driven = pair; // air that drives what it meets
        driven.air.kind = Air::Kind::uniform;
        driven.air.density = 1.2;
        driven.bodies[0].velocity = driven.bodies[1].velocity = {50, 0, 0};
        Aerodynamics wind;
        wind.name = "wind";
        wind.area = 1;
        wind.drag.constant = -1e3;
        driven.aerodynamics.push_back(wind);
        says(ends(driven, f, 10), "is not a number; cause: drag");
    }
}

TEST_CASE("A bushing that is turned past half a turn is told with the first time")
{
    Builder b;
    for (const char* name : {"a", "b"})
        b.add(body_with(name, 5, diagonal(0.8, 0.8, 0.8), zero3<double>(), zero3<double>()));
    b.bodies[0].mass_properties = {5000, zero3<double>(), diagonal(800., 800., 800.)};
    b.bodies[1].angular_velocity = {0, 0, 8};
    Bushing shaft;
    shaft.name = "shaft";
    shaft.a = 0;
    shaft.b = 1;
    shaft.stiffness = six_of(std::array<double, 6>{1e4, 1e4, 1e4, 1e3, 1e3, 5});
    b.bushings.push_back(shaft);
    // θ = (8/w) sin w t with w² = 5/0.8 ∥ 800, to 3.2 rad
    const double w = std::sqrt(5 / 0.8 + 5 / 800.), at = std::asin(M_PI * w / 8) / w;
    for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
        const Simulation sim = ran(built(b), run_with(Method::runge_kutta4, 1e-3, at + 0.05, form));
        REQUIRE(sim.snapped().size() == 1);
        CHECK(std::abs(sim.snapped()[0] - at) < 1.01e-3);
        CHECK(
            ran(built(b), run_with(Method::runge_kutta4, 1e-3, at - 0.05, form)).snapped().empty());
    }
    b.bushings[0].stiffness = six_of(std::array<double, 6>{1e4, 1e4, 1e4, 0, 0, 0}); // a ball joint
    CHECK(ran(built(b), run_with(Method::runge_kutta4, 1e-3, 2)).snapped().empty());
}

TEST_CASE("Methods on the momenta of a tree say what they refuse: a loop, or a joint that lets go")
{
    Builder b;
    for (const char* name : {"a", "b"})
        b.add(body_with(name, 5, diagonal(0.8, 0.8, 0.8), zero3<double>(), zero3<double>()));
    b.add(hinge("clamp", 0, zero3<double>(), 1, zero3<double>()));
    b.releases.push_back({"drop", 0, 1});
    for (const Method method : {Method::gauss, Method::midpoint}) {
        RunSettings run = run_with(method, 1e-3, 1);
        run.step.formulation = Formulation::reduced;
        const auto refused = Simulation::start(built(b), run);
        REQUIRE_FALSE(refused);
        const std::string text = refused.problems().text();
        CHECK_MESSAGE(text.find("joint 'clamp' may let go: use runge_kutta4 or adaptive") !=
                          std::string::npos,
                      text);
        CHECK(text.find("loops") == std::string::npos);
    }
    RunSettings run = run_with(Method::midpoint, 1e-3, 0.01);
    CHECK(Simulation::start(built(b), run));
}

TEST_CASE("A midpoint step whose equations have no solution says so")
{
    // F = −1 where the middle of the step is at x > 0, else +1: x = h² F/4 is on the wrong side.
    Builder b;
    b.add_particle("p", 1, zero3<double>(), zero3<double>());
    Input input;
    input.user_force = [](const Placed& placed, double, Loads& loads) {
        const double F = placed.bodies[0].x.x > 0 ? -1.0 : 1.0;
        loads.add_force(0, Cause::applied, zero3<double>(), {F, 0, 0});
    };
    auto sim = Simulation::start(built(b), run_with(Method::midpoint, 0.1, 1), input);
    REQUIRE(sim);
    const auto ended = sim->step();
    REQUIRE(ended);
    CHECK(ended->find("smaller step") != std::string::npos);
    CHECK(sim->state().step == 0);
}

TEST_CASE("A step that is interrupted leaves no trace")
{
    for (const Method method : {Method::adaptive, Method::adams, Method::bdf}) {
        INFO(facts_of(method).name);
        if (method != Method::adaptive && !stiff_available())
            continue;
        const RunSettings run = run_with(method, 0.1, 0.5);
        const auto model = built(tied_bodies());
        std::atomic<bool> stop = false;
        int calls = 0;
        Input input;
        input.user_force = [&](const Placed&, double t, Loads&) {
            if (t > 0.2 && ++calls == 5)
                stop = true; // in the midst of the third step
        };
        auto sim = Simulation::start(model, run, input);
        REQUIRE(sim);
        sim->interrupt_by(&stop);
        std::optional<std::string> ended;
        while (!ended && !sim->done())
            ended = sim->step();
        REQUIRE(ended);
        CHECK(*ended == "step 3: interrupted");
        CHECK(sim->interrupted());
        CHECK(sim->state().step == 2);
        stop = false;
        while (!sim->done())
            REQUIRE_FALSE(sim->step());
        CHECK_FALSE(sim->interrupted());
        sim->close_books();
        const Simulation whole = ran(model, run);
        CHECK(hash_of(sim->state()) == hash_of(whole.state()));
        CHECK(sim->ledger().books().total.residual.T == whole.ledger().books().total.residual.T);
    }
}

TEST_CASE("Settings that do not fit the model are all named at once")
{
    Builder b;
    Body held = body_with("held", 1, diagonal(1.0, 1.0, 1.0), zero3<double>(), zero3<double>());
    held.held = Held{};
    b.add(held);
    RunSettings run = run_with(Method::splitting, -1, -5);
    run.ledger_every = 0;
    const auto sim = Simulation::start(built(b), run);
    REQUIRE_FALSE(sim);
    CHECK(sim.problems().list().size() == 4);
    const auto body_frame = Simulation::start(tumbler(), run_with(Method::body_frame, 0.1, 1));
    REQUIRE_FALSE(body_frame);
    CHECK(body_frame.problems().text().find("velocity") != std::string::npos);
    CHECK_FALSE(Simulation::start(tumbler(), run_with(Method::splitting, 1e-13, 10)));
    CHECK_FALSE(Simulation::start(tumbler(), run_with(Method::splitting, 11, 10)));
}

TEST_CASE(
    "A run that is taken up from a checkpoint has the bits of the unbroken one, books included")
{
    Dice dice(42);
    for (const Method method : {Method::splitting, Method::runge_kutta4, Method::midpoint,
                                Method::adaptive, Method::symplectic_euler, Method::bdf})
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
            INFO(facts_of(method).name, " ", name_of(form));
            RunSettings run = run_with(method, 0.02, 1, form);
            run.ledger_every = 3;
            const auto model = built(tied_bodies());
            const Simulation whole = ran(model, run);
            const int instant = static_cast<int>(dice.uniform(1, 49));
            auto first = Simulation::start(model, run);
            for (int i = 0; i < instant; ++i)
                REQUIRE_FALSE(first->step());
            const Checkpoint saved = first->checkpoint();
            auto second = Simulation::start(model, run);
            second->resume(saved);
            while (!second->done())
                REQUIRE_FALSE(second->step());
            second->close_books();
            CHECK(hash_of(second->state()) == hash_of(whole.state()));
            const Books &a = whole.ledger().books(), &b = second->ledger().books();
            CHECK(a.total.residual.L == b.total.residual.L);
            CHECK(a.total.residual.T == b.total.residual.T);
            CHECK(a.worst_E == b.worst_E);
            CHECK(a.total.posted[0].work == b.total.posted[0].work);
        }
}

TEST_CASE("The three forms of the state agree to the order of the integrator")
{
    const auto model = built(tied_bodies());
    const auto apart = [&](Method method, FormKind form, double h) {
        return difference(ran(model, run_with(method, h, 0.5)).placed(),
                          ran(model, run_with(method, h, 0.5, form)).placed());
    };
    for (const FormKind form : {FormKind::velocity, FormKind::matrix}) {
        CHECK(apart(Method::explicit_euler, form, 1e-3) < 0.05);
        CHECK(apart(Method::symplectic_euler, form, 1e-3) < 0.05);
        CHECK(apart(Method::runge_kutta4, form, 1e-2) < 1e-5);
        CHECK(apart(Method::midpoint, form, 1e-2) < 1e-12); // the same map, other variables
        CHECK(apart(Method::splitting, form, 1e-2) < 1e-12);
    }
}
