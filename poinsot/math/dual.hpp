// SPDX-License-Identifier: MIT
#pragma once

// A value and its derivative along one direction.
//
//     f(a + ε a') = f(a) + ε f'(a) a'          ε² = 0
//
// Comparisons look at the value alone, so a kernel takes the same way for a Dual as for a double.
// T may itself be a Pack: W directions at once.

#include "poinsot/math/scalar.hpp"

namespace poinsot {

template <Scalar T = double>
struct Dual {
    T v, d;

    Dual() = default;
    constexpr Dual(T value) : v(value), d(T(0.0)) {}
    constexpr Dual(T value, T derivative) : v(value), d(derivative) {}
    constexpr explicit Dual(double value) requires(!std::same_as<T, double>)
        : v(static_cast<Real<T>>(value)), d(T(0.0))
    {
    }

    friend constexpr Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
    friend constexpr Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
    friend constexpr Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
    friend constexpr Dual operator/(Dual a, Dual b)
    {
        const T quotient = a.v / b.v;
        return {quotient, (a.d - quotient * b.d) / b.v};
    }
    friend constexpr Dual operator-(Dual a) { return {-a.v, -a.d}; }
    constexpr Dual& operator+=(Dual b) { return *this = *this + b; }
    constexpr Dual& operator-=(Dual b) { return *this = *this - b; }
    constexpr Dual& operator*=(Dual b) { return *this = *this * b; }

    friend constexpr auto operator<(Dual a, Dual b) { return a.v < b.v; }
    friend constexpr auto operator<=(Dual a, Dual b) { return a.v <= b.v; }
    friend constexpr auto operator>(Dual a, Dual b) { return a.v > b.v; }
    friend constexpr auto operator>=(Dual a, Dual b) { return a.v >= b.v; }
    friend constexpr auto operator==(Dual a, Dual b) { return a.v == b.v; }

    template <class Truth>
    friend constexpr Dual select(Truth mask, Dual yes, Dual no)
    {
        return {select(mask, yes.v, no.v), select(mask, yes.d, no.d)};
    }
    friend constexpr Dual min(Dual a, Dual b) { return select(b < a, b, a); }
    friend constexpr Dual max(Dual a, Dual b) { return select(a < b, b, a); }
    friend constexpr Dual abs(Dual a) { return {abs(a.v), select(a.v < T(0.0), -a.d, a.d)}; }
    /// A step function: its derivative is zero wherever it has one.
    friend constexpr Dual nearest(Dual a) { return {nearest(a.v), T(0.0)}; }
    friend Dual sqrt(Dual a)
    {
        const T root = sqrt(a.v);
        return {root, a.d / (root + root)};
    }
    friend Dual mul_add(Dual a, Dual b, Dual c)
    {
        return {mul_add(a.v, b.v, c.v), mul_add(a.d, b.v, mul_add(a.v, b.d, c.d))};
    }
};

template <class T>
struct RealOf<Dual<T>> {
    using type = Real<T>;
};

static_assert(Scalar<Dual<double>>);

} // namespace poinsot
