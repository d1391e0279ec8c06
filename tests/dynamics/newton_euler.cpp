// SPDX-License-Identifier: MIT
// The equations of motion about any point, against the numbers of the reference and against the
// equations about the centre of mass.

#include "poinsot/dynamics/newton_euler.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

struct Instant {
    SpatialInertia<double> about_C;
    Twist<double> V_C;
    Wrench<double> W_C;
};
Instant random_instant(std::uint64_t seed)
{
    Dice dice(seed);
    return {{dice.uniform(0.5, 5), zero3<double>(), dice.inertia()},
            {dice.vector(3), dice.vector(4)},
            {dice.vector(10), dice.vector(10)}};
}
/// a_C = F/m and I α = τ − ω × I ω, by hand.
SpatialAcceleration<double> at_center(const Instant& now)
{
    const V3 L = now.about_C.I_C * now.V_C.omega;
    const V3 alpha = inverse(now.about_C.I_C) * (now.W_C.tau - cross(now.V_C.omega, L));
    const V3 a_C = now.W_C.F / now.about_C.m;
    return {a_C - cross(now.V_C.omega, now.V_C.v), alpha};
}

} // namespace

TEST_CASE("Spatial algebra about a point A: momentum, inertia, load, power, against the reference")
{
    const auto r = reference_items("seed_examples.json").at("spatial_algebra");
    const auto I_rows = r.at("I_C");
    const Sym3<double> I_C{I_rows[0][0], I_rows[1][1], I_rows[2][2],
                           I_rows[0][1], I_rows[0][2], I_rows[1][2]};
    const SpatialInertia<double> I{r.at("m"), vec(r.at("c")), I_C};
    const Twist<double> V{vec(r.at("v_A")), vec(r.at("omega"))};
    const SpatialAcceleration<double> A{vec(r.at("a_A_material")) - cross(V.omega, V.v),
                                        vec(r.at("alpha"))};
    const auto same = [](const V3& a, const V3& b) {
        return norm(a - b) < 2e-14 * (norm(a) + norm(b) + 1);
    };

    const Momentum<double> M = I * V;
    CHECK(same(M.p, vec(r.at("p"))));
    CHECK(same(M.L, vec(r.at("L_A"))));
    CHECK(same(A.a_star, vec(r.at("a_A_spatial"))));
    CHECK(same(material(A, V), vec(r.at("a_A_material"))));
    const Wrench<double> W = load_about(I, V, A);
    CHECK(same(W.F, vec(r.at("F"))));
    CHECK(same(W.tau, vec(r.at("tau_A"))));
    CHECK(same(shift(W, I.c).tau, vec(r.at("tau_C"))));
    CHECK(near(kinetic_energy(I, V), r.at("kinetic_energy"), 1e-14));
    CHECK(near(power(W, V), r.at("power"), 1e-13));
    const Sym3<double> I_A = about_displaced(I_C, I.m, I.c);
    const Mat3<double> I_A_rows = full(I_A);
    CHECK(same(I_A_rows.r0, vec(r.at("I_A")[0])));
    CHECK(same(I_A_rows.r1, vec(r.at("I_A")[1])));
    CHECK(same(I_A_rows.r2, vec(r.at("I_A")[2])));
    // and back: the load gives the acceleration
    const SpatialAcceleration<double> back = acceleration_about(I, V, W);
    CHECK(same(back.a_star, A.a_star));
    CHECK(same(back.alpha, A.alpha));
}

TEST_CASE(
    "Solving the equations of motion about any point gives the accelerations of the centre of mass")
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Instant now = random_instant(seed);
        const V3 d = Dice(seed + 500).vector(2); // A from C
        const auto A =
            acceleration_about(shift(now.about_C, d), shift(now.V_C, d), shift(now.W_C, d));
        const auto C = at_center(now);
        const auto A_at_C = shift(A, -d);
        CHECK(norm(A.alpha - C.alpha) < 1e-12 * (1 + norm(C.alpha)));
        // as integrators ask it of a body
        PlacedBody body;
        body.R = identity3<double>();
        body.v = now.V_C.v;
        body.omega = now.V_C.omega;
        body.mass.m = now.about_C.m;
        body.mass.inv_m = 1 / body.mass.m;
        body.mass.I_b = now.about_C.I_C;
        body.mass.inv_I_b = inverse(body.mass.I_b);
        const BodyRate<double> rate = rate_of<VelocityForm<double>>(body, now.W_C);
        CHECK(norm(rate.b - C.alpha) < 1e-13 * (1 + norm(C.alpha)) * 10);
        CHECK(norm(rate.a - now.W_C.F / now.about_C.m) < 1e-14 * norm(rate.a));
        CHECK(norm(A_at_C.a_star - C.a_star) < 1e-12 * (1 + norm(C.a_star)));
    }
}

TEST_CASE("The 6x6 matrix of a spatial inertia is symmetric and gives momentum and energy")
{
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Instant now = random_instant(seed);
        const auto I = shift(now.about_C, Dice(seed).vector(2));
        const Mat6<double> M = matrix_of(I);
        const std::array<double, 6> u{now.V_C.v.x,     now.V_C.v.y,     now.V_C.v.z,
                                      now.V_C.omega.x, now.V_C.omega.y, now.V_C.omega.z};
        std::array<double, 6> m{};
        double T = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j < 6; ++j) {
                CHECK(M[i][j] == M[j][i]);
                m[i] += M[i][j] * u[j];
            }
            T += 0.5 * m[i] * u[i];
        }
        const Momentum<double> direct = I * now.V_C;
        CHECK(near(m[0], direct.p.x, 1e-13, 50));
        CHECK(near(m[5], direct.L.z, 1e-13, 50));
        CHECK(near(T, kinetic_energy(I, now.V_C), 1e-13));
    }
}

TEST_CASE("Power, energy and the pairing of momentum and motion do not depend on the point")
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Instant now = random_instant(seed);
        const V3 d = Dice(seed + 9).vector(3);
        CHECK(
            near(power(now.W_C, now.V_C), power(shift(now.W_C, d), shift(now.V_C, d)), 1e-13, 500));
        CHECK(near(kinetic_energy(now.about_C, now.V_C),
                   kinetic_energy(shift(now.about_C, d), shift(now.V_C, d)), 1e-13, 500));
    }
}

TEST_CASE("tau_A = dL_A/dt + v_A x p for any moving point; the three cases without the extra term, "
          "and one with")
{
    // A body in flight under a constant load; L_A by the motion itself, differenced in time.
    Builder b;
    b.add(body_with("body", 2, diagonal(1.0, 2.0, 3.0), {0.7, -0.4, 0.2}, {0.5, 1, -0.7}));
    b.loads.push_back({"load", 0, {1, 2, -0.5}, {0.3, -0.2, 0.6}});
    const auto model = built(b);
    const Input nothing;
    const auto body_at = [&](double t) {
        System system(*model, nothing);
        auto bodies = std::get<MomentumBodies>(start_of(*model, FormKind::momentum).bodies);
        Postings none(Postings::Detail::off);
        runge_kutta4(system, bodies, 0, t, none);
        return placed(bodies[0], model->masses()[0]);
    };
    const double h = 1e-4;
    const PlacedBody now = body_at(0);
    // dL_A/dt − τ_A for a point at A that moves with v_A
    const auto defect = [&](const V3& A, const V3& v_A) {
        const auto L = [&](double t) {
            const PlacedBody at = body_at(t);
            return at.L + cross(at.x - (A + t * v_A), at.p);
        };
        const V3 L_dot = (1 / (2 * h)) * (L(h) - L(-h));
        const V3 tau_A = V3{0.3, -0.2, 0.6} + cross(now.x - A, {1, 2, -0.5});
        CHECK(norm(angular_momentum_rate(tau_A, v_A, now.p) - L_dot) <
              1e-6); // h² of the difference
        return norm(L_dot - tau_A);
    };
    const V3 A{1, -2, 0.5};
    CHECK(defect(A, zero3<double>()) < 1e-6); // fixed in space
    CHECK(defect(A, now.v) < 1e-6);           // moving with the centre of mass
    CHECK(defect(A, -3.0 * now.v) < 1e-6);    // moving parallel to it: v_A x v_C = 0 is enough
    CHECK(defect(A, {0, 0, 2}) > 0.5);        // and one where it does not hold
}

TEST_CASE("tau_A = dL_A/dt about any moving point while the centre of mass is at rest")
{
    // A couple turns the body; p stays zero, and the point moves as it likes.
    Builder b;
    b.add(body_with("body", 2, diagonal(1.0, 2.0, 3.0), zero3<double>(), {0.5, 1, -0.7}));
    const V3 tau{0.3, -0.2, 0.6};
    b.loads.push_back({"couple", 0, zero3<double>(), tau});
    const auto model = built(b);
    const auto L_A = [&](double t) {
        const Input nothing;
        System system(*model, nothing);
        auto bodies = std::get<MomentumBodies>(start_of(*model, FormKind::momentum).bodies);
        Postings none(Postings::Detail::off);
        runge_kutta4(system, bodies, 0, t, none);
        const V3 A = V3{1, -2, 0.5} + t * V3{5, -3, 2};
        return bodies[0].L + cross(bodies[0].x - A, bodies[0].p);
    };
    const double h = 1e-4;
    CHECK(norm((1 / (2 * h)) * (L_A(h) - L_A(-h)) - tau) < 1e-11); // rounding over h
}
