// SPDX-License-Identifier: MIT
// Swing and twist as coordinates of a rotation: their rates and momenta, against derivatives that
// dual numbers take.

#include "poinsot/integrate/swing_twist.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

using D = Dual<double>;

Vec3<D> along(const V3& a, const V3& a_dot)
{
    return {D(a.x, a_dot.x), D(a.y, a_dot.y), D(a.z, a_dot.z)};
}
V3 rate_of(const Vec3<D>& a)
{
    return {a.x.d, a.y.d, a.z.d};
}
Quat<D> fixed(const Quat<double>& q)
{
    return {D(q.w), D(q.x), D(q.y), D(q.z)};
}

} // namespace

TEST_CASE("Swing and twist: coordinates that change at their rate turn the body with its ω")
{
    Dice dice(3);
    for (int i = 0; i < 50; ++i) {
        const V3 u = dice.vector(2), omega = dice.vector(3);
        const Quat<double> q0 = dice.rotation();
        const SwingTwist<double> at(u);
        const Mat3<D> R = matrix_of(fixed(q0), SwingTwist<D>(along(u, at.rate(omega))));
        // Ṙ = R [ω×]
        const Mat3<double> now = matrix_of(q0, at), expected = now * skew(omega);
        for (const auto& [row, made] :
             {std::pair{expected.r0, rate_of(R.r0)}, std::pair{expected.r1, rate_of(R.r1)},
              std::pair{expected.r2, rate_of(R.r2)}})
            CHECK(near(norm(row - made), 0, 1e-14, 3));
        CHECK(near(orthonormality_error(now), 0, 1e-15, 4));
        const Quat<double> q = normalised(q0 * at.quaternion());
        CHECK(near(norm(matrix_of(q).r0 - now.r0), 0, 1e-15, 4));
    }
    // The swing takes z where a points, by the angle of which half has the tangent |a|/2.
    const Mat3<double> R =
        matrix_of(identity_quat<double>(), SwingTwist<double>(V3{2 * std::tan(0.3), 0, 1.1}));
    CHECK(near(R.r1.z, -std::sin(0.6), 1e-15));
    CHECK(near(R.r2.z, std::cos(0.6), 1e-15));
}

TEST_CASE("Swing and twist: momenta do the work that the joint's own do, and back again")
{
    Dice dice(4);
    for (int i = 0; i < 50; ++i) {
        const V3 u = dice.vector(2), omega = dice.vector(3), mu = dice.vector(5);
        const SwingTwist<double> at(u);
        const V3 P = at.momentum(mu);
        CHECK(near(dot(P, at.rate(omega)), dot(mu, omega), 1e-14, 50));
        CHECK(near(norm(at.own_momentum(P) - mu), 0, 1e-15, 30));
        CHECK(P.z == mu.z); // the spin about z stands alone
    }
}

TEST_CASE("Swing and twist: the rate of the momenta is their derivative")
{
    Dice dice(5);
    for (int i = 0; i < 50; ++i) {
        const V3 u = dice.vector(2), omega = dice.vector(3), mu = dice.vector(5),
                 mu_dot = dice.vector(7);
        const SwingTwist<double> at(u);
        const Vec3<D> P = SwingTwist<D>(along(u, at.rate(omega))).momentum(along(mu, mu_dot));
        CHECK(near(norm(at.momentum_rate(omega, mu, mu_dot) - rate_of(P)), 0, 1e-14, 100));
    }
}
