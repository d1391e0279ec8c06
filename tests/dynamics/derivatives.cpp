// SPDX-License-Identifier: MIT
// Derivatives of the dynamics: in closed form, by dual numbers and by differences.

#include "poinsot/dynamics/derivatives.hpp"
#include "linkages.hpp"

using namespace poinsot;

namespace {

using D = Dual<double>;

/// A column of ∂τ/∂q or ∂τ/∂v: inverse dynamics with a dual number in that direction.
std::vector<double> by_dual(const Rig& rig, std::size_t direction, bool velocity)
{
    std::vector<double> unit(rig.nv(), 0.0), q_dot(rig.q.size());
    unit[direction] = 1;
    coordinate_rates<double>(rig.linkage, rig.q, unit, q_dot);
    std::vector<D> q, v, v_dot, tau(rig.nv());
    std::vector<Wrench<D>> external;
    for (std::size_t i = 0; i < rig.q.size(); ++i)
        q.push_back({rig.q[i], velocity ? 0.0 : q_dot[i]});
    for (std::size_t i = 0; i < rig.nv(); ++i) {
        v.push_back({rig.v[i], velocity ? unit[i] : 0.0});
        v_dot.push_back(rig.v_dot[i]);
    }
    for (const Wrench<double>& W : rig.external)
        external.push_back({in_scalar<D>(W.F), in_scalar<D>(W.tau)});
    LinkageSpace<D> w(rig.linkage);
    const auto inertias = link_inertias<D>(rig.linkage, *rig.model);
    inverse_dynamics<D>(rig.linkage, inertias, q, v, v_dot, external, in_scalar<D>(rig.gravity),
                        tau, w);
    std::vector<double> out;
    for (const D& t : tau)
        out.push_back(t.d);
    return out;
}

} // namespace

TEST_CASE("Derivatives of inverse dynamics in closed form are those of dual numbers")
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, 3 + static_cast<int>(seed % 9), seed % 3 ? 0 : 0.7), seed);
        const std::size_t nv = rig.nv();
        std::vector<double> by_q(nv * nv), by_v(nv * nv);
        DerivativeSpace<double> d(rig.linkage);
        place_links<double>(rig.linkage, rig.q, rig.w);
        inverse_dynamics_derivatives<double>(rig.linkage, rig.inertias, rig.v, rig.v_dot,
                                             rig.external, rig.gravity, by_q, by_v, rig.w, d);
        const double size = largest(by_q) + largest(by_v);
        for (std::size_t j = 0; j < nv; ++j) {
            const std::vector<double> q = by_dual(rig, j, false), v = by_dual(rig, j, true);
            for (std::size_t i = 0; i < nv; ++i) {
                CHECK(near(by_q[i * nv + j], q[i], 1e-13, size));
                CHECK(near(by_v[i * nv + j], v[i], 1e-13, size));
            }
        }
    }
}

TEST_CASE("Derivatives of inverse dynamics are the limits of differences")
{
    for (std::uint64_t seed = 1; seed <= 18; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, 3 + static_cast<int>(seed % 9), seed % 3 ? 0 : 0.7), seed);
        const std::size_t nv = rig.nv();
        std::vector<double> by_q(nv * nv), by_v(nv * nv), tau(nv);
        DerivativeSpace<double> d(rig.linkage);
        place_links<double>(rig.linkage, rig.q, rig.w);
        inverse_dynamics_derivatives<double>(rig.linkage, rig.inertias, rig.v, rig.v_dot,
                                             rig.external, rig.gravity, by_q, by_v, rig.w, d);
        const auto forces = [&](const std::vector<double>& q, const std::vector<double>& v) {
            std::vector<double> out(nv);
            inverse_dynamics<double>(rig.linkage, rig.inertias, q, v, rig.v_dot, rig.external,
                                     rig.gravity, out, rig.w);
            return out;
        };
        // Central: h² = 1e-10 of third derivatives, of which τ has none by v, and ε/h = 2e-11.
        const double h = 1e-5;
        const double size = largest(by_q) + largest(by_v) + largest(forces(rig.q, rig.v));
        for (std::size_t j = 0; j < nv; ++j) {
            const auto beside = [&](double by, bool velocity) {
                std::vector<double> step(nv, 0.0), q = rig.q, v = rig.v;
                step[j] = by;
                if (velocity)
                    v[j] += by;
                else
                    displace<double>(rig.linkage, rig.q, step, q);
                return forces(q, v);
            };
            for (const bool velocity : {false, true}) {
                const std::vector<double> up = beside(h, velocity), down = beside(-h, velocity);
                const std::vector<double>& exact = velocity ? by_v : by_q;
                for (std::size_t i = 0; i < nv; ++i)
                    CHECK(near((up[i] - down[i]) / (2 * h), exact[i * nv + j], 1e-10, size));
            }
        }
    }
}

TEST_CASE("Derivatives of forward dynamics are the limits of differences")
{
    for (std::uint64_t seed = 1; seed <= 18; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, static_cast<int>(seed % 9)), seed); // of no body: a particle
        const std::size_t nv = rig.nv();
        ForwardDifferentiator slope(rig.linkage);
        const ForwardDerivatives<double>& found =
            slope.at(rig.linkage, rig.inertias, rig.q, rig.v, rig.tau, rig.external, rig.gravity);
        const auto forward = [&](const std::vector<double>& q, const std::vector<double>& v,
                                 const std::vector<double>& tau) {
            std::vector<double> out(nv);
            forward_dynamics<double>(rig.linkage, rig.inertias, q, v, tau, rig.external,
                                     rig.gravity, out, rig.w);
            return out;
        };
        CHECK(apart(forward(rig.q, rig.v, rig.tau), {slope.v_dot().begin(), slope.v_dot().end()}) ==
              0);
        const double h = 1e-5; // central: h² of third derivatives against 1e-16/h of rounding
        const double size =
            std::max({largest(found.by_q), largest(found.by_v), largest(found.by_tau),
                      largest({slope.v_dot().begin(), slope.v_dot().end()})});
        const auto differ = [&](const auto& at, const std::vector<double>& matrix) {
            for (std::size_t j = 0; j < nv; ++j) {
                std::vector<double> step(nv, 0.0);
                step[j] = h;
                const std::vector<double> up = at(step);
                step[j] = -h;
                const std::vector<double> down = at(step);
                for (std::size_t i = 0; i < nv; ++i)
                    CHECK(near((up[i] - down[i]) / (2 * h), matrix[i * nv + j], 1e-7, size));
            }
        };
        const auto plus = [](std::vector<double> a, const std::vector<double>& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] += b[i];
            return a;
        };
        differ(
            [&](const std::vector<double>& step) {
                std::vector<double> q(rig.q.size());
                displace<double>(rig.linkage, rig.q, step, q);
                return forward(q, rig.v, rig.tau);
            },
            found.by_q);
        differ([&](const auto& step) { return forward(rig.q, plus(rig.v, step), rig.tau); },
               found.by_v);
        differ([&](const auto& step) { return forward(rig.q, rig.v, plus(rig.tau, step)); },
               found.by_tau);
    }
}
