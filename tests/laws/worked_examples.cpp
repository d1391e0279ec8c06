// SPDX-License-Identifier: MIT
// The worked examples of the documents that need one body, with their numbers.

#include "allowed.hpp"
#include "poinsot/mass/solids.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

/// The block of the slides: 6 by 2 by 4 around its centre, mass M.
Body block(double M)
{
    return body_with("block", M,
                     diagonal(M / 12 * (4.0 + 16), M / 12 * (36.0 + 16), M / 12 * (36.0 + 4)),
                     zero3<double>(), zero3<double>());
}
Loads loads_on(const Builder& b)
{
    const auto model = built(b);
    Loads loads;
    gather_loads(*model, place(*model, start_of(*model, FormKind::momentum)), {}, 0, 0, loads);
    return loads;
}

} // namespace

TEST_CASE("Rotation-free loading: two equal forces beside the centre push and do not turn")
{
    const double f = 1.7, M = 3;
    Builder b;
    b.add(block(M));
    const auto item =
        reference_items("seed_examples.json").at("torque_examples").at("rotation_free");
    const V3 one = vec(item.at("points")[0]), two = vec(item.at("points")[1]);
    b.loads.push_back({"one", 0, {0, 0, f}, zero3<double>(), one});
    b.loads.push_back({"two", 0, {0, 0, f}, zero3<double>(), two});
    const Loads loads = loads_on(b);
    CHECK(one + two == vec(item.at("sum_lever"))); // along the force
    CHECK(loads.total[0].tau == vec(item.at("tau")));
    CHECK(loads.total[0].F == V3{0, 0, 2 * f});
    const PlacedBody end = ran(built(b), run_with(Method::splitting, 0.1, 1)).placed().bodies[0];
    CHECK(near(end.v.z, 2 * f / M, 1e-14)); // acceleration 2f/M for one second
    CHECK(norm(end.omega) == 0);
}

TEST_CASE("Translation-free loading: a pair of opposite forces turns about y with torque 6f")
{
    const double f = 1.7;
    Builder b;
    b.add(block(3));
    const auto item =
        reference_items("seed_examples.json").at("torque_examples").at("translation_free");
    b.loads.push_back({"one", 0, {0, 0, f}, zero3<double>(), vec(item.at("points")[0])});
    b.loads.push_back({"two", 0, {0, 0, -f}, zero3<double>(), vec(item.at("points")[1])});
    const Loads loads = loads_on(b);
    CHECK(norm(loads.total[0].F) == 0);
    CHECK(norm(loads.total[0].tau - V3{0, 6 * f, 0}) < 1e-15 * 6 * f);
}

TEST_CASE(
    "The off-centre push: the same momentum, more energy, and the work says where it came from")
{
    const double F = 2, M = 3, T = 10;
    const auto push = [&](const V3& at) {
        Builder b;
        b.add(block(M));
        b.loads.push_back({"push", 0, {0, 0, F}, zero3<double>(), at});
        return ran(built(b), run_with(Method::runge_kutta4, 1e-3, T));
    };
    const Simulation centre = push(zero3<double>()), off = push({0.1, 0, 0});
    const Books &a = centre.ledger().books(), &b = off.ledger().books();
    CHECK(near(a.total.closing.p.z, F * T, 1e-12));
    CHECK(near(b.total.closing.p.z, F * T, 1e-12));
    // ½ M v² for the first; for the second that and ½ ω·Iω: the point of application travels
    // further
    CHECK(near(a.total.closing.T, 0.5 * M * (F * T / M) * (F * T / M), 1e-11));
    CHECK(b.total.closing.T > 1.001 * a.total.closing.T);
    const auto work = [](const Books& books) {
        return books.total.posted[index_of(Cause::applied)].work;
    };
    CHECK(near(work(a), a.total.closing.T, 1e-10));
    CHECK(near(work(b), b.total.closing.T, 1e-8)); // fourth order, h = 1e-3
    // its power is that of the point where it pushes, not that of the centre
    const PlacedBody end = off.placed().bodies[0];
    const V3 r = end.R * V3{0.1, 0, 0}, push_now{0, 0, F};
    const double given = power(force_at(r, push_now), end.twist());
    CHECK(near(given, dot(push_now, end.v + cross(end.omega, r)), 1e-14));
    CHECK(std::abs(given - dot(push_now, end.v)) > 1e-3 * given);
}

TEST_CASE(
    "The sphere exercise by explicit Euler: at t1 nothing has moved, at t2 R is not orthonormal")
{
    for (const char* name : {"exercise_Fy", "exercise_general"}) {
        const auto item = reference_items("seed_examples.json").at(name);
        const double h = item.at("h");
        Builder b;
        b.add(body_with("ball", 1, diagonal(0.4, 0.4, 0.4), zero3<double>(), zero3<double>()));
        b.gravity.uniform = vec(item.at("g"));
        b.loads.push_back(
            {"push", 0, vec(item.at("F")), zero3<double>(), vec(item.at("p")), false, 0, h});
        RunSettings run = run_with(Method::explicit_euler, h, 2 * h, FormKind::matrix);
        run.step.renormalise = false;
        auto sim = Simulation::start(built(b), run);
        REQUIRE(sim);
        REQUIRE_FALSE(sim->step());
        const auto at_t1 = std::get<MatrixBodies>(sim->state().bodies)[0];
        CHECK(norm(at_t1.x) == 0);
        CHECK(at_t1.attitude == identity3<double>());
        CHECK(norm(at_t1.p - vec(item.at("P_t1"))) < 1e-15);
        CHECK(norm(at_t1.L - vec(item.at("L_t1"))) < 1e-15);
        REQUIRE_FALSE(sim->step());
        const auto at_t2 = std::get<MatrixBodies>(sim->state().bodies)[0];
        CHECK(norm(at_t2.x - vec(item.at("x_t2"))) < 1e-16);
        CHECK(norm(at_t2.attitude.r0 - vec(item.at("R_t2")[0])) < 1e-16);
        CHECK(norm(at_t2.attitude.r1 - vec(item.at("R_t2")[1])) < 1e-16);
        CHECK(norm(at_t2.attitude.r2 - vec(item.at("R_t2")[2])) < 1e-16);
        CHECK(near(orthonormality_error(at_t2.attitude), item.at("orthonormality_error"), 1e-6));
        CHECK(orthonormality_error(renormalised(at_t2.attitude)) < 1e-15);
    }
}

namespace {

/// The rod: A at the body origin, C at c above it, held on the vertical rail through A.
Body rod(const nlohmann::json& r, double vA, double omega)
{
    const double m = r.at("m"), c = r.at("c"), IC = r.at("IC");
    Body body = body_with("rod", m, diagonal(IC, 0.01, IC), {-c * omega, vA, 0}, {0, 0, omega});
    body.mass_properties.center = {0, c, 0};
    body.held = Held{zero3<double>(), V3{0, 1, 0}};
    return body;
}

} // namespace

TEST_CASE(
    "The rod on the rail: its angular acceleration does not depend on the speed along the rail")
{
    const auto item = reference_items("seed_examples.json").at("rod_on_rail_instant");
    for (const double vA : {item.at("vA").get<double>(), 0.0, -7.0}) {
        Builder b;
        b.add(rod(item, vA, item.at("omega")));
        b.loads.push_back(
            {"push", 0, {item.at("FB"), 0, 0}, zero3<double>(), {0, item.at("l"), 0}});
        const auto model = built(b);
        Placed at = place(*model, start_of(*model, FormKind::momentum));
        Loads loads;
        gather_loads(*model, at, {}, 0, 0, loads);
        add_reactions(*model, at, loads);
        const PlacedBody& body = at.bodies[0];
        const Wrench<double>& W = loads.total[0];
        const V3 alpha =
            angular_acceleration(body.R, body.mass.I_b, body.mass.inv_I_b, body.omega, W.tau);
        CHECK(near(alpha.z, item.at("omega_dot"), 1e-14));
        CHECK(near(loads.parts.back().wrench.F.x, item.at("Ax"), 1e-13));
        CHECK(std::abs(loads.parts.back().wrench.F.y) <
              1e-14); // the rail does not push along itself
        const V3 r = body.lever(zero3<double>());
        const V3 a_A =
            W.F / body.mass.m + cross(alpha, r) + cross(body.omega, cross(body.omega, r));
        CHECK(near(a_A.y, item.at("vA_dot"), 1e-13));
        CHECK(std::abs(a_A.x) < 1e-13);
        // kinematics, momenta and loads of the example, from A
        const double c = item.at("c"), l = item.at("l"), FB = item.at("FB");
        const Twist<double> V_A{{0, vA, 0}, body.omega};
        const SpatialAcceleration<double> A_A{a_A - cross(V_A.omega, V_A.v), alpha};
        const V3 a_C = material(shift(A_A, -r), shift(V_A, -r));
        const double omega = item.at("omega");
        CHECK(norm(a_C - V3{-c * alpha.z, a_A.y - c * omega * omega, 0}) < 1e-13 * 10);
        const Momentum<double> M = SpatialInertia<double>{body.mass.m, -r, body.inertia()} * V_A;
        CHECK(norm(M.p - body.p) < 1e-14 * norm(body.p));
        CHECK(norm(M.L - (body.L + cross(-r, body.p))) < 1e-14 * 10);
        const double Ax = item.at("Ax");
        const Wrench<double> loaded =
            force_at(V3{0, l - c, 0}, V3{FB, 0, 0}) + force_at(r, V3{Ax, 0, 0});
        CHECK(near(loaded.tau.z, c * Ax - (l - c) * FB, 1e-14));
        CHECK(norm(W.tau - loaded.tau) < 1e-13 * 10);
        if (vA != item.at("vA").get<double>())
            continue;
        // Momentum about A, and its true rate: dL_A/dt = τ_A − v_A × p.
        const V3 A = body.x + r;
        const V3 L_A = body.L + cross(body.x - A, body.p);
        const V3 tau_A = shift(W, r).tau;
        CHECK(near(L_A.z, item.at("L_A"), 1e-14));
        CHECK(near(tau_A.z, item.at("tau_A"), 1e-13));
        const V3 v_A{0, vA, 0};
        CHECK(near(cross(v_A, body.p).z, item.at("vA_cross_p"), 1e-14));
        // what the document takes for it is I_A α, and its ω̇ and A_x are not those of the rod
        const Sym3<double> I_A = about_displaced(body.inertia(), body.mass.m, r);
        CHECK(near((I_A * alpha).z, item.at("dLA_dt"), 1e-13));
        CHECK(std::abs(alpha.z - item.at("seed_value_omega_dot").get<double>()) > 1);
        CHECK(std::abs(loads.parts.back().wrench.F.x - item.at("seed_value_Ax").get<double>()) > 1);
        CHECK(near(angular_momentum_rate(tau_A, v_A, body.p).z, item.at("dLA_dt_total"), 1e-13));
    }
}

TEST_CASE("The rod on the rail in time, against the series, with its reaction and stabilisation on "
          "the books")
{
    const auto item = reference_items("seed_examples.json").at("rod_on_rail_series");
    Builder b;
    const auto& start = item.at("y").at(0);
    b.add(rod(item, start.at(2), start.at(3)));
    b.loads.push_back({"push", 0, {item.at("FB"), 0, 0}, zero3<double>(), {0, item.at("l"), 0}});
    for (std::size_t k = 1; k < item.at("t").size(); ++k)
        for (const Method method : {Method::runge_kutta4, Method::adaptive}) {
            const double t = item.at("t").at(k);
            const double h = method == Method::adaptive ? t : 0.05 / 128;
            RunSettings run = run_with(method, h, t);
            run.step.tolerance = {1e-13, 1e-14, 100000};
            const Simulation sim = ran(built(b), run);
            const PlacedBody body = sim.placed().bodies[0];
            const auto& y = item.at("y").at(k);
            const V3 A = body.x + body.lever(zero3<double>());
            const double phi = std::atan2(-body.R.r0.y, body.R.r1.y); // counter-clockwise from +y
            const double close = allowed(item, 3);                    // 6.4e-11
            const V3 v_A = body.v + cross(body.omega, A - body.x);
            CHECK(std::abs(A.y - y.at(0).get<double>()) < close);
            CHECK(std::abs(phi - y.at(1).get<double>()) < close);
            CHECK(std::abs(v_A.y - y.at(2).get<double>()) < close);
            CHECK(std::abs(body.omega.z - y.at(3).get<double>()) < close);
            CHECK(std::abs(A.x) < 1e-15); // projected back to the rail
            CHECK(std::abs(v_A.x) < 1e-15);
            const Books& books = sim.ledger().books();
            CHECK(books.worst_p < 1e-13);
            CHECK(norm(books.total.posted[index_of(Cause::joint)].J) > 0.1);
            CHECK(norm(books.total.posted[index_of(Cause::stabilisation)].J) < 1e-9);
        }
}

TEST_CASE("Quaternion updates: world rates multiply from the left, body rates from the right")
{
    const auto item = reference_items("seed_examples.json").at("quat_update");
    const V3 u = item.at("h").get<double>() * vec(item.at("omega"));
    const Quat<double> q = quat(item.at("q0"));
    const auto same = [](const Quat<double>& a, const Quat<double>& b) {
        return std::sqrt(norm2(a + -1.0 * b)) < 1e-15;
    };
    CHECK(same(turned(q, u), quat(item.at("world_omega_left"))));
    CHECK(same(turned_body(q, u), quat(item.at("body_omega_right"))));
    CHECK(turned(q, zero3<double>()) == q); // identity for ω = 0
    CHECK(turned_body(q, zero3<double>()) == q);
    CHECK(near(norm2(exp_quat(u)), 1, 1e-15));
    // The factor as printed, (|ω| cos; ω sin) of |ω|h/2, is of no unit length.
    const V3 omega = vec(item.at("omega"));
    const double half = 0.5 * norm(u), s = std::sin(half);
    const Quat<double> printed{norm(omega) * std::cos(half), s * omega.x, s * omega.y, s * omega.z};
    CHECK(near(std::sqrt(norm2(printed)), item.at("seed_formula_norm"), 1e-14));
}
