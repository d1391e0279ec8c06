// SPDX-License-Identifier: MIT
#pragma once

// What cuts carry at one state.
//
// A bushing carries what it does to its body b, and a joint that and what acts along it: spring,
// damper, friction, motor, prescribed drive and stop. A section of a rigid body carries
// what the part beyond needs to move as it does, less what acts on that part itself
// [D'Alembert]:
//
//     F = m₊ (a + ω̇ × d + ω × (ω × d)) − Σ F₊            d = c₊ − x
//     τ = I₊ ω̇ + ω × I₊ ω − Σ τ₊                        about c₊
//
// from the near part on the one beyond, then about the middle of the cut. a and ω̇ are those of all
// that acts on the body. Of what acts, gravity is shared by mass; all else acts where it is fixed:
// springs, loads, air, joints and contacts at their points, and what has no point of its own
// (drag and rotors without a place, forces of the user) at the centre of mass.
//
// Tanks beyond, with what flows out of them, are part of what lies beyond: m₊, c₊ and I₊ are those
// of the moment, and what leaves pushes it as it would push a body of its own (forces/thrust.hpp).

#include "poinsot/model/cut.hpp"
#include "poinsot/step/acting.hpp"

namespace poinsot {

class CutLoads {
  public:
    /// Model and input must outlive it.
    CutLoads(const Model& model, const StepSettings& settings, const Input& input);

    /// Looks at a state; all as for Acting.
    void look(const State& state, const Answered& answered = {});
    void look_at(const State& state, double t, double active_at, const Answered& answered = {});
    /// What each cut of the model carries there.
    std::span<const SectionLoad> loads() const { return loads_; }

  private:
    void cut();
    SectionLoad through_body(std::size_t cut) const;

    const Model& model_;
    Acting acting_;
    std::vector<Vessel> beyond_; // per cut: what of its body lies beyond, with its tanks and flows
    std::vector<SectionLoad> loads_;
};

} // namespace poinsot
