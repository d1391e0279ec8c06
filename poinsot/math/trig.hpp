// SPDX-License-Identifier: MIT
#pragma once

// Sine, cosine and arctangent of our own: the same bits everywhere.
//
// A library's functions differ from version to version in the last digit and do not exist for
// packs. These take only + − × ÷ and mul_add, in a fixed order, without a branch.
//
//     x = n π/2 + r,  |r| ≤ π/4        π/2 in three parts, each product fused: r is right to one
//                                      rounding for |x| up to 2^30 (float: 2^16)
//     sin r, cos r                     Taylor to r¹⁷ and r¹⁶: the next term is below 1e-18
//     atan t, |t| ≤ tan π/8            polynomial of degree 23, error below 1e-17 (Chebyshev fit)
//
// Errors stay below 1.6 units in the last place for sine and cosine and below 3 for the arctangent,
// in double and in float (a test measures them against long double).
//
// Write poinsot::atan2 outside this namespace: <cmath> has one for double that is preferred there.

#include "poinsot/math/dual.hpp"

#include <numbers>

namespace poinsot {

inline constexpr double two_pi = 2 * std::numbers::pi;

template <class T>
struct SinCos {
    T sin, cos;
};

/// A literal as a scalar of any kind: rounded to the plain number inside, the same in every lane.
template <Scalar T>
constexpr T constant(double value)
{
    return T(static_cast<Real<T>>(value));
}

template <Scalar T>
inline SinCos<T> sin_cos(T x)
{
    using R = Real<T>;
    constexpr double half_pi = 0x1.921fb54442d18p+0;
    constexpr double rest = 0x1.1a62633145c07p-54;
    constexpr R part1 = static_cast<R>(half_pi);
    constexpr R part2 = static_cast<R>((half_pi - static_cast<double>(part1)) + rest);
    constexpr R part3 =
        sizeof(R) == 8
            ? static_cast<R>(-0x1.f1976b7ed8fbcp-110)
            : static_cast<R>(((half_pi - static_cast<double>(part1)) - static_cast<double>(part2)) +
                             rest);

    const T n = nearest(x * constant<T>(0.63661977236758134308));
    const T r = mul_add(-n, T(part3), mul_add(-n, T(part2), mul_add(-n, T(part1), x)));
    const T z = r * r;

    // sin r = r − r³/3! + r⁵/5! …,  cos r = 1 − r²/2! + r⁴/4! …
    T s = constant<T>(1.0 / 355687428096000.0);
    s = mul_add(s, z, constant<T>(-1.0 / 1307674368000.0));
    s = mul_add(s, z, constant<T>(1.0 / 6227020800.0));
    s = mul_add(s, z, constant<T>(-1.0 / 39916800.0));
    s = mul_add(s, z, constant<T>(1.0 / 362880.0));
    s = mul_add(s, z, constant<T>(-1.0 / 5040.0));
    s = mul_add(s, z, constant<T>(1.0 / 120.0));
    s = mul_add(s, z, constant<T>(-1.0 / 6.0));
    s = mul_add(s * z, r, r);

    T c = constant<T>(1.0 / 20922789888000.0);
    c = mul_add(c, z, constant<T>(-1.0 / 87178291200.0));
    c = mul_add(c, z, constant<T>(1.0 / 479001600.0));
    c = mul_add(c, z, constant<T>(-1.0 / 3628800.0));
    c = mul_add(c, z, constant<T>(1.0 / 40320.0));
    c = mul_add(c, z, constant<T>(-1.0 / 720.0));
    c = mul_add(c, z, constant<T>(1.0 / 24.0));
    // 1 − z/2 loses digits of z/2; what it lost is added back with the small terms.
    const T half_z = z * constant<T>(0.5);
    const T lead = T(R(1)) - half_z;
    c = lead + mul_add(c, z * z, (T(R(1)) - lead) - half_z);

    // The quarter turn k = n mod 4 in {−2, −1, 0, 1, 2}: odd ones exchange sine and cosine.
    const T k = mul_add(nearest(n * constant<T>(0.25)), constant<T>(-4.0), n);
    const T size = abs(k);
    const auto odd = (size > constant<T>(0.5)) && (size < constant<T>(1.5));
    const T sine = select(odd, c, s), cosine = select(odd, s, c);
    const auto flip_sine = (k < constant<T>(-0.5)) || (k > constant<T>(1.5));
    const auto flip_cosine = (k > constant<T>(0.5)) || (k < constant<T>(-1.5));
    return {select(flip_sine, -sine, sine), select(flip_cosine, -cosine, cosine)};
}

template <Scalar T>
SinCos<Dual<T>> sin_cos(Dual<T> x)
{
    const auto [s, c] = sin_cos(x.v);
    return {{s, c * x.d}, {c, -(s * x.d)}};
}

/// The angle of the point (x, y) in (−π, π]; zero for the origin.
template <Scalar T>
inline T atan2(T y, T x)
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0);
    const T ax = abs(x), ay = abs(y);
    const T small = min(ax, ay), large = max(ax, ay);
    const T t = small / select(large > zero, large, one);

    // atan t = π/4 + atan((t − 1)/(t + 1)) brings t below tan π/8.
    const auto upper = t > constant<T>(0.41421356237309504880);
    const T u = select(upper, (t - one) / (t + one), t);
    const T z = u * u;
    T p = constant<T>(-0.019175404711104933678);
    p = mul_add(p, z, constant<T>(0.039230447784793095235));
    p = mul_add(p, z, constant<T>(-0.050854078345894842573));
    p = mul_add(p, z, constant<T>(0.058581409048663282818));
    p = mul_add(p, z, constant<T>(-0.066645105255089365988));
    p = mul_add(p, z, constant<T>(0.076921831253768920895));
    p = mul_add(p, z, constant<T>(-0.090909045753064890845));
    p = mul_add(p, z, constant<T>(0.11111111015187018721));
    p = mul_add(p, z, constant<T>(-0.14285714284665680761));
    p = mul_add(p, z, constant<T>(0.19999999999995516545));
    p = mul_add(p, z, constant<T>(-0.33333333333333330156));
    p = mul_add(p * z, u, u);

    // Back through the three reflections: π/4, the diagonal, the y axis, the x axis.
    // Each constant comes with what its own rounding left over.
    using R = Real<T>;
    constexpr double quarter_pi = 0.78539816339744830962, rounded_off = 3.0616169978683830e-17;
    constexpr R quarter = static_cast<R>(quarter_pi);
    constexpr R rest = static_cast<R>((quarter_pi - static_cast<double>(quarter)) + rounded_off);
    const T acute = select(upper, T(quarter) + (p + T(rest)), p);
    const T right = select(ay > ax, T(2 * quarter) - (acute - T(2 * rest)), acute);
    const T above = select(x < zero, T(4 * quarter) - (right - T(4 * rest)), right);
    return select(y < zero, -above, above);
}

template <Scalar T>
Dual<T> atan2(Dual<T> y, Dual<T> x)
{
    // d atan2 = (x dy − y dx)/(x² + y²)
    return {atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / (x.v * x.v + y.v * y.v)};
}

extern template SinCos<double> sin_cos(double);
extern template double atan2(double, double);

} // namespace poinsot
