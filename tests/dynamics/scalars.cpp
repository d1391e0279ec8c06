// SPDX-License-Identifier: MIT
// The kernels of a linkage with other numbers: packs have the bits of plain numbers, dual numbers
// the derivative; and none of them asks for memory.

#include "allocations.hpp"
#include "joined.hpp"
#include "linkages.hpp"
#include "poinsot/dynamics/derivatives.hpp"
#include "poinsot/dynamics/momentum.hpp"

using namespace poinsot;

TEST_CASE("Four worlds in a pack: every lane has the bits of its world alone")
{
    using P = LinkPack;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO(seed);
        const Builder b = random_tree(seed, 3 + static_cast<int>(seed % 8), seed % 3 ? 0 : 0.7);
        std::vector<Rig> worlds;
        for (std::uint64_t lane = 0; lane < 4; ++lane)
            worlds.emplace_back(b, 100 * seed + lane);
        const Linkage& linkage = worlds[0].linkage;
        const std::size_t nv = worlds[0].nv();
        const auto packed = [&](auto member, std::size_t size) {
            std::vector<P> out(size);
            for (int lane = 0; lane < 4; ++lane)
                for (std::size_t i = 0; i < size; ++i)
                    out[i].set(lane, (worlds[static_cast<std::size_t>(lane)].*member)[i]);
            return out;
        };
        const std::vector<P> q = packed(&Rig::q, worlds[0].q.size()), v = packed(&Rig::v, nv),
                             v_dot = packed(&Rig::v_dot, nv), tau = packed(&Rig::tau, nv);
        const auto triple = [&](auto read) {
            Vec3<P> out;
            for (int lane = 0; lane < 4; ++lane) {
                const V3 a = read(worlds[static_cast<std::size_t>(lane)]);
                out.x.set(lane, a.x);
                out.y.set(lane, a.y);
                out.z.set(lane, a.z);
            }
            return out;
        };
        std::vector<Wrench<P>> external;
        for (std::size_t i = 0; i < linkage.size(); ++i)
            external.push_back({triple([&](const Rig& r) { return r.external[i].F; }),
                                triple([&](const Rig& r) { return r.external[i].tau; })});
        const Vec3<P> gravity = triple([](const Rig& r) { return r.gravity; });
        const auto inertias = link_inertias<P>(linkage, *worlds[0].model);
        LinkageSpace<P> w(linkage);
        std::vector<P> forward(nv), inverse(nv), solved(nv), times(nv), M(nv * nv);
        forward_dynamics<P>(linkage, inertias, q, v, tau, external, gravity, forward, w);
        solve_inertia<P>(linkage, tau, solved, w);
        inverse_dynamics<P>(linkage, inertias, q, v, v_dot, external, gravity, inverse, w);
        times_inertia<P>(linkage, inertias, tau, times, w);
        joint_inertia<P>(linkage, inertias, M, w);
        ForwardDifferentiator<P> slopes(linkage);
        const ForwardDerivatives<P>& slope =
            slopes.at(linkage, inertias, q, v, tau, external, gravity);
        for (int lane = 0; lane < 4; ++lane) {
            Rig& rig = worlds[static_cast<std::size_t>(lane)];
            std::vector<double> one(nv), m(nv * nv);
            const auto same = [&](const std::vector<P>& a, const std::vector<double>& x) {
                bool equal = true;
                for (std::size_t i = 0; i < x.size(); ++i)
                    equal = equal && a[i][lane] == x[i];
                return equal;
            };
            forward_dynamics<double>(linkage, rig.inertias, rig.q, rig.v, rig.tau, rig.external,
                                     rig.gravity, one, rig.w);
            CHECK(same(forward, one));
            solve_inertia<double>(linkage, rig.tau, one, rig.w);
            CHECK(same(solved, one));
            CHECK(same(inverse, rig.inverse(rig.v_dot)));
            times_inertia<double>(linkage, rig.inertias, rig.tau, one, rig.w);
            CHECK(same(times, one));
            joint_inertia<double>(linkage, rig.inertias, m, rig.w);
            CHECK(same(M, m));
            ForwardDifferentiator<double> alone(linkage);
            const ForwardDerivatives<double>& own =
                alone.at(linkage, rig.inertias, rig.q, rig.v, rig.tau, rig.external, rig.gravity);
            CHECK(same(slope.by_q, own.by_q));
            CHECK(same(slope.by_v, own.by_v));
            CHECK(same(slope.by_tau, own.by_tau));
        }
    }
}

TEST_CASE("A dual number carries the rate of the accelerations along the motion")
{
    using D = Dual<double>;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, 7), seed);
        const std::size_t nv = rig.nv();
        std::vector<double> q_dot(rig.q.size());
        coordinate_rates<double>(rig.linkage, rig.q, rig.v, q_dot);
        std::vector<D> q, v, tau, found(nv);
        for (std::size_t i = 0; i < q_dot.size(); ++i)
            q.push_back({rig.q[i], q_dot[i]});
        for (std::size_t i = 0; i < nv; ++i) {
            v.push_back({rig.v[i], rig.v_dot[i]});
            tau.push_back(rig.tau[i]);
        }
        LinkageSpace<D> w(rig.linkage);
        forward_dynamics<D>(rig.linkage, link_inertias<D>(rig.linkage, *rig.model), q, v, tau, {},
                            in_scalar<D>(rig.gravity), found, w);
        const double h = 1e-5; // central differences: h² against 1e-16/h
        const auto at = [&](double time) {
            std::vector<double> there(rig.q.size()), by(rig.v), speed(rig.v), out(nv);
            for (std::size_t i = 0; i < nv; ++i) {
                by[i] *= time;
                speed[i] += time * rig.v_dot[i];
            }
            displace<double>(rig.linkage, rig.q, by, there);
            forward_dynamics<double>(rig.linkage, rig.inertias, there, speed, rig.tau, {},
                                     rig.gravity, out, rig.w);
            return out;
        };
        const std::vector<double> after = at(h), before = at(-h), now = at(0);
        double size = 1;
        for (const D& a : found)
            size = std::max(size, std::abs(a.d));
        for (std::size_t i = 0; i < nv; ++i) {
            CHECK(near(found[i].v, now[i], 1e-12, largest(now)));
            CHECK(near(found[i].d, (after[i] - before[i]) / (2 * h), 1e-7, size));
        }
    }
}

TEST_CASE("Dual numbers carry the rate of the derivatives of accelerations: the second derivatives")
{
    using D = Dual<double>;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        INFO(seed);
        const Rig rig(random_tree(seed, 5), seed);
        const std::size_t nv = rig.nv();
        std::vector<double> q_dot(rig.q.size());
        coordinate_rates<double>(rig.linkage, rig.q, rig.v, q_dot);
        std::vector<D> q, v, tau;
        for (std::size_t i = 0; i < q_dot.size(); ++i)
            q.push_back({rig.q[i], q_dot[i]});
        for (std::size_t i = 0; i < nv; ++i) {
            v.push_back({rig.v[i], rig.v_dot[i]});
            tau.push_back(rig.tau[i]);
        }
        ForwardDifferentiator<D> slopes(rig.linkage);
        const ForwardDerivatives<D>& found =
            slopes.at(rig.linkage, link_inertias<D>(rig.linkage, *rig.model), q, v, tau, {},
                      in_scalar<D>(rig.gravity));
        const double h = 1e-5; // central differences: h² against 1e-16/h
        const auto at = [&](double time) {
            std::vector<double> there(rig.q.size()), by(rig.v), speed(rig.v);
            for (std::size_t i = 0; i < nv; ++i) {
                by[i] *= time;
                speed[i] += time * rig.v_dot[i];
            }
            displace<double>(rig.linkage, rig.q, by, there);
            ForwardDifferentiator<double> slope(rig.linkage);
            return slope.at(rig.linkage, rig.inertias, there, speed, rig.tau, {}, rig.gravity);
        };
        const ForwardDerivatives<double> after = at(h), before = at(-h), now = at(0);
        const auto compare = [&](const std::vector<D>& dual, const std::vector<double>& ahead,
                                 const std::vector<double>& behind, const std::vector<double>& m) {
            double size = 1;
            for (const D& a : dual)
                size = std::max(size, std::abs(a.d));
            for (std::size_t i = 0; i < m.size(); ++i) {
                CHECK(near(dual[i].v, m[i], 1e-12, largest(m)));
                CHECK(near(dual[i].d, (ahead[i] - behind[i]) / (2 * h), 1e-7, size));
            }
        };
        compare(found.by_q, after.by_q, before.by_q, now.by_q);
        compare(found.by_v, after.by_v, before.by_v, now.by_v);
        compare(found.by_tau, after.by_tau, before.by_tau, now.by_tau);
    }
}

namespace {

void check_warm_kernels(Rig rig)
{
    const std::size_t nv = rig.nv();
    std::vector<double> out(nv), M(nv * nv), J(6 * nv), by_q(nv * nv), by_v(nv * nv), A(6 * nv);
    std::vector<Wrench<double>> loads(rig.linkage.size());
    DerivativeSpace<double> d(rig.linkage);
    ForwardDifferentiator slope(rig.linkage);
    LinkageSides<LinkPack> sides(rig.linkage);
    std::vector<LinkPack> scratch;
    Placed placed = rig.bodies();
    const auto all = [&] {
        const Linkage& l = rig.linkage;
        forward_dynamics<double>(l, rig.inertias, rig.q, rig.v, rig.tau, rig.external, rig.gravity,
                                 out, rig.w);
        joint_loads<double>(l, rig.inertias, loads, rig.w);
        inverse_dynamics<double>(l, rig.inertias, rig.q, rig.v, rig.v_dot, {}, rig.gravity, out,
                                 rig.w);
        factor_inertia<double>(l, rig.inertias, rig.w);
        solve_inertia<double>(l, rig.tau, out, rig.w);
        solve_inertia_rows(l, M, M, rig.w, sides, scratch);
        times_inertia<double>(l, rig.inertias, rig.tau, out, rig.w);
        bias_forces<double>(l, rig.inertias, rig.q, rig.v, rig.gravity, out, rig.w);
        gravity_forces<double>(l, rig.inertias, rig.q, rig.gravity, out, rig.w);
        joint_inertia<double>(l, rig.inertias, M, rig.w);
        place_bodies(l, *rig.model, rig.q, rig.v, placed, rig.w);
        compose<double>(l, rig.inertias, rig.w);
        centroidal_matrix<double>(l, zero3<double>(), A, rig.w);
        jacobian<double>(l, 0, zero3<double>(), J, rig.w);
        inverse_dynamics_derivatives<double>(l, rig.inertias, rig.v, rig.v_dot, {}, rig.gravity,
                                             by_q, by_v, rig.w, d);
        slope.at(l, rig.inertias, rig.q, rig.v, rig.tau, {}, rig.gravity);
        momentum_about(placed.bodies, zero3<double>());
        centroidal_momentum(placed.bodies);
    };
    all();
    const long before = allocations;
    all();
    CHECK(allocations - before == 0);
    out.reserve(out.capacity() + 1); // the counter counts
    CHECK(allocations - before == 1);
    scratch.reserve(scratch.capacity() + 1); // packs too
    CHECK(allocations - before == 2);
}

} // namespace

TEST_CASE("Warm kernels of a linkage allocate nothing")
{
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        INFO(seed);
        check_warm_kernels(Rig(random_tree(seed, 3 * static_cast<int>(seed), 0.5), seed));
    }
}

TEST_CASE("Rows of joints and of loops allocate nothing once they are warm")
{
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        INFO(seed);
        Bound at(built(some_loops(10, 4, seed)));
        Rows loops;
        bind_loops(*at.model, at.placed, 0, loops);
        REQUIRE(loops.count() > 0);
        const long before = allocations;
        bind_joints(*at.model, at.placed, 0, at.rows);
        bind_loops(*at.model, at.placed, 0, loops);
        CHECK(allocations - before == 0);
    }
}
