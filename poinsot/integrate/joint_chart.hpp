// SPDX-License-Identifier: MIT
#pragma once

// Local coordinates of a linkage about a place q₀, as many as it has freedoms.
//
//     one freedom, translate   q = q₀ + u                       u̇ = v
//     ball                     q = q₀ exp(u)                    u̇ = dexp⁻¹(−u) ω
//     free                     x = x₀ + u_x, q = q₀ exp(u)      u̇_x = R v, u̇ = dexp⁻¹(−u) ω
//
// On them a classical method has its full order in every attitude [Munthe-Kaas 1999]. Methods that
// work on momenta have coordinates of their own (stage_sweep.hpp).

#include "poinsot/dynamics/link_space.hpp"

namespace poinsot {

template <Scalar T>
Quat<T> quat_at(const T* a)
{
    return {a[0], a[1], a[2], a[3]};
}
template <Scalar T>
void put_at(T* to, const Quat<T>& q)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

/// q at local coordinates u about q₀. The two may share memory.
template <Scalar T>
void at_chart(const Links& linkage, In<T> q0, In<T> u, Out<T> q)
{
    for (const Link& link : linkage.links) {
        const T *from = q0.data() + link.q, *by = u.data() + link.v;
        T* const to = q.data() + link.q;
        switch (link.op) {
        case LinkOp::ball:
            put_at(to, turned_body(quat_at(from), vector_at(by)));
            break;
        case LinkOp::free:
            put_at(to, vector_at(from) + vector_at(by));
            put_at(to + 3, turned_body(quat_at(from + 3), vector_at(by + 3)));
            break;
        default:
            for (int i = 0; i < freedoms_of(link.op); ++i)
                to[i] = from[i] + by[i];
        }
    }
}

/// u̇ at (u, v), with q = at_chart(q₀, u).
template <Scalar T>
void chart_rates(const Links& linkage, In<T> q, In<T> u, In<T> v, Out<T> u_dot)
{
    for (const Link& link : linkage.links) {
        const T *at = u.data() + link.v, *own = v.data() + link.v;
        T* const to = u_dot.data() + link.v;
        switch (link.op) {
        case LinkOp::ball:
            put_at(to, rotation_vector_rate(-vector_at(at), vector_at(own)));
            break;
        case LinkOp::free:
            put_at(to, rotate(quat_at(q.data() + link.q + 3), vector_at(own)));
            put_at(to + 3, rotation_vector_rate(-vector_at(at + 3), vector_at(own + 3)));
            break;
        default:
            for (int i = 0; i < freedoms_of(link.op); ++i)
                to[i] = own[i];
        }
    }
}

/// Brings quaternions back to unit length.
template <Scalar T>
void renormalise(const Links& linkage, Out<T> q)
{
    for (const Link& link : linkage.links)
        if (link.op == LinkOp::ball || link.op == LinkOp::free) {
            T* const at = q.data() + link.q + (link.op == LinkOp::free ? 3 : 0);
            put_at(at, normalised(quat_at(at)));
        }
}

// The same for plain numbers, compiled once.
void at_chart(const Links& linkage, std::span<const double> q0, std::span<const double> u,
              std::span<double> q);
void chart_rates(const Links& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> v, std::span<double> u_dot);
void renormalise(const Links& linkage, std::span<double> q);

} // namespace poinsot
