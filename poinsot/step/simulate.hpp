// SPDX-License-Identifier: MIT
#pragma once

// Steps and books until the end.

#include "poinsot/base/result.hpp"
#include "poinsot/step/contact_gain.hpp"
#include "poinsot/step/cut_record.hpp"
#include "poinsot/step/happening.hpp"
#include "poinsot/step/smooth.hpp"

#include <memory>

namespace poinsot {

struct TouchRecord; // contacts/touch.hpp
struct DriveRecord; // step/drives.hpp
struct Answered;    // step/acting.hpp
class CutWatch;     // step/cut_watch.hpp

struct RunSettings {
    StepSettings step;
    double until = 10;
    Ledger::Settings ledger; // what the integrator promises is filled in by the Simulation
    int ledger_every = 1;    // steps to a booking; postings are kept in every step
};

/// All that is needed to go on with a run bit for bit: the state, the books, and what was posted
/// since they were last closed. With what was told of the run so far it also tells the same at its
/// end; without, what is told begins there.
struct Checkpoint {
    State state;
    Books books;
    Postings pending;
    std::vector<CutRecord> cuts = {};
    Happenings happenings = {};
};

class Simulation {
  public:
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    /// A run at its start, or every reason why these settings do not fit the model.
    static Result<Simulation> start(std::shared_ptr<const Model> model, RunSettings settings,
                                    Input input = {});

    /// Takes one step. Returns what ended the run if it cannot go on: a number that is none (with
    /// body, cause and step), a joint beyond a limit that nothing stopped it at, or a method that
    /// failed. The state is then the last good one.
    std::optional<std::string> step();
    /// While `stop` is true, a step of many sub-steps is given up; step() then says so, and
    /// interrupted() is true until the next.
    void interrupt_by(const std::atomic<bool>* stop) { w_->system.stop = stop; }
    bool interrupted() const { return interrupted_; }
    /// Books what is pending; to be called before the books are read.
    void close_books();
    /// The books as they would be if they were closed now. The run goes on as if unseen.
    Ledger ledger_now() const;

    double time() const { return static_cast<double>(state_.step) * settings_.step.h; }
    std::int64_t steps_in_all() const; // to reach `until`
    bool done() const { return state_.step >= steps_in_all(); }

    const Model& model() const { return *model_; }
    const RunSettings& settings() const { return settings_; }
    const State& state() const { return state_; }
    Placed placed() const { return place(*model_, state_); }
    const Ledger& ledger() const { return ledger_; }
    std::int64_t evaluations() const { return evaluations_; }
    /// Steps of this object that an integrator which finds contacts in time took by impulses, in
    /// whole or in part: no forces between what rests were found (contact_events.hpp).
    std::int64_t steps_by_impulses() const { return steps_by_impulses_; }
    /// How well contact was solved in the steps of this object, and where a law made energy.
    const ContactQuality& contact_quality() const { return quality_; }
    /// When each bushing was first turned past half a turn, where it snaps over; never: infinity.
    /// Empty where none was.
    std::span<const double> snapped() const { return snapped_at_; }
    /// What touched in the last step that this object took, or what presses at its end.
    std::span<const TouchRecord> touches() const;
    /// What motors and friction of joints did in it, where they answer as rows: by impulses.
    std::span<const DriveRecord> drives() const;
    /// Both, for those who ask what acts (acting.hpp).
    Answered answered() const;

    /// What each cut of the model carries, and the most it did in the run.
    std::span<const CutRecord> cuts() const;

    /// What happened in the run: overloads, breaks, releases, located impacts.
    const Happenings& happenings() const { return happenings_; }

    const Input& input() const { return *input_; }
    /// What the user does from now on.
    void set_input(Input input) { *input_ = std::move(input); }

    Checkpoint checkpoint() const;
    void resume(Checkpoint from);

  private:
    /// Measures what cuts carry at the end of the step; then lets go of what carries too much.
    void measure_cuts();
    void judge_cuts();
    /// The same within the step just taken, whose start is in the workspace; where something
    /// breaks, the rest of it is taken again. Returns what ended the run. (simulate_breaks.cpp)
    std::optional<std::string> break_within();
    bool breaks_within() const;
    StepReport take_part(State& y, double from, double length);
    double passed_at(const State& begin, double from, double length, std::size_t cut);
    void warn(const State& begin, double from, double length);
    bool let_go(State& y, double t);
    void keep_part(const State& before, const State& after);
    /// Tells what happened in the part of a step just taken, from `before` to `after`.
    void tell(const State& before, const State& after);
    void follow_bushings(const State& before, const State& after);
    /// Is the state just reached one to go on from? If not, the state is the one before it.
    std::optional<std::string> unusable();
    Simulation(std::shared_ptr<const Model> model, RunSettings settings, Input input);
    void place_for_books();
    std::optional<std::string> bad_number(const State& reached);
    /// A joint that has left its limits in the step just taken. With an integrator that takes
    /// stops (stops.hpp) it cannot, unless it came from outside.
    std::optional<std::string> limit_passed() const;
    /// `began`: where the coordinate was before the step.
    std::string why_not_stopped(const CoordinateLaw& law, double began) const;

    std::shared_ptr<const Model> model_;
    RunSettings settings_;
    std::unique_ptr<Input> input_; // its address is in the workspace
    State state_;
    Ledger ledger_;
    Postings pending_; // since the last booking
    std::unique_ptr<Workspace> w_;
    std::unique_ptr<CutWatch> cuts_; // of a model with cuts
    Happenings happenings_;
    State trial_; // within a step, while moments are sought
    std::int64_t evaluations_ = 0, steps_by_impulses_ = 0;
    ContactQuality quality_;
    bool interrupted_ = false;
    std::vector<Quat<double>> bushing_turns_; // of b against a, of one sign from step to step
    std::vector<double> snapped_at_;
};

} // namespace poinsot
