// SPDX-License-Identifier: MIT
#include "poinsot/mass/inertia.hpp"
#include "mass/bodies.hpp"
#include "poinsot/mass/principal.hpp"

#include <rapidcheck.h>

using namespace poinsot;

namespace {

constexpr double rounding = 1e-13; // a few dozen operations on numbers of size one

} // namespace

TEST_CASE(
    "Steiner: the inertia about any point is the sum over the points, and the way back is exact")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto points = dice.cloud(dice.whole(2, 12));
        const MassProperties body = mass_properties(points);
        const Vec3<double> A = dice.vec(3);
        const Sym3<double> I_A = inertia_about(body, A);
        RC_ASSERT(difference(I_A, inertia(points, A)) <= rounding);
        const MassProperties back = from_inertia_about(body.mass, body.center, A, I_A);
        RC_ASSERT(largest(back.inertia - body.inertia) <= rounding * trace(I_A));
    }));
}

TEST_CASE("Second moments: I = tr(S) 1 − S and S = ½ tr(I) 1 − I undo each other")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto points = dice.cloud(dice.whole(2, 12));
        const MassProperties body = mass_properties(points);
        const Vec3<double> A = dice.vec(3);
        const Sym3<double> S_A = second_moments_about(body, A);
        RC_ASSERT(difference(S_A, second_moments(points, A)) <= rounding);
        RC_ASSERT(difference(second_moments_of_inertia(inertia_of_second_moments(S_A)), S_A) <=
                  rounding);
        const MassProperties back = from_second_moments_about(body.mass, body.center, A, S_A);
        RC_ASSERT(largest(back.inertia - body.inertia) <= rounding * trace(S_A));
        RC_ASSERT(difference(body.mass * mean_second_moments(body),
                             second_moments(points, zero3<double>())) <= rounding);
    }));
}

TEST_CASE("Joining: two clouds of points as one body are one cloud of points")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto a = dice.cloud(dice.whole(1, 8));
        auto b = dice.cloud(dice.whole(1, 8));
        const MassProperties parts[] = {mass_properties(a), mass_properties(b)};
        b.insert(b.end(), a.begin(), a.end());
        RC_ASSERT(difference(joined(parts), mass_properties(b)) <= rounding);
        RC_ASSERT(difference(joined(parts[0], parts[1]), joined(parts[1], parts[0])) <= rounding);
    }));
}

TEST_CASE("Splitting: what is joined and taken out again leaves what was there")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const MassProperties a = mass_properties(dice.cloud(dice.whole(2, 8)));
        const MassProperties b = mass_properties(dice.cloud(dice.whole(2, 8)));
        const MassProperties whole = joined(a, b);
        const auto rest = without(whole, a);
        RC_ASSERT(bool(rest));
        // b is a difference: what it was made from is larger by the ratio of the traces
        const double allowed =
            rounding * trace(whole.inertia) / trace(b.inertia) * std::max(1.0, whole.mass / b.mass);
        RC_ASSERT(difference(*rest, b) <= allowed);
    }));
}

TEST_CASE("Splitting: a part that does not fit is refused, with numbers")
{
    const MassProperties whole{2, zero3<double>(), diagonal(1.0, 1.0, 1.0)};
    const auto heavier = without(whole, {3, zero3<double>(), diagonal(0.1, 0.1, 0.1)});
    REQUIRE(!heavier);
    CHECK(heavier.problems().text().find("mass 3, the whole 2") != std::string::npos);
    const auto larger = without(whole, {1, zero3<double>(), diagonal(3.0, 3.0, 3.0)}, "tank");
    REQUIRE(!larger);
    CHECK(larger.problems().text().find("tank: the part does not fit") == 0);
    CHECK(larger.problems().text().find("-2") != std::string::npos);
    const auto outside = without(whole, point_mass(1, {5, 0, 0}));
    CHECK(!outside);
    CHECK(!without(whole, {std::nan(""), zero3<double>(), diagonal(0.0, 0.0, 0.0)}));
}

TEST_CASE("Change of view: a moved body has its inertia moved, whatever comes first")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        auto points = dice.cloud(dice.whole(2, 12));
        const MassProperties body = mass_properties(points);
        const Pose<double> pose{dice.vec(3), dice.turn()};
        for (PointMass& i : points)
            i.x = place(pose, i.x);
        RC_ASSERT(difference(moved(body, pose), mass_properties(points)) <= rounding);
        RC_ASSERT(difference(moved(moved(body, pose), inverse(pose)), body) <= rounding);
        const MassProperties other = mass_properties(dice.cloud(4));
        RC_ASSERT(difference(joined(moved(body, pose), moved(other, pose)),
                             moved(joined(body, other), pose)) <= rounding);
    }));
}

TEST_CASE("Change of unit: grams and millimetres give the same body")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        auto points = dice.cloud(dice.whole(2, 12));
        const MassProperties body = mass_properties(points);
        for (PointMass& i : points) {
            i.m *= 1e3;
            i.x = 1e3 * i.x;
        }
        RC_ASSERT(difference(rescaled(body, 1e3, 1e3), mass_properties(points)) <= rounding);
        RC_ASSERT(difference(with_mass(body, 7), rescaled(body, 7 / body.mass, 1)) <= rounding);
        RC_ASSERT(enlarged(body, 2) == rescaled(body, 8, 2));
    }));
}

TEST_CASE("Far away: joining and splitting lose no digit of the inertia")
{
    const MassProperties a{2, {1, 2, 3}, diagonal(1.0, 1.5, 2.0)};
    const MassProperties b{3, {2, 2, 3}, diagonal(0.5, 1.0, 1.0)};
    const Vec3<double> far{0x1p20, -0x1p20,
                           0x1p20}; // exact in binary: the sums see the same numbers
    const MassProperties near_by = joined(a, b), away = joined(moved(a, far), moved(b, far));
    CHECK(difference(away.inertia, near_by.inertia) <= 1e-15);
}

TEST_CASE("Spatial inertia: m, c and I of a body are its momentum about the origin")
{
    Dice dice(5);
    auto points = dice.cloud(6);
    const Twist<double> V{dice.vec(1), dice.vec(1)};
    for (PointMass& i : points)
        i.v = shift(V, i.x).v;
    const Momentum<double> M = spatial_inertia(mass_properties(points)) * V;
    const Momentum<double> sum = momentum(points, zero3<double>());
    CHECK(norm(M.p - sum.p) <= 1e-14 * 20); // sums of six terms of size ten
    CHECK(norm(M.L - sum.L) <= 1e-14 * 20);
}
