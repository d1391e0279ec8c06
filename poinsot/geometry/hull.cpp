// SPDX-License-Identifier: MIT
#include "poinsot/geometry/hull.hpp"

#if POINSOT_WITH_HULL

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace poinsot {

namespace {

// Qhull reports errors by longjmp to a handler of its own and prints to a FILE; this owns both.
struct Qhull {
    qhT state;
    std::FILE* messages = std::tmpfile();

    Qhull() { qh_zero(&state, messages); }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;
    ~Qhull()
    {
        int long_left = 0, total = 0;
        qh_freeqhull(&state, !qh_ALL);
        qh_memfreeshort(&state, &long_left, &total);
        if (messages)
            std::fclose(messages);
    }
};

} // namespace

Result<Surface> convex_hull(std::span<const Vec3<double>> points, const std::string& place)
{
    Problems found;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y) ||
            !std::isfinite(points[i].z))
            found.add(place, "point ", i, " has a coordinate that is not a finite number");
    if (points.size() < 4)
        found.add(place, "a hull needs at least four points, has ", points.size());
    const char* const flat =
        "the points lie in one plane, on one line or in one place: their hull has no volume";
    if (!found.any() && std::all_of(points.begin(), points.end(),
                                    [&](const Vec3<double>& r) { return r == points.front(); }))
        found.add(place, flat); // Qhull would call it an internal error
    if (found.any())
        return found;

    // From the first point: Qhull's tolerances follow the largest coordinate, and a cloud far from
    // the origin would look flat.
    std::vector<coordT> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3<double>& r : points) {
        const Vec3<double> d = r - points.front();
        coordinates.insert(coordinates.end(), {d.x, d.y, d.z});
    }

    const auto qhull = std::make_unique<Qhull>();
    qhT* const qh = &qhull->state;
    char options[] = "qhull Qt"; // Qt: triangles, also where more than three corners share a plane
    const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(),
                                    False, options, nullptr, qhull->messages);
    if (failed) {
        // Three of its errors say the same of numbers that are finite: no volume, to its precision.
        if (failed == qh_ERRinput || failed == qh_ERRsingular || failed == qh_ERRprec)
            found.add(place, flat);
        else
            found.add(place, "Qhull failed with its error ", failed);
        return found;
    }

    // Corners in the order of the points given, then the triangles with outward orientation.
    std::vector<int> corner(points.size(), -1);
    vertexT* vertex;
    FORALLvertices corner[static_cast<std::size_t>(qh_pointid(qh, vertex->point))] = 0;
    Surface surface;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (corner[i] == 0) {
            corner[i] = static_cast<int>(surface.vertices.size());
            surface.vertices.push_back(points[i]);
        }
    facetT* facet;
    FORALLfacets
    {
        std::array<int, 3> face{};
        std::size_t k = 0;
        vertexT** vertexp;
        FOREACHvertex_(facet->vertices)
        {
            check(k < 3, "Qhull keeps its promise of triangles");
            face[k++] = corner[static_cast<std::size_t>(qh_pointid(qh, vertex->point))];
        }
        check(k == 3, "Qhull keeps its promise of triangles");
        if (facet->toporient ^ qh_ORIENTclock)
            std::swap(face[0], face[1]);
        surface.faces.push_back(face);
    }
    return surface;
}

} // namespace poinsot

#endif
