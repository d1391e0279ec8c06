// SPDX-License-Identifier: MIT
// What happened in a step, for those who read the run: what let go, what struck what, where a law
// made energy, and how well contact was solved.
#include "poinsot/step/contact_events.hpp"
#include "poinsot/step/declared.hpp"
#include "poinsot/step/happening.hpp"
#include "poinsot/step/impulsive.hpp"
#include "poinsot/step/simulate.hpp"
#include "poinsot/step/stops.hpp"

#include <algorithm>

namespace poinsot {

void Simulation::tell(const State& before, const State& after)
{
    const std::size_t told = happenings_.list().size();
    for (std::size_t i = 0; i < after.released.size(); ++i)
        if (after.released[i] && !before.released[i])
            happenings_.add({.kind = Happening::Kind::release,
                             .time = w_->declared->let_go_at(i),
                             .step = state_.step,
                             .index = static_cast<int>(i)});
    const auto strikes_limit = [&](const Stop& stop, double t, double impulse) {
        happenings_.add({.kind = Happening::Kind::stop,
                         .time = t,
                         .step = state_.step,
                         .index = stop.joint,
                         .other = stop.coordinate,
                         .upper = stop.upper,
                         .impulse = impulse});
    };
    const auto strike_each_other = [&](int a, int b, double t, double impulse) {
        happenings_.add({.kind = Happening::Kind::impact,
                         .time = t,
                         .step = state_.step,
                         .index = a,
                         .other = b,
                         .impulse = impulse});
    };
    if (w_->events)
        for (const ContactEvents::Struck& one : w_->events->struck()) {
            if (one.stop)
                strikes_limit(*one.stop, one.time, one.impulse);
            else
                strike_each_other(one.a, one.b, one.time, one.impulse);
        }
    if (w_->stops && takes_stops(settings_.step))
        for (const Stops::Struck& one : w_->stops->struck())
            strikes_limit(one.stop, one.time, one.impulse);
    if (w_->impulsive && settings_.step.method == Method::impulsive)
        for (const Impulsive::Struck& one : w_->impulsive->struck()) {
            if (one.stop)
                strikes_limit(*one.stop, time(), one.impulse);
            else
                strike_each_other(one.a, one.b, time(), one.impulse);
        }
    const auto makes_energy = [&](const ContactGain& one, double t) {
        const bool at_stop = one.stop.has_value();
        happenings_.add({.kind = at_stop ? Happening::Kind::gain_at_stop : Happening::Kind::gain,
                         .time = t,
                         .step = state_.step,
                         .index = at_stop ? one.stop->joint : one.a,
                         .other = at_stop ? one.stop->coordinate : one.b,
                         .upper = at_stop && one.stop->upper,
                         .energy = one.energy});
        ContactGain kept = one;
        kept.time = t;
        add_gain(quality_.gains, kept);
    };
    const auto judge = [&](double residual, int unsolved) {
        quality_.residual = std::max(quality_.residual, residual);
        quality_.unsolved += unsolved > 0;
    };
    if (w_->events) {
        for (const ContactGain& one : w_->events->gains())
            makes_energy(one, one.time);
        judge(w_->events->residual(), w_->events->unsolved());
    }
    if (w_->impulsive && settings_.step.method == Method::impulsive) {
        for (const ContactGain& one : w_->impulsive->gains())
            makes_energy(one, time());
        judge(w_->impulsive->residual(), w_->impulsive->unsolved());
        quality_.divided += w_->impulsive->parts() > 1;
    }
    happenings_.sort_from(told);
}

} // namespace poinsot
