// SPDX-License-Identifier: MIT
#pragma once

// Trees that float keep their momentum. In joint coordinates a step by impulses leaves velocities
// as they are while it flies along the joints, and the momentum of the whole, A(q) v, changes with
// q: by the error of the step, which an impact makes of first order. But what it should be is
// known,
//
//     p' = p + Σ J,   L_c' = L_c + Σ (x − c) × J + τ         J, τ: impulses from outside
//
// and so is the way of the centre of mass: c moves with p/m. So after each half of the flight the
// tree is put where its centre of mass must be, and at the end of the step its root takes the
// difference of momentum, as if all joints were locked:
//
//     δv_c = δp/m,   δω = I_c⁻¹ δL_c
//
// Of all changes that bring p and L_c about, this one has the least energy, δvᵀ M δv: joints do not
// feel it. Then p, L_c and L about any other point close to rounding, as with bodies that fly
// freely. The differences are of the order of the error of a step, so its order stays.
//
// Trees with a loop that closes through the world or another tree are left as they are: what binds
// them there would feel the change. So are those whose root is a particle.

#include "poinsot/integrate/joint_system.hpp"

namespace poinsot {

class Floating {
  public:
    Floating(const Model& model, const Linkage& linkage);
    bool any() const { return !trees_.empty(); }
    /// How many bodies such trees have.
    std::size_t bodies() const;

    /// The momenta that trees have, where the bodies are placed.
    void begin(std::span<const PlacedBody> bodies);
    /// Impulses on the bodies, about their centres of mass: loads for a time h.
    void push(std::span<const PlacedBody> bodies, std::span<const Wrench<double>> loads, double h);
    /// Puts the centres of mass where a flight for a time h takes them; bodies are at q.
    void fly(double h, std::span<const PlacedBody> bodies, std::span<double> q);
    /// Gives the roots the motion that makes up the momenta; bodies and links are placed as (q, v).
    void settle(const JointSystem& at, std::span<double> v) const;

  private:
    struct Tree {
        int link; // its root
        Link root;
        std::vector<int> bodies; // that hang on it
        double m = 0;
        Vec3<double> c{}, p{}, L{}; // where its centre of mass must be; L about it
    };
    static Vec3<double> center_of(const Tree& tree, std::span<const PlacedBody> bodies);

    std::vector<Tree> trees_;
};

} // namespace poinsot
