// SPDX-License-Identifier: MIT
#include "poinsot/math/trig.hpp"
#include "math/kernels.hpp"

#include <cfloat>

using namespace poinsot;

static_assert(LDBL_MANT_DIG >= 64, "the oracle needs at least eleven digits more than a double");

namespace {

/// The error of a number in units of the last place of the true one. long double has 11 bits more
/// than double: the oracle is good to a two-thousandth of a unit.
template <std::floating_point T>
double ulps(T ours, long double truth)
{
    int exponent;
    std::frexp(truth, &exponent);
    const int lowest = std::numeric_limits<T>::min_exponent; // below it the unit no longer shrinks
    const int digits = std::numeric_limits<T>::digits;
    const long double unit = std::ldexp(1.0L, std::max(exponent, lowest) - digits);
    return static_cast<double>(std::abs(static_cast<long double>(ours) - truth) / unit);
}
template <std::floating_point T>
double error_of_sin_cos(T x)
{
    const auto [s, c] = sin_cos(x);
    const auto exact = static_cast<long double>(x);
    return std::max(ulps(s, std::sin(exact)), ulps(c, std::cos(exact)));
}
template <std::floating_point T>
double error_of_atan2(T y, T x)
{
    return ulps(poinsot::atan2(y, x),
                std::atan2(static_cast<long double>(y), static_cast<long double>(x)));
}

/// The largest error among all turns up to `limit`: random, and next to multiples of π/4.
template <std::floating_point T>
double worst_of_sin_cos(double limit)
{
    Dice dice(3);
    double worst = 0;
    for (int i = 0; i < 200'000; ++i) {
        const double any = dice.in(-limit, limit), small = dice.in(-7, 7);
        const double spread = dice.sign() * std::exp2(dice.in(-40, std::log2(limit)));
        for (const double x : {any, small, spread})
            worst = std::max(worst, error_of_sin_cos(static_cast<T>(x)));

        // Where sine or cosine has a zero the digits of π decide.
        const int quarters = dice.whole(-6, 6);
        const long double turn = std::numbers::pi_v<long double> / 4;
        const double far = std::nearbyint(any / (pi / 4)), near_by = quarters;
        for (const double k : {far, near_by}) {
            T x = static_cast<T>(static_cast<long double>(k) * turn);
            if (std::abs(x) > T(limit))
                continue;
            for (const T to :
                 {-std::numeric_limits<T>::infinity(), T(0), std::numeric_limits<T>::infinity()}) {
                worst = std::max(worst, error_of_sin_cos(x));
                x = std::nextafter(x, to);
            }
        }
    }
    return worst;
}
template <std::floating_point T>
double worst_of_atan2()
{
    Dice dice(4);
    double worst = 0;
    for (int i = 0; i < 300'000; ++i) {
        const T y = static_cast<T>(dice.in(-2, 2)), x = static_cast<T>(dice.in(-2, 2));
        const T steep = static_cast<T>(dice.sign() * std::exp2(dice.in(-60, 60)));
        // next to the diagonal, and next to tan π/8, where the polynomial changes its argument
        const T diagonal = x * static_cast<T>(1 + dice.sign() * std::exp2(dice.in(-52, -1)));
        const T eighth = x * static_cast<T>(0.41421356237309504880 + dice.in(-1e-6, 1e-6));
        for (const T other : {y, steep, diagonal, eighth})
            worst = std::max({worst, error_of_atan2(other, x), error_of_atan2(x, other)});
    }
    return worst;
}

} // namespace

// Measured on 2026-11-15 over 10⁸ such arguments: 1.48 for sine and cosine (float, up to 2^16: the
// same; 3.4 up to 2^22), 2.72 for the arctangent (float: 2.44).
TEST_CASE("Sine and cosine are right to 1.6 units in the last place, up to 2^30")
{
    CHECK(worst_of_sin_cos<double>(0x1p30) < 1.6);
    CHECK(worst_of_sin_cos<float>(0x1p16) < 1.6);
}

TEST_CASE("Arctangent is right to three units in the last place, whatever the quadrant")
{
    CHECK(worst_of_atan2<double>() < 3);
    CHECK(worst_of_atan2<float>() < 3);
}

TEST_CASE("Sine and cosine: the doubles nearest to multiples of π/2 keep all their digits")
{
    // Roundings of π/2 times a power of two, and numbers that nearly are multiples of it.
    for (const double x : {0x1.921fb54442d18p+0, 0x1.921fb54442d18p+1, 0x1.921fb54442d18p+10,
                           0x1.921fb54442d18p+29, 0x1.f6a7a2955385ep+4, 0x1.6c6cbc45dc8dep+5,
                           0x1.3ea0b6e9e8c45p+28, 11.0, 22.0, 355.0, 710.0, 0x1p30})
        for (const double sign : {1.0, -1.0})
            CHECK(error_of_sin_cos(sign * x) < 1.6);
}

TEST_CASE("Sine is odd and cosine even, to the bit, and both are right at zero")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double x = std::exp2(dice.in(-30, 30));
        const auto right = sin_cos(x), left = sin_cos(-x);
        RC_ASSERT(left.sin == -right.sin);
        RC_ASSERT(left.cos == right.cos);
        // one rounding of each square and of the sum, and twice the errors above
        RC_ASSERT(std::abs(right.sin * right.sin + right.cos * right.cos - 1) <= 4 * eps);
    }));
    CHECK(sin_cos(0.0).sin == 0);
    CHECK(sin_cos(0.0).cos == 1);
    CHECK(sin_cos(1e-300).sin == 1e-300);
    CHECK(sin_cos(0x1p-1074).sin == 0x1p-1074);
}

TEST_CASE("Arctangent: axes, corners and the origin have the angles of the drawing")
{
    CHECK(poinsot::atan2(0.0, 0.0) == 0);
    CHECK(poinsot::atan2(-0.0, -0.0) == 0);
    for (const double r : {1e-300, 1e-3, 1.0, 3.0, 1e300}) {
        CHECK(poinsot::atan2(0.0, r) == 0);
        CHECK(poinsot::atan2(r, 0.0) == pi / 2);
        CHECK(poinsot::atan2(0.0, -r) == pi);
        CHECK(poinsot::atan2(-0.0, -r) == pi); // the sign of zero says nothing: angles end at +π
        CHECK(poinsot::atan2(-r, 0.0) == -pi / 2);
        CHECK(poinsot::atan2(r, r) == pi / 4);
        CHECK(poinsot::atan2(r, -r) == 3 * (pi / 4));
        CHECK(poinsot::atan2(-r, -r) == -3 * (pi / 4));
        CHECK(poinsot::atan2(-r, r) == -pi / 4);
    }
}

TEST_CASE("Arctangent undoes sine and cosine in all four quadrants")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double angle = dice.in(-pi, pi), r = std::exp2(dice.in(-20, 20));
        const auto [s, c] = sin_cos(angle);
        // s and c are off by a unit of their last place, the angle by two of its own
        RC_ASSERT(near(poinsot::atan2(r * s, r * c), angle, 4 * eps, 1));
    }));
}

TEST_CASE("Arctangent: the angle depends on the direction alone, to the bit for powers of two")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double y = dice.in(-1, 1), x = dice.in(-1, 1);
        const double scale = std::exp2(dice.whole(-500, 500));
        RC_ASSERT(same_bits(poinsot::atan2(scale * y, scale * x), poinsot::atan2(y, x)));
        RC_ASSERT(poinsot::atan2(-y, x) == -poinsot::atan2(y, x));
    }));
}
