// SPDX-License-Identifier: MIT
#pragma once

// Sums over all that the links of a linkage carry, about the world's origin, for the stages of a
// step: four stages side by side in one pack, each with its weight.
//
// Out from the ground go motions, as in rnea.hpp, and back come, in link axes and about the link's
// origin, without a look at where anything is in the world:
//
//     f = (F, τ) + Σ (R F', R τ' + r × R F')            what the motion needs, under gravity too
//     c = mc + Σ (R c' + m' r)                          Σ m x      m': of the link and all on it
//     p = ω × mc + Σ (R (p' + m' s q̇) + ω × m' r)       Σ m v      against the link's origin
//     σ = I_S α + ω × I_S ω + Σ R σ'                    what turning bodies asks for, each about
//                                                       its own centre of mass
//
// I_S is the sum of their inertias about these centres.

#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/linkage.hpp"

namespace poinsot {

/// Σ w (…) over stages, in world axes, about the world's origin.
struct LinkageSum {
    Vec3<double> mx = zero3<double>(), p = zero3<double>(); // Σ m x, Σ m v: of stages that fall
    Vec3<double> spin_dot = zero3<double>();                // Σ (I α + ω × I ω)
    Wrench<double> load = no_load<double>(); // what links ask of the world that joints tie to it
    double power = 0;                        // of what the motion needs: of stages that do not fall
};

class LinkageSums {
  public:
    LinkageSums(const Linkage& linkage, const Model& model);

    /// A stage at (q, v) with accelerations v_dot. Work is done along the velocities `moving`.
    void add(std::span<const double> q, std::span<const double> v, std::span<const double> v_dot,
             std::span<const double> moving, double weight);
    /// A stage of a linkage on which nothing but this gravity acts: it is part of what is asked.
    /// Stages of one sum are all of one kind. Accelerations are found if none are given.
    void add_falling(std::span<const double> q, std::span<const double> v,
                     std::span<const double> v_dot, double weight, const Vec3<double>& gravity);
    /// Of all that were added since it was last asked.
    LinkageSum take();

  private:
    using Lanes = LinkPack;
    struct Sum {
        Vec3<Lanes> c, p, sigma;
    };
    void put(std::span<const double> q, std::span<const double> v, std::span<const double> v_dot,
             std::span<const double> moving, double weight);
    void settle();
    void side_by_side();
    void fall();
    double weighted(const Lanes& of) const;
    Vec3<double> weighted(const Vec3<Lanes>& of) const;

    const Linkage& linkage_;
    std::vector<LinkInertia<Lanes>> inertias_;
    std::vector<Sym3<Lanes>> spin_inertia_;
    std::vector<double> mass_; // of a link and all that hangs on it
    LinkageSpace<Lanes> space_;
    Slots<Sum> sums_;

    struct Stage {
        std::vector<double> q, v, v_dot, moving;
        double weight;
    };
    std::array<Stage, 4> stages_; // of which so many wait
    std::size_t waiting_ = 0;
    std::vector<Lanes> q_, v_, v_dot_, moving_, tau_; // of these, side by side
    std::array<double, 4> weight_{};
    bool falls_ = false, finds_ = false;
    Vec3<Lanes> gravity_ = zero3<Lanes>();
    LinkageSum sum_;
};

} // namespace poinsot
