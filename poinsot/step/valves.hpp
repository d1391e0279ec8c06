// SPDX-License-Identifier: MIT
#pragma once

// A step of a model with tanks, in parts in which the same flows are on.
//
// A flow begins or ends between two parts, at its time or when a tank is empty; so a method of any
// order keeps it. There the momenta of what flows inside, p_flow and L_flow (state/weighed.hpp),
// change at once, and those of the whole do not: the shell is pushed back.
//
//     m (v' − v) = −Δp_flow + J              I (ω' − ω) = −ΔL_flow + S
//
// (J, S) is what joints reply. It is a line of `joint`, and the work of the push one of `thrust`,
// each on the mean of the motions before and after.

#include "poinsot/step/smooth.hpp"

namespace poinsot {

class Valves {
  public:
    Valves(const Model& model, Postings::Detail detail);

    /// Takes y over h from time t. w.postings then has what each cause did.
    StepReport pass(State& y, const StepSettings& settings, double t, double h, Workspace& w);

  private:
    void turn(State& y, const StepSettings& settings, double t, Workspace& w);
    template <class Form>
    void turn_bodies(std::vector<Form>& bodies, const State& y, double t, Workspace& w);
    void turn_linkage(State& y, Workspace& w);
    void post(const std::vector<PlacedBody>& after);

    const Model& model_;
    Flowing flowing_;
    Postings kept_;
    Placed before_;
    std::vector<Wrench<double>> pushes_;
};

} // namespace poinsot
