// SPDX-License-Identifier: MIT
// What is fast and would hit between two kicks: how much of a step is taken at once, so that each
// hit falls on a kick of its own.
#include "poinsot/step/impulsive_parts.hpp"

#include <algorithm>

namespace poinsot {

namespace {

constexpr double least_part = 1e-9;      // of a step
constexpr double most_turn_at_hit = 0.1; // rad: of what is on joints, in the part of the hit

} // namespace

std::optional<double> Impulsive::next_hit(const StepSettings& settings, const Placed& placed,
                                          double duration)
{
    place_skins(model_, placed, poses_);
    courses_of(placed, owners_, poses_, duration, courses_);
    return first_hit_.find(shapes_, courses_, filters_, owners_, model_.skins_apart(), duration,
                           within(settings));
}

double Impulsive::part_of_step(const StepSettings& settings, const Placed& placed, double h)
{
    looks_ = hits_ = false;
    ++taken_;
    if (!settings.contact.continuous || shapes_.empty() ||
        settings.contact.response == ContactResponse::penalty)
        return h;
    const auto hit = next_hit(settings, placed, h);
    looks_ = first_hit_.any_fast();
    if (!hit)
        return h;
    if (taken_ > most_parts()) { // it hits again and again, and may pass through
        looks_ = false;
        unlooked_ = true;
        return h;
    }
    if (*hit < h && first_hit_.gap() > within(settings)) // it tumbles: nearer by, the hit is known
        return std::max(*hit, least_part * settings.h);
    // Joint coordinates have velocities in axes that turn, which a kick takes as loads: short of
    // the hit they are left to the flight, and a hit has a part in which nothing turns far. A body
    // that no joint holds flies exactly.
    if (settings.formulation == Formulation::reduced) {
        double turns = 0;
        for (std::size_t i = 0; i < courses_.size(); ++i)
            if (owners_[i] != world && !parts_->floating->body_alone(owners_[i]))
                turns = std::max(turns, norm(courses_[i].angular_velocity));
        if (2 * *hit * turns > 1.001 * most_turn_at_hit)
            return *hit - 0.5 * most_turn_at_hit / turns;
    }
    hits_ = true;
    const double length =
        2 * *hit <= h ? std::max(2 * *hit, least_part * settings.h) : 2 * *hit - h;
    return length > least_part * settings.h ? std::min(length, h) : h;
}

double Impulsive::part_that_fits(const StepSettings& settings, const Placed& placed, double part)
{
    if (!looks_)
        return part;
    const auto hit = next_hit(settings, placed, 0.5 * part);
    if (!hit || *hit >= 0.5 * part || part <= least_part * settings.h)
        return part;
    ++taken_;
    if (taken_ > most_parts()) {
        unlooked_ = true;
        return part;
    }
    // The part before the kick by itself, then one that is short; where nothing was to be hit at
    // the kick, half.
    const double before = hits_ ? 0.5 * (part - *hit) : 0.5 * part;
    hits_ = false;
    return std::max(before, least_part * settings.h);
}

void Impulsive::keep(const State& state, const Workspace& w)
{
    Parts& p = *parts_;
    p.kept = {w.system.placed.bodies, w.postings, state.touched, records_.size(), driven_.size(),
              struck_.size(),         gains_,     residual_,     unsolved_};
}

void Impulsive::take_back(State& state, Workspace& w)
{
    const Kept& kept = parts_->kept;
    w.system.placed.bodies = kept.bodies;
    w.postings = kept.postings;
    state.touched = kept.touched;
    records_.resize(kept.records);
    driven_.resize(kept.driven);
    struck_.resize(kept.struck);
    gains_ = kept.gains;
    residual_ = kept.residual;
    unsolved_ = kept.unsolved;
}

} // namespace poinsot
