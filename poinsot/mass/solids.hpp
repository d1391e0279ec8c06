// SPDX-License-Identifier: MIT
#pragma once

// Mass properties in closed form: solids of uniform density ρ, and thin closed shells of uniform
// mass per area σ. To give a mass instead, take any density and say with_mass(…, m).
//
// Where they stand: box, ball, ellipsoid, cylinder, capsule and torus have their centre at the
// origin, a cone and a frustum the centre of their base, the rest of them above it. The axis of all
// that are round is z. `moved` (inertia.hpp) puts them elsewhere.
//
//     box        a, b, c full sides            I_xx = m (b² + c²)/12
//     ball       radius r                      I = 2/5 m r²
//     ellipsoid  a, b, c half axes             I_xx = m (b² + c²)/5
//     cylinder   r, height h                   I_zz = m r²/2,          I_xx = m (3r² + h²)/12
//     cone       r of the base, h              I_zz = 3/10 m r²,       I_xx = m (12r² + 3h²)/80
//     torus      R to the tube's middle, r     I_zz = m (R² + ¾ r²),   I_xx = m (½ R² + ⅝ r²)
//
// Sizes and densities are promised to be positive numbers (a capsule may have no height, a frustum
// one radius zero): whoever takes them from a user asks first.

#include "poinsot/geometry/hull.hpp"
#include "poinsot/mass/inertia.hpp"
#include "poinsot/mass/surface.hpp"

#include <array>
#include <span>

namespace poinsot {

MassProperties solid_box(const Vec3<double>& sides, double density);
MassProperties solid_ball(double radius, double density);
MassProperties solid_ellipsoid(const Vec3<double>& half_axes, double density);
MassProperties solid_cylinder(double radius, double height, double density);
/// A cylinder of that height with a half ball on either end: height + 2 radius from tip to tip.
MassProperties solid_capsule(double radius, double height, double density);
MassProperties solid_cone(double radius, double height, double density);
/// A cone cut off: `base` is the radius at z = 0, `top` the one at z = height.
MassProperties solid_frustum(double base, double top, double height, double density);
MassProperties solid_torus(double major_radius, double minor_radius, double density);
/// Any four corners that are not in one plane, in any order.
MassProperties solid_tetrahedron(const std::array<Vec3<double>, 4>& corners, double density);

/// The convex hull of points. Needs component `hull`.
inline Result<MassProperties> solid_hull(std::span<const Vec3<double>> points, double density,
                                         const std::string& place = "hull")
{
    const auto surface = convex_hull(points, place);
    if (!surface)
        return surface.problems();
    return mass_of_surface(*surface, density, place);
}

/// A solid with a hole in the shape of another, smaller one of the same density.
inline Result<MassProperties> hollow(const MassProperties& outer, const MassProperties& hole,
                                     const std::string& place = "hollow body")
{
    return without(outer, hole, place);
}

// Thin closed shells: the walls of the solids above, all of one thickness that is small.

MassProperties shell_box(const Vec3<double>& sides, double mass_per_area);
MassProperties shell_ball(double radius, double mass_per_area);
/// With both end discs.
MassProperties shell_cylinder(double radius, double height, double mass_per_area);
MassProperties shell_capsule(double radius, double height, double mass_per_area);
/// With its base disc.
MassProperties shell_cone(double radius, double height, double mass_per_area);

} // namespace poinsot
