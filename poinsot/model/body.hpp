// SPDX-License-Identifier: MIT
#pragma once

// A body as described: its mass, its shape, where it starts.
//
// The body frame is the frame in which shape, centre of mass, inertia and points of the body are
// given. A particle is a body without extent: it has a mass and no attitude that matters.

#include "poinsot/geometry/shape.hpp"
#include "poinsot/mass/inertia.hpp"
#include "poinsot/math/pose.hpp"

#include <optional>
#include <string>

namespace poinsot {

/// One point of the body kept where it is, or on a line through where it is. Nothing resists
/// turning: the reaction is a force at that point.
struct Held {
    Vec3<double> point = zero3<double>();   // in the body frame
    std::optional<Vec3<double>> along = {}; // world direction of the line; none: a fixed point
};

struct Body {
    std::string name;
    bool particle = false;
    MassProperties mass_properties{};                // in the body frame
    Shape shape = {};                                // for those who look, and later who touch
    Pose<double> pose = identity_pose<double>();     // of the body frame, at the start
    Vec3<double> velocity = zero3<double>();         // of the centre of mass
    Vec3<double> angular_velocity = zero3<double>(); // world axes
    std::optional<Held> held = {};
};

} // namespace poinsot
