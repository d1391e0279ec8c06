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
// Faster ones are thrown back from where they are found, as ever, and with e = 1 all are. What
// touches and comes as slowly has no restitution either.
#include "poinsot/step/impulsive_parts.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

double Impulsive::reach_ahead(const System& system, const StepSettings& settings, double h) const
{
    if (!settings.contact.ahead)
        return 0;
    double a = norm(model_.gravity().uniform); // the largest acceleration by loads
    for (std::size_t i = 0; i < system.placed.bodies.size(); ++i)
        a = std::max(a, norm(system.loads.total[i].F) * system.placed.bodies[i].mass.inv_m);
    // A load that takes a body farther in a step is one that the step does not resolve.
    return std::min((1 + slow) * h * h * a, 0.25 * largest_);
}

void Impulsive::look_ahead(const StepSettings& settings, double h)
{
    if (!settings.contact.ahead)
        return;
    const Parts& p = *parts_;
    const double closed = within(settings), by_weight = h * norm(model_.gravity().uniform);
    for (TouchRows& rows : points_) {
        const Manifold& m = contacts_.manifolds()[static_cast<std::size_t>(rows.manifold)];
        const double gap = m.point[static_cast<std::size_t>(rows.point)].gap;
        const double u = p.before(rows.first), e = rows.law.restitution;
        const double given = std::max(std::abs(p.freely(rows.first) - u), by_weight);
        const bool bounced = e < 1 && -2 * e * u <= (1 - e) * given; // it has done so for long
        if (gap <= closed) {
            rows.law.restitution = bounced ? 0 : e;
            continue;
        }
        rows.ahead = gap / h;
        rows.left_out = !bounced || -u > slow * given || gap > (1 + slow) * h * given;
    }
}

} // namespace poinsot
