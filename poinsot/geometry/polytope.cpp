// SPDX-License-Identifier: MIT
#include "poinsot/geometry/polytope.hpp"
#include "poinsot/geometry/hull.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace poinsot {

namespace {

std::size_t index_of(int i)
{
    return static_cast<std::size_t>(i);
}

struct Plane3 {
    Vec3<double> normal;
    double offset;
};

} // namespace

Result<Polytope> polytope_of(const Surface& hull, const std::string& place)
{
    Problems found;
    const auto& v = hull.vertices;
    if (v.size() < 4 || hull.faces.size() < 4) {
        found.add(place, "a convex body needs at least four corners and four faces, has ", v.size(),
                  " and ", hull.faces.size());
        return found;
    }
    Polytope made;
    made.vertices = v;
    made.middle = zero3<double>();
    for (const Vec3<double>& r : v)
        made.middle += (r - v.front()) / static_cast<double>(v.size());
    made.middle += v.front();
    for (const Vec3<double>& r : v)
        made.radius = max(made.radius, norm(r - made.middle));

    // Flat: what Qhull calls coplanar is wider than rounding, its own facets are 1e-14 of the size.
    const double flat = 1e-11 * made.radius;
    std::vector<Plane3> planes;
    std::map<std::pair<int, int>, int> side; // directed edge to its triangle
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const auto [a, b, c] = hull.faces[f];
        const Vec3<double> n =
            cross(v[index_of(b)] - v[index_of(a)], v[index_of(c)] - v[index_of(a)]);
        const double size = norm(n);
        const Vec3<double> unit = size > 0 ? n / size : zero3<double>();
        planes.push_back({unit, dot(unit, v[index_of(a)])});
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
            if (!side.emplace(std::pair{from, to}, static_cast<int>(f)).second)
                found.add(place, "the edge from corner ", from, " to corner ", to,
                          " belongs to two faces that run the same way");
    }
    for (const auto& [edge, f] : side)
        if (!side.count({edge.second, edge.first}))
            found.add(place, "the edge from corner ", edge.first, " to corner ", edge.second,
                      " has a face on one side only: the surface is open");
    if (found.any())
        return found;
    const auto beyond = [&](const Plane3& plane, const Vec3<double>& r) {
        return dot(plane.normal, r - made.middle) - (plane.offset - dot(plane.normal, made.middle));
    };

    // Triangles whose neighbour's far corner is in their plane are one face with it.
    std::vector<int> root(hull.faces.size());
    std::iota(root.begin(), root.end(), 0);
    const auto root_of = [&](int f) {
        while (root[index_of(f)] != f)
            f = root[index_of(f)] = root[index_of(root[index_of(f)])];
        return f;
    };
    for (const auto& [edge, f] : side) {
        const int g = side[{edge.second, edge.first}];
        double most = 0;
        for (const int corner : hull.faces[index_of(g)])
            most = max(most, abs(beyond(planes[index_of(f)], v[index_of(corner)])));
        if (most <= flat)
            root[index_of(std::max(root_of(f), root_of(g)))] = std::min(root_of(f), root_of(g));
    }

    // The loop around each face: edges whose other side is another face.
    std::map<int, std::map<int, int>> next; // face to: corner to corner
    for (const auto& [edge, f] : side)
        if (root_of(f) != root_of(side[{edge.second, edge.first}]))
            next[root_of(f)][edge.first] = edge.second;
    for (const auto& [f, around] : next) {
        Polytope::Face face{zero3<double>(), 0, static_cast<int>(made.loop.size()), 0};
        int corner = around.begin()->first;
        do {
            made.loop.push_back(corner);
            ++face.count;
            const auto step = around.find(corner);
            if (step == around.end() || face.count > static_cast<int>(around.size())) {
                found.add(place, "the corners of the face at corner ", corner,
                          " do not run around it once");
                return found;
            }
            corner = step->second;
        } while (corner != around.begin()->first);
        // Newell's normal, about the middle of the body
        Vec3<double> n = zero3<double>();
        const auto loop = made.corners(face);
        for (std::size_t i = 0; i < loop.size(); ++i)
            n += cross(v[index_of(loop[i])] - v[index_of(loop[0])],
                       v[index_of(loop[(i + 1) % loop.size()])] - v[index_of(loop[0])]);
        if (!(norm2(n) > 0)) {
            found.add(place, "the face at corner ", loop[0], " has no area");
            return found;
        }
        face.normal = normalised(n);
        double offset = -std::numeric_limits<double>::infinity();
        for (const int i : loop)
            offset = max(offset, dot(face.normal, v[index_of(i)]));
        face.offset = offset;
        made.faces.push_back(face);
    }
    for (const Polytope::Face& face : made.faces)
        for (std::size_t i = 0; i < v.size() && !found.any(); ++i)
            if (beyond({face.normal, face.offset}, v[i]) > 100 * flat)
                found.add(place, "not convex: corner ", i, " stands out of the plane of a face");
    if (found.any())
        return found;

    std::vector<std::vector<int>> near(v.size());
    for (const auto& [edge, f] : side)
        near[index_of(edge.first)].push_back(edge.second);
    for (const auto& list : near) {
        made.first_neighbour.push_back(static_cast<int>(made.neighbour.size()));
        made.neighbour.insert(made.neighbour.end(), list.begin(), list.end());
    }
    made.first_neighbour.push_back(static_cast<int>(made.neighbour.size()));
    return made;
}

Result<Polytope> polytope_around(std::span<const Vec3<double>> points, const std::string& place)
{
    const auto hull = convex_hull(points, place);
    if (!hull)
        return hull.problems();
    return polytope_of(*hull, place);
}

} // namespace poinsot
