// SPDX-License-Identifier: MIT
#pragma once

// Mass by point sampling, and by the bounding box: the cheap estimates.
//
// Points are put into a box that holds the body, at random or on a regular grid, and those that
// fall inside carry their share of the volume. All that is needed is a way to tell inside from
// outside.
//
//     V ≈ V_box k/N,   c ≈ Σ x/k,   S ≈ (V_box/N) Σ (x − c)(x − c)ᵀ      over the k inside of N
//
// Random points err as N^−1/2 whatever the shape. A grid errs by the cells the boundary cuts: at
// worst all of them the same way, N^−1/3, where faces lie along the grid; on round bodies the
// errors partly cancel and it does better. The exact integrals (surface.hpp) cost one visit per
// face; use these where there is no closed surface, only a question "is this point inside?".

#include "poinsot/mass/surface.hpp"

#include <cstdint>
#include <functional>

namespace poinsot {

/// Is this point inside the body?
using Inside = std::function<bool(const Vec3<double>&)>;

/// Inside or outside of a closed surface, by the parity of the faces that a ray along +z crosses.
/// Faces are filed by the cells of a grid across the ray, so a question costs the faces of one
/// cell. Which of two faces a ray through their common edge meets is decided by the edge alone, so
/// that no ray slips between faces or meets both.
class InsideSurface {
  public:
    /// The caller promises a closed surface (`inspect`); it is copied.
    explicit InsideSurface(const Surface& surface);
    bool operator()(const Vec3<double>& r) const;

  private:
    std::size_t cell_of(double x, double lo, double size) const;

    Surface surface_;
    Bounds box_;
    std::size_t cells_; // along x and along y
    std::vector<std::size_t> begin_;
    std::vector<int> faces_; // those of cell i are faces_[begin_[i]] up to faces_[begin_[i + 1]]
};

struct Sampled {
    MassProperties body;
    double volume;
    // One standard error of each number for random points; for a grid the bound of half a cell
    // along the whole boundary.
    double mass_error, volume_error;
    Vec3<double> center_error;
    Sym3<double> inertia_error;
    Sym3<double> inertia_per_mass_error; // of inertia/mass, for whoever knows the mass
    std::int64_t samples, inside;
};

/// N random points from a generator of our own: the same seed gives the same points everywhere. The
/// error comes from the spread of 64 equal batches with one left out at a time (the jackknife).
/// Refuses when fewer than a hundred points fall inside: there is no error estimate then.
Result<Sampled> sample_random(const Inside& inside, const Bounds& box, double density,
                              std::int64_t samples, std::uint64_t seed = 1,
                              const std::string& place = "sampling");

/// The middles of about N cells, as near to cubes as the box allows.
Result<Sampled> sample_grid(const Inside& inside, const Bounds& box, double density,
                            std::int64_t samples, const std::string& place = "sampling");

/// A box of the same bounds, full of material. An upper limit of the mass, and with the mass known,
/// inertia_xx/m = (b² + c²)/12 of the box for that of the body.
Result<MassProperties> bounding_box_estimate(const Bounds& box, double density,
                                             const std::string& place = "bounding box");

} // namespace poinsot
