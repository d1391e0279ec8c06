// SPDX-License-Identifier: MIT
#pragma once

// What the kernels of a linkage keep per link, sized once, and where each link is on its parent.
//
// Everything is in link axes and about the link's origin. Accelerations are those of particles, not
// spatial ones: they need no linear velocity, and what a uniform motion adds never enters.
//
//     ω' = Rᵀω + s                       s, ṡ: the joint's own rate and its rate of change
//     α' = Rᵀα + Rᵀω × s + ṡ
//     a' = Rᵀ(a + α × r + ω × (ω × r)) + …
//
// (R, r) takes vectors of the link to its parent. Gravity is a world that falls upwards: a = −g.

#include "poinsot/base/check.hpp"
#include "poinsot/base/flatten.hpp"
#include "poinsot/base/slots.hpp"
#include "poinsot/dynamics/link.hpp"
#include "poinsot/math/pack.hpp"
#include "poinsot/math/rotation.hpp"
#include "poinsot/math/spatial.hpp"

#include <type_traits>

namespace poinsot {

template <Scalar T>
Wrench<T> no_load()
{
    return {zero3<T>(), zero3<T>()};
}
template <Scalar T>
Twist<T> no_motion()
{
    return {zero3<T>(), zero3<T>()};
}

/// Which load an acceleration of an articulated link needs, beyond its bias:
///
///     [ F ]   [ M   H ] [ a ]
///     [ τ ] = [ Hᵀ  I ] [ α ]
template <Scalar T>
struct Articulated {
    SymTriple<T> M;
    MatTriple<T> H;
    SymTriple<T> I;

    friend Articulated operator+(const Articulated& a, const Articulated& b)
    {
        return {a.M + b.M, a.H + b.H, a.I + b.I};
    }
    friend Wrench<T> operator*(const Articulated& A, const Twist<T>& V)
    {
        const Triple<T> v = triple_of(V.v), omega = triple_of(V.omega);
        return {vec_of(A.M * v + A.H * omega), vec_of(back(A.H, v) + A.I * omega)};
    }
};

/// A symmetric positive matrix as L D Lᵀ, for joints with several freedoms.
template <Scalar T, std::size_t N>
struct Ldl {
    std::array<std::array<T, N>, N> L; // below the diagonal
    std::array<T, N> inv_D;

    /// Takes the lower triangle.
    void factor(const std::array<std::array<T, N>, N>& A)
    {
        std::array<T, N> scaled; // L_ik D_k of the row at work
        for (std::size_t i = 0; i < N; ++i) {
            T d = A[i][i];
            for (std::size_t j = 0; j < i; ++j) {
                T x = A[i][j];
                for (std::size_t k = 0; k < j; ++k)
                    x = mul_add(-scaled[k], L[j][k], x);
                scaled[j] = x;
            }
            for (std::size_t j = 0; j < i; ++j) {
                L[i][j] = scaled[j] * inv_D[j];
                d = mul_add(-L[i][j], scaled[j], d);
            }
            inv_D[i] = constant<T>(1.0) / d;
        }
    }
    template <Scalar S>
    void solve(std::array<S, N>& x) const
    {
        for (std::size_t i = 1; i < N; ++i)
            for (std::size_t j = 0; j < i; ++j)
                x[i] = mul_add(S(-L[i][j]), x[j], x[i]);
        for (std::size_t i = 0; i < N; ++i)
            x[i] = x[i] * S(inv_D[i]);
        for (std::size_t i = N; i-- > 0;)
            for (std::size_t j = i + 1; j < N; ++j)
                x[i] = mul_add(S(-L[j][i]), x[j], x[i]);
    }
};

template <Scalar T>
struct LinkPlace {
    Mat3<T> R;
    Vec3<T> x;
};

/// What belongs to one right-hand side.
template <Scalar S>
struct LinkSide {
    Wrench<S> f;        // what the link asks of its joint
    std::array<S, 6> u; // what is left of the joint's force
    Twist<S> delta;     // acceleration on top of the bias
};
/// What belongs to the place of a link, and one right-hand side.
template <Scalar T>
struct LinkWork : LinkSide<T> {
    Turn<T> R; // to the parent
    Triple<T> r;
    Vec3<T> omega, alpha, a;
    Triple<T> U_F, U_tau; // IA s: what a unit of the joint's acceleration needs, at the parent
    T inv_D;              // 1/(s·IA s + armature)
    Articulated<T> sum;   // of the links that hang on it
};
template <Scalar T>
struct BallWork {
    Ldl<T, 3> D;
    Mat3<T> H;
};

/// Right-hand sides of other numbers than the linkage's own: four columns in a pack.
template <Scalar S>
class LinkageSides {
  public:
    explicit LinkageSides(const Links& linkage) : sides_(linkage.size() + 1)
    {
        sides_[0].f = {zero3<S>(), zero3<S>()};
        sides_[0].delta = {zero3<S>(), zero3<S>()};
    }
    LinkSide<S>& operator[](int link) { return sides_[static_cast<std::size_t>(link + 1)]; }

  private:
    Slots<LinkSide<S>> sides_;
};

/// Scratch of one world (or of one pack of worlds). Each kernel says what it needs to find here.
template <Scalar T>
class LinkageSpace {
  public:
    explicit LinkageSpace(const Links& linkage)
        : balls(static_cast<std::size_t>(linkage.balls)),
          frees(static_cast<std::size_t>(linkage.frees)), turns(linkage.angle_count),
          world_place(linkage.size()), momentum(linkage.size()), twist(linkage.size()),
          composite(linkage.size()), armatures(static_cast<std::size_t>(linkage.nv)),
          work_(linkage.size() + 1)
    {
        for (const Link& link : linkage.links)
            if (link.armature != 0)
                armatures[static_cast<std::size_t>(link.v)] = constant<T>(link.armature);
        LinkWork<T>& still = work_[0];
        still.R = turn_of(identity3<T>());
        still.r = zero_triple<T>();
        still.omega = still.alpha = still.a = zero3<T>();
        still.delta = no_motion<T>();
        still.f = no_load<T>();
    }

    /// The record of a link; of the world for −1.
    LinkWork<T>& operator[](int link) { return work_[static_cast<std::size_t>(link + 1)]; }
    const LinkWork<T>& operator[](int link) const
    {
        return work_[static_cast<std::size_t>(link + 1)];
    }

    Slots<BallWork<T>> balls;
    Slots<Ldl<T, 6>> frees;
    Slots<SinCos<T>> turns;          // of every angle
    Slots<LinkPlace<T>> world_place; // after `place_links_in_world`
    Slots<Momentum<T>> momentum;     // of a link and all on it, where a kernel says so
    Slots<Twist<T>> twist;           // after `link_twists`; link axes, at the link's origin

    Slots<LinkInertia<T>> composite; // after `compose`: a link and all that hangs on it

    /// Felt by every velocity whose link has a drive: those of the linkage, unless the worlds of a
    /// pack were given others.
    Slots<T> armatures;

  private:
    Slots<LinkWork<T>> work_;
};

/// Four worlds side by side: the pack that the library instantiates kernels for.
using LinkPack = Pack<double, 4>;

/// A span whose type does not take part in deduction: the workspace says what T is.
template <class T>
using In = std::type_identity_t<std::span<const T>>;
template <class T>
using Out = std::type_identity_t<std::span<T>>;

template <Scalar T>
Vec3<T> in_scalar(const Vec3<double>& a)
{
    return {constant<T>(a.x), constant<T>(a.y), constant<T>(a.z)};
}
template <Scalar T>
Mat3<T> in_scalar(const Mat3<double>& a)
{
    return {in_scalar<T>(a.r0), in_scalar<T>(a.r1), in_scalar<T>(a.r2)};
}

/// Sines and cosines of all angles. Plain numbers go four at a time: a lane has the same bits.
template <Scalar T>
void turn_angles(const Links& linkage, In<T> q, LinkageSpace<T>& w)
{
    const std::size_t count = linkage.angle_count;
    const auto angle = [&](std::size_t k) {
        return q[static_cast<std::size_t>(linkage.angles[k])];
    };
    std::size_t k = 0;
    if constexpr (std::same_as<T, double>)
        for (; k < count; k += 4) {
            const auto lane = [&](std::size_t i) { return angle(i < count ? i : k); };
            using P = Pack<double, 4>;
            const P x = P::of(typename P::Vector{lane(k), lane(k + 1), lane(k + 2), lane(k + 3)});
            const auto [s, c] = sin_cos(x);
            for (std::size_t i = 0; i < 4 && k + i < count; ++i)
                w.turns[k + i] = {s[static_cast<int>(i)], c[static_cast<int>(i)]};
        }
    for (; k < count; ++k)
        w.turns[k] = sin_cos(angle(k));
}

/// R J: a rotation after a turn about z.
template <Scalar T>
void turn_about_z(const Turn<double>& R, const SinCos<T>& turn, Turn<T>& out)
{
    if constexpr (std::same_as<T, double>) {
        const Triple<double> s = same_of(turn.sin), c = same_of(turn.cos);
        const Triple<double> plus_minus = triple(1.0, -1.0, 0.0), only_z = triple(0.0, 0.0, 1.0);
        const Triple<double> cc1 = pick(c, c, only_z), ss0 = s * plus_minus;
        const auto row = [&](const Triple<double>& a) { return mul_add(a, cc1, yxz(a) * ss0); };
        out.column_0 = mul_add(c, R.column_0, s * R.column_1);
        out.column_1 = mul_add(c, R.column_1, -(s * R.column_0));
        out.column_2 = R.column_2;
        out.row_0 = row(R.row_0);
        out.row_1 = row(R.row_1);
        out.row_2 = row(R.row_2);
    } else {
        const T s = turn.sin, c = turn.cos;
        const auto row = [&](const Triple<double>& a) -> Vec3<T> {
            const T x = constant<T>(a.v[0]), y = constant<T>(a.v[1]);
            return {mul_add(x, c, y * s), mul_add(y, c, -(x * s)), constant<T>(a.v[2])};
        };
        out.m = {row(R.row_0), row(R.row_1), row(R.row_2)};
    }
}
template <Scalar T>
Turn<T> in_scalar(const Turn<double>& R)
{
    if constexpr (std::same_as<T, double>)
        return R;
    else
        return turn_of(in_scalar<T>(R.matrix()));
}

/// Where a link stands on its parent: needs `turn_angles`.
template <Scalar T>
void place_link(const Link& link, In<T> q, const LinkageSpace<T>& w, LinkWork<T>& k)
{
    const T* const at = q.data() + link.q;
    switch (link.op) {
    case LinkOp::revolute:
        turn_about_z(link.turn, w.turns[static_cast<std::size_t>(link.block)], k.R);
        k.r = in_scalar<T>(link.shift);
        break;
    case LinkOp::prismatic:
        k.R = in_scalar<T>(link.turn);
        k.r = mul_add(same_of(at[0]), k.R.c2(), in_scalar<T>(link.shift));
        break;
    case LinkOp::screw:
        turn_about_z(link.turn, w.turns[static_cast<std::size_t>(link.block)], k.R);
        k.r = mul_add(same_of(constant<T>(link.pitch) * at[0]), k.R.c2(), in_scalar<T>(link.shift));
        break;
    case LinkOp::ball:
        k.R = turn_of(in_scalar<T>(link.R) * matrix_of(Quat<T>{at[0], at[1], at[2], at[3]}));
        k.r = in_scalar<T>(link.shift);
        break;
    case LinkOp::free: {
        const Mat3<T> R = in_scalar<T>(link.R);
        k.R = turn_of(R * matrix_of(Quat<T>{at[3], at[4], at[5], at[6]}));
        k.r = in_scalar<T>(link.shift) + triple_of(R * Vec3<T>{at[0], at[1], at[2]});
        break;
    }
    case LinkOp::translate:
        k.R = in_scalar<T>(link.turn);
        k.r = in_scalar<T>(link.shift) + k.R * triple(at[0], at[1], at[2]);
        break;
    }
}

template <Scalar T>
POINSOT_FLATTEN void place_links(const Links& linkage, In<T> q, LinkageSpace<T>& w)
{
    check(q.size() == static_cast<std::size_t>(linkage.nq), "q has a number per coordinate");
    turn_angles(linkage, q, w);
    for (int i = 0; const Link& link : linkage.links)
        place_link<T>(link, q, w, w[i++]);
}

/// A motion of the parent, seen at the link and in its axes.
template <Scalar T, Scalar S>
Twist<S> carried(const LinkWork<T>& k, const Twist<S>& V)
{
    return {back(k.R, cross_add(V.omega, spread_over<S>(vec_of(k.r)), V.v)), back(k.R, V.omega)};
}
/// A load of the link, about the parent's origin and in its axes.
template <Scalar T, Scalar S>
Wrench<S> lowered(const LinkWork<T>& k, const Wrench<S>& W)
{
    const Vec3<S> F = k.R * W.F;
    return {F, cross_add(spread_over<S>(vec_of(k.r)), F, k.R * W.tau)};
}
/// The same on top of what is there.
template <Scalar T, Scalar S>
Wrench<S> handed_down(const LinkWork<T>& k, const Wrench<S>& W, const Wrench<S>& parent)
{
    const Vec3<S> F = k.R * W.F;
    return {parent.F + F, cross_add(spread_over<S>(vec_of(k.r)), F, parent.tau + k.R * W.tau)};
}
template <Scalar T, Scalar S>
void hand_down(const LinkWork<T>& k, const Wrench<S>& W, Wrench<S>& parent)
{
    parent = handed_down(k, W, parent);
}
/// A motion with the joint's own on top: s v.
template <Scalar T>
Twist<T> with_own(const Link& link, const T* v, Twist<T> V)
{
    switch (link.op) {
    case LinkOp::revolute:
        V.omega.z = V.omega.z + v[0];
        break;
    case LinkOp::prismatic:
        V.v.z = V.v.z + v[0];
        break;
    case LinkOp::screw:
        V.omega.z = V.omega.z + v[0];
        V.v.z = mul_add(constant<T>(link.pitch), v[0], V.v.z);
        break;
    case LinkOp::ball:
        V.omega += vector_at(v);
        break;
    case LinkOp::free:
        V.v += vector_at(v);
        V.omega += vector_at(v + 3);
        break;
    case LinkOp::translate:
        V.v += vector_at(v);
        break;
    }
    return V;
}
/// What of a load the joint's own force balances: sᵀ W.
template <Scalar T>
void along_joint(const Link& link, const Wrench<T>& W, T* out)
{
    switch (link.op) {
    case LinkOp::revolute:
        out[0] = W.tau.z;
        break;
    case LinkOp::prismatic:
        out[0] = W.F.z;
        break;
    case LinkOp::screw:
        out[0] = mul_add(constant<T>(link.pitch), W.F.z, W.tau.z);
        break;
    case LinkOp::ball:
        put_at(out, W.tau);
        break;
    case LinkOp::free:
        put_at(out, W.F);
        put_at(out + 3, W.tau);
        break;
    case LinkOp::translate:
        put_at(out, W.F);
        break;
    }
}

} // namespace poinsot
