// SPDX-License-Identifier: MIT
#include "poinsot/math/spatial.hpp"
#include "math/kernels.hpp"

using namespace poinsot;

namespace {

using V = Vec3<double>;

template <class A, class B>
concept CanAdd = requires(A a, B b)
{
    a + b;
};
template <class A, class B>
concept CanSubtract = requires(A a, B b)
{
    a - b;
};
template <class A, class B>
concept HasPower = requires(A a, B b)
{
    power(a, b);
};
template <class A, class B>
concept CanMultiply = requires(A a, B b)
{
    a* b;
};

// A wrench plus a twist means nothing and does not compile; nor does any other mixture.
static_assert(CanAdd<Twist<double>, Twist<double>> && CanSubtract<Twist<double>, Twist<double>>);
static_assert(CanAdd<Wrench<double>, Wrench<double>> && CanAdd<Momentum<double>, Momentum<double>>);
static_assert(!CanAdd<Wrench<double>, Twist<double>> && !CanAdd<Twist<double>, Wrench<double>>);
static_assert(!CanAdd<Wrench<double>, Momentum<double>> &&
              !CanAdd<Momentum<double>, Twist<double>>);
static_assert(!CanSubtract<Wrench<double>, Twist<double>>);
static_assert(!CanSubtract<Momentum<double>, Wrench<double>>);
static_assert(HasPower<Wrench<double>, Twist<double>>);
static_assert(!HasPower<Twist<double>, Wrench<double>> &&
              !HasPower<Wrench<double>, Wrench<double>>);
static_assert(!HasPower<Momentum<double>, Twist<double>>);
static_assert(CanMultiply<SpatialInertia<double>, Twist<double>>);
static_assert(!CanMultiply<SpatialInertia<double>, Wrench<double>>);

constexpr double rounding = 100 * eps; // a few dozen operations on numbers of size three

struct Case {
    explicit Case(unsigned seed)
        : dice(seed), V{dice.vec(), dice.vec()}, W{dice.vec(), dice.vec()}, I{dice.in(0.5, 3),
                                                                              dice.vec(),
                                                                              dice.positive()},
          d(dice.vec(2))
    {
    }
    Dice dice;
    Twist<double> V;
    Wrench<double> W;
    SpatialInertia<double> I;
    Vec3<double> d; // from A to B
};

} // namespace

TEST_CASE("Change of point: there and back is where it was")
{
    CHECK(rc::check([](unsigned seed) {
        const Case c(seed);
        const Twist<double> V = shift(shift(c.V, c.d), -c.d);
        RC_ASSERT(distance(V.v, c.V.v) <= rounding);
        RC_ASSERT(V.omega == c.V.omega);
        const Wrench<double> W = shift(shift(c.W, c.d), -c.d);
        RC_ASSERT(distance(W.tau, c.W.tau) <= rounding);
        RC_ASSERT(W.F == c.W.F);
        const Momentum<double> P{c.W.F, c.W.tau}, back = shift(shift(P, c.d), -c.d);
        RC_ASSERT(distance(back.L, P.L) <= rounding);
        RC_ASSERT(back.p == P.p);
        const SpatialInertia<double> I = shift(shift(c.I, c.d), -c.d);
        RC_ASSERT(distance(I.c, c.I.c) <= rounding);
        RC_ASSERT(I.I_C == c.I.I_C);
    }));
}

TEST_CASE("Change of point: two displacements are one, and none changes no bit")
{
    CHECK(rc::check([](unsigned seed) {
        Case c(seed);
        const Vec3<double> e = c.dice.vec(2);
        RC_ASSERT(distance(shift(shift(c.V, c.d), e).v, shift(c.V, c.d + e).v) <= rounding);
        RC_ASSERT(distance(shift(shift(c.W, c.d), e).tau, shift(c.W, c.d + e).tau) <= rounding);
        RC_ASSERT(shift(c.V, zero3<double>()).v == c.V.v);
        RC_ASSERT(shift(c.W, zero3<double>()).tau == c.W.tau);
    }));
}

TEST_CASE("Change of point: v_B = v_A + ω × d, τ_B = τ_A − d × F, L_B = L_A − d × p")
{
    // A wheel of radius 2 rolls along x: its lowest point rests, its top has twice the speed of 6.
    const Twist<double> wheel{{6, 0, 0}, {0, 3, 0}};
    CHECK((shift(wheel, V{0, 0, -2}).v == V{0, 0, 0}));
    CHECK((shift(wheel, V{0, 0, 2}).v == V{12, 0, 0}));
    // A force along y at x = 3 has the torque 3F about z at the origin and none where it acts.
    const Wrench<double> push = force_at(V{3, 0, 0}, V{0, 5, 0});
    CHECK((push.tau == V{0, 0, 15}));
    CHECK((shift(push, V{3, 0, 0}).tau == V{0, 0, 0}));
    CHECK((shift(push, V{4, 0, 0}).tau == V{0, 0, -5}));
    const Momentum<double> particle = shift(Momentum<double>{{0, 5, 0}, {0, 0, 0}}, V{-3, 0, 0});
    CHECK((particle.L == V{0, 0, 15}));
}

TEST_CASE("Power is the same about every point")
{
    CHECK(rc::check([](unsigned seed) {
        const Case c(seed);
        RC_ASSERT(near(power(shift(c.W, c.d), shift(c.V, c.d)), power(c.W, c.V), rounding, 10));
        // a force at a point does the work F · v of that point
        RC_ASSERT(
            near(power(force_at(c.d, c.W.F), c.V), dot(c.W.F, shift(c.V, c.d).v), rounding, 10));
    }));
}

TEST_CASE("Momentum about B is the momentum about A, shifted; kinetic energy has no point")
{
    CHECK(rc::check([](unsigned seed) {
        const Case c(seed);
        const SpatialInertia<double> I_B = shift(c.I, c.d);
        const Twist<double> V_B = shift(c.V, c.d);
        const Momentum<double> there = I_B * V_B, shifted = shift(c.I * c.V, c.d);
        RC_ASSERT(distance(there.p, shifted.p) <= 10 * rounding);
        RC_ASSERT(distance(there.L, shifted.L) <= 10 * rounding);
        const double energy = kinetic_energy(c.I, c.V);
        RC_ASSERT(energy > 0);
        RC_ASSERT(near(kinetic_energy(I_B, V_B), energy, rounding, 50));
        // König: that of the centre and that about it
        const Vec3<double> v_C = shift(c.V, c.I.c).v;
        const double koenig = 0.5 * c.I.m * norm2(v_C) + 0.5 * dot(c.V.omega, c.I.I_C * c.V.omega);
        RC_ASSERT(near(energy, koenig, rounding, 50));
    }));
}

TEST_CASE("Spatial inertia: the 6×6 form is symmetric, positive, and the same map")
{
    CHECK(rc::check([](unsigned seed) {
        Case c(seed);
        const Mat6<double> A = matrix_of(c.I);
        const double x[] = {c.V.v.x, c.V.v.y, c.V.v.z, c.V.omega.x, c.V.omega.y, c.V.omega.z};
        const Momentum<double> M = c.I * c.V;
        const double expected[] = {M.p.x, M.p.y, M.p.z, M.L.x, M.L.y, M.L.z};
        double energy = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 6; ++j) {
                RC_ASSERT(A[i][j] == A[j][i]);
                sum += A[i][j] * x[j];
            }
            RC_ASSERT(near(sum, expected[i], rounding, 10));
            energy += 0.5 * x[i] * sum;
        }
        RC_ASSERT(energy > 0);
        RC_ASSERT(near(energy, kinetic_energy(c.I, c.V), rounding, 50));
    }));
}

TEST_CASE("Spatial inertia: the torque part is Steiner's I_C − m [c×][c×]")
{
    CHECK(rc::check([](unsigned seed) {
        const Case c(seed);
        const Mat3<double> C = skew(c.I.c);
        const Mat3<double> I_A = full(about_displaced(c.I.I_C, c.I.m, c.I.c));
        RC_ASSERT(distance(I_A, full(c.I.I_C) - c.I.m * (C * C)) <= rounding);
    }));
}

TEST_CASE("Sum of loads: reducing each and adding is adding and reducing")
{
    CHECK(rc::check([](unsigned seed) {
        Case c(seed);
        const Wrench<double> other{c.dice.vec(), c.dice.vec()};
        const Wrench<double> a = shift(c.W + other, c.d), b = shift(c.W, c.d) + shift(other, c.d);
        RC_ASSERT(distance(a.F, b.F) <= rounding);
        RC_ASSERT(distance(a.tau, b.tau) <= rounding);
        const Wrench<double> nothing = c.W + -c.W;
        RC_ASSERT((nothing.F == zero3<double>() && nothing.tau == zero3<double>()));
    }));
}

TEST_CASE("Poinsot: every load is a force along a line and a torque about that line")
{
    CHECK(rc::check([](unsigned seed) {
        Case c(seed);
        const double F2 = norm2(c.W.F);
        RC_PRE(F2 > 0.01);
        // The central axis passes through r = F × τ/F². There the torque is what lies along F.
        const Vec3<double> r = cross(c.W.F, c.W.tau) / F2;
        const Wrench<double> central = shift(c.W, r);
        const double pitch = dot(c.W.F, c.W.tau) / F2;
        // r is at most |τ|/|F| ≤ 20 away
        RC_ASSERT(distance(central.tau, pitch * c.W.F) <= 20 * rounding);
        RC_ASSERT(distance(cross(central.tau, central.F), zero3<double>()) <= 20 * rounding);
        // Any other point sees a larger torque, and points along the axis the same.
        RC_ASSERT(norm(shift(c.W, c.d).tau) >= norm(central.tau) * (1 - rounding) - 20 * rounding);
        const Vec3<double> along = r + c.dice.in(-1, 1) * c.W.F;
        RC_ASSERT(distance(shift(c.W, along).tau, central.tau) <= 20 * rounding);
    }));
}

TEST_CASE("Mozzi: every motion is a screw, a turn about a line and a slide along it")
{
    CHECK(rc::check([](unsigned seed) {
        const Case c(seed);
        const double w2 = norm2(c.V.omega);
        RC_PRE(w2 > 0.01);
        const Vec3<double> r = cross(c.V.omega, c.V.v) / w2;
        const Twist<double> screw = shift(c.V, r);
        RC_ASSERT(distance(screw.v, (dot(c.V.omega, c.V.v) / w2) * c.V.omega) <= 20 * rounding);
    }));
}
