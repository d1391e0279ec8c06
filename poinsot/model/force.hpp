// SPDX-License-Identifier: MIT
#pragma once

// Gravity, springs, drag and applied loads as described. What they do is in forces/.

#include "poinsot/math/vec3.hpp"

#include <limits>
#include <optional>
#include <string>

namespace poinsot {

/// The world where a body could stand: the other end of a spring.
inline constexpr int world = -1;

/// A point of a body, or of the world: p given in the body frame, resp. in world axes.
struct Anchor {
    int body = world;
    Vec3<double> point = zero3<double>();
};

/// Spring and damper along the line between two points.
struct Spring {
    std::string name;
    Anchor a, b;
    double stiffness = 0;   // N/m
    double damping = 0;     // N s/m
    double rest_length = 0; // m
};

/// Resistance of a medium at rest: F = −(linear + quadratic |v|) v, at a point that moves with v.
struct Drag {
    std::string name;
    int body = 0;
    double linear = 0;                      // N s/m
    double quadratic = 0;                   // N s²/m²
    std::optional<Vec3<double>> point = {}; // in the body frame; none: the centre of mass
};

/// A force at a point of a body and a torque, for from ≤ t < until; times a control, if it has one.
struct AppliedLoad {
    std::string name;
    int body = 0;
    Vec3<double> force = zero3<double>();
    Vec3<double> torque = zero3<double>();
    Vec3<double> point = zero3<double>(); // in the body frame
    bool body_axes = false;               // force and torque turn with the body
    double from = 0;
    double until = std::numeric_limits<double>::infinity();
    int control = -1; // which scales both; −1: none
};

struct Gravity {
    Vec3<double> uniform = zero3<double>(); // m/s²
    double G = 0;                           // mutual attraction, N m²/kg²; 0: none
};

} // namespace poinsot
