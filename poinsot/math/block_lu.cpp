// SPDX-License-Identifier: MIT
#include "poinsot/math/block_lu.hpp"

#include "poinsot/base/check.hpp"
#include "poinsot/math/wide.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using LuSix = BlockLu::Six;
using LuPart = BlockLu::Part;

/// c ← c − a b.
void take_product(LuPart& c, const LuPart& a, const LuPart& b)
{
    const std::array<Wide, 6> rows{Wide(b[0]), Wide(b[1]), Wide(b[2]),
                                   Wide(b[3]), Wide(b[4]), Wide(b[5])};
    for (std::size_t i = 0; i < 6; ++i) {
        Wide row(c[i]);
        for (std::size_t k = 0; k < 6; ++k)
            row = mul_add(-a[i][k], rows[k], row);
        row.store(c[i]);
    }
}
/// y ← y − a x.
void take_product(LuSix& y, const LuPart& a, const LuSix& x)
{
    for (std::size_t i = 0; i < 6; ++i) {
        double sum = y[i];
        for (std::size_t k = 0; k < 6; ++k)
            sum -= a[i][k] * x[k];
        y[i] = sum;
    }
}

/// Rows exchanged for the largest pivot.
bool factorise_part(LuPart& A, std::array<int, 6>& order)
{
    for (std::size_t k = 0; k < 6; ++k)
        order[k] = static_cast<int>(k);
    for (std::size_t k = 0; k < 6; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < 6; ++i)
            best = std::abs(A[i][k]) > std::abs(A[best][k]) ? i : best;
        std::swap(A[k], A[best]);
        std::swap(order[k], order[best]);
        if (!(std::abs(A[k][k]) > 0) || !std::isfinite(A[k][k]))
            return false;
        A[k][k] = 1 / A[k][k];
        for (std::size_t i = k + 1; i < 6; ++i) {
            A[i][k] *= A[k][k];
            for (std::size_t j = k + 1; j < 6; ++j)
                A[i][j] -= A[i][k] * A[k][j];
        }
    }
    return true;
}
/// All columns of B at once.
template <class Columns, class Take, class Times>
void solve_part(const LuPart& A, const std::array<int, 6>& order, Columns& B, Take take,
                Times times)
{
    const Columns given = B;
    for (std::size_t i = 0; i < 6; ++i) {
        B[i] = given[static_cast<std::size_t>(order[i])];
        for (std::size_t k = 0; k < i; ++k)
            take(B[i], A[i][k], B[k]);
    }
    for (std::size_t i = 6; i-- > 0;) {
        for (std::size_t k = i + 1; k < 6; ++k)
            take(B[i], A[i][k], B[k]);
        times(B[i], A[i][i]);
    }
}
void solve_part(const LuPart& A, const std::array<int, 6>& order, LuPart& B)
{
    solve_part(
        A, order, B,
        [](LuSix& a, double by, const LuSix& b) { mul_add(-by, Wide(b), Wide(a)).store(a); },
        [](LuSix& a, double by) { (by * Wide(a)).store(a); });
}
void solve_part(const LuPart& A, const std::array<int, 6>& order, LuSix& b)
{
    solve_part(
        A, order, b, [](double& a, double by, double c) { a -= by * c; },
        [](double& a, double by) { a *= by; });
}

} // namespace

void BlockLu::analyse(int nodes, std::span<const std::pair<int, int>> pairs)
{
    const auto n = static_cast<std::size_t>(nodes);
    std::vector<std::vector<std::size_t>> near(n); // ascending
    for (const auto& [i, j] : pairs) {
        check(i >= 0 && i < nodes && j >= 0 && j < nodes, "nodes of a pair are among the nodes");
        if (i == j)
            continue;
        near[static_cast<std::size_t>(i)].push_back(static_cast<std::size_t>(j));
        near[static_cast<std::size_t>(j)].push_back(static_cast<std::size_t>(i));
    }
    for (auto& list : near) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }

    place_.assign(n, n);
    node_.clear();
    std::vector<std::vector<std::size_t>> later(n); // by place, nodes
    std::vector<std::size_t> joined;
    for (std::size_t v = 0; v < n; ++v) {
        std::size_t best = n;
        for (std::size_t i = 0; i < n; ++i)
            if (place_[i] == n && (best == n || near[i].size() < near[best].size()))
                best = i;
        place_[best] = v;
        node_.push_back(best);
        later[v] = near[best];
        // Its neighbours are then neighbours of each other.
        for (const std::size_t p : later[v]) {
            joined.clear();
            std::set_union(near[p].begin(), near[p].end(), later[v].begin(), later[v].end(),
                           std::back_inserter(joined));
            std::erase_if(joined, [&](std::size_t i) { return i == p || i == best; });
            near[p] = joined;
        }
    }

    first_.assign(1, 0);
    next_.clear();
    for (std::size_t v = 0; v < n; ++v) {
        for (const std::size_t p : later[v])
            next_.push_back(place_[p]);
        std::sort(next_.begin() + static_cast<std::ptrdiff_t>(first_.back()), next_.end());
        first_.push_back(next_.size());
    }
    targets_.clear();
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t a = first_[v]; a < first_[v + 1]; ++a)
            for (std::size_t b = a + 1; b < first_[v + 1]; ++b)
                targets_.push_back(find(next_[a], next_[b]));
    pivot_.resize(n);
    upper_.resize(next_.size());
    lower_.resize(next_.size());
}

std::size_t BlockLu::find(std::size_t from, std::size_t to) const
{
    const auto begin = next_.begin() + static_cast<std::ptrdiff_t>(first_[from]);
    const auto end = next_.begin() + static_cast<std::ptrdiff_t>(first_[from + 1]);
    const auto found = std::lower_bound(begin, end, to);
    check(found != end && *found == to, "these nodes are coupled");
    return static_cast<std::size_t>(found - next_.begin());
}

void BlockLu::begin()
{
    for (Pivot& pivot : pivot_)
        pivot.rows = {};
    std::fill(upper_.begin(), upper_.end(), Part{});
    std::fill(lower_.begin(), lower_.end(), Part{});
}
BlockLu::Part& BlockLu::part(int i, int j)
{
    const std::size_t a = place_[static_cast<std::size_t>(i)],
                      b = place_[static_cast<std::size_t>(j)];
    if (a == b)
        return pivot_[a].rows;
    return a < b ? upper_[find(a, b)] : lower_[find(b, a)];
}

bool BlockLu::factorise()
{
    std::size_t target = 0;
    for (std::size_t v = 0; v < pivot_.size(); ++v) {
        Pivot& own = pivot_[v];
        if (!factorise_part(own.rows, own.order))
            return false;
        for (std::size_t b = first_[v]; b < first_[v + 1]; ++b)
            solve_part(own.rows, own.order, upper_[b]);
        for (std::size_t a = first_[v]; a < first_[v + 1]; ++a) {
            take_product(pivot_[next_[a]].rows, lower_[a], upper_[a]);
            for (std::size_t b = a + 1; b < first_[v + 1]; ++b, ++target) {
                take_product(upper_[targets_[target]], lower_[a], upper_[b]);
                take_product(lower_[targets_[target]], lower_[b], upper_[a]);
            }
        }
    }
    return true;
}

void BlockLu::solve(std::span<Six> x) const
{
    for (std::size_t v = 0; v < pivot_.size(); ++v) {
        Six& own = x[node_[v]];
        solve_part(pivot_[v].rows, pivot_[v].order, own);
        for (std::size_t a = first_[v]; a < first_[v + 1]; ++a)
            take_product(x[node_[next_[a]]], lower_[a], own);
    }
    for (std::size_t v = pivot_.size(); v-- > 0;)
        for (std::size_t a = first_[v]; a < first_[v + 1]; ++a)
            take_product(x[node_[v]], upper_[a], x[node_[next_[a]]]);
}

} // namespace poinsot
