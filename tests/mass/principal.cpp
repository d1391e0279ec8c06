// SPDX-License-Identifier: MIT
#include "poinsot/mass/principal.hpp"
#include "mass/bodies.hpp"

#include <rapidcheck.h>

using namespace poinsot;

TEST_CASE("Principal axes: a rotation, moments in ascending order, and A diag A^T is the inertia")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Sym3<double> I = mass_properties(dice.cloud(dice.whole(1, 8))).inertia;
        const auto [moments, A] = principal_axes(I);
        RC_ASSERT(moments.x <= moments.y && moments.y <= moments.z);
        // Eigen's iteration leaves a few roundings
        RC_ASSERT(orthonormality_error(A) <= 1e-14);
        RC_ASSERT(determinant(A) > 0.5);
        const Sym3<double> back = congruent(A, diagonal(moments.x, moments.y, moments.z));
        RC_ASSERT(largest(back - I) <= 1e-14 * (trace(I) + 1e-300));
    }));
}

TEST_CASE(
    "Principal axes: of a diagonal ascending inertia exactly the identity, otherwise a permutation")
{
    const PrincipalAxes own = principal_axes(diagonal(1.0, 2.0, 2.5));
    CHECK(own.moments == Vec3<double>{1, 2, 2.5});
    CHECK(own.axes.r0 == Vec3<double>{1, 0, 0});
    CHECK(own.axes.r1 == Vec3<double>{0, 1, 0});
    CHECK(own.axes.r2 == Vec3<double>{0, 0, 1});
    CHECK(own.rotation() == identity_quat<double>());
    const PrincipalAxes ball = principal_axes(diagonal(3.0, 3.0, 3.0));
    CHECK(ball.rotation() == identity_quat<double>());
    const PrincipalAxes noisy = principal_axes({3, 3, 3, 1e-16, -1e-16, 2e-16});
    CHECK(noisy.rotation() == identity_quat<double>());

    const PrincipalAxes other = principal_axes(diagonal(2.5, 1.0, 2.0));
    CHECK(other.moments == Vec3<double>{1, 2, 2.5});
    CHECK(determinant(other.axes) == 1);
    CHECK(other.axes * Vec3<double>{1, 0, 0} == Vec3<double>{0, 1, 0});
}

TEST_CASE("Principal axes: rounding does not turn them round")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> q = dice.turn();
        const Mat3<double> R = matrix_of(q);
        const Sym3<double> I = congruent(R, diagonal(1.0, 2.0, 2.5));
        Sym3<double> other = I;
        for (double* c : {&other.xx, &other.yy, &other.zz, &other.xy, &other.xz, &other.yz})
            *c *= 1 + 1e-13 * dice.in(-1, 1);
        const Mat3<double> A = principal_axes(I).axes, B = principal_axes(other).axes;
        // the gap of the moments is half: axes move by twice the change
        RC_ASSERT(norm((A - B).r0) + norm((A - B).r1) + norm((A - B).r2) <= 1e-11);
        // the first two are those of R up to sign, the sign by the rule
        const Mat3<double> columns = transpose(A);
        for (const Vec3<double>& a : {columns.r0, columns.r1}) {
            const double half = 0.5 * std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
            const double first = std::abs(a.x) >= half ? a.x : std::abs(a.y) >= half ? a.y : a.z;
            RC_ASSERT(first > 0);
        }
    }));
}

TEST_CASE("Existence: every cloud of point masses has an inertia that can exist")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        auto points = dice.cloud(dice.whole(1, 6));
        if (dice.whole(0, 1)) // flat, where rounding decides
            for (PointMass& i : points)
                i.x.z = 0;
        const MassProperties body = moved(mass_properties(points), {dice.vec(1), dice.turn()});
        RC_ASSERT(can_exist(body.inertia));
        RC_ASSERT(why_cannot_exist(body.inertia).empty());
    }));
}

TEST_CASE("Existence: rods, plates and points do; what breaks the triangle inequality does not")
{
    CHECK(can_exist(diagonal(0.0, 0.0, 0.0)));
    CHECK(can_exist(diagonal(0.0, 1.0, 1.0)));
    CHECK(can_exist(diagonal(1.0, 1.0, 2.0)));
    CHECK(can_exist(diagonal(1.0, 1.0, 2.0 + 1e-10)));
    CHECK_FALSE(can_exist(diagonal(1.0, 1.0, 2.0 + 1e-8)));
    CHECK(can_exist(diagonal(1.0, 1.0, 2.0 + 1e-8), 1e-6));
    CHECK_FALSE(can_exist(diagonal(1.0, 1.0, 3.0)));
    CHECK_FALSE(can_exist(diagonal(-1.0, 1.0, 1.0)));
    CHECK_FALSE(can_exist(diagonal(1.0, std::nan(""), 1.0)));
    CHECK_FALSE(can_exist(diagonal(1.0, HUGE_VAL, 1.0)));
    // positive definite on its diagonal, not off it
    CHECK_FALSE(can_exist({1, 1, 1, 2, 0, 0}));

    const std::string why = why_cannot_exist(diagonal(1.0, 1.0, 3.0));
    CHECK(why.find("1, 1, 3") != std::string::npos);
    CHECK(why.find("exceeds the sum of the other two by 1,") != std::string::npos);
    CHECK(why_cannot_exist(diagonal(-1.0, 1.0, 1.0)).find("negative") != std::string::npos);
    CHECK(why_cannot_exist(diagonal(std::nan(""), 1.0, 1.0)).find("not finite") !=
          std::string::npos);
}

TEST_CASE("Existence: does not depend on the unit")
{
    for (const double unit : {1e-30, 1.0, 1e30}) {
        CHECK(can_exist(unit * diagonal(1.0, 1.0, 2.0)));
        CHECK_FALSE(can_exist(unit * diagonal(1.0, 1.0, 2.1)));
    }
}
