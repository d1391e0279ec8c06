// SPDX-License-Identifier: MIT
#pragma once

// Momenta of the joints and their rates: Hamilton's equations for a linkage, O(n).
//
// With H the momentum of all that hangs on a joint, V the motion of its link and W the load on all
// that hangs on it,
//
//     p = sᵀ H                              H' = W + (what comes through the joint)
//     ṗ = τ + sᵀ (W + D),                   D = (p_H × ω, p_H × v + L_H × ω)
//
// since s turns with the link: sᵀ D is H · (V × s), the rate at which the joint's axes move. No
// acceleration is needed and no derivative of M; for a joint with one freedom sᵀD is ∂T/∂q.

#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/linkage.hpp"

namespace poinsot {

/// Momenta p = M v and their rates at velocities v. Needs `place_links` at q. Loads from outside
/// are one wrench per link, about its origin and in its axes, or none at all.
template <Scalar T>
void momentum_rates(const Linkage& linkage, In<LinkInertia<T>> inertias, In<T> v, In<T> tau,
                    In<Wrench<T>> external, const std::type_identity_t<Vec3<T>>& gravity, Out<T> p,
                    Out<T> p_dot, LinkageSpace<T>& w)
{
    const int n = static_cast<int>(linkage.size());
    w[world].a = gravity;
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        const LinkWork<T>& parent = w[link.parent];
        LinkWork<T>& k = w[i];
        k.delta = with_own(link, v.data() + link.v, carried(k, parent.delta));
        k.a = carried(k, Twist<T>{parent.a, zero3<T>()}).v;
        const Wrench<T> H = inertias[at] * k.delta;
        w.momentum[at] = {H.F, H.tau};
        k.f = inertias[at] * Twist<T>{k.a, zero3<T>()};
        if (!external.empty())
            k.f = k.f + external[at];
    }
    for (int i = n; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        const LinkWork<T>& k = w[i];
        const Momentum<T>& H = w.momentum[at];
        const Vec3<T>&V = k.delta.v, &omega = k.delta.omega;
        std::array<T, 6> own, load;
        along_joint<T>(link, {H.p, H.L}, own.data());
        along_joint<T>(
            link, {cross_add(H.p, omega, k.f.F), cross_add(H.p, V, cross_add(H.L, omega, k.f.tau))},
            load.data());
        for (int j = 0; j < freedoms_of(link.op); ++j) {
            const auto to = static_cast<std::size_t>(link.v + j),
                       from = static_cast<std::size_t>(j);
            p[to] = own[from];
            p_dot[to] = tau.empty() ? load[from] : load[from] + tau[to];
        }
        if (link.armature != 0) {
            const auto to = static_cast<std::size_t>(link.v);
            p[to] = mul_add(w.armatures[to], v[to], p[to]);
        }
        if (link.parent == world)
            continue;
        hand_down(k, k.f, w[link.parent].f);
        Momentum<T>& below = w.momentum[static_cast<std::size_t>(link.parent)];
        Wrench<T> sum{below.p, below.L}; // momenta are carried as loads are
        hand_down(k, {H.p, H.L}, sum);
        below = {sum.F, sum.tau};
    }
}

} // namespace poinsot
