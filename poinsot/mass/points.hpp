// SPDX-License-Identifier: MIT
#pragma once

// Systems of point masses: the sums all else is checked against.
//
//     m   = Σ m_i                            C = Σ m_i x_i / m,   v_C = Σ m_i v_i / m
//     p   = Σ m_i v_i = m v_C
//     L_A = Σ (x_i − A) × m_i v_i            absolute: the velocities are those of the frame
//     L_A = Σ (x_i − A) × m_i (v_i − v_A)    relative to a moving A; less by m (C − A) × v_A
//     τ_A = Σ (x_i − A) × E_i                of external forces E
//     I_A = Σ m_i (r·r 1 − r rᵀ) = −Σ m_i [r×][r×],   r = x_i − A
//
// The two momenta agree where A is at rest or at the centre of mass. dL_A/dt = τ_A belongs to the
// absolute one about a fixed A.
//
// A system moves rigidly at an instant when one speed function fits all points,
//
//     v_i = V(x_i) = v + ω × x_i             v is the speed at the origin, not of any particle

#include "poinsot/mass/inertia.hpp"

#include <span>

namespace poinsot {

struct PointMass {
    double m;
    Vec3<double> x, v; // position, velocity
};

using PointMasses = std::span<const PointMass>;

double total_mass(PointMasses points);
/// The caller promises that the total mass is positive, here and in all that follows C.
Vec3<double> center_of_mass(PointMasses points);
Vec3<double> velocity_of_center(PointMasses points);
Vec3<double> linear_momentum(PointMasses points);
/// L_A with absolute velocities, A being a place of the frame.
Vec3<double> angular_momentum(PointMasses points, const Vec3<double>& A);
/// L_A with velocities relative to the point A that moves with v_A.
Vec3<double> angular_momentum(PointMasses points, const Vec3<double>& A, const Vec3<double>& v_A);
/// p, and L about the place A.
Momentum<double> momentum(PointMasses points, const Vec3<double>& A);
double kinetic_energy(PointMasses points);

/// ΣE, of one force per point.
Vec3<double> total_force(std::span<const Vec3<double>> E);
/// τ_A of one force per point.
Vec3<double> total_torque(PointMasses points, std::span<const Vec3<double>> E,
                          const Vec3<double>& A);

/// I_A = Σ m (r·r 1 − r rᵀ).
Sym3<double> inertia(PointMasses points, const Vec3<double>& A);
/// The same by components: I_xx = Σ m (r_y² + r_z²), I_xy = −Σ m r_x r_y, and so on.
Sym3<double> inertia_by_components(PointMasses points, const Vec3<double>& A);
/// The same by the cross-product matrix: −Σ m [r×][r×].
Sym3<double> inertia_by_skew(PointMasses points, const Vec3<double>& A);
/// S_A = Σ m r rᵀ.
Sym3<double> second_moments(PointMasses points, const Vec3<double>& A);
/// Mass, centre and the inertia about it.
MassProperties mass_properties(PointMasses points);

/// The speed function nearest to the velocities, in the sense of kinetic energy, and what it
/// misses.
struct RigidMotion {
    Twist<double> V;  // at the origin of the frame: V(x) = v + ω × x
    double deviation; // the largest |v_i − V(x_i)|

    Vec3<double> velocity(const Vec3<double>& x) const { return shift(V, x).v; }
};

/// v_C and ω = I_C⁻¹ L_C, which are the nearest. Points on one line, or in one place, do not tell
/// the spin about it: that part of ω is taken as zero.
RigidMotion rigid_motion(PointMasses points);

/// Does one rigid speed function fit all points, up to a fraction of the largest velocity? The
/// default forgives rounding only.
bool moves_rigidly(PointMasses points, double tolerance = 1e-12);

} // namespace poinsot
