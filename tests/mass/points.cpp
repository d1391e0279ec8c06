// SPDX-License-Identifier: MIT
#include "poinsot/mass/points.hpp"
#include "mass/bodies.hpp"

#include <rapidcheck.h>

using namespace poinsot;

namespace {

// Sums of a dozen terms of size one: a few roundings each.
constexpr double rounding = 1e-13;

bool same(const Vec3<double>& a, const Vec3<double>& b, double scale, double relative = rounding)
{
    return norm(a - b) <= relative * scale;
}

} // namespace

TEST_CASE(
    "Point masses: inertia by components, by cross-product matrices and by r·r 1 − r rᵀ agree")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto points = dice.cloud(dice.whole(1, 12));
        const Vec3<double> A = dice.vec(2);
        const Sym3<double> I = inertia(points, A);
        RC_ASSERT(difference(inertia_by_components(points, A), I) <= rounding);
        RC_ASSERT(difference(inertia_by_skew(points, A), I) <= rounding);
        RC_ASSERT(difference(inertia_of_second_moments(second_moments(points, A)), I) <= rounding);
    }));
}

TEST_CASE(
    "Point masses: absolute and relative L differ by m (C − A) × v_A, and agree at the centre")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto points = dice.cloud(dice.whole(1, 12));
        const Vec3<double> A = dice.vec(2), v_A = dice.vec(3);
        const double m = total_mass(points);
        const Vec3<double> C = center_of_mass(points);
        const double scale = 10 * m * (1 + norm(v_A)) * (1 + norm(A));
        RC_ASSERT(same(angular_momentum(points, A) - angular_momentum(points, A, v_A),
                       m * cross(C - A, v_A), scale));
        RC_ASSERT(same(angular_momentum(points, C), angular_momentum(points, C, v_A), scale));
    }));
}

TEST_CASE("Point masses: L about another point is that of a momentum shifted")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto points = dice.cloud(dice.whole(1, 12));
        const Vec3<double> A = dice.vec(2), B = dice.vec(2);
        const auto [p, L] = shift(momentum(points, A), B - A);
        RC_ASSERT(same(L, angular_momentum(points, B), 100 * total_mass(points)));
        RC_ASSERT(p == linear_momentum(points));
    }));
}

TEST_CASE("König: energy and L are those of the centre and those about the centre")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        auto points = dice.cloud(dice.whole(1, 12));
        const Vec3<double> C = center_of_mass(points), v_C = velocity_of_center(points);
        const double m = total_mass(points), T = kinetic_energy(points);
        const Vec3<double> L_O = angular_momentum(points, zero3<double>());
        const Vec3<double> L_C = angular_momentum(points, C, v_C);
        for (PointMass& i : points)
            i.v -= v_C;
        RC_ASSERT(std::abs(T - 0.5 * m * norm2(v_C) - kinetic_energy(points)) <= rounding * T);
        RC_ASSERT(same(L_O, L_C + cross(C, m * v_C), 10 * m));
    }));
}

TEST_CASE("Point masses: forces between them have no sum and no torque about any point")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto points = dice.cloud(dice.whole(2, 12));
        std::vector<Vec3<double>> F(points.size(), zero3<double>());
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                const Vec3<double> pull = dice.in(-1, 1) * (points[k].x - points[i].x);
                F[i] += pull;
                F[k] -= pull;
            }
        const double scale = 10 * static_cast<double>(points.size() * points.size());
        RC_ASSERT(same(total_force(F), zero3<double>(), scale));
        RC_ASSERT(same(total_torque(points, F, dice.vec(2)), zero3<double>(), scale));
    }));
}

TEST_CASE("Point masses: uniform gravity makes no torque about the centre of mass or above it")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const auto points = dice.cloud(dice.whole(1, 12));
        const Vec3<double> g = dice.vec(10), C = center_of_mass(points);
        std::vector<Vec3<double>> weight;
        for (const PointMass& i : points)
            weight.push_back(i.m * g);
        const double scale = 10 * total_mass(points) * norm(g);
        RC_ASSERT(same(total_torque(points, weight, C), zero3<double>(), scale));
        RC_ASSERT(same(total_torque(points, weight, C + 0.7 * g), zero3<double>(), scale * 20));
        // about another point it is the weight that acts at the centre
        const Vec3<double> A = dice.vec(2);
        RC_ASSERT(
            same(total_torque(points, weight, A), cross(C - A, total_mass(points) * g), scale));
    }));
}

TEST_CASE("Rigid speed function: found where there is one, and L = I ω")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        auto points = dice.cloud(dice.whole(3, 12));
        const Vec3<double> v = dice.vec(3), omega = dice.vec(3), C = center_of_mass(points);
        for (PointMass& i : points)
            i.v = v + cross(omega, i.x);
        const PointMass& some = points.front();
        const RigidMotion motion = rigid_motion(points);
        // ω is divided by the smallest moment, which a random triangle may make a hundredth
        RC_ASSERT(same(motion.velocity(some.x), some.v, 10, 1e-11));
        RC_ASSERT(moves_rigidly(points, 1e-11));
        RC_ASSERT(same(angular_momentum(points, C, velocity_of_center(points)),
                       inertia(points, C) * omega, 20 * total_mass(points)));
        // distances keep their lengths: (x_i − x_k) · (v_i − v_k) = 0
        for (const PointMass& i : points)
            RC_ASSERT(std::abs(dot(i.x - some.x, i.v - some.v)) <= 100 * rounding);
        points[0].v.x += 0.01;
        RC_ASSERT(!moves_rigidly(points));
    }));
}

TEST_CASE("Rigid speed function: points on a line do not tell the spin about it")
{
    const Vec3<double> omega{1, 2, 3};
    std::vector<PointMass> rod;
    for (const double x : {-1.0, 0.5, 2.0})
        rod.push_back({1.5, {x, 0, 0}, cross(omega, Vec3<double>{x, 0, 0})});
    const RigidMotion motion = rigid_motion(rod);
    CHECK(moves_rigidly(rod));
    CHECK(norm(motion.V.omega - Vec3<double>{0, 2, 3}) <= 1e-15 * 10); // one division each
}

TEST_CASE("Liu (13): L of a turning body is m cr(R M Ṙᵀ) with the mean second moments M")
{
    Dice dice(3);
    const auto points = dice.cloud(8);
    const MassProperties body = mass_properties(points);
    const Mat3<double> R = matrix_of(dice.turn());
    const Vec3<double> omega = dice.vec(2);
    const Mat3<double> R_dot = skew(omega) * R;
    const Mat3<double> M = full(mean_second_moments(body));
    const Vec3<double> L = body.mass * cr(R * M * transpose(R_dot));
    const Vec3<double> L_O = congruent(R, inertia_about(body, zero3<double>())) * omega;
    CHECK(norm(L - L_O) <= 1e-14 * norm(L_O) * 10); // a dozen products
}
