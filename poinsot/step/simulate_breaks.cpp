// SPDX-License-Identifier: MIT
// The moments within a step at which cuts pass their strength.
//
//     1 − U(s) = 0              U: load over strength in the state that the method reaches over s
//
// Every value costs a part of the step, and all are taken from where the step began: so a moment
// has the error of the method, whatever the length of the step. A cut that only warns leaves the
// step as it was. One that lets something go ends it there; the rest is taken without that bond,
// and is looked at in the same way. A step in which loads begin or end is looked at from one such
// moment to the next, and at each; what rises and falls between two looks is not seen.

#include "poinsot/integrate/event.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/edges.hpp"
#include "poinsot/step/happening.hpp"
#include "poinsot/step/simulate.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

constexpr double moment_tolerance = 1e-12; // of a step, as for stops

} // namespace

bool Simulation::breaks_within() const
{
    // Surfaces that answer with impulses have forces as means over whole steps only.
    return settings_.step.method != Method::impulsive &&
           (model_->skins().empty() || settings_.step.contact.response == ContactResponse::penalty);
}

/// A part of the step that has been taken, with loads on or off as they were in it; what cuts carry
/// at its end is then measured. One of no length has loads as they are right after that moment, but
/// for the end of the step.
StepReport Simulation::take_part(State& y, double from, double length)
{
    const double end = time(), before_end = end - 2 * rounding_of_time(end);
    const double active_at =
        from < before_end ? right_after(*model_, from, end - from) : before_end;
    StepReport report{0, nullptr};
    if (length > 0) {
        w_->system.active_at = active_at;
        report = part_of_step(y, settings_.step, from, length, *w_);
    }
    evaluations_ += report.evaluations;
    if (!report.failure)
        cuts_->measure(y, from + length, active_at, answered());
    return report;
}

/// How long after `from` a cut passes its strength, if it does so within `length`; else `length`.
double Simulation::passed_at(const State& begin, double from, double length, std::size_t cut)
{
    const auto left_at = [&](double s) {
        trial_ = begin;
        return take_part(trial_, from, s).failure ? std::nan("") : 1 - cuts_->measured()[cut];
    };
    const double first = left_at(0);
    if (!(first > 0)) // an input may have changed
        return 0;
    const double last = left_at(length);
    const double within = moment_tolerance * settings_.step.h;
    return last < 0 ? crossing(left_at, 0.0, first, length, last, within) : length;
}

/// Puts down when cuts that break nothing passed their strength within `length`.
void Simulation::warn(const State& begin, double from, double length)
{
    trial_ = begin;
    if (take_part(trial_, from, length).failure)
        return;
    std::vector<std::size_t> over;
    for (std::size_t i = 0; i < cuts_->records().size(); ++i)
        if (cuts_->passes(i) && !cuts_->breaks(i, begin))
            over.push_back(i);
    const std::size_t told = happenings_.list().size();
    for (const std::size_t cut : over) {
        const double s = passed_at(begin, from, length, cut);
        trial_ = begin;
        if (!take_part(trial_, from, s).failure)
            cuts_->pass(cut, from + s, state_.step, happenings_);
    }
    happenings_.sort_from(told);
}

/// Lets go of all that is loaded beyond its strength at this moment, and of what is by that.
/// Returns whether anything was.
bool Simulation::let_go(State& y, double t)
{
    const std::vector<char> at_first = y.released;
    for (std::vector<char> held; held != y.released;) {
        held = y.released;
        take_part(y, t, 0);
        const Stores lost = cuts_->judge(y, t, happenings_);
        if (!pending_.off())
            pending_.shift_stores(lost);
    }
    return y.released != at_first;
}

std::optional<std::string> Simulation::break_within()
{
    const double h = settings_.step.h, t = time() - h;
    const Postings pending = pending_, posted = w_->postings;
    const State whole = state_;
    bool any_broke = false;
    State begin = w_->next; // of the part that is looked at
    begin.step = state_.step;
    const auto end = [&](const char* failure) {
        pending_ = pending;
        state_ = w_->next;
        return text_of("step ", state_.step + 1, ": ", failure);
    };
    for (double done = 0; done < h;) {
        const double from = t + done, left = h - done, rest = until_edge(*model_, from, left);
        state_ = begin;
        if (const StepReport report = take_part(state_, from, rest); report.failure)
            return end(report.failure);
        std::vector<std::size_t> breaking;
        for (std::size_t i = 0; i < cuts_->records().size(); ++i)
            if (cuts_->passes(i) && cuts_->breaks(i, begin))
                breaking.push_back(i);
        double length = rest;
        for (const std::size_t cut : breaking)
            length = std::min(length, passed_at(begin, from, length, cut));
        warn(begin, from, length);
        // Again, so that the workspace has what happened in the part that counts.
        state_ = begin;
        if (const StepReport report = take_part(state_, from, length); report.failure)
            return end(report.failure);
        if (length > 0)
            keep_part(begin, state_);
        const bool at_edge = length == rest && rest < left;
        const bool broke = (!breaking.empty() || at_edge) && let_go(state_, from + length);
        any_broke = any_broke || broke;
        done = length == left ? h : done + length;
        begin = state_;
        if (!broke && length < rest) { // the search was ended by a number that is none
            if (const StepReport report = take_part(state_, from + length, h - done);
                report.failure)
                return end(report.failure);
            keep_part(begin, state_);
            any_broke = true;
            break;
        }
    }
    if (!any_broke) { // to the last digit
        state_ = whole;
        pending_ = pending;
        if (!pending_.off())
            pending_.merge(posted);
    }
    if (const auto wrong = unusable()) {
        pending_ = pending;
        return wrong;
    }
    return std::nullopt;
}

} // namespace poinsot
