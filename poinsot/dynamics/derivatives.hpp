// SPDX-License-Identifier: MIT
#pragma once

// How forces answer a change of coordinates and velocities, and how accelerations do.
//
// q changes in the directions of v: a joint's link, with all it carries, moves by a small twist s
// fixed to the link. In world axes and with spatial accelerations, for a link k carried by j:
//
//     δv_k = s × v_k + ψ̇                       ψ̇ = v_λ × s            λ: the parent of j
//     δa_k = s × a_k + ψ̈ − v_k × ψ̇             ψ̈ = a_λ × s + v_λ × ψ̇
//
// The first terms carry everything along and only turn loads; the others are the same ψ for all
// that hangs on j. With the composite inertia I^C and B^C = Σ B_k,
//
//     B_k x = x ×* I v + v ×* I x − I (v × x) = (2 ω_x × p;  N ω_x)
//     N = 2 (tr K 1 − K),   K = ∫ ẋ xᵀ dm = [ω×] S + v (mc)ᵀ        S: second moments
//
//     ∂τ_i/∂q_j = s_iᵀ (s_j ×* f_j + I_j ψ̈_j + B_j ψ̇_j)             i carries j
//     ∂τ_i/∂q_j = s_iᵀ (I_i ψ̈_j + B_i ψ̇_j)                          j carries i, or is i
//     ∂τ_i/∂v_j = s_iᵀ (B s_j + I (ψ̇_j + v_j × s_j))                 B, I of the outer of the two
//
// So two sweeps and n · depth short products give all of it. The idea that ψ is common is from
// [Singh, Russell, Wensing 2022]; that B acts on turning alone makes it half as long.
//
// Loads from outside are held constant in the axes of their links. And from M q̈ + b = τ:
//
//     ∂q̈/∂τ = M⁻¹        ∂q̈/∂q = −M⁻¹ ∂τ/∂q        ∂q̈/∂v = −M⁻¹ ∂τ/∂v         at that q̈

#include "poinsot/dynamics/inertia_inverse.hpp"
#include "poinsot/dynamics/kinematics.hpp"

namespace poinsot {

/// Motions and loads as this kernel holds them: it has many at once and no chain to wait for.
template <Scalar T>
struct LinkMotion {
    Triple<T> v, omega;

    friend LinkMotion operator+(const LinkMotion& a, const LinkMotion& b)
    {
        return {a.v + b.v, a.omega + b.omega};
    }
};
template <Scalar T>
struct LinkLoad {
    Triple<T> F, tau;

    friend LinkLoad operator+(const LinkLoad& a, const LinkLoad& b)
    {
        return {a.F + b.F, a.tau + b.tau};
    }
    friend LinkLoad operator-(const LinkLoad& a, const LinkLoad& b)
    {
        return {a.F - b.F, a.tau - b.tau};
    }
};
template <Scalar T>
LinkLoad<T> operator*(const LinkInertia<T>& I, const LinkMotion<T>& V)
{
    return {mul_add(same_of(I.m), V.v, cross(V.omega, I.mc)), cross_add(I.mc, V.v, I.I * V.omega)};
}

/// Scratch of `inverse_dynamics_derivatives`, in world axes about the origin of the first link of
/// each tree.
template <Scalar T>
struct DerivativeSpace {
    struct Own {                                  // per velocity
        LinkMotion<T> s, psi_dot, psi_ddot, rate; // rate = ψ̇ + v × s
    };
    struct OfLink {
        Turn<T> R;
        Triple<T> x;
        LinkMotion<T> v, a;
        LinkInertia<T> I;
        Triple<T> p;
        MatTriple<T> N;
        LinkLoad<T> f;
    };
    std::vector<Own> own;
    std::vector<OfLink> links;

    explicit DerivativeSpace(const Linkage& linkage)
        : own(static_cast<std::size_t>(linkage.nv)), links(linkage.size())
    {
    }
};

/// a × b of two motions.
template <Scalar T>
LinkMotion<T> cross(const LinkMotion<T>& a, const LinkMotion<T>& b)
{
    return {cross_add(a.omega, b.v, cross(a.v, b.omega)), cross(a.omega, b.omega)};
}
/// a ×* W: how a load changes that is carried along.
template <Scalar T>
LinkLoad<T> cross(const LinkMotion<T>& a, const LinkLoad<T>& W)
{
    return {cross(a.omega, W.F), cross_add(a.omega, W.tau, cross(a.v, W.F))};
}
/// N = 2 (tr K 1 − K) of a body with K = [ω×] S + v (mc)ᵀ, S = ½ tr(I) 1 − I.
template <Scalar T>
MatTriple<T> turning_matrix(const LinkInertia<T>& I, const LinkMotion<T>& V)
{
    const Same<T> half = same_constant<T>(0.5), two = same_constant<T>(2.0);
    const Triple<T> d = half * ((yzx(I.I.d) + zxy(I.I.d)) - I.I.d), o = -I.I.o;
    const Triple<T> wy = yzx(V.omega), wz = -zxy(V.omega), oy = yzx(o);
    const Triple<T> d0 = mul_add(V.v, I.mc, mul_add(wz, o, wy * zxy(o)));
    const Triple<T> d1 = mul_add(V.v, yzx(I.mc), mul_add(wz, yzx(d), wy * oy));
    const Triple<T> d2 = mul_add(V.v, zxy(I.mc), mul_add(wz, oy, wy * zxy(d)));
    return {two * (yzx(d0) + zxy(d0)), -(two * d1), -(two * d2)};
}

/// ∂τ/∂q and ∂τ/∂v of inverse dynamics at (q, v, v_dot), nv rows of nv numbers each; ∂τ/∂v̇ is M.
/// Without v_dot those of the bias. Needs `place_links`.
template <Scalar T>
POINSOT_FLATTEN void
inverse_dynamics_derivatives(const Linkage& linkage, In<LinkInertia<T>> inertias, In<T> v,
                             In<T> v_dot, In<Wrench<T>> external,
                             const std::type_identity_t<Vec3<T>>& gravity, Out<T> tau_q,
                             Out<T> tau_v, const LinkageSpace<T>& w, DerivativeSpace<T>& d)
{
    using OfLink = typename DerivativeSpace<T>::OfLink;
    using Own = typename DerivativeSpace<T>::Own;
    const auto nv = static_cast<std::size_t>(linkage.nv);
    check(tau_q.size() == nv * nv && tau_v.size() == nv * nv, "derivatives have nv rows");
    std::fill(tau_q.begin(), tau_q.end(), constant<T>(0.0));
    std::fill(tau_v.begin(), tau_v.end(), constant<T>(0.0));
    const Same<T> two = same_constant<T>(2.0);

    const LinkMotion<T> still{zero_triple<T>(), zero_triple<T>()};
    OfLink ground;
    ground.R = turn_of(identity3<T>());
    ground.x = zero_triple<T>();
    ground.v = still;
    ground.a = {-triple_of(gravity), zero_triple<T>()};
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        const LinkWork<T>& k = w[i];
        const bool root = link.parent == world;
        const OfLink& p = root ? ground : d.links[static_cast<std::size_t>(link.parent)];
        OfLink& here = d.links[at];
        // Places from the origin of the root: far from the world's origin no digits are lost.
        here.R = root ? k.R : p.R * k.R;
        here.x = root ? zero_triple<T>() : p.x + p.R * k.r;
        LinkMotion<T> joint = still, push = still;
        const auto add = [](LinkMotion<T>& sum, const T& by, const LinkMotion<T>& s) {
            sum = {mul_add(same_of(by), s.v, sum.v), mul_add(same_of(by), s.omega, sum.omega)};
        };
        for (int own = 0; own < freedoms_of(link.op); ++own) {
            const auto index = static_cast<std::size_t>(link.v + own);
            const Twist<T> unit = own_motion<T>(link, own);
            Own& o = d.own[index];
            const Triple<T> omega = here.R * triple_of(unit.omega);
            o.s = {cross_add(here.x, omega, here.R * triple_of(unit.v)), omega};
            add(joint, v[index], o.s);
            if (!v_dot.empty())
                add(push, v_dot[index], o.s);
        }
        here.v = p.v + joint;
        here.a = p.a + push + cross(here.v, joint);
        for (int own = 0; own < freedoms_of(link.op); ++own) {
            Own& o = d.own[static_cast<std::size_t>(link.v + own)];
            o.psi_dot = cross(p.v, o.s);
            o.psi_ddot = cross(p.a, o.s) + cross(p.v, o.psi_dot);
            o.rate = o.psi_dot + cross(here.v, o.s);
        }
        here.I = carried(here.R, here.x, inertias[at]);
        const LinkLoad<T> P = here.I * here.v;
        here.p = P.F;
        here.N = turning_matrix(here.I, here.v);
        here.f = here.I * here.a + cross(here.v, P);
        if (!external.empty()) {
            const Triple<T> F = here.R * triple_of(external[at].F);
            here.f =
                here.f - LinkLoad<T>{F, cross_add(here.x, F, here.R * triple_of(external[at].tau))};
        }
    }
    const auto product = [](const LinkMotion<T>& s, const LinkLoad<T>& W) {
        return value_of<T>(sum_of(mul_add(s.v, W.F, s.omega * W.tau)));
    };
    for (int j = n; j-- > 0;) {
        const auto at = static_cast<std::size_t>(j);
        const Link& link = linkage.links[at];
        const OfLink& here = d.links[at];
        const auto B = [&](const LinkMotion<T>& x) -> LinkLoad<T> {
            return {two * cross(x.omega, here.p), here.N * x.omega};
        };
        for (int own = 0; own < freedoms_of(link.op); ++own) {
            const auto column = static_cast<std::size_t>(link.v + own);
            const Own& o = d.own[column];
            const LinkLoad<T> by_q = here.I * o.psi_ddot + B(o.psi_dot);
            const LinkLoad<T> by_v = here.I * o.rate + B(o.s);
            const LinkLoad<T> below = by_q + cross(o.s, here.f);
            // s_jᵀ I and s_jᵀ B, for what the links below do to this joint
            const LinkLoad<T> sI = here.I * o.s;
            // with B acting on turning alone: one load against (ψ̈, ψ̇) and one against (rate, s)
            const Triple<T> sB = mul_add(two, cross(here.p, o.s.v), back(here.N, o.s.omega));
            const auto above = [&](const LinkMotion<T>& x, const Triple<T>& turning) {
                return value_of<T>(
                    sum_of(mul_add(x.v, sI.F, mul_add(x.omega, sI.tau, turning * sB))));
            };
            for (int i = j; i != world; i = linkage.links[static_cast<std::size_t>(i)].parent) {
                const Link& other = linkage.links[static_cast<std::size_t>(i)];
                for (int k = 0; k < freedoms_of(other.op); ++k) {
                    const auto row = static_cast<std::size_t>(other.v + k);
                    const Own& x = d.own[row];
                    tau_q[row * nv + column] = product(x.s, i == j ? by_q : below);
                    tau_v[row * nv + column] = product(x.s, by_v);
                    if (i != j) {
                        tau_q[column * nv + row] = above(x.psi_ddot, x.psi_dot.omega);
                        tau_v[column * nv + row] = above(x.rate, x.s.omega);
                    }
                }
            }
        }
        if (link.parent == world)
            continue;
        OfLink& p = d.links[static_cast<std::size_t>(link.parent)];
        p.I = p.I + here.I;
        p.p = p.p + here.p;
        p.N = p.N + here.N;
        p.f = p.f + here.f;
    }
}

/// Columns side by side, and the rows in which ∂τ/∂x can have numbers there: those of joints on one
/// way to the ground with theirs.
struct RelatedColumns {
    std::size_t first;
    std::vector<std::size_t> rows;
};
/// All columns, `width` ≤ nv at a time; the last ones overlap those before.
std::vector<RelatedColumns> related_columns(const Linkage& linkage, std::size_t width);
/// −A B and −A C, columns four at a time; all matrices have n ≥ 4 rows and columns.
void minus_products(std::span<const double> A, std::span<const double> B, std::span<const double> C,
                    std::span<const RelatedColumns> columns, std::size_t n, std::span<double> AB,
                    std::span<double> AC);

/// How accelerations change with q, v and τ: nv rows of nv numbers each.
template <Scalar T>
struct ForwardDerivatives {
    std::vector<T> by_q, by_v, by_tau;
};
/// Derivatives of forward dynamics at (q, v, τ), and the accelerations there.
template <Scalar T = double>
class ForwardDifferentiator {
  public:
    explicit ForwardDifferentiator(const Linkage& linkage);
    const ForwardDerivatives<T>& at(const Linkage& linkage, In<LinkInertia<T>> inertias, In<T> q,
                                    In<T> v, In<T> tau, In<Wrench<T>> external,
                                    const Vec3<T>& gravity);
    std::span<const T> v_dot() const { return v_dot_; }

  private:
    void through_inverse(); // −M⁻¹ ∂τ/∂q and −M⁻¹ ∂τ/∂v

    LinkageSpace<T> w_;
    InertiaInverse<T> inverse_;
    DerivativeSpace<T> d_;
    std::vector<T> v_dot_, tau_q_, tau_v_;
    ForwardDerivatives<T> out_;
    std::vector<RelatedColumns> columns_;
};

template <Scalar T>
ForwardDifferentiator<T>::ForwardDifferentiator(const Linkage& linkage)
    : w_(linkage), inverse_(linkage), d_(linkage), v_dot_(static_cast<std::size_t>(linkage.nv)),
      tau_q_(v_dot_.size() * v_dot_.size()), tau_v_(tau_q_.size()), out_{tau_q_, tau_q_, tau_q_},
      columns_(related_columns(linkage, std::same_as<T, double> && v_dot_.size() >= 4 ? 4 : 1))
{
}

template <Scalar T>
POINSOT_FLATTEN void ForwardDifferentiator<T>::through_inverse()
{
    const std::size_t nv = v_dot_.size();
    if constexpr (std::same_as<T, double>)
        if (nv >= 4)
            return minus_products(out_.by_tau, tau_q_, tau_v_, columns_, nv, out_.by_q, out_.by_v);
    for (const RelatedColumns& columns : columns_)
        for (std::size_t i = 0; i < nv; ++i) {
            const std::size_t k = columns.first;
            T by_q = constant<T>(0.0), by_v = by_q;
            for (const std::size_t j : columns.rows) {
                by_q = mul_add(out_.by_tau[i * nv + j], tau_q_[j * nv + k], by_q);
                by_v = mul_add(out_.by_tau[i * nv + j], tau_v_[j * nv + k], by_v);
            }
            out_.by_q[i * nv + k] = -by_q;
            out_.by_v[i * nv + k] = -by_v;
        }
}

template <Scalar T>
const ForwardDerivatives<T>&
ForwardDifferentiator<T>::at(const Linkage& linkage, In<LinkInertia<T>> inertias, In<T> q, In<T> v,
                             In<T> tau, In<Wrench<T>> external, const Vec3<T>& gravity)
{
    forward_dynamics<T>(linkage, inertias, q, v, tau, external, gravity, v_dot_, w_);
    inverse_dynamics_derivatives<T>(linkage, inertias, v, v_dot_, external, gravity, tau_q_, tau_v_,
                                    w_, d_);
    inverse_.at(linkage, w_, out_.by_tau);
    through_inverse();
    return out_;
}

extern template class ForwardDifferentiator<double>;

} // namespace poinsot
