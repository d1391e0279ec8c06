// SPDX-License-Identifier: MIT
#pragma once

// W numbers side by side: one lane, one world.
//
// A Pack wraps the compilers' vector type, which g++ and clang share; there are no intrinsics.
// Each lane has the bits the plain number would have: the same operations in the same order,
// each rounded once. ArrayPack is the same thing as a plain array and a loop: the portable form,
// and the oracle of the tests.

#include "poinsot/math/scalar.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace poinsot {

namespace detail {
template <std::size_t Bytes>
struct IntegerOf;
template <>
struct IntegerOf<4> {
    using type = std::int32_t;
};
template <>
struct IntegerOf<8> {
    using type = std::int64_t;
};
} // namespace detail

/// One truth per lane, as the compilers' vector comparison makes it: all bits set, or none.
template <class T, int W>
struct Mask {
    using Int = typename detail::IntegerOf<sizeof(T)>::type;
    typedef Int Vector __attribute__((vector_size(sizeof(T) * W)));
    Vector v;

    constexpr bool operator[](int lane) const { return v[lane] != 0; }
    friend constexpr Mask operator&&(Mask a, Mask b) { return {a.v & b.v}; }
    friend constexpr Mask operator||(Mask a, Mask b) { return {a.v | b.v}; }
    friend constexpr Mask operator!(Mask a) { return {~a.v}; }
    friend constexpr bool any(Mask a)
    {
        bool found = false;
        for (int i = 0; i < W; ++i)
            found = found || a[i];
        return found;
    }
    friend constexpr bool all(Mask a) { return !any(!a); }
};

template <std::floating_point T, int W>
struct Pack {
    static_assert(W >= 2 && (W & (W - 1)) == 0, "a power of two fills a register");
    typedef T Vector __attribute__((vector_size(sizeof(T) * W)));
    static constexpr int width = W;
    Vector v;

    Pack() = default;
    // By reference: clang will not pass a vector wider than the machine's registers by value.
    static constexpr Pack of(const Vector& lanes)
    {
        Pack made;
        made.v = lanes;
        return made;
    }
    constexpr Pack(T same) : v(same - Vector{}) {}

    constexpr T operator[](int lane) const { return v[lane]; }
    constexpr void set(int lane, T value) { v[lane] = value; }

    friend constexpr Pack operator+(Pack a, Pack b) { return of(a.v + b.v); }
    friend constexpr Pack operator-(Pack a, Pack b) { return of(a.v - b.v); }
    friend constexpr Pack operator*(Pack a, Pack b) { return of(a.v * b.v); }
    friend constexpr Pack operator/(Pack a, Pack b) { return of(a.v / b.v); }
    friend constexpr Pack operator-(Pack a) { return of(-a.v); }
    constexpr Pack& operator+=(Pack b) { return *this = *this + b; }
    constexpr Pack& operator-=(Pack b) { return *this = *this - b; }
    constexpr Pack& operator*=(Pack b) { return *this = *this * b; }

    friend constexpr Mask<T, W> operator<(Pack a, Pack b) { return {a.v < b.v}; }
    friend constexpr Mask<T, W> operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
    friend constexpr Mask<T, W> operator>(Pack a, Pack b) { return {a.v > b.v}; }
    friend constexpr Mask<T, W> operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
    friend constexpr Mask<T, W> operator==(Pack a, Pack b) { return {a.v == b.v}; }

    friend constexpr Pack select(Mask<T, W> mask, Pack yes, Pack no)
    {
        return of(mask.v ? yes.v : no.v);
    }
    friend constexpr Pack min(Pack a, Pack b) { return select(b < a, b, a); }
    friend constexpr Pack max(Pack a, Pack b) { return select(a < b, b, a); }
    friend constexpr Pack abs(Pack a)
    {
        const Pack zero(T(0));
        return select(a < zero, -a, select(a == zero, zero, a));
    }
    friend constexpr Pack nearest(Pack a)
    {
        const Pack shift(sizeof(T) == 8 ? T(6755399441055744.0) : T(12582912.0));
        return (a + shift) - shift;
    }
    friend Pack sqrt(Pack a)
    {
#if defined(__AVX__) // compilers take the loop below apart where lanes come and go one by one
        if constexpr (sizeof(T) == 8 && W == 4)
            return of(__builtin_ia32_sqrtpd256(a.v));
#endif
        Pack root;
        for (int i = 0; i < W; ++i)
            root.v[i] = std::sqrt(a.v[i]);
        return root;
    }
    friend Pack mul_add(Pack a, Pack b, Pack c)
    {
#if defined(__FMA__)
        // In long functions compilers take the loop below apart and leave single products: ask for
        // the one instruction that the loop is.
        if constexpr (sizeof(T) == 8 && W == 4)
            return of(__builtin_ia32_vfmaddpd256(a.v, b.v, c.v));
        if constexpr (sizeof(T) == 8 && W == 2)
            return of(__builtin_ia32_vfmaddpd(a.v, b.v, c.v));
#endif
#if defined(__AVX512F__) && !defined(__clang__)
        if constexpr (sizeof(T) == 8 && W == 8) // all lanes, rounded as everywhere
            return of(__builtin_ia32_vfmaddpd512_mask(a.v, b.v, c.v, -1, 4));
#endif
        Pack sum;
        for (int i = 0; i < W; ++i)
            sum.v[i] = std::fma(a.v[i], b.v[i], c.v[i]);
        return sum;
    }
};

template <class T, int W>
struct RealOf<Pack<T, W>> {
    using type = T;
};

/// The portable form of a Pack, and its oracle: an array and a loop.
template <std::floating_point T, int W>
struct ArrayPack {
    static constexpr int width = W;
    struct Truth {
        std::array<bool, W> v;
        template <class Function>
        static constexpr Truth each(Function f)
        {
            Truth t;
            for (std::size_t i = 0; i < W; ++i)
                t.v[i] = f(i);
            return t;
        }
        constexpr bool operator[](int lane) const { return v[static_cast<std::size_t>(lane)]; }
        friend constexpr Truth operator&&(Truth a, Truth b)
        {
            return each([&](std::size_t i) { return a.v[i] && b.v[i]; });
        }
        friend constexpr Truth operator||(Truth a, Truth b)
        {
            return each([&](std::size_t i) { return a.v[i] || b.v[i]; });
        }
        friend constexpr Truth operator!(Truth a)
        {
            return each([&](std::size_t i) { return !a.v[i]; });
        }
        friend constexpr bool any(Truth a)
        {
            bool found = false;
            for (const bool lane : a.v)
                found = found || lane;
            return found;
        }
        friend constexpr bool all(Truth a) { return !any(!a); }
    };
    std::array<T, W> v;

    ArrayPack() = default;
    constexpr ArrayPack(T same) { v.fill(same); }
    constexpr T operator[](int lane) const { return v[static_cast<std::size_t>(lane)]; }
    constexpr void set(int lane, T value) { v[static_cast<std::size_t>(lane)] = value; }

    template <class Function>
    static constexpr ArrayPack each(Function f)
    {
        ArrayPack r;
        for (std::size_t i = 0; i < W; ++i)
            r.v[i] = f(i);
        return r;
    }
    friend constexpr ArrayPack operator+(ArrayPack a, ArrayPack b)
    {
        return each([&](std::size_t i) { return a.v[i] + b.v[i]; });
    }
    friend constexpr ArrayPack operator-(ArrayPack a, ArrayPack b)
    {
        return each([&](std::size_t i) { return a.v[i] - b.v[i]; });
    }
    friend constexpr ArrayPack operator*(ArrayPack a, ArrayPack b)
    {
        return each([&](std::size_t i) { return a.v[i] * b.v[i]; });
    }
    friend constexpr ArrayPack operator/(ArrayPack a, ArrayPack b)
    {
        return each([&](std::size_t i) { return a.v[i] / b.v[i]; });
    }
    friend constexpr ArrayPack operator-(ArrayPack a)
    {
        return each([&](std::size_t i) { return -a.v[i]; });
    }
    constexpr ArrayPack& operator+=(ArrayPack b) { return *this = *this + b; }
    constexpr ArrayPack& operator-=(ArrayPack b) { return *this = *this - b; }
    constexpr ArrayPack& operator*=(ArrayPack b) { return *this = *this * b; }

    friend constexpr Truth operator<(ArrayPack a, ArrayPack b)
    {
        return Truth::each([&](std::size_t i) { return a.v[i] < b.v[i]; });
    }
    friend constexpr Truth operator>(ArrayPack a, ArrayPack b) { return b < a; }
    friend constexpr Truth operator<=(ArrayPack a, ArrayPack b)
    {
        return Truth::each([&](std::size_t i) { return a.v[i] <= b.v[i]; });
    }
    friend constexpr Truth operator>=(ArrayPack a, ArrayPack b) { return b <= a; }
    friend constexpr Truth operator==(ArrayPack a, ArrayPack b)
    {
        return Truth::each([&](std::size_t i) { return a.v[i] == b.v[i]; });
    }
    friend constexpr ArrayPack select(Truth mask, ArrayPack yes, ArrayPack no)
    {
        return each([&](std::size_t i) { return mask.v[i] ? yes.v[i] : no.v[i]; });
    }
    friend constexpr ArrayPack min(ArrayPack a, ArrayPack b) { return select(b < a, b, a); }
    friend constexpr ArrayPack max(ArrayPack a, ArrayPack b) { return select(a < b, b, a); }
    friend constexpr ArrayPack abs(ArrayPack a)
    {
        return each([&](std::size_t i) { return poinsot::abs(a.v[i]); });
    }
    friend constexpr ArrayPack nearest(ArrayPack a)
    {
        return each([&](std::size_t i) { return poinsot::nearest(a.v[i]); });
    }
    friend ArrayPack sqrt(ArrayPack a)
    {
        return each([&](std::size_t i) { return std::sqrt(a.v[i]); });
    }
    friend ArrayPack mul_add(ArrayPack a, ArrayPack b, ArrayPack c)
    {
        return each([&](std::size_t i) { return std::fma(a.v[i], b.v[i], c.v[i]); });
    }
};

template <class T, int W>
struct RealOf<ArrayPack<T, W>> {
    using type = T;
};

static_assert(Scalar<Pack<double, 4>> && Scalar<Pack<float, 8>> && Scalar<ArrayPack<double, 4>>);

} // namespace poinsot
