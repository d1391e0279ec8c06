// SPDX-License-Identifier: MIT
#pragma once

// Loads carried against loads allowed, step by step: what each cut carries, the most it has carried
// since the watch began, and what breaks by it.
//
// A step in which a cut is loaded beyond its strength is taken as if it held; at its end the
// joint or the bushing that the scene lets go then has let go. So the load that broke it was
// really there, and how far it went beyond the strength in that step is on record.

#include "poinsot/step/cut_loads.hpp"
#include "poinsot/step/happening.hpp"

namespace poinsot {

struct CutRecord {
    SectionLoad load;        // now
    double utilisation = 0;  // of the strength; 0 where there is no limit
    double most = 0, at = 0; // the largest, and when, s
    const char* by = "";     // which of the limits that was
    bool gone = false;       // what it cuts has let go
    bool over = false;       // it is loaded beyond its strength
};

class CutWatch {
  public:
    /// Model and input must outlive it.
    CutWatch(const Model& model, const StepSettings& settings, const Input& input);

    /// Looks at a state, and lets go of what is loaded beyond its strength, if the model says
    /// so: in the state, whose stores lose by it what is returned. What passes its strength
    /// now and did not before, and what breaks, is told.
    Stores look(State& state, double t, std::span<const TouchRecord> touches, Happenings& told);

    std::span<const CutRecord> records() const { return records_; }

  private:
    bool gone(const Cut& cut, const State& state) const;

    const Model& model_;
    CutLoads loads_;
    std::vector<CutRecord> records_;
    Placed before_, after_;
};

} // namespace poinsot
