// SPDX-License-Identifier: MIT
#pragma once

// A surface of triangles. The vertices of a face run anticlockwise seen from outside, so that
// (b − a) × (c − a) points out of the material. Nothing here promises that the surface is closed:
// `inspect` (surface.hpp) tells.

#include "poinsot/math/vec3.hpp"

#include <array>
#include <vector>

namespace poinsot {

struct Surface {
    std::vector<Vec3<double>> vertices;
    std::vector<std::array<int, 3>> faces; // three indices of vertices
};

/// The smallest box along the axes of the frame that holds all of something.
struct Bounds {
    Vec3<double> lo, hi;

    Vec3<double> size() const { return hi - lo; }
    Vec3<double> middle() const { return lo + 0.5 * (hi - lo); }
    bool contains(const Vec3<double>& r) const
    {
        return lo.x <= r.x && r.x <= hi.x && lo.y <= r.y && r.y <= hi.y && lo.z <= r.z &&
               r.z <= hi.z;
    }
    void include(const Vec3<double>& r)
    {
        lo = {min(lo.x, r.x), min(lo.y, r.y), min(lo.z, r.z)};
        hi = {max(hi.x, r.x), max(hi.y, r.y), max(hi.z, r.z)};
    }
};

/// Is it somewhere, and of some size? Beyond the largest numbers nothing is.
inline bool finite(const Bounds& box)
{
    return finite(box.lo) && finite(box.hi) && finite(box.size());
}

/// The bounds of all vertices; of none, a box of size zero at the origin.
inline Bounds bounds_of(const std::vector<Vec3<double>>& vertices)
{
    if (vertices.empty())
        return {zero3<double>(), zero3<double>()};
    Bounds box{vertices.front(), vertices.front()};
    for (const Vec3<double>& r : vertices)
        box.include(r);
    return box;
}

} // namespace poinsot
