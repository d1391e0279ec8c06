// SPDX-License-Identifier: MIT
#pragma once

// What acts along one coordinate of a joint.
//
//     spring      Q = −k (q − rest)                  V = ½ k (q − rest)²
//     damper      Q = −c q̇
//     friction    Q = −F x/√(1 + x²),  x = q̇/v_s     dry friction made smooth: it creeps below v_s
//     motor       Q = target(t), gain (target(t) − q̇),
//                 or gain (target(t) − q) + damping (target'(t) − q̇), never more than its most

#include "poinsot/model/joint.hpp"

#include <algorithm>

namespace poinsot {

// A hyperbolic tangent has the same shape, but not the same bits everywhere.
inline double friction_force(const CoordinateLaw& law, double speed)
{
    const double x = speed / law.slip_speed;
    return law.friction * x / sqrt(1 + x * x);
}

inline double motor_force(const Motor& motor, double q, double speed, double t)
{
    double Q = 0;
    switch (motor.kind) {
    case Motor::Kind::force:
        Q = motor.target.at(t);
        break;
    case Motor::Kind::velocity:
        Q = motor.gain * (motor.target.at(t) - speed);
        break;
    case Motor::Kind::position:
        Q = motor.gain * (motor.target.at(t) - q) +
            motor.damping * (motor.target.rate_at(t) - speed);
        break;
    }
    return std::clamp(Q, -motor.most, motor.most);
}

} // namespace poinsot
