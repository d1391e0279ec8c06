// SPDX-License-Identifier: MIT
#pragma once

// Mass, centre and inertia of a body; parallel axes; joining and splitting.
//
//     I   = ∫ρ (r·r 1 − r rᵀ) dV          about the centre of mass C, in the axes of the frame
//     I_A = I + m (d·d 1 − d dᵀ)          parallel axes, d = r_C − r_A
//     S   = ∫ρ r rᵀ dV                    second moments, about the same point as I:
//     I   = tr(S) 1 − S,   S = ½ tr(I) 1 − I
//
// Two bodies a and b become one, and one becomes two, by the distance of their centres alone, so
// that a body far from the origin keeps its digits:
//
//     m = m_a + m_b,   c = c_a + (m_b/m) d,   d = c_b − c_a
//     I = I_a + I_b + (m_a m_b/m) (d·d 1 − d dᵀ)

#include "poinsot/base/result.hpp"
#include "poinsot/math/pose.hpp"
#include "poinsot/math/spatial.hpp"

#include <span>

namespace poinsot {

struct MassProperties {
    double mass;
    Vec3<double> center;  // of mass, in the frame
    Sym3<double> inertia; // about the centre of mass, in the axes of the frame

    friend bool operator==(const MassProperties&, const MassProperties&) = default;
};

/// A point mass that sits at the centre and has no inertia of its own.
inline MassProperties point_mass(double mass, const Vec3<double>& x)
{
    return {mass, x, diagonal(0.0, 0.0, 0.0)};
}

// ---- parallel axes ------------------------------------------------------------------------------

/// I_A = I + m (d·d 1 − d dᵀ): the inertia about any point A of the frame.
inline Sym3<double> inertia_about(const MassProperties& body, const Vec3<double>& A)
{
    return about_displaced(body.inertia, body.mass, body.center - A);
}
/// The way back, I = I_A − m (d·d 1 − d dᵀ). It loses digits where A is far from the centre; what
/// comes out may be an inertia that no body has, and `can_exist` (principal.hpp) tells.
inline MassProperties from_inertia_about(double mass, const Vec3<double>& center,
                                         const Vec3<double>& A, const Sym3<double>& I_A)
{
    return {mass, center, about_displaced(I_A, -mass, center - A)};
}

// ---- second moments -----------------------------------------------------------------------------

/// I = tr(S) 1 − S.
constexpr Sym3<double> inertia_of_second_moments(const Sym3<double>& S)
{
    return {S.yy + S.zz, S.xx + S.zz, S.xx + S.yy, -S.xy, -S.xz, -S.yz};
}
/// S = ½ tr(I) 1 − I. Its eigenvalues are not negative where the body exists.
constexpr Sym3<double> second_moments_of_inertia(const Sym3<double>& I)
{
    return {0.5 * (I.yy + I.zz - I.xx),
            0.5 * (I.xx + I.zz - I.yy),
            0.5 * (I.xx + I.yy - I.zz),
            -I.xy,
            -I.xz,
            -I.yz};
}
/// S_A = S + m d dᵀ about any point A of the frame, as a mass times a length squared.
inline Sym3<double> second_moments_about(const MassProperties& body, const Vec3<double>& A)
{
    return second_moments_of_inertia(body.inertia) + body.mass * square(body.center - A);
}
/// M = (1/m) ∫ρ r rᵀ dV about the origin of the frame: the matrix M_i of the formula for angular
/// momentum in joint coordinates, L = Σ m_i cr(R_i M_i Ṙ_iᵀ + …) [Liu, (13)]. It is the mean; the
/// document prints the integral, with which (13) does not hold.
inline Sym3<double> mean_second_moments(const MassProperties& body)
{
    return 1 / body.mass * second_moments_about(body, zero3<double>());
}
/// The body of given mass and centre whose second moments about the point A are S_A.
inline MassProperties from_second_moments_about(double mass, const Vec3<double>& center,
                                                const Vec3<double>& A, const Sym3<double>& S_A)
{
    return {mass, center, inertia_of_second_moments(S_A - mass * square(center - A))};
}

// ---- other views of the same body ---------------------------------------------------------------

/// The body carried along by a pose: what was at r is at x + q r q*. Also the same body seen from
/// another frame, when the pose is that of the old frame in the new one.
inline MassProperties moved(const MassProperties& body, const Pose<double>& pose)
{
    return {body.mass, place(pose, body.center), congruent(matrix_of(pose.q), body.inertia)};
}
inline MassProperties moved(const MassProperties& body, const Vec3<double>& by)
{
    return {body.mass, body.center + by, body.inertia};
}
/// The same distribution with masses times `mass` and lengths times `length`: another unit, another
/// density (length 1), another size of the same material (mass = length³).
inline MassProperties rescaled(const MassProperties& body, double mass, double length)
{
    return {mass * body.mass, length * body.center, mass * length * length * body.inertia};
}
/// The same body made of a material such that its mass is m.
inline MassProperties with_mass(const MassProperties& body, double m)
{
    check(body.mass > 0, "a body without mass has no distribution to rescale");
    const double factor = m / body.mass;
    return {m, body.center, factor * body.inertia};
}
/// A similar body of the same material, all lengths (from the origin of the frame) times s:
/// mass goes with s³, inertia with s⁵.
inline MassProperties enlarged(const MassProperties& body, double s)
{
    return rescaled(body, s * s * s, s);
}
/// As the dynamics takes it, about the origin of the frame.
inline SpatialInertia<double> spatial_inertia(const MassProperties& body)
{
    return {body.mass, body.center, body.inertia};
}

// ---- joining and splitting ----------------------------------------------------------------------

/// The two bodies as one. Bodies without mass are allowed, and add nothing.
inline MassProperties joined(const MassProperties& a, const MassProperties& b)
{
    const double m = a.mass + b.mass;
    if (m == 0)
        return {0, a.center, a.inertia + b.inertia};
    const Vec3<double> d = b.center - a.center;
    return {m, mul_add(b.mass / m, d, a.center),
            about_displaced(a.inertia + b.inertia, a.mass * (b.mass / m), d)};
}
/// All of them as one, joined in the order given.
inline MassProperties joined(std::span<const MassProperties> bodies)
{
    check(!bodies.empty(), "joined() of no bodies");
    MassProperties all = bodies.front();
    for (const MassProperties& body : bodies.subspan(1))
        all = joined(all, body);
    return all;
}

/// What remains of a body when a part is taken out of it, or a hole is cut: the b of
/// joined(part, b) = whole. Says why when nothing that can exist remains.
Result<MassProperties> without(const MassProperties& whole, const MassProperties& part,
                               const std::string& place = "what remains");

} // namespace poinsot
