// SPDX-License-Identifier: MIT
#pragma once

// Forces from accelerations: recursive Newton-Euler, O(n).
//
//     τ = M(q) q̈ + b(q, q̇) − Σ Jᵀ W          b: Coriolis, centrifugal and gravity
//
// Out from the ground go motions, back come loads: what a link's acceleration needs, less what acts
// on it from outside, plus what the links on it ask for.
//
//     F = m a + α × mc + ω × (ω × mc)         a: of the link's origin
//     τ = I α + ω × I ω + mc × a
//
// Loads from outside are one wrench per link, about its origin and in its axes, or none at all.

#include "poinsot/dynamics/link_space.hpp"

namespace poinsot {

/// α × d + ω × (ω × d) + b: by how much the acceleration differs at d.
template <Scalar T>
Vec3<T> swing(const LinkWork<T>& k, const Vec3<T>& d, const Vec3<T>& b)
{
    return cross_add(k.omega, cross(k.omega, d), cross_add(k.alpha, d, b));
}

/// The motion of one link from that of its parent p. Without `v_dot` it is the motion at which all
/// joint accelerations vanish. Needs R and r.
template <Scalar T>
void move_link(const Link& link, const LinkWork<T>& p, LinkWork<T>& k, const T* v, const T* v_dot)
{
    const Vec3<T> before = back(k.R, p.omega); // of the parent, in the link's axes
    Vec3<T> omega = before;
    Vec3<T> alpha = back(k.R, p.alpha);
    Vec3<T> a = back(k.R, swing(p, vec_of(k.r), p.a));
    switch (link.op) {
    case LinkOp::screw: { // 2 ω × (pitch q̇ z) and pitch q̈ z
        const T slide = constant<T>(2.0 * link.pitch) * v[0];
        a.x = mul_add(before.y, slide, a.x);
        a.y = mul_add(-before.x, slide, a.y);
        if (v_dot)
            a.z = mul_add(constant<T>(link.pitch), v_dot[0], a.z);
    }
        [[fallthrough]];
    case LinkOp::revolute: // ω × q̇ z
        omega.z = omega.z + v[0];
        alpha.x = mul_add(before.y, v[0], alpha.x);
        alpha.y = mul_add(-before.x, v[0], alpha.y);
        if (v_dot)
            alpha.z = alpha.z + v_dot[0];
        break;
    case LinkOp::prismatic: {
        const T twice = v[0] + v[0];
        a.x = mul_add(before.y, twice, a.x);
        a.y = mul_add(-before.x, twice, a.y);
        if (v_dot)
            a.z = a.z + v_dot[0];
        break;
    }
    case LinkOp::ball: {
        const Vec3<T> own = vector_at(v);
        omega += own;
        alpha = cross_add(before, own, alpha);
        if (v_dot)
            alpha += vector_at(v_dot);
        break;
    }
    case LinkOp::free: { // the velocity's axes turn too: (2 ω + ω_own) × v
        const Vec3<T> own = vector_at(v + 3);
        omega += own;
        alpha = cross_add(before, own, alpha);
        a = cross_add(before + omega, vector_at(v), a);
        if (v_dot) {
            a += vector_at(v_dot);
            alpha += vector_at(v_dot + 3);
        }
        break;
    }
    case LinkOp::translate: // on a world that does not turn
        if (v_dot)
            a += vector_at(v_dot);
        break;
    }
    k.omega = omega;
    k.alpha = alpha;
    k.a = a;
}

/// What the motion of a link needs.
template <Scalar T>
Wrench<T> load_of_motion(const LinkInertia<T>& inertia, const LinkWork<T>& k)
{
    const Vec3<T> mc = vec_of(inertia.mc);
    const Sym3<T> I = sym3_of(inertia.I);
    return {swing(k, mc, inertia.m * k.a),
            cross_add(mc, k.a, cross_add(k.omega, I * k.omega, I * k.alpha))};
}

template <Scalar T>
void start_from_world(LinkageSpace<T>& w, const Vec3<T>& gravity)
{
    w[world].a = -gravity;
}

/// The joint forces that make the accelerations `v_dot` (none given: zero) at (q, v).
template <Scalar T>
POINSOT_FLATTEN void inverse_dynamics(const Links& linkage, In<LinkInertia<T>> inertias, In<T> q,
                                      In<T> v, In<T> v_dot, In<Wrench<T>> external,
                                      const std::type_identity_t<Vec3<T>>& gravity, Out<T> tau,
                                      LinkageSpace<T>& w)
{
    place_links(linkage, q, w);
    start_from_world(w, gravity);
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        LinkWork<T>& k = w[i];
        move_link(link, w[link.parent], k, v.data() + link.v,
                  v_dot.empty() ? nullptr : v_dot.data() + link.v);
        k.f = load_of_motion(inertias[at], k);
        if (!external.empty())
            k.f = k.f - external[at];
    }
    for (int i = n; i-- > 0;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        const LinkWork<T>& k = w[i];
        along_joint(link, k.f, tau.data() + link.v);
        if (link.parent != world)
            hand_down(k, k.f, w[link.parent].f);
    }
    if (v_dot.empty())
        return;
    for (const Link& link : linkage.links)
        if (link.armature != 0) {
            const auto to = static_cast<std::size_t>(link.v);
            tau[to] = mul_add(w.armatures[to], v_dot[to], tau[to]);
        }
}

/// b(q, v): the joint forces that keep all velocities as they are.
template <Scalar T>
void bias_forces(const Links& linkage, In<LinkInertia<T>> inertias, In<T> q, In<T> v,
                 const std::type_identity_t<Vec3<T>>& gravity, Out<T> tau, LinkageSpace<T>& w)
{
    inverse_dynamics<T>(linkage, inertias, q, v, {}, {}, gravity, tau, w);
}

/// The joint forces that hold the linkage at rest against gravity.
template <Scalar T>
POINSOT_FLATTEN void gravity_forces(const Links& linkage, In<LinkInertia<T>> inertias, In<T> q,
                                    const std::type_identity_t<Vec3<T>>& gravity, Out<T> tau,
                                    LinkageSpace<T>& w)
{
    place_links(linkage, q, w);
    const int n = static_cast<int>(linkage.size());
    w[world].a = -gravity;
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        LinkWork<T>& k = w[i];
        k.a = back(k.R, w[linkage.links[at].parent].a);
        k.f = {inertias[at].m * k.a, cross(vec_of(inertias[at].mc), k.a)};
    }
    for (int i = n; i-- > 0;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        along_joint(link, w[i].f, tau.data() + link.v);
        if (link.parent != world)
            hand_down(w[i], w[i].f, w[link.parent].f);
    }
}

// One source file instantiates the kernels, so that users do not compile them again.
#define POINSOT_RNEA_FOR(word, T)                                                                  \
    word template void inverse_dynamics<T>(const Links&, In<LinkInertia<T>>, In<T>, In<T>, In<T>,  \
                                           In<Wrench<T>>, const Vec3<T>&, Out<T>,                  \
                                           LinkageSpace<T>&);                                      \
    word template void gravity_forces<T>(const Links&, In<LinkInertia<T>>, In<T>, const Vec3<T>&,  \
                                         Out<T>, LinkageSpace<T>&)
POINSOT_RNEA_FOR(extern, double);

} // namespace poinsot
