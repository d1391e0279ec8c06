// SPDX-License-Identifier: MIT
#pragma once

// Six numbers in two registers: a wrench, a twist, a row of a 6×6 block.
//
// Two lanes and four: of the upper triangle of a symmetric block, all but the first two rows then
// need the four alone. All is lane by lane, each lane rounded once; sums across lanes say in which
// order they add.

#include "poinsot/math/pack.hpp"
#include "poinsot/math/spatial.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace poinsot {

using Vec6 = std::array<double, 6>;

struct Wide {
    using Two = Pack<double, 2>;
    using Four = Pack<double, 4>;
    Two low;
    Four high;

    Wide() = default;
    explicit Wide(double same) : low(same), high(same) {}
    explicit Wide(const Vec6& a) : Wide(a.data()) {}
    explicit Wide(const Wrench<double>& a) : Wide(&a.F.x)
    {
        static_assert(sizeof a == sizeof(Vec6));
    }
    explicit Wide(const Twist<double>& a) : Wide(&a.v.x)
    {
        static_assert(sizeof a == sizeof(Vec6));
    }
    /// Three numbers, and three more.
    Wide(const Vec3<double>& a, const Vec3<double>& b)
        : low(Two::of(Two::Vector{a.x, a.y})), high(Four::of(Four::Vector{a.z, b.x, b.y, b.z}))
    {
    }
    Wide(const Two& a, const Two& b, const Two& c)
        : low(a), high(Four::of(__builtin_shufflevector(b.v, c.v, 0, 1, 2, 3)))
    {
    }
    void store(Vec6& a) const { store(a.data()); }
    void store(Wrench<double>& a) const { store(&a.F.x); }
    void store(Twist<double>& a) const { store(&a.v.x); }

    friend Wide operator+(const Wide& a, const Wide& b) { return {a.low + b.low, a.high + b.high}; }
    friend Wide operator-(const Wide& a, const Wide& b) { return {a.low - b.low, a.high - b.high}; }
    friend Wide operator*(const Wide& a, const Wide& b) { return {a.low * b.low, a.high * b.high}; }
    friend Wide operator*(double s, const Wide& a) { return Wide(s) * a; }
    friend Wide mul_add(const Wide& a, const Wide& b, const Wide& c)
    {
        return {mul_add(a.low, b.low, c.low), mul_add(a.high, b.high, c.high)};
    }
    friend Wide mul_add(double s, const Wide& a, const Wide& c) { return mul_add(Wide(s), a, c); }
    friend Wide max(const Wide& a, const Wide& b)
    {
        return {max(a.low, b.low), max(a.high, b.high)};
    }
    friend Wide abs(const Wide& a) { return {without_sign(a.low), without_sign(a.high)}; }

    static Two lower(const Four& a) { return Two::of(__builtin_shufflevector(a.v, a.v, 0, 1)); }
    static Two upper(const Four& a) { return Two::of(__builtin_shufflevector(a.v, a.v, 2, 3)); }

  private:
    template <int W>
    static Pack<double, W> without_sign(const Pack<double, W>& a)
    {
        using Bits = typename Mask<double, W>::Vector;
        using Lanes = typename Pack<double, W>::Vector;
        const Bits bits = std::bit_cast<Bits>(a.v) & 0x7fffffffffffffff;
        return Pack<double, W>::of(std::bit_cast<Lanes>(bits));
    }
    explicit Wide(const double* a)
    {
        std::memcpy(&low.v, a, sizeof low.v);
        std::memcpy(&high.v, a + 2, sizeof high.v);
    }
    Wide(const Two& l, const Four& h) : low(l), high(h) {}
    void store(double* a) const
    {
        std::memcpy(a, &low.v, sizeof low.v);
        std::memcpy(a + 2, &high.v, sizeof high.v);
    }
};

/// The sums of two: (0 + 2 + 4) + (1 + 3 + 5) of each.
inline Pack<double, 2> sums(const Wide& a, const Wide& b)
{
    using Two = Pack<double, 2>;
    const auto halves = [](const Wide& x) {
        return Wide::lower(x.high) + Wide::upper(x.high) + x.low;
    };
    const Two first = halves(a), second = halves(b);
    return Two::of(__builtin_shufflevector(first.v, second.v, 0, 2)) +
           Two::of(__builtin_shufflevector(first.v, second.v, 1, 3));
}
/// a · x and b · x
inline Pack<double, 2> dots(const Wide& a, const Wide& b, const Wide& x)
{
    return sums(a * x, b * x);
}

/// Rows to columns.
inline std::array<Wide, 6> transpose(const std::array<Wide, 6>& a)
{
    using Two = Pack<double, 2>;
    using Four = Pack<double, 4>;
    std::array<Wide, 6> made;
    std::array<std::array<Two, 3>, 2> low;   // of two rows each: lanes 0 and lanes 1
    std::array<std::array<Four, 3>, 2> high; // lanes 2 and 4, and lanes 3 and 5
    for (std::size_t j = 0; j < 3; ++j) {
        const Wide &p = a[2 * j], &q = a[2 * j + 1];
        low[0][j] = Two::of(__builtin_shufflevector(p.low.v, q.low.v, 0, 2));
        low[1][j] = Two::of(__builtin_shufflevector(p.low.v, q.low.v, 1, 3));
        high[0][j] = Four::of(__builtin_shufflevector(p.high.v, q.high.v, 0, 4, 2, 6));
        high[1][j] = Four::of(__builtin_shufflevector(p.high.v, q.high.v, 1, 5, 3, 7));
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& h = high[i];
        made[i] = {low[i][0], low[i][1], low[i][2]};
        made[i + 2] = {Wide::lower(h[0]), Wide::lower(h[1]), Wide::lower(h[2])};
        made[i + 4] = {Wide::upper(h[0]), Wide::upper(h[1]), Wide::upper(h[2])};
    }
    return made;
}

} // namespace poinsot
