// SPDX-License-Identifier: MIT
#pragma once

// The joint-space mass matrix by composite bodies, O(n · depth).
//
//     M_ij = s_iᵀ I_j^C s_j        i carries j; I^C: a link with all that hangs on it, as one body
//
// [Featherstone 2008, ch. 6]. M is full and symmetric, row after row.

#include "poinsot/dynamics/link_space.hpp"

#include <algorithm>

namespace poinsot {

/// The load that a motion's rate needs, or the momentum of a motion, about the link's origin.
template <Scalar T>
Wrench<T> operator*(const LinkInertia<T>& inertia, const Twist<T>& V)
{
    const Vec3<T> mc = vec_of(inertia.mc);
    return {cross_add(V.omega, mc, inertia.m * V.v),
            cross_add(mc, V.v, sym3_of(inertia.I) * V.omega)};
}

/// The same body about the origin of the frame in which (R, r) places its own, and in its axes.
template <Scalar T>
LinkInertia<T> carried(const Turn<T>& R, const Triple<T>& r, const LinkInertia<T>& I)
{
    // I + 2 r·c 1 − r cᵀ − c rᵀ + m (r² 1 − r rᵀ) with c = R mc;
    // with e = c + ½ m r that is I + 2 r·e 1 − r eᵀ − e rᵀ
    const Triple<T> c = R * I.mc;
    const Triple<T> e = mul_add(same_of(constant<T>(0.5) * I.m), r, c);
    const SymTriple<T> J = turned(R, I.I);
    const Triple<T> re = r * e;
    return {I.m,
            mul_add(same_of(I.m), r, c),
            {mul_add(same_constant<T>(2.0), yzx(re) + zxy(re), J.d),
             mul_add(-r, yzx(e), mul_add(-e, yzx(r), J.o))}};
}
template <Scalar T>
LinkInertia<T> carried(const LinkWork<T>& k, const LinkInertia<T>& I)
{
    return carried(k.R, k.r, I);
}

/// Composite bodies of all links, in w.composite. Needs `place_links`.
template <Scalar T>
POINSOT_FLATTEN void compose(const Links& linkage, In<LinkInertia<T>> inertias, LinkageSpace<T>& w)
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
    return with_own<T>(link, unit.data(), no_motion<T>());
}

/// M(q), armatures included. Needs `place_links`.
template <Scalar T>
POINSOT_FLATTEN void joint_inertia(const Links& linkage, In<LinkInertia<T>> inertias, Out<T> M,
                                   LinkageSpace<T>& w)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    check(M.size() == nv * nv, "M has nv rows and columns");
    std::fill(M.begin(), M.end(), constant<T>(0.0));
    compose(linkage, inertias, w);
    // The load f of one column, from link to link down to the ground.
    const auto walk = [&](int from, std::size_t column, Wrench<T> f) {
        for (int k = from;;) {
            const Link& below = linkage.links[static_cast<std::size_t>(k)];
            const auto row = static_cast<std::size_t>(below.v);
            if (below.op == LinkOp::revolute)
                M[row * nv + column] = M[column * nv + row] = f.tau.z;
            else {
                T along[6];
                along_joint(below, f, along);
                for (std::size_t i = 0; i < static_cast<std::size_t>(freedoms_of(below.op)); ++i)
                    M[(row + i) * nv + column] = M[column * nv + row + i] = along[i];
            }
            if (below.parent == world)
                return;
            f = lowered(w[k], f);
            k = below.parent;
        }
    };
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        const auto v = static_cast<std::size_t>(link.v);
        const LinkInertia<T>& I = w.composite[at];
        if (link.op == LinkOp::revolute) {
            const Vec3<T> mc = vec_of(I.mc);
            walk(i, v, {{-mc.y, mc.x, constant<T>(0.0)}, vec_of(column_z(I.I))});
        } else
            for (int own = 0; own < freedoms_of(link.op); ++own)
                walk(i, v + static_cast<std::size_t>(own), I * own_motion<T>(link, own));
        if (link.armature != 0)
            M[v * nv + v] = M[v * nv + v] + w.armatures[v];
    }
}

// One source file instantiates the kernels, so that users do not compile them again.
#define POINSOT_CRBA_FOR(word, T)                                                                  \
    word template void compose<T>(const Links&, In<LinkInertia<T>>, LinkageSpace<T>&);             \
    word template void joint_inertia<T>(const Links&, In<LinkInertia<T>>, Out<T>, LinkageSpace<T>&)
POINSOT_CRBA_FOR(extern, double);

} // namespace poinsot
