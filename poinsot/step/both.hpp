// SPDX-License-Identifier: MIT
#pragma once

// One model in maximal and in reduced coordinates, side by side: two roads to the same motion, from
// the same start, with the same step and integrator. What differs between them is what the
// formulations and the integrator make of their errors.
//
// Where an integrator works in one formulation only, the other runs by its counterpart there:
//
//     gauss                      runge_kutta4     fixed steps, the highest order of maximal ones
//     splitting                  gauss            both exact, or nearly, for what flies freely
//     second_order, body_frame   explicit_euler   first order
//
// and with loops or penalty contact, which gauss does not take, splitting by runge_kutta4.
//
// The two then part by the error of the less accurate one, as they do with one integrator.

#include "poinsot/step/simulate.hpp"

namespace poinsot {

/// The largest difference of one quantity so far.
struct Difference {
    static constexpr int whole = -1;
    double largest = 0;
    double time = 0;  // when, s
    int body = whole; // whose; of everything together: whole
};

/// Of each body the place and motion, in world axes; of the whole energy, p and L about the origin.
struct Differences {
    Difference position, attitude; // of centres of mass, m; angle between attitudes, rad
    Difference velocity, angular_velocity;
    Difference energy, p, L;

    /// Takes up how far two placements of one model are apart at a time.
    void note(const Model& model, const Placed& one, const Placed& other, double time);
};

/// The method itself where it works in a formulation, else its counterpart there.
Method method_in(Formulation formulation, Method method);

class SideBySide {
  public:
    /// Both at their start, or every reason why these settings do not fit both formulations. The
    /// formulation that the settings name does not matter.
    static Result<SideBySide> start(std::shared_ptr<const Model> model, RunSettings settings);

    /// One step of each. Returns which of the two could not go on, and why.
    std::optional<std::string> step();
    void close_books();
    void interrupt_by(const std::atomic<bool>* stop);
    bool interrupted() const { return maximal_.interrupted() || reduced_.interrupted(); }
    bool done() const { return maximal_.done(); }

    const Simulation& maximal() const { return maximal_; }
    const Simulation& reduced() const { return reduced_; }
    const Differences& differences() const { return differences_; }

    /// Do the books of both balance? If not, whose do not, and what.
    bool balanced() const { return verdict().empty(); }
    /// Were books kept at all?
    bool off() const { return maximal_.ledger().off(); }
    std::string verdict() const;

  private:
    SideBySide(Simulation maximal, Simulation reduced)
        : maximal_(std::move(maximal)), reduced_(std::move(reduced))
    {
        compare();
    }
    void compare();

    Simulation maximal_, reduced_;
    Differences differences_;
};

} // namespace poinsot
