// SPDX-License-Identifier: MIT
// What does not touch yet, but will before the next look.
//
// A point whose gap is open when the step looks is free for all of it, and loads alone take it
// in by h² a. A box that lies on one edge then falls into the ground with the other, is put out,
// falls again: it never rests. So an open point that may close is held,
//
//     u⁺ ≥ −b,   b = max(gap/h, u⁻),   0 ≤ r ⊥ u⁺ + b ≥ 0
//
// and is closed, no more, when the next step looks. No energy comes from it: where r > 0 u⁺ = −b,
// so that its work r (u⁻ + u⁺)/2 is r (u⁻ − b)/2 ≤ 0.
//
// Held is what comes slowly: by no more than `slow` times what loads give in a step, and so that
// its bounces would be over within one. A bounce at u with restitution e is followed by others that
// last, all together,
//
//     Σ 2 eᵏ u/a = 2 u/a · e/(1 − e) ≤ h
//
// What slides or rolls past an edge has it ahead too, and a straight line along its normal leads
// into it: b grows by how much farther than that the two are after a step with the speeds of now.
//
// Faster ones are thrown back from where they are found, as ever, and with e = 1 all are. What
// touches and comes as slowly has no restitution either. Limits of joints are held by the same
// rule.
#include "poinsot/step/impulsive_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poinsot {

double Impulsive::reach_ahead(const System& system, const StepSettings& settings, double h) const
{
    if (!settings.contact.ahead)
        return 0;
    double a = norm(model_.gravity().uniform); // the largest acceleration of a point
    for (std::size_t i = 0; i < system.placed.bodies.size(); ++i) {
        const PlacedBody& body = system.placed.bodies[i];
        a = std::max(a, norm(system.loads.total[i].F) * body.mass.inv_m +
                            0.5 * largest_ * dot(body.omega, body.omega));
    }
    return (1 + slow) * h * h * a;
}

/// The limits that are reached, or that may be in a step. Loads turn a body of mass m on a lever ℓ
/// with m a ℓ/(m ℓ² + I) ≤ a/(2 k), I = m k².
void Impulsive::find_stops(const System& system, const StepSettings& settings, double h)
{
    stops_.clear();
    parts_->stops.clear();
    const double slide = reach_ahead(system, settings, h);
    for (std::size_t j = 0; j < model_.joints().size(); ++j) {
        const Joint& joint = model_.joints()[j];
        double turn = 0;
        for (const int body : {joint.a, joint.b}) {
            if (joint.laws.empty() || body == world)
                continue;
            const BodyMass& mass = system.placed.bodies[static_cast<std::size_t>(body)].mass;
            const double k_k = (mass.I_b.xx + mass.I_b.yy + mass.I_b.zz) / 3 * mass.inv_m;
            turn = k_k > 0 ? std::max(turn, slide / (2 * std::sqrt(k_k))) : turn;
        }
        for (std::size_t k = 0; k < joint.laws.size() && system.placed.holds(j); ++k) {
            const CoordinateLaw& law = joint.laws[k];
            if (law.prescribed)
                continue;
            const double q = system.placed.joints[j].q[k];
            const double near = is_angle(joint.kind, static_cast<int>(k)) ? turn : slide;
            const bool above = q >= law.upper, below = !above && q <= law.lower;
            for (const bool upper : {false, true}) {
                const double gap = upper ? law.upper - q : q - law.lower;
                if (upper ? below || gap > near : above || gap > near)
                    continue;
                stops_.push_back({static_cast<int>(j), static_cast<int>(k), upper});
                parts_->stops.push_back({law.restitution, near / ((1 + slow) * h)});
            }
        }
    }
}

/// How much farther apart two parts are, after a step as fast as now, than `straight` along their
/// normals: what slides or rolls over an edge passes it. What is then, or half-way, inside by half
/// of that does not.
double Impulsive::passes_by(const Manifold& m, const Placed& placed, double straight, double closed,
                            double h)
{
    const auto moved = [&](int skin, double t) {
        const Pose<double>& pose = poses_[static_cast<std::size_t>(skin)];
        const int body = model_.skins()[static_cast<std::size_t>(skin)].body;
        if (body == world)
            return pose;
        const PlacedBody& b = placed.bodies[static_cast<std::size_t>(body)];
        const Quat<double> turn = exp_quat(t * b.omega);
        return Pose<double>{b.x + t * b.v + rotate(turn, pose.x - b.x), turn * pose.q};
    };
    const auto gap_after = [&](double t) {
        const Gap gap = gap_of_faces(*shapes_[static_cast<std::size_t>(m.a)], moved(m.a, t),
                                     m.part_a, *shapes_[static_cast<std::size_t>(m.b)],
                                     moved(m.b, t), m.part_b, parts_->search, -straight);
        return gap.beyond ? -straight : gap.distance;
    };
    const double then = gap_after(h), inside = std::max(closed, -0.5 * straight);
    const bool passes = then >= -inside && gap_after(0.5 * h) >= -inside;
    return passes ? (then < -closed ? then : std::max(then, 0.0)) - straight : 0;
}

void Impulsive::look_ahead(const Placed& placed, const StepSettings& settings, double h)
{
    if (!settings.contact.ahead)
        return;
    Parts& p = *parts_;
    const auto look = [&](int row, double gap, double closed, double given, double& e,
                          double& ahead, bool& left_out) {
        const double u = p.before(row);
        const bool bounced = e < 1 && -2 * e * u <= (1 - e) * given; // it has done so for long
        if (gap <= closed) {
            e = bounced ? 0 : e;
            return;
        }
        ahead = gap / h;
        left_out = !bounced || -u > slow * given || gap > (1 + slow) * h * given;
    };
    const double closed = within(settings), by_weight = h * norm(model_.gravity().uniform);
    for (std::size_t first = 0, end = 0; first < points_.size(); first = end) { // of one pair
        const int pair = points_[first].manifold;
        const Manifold& m = contacts_.manifolds()[static_cast<std::size_t>(pair)];
        double straight = std::numeric_limits<double>::infinity();
        bool held = false;
        for (; end < points_.size() && points_[end].manifold == pair; ++end) {
            TouchRows& rows = points_[end];
            const double gap = m.point[static_cast<std::size_t>(rows.point)].gap;
            const double u = p.before(rows.first), by_loads = std::abs(p.freely(rows.first) - u);
            look(rows.first, gap, closed, std::max(by_loads, by_weight), rows.law.restitution,
                 rows.ahead, rows.left_out);
            held = held || (rows.ahead > 0 && !rows.left_out);
            straight = std::min(straight, gap + h * u);
        }
        if (!held || !(straight < 0))
            continue;
        const double farther = passes_by(m, placed, straight, closed, h);
        for (std::size_t k = first; k < end; ++k)
            if (points_[k].ahead > 0)
                points_[k].ahead += farther / h;
    }
    auto stop = p.stops.begin();
    for (const Block& block : rows_.blocks)
        if (block.origin == Block::Origin::limit) {
            look(block.first_row, rows_.row(block, 0).g, 0, stop->by_loads, stop->restitution,
                 stop->ahead, stop->left_out);
            ++stop;
        }
}

} // namespace poinsot
