// SPDX-License-Identifier: MIT
#pragma once

// The joint-space mass matrix by composite bodies, O(n · depth).
//
//     M_ij = s_iᵀ I_j^C s_j        i carries j; I^C: a link with all that hangs on it, as one body
//
// [Featherstone 2008, ch. 6]. M is full and symmetric, row after row.

#include "poinsot/dynamics/link_space.hpp"

namespace poinsot {

/// The load that a motion's rate needs, or the momentum of a motion, about the link's origin.
template <Scalar T>
Wrench<T> operator*(const LinkInertia<T>& I, const Twist<T>& V)
{
    return {mul_add(I.m, V.v, cross(V.omega, I.mc)), cross_add(I.mc, V.v, I.I * V.omega)};
}

/// The same body about the parent's origin and in its axes.
template <Scalar T>
LinkInertia<T> carried(const LinkWork<T>& k, const LinkInertia<T>& I)
{
    // about the parent's origin: I + 2 r·c 1 − r cᵀ − c rᵀ + m (r² 1 − r rᵀ) with c = R mc;
    // with e = c + ½ m r that is I + 2 r·e 1 − r eᵀ − e rᵀ
    const Vec3<T> c = k.R * I.mc;
    const Vec3<T> e = mul_add(constant<T>(0.5) * I.m, k.r, c);
    const Sym3<T> J = congruent(k.R, I.I);
    const T xx = k.r.x * e.x, yy = k.r.y * e.y, zz = k.r.z * e.z;
    const T two = constant<T>(2.0);
    return {I.m,
            mul_add(I.m, k.r, c),
            {mul_add(two, yy + zz, J.xx), mul_add(two, xx + zz, J.yy), mul_add(two, xx + yy, J.zz),
             mul_add(-k.r.x, e.y, mul_add(-e.x, k.r.y, J.xy)),
             mul_add(-k.r.x, e.z, mul_add(-e.x, k.r.z, J.xz)),
             mul_add(-k.r.y, e.z, mul_add(-e.y, k.r.z, J.yz))}};
}

/// Composite bodies of all links, in w.composite. Needs `place_links`.
template <Scalar T>
[[gnu::flatten]] void compose(const Linkage& linkage, In<LinkInertia<T>> inertias,
                              LinkageSpace<T>& w)
{
    std::copy(inertias.begin(), inertias.end(), w.composite.begin());
    for (int i = static_cast<int>(linkage.size()); i-- > 0;) {
        const int parent = linkage.links[static_cast<std::size_t>(i)].parent;
        if (parent == world)
            continue;
        LinkInertia<T>& sum = w.composite[static_cast<std::size_t>(parent)];
        sum = sum + carried(w[i], w.composite[static_cast<std::size_t>(i)]);
    }
}

/// The motion that one unit of velocity `index` of a joint makes, in link axes.
template <Scalar T>
Twist<T> own_motion(const Link& link, int index)
{
    std::array<T, 6> unit;
    unit.fill(constant<T>(0.0));
    unit[static_cast<std::size_t>(index)] = constant<T>(1.0);
    return with_own<T>(link, unit.data(), {zero3<T>(), zero3<T>()});
}

/// M(q), armatures included. Needs `place_links`.
template <Scalar T>
[[gnu::flatten]] void joint_inertia(const Linkage& linkage, In<LinkInertia<T>> inertias, Out<T> M,
                                    LinkageSpace<T>& w)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    check(M.size() == nv * nv, "M has nv rows and columns");
    std::fill(M.begin(), M.end(), constant<T>(0.0));
    compose(linkage, inertias, w);
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        for (int own = 0; own < freedoms_of(link.op); ++own) {
            const auto column = static_cast<std::size_t>(link.v + own);
            Wrench<T> f = w.composite[at] * own_motion<T>(link, own);
            for (int k = i;;) {
                const Link& below = linkage.links[static_cast<std::size_t>(k)];
                T along[6];
                along_joint(below, f, along);
                for (int other = 0; other < freedoms_of(below.op); ++other) {
                    const auto row = static_cast<std::size_t>(below.v + other);
                    M[row * nv + column] = M[column * nv + row] = along[other];
                }
                if (below.parent == world)
                    break;
                Wrench<T> next{zero3<T>(), zero3<T>()};
                hand_down(w[k], f, next);
                f = next;
                k = below.parent;
            }
        }
        if (link.armature != 0) {
            const auto v = static_cast<std::size_t>(link.v);
            M[v * nv + v] = M[v * nv + v] + constant<T>(link.armature);
        }
    }
}

// One source file instantiates the kernels, so that users do not compile them again.
#define POINSOT_CRBA_FOR(word, T)                                                                  \
    word template void compose<T>(const Linkage&, In<LinkInertia<T>>, LinkageSpace<T>&);           \
    word template void joint_inertia<T>(const Linkage&, In<LinkInertia<T>>, Out<T>,                \
                                        LinkageSpace<T>&)
POINSOT_CRBA_FOR(extern, double);
POINSOT_CRBA_FOR(extern, Dual<double>);
POINSOT_CRBA_FOR(extern, LinkPack);

} // namespace poinsot
