// SPDX-License-Identifier: MIT
#pragma once

// Accelerations from forces in O(n): the articulated-body algorithm, and its two halves.
//
//     q̈ = M⁻¹ (τ − b)
//
// The bias comes from Newton-Euler as it is; what is left is linear, and M⁻¹ is a sweep in and a
// sweep out over inertias that let their joints give way [Featherstone 2008, ch. 7]:
//
//     U = IA s,   D = sᵀU + armature,   u = τ − sᵀ f
//     IA ← IA − U D⁻¹ Uᵀ,   f ← f + U D⁻¹ u,   both carried to the parent
//     q̈ = D⁻¹ (u − Uᵀ δ),   δ ← δ + s q̈                 δ: acceleration on top of the bias
//
// What a joint lets go it does not carry: after a revolute the row and column of turning about z
// are zero, after a ball only M is left, and a free link hands down no inertia at all. So inertias
// are factored once and M⁻¹ x costs two sweeps over vectors, for as many x as there are.

#include "poinsot/dynamics/crba.hpp"
#include "poinsot/dynamics/rnea.hpp"

namespace poinsot {

template <Scalar T>
Articulated<T> articulated(const LinkInertia<T>& I)
{
    const T o = constant<T>(0.0);
    const Vec3<T>& c = I.mc;
    return {{I.m, I.m, I.m, o, o, o}, {{o, c.z, -c.y}, {-c.z, o, c.x}, {c.y, -c.x, o}}, I.I};
}
/// The same about a point displaced by −r: H ← H − M [r×], and I follows.
template <Scalar T>
Articulated<T> shifted(const Articulated<T>& A, const Vec3<T>& r)
{
    const Sym3<T>& M = A.M;
    const Mat3<T>& H = A.H;
    const Mat3<T> G{cross_add(r, {M.xx, M.xy, M.xz}, H.r0), cross_add(r, {M.xy, M.yy, M.yz}, H.r1),
                    cross_add(r, {M.xz, M.yz, M.zz}, H.r2)};
    // I + [r×] G + ([r×] H)ᵀ, which is symmetric
    const auto sum = [](const T& x, const T& a, const T& p, const T& b, const T& q, const T& c,
                        const T& s, const T& d, const T& t) {
        return mul_add(a, p, mul_add(-b, q, mul_add(c, s, mul_add(-d, t, x))));
    };
    const Sym3<T>& I = A.I;
    return {M,
            G,
            {sum(I.xx, r.y, G.r2.x, r.z, G.r1.x, r.y, H.r2.x, r.z, H.r1.x),
             sum(I.yy, r.z, G.r0.y, r.x, G.r2.y, r.z, H.r0.y, r.x, H.r2.y),
             sum(I.zz, r.x, G.r1.z, r.y, G.r0.z, r.x, H.r1.z, r.y, H.r0.z),
             sum(I.xy, r.y, G.r2.y, r.z, G.r1.y, r.z, H.r0.x, r.x, H.r2.x),
             sum(I.xz, r.y, G.r2.z, r.z, G.r1.z, r.x, H.r1.x, r.y, H.r0.x),
             sum(I.yz, r.z, G.r0.z, r.x, G.r2.z, r.x, H.r1.y, r.y, H.r0.y)}};
}
/// A S Aᵀ of a tensor that has nothing along z.
template <Scalar T>
Sym3<T> congruent_xy(const Mat3<T>& R, const T& xx, const T& xy, const T& yy)
{
    const auto x = [&](const Vec3<T>& a) { return mul_add(xx, a.x, xy * a.y); };
    const auto y = [&](const Vec3<T>& a) { return mul_add(xy, a.x, yy * a.y); };
    const T x0 = x(R.r0), y0 = y(R.r0), x1 = x(R.r1), y1 = y(R.r1), x2 = x(R.r2), y2 = y(R.r2);
    return {mul_add(R.r0.x, x0, R.r0.y * y0), mul_add(R.r1.x, x1, R.r1.y * y1),
            mul_add(R.r2.x, x2, R.r2.y * y2), mul_add(R.r0.x, x1, R.r0.y * y1),
            mul_add(R.r0.x, x2, R.r0.y * y2), mul_add(R.r1.x, x2, R.r1.y * y2)};
}
template <Scalar T>
Vec3<T> column_x(const Mat3<T>& a)
{
    return {a.r0.x, a.r1.x, a.r2.x};
}
template <Scalar T>
Vec3<T> column_y(const Mat3<T>& a)
{
    return {a.r0.y, a.r1.y, a.r2.y};
}
template <Scalar T>
Vec3<T> column_z(const Mat3<T>& a)
{
    return {a.r0.z, a.r1.z, a.r2.z};
}

/// From the link's frame to its parent's.
template <Scalar T>
Articulated<T> carried(const LinkWork<T>& k, const Articulated<T>& A)
{
    const Mat3<T> B = k.R * A.H;
    const auto row = [&](const Vec3<T>& b) -> Vec3<T> {
        return {dot(b, k.R.r0), dot(b, k.R.r1), dot(b, k.R.r2)};
    };
    return shifted<T>({congruent(k.R, A.M), {row(B.r0), row(B.r1), row(B.r2)}, congruent(k.R, A.I)},
                      k.r);
}

/// Lets the joint of a link give way: factors what its acceleration meets, and returns the inertia
/// that the parent still feels.
template <Scalar T>
Articulated<T> let_go(const Link& link, const Articulated<T>& A, LinkWork<T>& k, LinkageSpace<T>& w)
{
    const T one = constant<T>(1.0), o = constant<T>(0.0);
    // All of IA − U D⁻¹ Uᵀ, for joints that leave no zeros.
    const auto general = [&]() -> Articulated<T> {
        const Vec3<T> F = k.inv_D * k.U.F, tau = k.inv_D * k.U.tau;
        const Sym3<T>&M = A.M, &I = A.I;
        const auto less = [](const T& a, const T& b, const T& x) { return mul_add(-a, b, x); };
        return carried<T>(
            k, {{less(F.x, k.U.F.x, M.xx), less(F.y, k.U.F.y, M.yy), less(F.z, k.U.F.z, M.zz),
                 less(F.x, k.U.F.y, M.xy), less(F.x, k.U.F.z, M.xz), less(F.y, k.U.F.z, M.yz)},
                {mul_add(-F.x, k.U.tau, A.H.r0), mul_add(-F.y, k.U.tau, A.H.r1),
                 mul_add(-F.z, k.U.tau, A.H.r2)},
                {less(tau.x, k.U.tau.x, I.xx), less(tau.y, k.U.tau.y, I.yy),
                 less(tau.z, k.U.tau.z, I.zz), less(tau.x, k.U.tau.y, I.xy),
                 less(tau.x, k.U.tau.z, I.xz), less(tau.y, k.U.tau.z, I.yz)}});
    };
    const Articulated<T> nothing{{o, o, o, o, o, o}, {}, {}};
    switch (link.op) {
    case LinkOp::revolute: {
        k.U = {column_z(A.H), {A.I.xz, A.I.yz, A.I.zz}};
        k.inv_D = one / (A.I.zz + constant<T>(link.armature));
        if (link.parent == world)
            return nothing;
        if (link.armature != 0)
            return general();
        const Vec3<T> F = k.inv_D * k.U.F;
        const T x = k.inv_D * k.U.tau.x, y = k.inv_D * k.U.tau.y;
        const Sym3<T> M{mul_add(-F.x, k.U.F.x, A.M.xx), mul_add(-F.y, k.U.F.y, A.M.yy),
                        mul_add(-F.z, k.U.F.z, A.M.zz), mul_add(-F.x, k.U.F.y, A.M.xy),
                        mul_add(-F.x, k.U.F.z, A.M.xz), mul_add(-F.y, k.U.F.z, A.M.yz)};
        const Vec3<T> hx = k.R * mul_add(-x, k.U.F, column_x(A.H));
        const Vec3<T> hy = k.R * mul_add(-y, k.U.F, column_y(A.H));
        const Vec3<T> Rx = column_x(k.R), Ry = column_y(k.R);
        const auto row = [&](const T& a, const T& b) { return mul_add(a, Rx, b * Ry); };
        return shifted<T>(
            {congruent(k.R, M),
             {row(hx.x, hy.x), row(hx.y, hy.y), row(hx.z, hy.z)},
             congruent_xy(k.R, mul_add(-x, k.U.tau.x, A.I.xx), mul_add(-x, k.U.tau.y, A.I.xy),
                          mul_add(-y, k.U.tau.y, A.I.yy))},
            k.r);
    }
    case LinkOp::prismatic: {
        k.U = {{A.M.xz, A.M.yz, A.M.zz}, A.H.r2};
        k.inv_D = one / (A.M.zz + constant<T>(link.armature));
        if (link.parent == world)
            return nothing;
        if (link.armature != 0)
            return general();
        const Vec3<T> tau = k.inv_D * k.U.tau;
        const T x = k.inv_D * k.U.F.x, y = k.inv_D * k.U.F.y;
        const Vec3<T> hx = k.R * mul_add(-x, k.U.tau, A.H.r0);
        const Vec3<T> hy = k.R * mul_add(-y, k.U.tau, A.H.r1);
        const auto row = [&](const Vec3<T>& a) { return mul_add(a.x, hx, a.y * hy); };
        const Sym3<T> I{mul_add(-tau.x, k.U.tau.x, A.I.xx), mul_add(-tau.y, k.U.tau.y, A.I.yy),
                        mul_add(-tau.z, k.U.tau.z, A.I.zz), mul_add(-tau.x, k.U.tau.y, A.I.xy),
                        mul_add(-tau.x, k.U.tau.z, A.I.xz), mul_add(-tau.y, k.U.tau.z, A.I.yz)};
        return shifted<T>({congruent_xy(k.R, mul_add(-x, k.U.F.x, A.M.xx),
                                        mul_add(-x, k.U.F.y, A.M.xy), mul_add(-y, k.U.F.y, A.M.yy)),
                           {row(k.R.r0), row(k.R.r1), row(k.R.r2)},
                           congruent(k.R, I)},
                          k.r);
    }
    case LinkOp::screw: {
        const T pitch = constant<T>(link.pitch);
        k.U = {mul_add(pitch, Vec3<T>{A.M.xz, A.M.yz, A.M.zz}, column_z(A.H)),
               mul_add(pitch, A.H.r2, Vec3<T>{A.I.xz, A.I.yz, A.I.zz})};
        k.inv_D = one / (mul_add(pitch, k.U.F.z, k.U.tau.z) + constant<T>(link.armature));
        if (link.parent == world)
            return nothing;
        return general();
    }
    case LinkOp::ball: {
        BallWork<T>& ball = w.balls[static_cast<std::size_t>(link.block)];
        ball.H = A.H;
        ball.D.factor({{{A.I.xx, o, o}, {A.I.xy, A.I.yy, o}, {A.I.xz, A.I.yz, A.I.zz}}});
        if (link.parent == world)
            return nothing;
        // M − H I⁻¹ Hᵀ by rows
        const auto solved = [&](const Vec3<T>& a) -> Vec3<T> {
            std::array<T, 3> x{a.x, a.y, a.z};
            ball.D.solve(x);
            return {x[0], x[1], x[2]};
        };
        const Vec3<T> x = solved(A.H.r0), y = solved(A.H.r1), z = solved(A.H.r2);
        const Sym3<T> M =
            congruent(k.R, A.M - Sym3<T>{dot(x, A.H.r0), dot(y, A.H.r1), dot(z, A.H.r2),
                                         dot(x, A.H.r1), dot(x, A.H.r2), dot(y, A.H.r2)});
        const Vec3<T> none = zero3<T>();
        return shifted<T>({M, {none, none, none}, {o, o, o, o, o, o}}, k.r);
    }
    case LinkOp::free: {
        const Sym3<T>&M = A.M, &I = A.I;
        const Mat3<T>& H = A.H;
        w.frees[static_cast<std::size_t>(link.block)].D.factor(
            {{{M.xx, o, o, o, o, o},
              {M.xy, M.yy, o, o, o, o},
              {M.xz, M.yz, M.zz, o, o, o},
              {H.r0.x, H.r1.x, H.r2.x, I.xx, o, o},
              {H.r0.y, H.r1.y, H.r2.y, I.xy, I.yy, o},
              {H.r0.z, H.r1.z, H.r2.z, I.xz, I.yz, I.zz}}});
        return nothing;
    }
    case LinkOp::translate: // one particle
        k.inv_D = one / A.M.xx;
        return nothing;
    }
    return nothing;
}

/// The way in for the inertias. Needs R and r of every link.
template <Scalar T>
void articulate(const Link& link, const LinkInertia<T>& inertia, LinkWork<T>& k, LinkageSpace<T>& w)
{
    Articulated<T> A = articulated(inertia);
    if (!link.leaf)
        A = A + k.sum;
    const Articulated<T> rest = let_go(link, A, k, w);
    if (link.parent == world)
        return;
    Articulated<T>& sum = w[link.parent].sum;
    if (link.op == LinkOp::free) {
        if (link.arrives_first)
            sum = rest;
    } else
        sum = link.arrives_first ? rest : sum + rest;
}

/// The way in for the loads: what of the joint's force is left, and what the parent feels.
template <Scalar T>
void give_way(const Link& link, const T* tau, LinkWork<T>& k, LinkageSpace<T>& w)
{
    const auto one_freedom = [&](const T& along) {
        k.u = tau[0] - along;
        if (link.parent != world) {
            const T x = k.u * k.inv_D;
            hand_down<T>(k, {mul_add(x, k.U.F, k.f.F), mul_add(x, k.U.tau, k.f.tau)},
                         w[link.parent].f);
        }
    };
    switch (link.op) {
    case LinkOp::revolute:
        return one_freedom(k.f.tau.z);
    case LinkOp::prismatic:
        return one_freedom(k.f.F.z);
    case LinkOp::screw:
        return one_freedom(mul_add(constant<T>(link.pitch), k.f.F.z, k.f.tau.z));
    case LinkOp::ball: {
        BallWork<T>& ball = w.balls[static_cast<std::size_t>(link.block)];
        const Vec3<T> given = vector_at(tau);
        ball.u = given - k.f.tau;
        if (link.parent != world) {
            std::array<T, 3> x{ball.u.x, ball.u.y, ball.u.z};
            ball.D.solve(x);
            hand_down<T>(k, {k.f.F + ball.H * Vec3<T>{x[0], x[1], x[2]}, given}, w[link.parent].f);
        }
        return;
    }
    case LinkOp::free: {
        const Wrench<T> given{vector_at(tau), vector_at(tau + 3)};
        const Wrench<T> u = given - k.f;
        w.frees[static_cast<std::size_t>(link.block)].u = {u.F.x,   u.F.y,   u.F.z,
                                                           u.tau.x, u.tau.y, u.tau.z};
        if (link.parent != world)
            hand_down(k, given, w[link.parent].f);
        return;
    }
    case LinkOp::translate:
        k.delta.v = k.inv_D * (vector_at(tau) - k.f.F);
        return;
    }
}

/// The way out: accelerations of the joint and of the link, on top of the bias.
template <Scalar T>
void accelerate(const Link& link, T* v_dot, LinkWork<T>& k, LinkageSpace<T>& w)
{
    if (link.op == LinkOp::translate) { // δ is known, and its world is at rest
        put_at(v_dot, k.delta.v);
        k.delta.omega = zero3<T>();
        return;
    }
    Twist<T> delta = carried(k, w[link.parent].delta);
    const auto one_freedom = [&] {
        v_dot[0] = k.inv_D * (k.u - (dot(k.U.F, delta.v) + dot(k.U.tau, delta.omega)));
    };
    switch (link.op) {
    case LinkOp::revolute:
        one_freedom();
        delta.omega.z = delta.omega.z + v_dot[0];
        break;
    case LinkOp::prismatic:
        one_freedom();
        delta.v.z = delta.v.z + v_dot[0];
        break;
    case LinkOp::screw:
        one_freedom();
        delta.omega.z = delta.omega.z + v_dot[0];
        delta.v.z = mul_add(constant<T>(link.pitch), v_dot[0], delta.v.z);
        break;
    case LinkOp::ball: {
        const BallWork<T>& ball = w.balls[static_cast<std::size_t>(link.block)];
        const Vec3<T> u = ball.u - transpose_times(ball.H, delta.v);
        std::array<T, 3> x{u.x, u.y, u.z};
        ball.D.solve(x);
        const Vec3<T> alpha = vector_at(x.data());
        put_at(v_dot, alpha - delta.omega);
        delta.omega = alpha;
        break;
    }
    case LinkOp::free: {
        const FreeWork<T>& free = w.frees[static_cast<std::size_t>(link.block)];
        std::array<T, 6> x = free.u;
        free.D.solve(x);
        const Vec3<T> a = vector_at(x.data()), alpha = vector_at(x.data() + 3);
        put_at(v_dot, a - delta.v);
        put_at(v_dot + 3, alpha - delta.omega);
        delta = {a, alpha};
        break;
    }
    case LinkOp::translate:
        break;
    }
    k.delta = delta;
}

/// The accelerations that the joint forces `tau` make at (q, v).
template <Scalar T>
[[gnu::flatten]] void forward_dynamics(const Linkage& linkage, In<LinkInertia<T>> inertias, In<T> q,
                                       In<T> v, In<T> tau, In<Wrench<T>> external,
                                       const std::type_identity_t<Vec3<T>>& gravity, Out<T> v_dot,
                                       LinkageSpace<T>& w)
{
    check(q.size() == static_cast<std::size_t>(linkage.nq), "q has a number per coordinate");
    turn_angles(linkage, q, w);
    start_from_world(w, gravity);
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        LinkWork<T>& k = w[i];
        place_link<T>(link, q, w, k);
        move_link<T>(link, w[link.parent], k, v.data() + link.v, nullptr);
        k.f = load_of_motion(inertias[at], k);
        if (!external.empty())
            k.f = k.f - external[at];
    }
    for (int i = n; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        LinkWork<T>& k = w[i];
        articulate(link, inertias[at], k, w);
        give_way(link, tau.data() + link.v, k, w);
    }
    for (int i = 0; i < n; ++i) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        accelerate(link, v_dot.data() + link.v, w[i], w);
    }
}

/// Factors M(q) for `solve_inertia`. Needs `place_links` at q (every kernel that takes q does it).
template <Scalar T>
[[gnu::flatten]] void factor_inertia(const Linkage& linkage, In<LinkInertia<T>> inertias,
                                     LinkageSpace<T>& w)
{
    for (int i = static_cast<int>(linkage.size()); i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        articulate(linkage.links[at], inertias[at], w[i], w);
    }
}

/// M⁻¹ x, for the q of the last `factor_inertia` or `forward_dynamics`. The two may share memory.
template <Scalar T>
[[gnu::flatten]] void solve_inertia(const Linkage& linkage, In<T> x, Out<T> out, LinkageSpace<T>& w)
{
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i)
        w[i].f = {zero3<T>(), zero3<T>()};
    for (int i = n; i-- > 0;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        give_way(link, x.data() + link.v, w[i], w);
    }
    for (int i = 0; i < n; ++i) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        accelerate(link, out.data() + link.v, w[i], w);
    }
}

/// Jᵀ W: the joint forces that do the same work as one load per link, about its origin and in its
/// axes. Needs `place_links` at q.
template <Scalar T>
void joint_forces(const Linkage& linkage, In<Wrench<T>> loads, Out<T> tau, LinkageSpace<T>& w)
{
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i)
        w[i].f = loads[static_cast<std::size_t>(i)];
    for (int i = n; i-- > 0;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        along_joint(link, w[i].f, tau.data() + link.v);
        if (link.parent != world)
            hand_down(w[i], w[i].f, w[link.parent].f);
    }
}

/// M x. Needs `place_links` at q.
template <Scalar T>
[[gnu::flatten]] void times_inertia(const Linkage& linkage, In<LinkInertia<T>> inertias, In<T> x,
                                    Out<T> out, LinkageSpace<T>& w)
{
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        LinkWork<T>& k = w[i];
        k.delta = with_own(link, x.data() + link.v, carried(k, w[link.parent].delta));
        k.f = inertias[at] * k.delta;
    }
    for (int i = n; i-- > 0;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        const auto v = static_cast<std::size_t>(link.v);
        const T own = x[v];
        along_joint(link, w[i].f, out.data() + link.v);
        if (link.armature != 0)
            out[v] = mul_add(constant<T>(link.armature), own, out[v]);
        if (link.parent != world)
            hand_down(w[i], w[i].f, w[link.parent].f);
    }
}

/// What every joint carries after `forward_dynamics`: the load that the parent hands to the link,
/// about the link's origin and in its axes, the joint's own force included.
template <Scalar T>
[[gnu::flatten]] void joint_loads(const Linkage& linkage, In<LinkInertia<T>> inertias,
                                  Out<Wrench<T>> loads, const LinkageSpace<T>& w)
{
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        Articulated<T> A = articulated(inertias[at]);
        if (!linkage.links[at].leaf)
            A = A + w[i].sum;
        loads[at] = w[i].f + A * w[i].delta;
    }
}

// One source file instantiates the kernels, so that users do not compile them again.
#define POINSOT_ABA_FOR(word, T)                                                                   \
    word template void forward_dynamics<T>(const Linkage&, In<LinkInertia<T>>, In<T>, In<T>,       \
                                           In<T>, In<Wrench<T>>, const Vec3<T>&, Out<T>,           \
                                           LinkageSpace<T>&);                                      \
    word template void factor_inertia<T>(const Linkage&, In<LinkInertia<T>>, LinkageSpace<T>&);    \
    word template void solve_inertia<T>(const Linkage&, In<T>, Out<T>, LinkageSpace<T>&);          \
    word template void times_inertia<T>(const Linkage&, In<LinkInertia<T>>, In<T>, Out<T>,         \
                                        LinkageSpace<T>&);                                         \
    word template void joint_loads<T>(const Linkage&, In<LinkInertia<T>>, Out<Wrench<T>>,          \
                                      const LinkageSpace<T>&)
POINSOT_ABA_FOR(extern, double);
POINSOT_ABA_FOR(extern, Dual<double>);
POINSOT_ABA_FOR(extern, LinkPack);

} // namespace poinsot
