// SPDX-License-Identifier: MIT
#pragma once

// What a number must be able to do.
//
// Kernels are templates over one Scalar: double, float, a Pack (one number per world or contact)
// or a Dual (a value and its derivative). They never branch on a T: a comparison gives a mask, and
// `select` chooses by it. Products that should be fused are written `mul_add`: contraction is off
// everywhere, so the bits are the same in scalar and packed code and with every compiler.
//
//     mul_add(a, b, c) = a b + c       rounded once

#include <cmath>
#include <concepts>

namespace poinsot {

/// The plain number inside a scalar: double for double, Pack<double, 4> and Dual<double>.
template <class T>
struct RealOf {
    using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;

template <std::floating_point T>
[[gnu::always_inline]] constexpr T select(bool mask, T yes, T no)
{
    return mask ? yes : no;
}
template <std::floating_point T>
[[gnu::always_inline]] constexpr T min(T a, T b)
{
    return select(b < a, b, a);
}
template <std::floating_point T>
[[gnu::always_inline]] constexpr T max(T a, T b)
{
    return select(a < b, b, a);
}
template <std::floating_point T>
[[gnu::always_inline]] inline T mul_add(T a, T b, T c)
{
    return std::fma(a, b, c);
}
// sqrt, abs and nearest are named here, so that a template finds them for plain numbers by the
// namespace and for packs and duals by their arguments.
template <std::floating_point T>
[[gnu::always_inline]] inline T sqrt(T a)
{
    return std::sqrt(a);
}
template <std::floating_point T>
[[gnu::always_inline]] constexpr T abs(T a)
{
    return a < T(0) ? -a : (a == T(0) ? T(0) : a);
}
/// The whole number nearest to a, for |a| below 2^51 (2^22 for float); halves go to even. Adding
/// and subtracting 1.5·2^52 lets the rounding of the adder do the work in scalar and pack alike.
template <std::floating_point T>
[[gnu::always_inline]] constexpr T nearest(T a)
{
    constexpr T shift = sizeof(T) == 8 ? T(6755399441055744.0) : T(12582912.0);
    return (a + shift) - shift;
}
constexpr bool any(bool mask)
{
    return mask;
}
constexpr bool all(bool mask)
{
    return mask;
}

// clang-format off
template <class T>
concept Scalar = requires(T a, T b) {
    T(1.0);
    { a + b } -> std::convertible_to<T>;
    { a - b } -> std::convertible_to<T>;
    { a * b } -> std::convertible_to<T>;
    { a / b } -> std::convertible_to<T>;
    { -a } -> std::convertible_to<T>;
    { select(a < b, a, b) } -> std::convertible_to<T>;
    { mul_add(a, b, a) } -> std::convertible_to<T>;
    { sqrt(a) } -> std::convertible_to<T>;
    { nearest(a) } -> std::convertible_to<T>;
};
// clang-format on

static_assert(Scalar<double> && Scalar<float>);

} // namespace poinsot
