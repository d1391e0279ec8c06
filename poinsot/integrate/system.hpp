// SPDX-License-Identifier: MIT
#pragma once

// What an integrator asks of the world: the loads and rates of a state. It owns the scratch, so
// that nothing allocates once it is warm.

#include "poinsot/dynamics/held.hpp"
#include "poinsot/dynamics/newton_euler.hpp"
#include "poinsot/forces/postings.hpp"
#include "poinsot/integrate/newton_krylov.hpp"
#include "poinsot/solve/bonds.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <tuple>

namespace poinsot {

/// A step in local coordinates of one body: displacement, rotation vector (world axes), and change
/// of its last two vectors. Rates are of the same kind.
struct BodyDelta {
    Vec3<double> x, u, a, b;
};

/// What the rotors of a body have together, body axes: Σ h a, and the same as an implicit method
/// has turned it.
struct RotorSpin {
    Vec3<double> s = zero3<double>(), halfway = zero3<double>();
    bool turned = false; // is `halfway` known for the motion it is asked for?
};

class Press; // contacts/press.hpp: many headers, which few need
class System;
class JointSystem;

/// What binds beside the joints while a step is taken: surfaces that rest on each other. It answers
/// together with the joints, and adds the reactions of both to the loads.
class Holding {
  public:
    virtual ~Holding() = default;
    virtual void reply(System& system, double t) = 0;
    /// In joint coordinates: also what that does to the accelerations v_dot.
    virtual void reply(JointSystem& system, std::span<const double> v, double t,
                       std::span<double> v_dot) = 0;
};

class System {
  public:
    System(const Model& model, const Input& input);
    ~System();

    /// What acts on `placed`, with its rotors as they are at time t.
    void gather(double t);
    /// The rotors' momenta at a time from which on the step goes.
    void start_rotors(std::span<const double> momenta, double t);
    /// Takes them on to a later time, drives on or off as they are.
    void advance_rotors(double t);
    /// Of every body at time t; empty where there are no rotors.
    std::span<RotorSpin> spins_at(double t);
    /// Does every rotor keep its momentum in this step?
    bool rotors_coast() const { return rotors_coast_ && input.rotor_torques.empty(); }
    /// Does anything flow in this step?
    bool anything_flows() const { return anything_flows_; }

    /// The contents of tanks at a time from which on the step goes, and the flows that are on; they
    /// follow their controls as at `active_at`.
    void start_tanks(std::span<const double> contents, std::span<const char> on, double t);
    /// Which joints have let go.
    void start_joints(std::span<const char> released);
    /// What is in the tanks at time t.
    void contents_at(double t, std::vector<double>& contents) const;
    /// What part of its mass flow every flow has at time t.
    void shares_now(double t, std::vector<FlowShare>& shares) const;
    /// What everything weighs at time t, in `placed` or elsewhere.
    void weigh(double t) { weigh(t, placed.weighed); }
    void weigh(double t, Weighed& out)
    {
        if (!tanks.empty() && out.moment != moment(t))
            weigh_anew(t, out);
    }

    /// Where is everything, what acts on it, what binds it? For bodies in any form at time t. The
    /// totals of the loads are rates of the form's vectors: of momenta, or times the mass of
    /// velocities.
    template <class Form>
    void evaluate(std::span<const Form> bodies, double t)
    {
        weigh(t);
        place(model, bodies, placed);
        evaluate_placed(t, !std::same_as<Form, VelocityForm<double>>);
    }
    /// The same for a `placed` that the integrator has filled itself.
    void evaluate_placed(double t, bool momenta = true)
    {
        place_joints();
        loads.carries = carries(momenta);
        gather(t);
        add_reactions(model, placed, loads);
        if (holding)
            holding->reply(*this, t);
        else if (!model.joints().empty())
            bonds.reply(model, placed, t, baumgarte, loads, standing);
        if (momenta)
            loads.carry();
    }

    /// With the coordinates that a stage goes by; a user's force may look at all.
    void place_joints()
    {
        if (input.user_force)
            poinsot::place_joints(model, joint_coordinates, placed);
        else
            place_joints_in_stage(model, joint_coordinates, placed);
    }

    /// What of the rates of masses is found from now on: what `evaluate` needs, or all.
    void ask_rates(bool evaluates_alone, bool momenta)
    {
        if (tanks.empty())
            return;
        const Loads::Carried how = carries(momenta);
        placed.weighed.ask(!evaluates_alone || how == Loads::Carried::apart ? RatesOf::all
                           : how == Loads::Carried::joined                  ? RatesOf::momenta
                                                                            : RatesOf::shell);
    }

    /// Which rows repeat others? Asked where a step or a sub-step begins, for all of its
    /// evaluations (solve/tree_direct.hpp).
    template <class Form>
    void decide_rows(std::span<const Form> bodies, double t)
    {
        bonds.decide_anew();
        if (repeat_tolerance == 0)
            return;
        weigh(t);
        place(model, bodies, placed);
        place_joints();
        bonds.decide(model, placed, t, repeat_tolerance, standing);
    }
    double repeat_tolerance = 0; // which tells them; 0: there are none

    /// Set by those who ask what accelerates, whatever becomes of the momenta.
    bool shows_loads = false;

    const Model& model;
    const Input& input;
    /// Loads with a beginning and an end are on or off by it: the middle of a step, or of the part
    /// of one in which nothing begins or ends (step/edges.hpp).
    double active_at = 0;
    bool renormalise = true;            // attitudes are brought back to rotations after every step
    std::optional<Baumgarte> baumgarte; // pulls joints back while the step is taken
    std::unique_ptr<Press> press;       // penalty contact, where that is the response

    /// Kicks take two evaluations then to keep their order. Of a user's force nobody but the user
    /// knows.
    bool velocity_dependent() const
    {
        return model.velocity_dependent() || input.user_force || press;
    }

    /// Set by a signal or by another thread: a method that takes many evaluations in a step looks
    /// here and gives the step up.
    const std::atomic<bool>* stop = nullptr;
    bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }

    Placed placed;
    Loads loads;
    Bonds bonds;
    std::vector<double> joint_coordinates; // at the beginning of the step
    std::vector<Stop> standing;            // the stops that bind, as State has them
    Holding* holding = nullptr;            // surfaces that rest on each other, if any do
    std::vector<double> rotors;            // their momenta at the time rotors_at
    double rotors_at = 0;
    std::vector<double> tanks; // their contents at the time tanks_at
    Flowing flowing;           // at that time
    double tanks_at = 0;

    // Scratch of the integrators, kept so that nothing allocates once it is warm.
    std::vector<std::vector<BodyDelta>> stages;
    std::vector<BodyDelta> reached;
    std::vector<PlacedBody> before;
    Placed ahead; // where a flight would end, and what binds there
    Rows rows_ahead;
    Placed halfway;         // of a flight in which mass varies
    Weighed weighed_at_end; // of it
    std::vector<double> lambda, contents;
    NewtonKrylov newton; // of implicit steps with stiff loads
    std::vector<double> accelerations;
    std::vector<FlowShare> shares;
    std::vector<RotorSpin> spins;
    std::tuple<MomentumBodies, VelocityBodies, MatrixBodies> stage_bodies;

  private:
    Weighed::Moment moment(double t) const { return {this, term_, t}; }
    void weigh_anew(double t, Weighed& out);
    void weigh_as_in_step(double t, Weighed& out);

    Loads::Carried carries(bool momenta) const
    {
        const bool binds = !model.joints().empty() || model.any_held() || holding;
        return shows_loads || (momenta && binds) ? Loads::Carried::apart
               : momenta                         ? Loads::Carried::joined
               : loads.booked                    ? Loads::Carried::apart
                                                 : Loads::Carried::left_out;
    }

    bool rotors_coast_ = true; // but for what an input drives them with
    bool anything_flows_ = false;
    bool throttled_ = false; // does a control scale any flow?
    std::uint64_t term_ = 0; // a new one whenever tanks start
};

/// How a step went. An implicit or adaptive method may fail; it then says why.
struct StepReport {
    int evaluations = 1;
    const char* failure = nullptr;
    bool interrupted = false; // failed because it was asked to stop
    bool too_long = false;    // failed because its tolerance wants too short sub-steps
};
/// Why a step failed whose numbers have grown beyond all that can be computed with: what asked for
/// it knows more of the cause.
inline constexpr const char* beyond_numbers = "the motion is beyond the largest numbers";
/// So far apart, in m, no mechanism is stretched by a step: what it holds has run away.
inline constexpr double run_away = 1e9;
inline StepReport interrupted_after(int evaluations)
{
    return {evaluations, "interrupted", true};
}

// The forms share these questions.

inline Quat<double> renormalised(const Quat<double>& q)
{
    return normalised(q);
}
/// Newton's iteration to the nearest rotation; four steps reach rounding from an error of 0.1.
inline Mat3<double> renormalised(Mat3<double> m)
{
    for (int i = 0; i < 4; ++i)
        m = orthonormalised(m);
    return m;
}

/// The last two vectors of a form: (p, L) or (v, ω).
inline Vec3<double>& first(MomentumForm<double>& y)
{
    return y.p;
}
inline Vec3<double>& second(MomentumForm<double>& y)
{
    return y.L;
}
inline Vec3<double>& first(MatrixForm<double>& y)
{
    return y.p;
}
inline Vec3<double>& second(MatrixForm<double>& y)
{
    return y.L;
}
inline Vec3<double>& first(VelocityForm<double>& y)
{
    return y.v;
}
inline Vec3<double>& second(VelocityForm<double>& y)
{
    return y.omega;
}

/// An impulse about the centre of mass, taken by the motion.
template <class Form>
void push(Form& y, const Wrench<double>& impulse, const BodyMass&)
{
    y.p += impulse.F;
    y.L += impulse.tau;
}
inline void push(VelocityForm<double>& y, const Wrench<double>& impulse, const BodyMass& mass)
{
    y.v += mass.inv_m * impulse.F;
    y.omega += angular_velocity(matrix_of(y.attitude), mass.inv_I_b, impulse.tau);
}

/// A state displaced by a delta, the attitude on the rotation group: exp(u) R.
template <class Form>
Form moved(Form y, const BodyDelta& d)
{
    y.x += d.x;
    y.attitude = turned(y.attitude, d.u);
    first(y) += d.a;
    second(y) += d.b;
    return y;
}

} // namespace poinsot
