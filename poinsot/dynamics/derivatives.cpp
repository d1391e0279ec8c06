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
void minus_products(const double* A, const double* B, const double* C,
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

/// Where a block of four begins so that blocks cover n ≥ 4; the last one overlaps the one before.
std::size_t block_at(std::size_t i, std::size_t n)
{
    return std::min(i, n - 4);
}

} // namespace

ForwardDifferentiator::ForwardDifferentiator(const Linkage& linkage)
    : w_(linkage), inverse_(linkage), d_(linkage), v_dot_(static_cast<std::size_t>(linkage.nv)),
      tau_q_(v_dot_.size() * v_dot_.size()), tau_v_(tau_q_.size()), out_{tau_q_, tau_q_, tau_q_}
{
    const std::size_t nv = v_dot_.size();
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
    const std::size_t width = nv < 4 ? 1 : 4;
    for (std::size_t k = 0; k < nv; k += width) {
        Columns& made = columns_.emplace_back(Columns{nv < 4 ? k : block_at(k, nv), {}});
        for (std::size_t row = 0; row < nv; ++row)
            for (std::size_t i = made.first; i < made.first + width; ++i)
                if (carries(link_of[row], link_of[i]) || carries(link_of[i], link_of[row])) {
                    made.rows.push_back(row);
                    break;
                }
    }
}

POINSOT_FLATTEN void ForwardDifferentiator::through_inverse()
{
    const std::size_t nv = v_dot_.size();
    const double* const A = out_.by_tau.data();
    for (const Columns& columns : columns_) {
        const std::size_t k = columns.first;
        if (nv >= 4) {
            for (std::size_t i = 0; i < nv; i += 4)
                minus_products(A, tau_q_.data(), tau_v_.data(), columns.rows, nv, block_at(i, nv),
                               k, out_.by_q.data(), out_.by_v.data());
            continue;
        }
        for (std::size_t i = 0; i < nv; ++i) {
            double by_q = 0, by_v = 0;
            for (const std::size_t j : columns.rows) {
                by_q = mul_add(A[i * nv + j], tau_q_[j * nv + k], by_q);
                by_v = mul_add(A[i * nv + j], tau_v_[j * nv + k], by_v);
            }
            out_.by_q[i * nv + k] = -by_q;
            out_.by_v[i * nv + k] = -by_v;
        }
    }
}

const ForwardDerivatives&
ForwardDifferentiator::at(const Linkage& linkage, std::span<const LinkInertia<double>> inertias,
                          std::span<const double> q, std::span<const double> v,
                          std::span<const double> tau, std::span<const Wrench<double>> external,
                          const Vec3<double>& gravity)
{
    forward_dynamics(linkage, inertias, q, v, tau, external, gravity, v_dot_, w_);
    inverse_dynamics_derivatives(linkage, inertias, v, v_dot_, external, gravity, tau_q_, tau_v_,
                                 w_, d_);
    inverse_.at(linkage, w_, out_.by_tau);
    through_inverse();
    return out_;
}

} // namespace poinsot
