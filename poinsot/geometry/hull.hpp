// SPDX-License-Identifier: MIT
#pragma once

// The convex hull of points, by Qhull: component `hull`. A build without it compiles, and asking
// for a hull says so.

#include "poinsot/base/result.hpp"
#include "poinsot/geometry/surface_mesh.hpp"

#include <span>
#include <string>

namespace poinsot {

#if POINSOT_WITH_HULL

/// The closed surface around the points, triangles facing outwards, points that are not corners
/// left out. Corners keep their order and their digits. Refuses fewer than four points, points in
/// one plane, and numbers that are not finite.
Result<Surface> convex_hull(std::span<const Vec3<double>> points,
                            const std::string& place = "hull");

#else

inline Result<Surface> convex_hull(std::span<const Vec3<double>>, const std::string& place = "hull")
{
    Problems found;
    found.add(place, "this Poinsot was built without Qhull; install libqhull-dev and build again");
    return found;
}

#endif

} // namespace poinsot
