// SPDX-License-Identifier: MIT
#include "poinsot/math/exp_log.hpp"

#include "math/kernels.hpp"

using namespace poinsot;

namespace {

/// The error in units in the last place of the truth.
double ulps(double value, long double truth)
{
    const double nearest_truth = static_cast<double>(truth);
    const double ulp = std::nextafter(std::abs(nearest_truth), HUGE_VAL) - std::abs(nearest_truth);
    return static_cast<double>(std::abs((static_cast<long double>(value) - truth) / ulp));
}

} // namespace

TEST_CASE("Exponential and logarithm are right to two units in the last place")
{
    Dice dice(1);
    double worst_exp = 0, worst_log = 0;
    for (int i = 0; i < 200000; ++i) {
        const double x = dice.in(-700, 700), y = dice.in(-2, 2);
        worst_exp =
            std::max({worst_exp, ulps(exponential(x), std::exp(static_cast<long double>(x))),
                      ulps(exponential(y), std::exp(static_cast<long double>(y)))});
        const double large = std::exp(x), close = 1 + 0.5 * y * y * y * 0.24;
        worst_log =
            std::max({worst_log, ulps(logarithm(large), std::log(static_cast<long double>(large))),
                      ulps(logarithm(close), std::log(static_cast<long double>(close)))});
    }
    CHECK(worst_exp < 2);
    CHECK(worst_log < 2);
    MESSAGE("exponential " << worst_exp << " ulp, logarithm " << worst_log << " ulp");
}

TEST_CASE("Exponential and logarithm at their ends")
{
    CHECK(exponential(0) == 1);
    CHECK(logarithm(1) == 0);
    CHECK(exponential(-1000) == 0);
    CHECK(exponential(1000) == HUGE_VAL);
    CHECK(logarithm(0) == -HUGE_VAL);
    CHECK(logarithm(HUGE_VAL) == HUGE_VAL);
    CHECK(std::isnan(logarithm(-1)));
    CHECK(std::isnan(logarithm(std::nan(""))));
    CHECK(std::isnan(exponential(std::nan(""))));
    CHECK(near(power_of(2, 10), 1024, 1e-15));
}
