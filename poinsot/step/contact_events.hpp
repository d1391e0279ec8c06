// SPDX-License-Identifier: MIT
#pragma once

// Surfaces that touch, in a step by accelerations: it goes from event to event, as with stops
// (stops.hpp), and what happens at one is an impulse.
//
// A point of two surfaces is free, or the surfaces rest on each other there:
//
//     free     its gap is open, or opens; nothing acts
//     rests    0 ≤ f_n ⊥ a_n ≥ 0 with friction, at every evaluation of the integrator (rests.hpp)
//
// A coordinate with limits is among them (contact_stops.cpp): a stop is a point of touch without
// friction, whose gap is c = q − lower, or c = upper − q. So a knee that reaches its stop while the
// foot lands is one event: its impulses are one solve, and its forces of rest another.
//
// Between events the motion is smooth. A part of a step ends where
//
//     a free gap closes                       an impact
//     a resting contact opens, f_n = 0        it is free from now on
//     what stands begins to slip              friction of what slides
//     what slides comes to a stop             it stands, or goes on another way
//
// and the length at which that happens is found by taking the part again, from the same state,
// until it is known to 1e-12 of the step; so the order of the method holds across the event.
//
// Impact. All points that touch take part, and every joint answers; the law is one of
// solve/impact.hpp. Then again until nobody approaches. What has no end after ten rounds ends with
// e = 0.
//
// A point that is thrown back and would return within one step, 2 u_n + h a_n < 0, comes to rest
// instead: the impact is taken again with e = 0 there. The infinitely many bounces that end in
// finite time are so cut off where they become shorter than a step. One that others have kicked
// off, and that would return as soon, stays: an impulse takes its speed, and with it energy. That
// is a pull, smaller than the push of the loads in half a step, and a correction.
//
// A box that falls nearly flat clatters: its corners strike in turns, ever faster. Of blows between
// the same two skins that follow each other within a hundredth of a step, the sixth has e = 0.
//
// No forces. The problem of rest may have no solution (Painlevé's rod), or none may be found. Then
// the rest of the step is taken by impulses (impulsive.hpp), which always have an answer, and the
// step says so. The same where events come without end. Of what slips and stops in turns more and
// more counts as standing, from the fiftieth event of a step.
//
// What is fast is looked for on its way (contacts/first_hit.hpp). A gap that closes and opens again
// within one part is seen where the cubic through its ends says so.
//
// The point at which a rim rests runs round it, the faster the flatter it lies. A part ends before
// its lever has swung by a tenth of itself, so that every method resolves how its force turns; one
// with an error control takes it in no more than fifty sub-steps. A lever that jumps in the
// shortest part has changed its features there, and that counts as an event that brings no time.
//
// When a part begins, what rests is put back: gaps that drifted by more than the rounding of
// distances, and the speeds of what neither parts nor slips. That is contact_correction.

#include "poinsot/contacts/touch.hpp"
#include "poinsot/step/blow.hpp"
#include "poinsot/step/contact_gain.hpp"
#include "poinsot/step/islands.hpp"
#include "poinsot/step/rests.hpp"
#include "poinsot/step/stop_gaps.hpp"

namespace poinsot {

/// Can steps by this method go from contact to contact?
bool takes_contacts(Method method);

class ContactEvents {
  public:
    ContactEvents(const Model& model, Postings::Detail detail);

    /// Takes y from t over one step; w.postings then has what each cause did.
    StepReport pass(State& y, const StepSettings& settings, double t, Workspace& w);

    /// What touched in the last step, with the impulses of the whole of it.
    std::span<const TouchRecord> touches() const { return records_; }
    /// Impacts in the last step, and whether it, or a part of it, was taken by impulses because the
    /// forces of rest have no solution or none was found; or because of too many events.
    int impacts() const { return impacts_; }
    /// The same impacts and those at limits, each with its moment: points of two skins are one.
    struct Struck {
        int a, b;                 // skins, or none:
        std::optional<Stop> stop; // a limit of a joint
        double time;
        double impulse; // along the normals, summed, N s; of a stop N s or N m s
    };
    std::span<const Struck> struck() const { return struck_; }
    /// Contacts of them whose law made energy.
    std::span<const ContactGain> gains() const { return gains_; }
    /// The largest natural residual of its impacts, and how many were not solved to tolerance.
    double residual() const { return residual_; }
    int unsolved() const { return unsolved_; }
    /// Was a part of it taken by impulses without looking for all that is fast (impulsive.hpp)?
    bool unlooked() const { return unlooked_; }
    enum class ByImpulses : unsigned char { no, no_forces, none_found, too_many };
    ByImpulses by_impulses() const { return by_impulses_; }
    /// When that was in it, and between which skins: a pair that slides before one that stands.
    struct GaveUp {
        double time = 0;
        int a = -1, b = -1;
    };
    const GaveUp& gave_up() const { return gave_up_; }

  private:
    /// What is the same in one step.
    struct Step {
        const StepSettings& settings;
        Workspace& w;
        bool reduced() const { return settings.formulation == Formulation::reduced; }
    };
    /// What an event does to one that touches.
    struct Meeting {
        bool rested = false;    // when the part before it ended
        double restitution = 0; // 0 from when it is known to come to rest
        double speed = 0;       // of the gap
        bool bounced = false;   // thrown back
        bool rests = false;
        bool captured = false; // it was leaving, and would have been back within a step
        double allowance = 0;  // how far inside a free one may be until the part ends
    };
    /// A point that touches when a part begins.
    struct Touch : Meeting {
        Manifold at;
        ContactLaw law;
        bool stood = false; // it rested, and did not slip
    };
    /// A limit of a coordinate; its speed is that of its gap.
    struct AtStop {
        StopGap of;
        bool touches = false;
        bool outside = false; // since before the step began: it is not stopped
        Meeting meeting = {};
        double begin_gap = 0, begin_speed = 0; // of the part

        double margin() const; // until it closes
    };
    /// How far events are, of each kind: gap, opening, slipping, stopping; a stop that is reached,
    /// one that is left. Negative: it happened.
    using Margins = std::array<double, 6>;

    // A part of a step, from event to event.
    StepReport part(State& y, double t, double& length, bool& event, const Step& step);
    StepReport attempt(State& y, double t, double length, const Step& step);
    StepReport attempt_resolved(State& y, double t, double& length, const Step& step);
    template <class Visit>
    void each_bearer(const Placed& placed, Visit visit) const;
    double swing(const Placed& placed) const;
    Margins margins(const Placed& placed);
    double least(const Margins& now) const;
    double dip(double length, const Placed& placed) const;
    StepReport by_impulses(State& y, double t, double length, const Step& step);
    GaveUp give_up_at(double t) const;

    // An event (contact_impacts.cpp).
    const char* meet(State& y, double t, const Step& step);
    void find_touches(const State& y, const Step& step);
    const char* collide(State& y, double t, const Step& step);
    bool strike(State& y, bool last, const Step& step);
    void settle(State& y, double t, const Step& step);
    Rest rest_at(std::size_t touch, const State& y) const;
    bool begin_slips();
    enum class Back : unsigned char { none, captured, thrown };
    Back who_returns(const Step& step);
    void count_blow(std::pair<int, int> who, double t);
    bool clatters(std::pair<int, int> who, double t) const;
    /// Calls visit(meeting, its first row, who) for all that touch, stops first.
    template <class Visit>
    void each_meeting(Visit visit);
    void put_back(State& y, const Step& step);
    void remember(State& y) const;

    // Stops among the touches (contact_stops.cpp).
    void begin_step_at_stops(const State& y, const Step& step);
    void find_stops(const State& y, const Step& step);
    void begin_stops();
    void measure_stops(const Placed& placed);
    void stop_margins(Margins& now) const;
    double dip_of_stops(double length) const;
    void stand_at(State& y);
    void weigh_forces();
    void drop_stops(State& y);
    void stops_back(State& y, double t, const Step& step);
    bool is_stop(int row) const
    {
        return row >= blow_.joint_rows() && row < blow_.stop_row(touching_.size());
    }
    bool holds(const State& y) const { return !rests_.all.empty() || !y.standing.empty(); }

    // What both ask.
    void place(const State& y, const Step& step);
    void evaluate(const State& y, double t, const Step& step, bool with_rests);
    Twist<double> acceleration_of(std::size_t body, const Step& step) const;
    double acceleration_of_row(const Block& block, int k, const Step& step) const;
    double noise_of(int row) const;
    void record(const Manifold& at, const Vec3<double>& impulse, const Vec3<double>& moment,
                double slip);
    void record(std::span<const Rest> rests, double time);
    void record_blow(const Struck& blow);

    const Model& model_;
    Surfaces surfaces_;
    Rests rests_;
    Blow blow_;
    double within_ = 0;    // m: a gap that counts as touch for what rested
    double gap_noise_ = 0; // m: rounding of distances

    std::vector<AtStop> stops_;        // all limits of the model
    std::vector<std::size_t> at_stop_; // those that are touched
    std::vector<Stop> touching_;       // the same
    std::vector<Touch> touches_;
    std::vector<Manifold> points_, begin_points_, found_;
    std::vector<double> begin_speeds_; // of the gaps
    std::vector<bool> claimed_, stood_;
    std::vector<std::pair<int, int>> closed_; // skins with a gap that has closed
    bool watches_ = false;                    // only these are looked at
    std::vector<Rest> begin_rests_;
    struct Lever { // of a body, to a point at which it rests
        Vec3<double> r;
        Mat3<double> R; // of the body
    };
    std::vector<Lever> levers_; // when the part began
    double by_swings_ = 0;      // s: the last part, if it had to be as short as that for swings
    bool jumped_ = false;       // a lever that no part is short enough for
    std::vector<Island> islands_;
    std::vector<int> bound_rows_;
    std::vector<std::size_t> resting_; // touches, in the order of what rests
    struct Blows {
        std::pair<int, int> who; // skins, or a stop
        double last;             // time
        int quick;               // how many have followed each other at once
    };
    std::vector<Blows> blows_; // of this step
    Margins begin_margins_{}, sizes_{};
    double near_ = 0;     // m: what is farther cannot close in this part
    double loads_ = 0;    // m/s²: the largest acceleration of a gap or a slip that loads make
    double spins_ = 0;    // rad/s²: the same of what twists and rolls
    double turns_ = 0;    // rad/s² or m/s²: the same of what is at its stop
    double force_ = 0;    // N: the largest between surfaces
    double strength_ = 0; // N/√kg: the largest of f √W at stops and surfaces
    double fastest_ = 0;  // approach at an impact
    double still_ = 0;    // part of what loads do in a step: a speed below it is none
    double h_ = 0;
    State begin_, before_;
    Postings kept_, impact_;
    std::vector<double> v_dot_;
    std::vector<TouchRecord> records_;
    std::vector<Struck> struck_;
    std::vector<ContactGain> gains_;
    double residual_ = 0;
    int unsolved_ = 0;
    double now_ = 0; // time of the event
    int impacts_ = 0;
    ByImpulses by_impulses_ = ByImpulses::no;
    bool unlooked_ = false;
    GaveUp gave_up_;
    StepSettings impulsive_;
};

} // namespace poinsot
