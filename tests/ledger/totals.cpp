// SPDX-License-Identifier: MIT
// Two roads to the same totals: posted as sums where nobody asks body by body, or body by body.

#include "joined.hpp"
#include "poinsot/io/scene.hpp"
#include "worlds.hpp"

#include <filesystem>

using namespace poinsot;

namespace {

/// The books of the first steps of a run. A motion that ends early ends alike in all details.
Books books_after(const std::shared_ptr<const Model>& model, RunSettings run,
                  Postings::Detail detail, int steps, int every = 1)
{
    run.ledger.detail = detail;
    run.ledger_every = every;
    run.ledger.about = {}; // about a moving point windows are split coarser
    run.until = 1e3;
    auto sim = Simulation::start(model, run);
    if (!sim)
        FAIL(sim.problems().text());
    for (int i = 0; i < steps; ++i)
        if (sim->step())
            break;
    sim->close_books();
    return sim->ledger().books();
}

/// How far the totals of one run are from the sums over the bodies of another, relative to the
/// largest posting of a body in one booking or the largest balance.
double apart(const Books& totals, const Books& bodies)
{
    double worst = 0;
    const auto differ = [&](double off, double scale) {
        worst = std::max(worst, off > 0 ? off / scale : off == 0 ? 0 : INFINITY);
    };
    for (std::size_t c = 0; c < cause_count; ++c) {
        Posting sum;
        for (const Account& body : bodies.bodies)
            sum += body.posted[c];
        const Posting& one = totals.total.posted[c];
        differ(norm(one.J - sum.J), bodies.scale_p);
        differ(norm(one.S - sum.S), std::max(bodies.scale_spin, bodies.scale_L));
        differ(norm(one.K - sum.K), bodies.scale_L);
        differ(std::abs(one.work - sum.work), bodies.scale_E);
        differ(std::abs(one.mass - sum.mass), bodies.total.opening.mass);
    }
    const Residual &r = totals.total.residual, &s = bodies.total.residual;
    differ(norm(r.p - s.p), bodies.scale_p);
    differ(norm(r.L - s.L), bodies.scale_L);
    differ(norm(r.spin - s.spin), std::max(bodies.scale_spin, bodies.scale_L));
    differ(std::abs(r.E() - s.E()), bodies.scale_E);
    return worst;
}

bool posts(const Books& books, Cause cause)
{
    const Posting& posting = books.total.posted[index_of(cause)];
    return norm(posting.J) + norm(posting.S) + norm(posting.K) + std::abs(posting.work) > 0;
}

RunSettings reduced(Method method, double h)
{
    RunSettings run;
    run.step.method = method;
    run.step.h = h;
    run.step.formulation = Formulation::reduced;
    return run;
}

constexpr int steps = 30;
constexpr double rounding = 1e-13 * steps; // of the largest term, in each step

} // namespace

TEST_CASE("Totals alone are the sums over all bodies: every scene, in both formulations" *
          doctest::test_suite("slow"))
{
    std::array<bool, cause_count> seen{};
    int ran = 0;
    for (const auto& entry : std::filesystem::directory_iterator(tests_folder() / "../scenes")) {
        if (entry.path().extension() != ".yaml")
            continue;
        const auto scene = read_scene(entry.path());
        REQUIRE(scene);
        for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
            RunSettings run = scene->run;
            run.step.formulation = formulation;
            if (unfit(*scene->model, run.step).any())
                continue;
            INFO(entry.path().filename().string(), " ", std::string(name_of(formulation)));
            const Books each = books_after(scene->model, run, Postings::Detail::bodies, steps);
            const Books all = books_after(scene->model, run, Postings::Detail::totals, steps);
            CHECK(apart(all, each) < rounding);
            const Books windows =
                books_after(scene->model, run, Postings::Detail::totals, steps, 7);
            CHECK(apart(windows, each) < rounding);
            for (std::size_t c = 0; c < cause_count; ++c)
                seen[c] = seen[c] || posts(all, static_cast<Cause>(c));
            ++ran;
        }
    }
    CHECK(ran > 100);
    for (const Cause cause :
         {Cause::gravity, Cause::applied, Cause::spring, Cause::damper, Cause::drag, Cause::thrust,
          Cause::rotor, Cause::joint, Cause::motor, Cause::contact_normal, Cause::contact_friction,
          Cause::stabilisation}) {
        INFO(name_of(cause));
        CHECK(seen[index_of(cause)]);
    }
}

TEST_CASE("Totals of any tree in joint coordinates are the sums over its bodies, whatever acts")
{
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
        CAPTURE(seed);
        Builder falls = some_tree(6, seed);
        falls.gravity.uniform = {0.3, -0.2, -9.81};
        Builder driven = falls;
        Dice dice(seed);
        for (Joint& joint : driven.joints) {
            joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
            for (CoordinateLaw& law : joint.laws) {
                law.stiffness = dice.uniform(1, 5);
                law.damping = dice.uniform(0, 0.5);
                law.armature = dice.uniform(0, 0.3);
                law.motor = Motor{Motor::Kind::position, {0.3, 0, 0.2, 1.5, 0.1}, 2.0, 0.3, 0.8};
            }
        }
        Builder armed = falls; // nothing acts but gravity, and drives are heavy
        for (Joint& joint : armed.joints) {
            joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
            for (CoordinateLaw& law : joint.laws)
                law.armature = dice.uniform(0, 0.3);
        }
        Builder idle = falls; // has laws that do nothing
        for (Joint& joint : idle.joints)
            joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
        for (const Builder& b : {falls, driven, armed, idle}) {
            const auto model = built(b);
            for (const Method method :
                 {Method::explicit_euler, Method::symplectic_euler, Method::runge_kutta4,
                  Method::adaptive, Method::midpoint, Method::gauss, Method::impulsive}) {
                INFO(facts_of(method).name);
                const RunSettings run = reduced(method, 1e-3);
                CHECK(apart(books_after(model, run, Postings::Detail::totals, steps),
                            books_after(model, run, Postings::Detail::bodies, steps)) < rounding);
            }
        }
    }
}

TEST_CASE("Forces along joints and bodies that are welded to the world are in the totals too")
{
    Builder b = some_tree(5, 3);
    b.gravity.uniform = {0, 0, -9.81};
    Dice dice(9);
    b.add(some_body("base", dice));
    Joint weld;
    weld.name = "foot";
    weld.kind = JointKind::weld;
    weld.a = world;
    weld.b = static_cast<int>(b.bodies.size()) - 1;
    weld.frame_a = b.bodies.back().pose;
    b.bodies.back().velocity = b.bodies.back().angular_velocity = zero3<double>();
    b.add(weld);
    const auto model = built(b);
    Input input;
    for (std::size_t j = 0; j < model->joints().size(); ++j)
        for (int k = 0; k < facts_of(model->joints()[j].kind).coordinates; ++k)
            input.joint_forces.push_back({static_cast<int>(j), k, dice.uniform(-1, 1)});
    for (const bool driven : {false, true}) {
        std::array<Books, 2> books;
        for (const bool each : {false, true}) {
            RunSettings run = reduced(Method::runge_kutta4, 1e-3);
            run.until = 1;
            run.ledger.detail = each ? Postings::Detail::bodies : Postings::Detail::totals;
            auto sim = Simulation::start(model, run, driven ? input : Input{});
            REQUIRE(sim);
            for (int i = 0; i < steps; ++i)
                REQUIRE_FALSE(sim->step());
            books[each] = sim->ledger().books();
        }
        CHECK(apart(books[0], books[1]) < rounding);
        CHECK(posts(books[0], Cause::motor) == driven);
        CHECK(posts(books[0], Cause::joint));
    }
}
