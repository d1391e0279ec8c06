// SPDX-License-Identifier: MIT
#pragma once

// A step of a model in which the scene declares what happens at which moment: loads and flows of
// mass begin and end, schedules bend, joints let go. It is taken in parts in which the same loads
// and flows are on and the same joints hold.
//
// Loads that begin or end change nothing at that moment (edges.hpp).
//
// What lets go changes neither places nor momenta; a bushing, and a spring along a joint, takes
// what it held with it. A flow begins or ends between two parts, at its time or when a tank is
// empty; so a method of any order keeps it. There the momenta of what flows inside, p_flow and
// L_flow (state/weighed.hpp), change at once, and those of the whole do not: the shell is pushed
// back.
//
//     m (v' − v) = −Δp_flow + J              I (ω' − ω) = −ΔL_flow + S
//
// (J, S) is what joints reply. It is a line of `joint`, and the work of the push one of `thrust`,
// each on the mean of the motions before and after.

#include "poinsot/step/smooth.hpp"

#include <string>

namespace poinsot {

class Declared {
  public:
    Declared(const Model& model, Postings::Detail detail);

    /// Takes y over h from time t. w.postings then has what each cause did.
    StepReport pass(State& y, const StepSettings& settings, double t, double h, Workspace& w);
    /// When a release of the last step happened, s.
    double let_go_at(std::size_t release) const { return let_go_at_[release]; }

  private:
    bool flows_go_on(const State& y, double t, double h, double slack) const;
    /// A step in which a flow or a joint may begin or end.
    [[gnu::noinline]] StepReport pass_changes(State& y, const StepSettings& settings, double t,
                                              double h, Workspace& w);
    /// Lets go of joints whose time has come, and returns how long it is to the next.
    double let_go(State& y, double t, double slack);
    Stores part(const State& y, std::size_t release);
    void turn(State& y, const StepSettings& settings, double t, Workspace& w);
    template <class Form>
    void turn_bodies(std::vector<Form>& bodies, const State& y, double t, Workspace& w);
    void turn_linkage(State& y, double t, Workspace& w);
    void post(const std::vector<PlacedBody>& after);
    /// What parts and moments between them posted. A step of one part, in which nothing lets go or
    /// begins, is most of them: its postings stay where they are.
    Postings& kept();

    const Model& model_;
    Flowing flowing_;
    double calm_from_ = 0, calm_until_ = 0; // time alone tells which flows are on, and all stay so
    std::vector<double> let_go_at_;         // of every release, when it last was tried
    Postings kept_;
    bool keeps_ = false;  // is there anything in it?
    std::string failure_; // why the last step could not be taken
    Placed before_;
    std::vector<Wrench<double>> pushes_;
};

} // namespace poinsot
