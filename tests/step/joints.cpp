// SPDX-License-Identifier: MIT
// Joints in maximal coordinates: chains against their reference, with every integrator; the books;
// what stabilisation does.

#include "joined.hpp"
#include "poinsot/constraints/stabilise.hpp"
#include "poinsot/integrate/stiff.hpp"
#include "poinsot/solve/bonds.hpp"

using namespace poinsot;

namespace {

/// A chain of rods in the x–y plane, hinged at the origin, angles from straight down.
Builder chain(const nlohmann::json& r)
{
    Builder builder;
    builder.gravity.uniform = {0, -r.at("g").get<double>(), 0};
    const double l = r.at("link_length"), I = r.at("I_cm");
    const auto& theta = r.at("theta0_from_down_rad");
    double before = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) {
        const double angle = theta[i].get<double>();
        // A rod lies along −y of its body.
        builder.add(body_with(text_of("link ", i).c_str(), r.at("link_mass"),
                              diagonal(I, 0.01 * I, I), zero3<double>(), zero3<double>()));
        Joint hinge;
        hinge.name = text_of("hinge ", i);
        hinge.a = static_cast<int>(i) - 1;
        hinge.b = static_cast<int>(i);
        if (i > 0)
            hinge.frame_a.x = {0, -l / 2, 0};
        hinge.frame_b.x = {0, l / 2, 0};
        hinge.start = {angle - before};
        before = angle;
        builder.add(hinge);
    }
    return builder;
}

/// The largest error of the directions of a chain, and of their rates.
double chain_error(const nlohmann::json& r, const Placed& placed, std::size_t sample)
{
    double worst = 0;
    for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
        const PlacedBody& body = placed.bodies[i];
        const V3 down = body.R * V3{0, -1, 0};
        const double theta = r.at("theta")[sample][i], omega = r.at("omega")[sample][i];
        worst = std::max({worst, norm(down - V3{std::sin(theta), -std::cos(theta), 0}),
                          std::abs(body.omega.z - omega)});
    }
    return worst;
}

/// The worst error of the rows of a state: of place against the size of terms, of speed in m/s.
std::pair<double, double> row_errors(const Simulation& sim)
{
    Rows rows;
    bind_joints(sim.model(), sim.placed(), sim.time(), rows);
    double speed = 0;
    for (const Row& row : rows.rows)
        speed = std::max(speed, std::abs(row.g_dot));
    return {place_error(rows), speed};
}

} // namespace

TEST_CASE("Chains in maximal coordinates follow their reference, and their books close")
{
    const auto items = reference_items("chains.json");
    // RK4's error falls with h⁴: at h = 1e-3 it is 2e-9 and 8e-8 of the references, which are good
    // to 1e-10; at 2e-3 sixteen times as much.
    const std::pair<const char*, double> chains[] = {{"double_pendulum", 4e-9}, {"chain5", 1.5e-7}};
    for (const auto& which : chains) {
        const auto& r = items.at(which.first);
        INFO(which.first);
        const auto model = built(chain(r));
        std::array<double, 2> error{0, 0};
        for (const int k : {0, 1}) {
            auto sim = Simulation::start(model, run_with(Method::runge_kutta4, (k + 1) * 1e-3, 2));
            REQUIRE(sim);
            for (std::size_t sample = 1; sample <= 20; ++sample) {
                while (sim->time() < r.at("t")[sample].get<double>() - 1e-9)
                    REQUIRE_FALSE(sim->step());
                error[static_cast<std::size_t>(k)] = std::max(
                    error[static_cast<std::size_t>(k)], chain_error(r, sim->placed(), sample));
            }
            const auto [place, speed] = row_errors(*sim);
            CHECK(place < place_rounding);
            CHECK(speed < 1e-14);
            sim->close_books();
            const Books& books = sim->ledger().books();
            CHECK(books.worst_p < 1e-13);
            CHECK(books.worst_spin < 1e-13);
            CHECK(books.worst_L < 1e-10); // RK4's error in x × p
            CHECK(std::abs(books.total.residual.E()) < 1e-7 * books.scale_E);
            for (const Account& account : books.bodies) {
                CHECK(norm(account.residual.p) < 1e-12 * books.scale_p);
                CHECK(norm(account.residual.spin) < 1e-12 * books.scale_spin);
            }
            CHECK(sim->ledger().balanced());
        }
        CHECK(error[0] < which.second);
        CHECK(error[1] / error[0] > 10);
    }
}

TEST_CASE("Every integrator keeps its order on a chain, in every form of the state")
{
    const auto r = reference_items("chains.json").at("double_pendulum");
    const auto model = built(chain(r));
    const auto error = [&](Method method, double h, FormKind form) {
        const Simulation sim = ran(model, run_with(method, h, 0.5, form));
        CHECK(sim.ledger().balanced());
        CHECK(row_errors(sim).first < place_rounding);
        CHECK(row_errors(sim).second < 1e-14);
        return chain_error(r, sim.placed(), 5);
    };
    const auto to_tolerance = [&](Method method, double tolerance, FormKind form) {
        RunSettings run = run_with(method, 0.1, 0.5, form);
        run.step.tolerance = {tolerance, tolerance, 1000000};
        return chain_error(r, ran(model, run).placed(), 5);
    };
    for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
        for (const auto& run : {std::pair(Method::explicit_euler, 2.5e-4),
                                {Method::symplectic_euler, 2.5e-4},
                                {Method::second_order, 2.5e-4},
                                {Method::body_frame, 2.5e-4},
                                {Method::midpoint, 2.5e-3},
                                {Method::runge_kutta4, 1e-2}}) {
            const Method method = run.first;
            const double h = run.second;
            if (method == Method::body_frame && form != FormKind::velocity)
                continue; // which it needs
            INFO(facts_of(method).name, " ", name_of(form));
            const double order = std::log2(error(method, h, form) / error(method, h / 2, form));
            // as far as a step of this size shows it
            CHECK(order > facts_of(method).order - 0.35);
            CHECK(order < facts_of(method).order + 0.7);
        }
        INFO(name_of(form));
        CHECK(error(Method::adaptive, 0.1, form) < 1e-9);
        if (stiff_available()) {
            for (const Method method : {Method::adams, Method::bdf}) {
                INFO(facts_of(method).name);
                CHECK(error(method, 0.1, form) < 1e-7);
                const double coarse = to_tolerance(method, 1e-6, form);
                const double fine = to_tolerance(method, 1e-9, form);
                CAPTURE(coarse);
                CAPTURE(fine);
                CHECK(fine < 3e-6);         // hundreds of steps make an error of the tolerance each
                CHECK(coarse / fine > 100); // of a thousand; errors of steps are only estimated
            }
        }
    }
}

TEST_CASE("Methods that promise L about O keep the promise with joints")
{
    const auto model = built(some_tree(12, 5));
    for (const Method method : {Method::symplectic_euler, Method::midpoint}) {
        INFO(facts_of(method).name);
        const Simulation sim = ran(model, run_with(method, 1e-3, 0.1));
        const Books& books = sim.ledger().books();
        CHECK(books.worst_p < 1e-13);
        CHECK(books.worst_spin < 1e-13);
        CHECK(books.worst_L < 1e-13);
    }
}

TEST_CASE("Third law: joints between bodies change neither p nor L of a free chain")
{
    Builder builder = some_tree(8, 3);
    for (Joint& joint : builder.joints)
        if (joint.a == world) // nothing holds it to the world
            joint.kind = JointKind::free;
    const auto model = built(builder);
    const Simulation sim = ran(model, run_with(Method::runge_kutta4, 1e-3, 0.2));
    const Posting& joints = sim.ledger().books().total.posted[index_of(Cause::joint)];
    double size_p = 0, size_L = 0;
    for (const Account& account : sim.ledger().books().bodies) {
        const Posting& one = account.posted[index_of(Cause::joint)];
        size_p += norm(one.J);
        size_L += norm(one.K) + norm(one.S);
    }
    CHECK(size_p > 0.1);
    CHECK(norm(joints.J) < 1e-14 * size_p);
    // stages stand a little off the joints, so that pairs act at one point only to rounding
    CHECK(norm(joints.K + joints.S) < 1e-13 * size_L);
    CHECK(std::abs(joints.work) < 1e-9 * sim.ledger().books().scale_E);
}

TEST_CASE("Without stabilisation joints drift; a pull keeps the drift small, projection removes it")
{
    const auto r = reference_items("chains.json").at("double_pendulum");
    const auto model = built(chain(r));
    const auto drift = [&](Stabilisation by, double& posted) {
        RunSettings run = run_with(Method::runge_kutta4, 1e-2, 3);
        run.step.stabilisation = by;
        const Simulation sim = ran(model, run);
        CHECK(sim.ledger().balanced());
        posted = norm(sim.ledger().books().total.posted[index_of(Cause::stabilisation)].J);
        return row_errors(sim).first;
    };
    double nothing = 0, pulled = 0, projected = 0;
    const double none = drift(Stabilisation::none, nothing);
    const double baumgarte = drift(Stabilisation::baumgarte, pulled);
    const double projection = drift(Stabilisation::projection, projected);
    CHECK(none > 1e-6);
    CHECK(baumgarte < 0.05 * none);
    CHECK(projection < place_rounding);
    CHECK(nothing == 0);
    CHECK(pulled > 0);
    CHECK(projected > 0);
}

TEST_CASE("Baumgarte's pull: an error dies away as the oscillator of its time and damping")
{
    Builder b;
    b.add(body_with("body", 2, diagonal(1.0, 2.0, 3.0), zero3<double>(), zero3<double>()));
    Joint ball;
    ball.name = "ball";
    ball.kind = JointKind::ball;
    ball.b = 0;
    b.add(ball);
    const auto model = built(b);
    const double T = 0.1, off = 0.01;
    for (const double zeta : {0.25, 1.0, 3.0}) {
        CAPTURE(zeta);
        RunSettings run = run_with(Method::runge_kutta4, 1e-3, 0.5);
        run.step.stabilisation = Stabilisation::baumgarte;
        run.step.baumgarte_time = T;
        run.step.baumgarte_damping = zeta;
        auto sim = Simulation::start(model, run);
        REQUIRE(sim);
        Checkpoint at = sim->checkpoint();
        std::get<std::vector<MomentumForm<double>>>(at.state.bodies)[0].x.x = off;
        sim->resume(std::move(at));
        double worst = 0, least = off;
        while (!sim->done()) {
            REQUIRE_FALSE(sim->step());
            const double s = sim->time() / T, w = std::sqrt(std::abs(1 - zeta * zeta));
            const double swing = zeta < 1   ? std::cos(w * s) + zeta / w * std::sin(w * s)
                                 : zeta > 1 ? std::cosh(w * s) + zeta / w * std::sinh(w * s)
                                            : 1 + s;
            const V3 x = sim->placed().bodies[0].x;
            worst = std::max(worst, norm(x - V3{off * std::exp(-zeta * s) * swing, 0, 0}));
            least = std::min(least, x.x);
        }
        CHECK(worst < 1e-7 * off); // of Runge-Kutta: (5.8 h/T)⁴/300 at the most
        CHECK((least < -0.1 * off) == (zeta < 1));
        CHECK(sim->ledger().books().total.posted[index_of(Cause::stabilisation)].work != 0);
    }
}

TEST_CASE("Projection puts a disturbed chain together again, with the least displacement")
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Bound at(built(some_tree(10, seed)));
        Dice dice(seed);
        for (PlacedBody& body : at.placed.bodies) {
            body.x += dice.vector(0.02);
            body.R = exp_matrix(dice.vector(0.02)) * body.R;
            set_motion(body, body.p + dice.vector(0.1), body.L + dice.vector(0.1));
        }
        std::vector<double> last;
        for (const JointStart& start : at.model->joint_starts())
            last.insert(last.end(), start.q.begin(), start.q.end());
        Bonds bonds;
        std::vector<Projection> made;
        const auto report = project_places(*at.model, last, 0, at.placed, bonds, made);
        CHECK(report.error < place_rounding);
        CHECK(report.iterations < 8);
        project_velocities(at.placed, bonds, made);
        V3 p = zero3<double>();
        double size = 0;
        for (std::size_t i = 0; i < at.placed.bodies.size(); ++i) {
            PlacedBody& body = at.placed.bodies[i];
            set_motion(body, body.p + made[i].impulse.F, body.L + made[i].impulse.tau);
            p += made[i].impulse.F;
            size += norm(made[i].impulse.F);
        }
        CHECK(size > 0.01);
        place_joints(*at.model, last, at.placed);
        bind_joints(*at.model, at.placed, 0, at.rows);
        for (const Row& row : at.rows.rows)
            CHECK(std::abs(row.g_dot) < 1e-14 * 20);
    }
}

TEST_CASE("A prescribed crank turns as told, and its motor posts the work")
{
    Builder builder;
    builder.gravity.uniform = {0, -9.81, 0};
    Body body = body_with("crank", 2, diagonal(0.1, 0.01, 0.1), zero3<double>(), zero3<double>());
    body.mass_properties.center = {0, -0.3, 0};
    builder.add(body);
    Joint axle;
    axle.name = "axle";
    axle.b = 0;
    axle.laws.resize(1);
    axle.laws[0].prescribed = Course{0, 1.0, 0.5, 0.8, 0};
    axle.start = {axle.laws[0].prescribed->at(0)};
    axle.start_speed = {axle.laws[0].prescribed->rate_at(0)};
    builder.add(axle);
    const Simulation sim = ran(built(builder), run_with(Method::runge_kutta4, 1e-3, 9));
    const Course& course = *axle.laws[0].prescribed;
    CHECK(near(sim.placed().joints[0].q[0], course.at(9), 1e-14)); // more than a turn
    CHECK(near(sim.placed().joints[0].speed[0], course.rate_at(9), 1e-13));
    // Work of the motor: gain of kinetic and of potential energy.
    const Books& books = sim.ledger().books();
    const double work = books.total.posted[index_of(Cause::motor)].work;
    const double gained = books.total.closing.T - books.total.opening.T +
                          books.closing_stores.total() - books.opening_stores.total();
    CHECK(std::abs(gained) > 0.1);
    CHECK(near(work, gained, 1e-8, books.scale_E));
    // the stages of a step stand off the joint by their error, h⁴
    CHECK(std::abs(books.total.posted[index_of(Cause::joint)].work) < 1e-11 * books.scale_E);
}

TEST_CASE("Prescribed motions that contradict each other end the run with the reason")
{
    Builder builder;
    for (const char* name : {"one", "two"}) {
        builder.add(body_with(name, 1, diagonal(0.1, 0.1, 0.1), zero3<double>(), zero3<double>()));
        Joint axle;
        axle.name = text_of("axle of ", name);
        axle.b = static_cast<int>(builder.bodies.size()) - 1;
        axle.laws.resize(1);
        axle.laws[0].prescribed = Course{0, builder.bodies.size() == 1 ? 1.0 : 2.0};
        axle.start = {0};
        axle.start_speed = {axle.laws[0].prescribed->rate_at(0)};
        builder.add(axle);
    }
    builder.gears.push_back({"pair", 0, 0, 1, 0, 0.5});
    CHECK_FALSE(Simulation::start(built(builder), run_with(Method::runge_kutta4, 1e-3, 1))->step());
    builder.gears[0].ratio = 3;
    const auto from_the_start = builder.build();
    REQUIRE_FALSE(from_the_start);
    CHECK(from_the_start.problems().text().find("do not start in its ratio 3") !=
          std::string::npos);
    // Speeds that agree at the start, and do not stay so.
    builder.gears[0].ratio = 0.5;
    builder.joints[0].laws[0].prescribed = Course{-1, 1, 1, 1, M_PI / 2};
    auto sim = Simulation::start(built(builder), run_with(Method::runge_kutta4, 1e-3, 1));
    REQUIRE(sim);
    const auto ended = sim->step();
    REQUIRE(ended);
    CHECK(ended->find("the joints cannot all be met") != std::string::npos);
    CHECK(sim->state().step == 0);
}

TEST_CASE("The time in which errors die away must not be negative, their damping must be positive")
{
    const auto model = built(joined_pair(JointKind::revolute, 1));
    RunSettings run = run_with(Method::runge_kutta4, 1e-3, 1);
    run.step.baumgarte_time = -1;
    const auto other = Simulation::start(model, run);
    REQUIRE_FALSE(other);
    CHECK(other.problems().text().find("baumgarte_time") != std::string::npos);
    run.step.baumgarte_time = 0;
    run.step.baumgarte_damping = 0;
    const auto undamped = Simulation::start(model, run);
    REQUIRE_FALSE(undamped);
    CHECK(undamped.problems().text().find("baumgarte_damping") != std::string::npos);
}

TEST_CASE("Stabilisation that lifts a body says so: its m g shift has a column of its own")
{
    Builder b = joined_pair(JointKind::ball, 8, true);
    b.gravity.uniform = {0, 0, -9.81};
    const auto model = built(b);
    for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
        INFO(name_of(formulation));
        const auto after_one_step = [&](Stabilisation by) {
            RunSettings run = run_with(Method::explicit_euler, 0.05, 0.05);
            run.step.stabilisation = by;
            run.step.formulation = formulation;
            return ran(model, run);
        };
        const Simulation adrift = after_one_step(Stabilisation::none);
        const Simulation put_back = after_one_step(Stabilisation::projection);
        const double lifted = put_back.placed().bodies[0].x.z - adrift.placed().bodies[0].x.z;
        const Books& books = put_back.ledger().books();
        CHECK(near(books.shifted.gravity, model->masses()[0].m * 9.81 * lifted, 1e-12, 1.0));
        CHECK(adrift.ledger().books().shifted.gravity == 0.0);
        if (formulation == Formulation::maximal) // a ball of the tree has nowhere to drift
            CHECK(std::abs(lifted) > 1e-4);
        else
            CHECK(lifted == 0.0);
        // What is left of the store's book is the integrator's, the same with and without.
        CHECK(near(books.total.residual.stores.gravity,
                   adrift.ledger().books().total.residual.stores.gravity, 1e-12, 1.0));
    }
}

TEST_CASE("A prescribed coordinate starts with its course, and a start that differs is named")
{
    Builder builder;
    builder.add(body_with("wheel", 1, diagonal(0.1, 0.1, 0.1), zero3<double>(), zero3<double>()));
    Joint axle;
    axle.name = "axle";
    axle.b = 0;
    axle.laws.resize(1);
    axle.laws[0].prescribed = Course{0.0, 2.0};
    axle.start = {0.5};
    builder.add(axle);
    const auto wrong = builder.build();
    REQUIRE_FALSE(wrong);
    CHECK(wrong.problems().text().find("axle: start is 0.5, but the prescribed motion begins with "
                                       "0") != std::string::npos);
    builder.joints[0].start = {0};
    const auto right = built(builder);
    CHECK(right->joint_starts()[0].speed[0] == 2); // it is put in motion
    CHECK(right->bodies()[0].angular_velocity.z == 2);
    builder.joints[0].start.clear();
    builder.joints[0].laws[0].prescribed->value = 0.2; // where the body does not stand
    const auto off = builder.build();
    REQUIRE_FALSE(off);
    CHECK(off.problems().text().find("is not assembled") != std::string::npos);
}
