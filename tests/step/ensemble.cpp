// SPDX-License-Identifier: MIT
// Many worlds at a time: each has the bits of its world alone, in every copy of the kernels.

#include "poinsot/step/ensemble.hpp"
#include "dynamics/linkages.hpp"
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/joint_forces.hpp"

#include <cstring>

using namespace poinsot;

namespace poinsot {
extern const EnsembleKernels ensemble_of_eight; // ensemble_eight.cpp
}

namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Worlds of one tree, each somewhere else, as rows.
struct Worlds {
    std::vector<Rig> rigs;
    std::vector<double> q, v, v_dot, tau;

    Worlds(const Builder& b, std::uint64_t seed, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            const Rig& rig = rigs.emplace_back(b, 1000 * seed + i);
            q.insert(q.end(), rig.q.begin(), rig.q.end());
            v.insert(v.end(), rig.v.begin(), rig.v.end());
            v_dot.insert(v_dot.end(), rig.v_dot.begin(), rig.v_dot.end());
            tau.insert(tau.end(), rig.tau.begin(), rig.tau.end());
        }
    }
    const Linkage& linkage() const { return rigs[0].linkage; }
    const V3& gravity() const { return rigs[0].gravity; }
    Ensemble ensemble(int threads, const EnsembleKernels& kernels) const
    {
        return Ensemble(linkage(), rigs[0].inertias, gravity(), threads, kernels);
    }

    std::vector<double> forward_alone()
    {
        std::vector<double> all, one(rigs[0].nv());
        for (Rig& rig : rigs) {
            forward_dynamics<double>(linkage(), rig.inertias, rig.q, rig.v, rig.tau, {}, gravity(),
                                     one, rig.w);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }
    std::vector<double> inverse_alone()
    {
        std::vector<double> all, one(rigs[0].nv());
        for (Rig& rig : rigs) {
            inverse_dynamics<double>(linkage(), rig.inertias, rig.q, rig.v, rig.v_dot, {},
                                     gravity(), one, rig.w);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }
    std::vector<double> forward(int threads, const EnsembleKernels& kernels) const
    {
        std::vector<double> out(v.size());
        ensemble(threads, kernels).forward_dynamics(q, v, tau, out);
        return out;
    }
    std::vector<double> inverse(int threads, const EnsembleKernels& kernels) const
    {
        std::vector<double> out(v.size());
        ensemble(threads, kernels).inverse_dynamics(q, v, v_dot, out);
        return out;
    }
};

void worlds_have_their_own_bits(const EnsembleKernels& kernels)
{
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Builder b = random_tree(seed, 3 + static_cast<int>(seed % 8), seed % 3 ? 0 : 0.7);
        for (const std::size_t count : {1u, 7u, 8u, 9u, 100u}) {
            if (count == 100 && seed > 3)
                continue;
            INFO(seed, " ", count);
            Worlds worlds(b, seed, count);
            const std::vector<double> forward = worlds.forward_alone(),
                                      inverse = worlds.inverse_alone();
            for (const int threads : {1, 2, 3}) {
                CHECK(same_bits(worlds.forward(threads, kernels), forward));
                CHECK(same_bits(worlds.inverse(threads, kernels), inverse));
            }
        }
    }
}

/// Steps of a tree under its gravity and changing forces, against one Simulation per world.
void steps_have_their_own_bits(const EnsembleKernels& kernels, Ensemble::Method method)
{
    const std::size_t count = 9, steps = 5;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        INFO(seed);
        Builder b = random_tree(seed, 3 + static_cast<int>(seed % 6), seed % 3 ? 0 : 0.7);
        b.gravity.uniform = {0.3, -2, -9};
        const Worlds worlds(b, seed, count);
        const auto& model = worlds.rigs[0].model;
        const std::size_t nq = worlds.rigs[0].q.size(), nv = worlds.rigs[0].nv();
        Dice dice(seed);
        std::vector<double> tau(count * steps * nv);
        for (double& x : tau)
            x = dice.uniform(-3, 3);

        RunSettings settings;
        settings.step.h = 0.01;
        settings.step.method = method == Ensemble::Method::runge_kutta4 ? Method::runge_kutta4
                                                                        : Method::symplectic_euler;
        settings.step.formulation = Formulation::reduced;
        const JointForces forces(worlds.linkage());
        std::vector<double> q_alone, v_alone;
        for (std::size_t i = 0; i < count; ++i) {
            settings.ledger.detail = i % 2 ? Postings::Detail::off : Postings::Detail::totals;
            auto simulation = Simulation::start(model, settings);
            REQUIRE(simulation);
            const Rig& rig = worlds.rigs[i];
            simulation->resume({state_at(*model, worlds.linkage(), FormKind::momentum,
                                         Formulation::reduced, rig.q, rig.v),
                                simulation->checkpoint().books, simulation->checkpoint().pending});
            const auto keep = [&] {
                const JointMotion& y = simulation->state().joints;
                q_alone.insert(q_alone.end(), y.q.begin(), y.q.end());
                v_alone.insert(v_alone.end(), y.v.begin(), y.v.end());
            };
            keep();
            for (std::size_t s = 0; s < steps; ++s) {
                simulation->set_input(
                    forces.input_of(std::span(tau).subspan((i * steps + s) * nv, nv)));
                REQUIRE_FALSE(simulation->step());
                keep();
            }
        }
        std::vector<double> q(count * (steps + 1) * nq), v(count * (steps + 1) * nv);
        for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(worlds.rigs[i].q.begin(), nq, &q[i * (steps + 1) * nq]);
            std::copy_n(worlds.rigs[i].v.begin(), nv, &v[i * (steps + 1) * nv]);
        }
        Ensemble ensemble(*model, 2, kernels);
        ensemble.roll_out({settings.step.h, method}, steps, q, v, tau);
        CHECK(same_bits(q, q_alone));
        CHECK(same_bits(v, v_alone));

        // the same steps one by one and in place
        std::vector<double> q_now = worlds.q, v_now = worlds.v, now(count * nv);
        for (std::size_t s = 0; s < steps; ++s) {
            for (std::size_t i = 0; i < count; ++i)
                std::copy_n(tau.begin() + static_cast<std::ptrdiff_t>((i * steps + s) * nv), nv,
                            now.begin() + static_cast<std::ptrdiff_t>(i * nv));
            ensemble.advance({settings.step.h, method}, 1, q_now, v_now, now);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t last = i * (steps + 1) + steps;
            CHECK(std::memcmp(&q_now[i * nq], &q[last * nq], nq * sizeof(double)) == 0);
            CHECK(std::memcmp(&v_now[i * nv], &v[last * nv], nv * sizeof(double)) == 0);
        }
    }
}

} // namespace

TEST_CASE("Armatures that differ from world to world: each has the bits of its world alone" *
          doctest::test_suite("threads"))
{
    for (const EnsembleKernels* kernels : {&ensemble_as_built, &ensemble_of_eight})
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            INFO(kernels->name, " ", seed);
            // Half of the trees have drives of their own, where others have none.
            Worlds worlds(random_tree(seed, 3 + static_cast<int>(seed % 6), seed % 2 ? 0 : 0.7),
                          seed, 21);
            const std::size_t nv = worlds.rigs[0].nv();
            Dice dice(seed);
            std::vector<char> driven(nv, 0);
            for (const Link& link : worlds.linkage().links)
                driven[static_cast<std::size_t>(link.v)] =
                    freedoms_of(link.op) == 1 && dice.uniform(0, 1) < 0.6;
            std::vector<double> all, forward, inverse, one(nv);
            std::vector<Linkage> alone;
            for (const Rig& rig : worlds.rigs) {
                Linkage& own = alone.emplace_back(worlds.linkage());
                for (std::size_t i = 0; i < nv; ++i)
                    all.push_back(driven[i] ? dice.uniform(0.1, 3) : 0);
                for (Link& link : own.links)
                    link.armature = all[all.size() - nv + static_cast<std::size_t>(link.v)];
                LinkageSpace<double> w(own);
                forward_dynamics<double>(own, rig.inertias, rig.q, rig.v, rig.tau, {},
                                         worlds.gravity(), one, w);
                forward.insert(forward.end(), one.begin(), one.end());
                inverse_dynamics<double>(own, rig.inertias, rig.q, rig.v, rig.v_dot, {},
                                         worlds.gravity(), one, w);
                inverse.insert(inverse.end(), one.begin(), one.end());
            }
            for (const int threads : {1, 3}) {
                Ensemble ensemble = worlds.ensemble(threads, *kernels);
                std::vector<double> out(worlds.v.size());
                ensemble.forward_dynamics(worlds.q, worlds.v, worlds.tau, out);
                const std::vector<double> alike = out;
                CHECK(!same_bits(alike, forward));
                ensemble.set_armatures(all);
                ensemble.forward_dynamics(worlds.q, worlds.v, worlds.tau, out);
                CHECK(same_bits(out, forward));
                ensemble.inverse_dynamics(worlds.q, worlds.v, worlds.v_dot, out);
                CHECK(same_bits(out, inverse));

                const Ensemble::Step step{0.01};
                std::vector<double> q = worlds.q, v = worlds.v, q_alone, v_alone;
                ensemble.advance(step, 3, q, v, worlds.tau);
                for (std::size_t i = 0; i < worlds.rigs.size(); ++i) {
                    const Rig& rig = worlds.rigs[i];
                    std::vector<double> q_one = rig.q, v_one = rig.v;
                    Ensemble(alone[i], rig.inertias, worlds.gravity(), 1, *kernels)
                        .advance(step, 3, q_one, v_one, rig.tau);
                    q_alone.insert(q_alone.end(), q_one.begin(), q_one.end());
                    v_alone.insert(v_alone.end(), v_one.begin(), v_one.end());
                }
                CHECK(same_bits(q, q_alone));
                CHECK(same_bits(v, v_alone));

                ensemble.set_armatures({}); // those of the tree again
                ensemble.forward_dynamics(worlds.q, worlds.v, worlds.tau, out);
                CHECK(same_bits(out, alike));
            }
        }
}

TEST_CASE("Masses that differ from world to world: each has the bits of its world alone" *
          doctest::test_suite("threads"))
{
    for (const EnsembleKernels* kernels : Ensemble::kernels())
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            Worlds worlds(random_tree(seed, 3 + static_cast<int>(seed % 6), 0), seed, 21);
            Dice dice(seed);
            std::vector<LinkInertia<double>> all;
            for (Rig& rig : worlds.rigs) // as if tanks were filled differently
                for (LinkInertia<double>& I : rig.inertias) {
                    const double k = dice.uniform(0.3, 3);
                    const auto times_k = [&](const Triple<double>& a) {
                        return triple_of(k * vec_of(a));
                    };
                    I = {k * I.m, times_k(I.mc), {times_k(I.I.d), times_k(I.I.o)}};
                    all.push_back(I);
                }
            const std::vector<double> forward = worlds.forward_alone(),
                                      inverse = worlds.inverse_alone();
            for (const int threads : {1, 3}) {
                Ensemble ensemble = worlds.ensemble(threads, *kernels);
                std::vector<double> out(worlds.v.size());
                ensemble.forward_dynamics(worlds.q, worlds.v, worlds.tau, out);
                const std::vector<double> alike = out;
                CHECK(!same_bits(alike, forward));
                ensemble.set_inertias(all);
                ensemble.forward_dynamics(worlds.q, worlds.v, worlds.tau, out);
                CHECK(same_bits(out, forward));
                ensemble.inverse_dynamics(worlds.q, worlds.v, worlds.v_dot, out);
                CHECK(same_bits(out, inverse));

                // A step of each, as an ensemble of one world takes it.
                const Ensemble::Step step{0.01};
                std::vector<double> q = worlds.q, v = worlds.v, q_alone, v_alone;
                ensemble.advance(step, 3, q, v, worlds.tau);
                for (const Rig& rig : worlds.rigs) {
                    std::vector<double> q_one = rig.q, v_one = rig.v;
                    Ensemble(worlds.linkage(), rig.inertias, worlds.gravity(), 1, *kernels)
                        .advance(step, 3, q_one, v_one, rig.tau);
                    q_alone.insert(q_alone.end(), q_one.begin(), q_one.end());
                    v_alone.insert(v_alone.end(), v_one.begin(), v_one.end());
                }
                CHECK(same_bits(q, q_alone));
                CHECK(same_bits(v, v_alone));

                ensemble.set_inertias({}); // all alike again
                ensemble.forward_dynamics(worlds.q, worlds.v, worlds.tau, out);
                CHECK(same_bits(out, alike));
            }
        }
}

TEST_CASE("Worlds of an ensemble have the bits of their world alone: any number, any threads" *
          doctest::test_suite("threads"))
{
    worlds_have_their_own_bits(ensemble_as_built);
}

TEST_CASE("Worlds of an ensemble have the bits of their world alone: eight lanes")
{
    worlds_have_their_own_bits(ensemble_of_eight);
}

TEST_CASE("Worlds of an ensemble have the bits of their world alone: AVX-512")
{
    if (!Ensemble::widest().needs_avx512)
        SKIP_TEST("this machine has no AVX-512");
    worlds_have_their_own_bits(ensemble_avx512);
}

TEST_CASE("Steps of an ensemble have the bits of a Simulation's: Runge-Kutta" *
          doctest::test_suite("threads"))
{
    steps_have_their_own_bits(ensemble_as_built, Ensemble::Method::runge_kutta4);
}

TEST_CASE("Steps of an ensemble have the bits of a Simulation's: symplectic Euler" *
          doctest::test_suite("threads"))
{
    steps_have_their_own_bits(ensemble_as_built, Ensemble::Method::symplectic_euler);
}

TEST_CASE("Steps of an ensemble have the bits of a Simulation's: eight lanes")
{
    steps_have_their_own_bits(ensemble_of_eight, Ensemble::Method::runge_kutta4);
}

TEST_CASE("Steps of an ensemble have the bits of a Simulation's: AVX-512")
{
    if (!Ensemble::widest().needs_avx512)
        SKIP_TEST("this machine has no AVX-512");
    steps_have_their_own_bits(ensemble_avx512, Ensemble::Method::runge_kutta4);
    steps_have_their_own_bits(ensemble_avx512, Ensemble::Method::symplectic_euler);
}

TEST_CASE("A fault in one lane of an ensemble is seen: a wrong last bit, worlds exchanged")
{
    static std::size_t nv;
    Worlds worlds(random_tree(2, 6), 2, 9);
    nv = worlds.rigs[0].nv();
    const std::vector<double> alone = worlds.forward_alone();
    EnsembleKernels faulty = ensemble_as_built;
    REQUIRE(same_bits(worlds.forward(1, faulty), alone));
    faulty.forward = [](void* scratch, std::size_t count, const EnsembleOwn& own, const double* q,
                        const double* v, const double* tau, double* v_dot) {
        ensemble_as_built.forward(scratch, count, own, q, v, tau, v_dot);
        v_dot[8 * nv] = std::nextafter(v_dot[8 * nv], 0.0);
    };
    CHECK_FALSE(same_bits(worlds.forward(1, faulty), alone));
    faulty.forward = [](void* scratch, std::size_t count, const EnsembleOwn& own, const double* q,
                        const double* v, const double* tau, double* v_dot) {
        ensemble_as_built.forward(scratch, count, own, q, v, tau, v_dot);
        std::swap_ranges(v_dot, v_dot + nv, v_dot + nv);
    };
    CHECK_FALSE(same_bits(worlds.forward(1, faulty), alone));
}

TEST_CASE("An ensemble leaves what lies beyond its rows alone")
{
    for (const EnsembleKernels* kernels : Ensemble::kernels())
        for (const std::size_t count : {1u, 3u, 5u, 8u, 11u}) {
            const Worlds worlds(random_tree(3, 5), 3, count);
            std::vector<double> out(worlds.v.size() + 16, 7.5);
            Ensemble ensemble = worlds.ensemble(1, *kernels);
            ensemble.forward_dynamics(worlds.q, worlds.v, worlds.tau,
                                      std::span(out).first(worlds.v.size()));
            CHECK(std::count(out.begin() + static_cast<std::ptrdiff_t>(worlds.v.size()), out.end(),
                             7.5) == 16);
        }
}
