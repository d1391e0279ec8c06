// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/derivatives.hpp"

#include <cstring>

namespace poinsot {

namespace {

LinkPack four_at(const double* from)
{
    LinkPack made;
    std::memcpy(&made.v, from, sizeof made.v);
    return made;
}
void put_four(const LinkPack& a, double* to)
{
    std::memcpy(to, &a.v, sizeof a.v);
}

/// −A B and −A C for four rows and four columns at (i, k), over the given rows of B and C. All
/// matrices have n columns.
void minus_block(const double* A, const double* B, const double* C,
                 std::span<const std::size_t> rows, std::size_t n, std::size_t i, std::size_t k,
                 double* AB, double* AC)
{
    const LinkPack o(0.0);
    LinkPack b0 = o, b1 = o, b2 = o, b3 = o, c0 = o, c1 = o, c2 = o, c3 = o;
    const double *const A0 = A + i * n, *const A1 = A0 + n, *const A2 = A1 + n, *const A3 = A2 + n;
    for (const std::size_t j : rows) {
        const LinkPack b = four_at(B + j * n + k), c = four_at(C + j * n + k);
        const LinkPack a0(A0[j]), a1(A1[j]), a2(A2[j]), a3(A3[j]);
        b0 = mul_add(a0, b, b0), c0 = mul_add(a0, c, c0);
        b1 = mul_add(a1, b, b1), c1 = mul_add(a1, c, c1);
        b2 = mul_add(a2, b, b2), c2 = mul_add(a2, c, c2);
        b3 = mul_add(a3, b, b3), c3 = mul_add(a3, c, c3);
    }
    double *const to_b = AB + i * n + k, *const to_c = AC + i * n + k;
    put_four(-b0, to_b), put_four(-b1, to_b + n), put_four(-b2, to_b + 2 * n);
    put_four(-c0, to_c), put_four(-c1, to_c + n), put_four(-c2, to_c + 2 * n);
    put_four(-b3, to_b + 3 * n), put_four(-c3, to_c + 3 * n);
}

} // namespace

template class InertiaInverse<double>;
template class ForwardDifferentiator<double>;

std::vector<RelatedColumns> related_columns(const Linkage& linkage, std::size_t width)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    std::vector<int> link_of(nv);
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        for (int own = 0; own < freedoms_of(link.op); ++own)
            link_of[static_cast<std::size_t>(link.v + own)] = i;
    }
    const auto carries = [&](int a, int b) {
        while (b > a)
            b = linkage.links[static_cast<std::size_t>(b)].parent;
        return a == b;
    };
    std::vector<RelatedColumns> made;
    for (std::size_t k = 0; k < nv; k += width) {
        RelatedColumns& columns = made.emplace_back(RelatedColumns{std::min(k, nv - width), {}});
        for (std::size_t row = 0; row < nv; ++row)
            for (std::size_t i = columns.first; i < columns.first + width; ++i)
                if (carries(link_of[row], link_of[i]) || carries(link_of[i], link_of[row])) {
                    columns.rows.push_back(row);
                    break;
                }
    }
    return made;
}

POINSOT_FLATTEN void minus_products(std::span<const double> A, std::span<const double> B,
                                    std::span<const double> C,
                                    std::span<const RelatedColumns> columns, std::size_t n,
                                    std::span<double> AB, std::span<double> AC)
{
    for (const RelatedColumns& four : columns)
        for (std::size_t i = 0; i < n; i += 4)
            minus_block(A.data(), B.data(), C.data(), four.rows, n, std::min(i, n - 4), four.first,
                        AB.data(), AC.data());
}

} // namespace poinsot
