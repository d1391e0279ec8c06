// SPDX-License-Identifier: MIT
#include "poinsot/math/block_sparse.hpp"

#include "poinsot/base/check.hpp"
#include "poinsot/math/pack.hpp"

#include <algorithm>
#include <cstring>

namespace poinsot {

namespace {

constexpr std::size_t N = 6;

/// Six numbers in two registers: a row of a block.
struct Wide {
    Pack<double, 4> low;
    Pack<double, 2> high;

    Wide() = default;
    explicit Wide(const Vec6& a)
    {
        std::memcpy(&low.v, a.data(), sizeof low.v);
        std::memcpy(&high.v, a.data() + 4, sizeof high.v);
    }
    double operator[](std::size_t i) const
    {
        return i < 4 ? low[static_cast<int>(i)] : high[static_cast<int>(i) - 4];
    }
    void store(Vec6& a) const
    {
        std::memcpy(a.data(), &low.v, sizeof low.v);
        std::memcpy(a.data() + 4, &high.v, sizeof high.v);
    }
};
inline Wide times(double s, const Wide& a)
{
    Wide made;
    made.low = Pack<double, 4>(s) * a.low;
    made.high = Pack<double, 2>(s) * a.high;
    return made;
}
inline Wide mul_add(double s, const Wide& a, const Wide& to)
{
    Wide made;
    made.low = mul_add(Pack<double, 4>(s), a.low, to.low);
    made.high = mul_add(Pack<double, 2>(s), a.high, to.high);
    return made;
}
inline Wide sum(const Wide& a, const Wide& b)
{
    Wide made;
    made.low = a.low + b.low;
    made.high = a.high + b.high;
    return made;
}
inline double dot(const Wide& a, const Wide& b)
{
    const Pack<double, 4> l = a.low * b.low;
    const Pack<double, 2> h = a.high * b.high;
    return ((l[0] + l[1]) + (l[2] + l[3])) + (h[0] + h[1]);
}

/// K = L D Lᵀ in place: L below the diagonal. A pivot within its threshold is left out. Reads the
/// diagonal and what is above it. Rows stay in registers: a number stored alone and read back as
/// part of a row would have to wait for it.
inline void factorise_pivot(Mat6<double>& K, Vec6& inverse, const Vec6& threshold)
{
    std::array<Wide, N> row;
    Mat6<double> L;
#pragma GCC unroll 6
    for (std::size_t j = 0; j < N; ++j)
        row[j] = Wide(K[j]);
#pragma GCC unroll 6
    for (std::size_t j = 0; j < N; ++j) {
        const double d = row[j][j];
        const double inv = abs(d) > threshold[j] ? 1 / d : 0;
        inverse[j] = inv;
#pragma GCC unroll 6
        for (std::size_t i = j + 1; i < N; ++i) {
            const double l = row[j][i] * inv;
            row[i] = mul_add(-l, row[j], row[i]);
            L[i][j] = l;
        }
    }
    for (std::size_t i = 1; i < N; ++i)
        for (std::size_t j = 0; j < i; ++j)
            K[i][j] = L[i][j];
}

/// The order in which the rows of a pivot block come: always the one of which most is left, against
/// its threshold. Rows that repeat others come last, with nothing left but rounding.
std::array<std::size_t, N> best_order(Mat6<double> K, const Vec6& threshold)
{
    std::array<std::size_t, N> order{0, 1, 2, 3, 4, 5};
    for (std::size_t j = 0; j < N; ++j) {
        std::size_t best = j;
        for (std::size_t i = j; i < N; ++i) {
            const std::size_t a = order[i], b = order[best];
            if (abs(K[a][a]) * threshold[b] > abs(K[b][b]) * threshold[a])
                best = i;
        }
        std::swap(order[j], order[best]);
        const std::size_t p = order[j];
        const double inv = abs(K[p][p]) > threshold[p] ? 1 / K[p][p] : 0;
        for (std::size_t i = j + 1; i < N; ++i)
            for (std::size_t k = j + 1; k < N; ++k)
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

/// B ← L⁻¹ B
inline void eliminate(const Mat6<double>& L, Mat6<double>& B)
{
    std::array<Wide, N> row;
#pragma GCC unroll 6
    for (std::size_t i = 0; i < N; ++i) {
        row[i] = Wide(B[i]);
#pragma GCC unroll 6
        for (std::size_t k = 0; k < i; ++k)
            row[i] = mul_add(-L[i][k], row[k], row[i]);
    }
    for (std::size_t i = 0; i < N; ++i)
        row[i].store(B[i]);
}

/// K ← K − Yᵀ D⁻¹ Z
inline void subtract(const Mat6<double>& Y, const Vec6& inverse, const Mat6<double>& Z,
                     Mat6<double>& K)
{
    std::array<Wide, N> DZ;
#pragma GCC unroll 6
    for (std::size_t k = 0; k < N; ++k)
        DZ[k] = times(-inverse[k], Wide(Z[k]));
    for (std::size_t r = 0; r < N; ++r) {
        Wide row(K[r]);
#pragma GCC unroll 6
        for (std::size_t k = 0; k < N; ++k)
            row = mul_add(Y[k][r], DZ[k], row);
        row.store(K[r]);
    }
}

} // namespace

BlockSparse::BlockSparse(std::span<const int> order, std::span<const std::array<int, 2>> pairs)
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
        first_.push_back(next_.size());
        next_.insert(next_.end(), later[v].begin(), later[v].end());
    }
    first_.push_back(next_.size());
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t a = 0; a < later[v].size(); ++a)
            for (std::size_t b = a + 1; b < later[v].size(); ++b)
                targets_.push_back(slot(order[later[v][a]], order[later[v][b]]));
    diagonal_.resize(n);
    next_block_.resize(next_.size());
    inverse_.resize(n);
    threshold_.resize(n);
    order_.resize(n);
    ordered_.assign(n, false);
    std::vector<bool> given(next_.size(), false);
    for (const auto& [i, j] : pairs)
        given[before(i, j) ? slot(i, j) : slot(j, i)] = true;
    for (std::size_t s = 0; s < given.size(); ++s)
        if (!given[s])
            fill_.push_back(s);
}

std::size_t BlockSparse::slot(int i, int j) const
{
    const std::size_t v = place(i), p = place(j);
    const auto begin = next_.begin() + static_cast<std::ptrdiff_t>(first_[v]),
               end = next_.begin() + static_cast<std::ptrdiff_t>(first_[v + 1]);
    const auto found = std::lower_bound(begin, end, p);
    check(v < p && found != end && *found == p, "two nodes are coupled, the first comes first");
    return static_cast<std::size_t>(found - next_.begin());
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
    ordered_[place(node)] = true;
}

bool BlockSparse::left_out(int node, std::size_t k) const
{
    const std::size_t v = place(node);
    for (std::size_t i = 0; i < N; ++i)
        if ((ordered_[v] ? order_[v][i] : i) == k)
            return inverse_[v][i] == 0;
    return false;
}

void BlockSparse::factorise()
{
    std::size_t pair = 0;
    for (std::size_t v = 0; v < diagonal_.size(); ++v) {
        const std::size_t begin = first_[v], end = first_[v + 1];
        if (ordered_[v]) {
            order_[v] = best_order(diagonal_[v], threshold_[v]);
            permute(diagonal_[v], order_[v]);
            for (Vec6& row : diagonal_[v])
                permute(row, order_[v]);
            permute(threshold_[v], order_[v]);
            for (std::size_t s = begin; s < end; ++s)
                permute(next_block_[s], order_[v]);
        }
        factorise_pivot(diagonal_[v], inverse_[v], threshold_[v]);
        for (std::size_t s = begin; s < end; ++s)
            eliminate(diagonal_[v], next_block_[s]);
        for (std::size_t s = begin; s < end; ++s) {
            subtract(next_block_[s], inverse_[v], next_block_[s], diagonal_[next_[s]]);
            for (std::size_t s2 = s + 1; s2 < end; ++s2)
                subtract(next_block_[s], inverse_[v], next_block_[s2],
                         next_block_[targets_[pair++]]);
        }
    }
}

void BlockSparse::solve(std::span<Vec6> x)
{
    // x is by node, work is by place
    std::vector<Vec6>& y = work_;
    y.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        y[place_[i]] = x[i];
    const std::size_t n = y.size();
    for (std::size_t v = 0; v < n; ++v) {
        const Mat6<double>& L = diagonal_[v];
        Vec6 mine = y[v];
        if (ordered_[v])
            permute(mine, order_[v]);
#pragma GCC unroll 6
        for (std::size_t k = 0; k < N; ++k)
#pragma GCC unroll 6
            for (std::size_t i = k + 1; i < N; ++i)
                mine[i] = mul_add(-L[i][k], mine[k], mine[i]);
        Vec6 scaled;
        for (std::size_t k = 0; k < N; ++k)
            scaled[k] = inverse_[v][k] * mine[k];
        for (std::size_t s = first_[v]; s < first_[v + 1]; ++s) {
            const Mat6<double>& Y = next_block_[s];
            Vec6& theirs = y[next_[s]];
            Wide even(theirs), odd = times(-scaled[1], Wide(Y[1])); // two at a time
#pragma GCC unroll 6
            for (std::size_t k = 0; k < N; k += 2)
                even = mul_add(-scaled[k], Wide(Y[k]), even);
#pragma GCC unroll 6
            for (std::size_t k = 3; k < N; k += 2)
                odd = mul_add(-scaled[k], Wide(Y[k]), odd);
            sum(even, odd).store(theirs);
        }
        y[v] = scaled;
    }
    for (std::size_t v = n; v-- > 0;) {
        const Mat6<double>& L = diagonal_[v];
        Vec6 mine = y[v];
        for (std::size_t s = first_[v]; s < first_[v + 1]; ++s) {
            const Mat6<double>& Y = next_block_[s];
            const Wide theirs(y[next_[s]]);
#pragma GCC unroll 6
            for (std::size_t k = 0; k < N; ++k)
                mine[k] = mul_add(-inverse_[v][k], dot(Wide(Y[k]), theirs), mine[k]);
        }
#pragma GCC unroll 6
        for (std::size_t i = N; i-- > 1;)
#pragma GCC unroll 6
            for (std::size_t k = 0; k < i; ++k)
                mine[k] = mul_add(-L[i][k], mine[i], mine[k]);
        if (ordered_[v]) {
            const Vec6 in_order = mine;
            for (std::size_t i = 0; i < N; ++i)
                mine[order_[v][i]] = in_order[i];
        }
        y[v] = mine;
    }
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = y[place_[i]];
}

} // namespace poinsot
