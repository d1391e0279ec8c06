// SPDX-License-Identifier: MIT
#pragma once

// What the kernels need of a body's mass.
//
// A particle has zero inertia and zero inverse inertia: torque does not turn it. Rotors that a
// torque drives are in the mass and, but for their spin, in the inertia (model/rotor.hpp).
//
// Where mass varies, the centre moves in the body, and what flows inside has momenta of its own,
// which are part of the body's (state/weighed.hpp).

#include "poinsot/math/rotation.hpp"

namespace poinsot {

struct BodyMass {
    double m, inv_m;
    Vec3<double> center;         // of mass, in the body frame
    Sym3<double> I_b, inv_I_b;   // about the centre of mass, body axes
    Vec3<double> principal;      // principal moments, ascending
    Quat<double> principal_axes; // maps principal axes to body axes

    bool varies = false;                        // the body has tanks
    bool flows = false;                         // and something flows now
    Vec3<double> center_rate = zero3<double>(); // ċ
    Vec3<double> flow_p = zero3<double>();      // momentum of what flows, against the body
    Vec3<double> flow_L = zero3<double>();      // its angular momentum about the centre of mass
};

/// to = from, number by number: compilers make a string instruction of the copy of so large a
/// struct, which takes longer to begin than this takes in all.
inline void copy_mass(const BodyMass& from, BodyMass& to)
{
    to.m = from.m;
    to.inv_m = from.inv_m;
    to.center = from.center;
    to.I_b = from.I_b;
    to.inv_I_b = from.inv_I_b;
    to.principal = from.principal;
    to.principal_axes = from.principal_axes;
    to.varies = from.varies;
    to.flows = from.flows;
    to.center_rate = from.center_rate;
    to.flow_p = from.flow_p;
    to.flow_L = from.flow_L;
}

} // namespace poinsot
