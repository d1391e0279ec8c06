// SPDX-License-Identifier: MIT
#pragma once

// Principal axes, and whether an inertia can exist.
//
//     I = A diag(I1, I2, I3) Aᵀ           A a rotation, its columns the principal axes
//
// A body exists for I exactly when its second moments S = ½ tr(I) 1 − I are those of a mass
// distribution, that is when S is positive semidefinite:
//
//     ½ (I2 + I3 − I1) ≥ 0,   ½ (I1 + I3 − I2) ≥ 0,   ½ (I1 + I2 − I3) ≥ 0
//
// No moment exceeds the sum of the other two. That no moment is negative follows. Equality is a
// flat body (I1 + I2 = I3), a rod (I1 = 0, I2 = I3) or a point (all zero).

#include "poinsot/math/rotation.hpp"

#include <string>

namespace poinsot {

struct PrincipalAxes {
    Vec3<double> moments; // ascending
    Mat3<double> axes; // a proper rotation: its columns are the axes, in the order of the moments

    /// The attitude of the principal frame: maps principal coordinates to those of the frame.
    Quat<double> rotation() const { return quat_of(axes); }
};

/// The same tensor always gives the same axes: of the first and of the second, the first component
/// that is at least half as long as the longest is positive; the third is their cross product. A
/// tensor that is diagonal (products up to one rounding of its trace) gives the axes of the frame,
/// in ascending order of its moments; so a diagonal ascending one gives exactly the identity.
PrincipalAxes principal_axes(const Sym3<double>& I);

/// The rounding that `can_exist` forgives, as a fraction of the largest diagonal entry: enough for
/// an inertia that was summed, turned and shifted, not for one that was typed with six digits.
inline constexpr double existence_allowance = 1e-9;

/// Is there a body with this inertia about its centre of mass? Flat bodies, rods and points count.
bool can_exist(const Sym3<double>& I, double allowance = existence_allowance);

/// Why no body has this inertia, in words with numbers; empty where one does. The allowance is
/// absolute, in the unit of the inertia; negative stands for the default of can_exist.
std::string why_cannot_exist(const Sym3<double>& I, double absolute_allowance = -1);

} // namespace poinsot
