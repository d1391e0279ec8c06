// SPDX-License-Identifier: MIT
// Coordinates at their limits, among the surfaces that touch: a stop is a point without friction.
#include "poinsot/step/contact_events.hpp"
#include "poinsot/step/stops.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

// Stops that are reached within this part of a step are reached together, as in stops.cpp.
constexpr double stops_together = 1e-9;
// As of what rests: an event is looked for with one, and what opens is told with the other.
constexpr double push_rounding = 1e-8, no_push = 1e-9;

} // namespace

/// Which of them stop, in this step? One that is reached within it does, however far outside the
/// moment leaves it: where forces of rest change at once, so does the way to it.
void ContactEvents::begin_step_at_stops(const State& y, const Step& step)
{
    if (stops_.empty())
        return;
    place(y, step);
    measure_stops(step.w.system.placed);
    const double lost = stopped_within(step.settings);
    for (AtStop& at : stops_)
        at.outside = at.of.gap < -lost && std::find(y.standing.begin(), y.standing.end(),
                                                    at.of.stop) == y.standing.end();
}

/// The stops that y touches when a part begins.
void ContactEvents::find_stops(const State& y, const Step& step)
{
    at_stop_.clear();
    touching_.clear();
    if (stops_.empty())
        return;
    measure_stops(step.w.system.placed);
    const double lost = stopped_within(step.settings);
    for (std::size_t i = 0; i < stops_.size(); ++i) {
        AtStop& at = stops_[i];
        const bool stands =
            std::find(y.standing.begin(), y.standing.end(), at.of.stop) != y.standing.end();
        const double soon = std::max(stop_gap_rounding, -at.of.speed * stops_together * h_);
        at.outside = at.outside && at.of.gap < -lost;
        at.touches = stands || (at.of.gap <= soon && !at.outside);
        at.meeting = {stands, at.of.restitution};
        at.meeting.allowance = at.outside ? std::numeric_limits<double>::infinity() : 0;
        if (!at.touches)
            continue;
        at_stop_.push_back(i);
        touching_.push_back(at.of.stop);
    }
}

void ContactEvents::measure_stops(const Placed& placed)
{
    for (AtStop& at : stops_)
        at.of.measure(placed);
}

// ---- a part of a step ---------------------------------------------------------------------------

/// One that begins at its stop may stay as far outside as it is, but for rounding.
void ContactEvents::begin_stops()
{
    for (AtStop& at : stops_) {
        if (at.touches)
            at.meeting.allowance = 2 * stop_gap_rounding - std::min(at.of.gap, 0.0);
        at.begin_gap = at.of.gap;
        at.begin_speed = at.of.speed;
    }
}

double ContactEvents::AtStop::margin() const
{
    const double allowance = meeting.allowance;
    // One that leaves may be outside by the error of the method.
    return allowance > 0 && of.speed > 0 ? std::max(of.gap + allowance, allowance)
                                         : of.gap + allowance;
}

void ContactEvents::stop_margins(Margins& now) const
{
    for (const AtStop& at : stops_)
        if (!at.meeting.rests)
            now[4] = std::min(now[4], at.margin());
    const double rounding = std::max(push_rounding, 100 * rests_.residual()) * strength_;
    for (const RestAtStop& at : rests_.at_stops)
        now[5] = std::min(now[5], at.until_open + rounding / std::sqrt(at.W));
}

/// Where, by a cubic, a free stop is reached first though it is away at both ends: part of a time.
double ContactEvents::dip_of_stops(double length) const
{
    double first = 1;
    for (const AtStop& at : stops_)
        if (!at.meeting.rests && at.begin_speed < 0 && at.of.speed > 0)
            first = std::min(first, dip_of(at.begin_gap, length * at.begin_speed, at.of.gap,
                                           length * at.of.speed, at.meeting.allowance));
    return first;
}

// ---- rest ---------------------------------------------------------------------------------------

/// y stands where its stops rest.
void ContactEvents::stand_at(State& y)
{
    y.standing.clear();
    for (std::size_t k = 0; k < at_stop_.size(); ++k)
        if (stops_[at_stop_[k]].meeting.rests)
            y.standing.push_back(touching_[k]);
}

// Forces and torques are compared by f √W, which is N/√kg of both: a push of one is felt as
// f √W/√W' by the other.

/// How large forces are, when what stands at stops is among them.
void ContactEvents::weigh_forces()
{
    if (rests_.at_stops.empty())
        return;
    for (const RestAtStop& at : rests_.at_stops)
        strength_ = std::max(strength_, at.push * std::sqrt(at.W));
    for (const Rest& rest : rests_.all)
        if (rest.index >= 0)
            strength_ = std::max(strength_, rest.normal * std::sqrt(rests_.W_of(rest)));
    for (const Rest& rest : rests_.all)
        if (rest.index >= 0)
            force_ = std::max(force_, strength_ / std::sqrt(rests_.W_of(rest)));
}

/// Those that would pull leave.
void ContactEvents::drop_stops(State& y)
{
    if (rests_.at_stops.empty())
        return;
    const double none = std::max(no_push, 10 * rests_.residual()) * strength_;
    std::size_t kept = 0, next = 0;
    for (const std::size_t i : at_stop_) {
        Meeting& one = stops_[i].meeting;
        if (!one.rests)
            continue;
        const RestAtStop& at = rests_.at_stops[next++];
        one.rests = strength_ > 0 ? at.until_open >= -none / std::sqrt(at.W) : !(at.opening > 0);
        if (one.rests)
            rests_.at_stops[kept++] = at;
    }
    rests_.at_stops.resize(kept);
    stand_at(y);
}

/// After a part by impulses, which lets a coordinate be outside by what it moves in a step: those
/// that were inside before are put back. That is a stabilisation.
void ContactEvents::stops_back(State& y, double t, const Step& step)
{
    if (stops_.empty() || !std::isfinite(stopped_within(step.settings)))
        return;
    place(y, step);
    touching_.clear();
    std::vector<double> outside;
    for (AtStop& at : stops_) {
        at.of.measure(step.w.system.placed);
        if (at.outside || !(at.of.gap < 0))
            continue;
        touching_.push_back(at.of.stop);
        outside.push_back(at.of.gap);
    }
    if (touching_.empty())
        return;
    blow_.bind(y, t, touching_, {}, step.reduced(), step.w);
    std::vector<int> rows;
    Eigen::VectorXd gaps = Eigen::VectorXd::Zero(blow_.rows().count());
    for (int row = 0; row < blow_.rows().count(); ++row)
        rows.push_back(row);
    for (std::size_t k = 0; k < outside.size(); ++k)
        gaps(blow_.stop_row(k)) = -outside[k];
    blow_.displace(y, blow_.least(rows, gaps), Cause::stabilisation, step.w, step.w.postings);
}

} // namespace poinsot
