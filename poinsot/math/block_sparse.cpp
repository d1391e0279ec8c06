// SPDX-License-Identifier: MIT
#include "poinsot/math/block_sparse.hpp"

#include "poinsot/base/check.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace poinsot {

namespace {

constexpr std::size_t N = 6;

/// K = L D Lᵀ in place: L below the diagonal. Reads the diagonal and what is above it.
///
/// Two pivots at a time, for a division takes as long as all that comes between two of them:
///
///     d₀ = a                 d₁ = c − b²/a = det/a,   det = a c − b²
///
/// so that 1/a and 1/det are divided side by side. The rounding of det is one of c, as it would be
/// in c − b²/a. False, and nothing done, where a pivot vanishes.
template <std::size_t n>
[[gnu::always_inline]] inline bool factorise_pivot(Mat6<double>& K, Vec6& inverse)
{
    constexpr double least = std::numeric_limits<double>::min();
    std::array<std::array<double, n>, n> a, L;
    std::array<double, n> inv;
#pragma GCC unroll 6
    for (std::size_t i = 0; i < n; ++i)
#pragma GCC unroll 6
        for (std::size_t j = i; j < n; ++j)
            a[i][j] = K[i][j];
    bool whole = true;
#pragma GCC unroll 3
    for (std::size_t p = 0; p + 1 < n; p += 2) {
        const std::size_t q = p + 1;
        const double b = a[p][q], det = mul_add(a[p][p], a[q][q], -(b * b));
        whole = whole && std::abs(a[p][p]) > least && std::abs(det) > least;
        inv[p] = 1 / a[p][p];
        inv[q] = a[p][p] * (1 / det);
        L[q][p] = b * inv[p];
#pragma GCC unroll 6
        for (std::size_t i = q + 1; i < n; ++i) {
            L[i][p] = a[p][i] * inv[p];
            a[q][i] = mul_add(-L[q][p], a[p][i], a[q][i]);
        }
#pragma GCC unroll 6
        for (std::size_t i = q + 1; i < n; ++i) {
            L[i][q] = a[q][i] * inv[q];
#pragma GCC unroll 6
            for (std::size_t j = i; j < n; ++j)
                a[i][j] = mul_add(-L[i][q], a[q][j], mul_add(-L[i][p], a[p][j], a[i][j]));
        }
    }
    if constexpr (n % 2 == 1) {
        inv[n - 1] = 1 / a[n - 1][n - 1];
        whole = whole && std::abs(a[n - 1][n - 1]) > least;
    }
    if (!whole)
        return false;
#pragma GCC unroll 6
    for (std::size_t i = 0; i < n; ++i) {
        inverse[i] = inv[i];
#pragma GCC unroll 6
        for (std::size_t j = 0; j < i; ++j)
            K[i][j] = L[i][j];
    }
    return true;
}

/// The same one by one: a pivot within its threshold is left out.
void factorise_pivot(Mat6<double>& K, Vec6& inverse, const Vec6& threshold, std::size_t n)
{
    Mat6<double> a = K;
    for (std::size_t j = 0; j < n; ++j) {
        inverse[j] = abs(a[j][j]) > threshold[j] ? 1 / a[j][j] : 0;
        for (std::size_t i = j + 1; i < n; ++i) {
            K[i][j] = a[j][i] * inverse[j];
            for (std::size_t k = i; k < n; ++k)
                a[i][k] = mul_add(-K[i][j], a[j][k], a[i][k]);
        }
    }
}

/// The order in which the rows of a pivot block come: always the one of which most is left, against
/// its threshold. Rows that repeat others come last, with nothing left but rounding.
std::array<std::size_t, N> best_order(Mat6<double> K, const Vec6& threshold, std::size_t n)
{
    std::array<std::size_t, N> order{0, 1, 2, 3, 4, 5};
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t best = j;
        for (std::size_t i = j; i < n; ++i) {
            const std::size_t a = order[i], b = order[best];
            if (abs(K[a][a]) * threshold[b] > abs(K[b][b]) * threshold[a])
                best = i;
        }
        std::swap(order[j], order[best]);
        const std::size_t p = order[j];
        const double inv = abs(K[p][p]) > threshold[p] ? 1 / K[p][p] : 0;
        for (std::size_t i = j + 1; i < n; ++i)
            for (std::size_t k = j + 1; k < n; ++k)
                K[order[i]][order[k]] -= K[order[i]][p] * inv * K[p][order[k]];
    }
    return order;
}
template <class Element>
void permute(std::array<Element, N>& rows, const std::array<std::size_t, N>& order)
{
    const std::array<Element, N> old = rows;
    for (std::size_t i = 0; i < N; ++i)
        rows[i] = old[order[i]];
}

/// K ← K − Yᵀ W, of which `rows` rows matter. Of a symmetric K, what is left of the diagonal is not
/// read.
template <std::size_t n, bool symmetric>
[[gnu::always_inline]] inline void subtract(const Mat6<double>& Y, const std::array<Wide, n>& W,
                                            Mat6<double>& K, std::size_t rows)
{
    const std::size_t full = symmetric && rows > 2 ? 2 : rows;
    for (std::size_t r = 0; r < full; ++r) {
        Wide row(K[r]);
#pragma GCC unroll 6
        for (std::size_t k = 0; k < n; ++k)
            row = mul_add(-Y[k][r], W[k], row);
        row.store(K[r]);
    }
    for (std::size_t r = full; r < rows; ++r) {
        Pack<double, 4> row = Wide(K[r]).high;
#pragma GCC unroll 6
        for (std::size_t k = 0; k < n; ++k)
            row = mul_add(Pack<double, 4>(-Y[k][r]), W[k].high, row);
        std::memcpy(K[r].data() + 2, &row.v, sizeof row.v);
    }
}

/// Calls work with the size as a constant.
template <class Work>
inline void of_size(std::size_t n, Work&& work)
{
    switch (n) {
    case 1:
        return work(std::integral_constant<std::size_t, 1>());
    case 2:
        return work(std::integral_constant<std::size_t, 2>());
    case 3:
        return work(std::integral_constant<std::size_t, 3>());
    case 4:
        return work(std::integral_constant<std::size_t, 4>());
    case 5:
        return work(std::integral_constant<std::size_t, 5>());
    default:
        return work(std::integral_constant<std::size_t, 6>());
    }
}

} // namespace

BlockSparse::BlockSparse(std::span<const int> order, std::span<const std::array<int, 2>> pairs,
                         std::span<const int> sizes)
{
    const std::size_t n = order.size();
    place_.assign(n, n);
    for (std::size_t v = 0; v < n; ++v)
        place_[static_cast<std::size_t>(order[v])] = v;
    for (const std::size_t v : place_)
        check(v < n, "an elimination order names every node once");

    // The neighbours of v that come later are K's own, and those of the nodes whose first later
    // neighbour is v.
    std::vector<std::vector<std::size_t>> later(n);
    for (const auto& [i, j] : pairs)
        later[std::min(place(i), place(j))].push_back(std::max(place(i), place(j)));
    for (std::size_t v = 0; v < n; ++v) {
        auto& mine = later[v];
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        if (!mine.empty())
            later[mine[0]].insert(later[mine[0]].end(), mine.begin() + 1, mine.end());
    }
    for (std::size_t v = 0; v < n; ++v) {
        Place& made = places_.emplace_back(Place{slots_.size(), order[v]});
        if (!sizes.empty())
            made.size = static_cast<unsigned char>(sizes[static_cast<std::size_t>(order[v])]);
        for (const std::size_t p : later[v])
            slots_.push_back({p});
    }
    places_.push_back({slots_.size()});
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t a = 0; a < later[v].size(); ++a)
            for (std::size_t b = a + 1; b < later[v].size(); ++b)
                targets_.push_back(slot(order[later[v][a]], order[later[v][b]]));
    diagonal_.resize(n);
    next_block_.resize(slots_.size());
    inverse_.resize(n);
    threshold_.resize(n);
    order_.resize(n);
    for (const std::size_t s : targets_) {
        if (!slots_[s].changed)
            fill_.push_back(s);
        slots_[s].changed = true;
    }
}

std::size_t BlockSparse::slot(int i, int j) const
{
    const std::size_t v = place(i), p = place(j);
    const auto begin = slots_.begin() + static_cast<std::ptrdiff_t>(places_[v].first),
               end = slots_.begin() + static_cast<std::ptrdiff_t>(places_[v + 1].first);
    const auto found = std::lower_bound(
        begin, end, p, [](const Slot& a, std::size_t place) { return a.place < place; });
    check(v < p && found != end && found->place == p,
          "two nodes are coupled, the first comes first");
    return static_cast<std::size_t>(found - slots_.begin());
}

void BlockSparse::begin()
{
    constexpr Mat6<double> zero{};
    for (const std::size_t slot : fill_)
        next_block_[slot] = zero;
}

void BlockSparse::set_threshold(int node, const Vec6& threshold)
{
    threshold_[place(node)] = threshold;
    places_[place(node)].ordered = true;
}

bool BlockSparse::left_out(int node, std::size_t k) const
{
    const std::size_t v = place(node);
    for (std::size_t i = 0; i < N; ++i)
        if ((places_[v].ordered ? order_[v][i] : i) == k)
            return inverse_[v][i] == 0;
    return false;
}

/// The rows of a block, from where it is given and from what elimination did to it.
template <std::size_t n>
[[gnu::always_inline]] inline std::array<Wide, 6>
BlockSparse::rows_of(const Slot& slot, const Mat6<double>& block) const
{
    std::array<Wide, N> row;
    const Wrench<double>* at = slot.source;
    if (!at) {
#pragma GCC unroll 6
        for (std::size_t i = 0; i < n; ++i)
            row[i] = Wide(block[i]);
        return row;
    }
    if (slot.columns) {
        const std::size_t columns = places_[slot.place].size;
#pragma GCC unroll 6
        for (std::size_t i = 0; i < N; ++i, at += slot.stride)
            row[i] = i < columns ? Wide(*at) : Wide(0.0);
        row = transpose(row);
    } else {
#pragma GCC unroll 6
        for (std::size_t i = 0; i < n; ++i, at += slot.stride)
            row[i] = Wide(*at);
    }
    if (slot.changed)
        for (std::size_t i = 0; i < n; ++i)
            row[i] = row[i] + Wide(block[i]);
    return row;
}

template <std::size_t n>
void BlockSparse::eliminate(std::size_t v, std::size_t& pair)
{
    const std::size_t begin = places_[v].first, end = places_[v + 1].first;
    const bool ordered = places_[v].ordered;
    Mat6<double>& K = diagonal_[v];
    Vec6& inverse = inverse_[v];
    if (ordered) {
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j)
                K[i][j] = K[j][i];
        order_[v] = best_order(K, threshold_[v], n);
        permute(K, order_[v]);
        for (Vec6& row : K)
            permute(row, order_[v]);
        permute(threshold_[v], order_[v]);
        factorise_pivot(K, inverse, threshold_[v], n);
    } else if (!factorise_pivot<n>(K, inverse)) {
        factorise_pivot(K, inverse, threshold_[v], n);
    }
    std::array<Wide, N> row;                    // of the last Y
    for (std::size_t s = begin; s < end; ++s) { // Y = L⁻¹ K_vp
        Mat6<double>& Y = next_block_[s];
        row = rows_of<n>(slots_[s], Y);
        if (ordered) {
            for (std::size_t i = 0; i < n; ++i)
                row[i].store(Y[i]);
            permute(Y, order_[v]);
            for (std::size_t i = 0; i < n; ++i)
                row[i] = Wide(Y[i]);
        }
#pragma GCC unroll 6
        for (std::size_t i = 0; i < n; ++i) {
#pragma GCC unroll 6
            for (std::size_t k = 0; k < i; ++k)
                row[i] = mul_add(-K[i][k], row[k], row[i]);
            row[i].store(Y[i]);
        }
    }
    const auto scaled = [&](const auto& Y) __attribute__((always_inline))
    {
        std::array<Wide, n> W;
#pragma GCC unroll 6
        for (std::size_t k = 0; k < n; ++k)
            W[k] = inverse[k] * Wide(Y[k]);
        return W;
    };
    for (std::size_t s = begin; s < end; ++s) {
        Mat6<double>& Y = next_block_[s];
        std::array<Wide, n> W = begin + 1 == end ? scaled(row) : scaled(Y); // of one: at hand
        const std::size_t p = slots_[s].place, size = places_[p].size;
        subtract<n, true>(Y, W, diagonal_[p], size);
        for (std::size_t s2 = s + 1; s2 < end; ++s2)
            subtract<n, false>(Y, scaled(next_block_[s2]), next_block_[targets_[pair++]], size);
#pragma GCC unroll 6
        for (std::size_t j = 1; j < n; ++j) { // G = L⁻ᵀ W
            const std::size_t i = n - j;
#pragma GCC unroll 6
            for (std::size_t k = 0; k < i; ++k)
                W[k] = mul_add(-K[i][k], W[i], W[k]);
        }
#pragma GCC unroll 6
        for (std::size_t i = 0; i < n; ++i)
            W[i].store(Y[i]);
        if (ordered) {
            const Mat6<double> G = Y;
            for (std::size_t i = 0; i < n; ++i)
                Y[order_[v][i]] = G[i];
        }
    }
}

void BlockSparse::factorise()
{
    std::size_t pair = 0;
    for (std::size_t v = 0; v < diagonal_.size(); ++v)
        of_size(places_[v].size, [&](auto n) { eliminate<n>(v, pair); });
}

template <std::size_t n>
void BlockSparse::solve_up(std::size_t v, std::span<Vec6> x) const
{
    const Place& place = places_[v];
    Vec6& own = x[static_cast<std::size_t>(place.node)];
    for (std::size_t s = place.first; s < places_[v + 1].first; ++s) {
        const Mat6<double>& G = next_block_[s];
        Vec6& theirs = x[static_cast<std::size_t>(places_[slots_[s].place].node)];
        Wide even(theirs);
#pragma GCC unroll 6
        for (std::size_t k = 0; k < n; k += 2)
            even = mul_add(-own[k], Wide(G[k]), even);
        if constexpr (n > 1) { // two sums at a time
            Wide odd = -own[1] * Wide(G[1]);
#pragma GCC unroll 6
            for (std::size_t k = 3; k < n; k += 2)
                odd = mul_add(-own[k], Wide(G[k]), odd);
            even = even + odd;
        }
        even.store(theirs);
    }
    const bool ordered = place.ordered;
    if (ordered)
        permute(own, order_[v]);
    const Mat6<double>& L = diagonal_[v];
    const Vec6& inverse = inverse_[v];
    Vec6 mine{};
#pragma GCC unroll 6
    for (std::size_t k = 0; k < n; ++k)
        mine[k] = own[k];
#pragma GCC unroll 6
    for (std::size_t k = 0; k < n; ++k)
#pragma GCC unroll 6
        for (std::size_t i = k + 1; i < n; ++i)
            mine[i] = mul_add(-L[i][k], mine[k], mine[i]);
#pragma GCC unroll 6
    for (std::size_t k = 0; k < n; ++k)
        mine[k] *= inverse[k];
#pragma GCC unroll 6
    for (std::size_t j = 1; j < n; ++j) {
        const std::size_t i = n - j;
#pragma GCC unroll 6
        for (std::size_t k = 0; k < i; ++k)
            mine[k] = mul_add(-L[i][k], mine[i], mine[k]);
    }
    Wide({mine[0], mine[1], mine[2]}, {mine[3], mine[4], mine[5]}).store(own);
    if (ordered) {
        const Vec6 in_order = own;
        for (std::size_t i = 0; i < n; ++i)
            own[order_[v][i]] = in_order[i];
    }
}

template <std::size_t n>
void BlockSparse::solve_down(std::size_t v, std::span<Vec6> x) const
{
    using Two = Pack<double, 2>;
    const Place& place = places_[v];
    Vec6& own = x[static_cast<std::size_t>(place.node)];
    Wide mine(own);
    for (std::size_t s = place.first; s < places_[v + 1].first; ++s) {
        const Mat6<double>& G = next_block_[s];
        const Wide theirs(x[static_cast<std::size_t>(places_[slots_[s].place].node)]);
        const auto pair = [&](std::size_t k) { // rows k and k + 1 of G x
            if (k >= n)
                return Two(0.0);
            return dots(Wide(G[k]), k + 1 < n ? Wide(G[k + 1]) : Wide(0.0), theirs);
        };
        mine = mine - Wide(pair(0), pair(2), pair(4));
    }
    mine.store(own);
}

void BlockSparse::solve(std::span<Vec6> x) const
{
    for (std::size_t v = 0; v < diagonal_.size(); ++v)
        of_size(places_[v].size, [&](auto n) { solve_up<n>(v, x); });
    for (std::size_t v = diagonal_.size(); v-- > 0;)
        of_size(places_[v].size, [&](auto n) { solve_down<n>(v, x); });
}

} // namespace poinsot
