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

#include <vector>

namespace poinsot {

template <Scalar T>
Articulated<T> articulated(const LinkInertia<T>& I)
{
    const Triple<T> o = zero_triple<T>();
    return {{spread<T>(same_of(I.m)), o}, {o, zxy(I.mc), -yzx(I.mc)}, I.I};
}
/// A body and what hangs on it.
template <Scalar T>
Articulated<T> articulated(const LinkInertia<T>& I, const Articulated<T>& sum)
{
    return {{sum.M.d + spread<T>(same_of(I.m)), sum.M.o},
            {sum.H.d0, sum.H.d1 + zxy(I.mc), sum.H.d2 - yzx(I.mc)},
            sum.I + I.I};
}
/// The same about a point displaced by −r:
///
///     H' = H − M [r×],   I' = I + [r×] H' + ([r×] H)ᵀ
template <Scalar T>
Articulated<T> shifted(const Articulated<T>& A, const Triple<T>& r)
{
    const Triple<T> ry = yzx(r), rz = zxy(r), xz = zxy(A.M.o);
    const MatTriple<T>& H = A.H;
    const MatTriple<T> G{mul_add(-A.M.o, rz, mul_add(xz, ry, H.d0)),
                         mul_add(A.M.d, rz, mul_add(-xz, r, H.d1)),
                         mul_add(-A.M.d, ry, mul_add(A.M.o, r, H.d2))};
    return {A.M,
            G,
            {mul_add(-rz, yzx(G.d2 + H.d2), mul_add(ry, zxy(G.d1 + H.d1), A.I.d)),
             mul_add(-rz, yzx(G.d0),
                     mul_add(ry, zxy(G.d2), mul_add(-r, zxy(H.d1), mul_add(rz, H.d0, A.I.o))))}};
}
/// Adds to what hangs on a link's parent.
template <Scalar T>
void arrive(const Link& link, const Articulated<T>& rest, Articulated<T>& sum)
{
    if (link.arrives_first)
        sum = rest;
    else
        sum = sum + rest;
}
/// Keeps what `give_way` and `accelerate` ask of a joint with one freedom.
template <Scalar T>
void keep(const Link& link, const Triple<T>& U_F, const Triple<T>& U_tau, const Same<T>& inv_D,
          LinkWork<T>& k)
{
    k.inv_D = value_of<T>(inv_D);
    if (link.parent == world)
        return;
    k.U_F = k.R * U_F;
    k.U_tau = k.R * U_tau + cross(k.r, k.U_F);
}

/// A revolute without armature gives way: nothing is left along its column of turning about z.
template <Scalar T>
void let_turn(const Link& link, const Articulated<T>& A, LinkWork<T>& k, Articulated<T>& sum)
{
    const Triple<T> U_F = column_z(A.H), U_tau = column_z(A.I);
    const Same<T> inv_D = same_constant<T>(1.0) / all_z(A.I.d);
    keep(link, U_F, U_tau, inv_D, k);
    if (link.parent == world)
        return;
    const Triple<T> tau = inv_D * U_tau;
    const MatTriple<T> H = less_outer(A.H, U_F, tau); // its column z is zero
    const Triple<T> x = k.R * column_x(H), y = k.R * column_y(H), c0 = k.R.c0(), c1 = k.R.c1();
    arrive(link,
           shifted<T>({turned(k.R, less_outer(A.M, inv_D * U_F, U_F)),
                       {mul_add(x, c0, y * c1), mul_add(x, yzx(c0), y * yzx(c1)),
                        mul_add(x, zxy(c0), y * zxy(c1))},
                       turned_flat(k.R, less_outer(A.I, tau, U_tau))},
                      k.r),
           sum);
}
/// A prismatic without armature gives way: nothing is left along its row of sliding along z.
template <Scalar T>
void let_slide(const Link& link, const Articulated<T>& A, LinkWork<T>& k, Articulated<T>& sum)
{
    const Triple<T> U_F = column_z(A.M), U_tau = row_z(A.H);
    const Same<T> inv_D = same_constant<T>(1.0) / all_z(A.M.d);
    keep(link, U_F, U_tau, inv_D, k);
    if (link.parent == world)
        return;
    const Triple<T> F = inv_D * U_F;
    const MatTriple<T> H = less_outer(A.H, F, U_tau); // its row z is zero
    const Triple<T> x = k.R * row_x(H), y = k.R * row_y(H), c0 = k.R.c0(), c1 = k.R.c1();
    arrive(link,
           shifted<T>({turned_flat(k.R, less_outer(A.M, F, U_F)),
                       {mul_add(c0, x, c1 * y), mul_add(c0, yzx(x), c1 * yzx(y)),
                        mul_add(c0, zxy(x), c1 * zxy(y))},
                       turned(k.R, less_outer(A.I, inv_D * U_tau, U_tau))},
                      k.r),
           sum);
}
/// Any joint with one freedom gives way: all of IA − U D⁻¹ Uᵀ goes to the parent.
template <Scalar T>
void let_move(const Link& link, const Articulated<T>& A, const Triple<T>& U_F,
              const Triple<T>& U_tau, const Same<T>& along, const T& armature, LinkWork<T>& k,
              Articulated<T>& sum)
{
    const Same<T> inv_D = same_constant<T>(1.0) / (along + same_of(armature));
    keep(link, U_F, U_tau, inv_D, k);
    if (link.parent == world)
        return;
    const Triple<T> F = inv_D * U_F, tau = inv_D * U_tau;
    arrive(link,
           shifted<T>({turned(k.R, less_outer(A.M, F, U_F)), turned(k.R, less_outer(A.H, U_F, tau)),
                       turned(k.R, less_outer(A.I, tau, U_tau))},
                      k.r),
           sum);
}

/// Joints that are rarer: one copy of their code, apart from the loops over links.
template <Scalar T>
[[gnu::noinline]] POINSOT_FLATTEN void let_go(const Link& link, const LinkInertia<T>& inertia,
                                              LinkWork<T>& k, LinkageSpace<T>& w)
{
    const Articulated<T> A = link.leaf ? articulated(inertia) : articulated(inertia, k.sum);
    Articulated<T>& sum = w[link.parent].sum;
    const T& armature = w.armatures[static_cast<std::size_t>(link.v)];
    const T o = constant<T>(0.0);
    const Triple<T> none = zero_triple<T>();
    const bool rooted = link.parent == world;
    switch (link.op) {
    case LinkOp::revolute:
        return let_move(link, A, column_z(A.H), column_z(A.I), all_z(A.I.d), armature, k, sum);
    case LinkOp::prismatic:
        return let_move(link, A, column_z(A.M), row_z(A.H), all_z(A.M.d), armature, k, sum);
    case LinkOp::screw: {
        const Same<T> pitch = same_constant<T>(link.pitch);
        const Triple<T> U_F = mul_add(pitch, column_z(A.M), column_z(A.H)),
                        U_tau = mul_add(pitch, row_z(A.H), column_z(A.I));
        return let_move(link, A, U_F, U_tau, mul_add(pitch, all_z(U_F), all_z(U_tau)), armature, k,
                        sum);
    }
    case LinkOp::ball: {
        BallWork<T>& ball = w.balls[static_cast<std::size_t>(link.block)];
        const Sym3<T> I = sym3_of(A.I);
        const Vec3<T> hx = vec_of(row_x(A.H)), hy = vec_of(row_y(A.H)), hz = vec_of(row_z(A.H));
        ball.H = {hx, hy, hz};
        ball.D.factor({{{I.xx, o, o}, {I.xy, I.yy, o}, {I.xz, I.yz, I.zz}}});
        if (rooted)
            return;
        // M − H I⁻¹ Hᵀ by rows
        const auto solved = [&](const Vec3<T>& a) -> Vec3<T> {
            std::array<T, 3> x{a.x, a.y, a.z};
            ball.D.solve(x);
            return {x[0], x[1], x[2]};
        };
        const Vec3<T> x = solved(hx), y = solved(hy), z = solved(hz);
        const SymTriple<T> M{A.M.d - triple(dot(x, hx), dot(y, hy), dot(z, hz)),
                             A.M.o - triple(dot(x, hy), dot(y, hz), dot(z, hx))};
        return arrive(link, shifted<T>({turned(k.R, M), {none, none, none}, {none, none}}, k.r),
                      sum);
    }
    case LinkOp::free: {
        const Sym3<T> M = sym3_of(A.M), I = sym3_of(A.I);
        const Vec3<T> x = vec_of(column_x(A.H)), y = vec_of(column_y(A.H)),
                      z = vec_of(column_z(A.H));
        w.frees[static_cast<std::size_t>(link.block)].factor({{{M.xx, o, o, o, o, o},
                                                               {M.xy, M.yy, o, o, o, o},
                                                               {M.xz, M.yz, M.zz, o, o, o},
                                                               {x.x, x.y, x.z, I.xx, o, o},
                                                               {y.x, y.y, y.z, I.xy, I.yy, o},
                                                               {z.x, z.y, z.z, I.xz, I.yz, I.zz}}});
        if (!rooted && link.arrives_first)
            sum = {{none, none}, {none, none, none}, {none, none}};
        return;
    }
    case LinkOp::translate: // one particle
        k.inv_D = constant<T>(1.0) / inertia.m;
        return;
    }
}

/// The way in for the inertias: lets the joint of a link give way, keeps what its acceleration
/// meets, and hands down the inertia that the parent still feels. Needs R and r of every link.
template <Scalar T>
void articulate(const Link& link, const LinkInertia<T>& inertia, LinkWork<T>& k, LinkageSpace<T>& w)
{
    if (link.armature != 0 || link.op > LinkOp::prismatic)
        return let_go(link, inertia, k, w);
    Articulated<T>& sum = w[link.parent].sum;
    if (link.op == LinkOp::prismatic)
        let_slide(link, link.leaf ? articulated(inertia) : articulated(inertia, k.sum), k, sum);
    else if (link.leaf)
        let_turn(link, articulated(inertia), k, sum);
    else
        let_turn(link, articulated(inertia, k.sum), k, sum);
}

/// The way in for the loads: what of the joint's force is left, and what the parent feels. S is T,
/// or a pack of right-hand sides for one world.
template <Scalar T, Scalar S>
void give_way(const Link& link, const S* tau, const LinkWork<T>& k, LinkSide<S>& side,
              Wrench<S>& parent, const LinkageSpace<T>& w)
{
    // f + U D⁻¹ u: U was carried to the parent already, so that f need not wait for u.
    const auto one_freedom = [&](const S& along) {
        side.u[0] = tau[0] - along;
        if (link.parent != world) {
            const S x = side.u[0] * S(k.inv_D);
            const Wrench<S> sum = handed_down(k, side.f, parent);
            parent = {mul_add(x, spread_over<S>(vec_of(k.U_F)), sum.F),
                      mul_add(x, spread_over<S>(vec_of(k.U_tau)), sum.tau)};
        }
    };
    switch (link.op) {
    case LinkOp::revolute:
        return one_freedom(side.f.tau.z);
    case LinkOp::prismatic:
        return one_freedom(side.f.F.z);
    case LinkOp::screw:
        return one_freedom(mul_add(constant<S>(link.pitch), side.f.F.z, side.f.tau.z));
    case LinkOp::ball: {
        const BallWork<T>& ball = w.balls[static_cast<std::size_t>(link.block)];
        const Vec3<S> given = vector_at(tau), u = given - side.f.tau;
        put_at(side.u.data(), u);
        if (link.parent != world) {
            std::array<S, 3> x{u.x, u.y, u.z};
            ball.D.solve(x);
            hand_down(k, Wrench<S>{side.f.F + spread_over<S>(ball.H) * vector_at(x.data()), given},
                      parent);
        }
        return;
    }
    case LinkOp::free: {
        const Wrench<S> given{vector_at(tau), vector_at(tau + 3)};
        put_at(side.u.data(), given.F - side.f.F);
        put_at(side.u.data() + 3, given.tau - side.f.tau);
        if (link.parent != world)
            hand_down(k, given, parent);
        return;
    }
    case LinkOp::translate:
        put_at(side.u.data(), vector_at(tau) - side.f.F);
        return;
    }
}

/// The way out: accelerations of the joint and of the link, on top of the bias.
template <Scalar T, Scalar S>
void accelerate(const Link& link, S* v_dot, const LinkWork<T>& k, LinkSide<S>& side,
                const Twist<S>& parent, const LinkageSpace<T>& w)
{
    Twist<S> delta = link.parent == world ? no_motion<S>() : carried(k, parent);
    const auto one_freedom = [&] {
        S left = side.u[0];
        if (link.parent != world)
            left = left - (dot(spread_over<S>(vec_of(k.U_F)), parent.v) +
                           dot(spread_over<S>(vec_of(k.U_tau)), parent.omega));
        v_dot[0] = S(k.inv_D) * left;
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
        delta.v.z = mul_add(constant<S>(link.pitch), v_dot[0], delta.v.z);
        break;
    case LinkOp::ball: {
        const BallWork<T>& ball = w.balls[static_cast<std::size_t>(link.block)];
        std::array<S, 3> x;
        put_at(x.data(),
               vector_at(side.u.data()) - transpose_times(spread_over<S>(ball.H), delta.v));
        ball.D.solve(x);
        const Vec3<S> alpha = vector_at(x.data());
        put_at(v_dot, alpha - delta.omega);
        delta.omega = alpha;
        break;
    }
    case LinkOp::free: {
        std::array<S, 6> x = side.u;
        w.frees[static_cast<std::size_t>(link.block)].solve(x);
        const Vec3<S> a = vector_at(x.data()), alpha = vector_at(x.data() + 3);
        put_at(v_dot, a - delta.v);
        put_at(v_dot + 3, alpha - delta.omega);
        delta = {a, alpha};
        break;
    }
    case LinkOp::translate: // on a world at rest
        delta.v = S(k.inv_D) * vector_at(side.u.data());
        put_at(v_dot, delta.v);
        break;
    }
    side.delta = delta;
}

/// A load that a link has of itself, linear in its ω, about its origin and in its axes: what flows
/// in it and leaves it.
///
///     W = (F + a × ω, τ + M ω)
template <Scalar T>
struct OwnLoad {
    Vec3<T> F, tau, a;
    Mat3<T> M;
};

/// The accelerations that the joint forces `tau` make at (q, v). Where `spin` is given it has, per
/// link and in link axes, the momentum Σ h a of rotors that turn in it; that ω × Σ h a asks for.
/// `own` likewise has the loads of links on themselves.
template <Scalar T>
POINSOT_FLATTEN void
forward_dynamics(const Links& linkage, In<LinkInertia<T>> inertias, In<T> q, In<T> v, In<T> tau,
                 In<Wrench<T>> external, const std::type_identity_t<Vec3<T>>& gravity, Out<T> v_dot,
                 LinkageSpace<T>& w, In<Vec3<T>> spin = {}, In<OwnLoad<T>> own = {})
{
    place_links(linkage, q, w);
    start_from_world(w, gravity);
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        LinkWork<T>& k = w[i];
        move_link<T>(link, w[link.parent], k, v.data() + link.v, nullptr);
        k.f = load_of_motion(inertias[at], k);
        if (!external.empty())
            k.f = k.f - external[at];
        if (!spin.empty())
            k.f.tau = cross_add(k.omega, spin[at], k.f.tau);
        if (!own.empty()) {
            const OwnLoad<T>& o = own[at];
            k.f = k.f - Wrench<T>{cross_add(o.a, k.omega, o.F), o.tau + o.M * k.omega};
        }
    }
    for (int i = n; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        LinkWork<T>& k = w[i];
        articulate(link, inertias[at], k, w);
        give_way(link, tau.data() + link.v, k, k, w[link.parent].f, w);
    }
    for (int i = 0; i < n; ++i) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        accelerate(link, v_dot.data() + link.v, w[i], w[i], w[link.parent].delta, w);
    }
}

/// Factors M(q) for `solve_inertia`. Needs `place_links` at q (every kernel that takes q does it).
template <Scalar T>
POINSOT_FLATTEN void factor_inertia(const Links& linkage, In<LinkInertia<T>> inertias,
                                    LinkageSpace<T>& w)
{
    for (int i = static_cast<int>(linkage.size()); i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        articulate(linkage.links[at], inertias[at], w[i], w);
    }
}

/// The two sweeps of M⁻¹ x over right-hand sides kept in `sides`.
template <Scalar T, Scalar S, class Sides>
POINSOT_FLATTEN void sweep(const Links& linkage, const S* x, S* out, const LinkageSpace<T>& w,
                           Sides& sides)
{
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i)
        sides[i].f = no_load<S>();
    for (int i = n; i-- > 0;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        give_way<T, S>(link, x + link.v, w[i], sides[i], sides[link.parent].f, w);
    }
    for (int i = 0; i < n; ++i) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        accelerate<T, S>(link, out + link.v, w[i], sides[i], sides[link.parent].delta, w);
    }
}

/// Jᵀ W: the joint forces that do the same work as one load per link, about its origin and in its
/// axes. Needs `place_links` at q.
template <Scalar T>
void joint_forces(const Links& linkage, In<Wrench<T>> loads, Out<T> tau, LinkageSpace<T>& w)
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

/// M⁻¹ x, for the q of the last `factor_inertia` or `forward_dynamics`. The two may share memory.
template <Scalar T>
void solve_inertia(const Links& linkage, In<T> x, Out<T> out, LinkageSpace<T>& w)
{
    sweep<T, T>(linkage, x.data(), out.data(), w, w);
}
/// The same of x along the links from `first` to `last`, which hang on no other and carry no other.
void solve_inertia_of(const Links& linkage, int first, int last, std::span<const double> x,
                      std::span<double> out, LinkageSpace<double>& w);
/// The same for four x at once, number by number in packs: M⁻¹ Jᵀ of constraints.
void solve_inertia(const Links& linkage, std::span<const LinkPack> x, std::span<LinkPack> out,
                   const LinkageSpace<double>& w, LinkageSides<LinkPack>& sides);
/// M⁻¹ of every row of nv numbers, as many as there are. The two may share memory.
void solve_inertia_rows(const Links& linkage, std::span<const double> rows, std::span<double> out,
                        const LinkageSpace<double>& w, LinkageSides<LinkPack>& sides,
                        std::vector<LinkPack>& scratch);

/// M x. Needs `place_links` at q.
template <Scalar T>
POINSOT_FLATTEN void times_inertia(const Links& linkage, In<LinkInertia<T>> inertias, In<T> x,
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
            out[v] = mul_add(w.armatures[v], own, out[v]);
        if (link.parent != world)
            hand_down(w[i], w[i].f, w[link.parent].f);
    }
}

/// What every joint carries after `forward_dynamics`: the load that the parent hands to the link,
/// about the link's origin and in its axes, the joint's own force included.
template <Scalar T>
POINSOT_FLATTEN void joint_loads(const Links& linkage, In<LinkInertia<T>> inertias,
                                 Out<Wrench<T>> loads, const LinkageSpace<T>& w)
{
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const LinkWork<T>& k = w[i];
        const Articulated<T> A =
            linkage.links[at].leaf ? articulated(inertias[at]) : articulated(inertias[at], k.sum);
        loads[at] = k.f + A * k.delta;
    }
}

// One source file instantiates the kernels, so that users do not compile them again.
#define POINSOT_ABA_FOR(word, T)                                                                   \
    word template void forward_dynamics<T>(const Links&, In<LinkInertia<T>>, In<T>, In<T>, In<T>,  \
                                           In<Wrench<T>>, const Vec3<T>&, Out<T>,                  \
                                           LinkageSpace<T>&, In<Vec3<T>>, In<OwnLoad<T>>);         \
    word template void factor_inertia<T>(const Links&, In<LinkInertia<T>>, LinkageSpace<T>&);      \
    word template void solve_inertia<T>(const Links&, In<T>, Out<T>, LinkageSpace<T>&);            \
    word template void times_inertia<T>(const Links&, In<LinkInertia<T>>, In<T>, Out<T>,           \
                                        LinkageSpace<T>&);                                         \
    word template void joint_loads<T>(const Links&, In<LinkInertia<T>>, Out<Wrench<T>>,            \
                                      const LinkageSpace<T>&)
POINSOT_ABA_FOR(extern, double);

} // namespace poinsot
