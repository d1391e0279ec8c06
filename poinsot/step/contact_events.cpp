// SPDX-License-Identifier: MIT
#include "poinsot/step/contact_events.hpp"

#include "poinsot/integrate/event.hpp"
#include "poinsot/step/edges.hpp"
#include "poinsot/step/impulsive.hpp"
#include "poinsot/step/overlaps.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

constexpr double event_tolerance = 1e-12; // of a step
// Events that follow each other at once may have no end: with each of them what counts as standing
// still grows, from 1e-9 to a twentieth of what loads do in a step.
constexpr double at_once = 1e-3; // of a step
constexpr int most_at_once = 12, most_parts = 10000;
// So may what slips and stops in turns; after so many events in a step the same is done for it.
constexpr int many_meetings = 50, most_meetings = 400;
constexpr double still_at_first = 1e-9, still_at_last = 0.05, grows = 30;
// Below this part of the largest force an event is rounding; and below a hundred times what the
// forces were solved for.
constexpr double force_rounding = 1e-8;
// The lever of what rests turns by no more than this in a part, rad: RK4 is then off by 1e-7 of it.
constexpr double most_swing = 0.1;
constexpr int most_substeps = 50;  // in a part that an adaptive method takes
constexpr double shortest = 1e-9;  // of a step: no part is cut for this any more
constexpr double bears_too = 1e-9; // of the size of surfaces
constexpr double never = std::numeric_limits<double>::infinity();

} // namespace

bool takes_contacts(Method method)
{
    return method == Method::runge_kutta4 || method == Method::adaptive ||
           method == Method::splitting;
}

ContactEvents::ContactEvents(const Model& model, Postings::Detail detail)
    : model_(model), surfaces_(model), rests_(model, surfaces_), blow_(model), kept_(detail),
      impact_(detail)
{
    for (const StopGap& gap : stop_gaps_of(model))
        stops_.push_back({gap});
}

StepReport ContactEvents::pass(State& y, const StepSettings& settings, double t, Workspace& w)
{
    const double h = settings.h;
    const Step step{settings, w};
    h_ = h;
    within_ = touch_within(model_, settings.contact);
    rests_.tolerance = settings.contact.tolerance;
    rests_.stop = w.system.stop;
    rests_.forget();
    kept_.clear(model_.bodies().size());
    records_.clear();
    struck_.clear();
    gains_.clear();
    residual_ = 0;
    unsolved_ = 0;
    blows_.clear();
    still_ = still_at_first;
    by_swings_ = 0;
    impacts_ = 0;
    by_impulses_ = ByImpulses::no;
    unlooked_ = false;
    begin_step_at_stops(y, step);
    StepReport all{0, nullptr};
    double done = 0;
    int idle = 0, events = 0; // that brought no time, and all
    for (int parts = 0; done < h; ++parts) {
        const double all_left = h - done, rest = until_edge(model_, t + done, all_left);
        w.system.active_at = t + done + 0.5 * rest;
        all.failure = meet(y, t + done, step);
        if (w.system.stopped()) // solvers may have ended early
            all = interrupted_after(all.evaluations);
        if (all.failure)
            break;
        double length = rest;
        bool event = false;
        StepReport one{0, nullptr};
        const bool endless = idle >= most_at_once || events >= most_meetings || parts >= most_parts;
        if (rests_.worst() == RestAnswer::End::solved && !endless) {
            if (const double next = y.substep > 0 ? y.substep : 0.01 * h;
                settings.method == Method::adaptive && next < rest)
                length = next > 0.5 * rest ? 0.5 * rest : next;
            one = part(y, t + done, length, event, step);
        }
        if (!one.failure && (rests_.worst() != RestAnswer::End::solved || endless)) {
            by_impulses_ = endless                                   ? ByImpulses::too_many
                           : rests_.worst() == RestAnswer::End::none ? ByImpulses::no_forces
                                                                     : ByImpulses::none_found;
            gave_up_ = give_up_at(t + done);
            length = rest;
            one = by_impulses(y, t + done, length, step);
        }
        all.evaluations += one.evaluations;
        all.failure = one.failure;
        all.interrupted = one.interrupted;
        if (w.system.stopped())
            all = interrupted_after(all.evaluations);
        if (all.failure)
            break;
        const bool no_time = event && length < at_once * h;
        idle += no_time;
        events += event;
        if (no_time || (event && events > many_meetings))
            still_ = std::min(still_at_last, grows * still_);
        idle += jumped_;
        kept_.merge(w.postings);
        if (length == rest && rest < all_left)
            y.substep = 0; // what acted before says nothing
        done = length == all_left ? h : done + length;
    }
    w.system.holding = nullptr;
    std::swap(w.postings, kept_);
    return all;
}

ContactEvents::GaveUp ContactEvents::give_up_at(double t) const
{
    GaveUp made{t};
    for (const Touch& touch : touches_) {
        made.a = touch.at.a;
        made.b = touch.at.b;
        break;
    }
    for (const Rest& rest : rests_.all)
        if (rest.slips[0].slides || &rest == &rests_.all.front()) {
            made.a = rest.at.a;
            made.b = rest.at.b;
            if (rest.slips[0].slides)
                break;
        }
    return made;
}

StepReport ContactEvents::by_impulses(State& y, double t, double length, const Step& step)
{
    step.w.system.holding = nullptr;
    y.standing.clear(); // it has rows of its own for limits
    impulsive_ = step.settings;
    impulsive_.method = Method::impulsive;
    const StepReport report = flow(y, impulsive_, t, length, step.w);
    if (report.failure)
        return report;
    for (const TouchRecord& touch : step.w.impulsive->touches())
        records_.push_back(touch);
    for (const Impulsive::Struck& one : step.w.impulsive->struck())
        struck_.push_back({one.a, one.b, one.stop, t + length, one.impulse});
    for (ContactGain one : step.w.impulsive->gains()) {
        one.time = t + length;
        add_gain(gains_, one);
    }
    residual_ = std::max(residual_, step.w.impulsive->residual());
    unsolved_ += step.w.impulsive->unsolved();
    unlooked_ = unlooked_ || step.w.impulsive->unlooked();
    stops_back(y, t + length, step);
    return report;
}

// ---- a part of a step ---------------------------------------------------------------------------

/// Takes y over `length`, or up to the first event in it: `length` is then shorter. Where the
/// forces of rest are lost on the way, y is where it began.
StepReport ContactEvents::part(State& y, double t, double& length, bool& event, const Step& step)
{
    Workspace& w = step.w;
    begin_ = y;
    begin_rests_ = rests_.all;
    place(y, step);
    const Placed& placed = w.system.placed;
    surfaces_.place(placed);
    // What closes in this part is no farther than both surfaces go, with some to spare for what
    // accelerates; an overlap is seen from anywhere.
    near_ = 3 * length * surfaces_.fastest(placed) + 0.01 * surfaces_.size();
    watches_ = false;
    surfaces_.find(near_, found_);
    begin_points_ = found_;
    begin_speeds_.clear();
    for (const Manifold& m : begin_points_)
        begin_speeds_.push_back(surfaces_.approach(m, placed));
    for (Touch& touch : touches_) // as far inside as it is, but for rounding
        touch.allowance = 2 * gap_noise_ - std::min(touch.at.point[0].gap, 0.0);
    begin_stops();
    if (step.settings.contact.continuous)
        length = surfaces_.until_inside(placed, begin_points_, length, within_);
    begin_margins_ = margins(placed);
    sizes_.fill(1);
    StepReport report = attempt_resolved(y, t, length, step);
    const auto lost = [&] { return report.failure || rests_.worst() != RestAnswer::End::solved; };
    Margins end{};
    double last = length;
    const auto margin_at = [&](double until) {
        last = until;
        const StepReport one = attempt(y, t, until, step);
        report.evaluations += one.evaluations;
        report.failure = one.failure;
        report.interrupted = one.interrupted;
        if (lost())
            return std::nan("");
        if (watches_)
            surfaces_.find(closed_, near_, found_);
        else
            surfaces_.find(near_, found_);
        end = margins(w.system.placed);
        return least(end);
    };
    const auto finished = [&] {
        if (rests_.worst() != RestAnswer::End::solved) {
            y = begin_;
            return report;
        }
        record(begin_rests_, 0.5 * length);
        record(rests_.all, 0.5 * length);
        return report;
    };
    if (lost())
        return finished();
    surfaces_.find(near_, found_);
    end = margins(w.system.placed);
    double until = length;
    if (!(least(end) < 0)) {
        until = dip(length, w.system.placed);
        if (until == length)
            return finished();
        if (!(margin_at(until) < 0)) { // the cubic was wrong
            if (!lost())
                margin_at(length);
            return finished();
        }
    }
    event = true;
    watches_ = true; // from here on only at the gaps that have closed
    double begin = never;
    for (std::size_t k = 0; k < sizes_.size(); ++k) { // margins of different kinds are compared by
        sizes_[k] = std::max({std::abs(begin_margins_[k]), std::abs(end[k]), 1e-300});
        if (!std::isfinite(sizes_[k])) // what they are in this part
            sizes_[k] = 1;
        begin = std::min(begin, begin_margins_[k] / sizes_[k]);
    }
    length = crossing(margin_at, 0.0, std::max(begin, 0.0), until, least(end),
                      event_tolerance * step.settings.h);
    if (!lost() && last != length)
        margin_at(length);
    return finished();
}

/// Calls visit(rest, body that it bears) for both sides of all that rests.
template <class Visit>
void ContactEvents::each_bearer(const Placed& placed, Visit visit) const
{
    for (const Rest& rest : rests_.all)
        for (const int skin : {rest.at.a, rest.at.b})
            if (const int body = model_.skins()[static_cast<std::size_t>(skin)].body; body != world)
                visit(rest, placed.bodies[static_cast<std::size_t>(body)]);
}

/// How far the lever of a point that rests has turned since the part began, rad, in the world or in
/// its body, whichever is less: a ball that rolls keeps it there, and a box on a corner here.
double ContactEvents::swing(const Placed& placed) const
{
    double most = 0;
    auto lever = levers_.begin();
    each_bearer(placed, [&](const Rest& rest, const PlacedBody& on) {
        const Lever& then = *lever++;
        if (rest.index < 0) { // it went where nobody saw
            most = never;
            return;
        }
        const Vec3<double> r = place_of(rest.now) - on.x;
        const Vec3<double> then_here = on.R * transpose_times(then.R, then.r);
        // Of several that bear now another may have been taken.
        if (rest.now.point[0].feature != rest.at.point[0].feature &&
            std::abs(dot(rest.now.normal, r - then_here)) < bears_too * surfaces_.size())
            return;
        const double went = std::min(norm(r - then.r), norm(r - then_here));
        if (went > 0)
            most = std::max(most, went / norm(then.r));
    });
    return most;
}

/// Takes y over `length`, or over less of it where levers swing too far.
StepReport ContactEvents::attempt_resolved(State& y, double t, double& length, const Step& step)
{
    levers_.clear();
    each_bearer(step.w.system.placed, [&](const Rest& rest, const PlacedBody& on) {
        levers_.push_back({place_of(rest.at) - on.x, on.R});
    });
    const bool shorter = by_swings_ > 0 && 2 * by_swings_ < length;
    if (shorter)
        length = 2 * by_swings_;
    by_swings_ = shorter ? length : 0;
    jumped_ = false;
    // What jumps on the way, as where a rim comes to lie, would be chopped up by an error control.
    StepSettings in_few = step.settings;
    in_few.tolerance.most_substeps = std::min(in_few.tolerance.most_substeps, most_substeps);
    const Step few{in_few, step.w};
    StepReport all{0, nullptr};
    for (;;) {
        rests_.begin();
        const StepReport one = attempt(y, t, length, few);
        all.evaluations += one.evaluations;
        all.failure = one.failure;
        all.interrupted = one.interrupted;
        if (one.too_long && length > shortest * h_) {
            length *= 0.25;
            continue;
        }
        const double far = swing(step.w.system.placed);
        if (all.failure || step.settings.method == Method::adaptive || !(far > most_swing))
            return all;
        if (!(length > shortest * h_)) { // what touches changes its features, and nothing swings
            by_swings_ = 0;
            jumped_ = true;
            return all;
        }
        length *= std::max(0.1, 0.7 * most_swing / far);
        by_swings_ = length;
    }
}

StepReport ContactEvents::attempt(State& y, double t, double length, const Step& step)
{
    y = begin_;
    step.w.system.holding = holds(y) ? &rests_ : nullptr;
    const StepReport report = flow(y, step.settings, t, length, step.w);
    if (report.failure)
        return report;
    if (holds(y))
        evaluate(y, t + length, step, true);
    else
        place(y, step);
    measure_stops(step.w.system.placed);
    surfaces_.place(step.w.system.placed);
    return report;
}

/// Of the points that were found now, and as what rests was evaluated last.
ContactEvents::Margins ContactEvents::margins(const Placed& placed)
{
    Margins now;
    now.fill(never);
    const auto less = [&](std::size_t kind, double margin) {
        now[kind] = std::min(now[kind], margin);
    };
    const double rounding = std::max(force_rounding, 100 * rests_.residual()) * force_;
    if (!watches_)
        closed_.clear();
    const auto gap_less = [&](const Manifold& m, double margin) {
        less(0, margin);
        const std::pair<int, int> pair{m.a, m.b};
        if (!watches_ && margin < 0 && (closed_.empty() || closed_.back() != pair))
            closed_.push_back(pair);
    };
    claimed_.assign(found_.size(), false);
    for (const Rest& rest : rests_.all) {
        if (const int i = rest.index < 0 ? -1 : same_point(found_, rest.now); i >= 0)
            claimed_[static_cast<std::size_t>(i)] = true;
        less(1, rest.index < 0 ? -force_ : rest.until_open + rounding);
        for (std::size_t g = 0; g < rest.slips.size(); ++g) {
            const Rest::Slip& slip = rest.slips[g];
            const double bound = g == 0   ? rest.law.friction
                                 : g == 1 ? rest.law.torsion
                                          : rest.law.rolling;
            if (rest.index < 0 || !(bound > 0))
                continue;
            if (slip.slides)
                less(3, dot(rest.slip[g], slip.direction) + 0.25 * slip.noise);
            else
                less(2, rest.until_slip[g] + bound * rounding);
        }
    }
    for (const Touch& touch : touches_) {
        if (touch.rests)
            continue;
        const int i = same_point(found_, touch.at);
        if (i < 0 || claimed_[static_cast<std::size_t>(i)])
            continue;
        const Manifold& m = found_[static_cast<std::size_t>(i)];
        claimed_[static_cast<std::size_t>(i)] = true;
        const double gap = m.point[0].gap + touch.allowance;
        // One that leaves may be inside by the error of the method.
        gap_less(m, surfaces_.approach(m, placed) > 0 ? std::max(gap, touch.allowance) : gap);
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
        if (claimed_[i])
            continue;
        const Manifold& m = found_[i];
        // Beside a point that rests another may come and go at rounding.
        const bool beside =
            std::any_of(rests_.all.begin(), rests_.all.end(),
                        [&](const Rest& rest) { return key_of(rest.at) == key_of(m); });
        gap_less(m, m.point[0].gap + (beside ? gap_noise_ : 0));
    }
    if (!watches_) {
        std::sort(closed_.begin(), closed_.end());
        closed_.erase(std::unique(closed_.begin(), closed_.end()), closed_.end());
    }
    now[0] = std::min(now[0], near_);
    stop_margins(now);
    return now;
}

double ContactEvents::least(const Margins& now) const
{
    double least = never;
    for (std::size_t k = 0; k < now.size(); ++k)
        least = std::min(least, now[k] / sizes_[k]);
    return least;
}

/// Where, by the cubic, a free gap is closed first though it is open at both ends; or `length`.
double ContactEvents::dip(double length, const Placed& placed) const
{
    double first = dip_of_stops(length);
    for (std::size_t i = 0; i < begin_points_.size(); ++i) {
        const Manifold& m = begin_points_[i];
        if (!(begin_speeds_[i] < 0) || !(m.point[0].gap > 2 * gap_noise_))
            continue;
        const int j = same_point(found_, m);
        if (j < 0)
            continue;
        const Manifold& then = found_[static_cast<std::size_t>(j)];
        const double speed = surfaces_.approach(then, placed);
        if (!(speed > 0))
            continue;
        first = std::min(first, dip_of(m.point[0].gap, length * begin_speeds_[i], then.point[0].gap,
                                       length * speed));
    }
    return first * length;
}

// ---- what both ask ------------------------------------------------------------------------------

void ContactEvents::place(const State& y, const Step& step)
{
    System& system = step.w.system;
    system.joint_coordinates = y.joint_coordinates;
    if (step.reduced())
        step.w.joints->place(y.joints.q, y.joints.v);
    else
        poinsot::place(model_, y, system.placed);
}

/// What acts, and what rests if it is asked for; the accelerations of all bodies.
void ContactEvents::evaluate(const State& y, double t, const Step& step, bool with_rests)
{
    System& system = step.w.system;
    system.holding = with_rests && holds(y) ? &rests_ : nullptr;
    system.standing.clear();
    if (with_rests)
        system.standing = y.standing;
    system.start_rotors(y.rotors, t);
    place(y, step);
    if (step.reduced()) {
        v_dot_.resize(y.joints.v.size());
        step.w.joints->evaluate(y.joints.q, y.joints.v, t, v_dot_, true);
    } else {
        system.evaluate_placed(t);
    }
}

Twist<double> ContactEvents::acceleration_of(std::size_t body, const Step& step) const
{
    if (step.reduced())
        return step.w.joints->acceleration_of(body);
    const PlacedBody& at = step.w.system.placed.bodies[body];
    const Wrench<double>& W = step.w.system.loads.total[body];
    return {at.mass.inv_m * W.F,
            angular_velocity(at.R, at.mass.inv_I_b, W.tau - cross(at.omega, at.L))};
}

double ContactEvents::acceleration_of_row(const Block& block, int k, const Step& step) const
{
    double a = blow_.rows().row(block, k).gamma;
    for (int i = 0; i < block.bodies; ++i) {
        const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
        a += power(blow_.rows().J_of(block, k, i), acceleration_of(body, step));
    }
    return a;
}

void ContactEvents::record(const Manifold& at, const Vec3<double>& impulse,
                           const Vec3<double>& moment, double slip)
{
    const Vec3<double> point = place_of(at);
    for (TouchRecord& known : records_) // the same point, a moment ago
        if (known.a == at.a && known.b == at.b &&
            norm(known.point - point) < 0.25 * surfaces_.size()) {
            known.point = point;
            known.normal = at.normal;
            known.gap = at.point[0].gap;
            known.impulse += impulse;
            known.moment += moment;
            known.slip = slip;
            return;
        }
    records_.push_back({at.a, at.b, point, at.normal, at.point[0].gap, impulse, moment, slip});
}

void ContactEvents::record(std::span<const Rest> rests, double time)
{
    for (const Rest& rest : rests)
        if (rest.index >= 0)
            record(rest.now, time * (rest.normal * rest.now.normal + rest.friction),
                   time * (rest.torsion * rest.now.normal + rest.rolling), norm(rest.slip[0]));
}

} // namespace poinsot
