// SPDX-License-Identifier: MIT
// The recursions of a linkage against each other and against sums over bodies with Jacobians.

#include "linkages.hpp"
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/momentum.hpp"

#include <Eigen/Dense>

using namespace poinsot;

namespace {

/// The equations of motion by Newton and Euler for each body and virtual work:
/// M = Σ Jᵀ I J,   τ = Σ Jᵀ (m (a − g), I α + ω × I ω) − Σ Jᵀ W.
struct ByBodies {
    Eigen::MatrixXd M;
    Eigen::VectorXd tau;
};
Eigen::MatrixXd jacobian_of(Rig& rig, int link, const V3& P)
{
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J(6, rig.linkage.nv);
    jacobian<double>(rig.linkage, link, P, {J.data(), static_cast<std::size_t>(J.size())}, rig.w);
    return J;
}
Eigen::Matrix<double, 6, 1> stacked(const V3& a, const V3& b)
{
    return (Eigen::Matrix<double, 6, 1>() << a.x, a.y, a.z, b.x, b.y, b.z).finished();
}
ByBodies by_bodies(Rig& rig, const std::vector<double>& v_dot)
{
    const Placed placed = rig.bodies();
    const Eigen::Map<const Eigen::VectorXd> a(v_dot.data(), rig.linkage.nv);
    ByBodies out{Eigen::MatrixXd::Zero(rig.linkage.nv, rig.linkage.nv),
                 Eigen::VectorXd::Zero(rig.linkage.nv)};
    link_accelerations<double>(rig.linkage, rig.v, {}, rig.w);
    for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
        const int link = rig.linkage.bodies[i].link;
        if (link == world)
            continue;
        const PlacedBody& body = placed.bodies[i];
        const Eigen::MatrixXd J = jacobian_of(rig, link, body.x);
        const Twist<double> rate = point_acceleration(link, body.x, rig.w); // J̇ q̇
        const Eigen::Matrix<double, 6, 1> A = J * a + stacked(rate.v, rate.omega);
        const Sym3<double> I = body.inertia();
        const Mat3<double> I_full = full(I);
        Eigen::Matrix<double, 6, 6> S = Eigen::Matrix<double, 6, 6>::Zero();
        for (int k = 0; k < 3; ++k)
            S(k, k) = body.mass.m;
        S.block<3, 3>(3, 3) << I_full.r0.x, I_full.r0.y, I_full.r0.z, I_full.r1.x, I_full.r1.y,
            I_full.r1.z, I_full.r2.x, I_full.r2.y, I_full.r2.z;
        out.M += J.transpose() * S * J;
        const V3 gyroscopic = cross(body.omega, I * body.omega);
        out.tau += J.transpose() * (S * A + stacked(-body.mass.m * rig.gravity, gyroscopic));
    }
    for (std::size_t i = 0; i < rig.linkage.size(); ++i) {
        const LinkPlace<double>& at = rig.w.world_place[i];
        const Wrench<double>& W = rig.external[i];
        out.tau -= jacobian_of(rig, static_cast<int>(i), at.x).transpose() *
                   stacked(at.R * W.F, at.R * W.tau);
        const Link& link = rig.linkage.links[i];
        if (link.armature > 0) {
            out.M(link.v, link.v) += link.armature;
            out.tau(link.v) += link.armature * a(link.v);
        }
    }
    return out;
}

std::vector<Rig> rigs()
{
    std::vector<Rig> made;
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
        made.emplace_back(random_tree(seed, 3 + static_cast<int>(seed % 9), seed % 3 ? 0 : 0.7),
                          seed);
    return made;
}

} // namespace

TEST_CASE("Newton-Euler: joint forces are virtual work of Newton's and Euler's law of every body")
{
    for (Rig& rig : rigs()) {
        const std::vector<double> tau = rig.inverse(rig.v_dot);
        const ByBodies sum = by_bodies(rig, rig.v_dot);
        double off = 0;
        for (std::size_t i = 0; i < rig.nv(); ++i)
            off = std::max(off, std::abs(tau[i] - sum.tau(static_cast<Eigen::Index>(i))));
        // Rounding: up to 30 terms of the size of the largest, in either sum.
        CHECK(off < 1e-13 * (largest(tau) + 100));
    }
}

TEST_CASE("Rotors in links: their momentum asks for the torque ω × h, in link axes")
{
    int moved = 0;
    for (Rig& rig : rigs()) {
        Dice dice(77);
        std::vector<double> still(rig.nv()), spun(rig.nv()), pushed(rig.nv());
        const auto forward = [&](std::span<const Wrench<double>> external, std::span<const V3> spin,
                                 std::span<double> out) {
            forward_dynamics<double>(rig.linkage, rig.inertias, rig.q, rig.v, rig.tau, external,
                                     rig.gravity, out, rig.w, spin);
        };
        forward(rig.external, {}, still);
        std::vector<V3> h;
        std::vector<Wrench<double>> external(rig.external.begin(), rig.external.end());
        for (std::size_t i = 0; i < rig.linkage.size(); ++i) {
            h.push_back(dice.vector(3));
            external[i].tau -= cross(rig.w[static_cast<int>(i)].omega, h[i]);
        }
        forward(rig.external, h, spun);
        forward(external, {}, pushed);
        CHECK(apart(spun, pushed) < 1e-11 * (largest(pushed) + 1)); // times the condition of M
        moved += apart(spun, still) > 1e-3;
    }
    CHECK(moved > 50); // a few have links that slide alone
}

TEST_CASE("Forward and inverse dynamics undo each other, and M⁻¹ x and M x do")
{
    for (Rig& rig : rigs()) {
        std::vector<double> v_dot(rig.nv());
        forward_dynamics<double>(rig.linkage, rig.inertias, rig.q, rig.v, rig.tau, rig.external,
                                 rig.gravity, v_dot, rig.w);
        const ByBodies sum = by_bodies(rig, v_dot);
        const double condition = sum.M.norm() * sum.M.inverse().norm();
        const std::vector<double> back = rig.inverse(v_dot);
        CHECK(apart(back, rig.tau) < 1e-13 * (largest(v_dot) * sum.M.norm() + 100));

        std::vector<double> x(rig.nv()), y(rig.nv());
        factor_inertia<double>(rig.linkage, rig.inertias, rig.w);
        solve_inertia<double>(rig.linkage, rig.tau, x, rig.w);
        const Eigen::Map<const Eigen::VectorXd> t(rig.tau.data(), rig.linkage.nv);
        const Eigen::VectorXd dense = sum.M.ldlt().solve(t);
        for (std::size_t i = 0; i < rig.nv(); ++i)
            CHECK(near(x[i], dense(static_cast<Eigen::Index>(i)), 1e-15 * condition, 1));
        // several at once, to the same bits
        std::vector<double> rows;
        for (int copy = 1; copy <= 6; ++copy)
            for (const double a : rig.tau)
                rows.push_back(copy == 6 ? a : a * copy);
        LinkageSides<LinkPack> sides(rig.linkage);
        std::vector<LinkPack> scratch;
        solve_inertia_rows(rig.linkage, rows, rows, rig.w, sides, scratch);
        for (std::size_t i = 0; i < rig.nv(); ++i) {
            CHECK(rows[i] == x[i]);
            CHECK(rows[rig.nv() + i] == 2 * x[i]);
            CHECK(rows[5 * rig.nv() + i] == x[i]);
        }
        // M⁻¹: from the diagonal on the bits of its columns one by one, and symmetric
        const std::size_t nv = rig.nv();
        std::vector<double> inverse(nv * nv), column(nv);
        InertiaInverse(rig.linkage).at(rig.linkage, rig.w, inverse);
        for (std::size_t j = 0; j < nv; ++j) {
            std::fill(column.begin(), column.end(), 0.0);
            column[j] = 1;
            solve_inertia<double>(rig.linkage, column, column, rig.w);
            for (std::size_t i = j; i < nv; ++i) {
                CHECK(inverse[i * nv + j] == column[i]);
                CHECK(inverse[j * nv + i] == column[i]);
            }
        }
        times_inertia<double>(rig.linkage, rig.inertias, x, y, rig.w);
        CHECK(apart(y, rig.tau) < 1e-13 * (largest(x) * sum.M.norm() + 10));
    }
}

TEST_CASE(
    "Composite bodies: M is the sum of JᵀIJ, its columns are differences of inverse dynamics, and "
    "½ vᵀMv is the energy of the bodies")
{
    for (Rig& rig : rigs()) {
        const ByBodies sum = by_bodies(rig, rig.v_dot);
        std::vector<double> M(rig.nv() * rig.nv());
        joint_inertia<double>(rig.linkage, rig.inertias, M, rig.w);
        const Eigen::Map<const Eigen::MatrixXd> dense(M.data(), rig.linkage.nv, rig.linkage.nv);
        CHECK((dense - sum.M).norm() < 1e-14 * sum.M.norm());
        CHECK((dense - dense.transpose()).norm() == 0);

        std::vector<double> a(rig.nv(), 0.0);
        const std::vector<double> still = rig.inverse(a);
        for (std::size_t j = 0; j < rig.nv(); ++j) {
            a[j] = 1;
            const std::vector<double> pushed = rig.inverse(a);
            a[j] = 0;
            for (std::size_t i = 0; i < rig.nv(); ++i)
                CHECK(near(pushed[i] - still[i], M[i * rig.nv() + j], 1e-13,
                           largest(still) + sum.M.norm()));
        }
        double twice = 0, armatures = 0;
        for (std::size_t i = 0; i < rig.nv(); ++i)
            for (std::size_t j = 0; j < rig.nv(); ++j)
                twice += rig.v[i] * M[i * rig.nv() + j] * rig.v[j];
        for (const Link& link : rig.linkage.links) {
            const double rate = rig.v[static_cast<std::size_t>(link.v)];
            armatures += 0.5 * link.armature * rate * rate;
        }
        double energy = 0;
        for (const PlacedBody& body : rig.bodies().bodies)
            energy += body.kinetic_energy();
        CHECK(near(0.5 * twice, energy + armatures, 1e-13));
    }
}

TEST_CASE("Gravity alone: the forces that hold a linkage at rest are its bias there")
{
    for (Rig& rig : rigs()) {
        std::vector<double> held(rig.nv()), bias(rig.nv());
        gravity_forces<double>(rig.linkage, rig.inertias, rig.q, rig.gravity, held, rig.w);
        std::fill(rig.v.begin(), rig.v.end(), 0.0);
        bias_forces<double>(rig.linkage, rig.inertias, rig.q, rig.v, rig.gravity, bias, rig.w);
        CHECK(apart(held, bias) < 1e-14 * (largest(bias) + 100));
    }
}

TEST_CASE("Power: kinetic energy grows by what joint forces, gravity and loads from outside do")
{
    for (Rig& rig : rigs()) {
        std::vector<double> v_dot(rig.nv()), q_dot(rig.q.size());
        forward_dynamics<double>(rig.linkage, rig.inertias, rig.q, rig.v, rig.tau, rig.external,
                                 rig.gravity, v_dot, rig.w);
        // d/dt T along the motion, by dual numbers
        using D = Dual<double>;
        coordinate_rates<double>(rig.linkage, rig.q, rig.v, q_dot);
        std::vector<D> q, v;
        for (std::size_t i = 0; i < rig.q.size(); ++i)
            q.push_back({rig.q[i], q_dot[i]});
        for (std::size_t i = 0; i < rig.nv(); ++i)
            v.push_back({rig.v[i], v_dot[i]});
        LinkageSpace<D> w(rig.linkage);
        const auto inertias = link_inertias<D>(rig.linkage, *rig.model);
        place_links<D>(rig.linkage, q, w);
        place_links_in_world(rig.linkage, w);
        link_twists<D>(rig.linkage, v, w);
        const double gain =
            kinetic_energy<D>(rig.linkage, inertias, v, w).d +
            potential_energy<D>(rig.linkage, inertias, in_scalar<D>(rig.gravity), w).d;
        double work = 0, size = 0;
        for (std::size_t i = 0; i < rig.nv(); ++i) {
            work += rig.tau[i] * rig.v[i];
            size += std::abs(rig.tau[i] * rig.v[i]);
        }
        for (std::size_t i = 0; i < rig.linkage.size(); ++i) {
            const Twist<D>& V = w.twist[i];
            const Twist<double> moves{{V.v.x.v, V.v.y.v, V.v.z.v},
                                      {V.omega.x.v, V.omega.y.v, V.omega.z.v}};
            work += power(rig.external[i], moves);
            size += std::abs(power(rig.external[i], moves));
        }
        CHECK(near(gain, work, 1e-12, size));
    }
}

TEST_CASE("What a joint carries: its own force along its motion, and Newton's law for every link")
{
    for (Rig& rig : rigs()) {
        std::vector<double> v_dot(rig.nv());
        forward_dynamics<double>(rig.linkage, rig.inertias, rig.q, rig.v, rig.tau, rig.external,
                                 rig.gravity, v_dot, rig.w);
        std::vector<Wrench<double>> loads(rig.linkage.size());
        joint_loads<double>(rig.linkage, rig.inertias, loads, rig.w);
        // Newton-Euler from the accelerations leaves the same loads at its joints.
        rig.inverse(v_dot);
        double size = 1;
        for (std::size_t i = 0; i < loads.size(); ++i)
            size = std::max({size, norm(loads[i].F), norm(loads[i].tau)});
        for (std::size_t i = 0; i < loads.size(); ++i) {
            const Wrench<double> d = loads[i] - rig.w[static_cast<int>(i)].f;
            CHECK(norm(d.F) < 1e-12 * size);
            CHECK(norm(d.tau) < 1e-12 * size);
            const Link& link = rig.linkage.links[i];
            double along[6];
            along_joint(link, loads[i], along);
            const auto v = static_cast<std::size_t>(link.v);
            for (std::size_t k = 0; k < static_cast<std::size_t>(freedoms_of(link.op)); ++k)
                CHECK(near(along[k], rig.tau[v + k] - link.armature * v_dot[v + k], 1e-12, size));
        }
    }
}
