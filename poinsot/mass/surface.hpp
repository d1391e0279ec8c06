// SPDX-License-Identifier: MIT
#pragma once

// Mass of a closed surface of triangles, exactly, by the divergence theorem.
//
// A polynomial integrated over a volume is a sum over the faces of its surface. Each face (a, b, c)
// counts with the signed volume V of the tetrahedron it spans with a point o; what lies between o
// and the surface cancels, so any o gives the same sum. Positions from o:
//
//     V       = a · (b × c)/6
//     ∫ x dV  = V/4 (a + b + c)
//     ∫ xxᵀdV = V/20 (aaᵀ + bbᵀ + ccᵀ + ssᵀ),   s = a + b + c
//
// The sums are taken about the middle of the vertices first and about the centre of mass then, and
// are compensated: a surface a million sizes away from the origin loses only the digits that its
// vertices have lost already.
//
// All of this means something only for a surface that is closed and faces outwards. `inspect` finds
// out, after welding vertices closer than 1e-9 of the size, in time n log n. A surface
// that cuts through itself is not noticed: there its overlap counts twice.

#include "poinsot/base/result.hpp"
#include "poinsot/geometry/surface_mesh.hpp"
#include "poinsot/mass/inertia.hpp"

#include <string>
#include <vector>

namespace poinsot {

/// What the divergence theorem gives, of density one.
struct SurfaceIntegrals {
    double volume, area;
    Vec3<double> center;
    Sym3<double> second_moments; // ∫ r rᵀ dV about the centre
};

/// The caller promises a closed surface with indices in range; `inspect` is how to know.
SurfaceIntegrals integrals_of(const Surface& surface);

/// How often the surface winds around a point: 1 inside, 0 outside, by the sum of the solid angles
/// of all faces over 4π [van Oosterom and Strackee 1983]. Cost: all faces.
double winding_number(const Surface& surface, const Vec3<double>& point);

struct Welded {
    Surface surface;
    int merged = 0; // how many vertices went into others
};

/// Vertices closer than `tolerance` times the size (the diagonal of the bounds) become the first of
/// them. Faces keep their number and order; one that collapses names a vertex twice.
Welded welded(const Surface& surface, double tolerance = 1e-9);

/// What is to be said about a surface before its volume is believed. Faces and vertices are counted
/// from zero, in the order of the surface as given.
struct SurfaceReport {
    struct Edge {
        Vec3<double> a, b;
        std::vector<int> faces; // those that meet here
    };

    int vertices = 0, faces = 0;
    int merged = 0;                // vertices welded into others
    std::vector<int> not_finite;   // vertices with a NaN or an infinity
    std::vector<int> out_of_range; // faces that name a vertex which is not there
    std::vector<int> degenerate;   // faces that have no area: they add nothing, and are forgiven
    std::vector<std::array<int, 2>> twins;    // pairs of faces with the same three corners
    std::vector<std::array<int, 2>> repeated; // those of them that face the same way: count twice
    std::vector<Edge> open;                   // one face, and nothing on the other side
    std::vector<Edge> crowded;                // more than two faces (non-manifold)
    std::vector<Edge> unbalanced; // those of them that as many faces do not run each way
    std::vector<Edge> reversed;   // two faces that disagree which side is out
    std::vector<double> shells;   // the volume of each connected part, in order of first face
    std::vector<int> inside_out;  // shells that face inwards without being a cavity
    std::vector<int> doubled;     // shells inside another one that is full already
    Welded as_welded;             // the surface that was looked at

    /// Every face has a neighbour across each edge, and all agree which side is out.
    bool closed() const;
    double volume() const;
    /// All that speaks against integrating it, with numbers and places; none if it may be.
    Problems problems(const std::string& place) const;
};

SurfaceReport inspect(const Surface& surface);

/// Mass, centre and inertia of what the surface encloses, or everything that is wrong with it.
Result<MassProperties> mass_of_surface(const Surface& surface, double density,
                                       const std::string& place = "surface");

} // namespace poinsot
