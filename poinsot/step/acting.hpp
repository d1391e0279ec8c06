// SPDX-License-Identifier: MIT
#pragma once

// What acts at one state: the wrench of each cause on each body, and what each joint carries, found
// by the formulation of the run: multipliers in maximal coordinates, what is handed down the tree
// in reduced ones.
//
// These are forces of a moment. The postings of the ledger are impulses of whole steps, with the
// integrator's weights; where forces are smooth the two agree to its order.

#include "poinsot/contacts/touch.hpp"
#include "poinsot/step/drive_record.hpp"
#include "poinsot/step/smooth.hpp"

#include <memory>

namespace poinsot {

/// Something that acts at a point of a body: at a lever r from its centre of mass, about which the
/// wrench is. What a joint does with its drives and stops is one.
struct PointLoad {
    int body;
    Cause cause;
    Vec3<double> r;
    Wrench<double> wrench;
};

/// What a step solved for, as impulses: forces of the moment after it.
struct Answered {
    std::span<const TouchRecord> touches = {};
    std::span<const DriveRecord> drives = {}; // none: motors act by their laws
};

class Acting {
  public:
    /// Model and input must outlive it.
    Acting(const Model& model, const StepSettings& settings, const Input& input);
    Acting(Acting&&) noexcept;
    ~Acting();

    /// Takes a state of this model. Loads with a beginning and an end are on or off as for the step
    /// that begins there. Where things touch, what they did to each other in the step before acts,
    /// and so do drives that answered with them.
    void look(const State& state, const Answered& answered = {});
    /// A state within a step, at time t; loads are on or off by `active_at`.
    void look_at(const State& state, double t, double active_at, const Answered& answered = {});

    /// About the body's centre of mass.
    const Wrench<double>& on(std::size_t body, Cause cause) const
    {
        return on_[body * cause_count + index_of(cause)];
    }
    /// What joint j alone does to its body b, about the origin of b's frame; to a it does the
    /// opposite. Its springs, motors and stops are causes of their own.
    const Wrench<double>& joint(std::size_t j) const { return joints_[j]; }
    /// The force on the point at which a body is held; zero for one that is not.
    const Vec3<double>& held(std::size_t body) const { return held_[body]; }

    /// From now on, where everything acts is known too.
    void keep_points();
    std::span<const PointLoad> points() const { return points_; }
    /// And so is all that goes through joint j into its body b, about the origin of b's frame: what
    /// it does itself, and spring, damper, friction, motor, prescribed drive and stop along it.
    const Wrench<double>& through(std::size_t j) const { return through_[j]; }
    /// Where everything is in the state looked at.
    const Placed& placed() const;

  private:
    void press(const Answered& answered);
    void sum_up();
    void find_points();

    struct Parts;
    std::unique_ptr<Parts> parts_;
    std::vector<Wrench<double>> on_, joints_, through_;
    std::vector<Vec3<double>> held_;
    std::vector<PointLoad> points_;
};

/// The causes that can act in runs of a model, in their order. Any may, where the input brings a
/// function.
std::vector<Cause> causes_of(const Model& model, const StepSettings& settings, const Input& input);

/// Per joint: do the equations alone say what it carries where the model starts? Of joints that
/// repeat each other they say the sum.
std::vector<bool> reactions_unique(const Model& model);

} // namespace poinsot
