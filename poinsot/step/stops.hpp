// SPDX-License-Identifier: MIT
#pragma once

// Limits push back: a step by accelerations goes from stop to stop, and what happens at one is an
// impulse.
//
// Every limit of a coordinate is a stop. Its gap is c = q − lower, or c = upper − q. It is free, or
// the coordinate stands at it:
//
//     free        c ≥ 0; nothing acts
//     standing    c = 0 is a row like that of any joint, and its multiplier pushes: λ ≥ 0
//
// Between events the motion is smooth. A part of a step ends where a free gap closes or where a
// push is about to become a pull: the length at which that happens is found by taking the part
// again, from the same state, until it is known to 1e-12 of the step; so the order of the method
// holds across the event.
//
// Impact. All stops that touch and do not leave take part, and every joint answers [Moreau 1988]:
//
//     M (V⁺ − V⁻) = Jᵀ Λ,   joints: J V⁺ = J V⁻,   stops: 0 ≤ Λ ⟂ ċ⁺ − r ≥ 0,  r = e max(−ċ⁻, 0)
//     T⁺ − T⁻ = −½ Σ (1 − e) (−ċ⁻) Λ ≤ 0
//
// Who leaves and is pushed back by others is struck next; then again until nobody approaches. What
// has no end after ten rounds ends with all that touch at once and e = 0, which only loses energy.
//
// Rest. At those that touch and neither leave nor were thrown back,
//
//     0 ≤ λ ⟂ c̈ ≥ 0
//
// Both problems are solved by Murty's least-index pivoting, with a solve of the bonds for every set
// of stops that is tried. The order is that of falling e: of two stops that say the same, one that
// throws back decides. In exact arithmetic no set comes back [Murty 1974]; a stop that would
// bring one back is at rounding, and left free: its gap will tell.
//
// A coordinate that is thrown back and would return within one step, 2 ċ⁺ + h c̈ < 0, comes to rest
// instead: its impact is taken again with e = 0. The infinitely many bounces that end in finite
// time are so cut off where they become shorter than a step. One that others have kicked off its
// stop, and that would return as soon, stays: an impulse takes its speed, and with it energy. That
// one is a pull, smaller than the push of the stop in half a step.
//
// A gap that closes and opens again within one part is seen where the cubic through its ends says
// so. An adaptive method looks at the stops after every sub-step.
//
// A coordinate that is outside of a limit by more than typed digits when a step begins is not
// stopped by it, where the projection would have to move it there.

#include "poinsot/constraints/row.hpp"
#include "poinsot/step/smooth.hpp"
#include "poinsot/step/stop_gaps.hpp"

#include <algorithm>
#include <span>

namespace poinsot {

/// Has a model coordinates that can be stopped? A prescribed one cannot: it follows its course.
bool has_stops(const Model& model);
/// Can steps with these settings end at a stop, and can their coordinates stand there? Not where
/// the method works on momenta of a tree, or flies bodies freely.
bool takes_stops(const StepSettings& settings);

/// How far a coordinate may be outside of a limit and still be stopped by it. Where it is put back
/// on its limit in every step: as far as digits are typed, 1e-6, and with a method of first order,
/// which lets it slip while it leaves, a tenth of a unit per second. Where nothing puts it back:
/// however far it has drifted.
double stopped_within(const StepSettings& settings);

class Stops {
  public:
    Stops(const Model& model, Postings::Detail detail);

    /// Takes y from t over one step; w.postings then has what each cause did.
    StepReport pass(State& y, const StepSettings& settings, double t, Workspace& w);

    /// Impacts in the last step, each with its moment.
    struct Struck {
        Stop stop;
        double time;
        double impulse; // of the stop on its coordinate, N s or N m s
    };
    std::span<const Struck> struck() const { return struck_; }

  private:
    /// What is the same in one step.
    struct Step {
        const StepSettings& settings;
        Workspace& w;
        bool reduced() const { return settings.formulation == Formulation::reduced; }
    };
    struct One : StopGap {
        bool stands = false;
        double push = 0;      // of one that stands
        double allowance = 0; // how far outside a free one may be until the part ends
        double begin_gap = 0, begin_speed = 0, begin_margin = 0;
        double size = 1; // what its margin is measured by

        /// An event is where it becomes negative. One that began at its stop and leaves may be
        /// outside by the error of the method.
        double margin() const
        {
            const bool leaves = allowance > 0 && speed > 0;
            return stands ? push : leaves ? std::max(gap + allowance, allowance) : gap + allowance;
        }
    };
    struct Touch {
        std::size_t one;
        double restitution;
        double speed = 0;        // ċ
        double noise = 0;        // its rounding
        double target = 0;       // r
        bool bounced = false;    // thrown back
        bool takes_part = false; // in the problem that is solved
        bool active = false;     // of the set that is tried
        double push = 0;         // Λ, or λ
        double excess = 0;       // ċ⁺ − r, or c̈ + 2 ċ/h
    };

    // A part of a step, from event to event.
    StepReport part(State& y, double t, double& length, const Step& step);
    void begin_part(const State& y, const Step& step);
    StepReport attempt(State& y, double t, double length, const Step& step);
    double least_margin() const;
    double dip(double length) const;

    // An event.
    const char* meet(State& y, double t, const Step& step);
    void find_touches(const State& y, const Step& step);
    const char* collide(State& y, double t, const Step& step);
    void strike(const State& y, double t, const Step& step);
    void take_impulses(State& y, const Step& step);
    void record_blows(double t);
    void settle(State& y, double t, const Step& step);
    bool capture(State& y, double t, const Step& step);

    // What both ask.
    void look(const State& y, const Step& step);
    void measure(const Placed& placed);
    void accelerate(const State& y, double t, const Step& step);
    void place(const State& y, const Step& step);
    void bind_touches(const Placed& placed);
    double noise_of(const Touch& touch) const;
    void stand(std::vector<Stop>& out) const;
    bool next_set(double tolerance);

    const Model& model_;
    std::vector<One> all_;
    std::vector<Touch> touches_;
    std::vector<std::size_t> order_; // of touches, in which sets are tried
    std::vector<Stop> touching_;
    std::vector<std::vector<bool>> tried_; // sets of stops
    Rows rows_;                            // of the touches
    Placed after_;                         // an impact
    State begin_, before_;
    std::vector<Twist<double>> change_; // of the motion of every body
    std::vector<double> jumps_, v_after_, v_change_;
    Postings kept_, impact_;
    std::vector<Struck> struck_;
    double fastest_ = 0;  // approach at an impact
    double residual_ = 0; // of the last strike: bonds that contradict each other leave one
};

} // namespace poinsot
