// SPDX-License-Identifier: MIT
#pragma once

// A convex polyhedron with flat faces of any number of corners, and who neighbours whom.
//
// A hull comes as triangles; those that lie in one plane are one face here, so that a box given by
// its corners rests on four points and not on three.

#include "poinsot/base/result.hpp"
#include "poinsot/geometry/surface_mesh.hpp"

#include <memory>
#include <span>
#include <string>

namespace poinsot {

struct Polytope {
    struct Face {
        Vec3<double> normal; // unit, outwards
        double offset;       // normal · r on the face
        int first, count;    // corners, anticlockwise from outside: loop[first … first + count)
    };
    std::vector<Vec3<double>> vertices;
    std::vector<Face> faces;
    std::vector<int> loop;
    std::vector<int> first_neighbour; // of vertex i: neighbour[first_neighbour[i] … [i + 1])
    std::vector<int> neighbour;
    Vec3<double> middle; // a point inside
    double radius = 0;   // of the ball about it that holds all

    std::span<const int> corners(const Face& face) const
    {
        return {loop.data() + face.first, static_cast<std::size_t>(face.count)};
    }
    std::span<const int> neighbours(int vertex) const
    {
        const auto v = static_cast<std::size_t>(vertex);
        return {neighbour.data() + first_neighbour[v],
                static_cast<std::size_t>(first_neighbour[v + 1] - first_neighbour[v])};
    }
};

/// From a closed convex surface of triangles, as `convex_hull` makes it. Refuses what is not convex
/// or not closed.
Result<Polytope> polytope_of(const Surface& hull, const std::string& place = "hull");

/// The hull of points. Needs component `hull`.
Result<Polytope> polytope_around(std::span<const Vec3<double>> points,
                                 const std::string& place = "hull");

} // namespace poinsot
