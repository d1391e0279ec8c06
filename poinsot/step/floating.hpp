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
// A tree of one body that no joint holds flies as in maximal coordinates: exactly, by p and L, and
// a kick knows loads alone. Its velocities in axes that turn follow.
//
// Velocities say p and L to rounding, which as a sum over steps would walk away; so both are kept
// in the state, as long as the velocities agree with them. What p + J rounds off is kept beside p
// and counted when velocities are found: that of two trees which push each other is twice p's last
// digit in every step of touch, and would walk away just so.
//
// Trees that loops or joints which may let go bind to each other float as one: all their roots take
// the same change, of which what binds them feels nothing. Where such a joint has let go, each
// floats by itself. Trees with a loop that closes through the world are left as they are: what
// binds them there would feel the change. So are those whose root is a particle.

#include "poinsot/integrate/joint_system.hpp"

namespace poinsot {

class Floating {
  public:
    /// `released`: per joint, which have let go; empty where none lets go.
    Floating(const Model& model, const Linkage& linkage, std::span<const char> released = {});
    bool any() const { return !trees_.empty(); }
    /// How many bodies such trees have.
    std::size_t bodies() const;

    /// Is this link, or body, one that flies by itself?
    bool alone(int link) const { return link_alone_[static_cast<std::size_t>(link)]; }
    bool body_alone(int body) const { return body_alone_[static_cast<std::size_t>(body)]; }

    /// The momenta that trees have, where the bodies are placed: those kept, where they agree.
    void begin(std::span<const PlacedBody> bodies, std::span<const double> kept);
    void keep(std::vector<double>& kept) const;
    /// What loads do to those that fly by themselves, in place of what they do to axes that turn.
    void accelerate(std::span<const PlacedBody> bodies, std::span<const Wrench<double>> loads,
                    std::span<double> v_dot) const;
    /// Impulses on the bodies, about their centres of mass: loads for a time h.
    void push(std::span<const PlacedBody> bodies, std::span<const Wrench<double>> loads, double h);
    /// Puts the centres of mass where a flight for a time h takes them; bodies are at q. What flies
    /// by itself has flown, attitude and velocities too.
    void fly(double h, std::span<const PlacedBody> bodies, std::span<double> q,
             std::span<double> v);
    /// Gives the roots the motion that makes up the momenta; bodies and links are placed as (q, v).
    void settle(const JointSystem& at, std::span<double> v) const;

  private:
    struct Root {
        int link;
        Link joint;
    };
    struct Tree {
        std::vector<Root> roots; // more than one where trees are bound to each other
        std::vector<int> bodies; // that hang on them
        double m = 0;
        Vec3<double> c{}, p{}, L{}; // where its centre of mass must be; L about it
        Vec3<double> rest{};        // of p, that was rounded off
        bool alone = false;
    };
    static Vec3<double> center_of(const Tree& tree, std::span<const PlacedBody> bodies);

    std::vector<Tree> trees_;
    std::vector<bool> link_alone_, body_alone_;
};

} // namespace poinsot
