// SPDX-License-Identifier: MIT
#pragma once

// Momentum and energy of the whole system, in either coordinates, about any point.
//
// About a point A that may move with v_A:
//
//     L_A = Σ (x_i − A) × p_i + L_i                       velocities against the world
//     L_A' = L_A − m (c − A) × v_A                        velocities against A
//
// The two agree where A is the centre of mass c: there they are the centroidal L. By angular
// velocities, with Ī_i about the centre of mass of body i [Liu, (15), corrected]:
//
//     L = Σ (m_i c_i × ċ_i + R_i Ī_i R_iᵀ ω_i) − m c × ċ
//
// and in joint coordinates, without them [Liu, (13), corrected: M_i is the mean]:
//
//     L = Σ m_i cr(R_i M_i Ṙ_iᵀ + R_i c̄_i ṙ_iᵀ + r_i c̄_iᵀ Ṙ_iᵀ + r_i ṙ_iᵀ) − m c × ċ
//
// with Ṙ and ṙ along q̇. Linear in q̇, the centroidal momentum is a 6×nv matrix times v:
//
//     (p; L) = A(q) v,   (F; τ_c) = A v̇ + Ȧ v             F, τ_c: all loads from outside

#include "poinsot/dynamics/crba.hpp"
#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/mass/inertia.hpp"

namespace poinsot {

/// The centre of mass of everything, and how it moves.
struct SystemCenter {
    double m;
    Vec3<double> x, v;
};
SystemCenter system_center_of(std::span<const PlacedBody> bodies);

/// p, and L about the world point A with velocities against the world: (15), moved to A.
Momentum<double> momentum_about(std::span<const PlacedBody> bodies, const Vec3<double>& A);
/// p, and L about a point A moving with v_A, with velocities against the world or, for p too,
/// against A.
Momentum<double> relative_momentum_about(std::span<const PlacedBody> bodies, const Vec3<double>& A,
                                         const Vec3<double>& v_A);
/// About the centre of mass.
Momentum<double> centroidal_momentum(std::span<const PlacedBody> bodies);

/// p and L about the centre of mass by (13): from R, r and their rates along q̇ alone. The scratch
/// carries the derivative along the motion.
Momentum<double> momentum_in_coordinates(const Linkage& linkage,
                                         std::span<const MassProperties> masses,
                                         std::span<const double> q, std::span<const double> v,
                                         LinkageSpace<Dual<double>>& w);
/// The masses it asks for, of every body of a model in its own frame.
std::vector<MassProperties> masses_of(const Model& model);

double kinetic_energy(std::span<const PlacedBody> bodies);
/// −Σ m g·x, zero where all mass is at the origin.
double potential_energy(std::span<const PlacedBody> bodies, const Vec3<double>& gravity);

// --- by links: for any scalar, without bodies ---------------------------------------------------

/// Mass and centre of mass of all that moves. Needs world poses.
template <Scalar T>
struct LinkageMass {
    T m;
    Vec3<T> center;
};
template <Scalar T>
LinkageMass<T> moving_mass(const Linkage& linkage, In<LinkInertia<T>> inertias,
                           const LinkageSpace<T>& w)
{
    T m = constant<T>(0.0);
    Vec3<T> sum = zero3<T>();
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const LinkPlace<T>& at = w.world_place[i];
        m = m + inertias[i].m;
        sum += mul_add(inertias[i].m, at.x, at.R * vec_of(inertias[i].mc));
    }
    return {m, sum / m};
}

/// Σ ½ V·I V over links, plus what armatures hold. Needs `link_twists`.
template <Scalar T>
T kinetic_energy(const Linkage& linkage, In<LinkInertia<T>> inertias, In<T> v,
                 const LinkageSpace<T>& w)
{
    T twice = constant<T>(0.0);
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const Twist<T>& V = w.twist[i];
        const Wrench<T> P = inertias[i] * V;
        twice = twice + (dot(P.F, V.v) + dot(P.tau, V.omega));
        const Link& link = linkage.links[i];
        if (link.armature != 0) {
            const auto at = static_cast<std::size_t>(link.v);
            twice = mul_add(w.armatures[at] * v[at], v[at], twice);
        }
    }
    return constant<T>(0.5) * twice;
}
/// −Σ m g·x. Needs world poses.
template <Scalar T>
T potential_energy(const Linkage& linkage, In<LinkInertia<T>> inertias,
                   const std::type_identity_t<Vec3<T>>& gravity, const LinkageSpace<T>& w)
{
    T sum = constant<T>(0.0);
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const LinkPlace<T>& at = w.world_place[i];
        sum = sum - dot(gravity, mul_add(inertias[i].m, at.x, at.R * vec_of(inertias[i].mc)));
    }
    return sum;
}

/// A load or momentum of a link, about the world point P and in world axes.
template <Scalar T>
Wrench<T> in_world(const LinkPlace<T>& at, const Wrench<T>& W, const Vec3<T>& P)
{
    const Vec3<T> F = at.R * W.F;
    return {F, cross_add(at.x - P, F, at.R * W.tau)};
}

/// A(q) about the centre of mass, six rows of nv numbers: p, then L. Needs world poses and
/// `compose`.
template <Scalar T>
POINSOT_FLATTEN void centroidal_matrix(const Linkage& linkage,
                                       const std::type_identity_t<Vec3<T>>& center, Out<T> A,
                                       const LinkageSpace<T>& w)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    check(A.size() == 6 * nv, "a centroidal matrix has six rows");
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const Link& link = linkage.links[i];
        for (int own = 0; own < freedoms_of(link.op); ++own) {
            const Wrench<T> h =
                in_world(w.world_place[i], w.composite[i] * own_motion<T>(link, own), center);
            T* const out = A.data() + link.v + own;
            out[0] = h.F.x, out[nv] = h.F.y, out[2 * nv] = h.F.z;
            out[3 * nv] = h.tau.x, out[4 * nv] = h.tau.y, out[5 * nv] = h.tau.z;
        }
    }
}
/// Ȧ v: the loads from outside at which no joint accelerates. Needs world poses and
/// `link_accelerations` without v_dot.
template <Scalar T>
Wrench<T> centroidal_bias(const Linkage& linkage, In<LinkInertia<T>> inertias,
                          const std::type_identity_t<Vec3<T>>& center, const LinkageSpace<T>& w)
{
    Wrench<T> sum{zero3<T>(), zero3<T>()};
    for (std::size_t i = 0; i < linkage.size(); ++i)
        sum = sum + in_world(w.world_place[i], load_of_motion(inertias[i], w[static_cast<int>(i)]),
                             center);
    return sum;
}

} // namespace poinsot
