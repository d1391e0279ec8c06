// SPDX-License-Identifier: MIT
#pragma once

// Sums over all that the links of a linkage carry, about the world's origin, from what the links
// know of themselves.
//
// After forward dynamics they are taken on the way in, in link axes and about the link's origin,
// without a look at where anything is in the world:
//
//     c = mc + Σ (R c' + m' r)                          Σ m x      m': of the link and all on it
//     p = ω × mc + Σ (R (p' + m' s q̇) + ω × m' r)       Σ m v      against the link's origin
//     σ = I_S α + ω × I_S ω + Σ R σ'                    what turning bodies asks for, each about
//                                                       its own centre of mass
//
// I_S is the sum of their inertias about these centres. What the world hands to the links on it is
// of the articulated recursion, f + IA δ: a force, and no sum of what moves.

#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/linkage.hpp"

namespace poinsot {

/// In world axes, about the world's origin.
struct LinkageSum {
    Vec3<double> mx, p;        // Σ m x and Σ m v of all that links carry
    Vec3<double> spin_dot;     // Σ (I α + ω × I ω)
    Wrench<double> from_world; // what joints with the world hand on, their own forces included
};

/// What of a linkage does not change, and scratch.
class LinkageSums {
  public:
    LinkageSums() = default;
    LinkageSums(const Linkage& linkage, std::span<const BodyMass> masses);

    /// After `forward_dynamics` at velocities v.
    LinkageSum of(const Links& linkage, std::span<const LinkInertia<double>> inertias,
                  std::span<const double> v, const LinkageSpace<double>& w);

    /// What accelerations ask for: as a load about the world's origin, for turning alone, and its
    /// power. Needs world poses, twists and `link_accelerations`.
    struct Needs {
        Wrench<double> load;
        Vec3<double> spin_dot;
        double power;
    };
    Needs needs(const Links& linkage, std::span<const LinkInertia<double>> inertias,
                const LinkageSpace<double>& w) const;

  private:
    struct Sum {
        Triple<double> c, p, sigma;
    };
    std::vector<SymTriple<double>> spin_inertia_;
    std::vector<double> mass_; // of a link and all that hangs on it
    Slots<Sum> sums_{0};
};

} // namespace poinsot
