// SPDX-License-Identifier: MIT
#include "poinsot/step/ensemble.hpp"

#include "poinsot/dynamics/aba.hpp"
#include "poinsot/integrate/joint_stages.hpp"

#include <algorithm>
#include <functional>
#include <type_traits>

namespace poinsot {

namespace {

#include "poinsot/step/ensemble_kernel.inc"

/// Worlds to a piece of work: some packs, long against what a thread costs to call.
constexpr std::size_t piece = 64;

static_assert(std::is_trivially_copyable_v<Link>, "copies of the kernels read its bytes");

std::array<double, 10> numbers_of(const LinkInertia<double>& I)
{
    const Vec3<double> mc = vec_of(I.mc), d = vec_of(I.I.d), o = vec_of(I.I.o);
    return {I.m, mc.x, mc.y, mc.z, d.x, d.y, d.z, o.x, o.y, o.z};
}

} // namespace

const EnsembleKernels ensemble_as_built{
    "as built",
    4,
    false,
    make_ensemble_scratch<4, EnsembleTree>,
    drop_ensemble_scratch<4>,
    ensemble_forward<4, EnsembleOwn>,
    ensemble_inverse<4, EnsembleOwn>,
    ensemble_run<4, EnsembleRun>,
    ensemble_transpose<4>,
};

std::span<const EnsembleKernels* const> Ensemble::kernels()
{
    static const EnsembleKernels* const all[] = {&ensemble_as_built, &ensemble_avx512};
    static const bool wide = __builtin_cpu_supports("avx512f") &&
                             __builtin_cpu_supports("avx512dq") &&
                             __builtin_cpu_supports("avx512vl");
    return {all, wide ? 2u : 1u};
}

Ensemble::Ensemble(const Linkage& linkage, std::span<const LinkInertia<double>> inertias,
                   const Vec3<double>& gravity, int threads, const EnsembleKernels& kernels)
    : links_(linkage.links), angles_(linkage.angles), nq_(linkage.nq), nv_(linkage.nv),
      balls_(linkage.balls), frees_(linkage.frees), gravity_(gravity), kernels_(&kernels),
      threads_(threads)
{
    check(!kernels.needs_avx512 || widest().needs_avx512, "this machine runs the kernels");
    check(inertias.size() == linkage.size(), "every link has its inertia");
    for (const LinkInertia<double>& I : inertias)
        inertias_.push_back(numbers_of(I));
    for (const Link& link : links_)
        of_tree_.push_back(link.armature);
    make_scratch();
}

void Ensemble::make_scratch()
{
    scratch_.clear();
    for (int i = 0; i < threads_.count(); ++i)
        scratch_.emplace_back(kernels_->make_scratch(tree()), Drop{kernels_->drop_scratch});
}

Ensemble::Ensemble(const Model& model, int threads, const EnsembleKernels& kernels)
    : Ensemble(linkage_of(model), link_inertias(linkage_of(model), model), model.gravity().uniform,
               threads, kernels)
{
}

EnsembleTree Ensemble::tree() const
{
    return {links_.data(),
            links_.size(),
            angles_.data(),
            angles_.size(),
            nq_,
            nv_,
            balls_,
            frees_,
            reinterpret_cast<const double(*)[10]>(inertias_.data()),
            {gravity_.x, gravity_.y, gravity_.z}};
}

void Ensemble::set_inertias(std::span<const LinkInertia<double>> of_worlds)
{
    check(of_worlds.size() % links_.size() == 0, "every link of every world has its inertia");
    of_worlds_.clear();
    for (const LinkInertia<double>& I : of_worlds)
        of_worlds_.push_back(numbers_of(I));
}

void Ensemble::set_armatures(std::span<const double> of_worlds)
{
    const auto nv = static_cast<std::size_t>(nv_);
    check(nv > 0 && of_worlds.size() % nv == 0, "every velocity of every world has its armature");
    armatures_.assign(of_worlds.begin(), of_worlds.end());
    std::vector<char> driven(nv, 0);
    for (std::size_t i = 0; i < armatures_.size(); ++i) {
        check(armatures_[i] >= 0 && (i < nv || (armatures_[i] > 0) == driven[i % nv]),
              "a velocity has an armature in every world or in none");
        driven[i % nv] = armatures_[i] > 0;
    }
    // Whether a link has a drive is for all lanes alike, and chooses its code.
    for (std::size_t i = 0; i < links_.size(); ++i) {
        Link& link = links_[i];
        const auto v = static_cast<std::size_t>(link.v);
        link.armature = of_worlds.empty() ? of_tree_[i] : 0;
        if (freedoms_of(link.op) == 1 && driven[v])
            link.armature = armatures_[v];
        driven[v] = driven[v] && freedoms_of(link.op) != 1;
    }
    check(std::none_of(driven.begin(), driven.end(), [](char is) { return is; }),
          "only a joint with one freedom has an armature");
    make_scratch();
}

std::size_t Ensemble::worlds_of(std::span<const double> q, std::span<const double> v) const
{
    const auto nq = static_cast<std::size_t>(nq_), nv = static_cast<std::size_t>(nv_);
    check(nq > 0 && q.size() % nq == 0, "q has a row of nq numbers per world");
    check(v.size() == q.size() / nq * nv, "v has a row of nv numbers per world");
    return q.size() / nq;
}

std::size_t Ensemble::weighed(std::size_t worlds) const
{
    check(of_worlds_.empty() || of_worlds_.size() == worlds * links_.size(),
          "inertias were set for as many worlds");
    check(armatures_.empty() || armatures_.size() == worlds * static_cast<std::size_t>(nv_),
          "armatures were set for as many worlds");
    return worlds;
}

/// Calls work(first, last, scratch) for pieces of the worlds.
template <class Work>
void Ensemble::share_out(std::size_t worlds, const Work& work)
{
    const auto of_worker = [&](std::size_t first, std::size_t last, std::size_t worker) {
        work(first, last, scratch_[worker].get());
    };
    threads_.run(worlds, piece, std::ref(of_worker)); // a reference: nothing to allocate
}

void Ensemble::forward_dynamics(std::span<const double> q, std::span<const double> v,
                                std::span<const double> tau, std::span<double> v_dot)
{
    check(tau.size() == v.size() && v_dot.size() == v.size(), "tau and v_dot have the rows of v");
    const auto nq = static_cast<std::size_t>(nq_), nv = static_cast<std::size_t>(nv_);
    share_out(weighed(worlds_of(q, v)), [&](std::size_t first, std::size_t last, void* scratch) {
        kernels_->forward(scratch, last - first, own_from(first), q.data() + first * nq,
                          v.data() + first * nv, tau.data() + first * nv,
                          v_dot.data() + first * nv);
    });
}

void Ensemble::only_transpose(std::span<const double> q, std::span<const double> v,
                              std::span<const double> tau, std::span<double> v_dot)
{
    check(tau.size() == v.size() && v_dot.size() == v.size(), "tau and v_dot have the rows of v");
    const auto nq = static_cast<std::size_t>(nq_), nv = static_cast<std::size_t>(nv_);
    share_out(worlds_of(q, v), [&](std::size_t first, std::size_t last, void* scratch) {
        kernels_->transpose(scratch, last - first, q.data() + first * nq, v.data() + first * nv,
                            tau.data() + first * nv, v_dot.data() + first * nv);
    });
}

void Ensemble::inverse_dynamics(std::span<const double> q, std::span<const double> v,
                                std::span<const double> v_dot, std::span<double> tau)
{
    check(tau.size() == v.size() && v_dot.size() == v.size(), "tau and v_dot have the rows of v");
    const auto nq = static_cast<std::size_t>(nq_), nv = static_cast<std::size_t>(nv_);
    share_out(weighed(worlds_of(q, v)), [&](std::size_t first, std::size_t last, void* scratch) {
        kernels_->inverse(scratch, last - first, own_from(first), q.data() + first * nq,
                          v.data() + first * nv, v_dot.data() + first * nv,
                          tau.data() + first * nv);
    });
}

void Ensemble::advance(const Step& step, std::size_t steps, std::span<double> q,
                       std::span<double> v, std::span<const double> tau)
{
    check(tau.empty() || tau.size() == v.size(), "tau has the rows of v, or none");
    if (steps == 0)
        return;
    const auto nq = static_cast<std::size_t>(nq_), nv = static_cast<std::size_t>(nv_);
    share_out(weighed(worlds_of(q, v)), [&](std::size_t first, std::size_t last, void* scratch) {
        double *const places = q.data() + first * nq, *const speeds = v.data() + first * nv;
        kernels_->run(scratch, {step.method == Method::symplectic_euler,
                                step.renormalise,
                                step.h,
                                last - first,
                                steps,
                                own_from(first),
                                {places, nq, 0},
                                {speeds, nv, 0},
                                {tau.empty() ? nullptr : tau.data() + first * nv, nv, 0},
                                {places, nq, 0},
                                {speeds, nv, 0}});
    });
}

bool Ensemble::roll_out(const Step& step, std::size_t steps, std::span<double> q,
                        std::span<double> v, std::span<const double> tau,
                        const std::function<bool()>& stop)
{
    const std::size_t rows = worlds_of(q, v);
    check(rows % (steps + 1) == 0, "q and v have a row per world and state");
    const std::size_t worlds = weighed(rows / (steps + 1));
    const auto nq = static_cast<std::size_t>(nq_), nv = static_cast<std::size_t>(nv_);
    check(tau.empty() || tau.size() == worlds * steps * nv, "tau has a row per world and step");
    const std::size_t q_world = (steps + 1) * nq, v_world = (steps + 1) * nv;
    // Some worlds for some steps at a time: a few milliseconds.
    const std::size_t group = piece * static_cast<std::size_t>(threads_.count()), stretch = 128;
    for (std::size_t start = 0; start < worlds; start += group)
        for (std::size_t done = 0; done < steps; done += stretch) {
            if (stop && stop())
                return false;
            share_out(std::min(group, worlds - start), [&](std::size_t first, std::size_t last,
                                                           void* scratch) {
                double* const places = q.data() + (start + first) * q_world + done * nq;
                double* const speeds = v.data() + (start + first) * v_world + done * nv;
                const double* const forces =
                    tau.empty() ? nullptr : tau.data() + ((start + first) * steps + done) * nv;
                kernels_->run(scratch, {step.method == Method::symplectic_euler,
                                        step.renormalise,
                                        step.h,
                                        last - first,
                                        std::min(stretch, steps - done),
                                        own_from(start + first),
                                        {places, q_world, 0},
                                        {speeds, v_world, 0},
                                        {forces, steps * nv, nv},
                                        {places + nq, q_world, nq},
                                        {speeds + nv, v_world, nv}});
            });
        }
    return true;
}

} // namespace poinsot
