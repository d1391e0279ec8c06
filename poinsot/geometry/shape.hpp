// SPDX-License-Identifier: MIT
#pragma once

// The shapes a body may have. Lengths are full sizes, radii and heights; cylinder, capsule and cone
// stand along z.

#include "poinsot/math/vec3.hpp"

#include <string>
#include <variant>

namespace poinsot {

struct Box {
    Vec3<double> size;
};
struct Ball {
    double radius;
};
struct Ellipsoid {
    Vec3<double> semi_axes;
};
struct Cylinder {
    double radius, height;
};
struct Capsule {
    double radius, height; // height of the cylinder between the two half balls
};
struct Cone {
    double radius, height; // base centre at the origin of the shape, tip at +z
};
struct MeshShape {
    std::string path;
};

/// No shape at all is a shape too: a body given by its mass and inertia alone.
using Shape =
    std::variant<std::monostate, Box, Ball, Ellipsoid, Cylinder, Capsule, Cone, MeshShape>;

} // namespace poinsot
