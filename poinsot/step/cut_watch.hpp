// SPDX-License-Identifier: MIT
#pragma once

// Loads carried against loads allowed, step by step: what each cut carries, the most it has carried
// in the run, and what breaks by it.
//
// A cut passes its strength at a moment within a step, which the Simulation finds
// (simulate_breaks.cpp); there the joint or the bushing that the scene lets go then lets go. Where
// surfaces answer with impulses, whose forces are means over steps, that is at the end of the step:
// it was taken as if all held, and how far it went beyond the strength is on record.

#include "poinsot/step/cut_loads.hpp"
#include "poinsot/step/cut_record.hpp"
#include "poinsot/step/happening.hpp"

namespace poinsot {

class CutWatch {
  public:
    /// Model and input must outlive it.
    CutWatch(const Model& model, const StepSettings& settings, const Input& input);

    /// How much of its strength each cut carries at a state at time t, with loads on or off by
    /// `active_at`; 0 where it has let go.
    std::span<const double> measure(const State& state, double t, double active_at,
                                    const Answered& answered);
    /// Is a cut, or any, beyond its strength where it was last measured, and was not when it was
    /// last judged?
    bool passes(std::size_t cut) const { return measured_[cut] >= 1 && !records_[cut].over; }
    bool passes() const;
    std::span<const double> measured() const { return measured_; }
    /// Lets go of what was beyond its strength in the state just measured, if the model says so: in
    /// the state, whose stores lose by it what is returned. What passes its strength now and did
    /// not before, and what breaks, is told.
    Stores judge(State& state, double t, Happenings& told);

    /// Puts down that a cut passed its strength at time t, in a state just measured.
    void pass(std::size_t cut, double t, std::int64_t step, Happenings& told);
    /// Does anything let go when this cut is loaded beyond its strength?
    bool breaks(std::size_t cut, const State& state) const;

    std::span<const CutRecord> records() const { return records_; }
    /// Goes on from records of this model.
    void restore(std::vector<CutRecord> records) { records_ = std::move(records); }

  private:
    bool gone(const Cut& cut, const State& state) const;
    void put_down(std::size_t cut, double t, const SectionLoad& load);

    const Model& model_;
    CutLoads loads_;
    std::vector<CutRecord> records_;
    std::vector<double> measured_;
    Placed before_, after_;
};

} // namespace poinsot
