// SPDX-License-Identifier: MIT
#pragma once

// Exponential and natural logarithm of our own: the same bits everywhere, as sine and cosine are.
//
//     e^x = 2^n e^r,        x = n ln 2 + r,  |r| ≤ ½ ln 2          Taylor to r¹³: below 1e-17
//     ln x = e ln 2 + ln m, x = m 2^e,  √½ ≤ m < √2
//     ln m = 2 (s + s³/3 + s⁵/5 …),  s = (m − 1)/(m + 1)           to s²¹: below 1e-18
//
// ln 2 comes in two parts, the first short enough for n times it to be exact. Errors stay below two
// units in the last place (a test measures them against long double). Double only: 2^n needs the
// exponent of a plain number.

#include "poinsot/math/scalar.hpp"

#include <initializer_list>

namespace poinsot {

namespace ln2 {
inline constexpr double head = 0x1.62e42fefa38p-1;     // 42 bits
inline constexpr double rest = 0x1.ef35793c7673p-45;   // ln 2 − head
inline constexpr double inverse = 0x1.71547652b82fep0; // 1/ln 2
} // namespace ln2

/// e^x; beyond ±700 as far as a double goes: infinity and zero.
inline double exponential(double x)
{
    if (!(std::abs(x) < 745)) // what is larger overflows or vanishes; NaN stays NaN
        return x > 0 ? HUGE_VAL : (x < 0 ? 0.0 : x);
    const double n = nearest(x * ln2::inverse);
    const double high = mul_add(-n, ln2::head, x), low = n * ln2::rest;
    const double r = high - low;
    double sum = 1.0 / 6227020800;
    for (const double k : {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                           1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5})
        sum = mul_add(sum, r, k);
    // 1 + r + r² sum, with what r lost of high − low.
    const double small = mul_add(r * r, sum, (high - r) - low);
    return std::ldexp(1 + (r + small), static_cast<int>(n));
}

/// ln x; minus infinity at zero, NaN below.
inline double logarithm(double x)
{
    if (!(x > 0) || x == HUGE_VAL)
        return x == 0 ? -HUGE_VAL : (x > 0 ? x : std::nan(""));
    int e = 0;
    double m = std::frexp(x, &e);
    if (m < 0.70710678118654752440) {
        m *= 2;
        --e;
    }
    // ln m = f − f²/2 + s (f²/2 + R),  f = m − 1: the large part f is exact.
    const double f = m - 1, s = f / (2 + f), z = s * s;
    double R = 2.0 / 21;
    for (const double k :
         {2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3})
        R = mul_add(R, z, k);
    const double half = 0.5 * f * f;
    const double n = e;
    return mul_add(n, ln2::head, f - (half - mul_add(s, mul_add(R, z, half), n * ln2::rest)));
}

/// x^y for x > 0.
inline double power_of(double x, double y)
{
    return exponential(y * logarithm(x));
}

} // namespace poinsot
