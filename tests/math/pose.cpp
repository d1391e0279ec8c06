// SPDX-License-Identifier: MIT
#include "poinsot/math/pose.hpp"
#include "math/kernels.hpp"

using namespace poinsot;

namespace {

constexpr double rounding = 64 * eps; // a few dozen operations on numbers of size three

Pose<double> random_pose(Dice& dice)
{
    const Vec3<double> x = dice.vec(3);
    return {x, dice.turn()};
}
double distance(const Pose<double>& a, const Pose<double>& b)
{
    return poinsot::distance(a.x, b.x) + poinsot::distance(a.q, b.q);
}

} // namespace

TEST_CASE("Pose: a product places first by the right factor, then by the left")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Pose<double> a = random_pose(dice), b = random_pose(dice), c = random_pose(dice);
        const Vec3<double> r = dice.vec(3);
        RC_ASSERT(poinsot::distance(place(a * b, r), place(a, place(b, r))) <= rounding);
        RC_ASSERT(distance((a * b) * c, a * (b * c)) <= rounding);
    }));
}

TEST_CASE("Pose: the inverse undoes from both sides, and the identity changes no bit")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Pose<double> a = random_pose(dice), b = random_pose(dice);
        const Pose<double> one = identity_pose<double>();
        RC_ASSERT(distance(a * inverse(a), one) <= rounding);
        RC_ASSERT(distance(inverse(a) * a, one) <= rounding);
        RC_ASSERT(distance(inverse(a * b), inverse(b) * inverse(a)) <= rounding);
        RC_ASSERT(distance(one * a, a) == 0);
        RC_ASSERT(distance(a * one, a) == 0);
        const Vec3<double> r = dice.vec(3);
        RC_ASSERT(place(one, r) == r);
        RC_ASSERT(poinsot::distance(place(inverse(a), place(a, r)), r) <= rounding);
    }));
}

TEST_CASE("Pose: placing keeps the distance of two points and the volume of four")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Pose<double> a = random_pose(dice);
        const Vec3<double> r = dice.vec(3), s = dice.vec(3), t = dice.vec(3), u = dice.vec(3);
        const Vec3<double> R = place(a, r), S = place(a, s), T = place(a, t), U = place(a, u);
        RC_ASSERT(near(norm(R - S), norm(r - s), rounding, 1));
        // signed: a mirror would change it
        const double volume = dot(s - r, cross(t - r, u - r));
        RC_ASSERT(near(dot(S - R, cross(T - R, U - R)), volume, rounding, 200));
    }));
}
