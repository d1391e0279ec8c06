// SPDX-License-Identifier: MIT
#pragma once

// Many worlds of one tree: one stream of instructions for a pack of worlds, packs shared out over
// threads.
//
//     world   0 1 2 3 | 4 5 6 7 | 8 9 …        a row of q, v or τ per world
//     lane    0 1 2 3 | 0 1 2 3 | 0 1 …        registers of four or of eight numbers
//
// The kernels are those of one world, compiled with packs for numbers, so every world gets the bits
// it would get alone, whatever the instruction set, the number of worlds and the number of threads.
// Arrays are rows of numbers, one row per world, as NumPy keeps (worlds, n); turning them into
// packs and back is part of every call.

#include "poinsot/base/parallel.hpp"
#include "poinsot/dynamics/linkage.hpp"
#include "poinsot/step/ensemble_data.hpp"

#include <memory>
#include <span>
#include <vector>

namespace poinsot {

class Ensemble {
  public:
    /// The copies of the kernels that this machine runs, the widest last.
    static std::span<const EnsembleKernels* const> kernels();
    static const EnsembleKernels& widest() { return *kernels().back(); }

    /// A tree under uniform gravity. Threads: 0 is as many as the machine has.
    Ensemble(const Linkage& linkage, std::span<const LinkInertia<double>> inertias,
             const Vec3<double>& gravity, int threads = 1,
             const EnsembleKernels& kernels = widest());
    /// The tree of a model, with its bodies and its uniform gravity; of nothing else in it.
    explicit Ensemble(const Model& model, int threads = 1,
                      const EnsembleKernels& kernels = widest());

    const char* kernel() const { return kernels_->name; }
    int threads() const { return threads_.count(); }

    /// Masses that differ from world to world: the inertias of all links for each, in the order of
    /// the worlds (link_inertias of dynamics/linkage.hpp). None at all: every world has the tree's.
    /// Calls that follow have as many worlds.
    void set_inertias(std::span<const LinkInertia<double>> of_worlds);
    /// Armatures that differ from world to world: nv for each, in the order of the worlds. A
    /// velocity has one in every world or in none, and where its joint has one freedom. None at
    /// all: every world has the tree's.
    void set_armatures(std::span<const double> of_worlds);

    /// v̇ of (q, v, τ), and the τ that makes v̇.
    void forward_dynamics(std::span<const double> q, std::span<const double> v,
                          std::span<const double> tau, std::span<double> v_dot);
    void inverse_dynamics(std::span<const double> q, std::span<const double> v,
                          std::span<const double> v_dot, std::span<double> tau);

    enum class Method { symplectic_euler, runge_kutta4 };
    struct Step {
        double h;
        Method method = Method::runge_kutta4;
        bool renormalise = true; // quaternions come back to unit length after every step
    };
    /// Some steps in place. τ is a row per world, held for all of them, or none at all.
    void advance(const Step& step, std::size_t steps, std::span<double> q, std::span<double> v,
                 std::span<const double> tau = {});
    /// The same with all states kept: q (worlds, steps + 1, nq) and v (worlds, steps + 1, nv), of
    /// which the first row of each world is where it starts; τ (worlds, steps, nv), or none at all.
    /// `stop` is asked now and then by the calling thread; whether all is done comes back.
    bool roll_out(const Step& step, std::size_t steps, std::span<double> q, std::span<double> v,
                  std::span<const double> tau = {}, const std::function<bool()>& stop = {});

    /// What `forward_dynamics` does to its arrays without the dynamics between: for those who want
    /// to know what that costs.
    void only_transpose(std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau, std::span<double> v_dot);

  private:
    std::size_t worlds_of(std::span<const double> q, std::span<const double> v) const;
    std::size_t weighed(std::size_t worlds) const;
    EnsembleTree tree() const;
    void make_scratch();
    template <class Work>
    void share_out(std::size_t worlds, const Work& work);

    std::vector<Link> links_;
    std::vector<int> angles_;
    int nq_, nv_, balls_, frees_;
    /// What a world and the ones after it have of their own.
    EnsembleOwn own_from(std::size_t world) const
    {
        return {of_worlds_.empty() ? nullptr : of_worlds_[world * links_.size()].data(),
                armatures_.empty() ? nullptr : &armatures_[world * static_cast<std::size_t>(nv_)]};
    }

    std::vector<std::array<double, 10>> inertias_, of_worlds_;
    std::vector<double> armatures_, of_tree_; // of the worlds; of the links
    Vec3<double> gravity_;
    const EnsembleKernels* kernels_;
    Threads threads_;
    struct Drop {
        void (*drop)(void*);
        void operator()(void* scratch) const { drop(scratch); }
    };
    std::vector<std::unique_ptr<void, Drop>> scratch_; // one per thread
};

} // namespace poinsot
