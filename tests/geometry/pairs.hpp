// SPDX-License-Identifier: MIT
#pragma once

// Random convex shapes of every kind, and what is asked of an answer about two of them.

#include "math/kernels.hpp"
#include "near.hpp"
#include "poinsot/geometry/penetration.hpp"

#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace poinsot {

struct NamedShape {
    const char* name;
    Convex shape;
    std::shared_ptr<const Polytope> held = {};
};

inline const std::vector<const char*>& shape_names()
{
    static const std::vector<const char*> names{"ball",      "capsule",  "triangle", "box",
                                                "ellipsoid", "cylinder", "cone",     "hull"};
    return names;
}

/// A shape of that kind and of about that size; lengths differ by a factor of ten.
inline NamedShape random_shape(Dice& dice, std::size_t kind, double size = 1)
{
    const auto length = [&] { return size * dice.in(0.1, 1); };
    NamedShape made{shape_names()[kind], {}};
    Convex& s = made.shape;
    switch (kind) {
    case 0:
        s.radius = length();
        break;
    case 1:
        s.core = Core::segment;
        s.radius = length();
        s.size = {0, 0, length()};
        break;
    case 2:
        s.core = Core::triangle;
        s.size = dice.vec(size);
        s.b = dice.vec(size);
        s.c = dice.vec(size);
        break;
    case 3:
    case 4:
        s.core = kind == 3 ? Core::box : Core::ellipsoid;
        s.size = {length(), length(), length()};
        break;
    case 5:
    case 6:
        s.core = kind == 5 ? Core::cylinder : Core::cone;
        s.size = {length(), 0, length()};
        break;
    default: {
        std::vector<Vec3<double>> points;
        const int n = dice.whole(4, 40);
        for (int i = 0; i < n; ++i) {
            const double far = size * dice.in(0.3, 1); // before the direction, on every compiler
            points.push_back(far * dice.unit());
        }
        auto hull = polytope_around(points);
        REQUIRE(bool(hull));
        made.held = std::make_shared<const Polytope>(std::move(*hull));
        s.core = Core::polytope;
        s.polytope = made.held.get();
    }
    }
    return made;
}

/// max n · r over the placed shape
inline double extent(const Convex& s, const Pose<double>& pose, const Vec3<double>& n)
{
    const Vec3<double> d = rotate(conjugate(pose.q), n);
    return dot(n, pose.x) + dot(d, support(s, d).r) + s.radius;
}

/// How far along n the second must move to be clear of the first: depth in that direction.
inline double overlap_along(const Convex& a, const Pose<double>& pa, const Convex& b,
                            const Pose<double>& pb, const Vec3<double>& n)
{
    const Pose<double> here{zero3<double>(), pa.q}, there{pb.x - pa.x, pb.q};
    return extent(a, here, n) + extent(b, there, -n);
}

/// How far outside of a placed shape a point is, found from planes: never more than it is.
inline double outside_by(const Convex& s, const Pose<double>& pose, const Vec3<double>& r)
{
    Convex point;
    const Gap gap = gap_between(s, pose, point, {r, identity_quat<double>()});
    return gap.distance;
}

} // namespace poinsot
