// SPDX-License-Identifier: MIT
#pragma once

// Every limit of a coordinate as a gap that closes: c = q − lower, or c = upper − q.

#include "poinsot/state/placed.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace poinsot {

/// Rounding of a gap, in m or rad: places of the size of a metre have errors of 1e-15, and a bond
/// that closes a loop makes a thousand times as much of them where it is nearly stretched.
inline constexpr double stop_gap_rounding = 1e-12;

struct StopGap {
    Stop stop;
    double at = 0, restitution = 0;
    double gap = 0, speed = 0;

    void measure(const Placed& placed)
    {
        if (!placed.holds(static_cast<std::size_t>(stop.joint))) { // what has let go stops nothing
            gap = 1;
            speed = 0;
            return;
        }
        const PlacedJoint& joint = placed.joints[static_cast<std::size_t>(stop.joint)];
        const auto k = static_cast<std::size_t>(stop.coordinate);
        gap = stop.upper ? at - joint.q[k] : joint.q[k] - at;
        speed = stop.upper ? -joint.speed[k] : joint.speed[k];
    }
};

/// The limits of a model, as its joints list them. A prescribed coordinate has none: it follows its
/// course.
inline std::vector<StopGap> stop_gaps_of(const Model& model)
{
    std::vector<StopGap> all;
    for (std::size_t j = 0; j < model.joints().size(); ++j)
        for (std::size_t k = 0; k < model.joints()[j].laws.size(); ++k) {
            const CoordinateLaw& law = model.joints()[j].laws[k];
            for (const bool upper : {false, true}) {
                const double at = upper ? law.upper : law.lower;
                if (!law.prescribed && std::isfinite(at))
                    all.push_back(
                        {{static_cast<int>(j), static_cast<int>(k), upper}, at, law.restitution});
            }
        }
    return all;
}

// A gap that is open at both ends of a time may have closed and opened within it. The cubic with
// the gaps and speeds of both ends, s from 0 to 1:
//
//     c(s) = c₀ + c₀' s + B s² + A s³,   c'(s) = 0 at s = −c₀'/(B + √(B² − 3 A c₀'))

/// Where its least is if that is below −allowance; else 1. Speeds are per the time between the
/// ends, and begin below zero.
inline double dip_of(double c_0, double speed_0, double c_1, double speed_1, double allowance = 0)
{
    const double rise = c_1 - c_0;
    const double A = speed_0 + speed_1 - 2 * rise, B = 3 * rise - 2 * speed_0 - speed_1;
    const double s = -speed_0 / (B + std::sqrt(B * B - 3 * A * speed_0));
    return s > 0 && s < 1 && c_0 + allowance + s * (speed_0 + s * (B + s * A)) < 0 ? s : 1.0;
}

} // namespace poinsot
