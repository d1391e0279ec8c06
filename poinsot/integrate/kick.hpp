// SPDX-License-Identifier: MIT
#pragma once

// Free flight and kicks: the two halves of every step that splits them. Between kicks bodies fly
// freely and exactly; a kick changes p and L at a frozen configuration, and its work is
// J · (u + u')/2, to rounding.

#include "poinsot/integrate/system.hpp"

namespace poinsot {

/// The motion of a placed body after a load for a time h, at a frozen configuration.
inline void push(PlacedBody& at, const Wrench<double>& W, double h)
{
    set_motion(at, at.p + h * W.F, at.L + h * W.tau);
}

/// Kicks the bodies of the system by its loads for a time h, and posts what each cause did.
/// `system.before` has their motion before it.
void kick(System& system, double h, Postings& postings);

/// Where a body's flight ends that begins at y with the motion of `at`.
template <class Form>
Form flown(Form y, const PlacedBody& at, double h);

/// The same for a body whose mass varies, with the mass it has halfway. What flows inside turns the
/// body back by I⁻¹ L_flow, which is fixed in the body:
///
///     turn ½h back, turn ½h freely, move h, turn ½h freely, turn ½h back
///
/// `halfway` becomes the body where it moves.
template <class Form>
Form flown_varying(Form y, const Vec3<double>& p, const Vec3<double>& L, const BodyMass& mass,
                   double h, PlacedBody& halfway);

/// Flies the bodies for a time h: their forms, and as they are placed.
template <class Form>
void fly(std::vector<Form>& bodies, std::vector<PlacedBody>& at, double h)
{
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Form& y = bodies[i];
        y = flown(y, at[i], h);
        const Vec3<double> p = at[i].p, L = at[i].L;
        at[i].x = y.x;
        at[i].R = matrix_of(y.attitude);
        set_motion(at[i], p, L);
    }
}

/// The motion of placed bodies as their forms keep it.
template <class Form>
void keep_motion(const std::vector<PlacedBody>& at, std::vector<Form>& bodies)
{
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if constexpr (std::same_as<Form, VelocityForm<double>>) {
            first(bodies[i]) = at[i].v;
            second(bodies[i]) = angular_velocity_of(at[i].R, at[i].mass, at[i].L);
        } else {
            first(bodies[i]) = at[i].p;
            second(bodies[i]) = at[i].L;
        }
    }
}

} // namespace poinsot
