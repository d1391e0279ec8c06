// SPDX-License-Identifier: MIT
#include "poinsot/mass/solids.hpp"

#include <cmath>
#include <numbers>

namespace poinsot {

namespace {

using std::numbers::pi;

// A body that is round about z, its centre of mass at height z.
MassProperties round_body(double m, double z, double I_xx, double I_zz)
{
    return {m, {0, 0, z}, diagonal(I_xx, I_xx, I_zz)};
}

void promise(double size, double density)
{
    check(size > 0 && std::isfinite(size), "the sizes of a solid are positive and finite");
    check(density > 0 && std::isfinite(density), "the density of a solid is positive and finite");
}

} // namespace

// ---- solids -------------------------------------------------------------------------------------

MassProperties solid_box(const Vec3<double>& sides, double density)
{
    const auto [a, b, c] = sides;
    promise(min(a, min(b, c)), density);
    const double m = density * a * b * c;
    return {m, zero3<double>(), m / 12 * diagonal(b * b + c * c, a * a + c * c, a * a + b * b)};
}

MassProperties solid_ball(double radius, double density)
{
    return solid_ellipsoid({radius, radius, radius}, density);
}

MassProperties solid_ellipsoid(const Vec3<double>& half_axes, double density)
{
    const auto [a, b, c] = half_axes;
    promise(min(a, min(b, c)), density);
    const double m = density * 4 / 3 * pi * a * b * c;
    return {m, zero3<double>(), m / 5 * diagonal(b * b + c * c, a * a + c * c, a * a + b * b)};
}

MassProperties solid_cylinder(double radius, double height, double density)
{
    promise(min(radius, height), density);
    const double r2 = radius * radius, h2 = height * height;
    const double m = density * pi * r2 * height;
    return round_body(m, 0, m * (3 * r2 + h2) / 12, m * r2 / 2);
}

// A cylinder, and two half balls whose centres of mass are 3r/8 beyond its ends. About its own
// centre of mass a half ball has I_xx = (2/5 − 9/64) m r² = 83/320 m r² and I_zz = 2/5 m r².
MassProperties solid_capsule(double radius, double height, double density)
{
    promise(radius, density);
    check(height >= 0 && std::isfinite(height), "the height of a capsule is not negative");
    const double r2 = radius * radius, h2 = height * height;
    const double tube = density * pi * r2 * height, ends = density * 4 / 3 * pi * r2 * radius;
    const double out = height / 2 + 3 * radius / 8;
    return round_body(tube + ends, 0,
                      tube * (3 * r2 + h2) / 12 + ends * (83.0 / 320 * r2 + out * out),
                      tube * r2 / 2 + ends * 2 / 5 * r2);
}

MassProperties solid_cone(double radius, double height, double density)
{
    return solid_frustum(radius, 0, height, density);
}

// The disc at height z has radius r(z) = a + (b − a) z/h. With q = a² + ab + b²:
//
//     m    = ρπ ∫ r² dz             = ρπh q/3
//     z_C  = ρπ/m ∫ z r² dz         = h (a² + 2ab + 3b²)/(4q)
//     I_zz = ½ρπ ∫ r⁴ dz            = ρπh (a⁴ + a³b + a²b² + ab³ + b⁴)/10
//     I_xx = ½I_zz + ρπ ∫ (z − z_C)² r² dz
//          = ½I_zz + 3/80 m h² (a⁴ + 4a³b + 10a²b² + 4ab³ + b⁴)/q²
MassProperties solid_frustum(double base, double top, double height, double density)
{
    promise(min(max(base, top), height), density);
    check(base >= 0 && top >= 0 && std::isfinite(base + top), "a radius is not negative");
    const double a = base, b = top, h = height;
    const double a2 = a * a, b2 = b * b, ab = a * b, q = a2 + ab + b2;
    const double m = density * pi * h * q / 3;
    const double z = h * (a2 + 2 * ab + 3 * b2) / (4 * q);
    const double I_zz = density * pi * h * (a2 * a2 + ab * (a2 + ab + b2) + b2 * b2) / 10;
    const double along =
        3 * m * h * h * (a2 * a2 + ab * (4 * a2 + 10 * ab + 4 * b2) + b2 * b2) / (80 * q * q);
    return round_body(m, z, I_zz / 2 + along, I_zz);
}

MassProperties solid_torus(double major_radius, double minor_radius, double density)
{
    promise(minor_radius, density);
    check(major_radius >= minor_radius && std::isfinite(major_radius),
          "the tube of a torus does not reach through its axis");
    const double R2 = major_radius * major_radius, r2 = minor_radius * minor_radius;
    const double m = density * 2 * pi * pi * major_radius * r2;
    return round_body(m, 0, m * (R2 / 2 + 5 * r2 / 8), m * (R2 + 3 * r2 / 4));
}

// With c = (v0 + v1 + v2 + v3)/4 the second moments about the centre are m/20 Σ (v_i − c)(v_i −
// c)ᵀ.
MassProperties solid_tetrahedron(const std::array<Vec3<double>, 4>& corners, double density)
{
    const auto& [v0, v1, v2, v3] = corners;
    const Vec3<double> a = v1 - v0, b = v2 - v0, c = v3 - v0;
    const double volume = abs(dot(a, cross(b, c))) / 6;
    promise(volume, density);
    const double m = density * volume;
    const Vec3<double> out = 0.25 * (a + b + c); // from v0 to the centre
    const Sym3<double> S =
        m / 20 * (square(out) + square(a - out) + square(b - out) + square(c - out));
    return {m, v0 + out, inertia_of_second_moments(S)};
}

// ---- shells -------------------------------------------------------------------------------------

// Three pairs of plates. A pair of sides b, c at x = ±a/2 has
//
//     I_xx = m (b² + c²)/12,   I_yy = m (c²/12 + a²/4),   I_zz = m (b²/12 + a²/4)
MassProperties shell_box(const Vec3<double>& sides, double mass_per_area)
{
    const auto [a, b, c] = sides;
    promise(min(a, min(b, c)), mass_per_area);
    const double a2 = a * a, b2 = b * b, c2 = c * c;
    const double m_x = 2 * mass_per_area * b * c, m_y = 2 * mass_per_area * a * c,
                 m_z = 2 * mass_per_area * a * b;
    return {m_x + m_y + m_z, zero3<double>(),
            diagonal(m_x * (b2 + c2) / 12 + m_y * (c2 / 12 + b2 / 4) + m_z * (b2 / 12 + c2 / 4),
                     m_x * (c2 / 12 + a2 / 4) + m_y * (a2 + c2) / 12 + m_z * (a2 / 12 + c2 / 4),
                     m_x * (b2 / 12 + a2 / 4) + m_y * (a2 / 12 + b2 / 4) + m_z * (a2 + b2) / 12)};
}

MassProperties shell_ball(double radius, double mass_per_area)
{
    promise(radius, mass_per_area);
    const double m = mass_per_area * 4 * pi * radius * radius;
    return round_body(m, 0, 2 * m * radius * radius / 3, 2 * m * radius * radius / 3);
}

MassProperties shell_cylinder(double radius, double height, double mass_per_area)
{
    promise(min(radius, height), mass_per_area);
    const double r2 = radius * radius, h2 = height * height;
    const double tube = mass_per_area * 2 * pi * radius * height;
    const double discs = mass_per_area * 2 * pi * r2;
    return round_body(tube + discs, 0, tube * (r2 / 2 + h2 / 12) + discs * (r2 + h2) / 4,
                      tube * r2 + discs * r2 / 2);
}

// A tube, and two half spheres whose centres of mass are r/2 beyond its ends. About its own centre
// of mass a half sphere has I_xx = (2/3 − 1/4) m r² = 5/12 m r² and I_zz = 2/3 m r².
MassProperties shell_capsule(double radius, double height, double mass_per_area)
{
    promise(radius, mass_per_area);
    check(height >= 0 && std::isfinite(height), "the height of a capsule is not negative");
    const double r2 = radius * radius, h2 = height * height;
    const double tube = mass_per_area * 2 * pi * radius * height;
    const double ends = mass_per_area * 4 * pi * r2;
    const double out = (height + radius) / 2;
    return round_body(tube + ends, 0, tube * (r2 / 2 + h2 / 12) + ends * (5 * r2 / 12 + out * out),
                      tube * r2 + ends * 2 * r2 / 3);
}

// The mantle has its centre at a third of the height, I_zz = m r²/2 and I_xx = m (r²/4 + h²/18).
MassProperties shell_cone(double radius, double height, double mass_per_area)
{
    promise(min(radius, height), mass_per_area);
    const double r2 = radius * radius, h2 = height * height;
    const double mantle = mass_per_area * pi * radius * std::sqrt(r2 + h2);
    const double disc = mass_per_area * pi * r2;
    return joined(round_body(mantle, height / 3, mantle * (r2 / 4 + h2 / 18), mantle * r2 / 2),
                  round_body(disc, 0, disc * r2 / 4, disc * r2 / 2));
}

} // namespace poinsot
