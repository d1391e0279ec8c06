// SPDX-License-Identifier: MIT
#pragma once

// Where a ray meets a shape, in closed form.
//
//     r(t) = from + t d,   0 ≤ t ≤ until
//
// A ray that begins inside meets at once: t = 0, with the normal against the ray.

#include "poinsot/geometry/collider.hpp"

#include <limits>

namespace poinsot {

struct Ray {
    Vec3<double> from;
    Vec3<double> d; // of any length but zero: t counts in it
    double until = std::numeric_limits<double>::infinity();
};

struct RayHit {
    double t;
    Vec3<double> point, normal; // normal: unit, out of the shape
    int part = 0;
};

/// The first meeting with a placed convex shape. A box, ellipsoid, cylinder, cone or hull with a
/// margin has rounded edges: those are met by conservative advancement, to 1e-12 of the size.
std::optional<RayHit> meet(const Ray& ray, const Convex& shape, const Pose<double>& pose);
std::optional<RayHit> meet(const Ray& ray, const Collider& shape, const Pose<double>& pose);

} // namespace poinsot
