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
#include <limits>

namespace poinsot {

namespace {

/// Does a skin fly more than its smallest side in a step? Springs that press see what overlaps at
/// their looks, and nothing between.
bool any_fast(const Model& model, const Placed& placed, double h)
{
    for (const Skin& skin : model.skins()) {
        if (skin.body == world || !skin.collider.bounded())
            continue;
        const Vec3<double> side = skin.collider.bounds().size();
        if (h * norm(placed.bodies[static_cast<std::size_t>(skin.body)].v) >
            min(side.x, min(side.y, side.z)))
            return true;
    }
    return false;
}

Quat<double> attitude_of(const State& state, int body)
{
    if (body == world)
        return identity_quat<double>();
    return std::visit(
        [&](const auto& bodies) {
            const auto& attitude = bodies[static_cast<std::size_t>(body)].attitude;
            if constexpr (requires { attitude.w; })
                return attitude;
            else
                return quat_of(attitude);
        },
        state.bodies);
}
/// How b of a bushing is turned against a. Past half a turn w = cos θ/2 changes its sign.
Quat<double> turn_of(const Bushing& bushing, const State& state)
{
    return conjugate(attitude_of(state, bushing.a) * bushing.frame_a.q) *
           (attitude_of(state, bushing.b) * bushing.frame_b.q);
}
bool resists_turns(const Bushing& bushing)
{
    const Sym3<double> none = diagonal(0.0, 0.0, 0.0);
    const Mat3<double> no_mixed{zero3<double>(), zero3<double>(), zero3<double>()};
    const auto has = [&](const Six& six) { return six.turn != none || six.mixed != no_mixed; };
    return has(bushing.stiffness) || has(bushing.damping);
}

/// The smallest side of the box around a skin; a sheet has its other ones.
double least_side(const Skin& skin)
{
    const Vec3<double> side = skin.collider.bounds().size();
    double least = std::numeric_limits<double>::infinity();
    for (const double one : {side.x, side.y, side.z})
        if (skin.collider.bounded() && one > 1e-9 * norm(side))
            least = std::min(least, one);
    return least;
}

/// Keeps the touch that is in the farthest, as part of the smaller of the two.
void measure_depth(const Model& model, std::span<const TouchRecord> touches, double t, SunkIn& most)
{
    for (const TouchRecord& one : touches) {
        const auto side = [&](int i) {
            return least_side(model.skins()[static_cast<std::size_t>(i)]);
        };
        const SunkIn here{-one.gap, std::min(side(one.a), side(one.b)), t, one.a, one.b};
        if (here.part() > most.part())
            most = here;
    }
}

} // namespace

// A bushing knows the short way round alone, so its torque jumps where b is turned by half a turn.
void Simulation::follow_bushings(const State& before, const State& after)
{
    const std::vector<Bushing>& bushings = model_->bushings();
    const bool first = bushing_turns_.empty();
    for (std::size_t i = 0; i < bushings.size(); ++i) {
        if (first)
            bushing_turns_.push_back(turn_of(bushings[i], before));
        Quat<double>& last = bushing_turns_[i];
        Quat<double> now = turn_of(bushings[i], after);
        if (now.w * last.w + now.x * last.x + now.y * last.y + now.z * last.z < 0)
            now = -1.0 * now;
        const bool over = (now.w < 0) != (last.w < 0);
        last = now;
        if (!over || !resists_turns(bushings[i]) || !w_->system.placed.whole(i))
            continue;
        snapped_at_.resize(bushings.size(), std::numeric_limits<double>::infinity());
        snapped_at_[i] = std::min(snapped_at_[i], time());
    }
}

void Simulation::tell(const State& before, const State& after)
{
    follow_bushings(before, after);
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
    // Energies of this size are rounded at this: of both bodies, or of those of the joint.
    const auto rounding_of = [&](const ContactGain& one) {
        const auto skin = [&](int i) { return model_->skins()[static_cast<std::size_t>(i)].body; };
        const Joint* joint =
            one.stop ? &model_->joints()[static_cast<std::size_t>(one.stop->joint)] : nullptr;
        double energy = 0;
        for (const int body : {joint ? joint->a : skin(one.a), joint ? joint->b : skin(one.b)})
            if (body != world)
                energy += w_->system.placed.bodies[static_cast<std::size_t>(body)].kinetic_energy();
        return 1e-14 * energy;
    };
    const auto makes_energy = [&](const ContactGain& one, double t) {
        const bool at_stop = one.stop.has_value();
        if (!(one.energy > rounding_of(one)))
            return;
        happenings_.add({.kind = at_stop ? Happening::Kind::gain_at_stop : Happening::Kind::gain,
                         .time = t,
                         .step = state_.step,
                         .index = at_stop ? one.stop->joint : one.a,
                         .other = at_stop ? one.stop->coordinate : one.b,
                         .upper = at_stop && one.stop->upper,
                         .energy = one.energy,
                         .unsolved = one.unsolved});
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
        quality_.unlooked += w_->events->unlooked();
        using Why = ContactEvents::ByImpulses;
        const Why why = w_->events->by_impulses();
        if (why != Why::no) {
            ByImpulsesTold& told_of = why == Why::no_forces    ? quality_.no_forces
                                      : why == Why::none_found ? quality_.none_found
                                                               : quality_.endless;
            if (told_of.steps++ == 0) {
                const ContactEvents::GaveUp& at = w_->events->gave_up();
                told_of.time = at.time;
                told_of.a = at.a;
                told_of.b = at.b;
            }
        }
    }
    if (w_->impulsive && settings_.step.method == Method::impulsive) {
        for (const ContactGain& one : w_->impulsive->gains())
            makes_energy(one, time());
        judge(w_->impulsive->residual(), w_->impulsive->unsolved());
        quality_.divided += w_->impulsive->parts() > 1;
        quality_.unlooked += w_->impulsive->unlooked();
    }
    if (w_->system.press && settings_.step.contact.continuous)
        quality_.unlooked += any_fast(*model_, w_->system.placed, settings_.step.h);
    if (w_->system.press)
        measure_depth(*model_, touches(), time(), quality_.sunk);
    happenings_.sort_from(told);
}

} // namespace poinsot
