// SPDX-License-Identifier: MIT
#pragma once

// A part that spins in a body: a propeller, a turbine, a flywheel, a reaction wheel.
//
// It is balanced: its centre of mass is on its axis and it looks the same from all sides of it, so
// spinning moves no mass, and where in the body the axis lies says nothing of the motion. Mass and
// inertia of the body are those with its rotors in it, as weighed when they stand still. What a
// rotor does is in forces/gyrostat.hpp.

#include "poinsot/base/result.hpp"
#include "poinsot/model/body.hpp"
#include "poinsot/model/joint.hpp"

#include <limits>

namespace poinsot {

struct Rotor {
    std::string name;
    int body = 0;
    Vec3<double> axis{0, 0, 1}; // in the body frame; in a model of unit length
    double inertia = 0;         // kg m², about its axis
    double spin = 0;            // rad/s, against the body, at the start
    /// Where it is, in the body frame: its motion does not ask, but who cuts the body does.
    std::optional<Vec3<double>> at = {};

    /// What drives it: a torque from the body, for from ≤ t < until,
    Course torque = {};
    double from = 0;
    double until = std::numeric_limits<double>::infinity();
    /// or whatever it takes to keep this speed against the body.
    std::optional<Course> speed = {};

    /// Is it the speed that is given? It then goes with the body but for a known motion.
    bool prescribed() const { return speed.has_value(); }
    /// Does nothing of the model change its momentum? It is then the same at any time.
    bool coasts() const
    {
        return prescribed() ? speed->rate == 0 && speed->amplitude == 0
                            : torque.value == 0 && torque.rate == 0 && torque.amplitude == 0;
    }
    /// The torque of its drive at time t, on or off by `active_at`.
    double torque_at(double t, double active_at) const
    {
        return active_at < from || active_at >= until ? 0 : torque.at(t);
    }
};

/// Names what is wrong with them, for the Builder.
void inspect_rotors(const std::vector<Body>& bodies, const std::vector<Rotor>& rotors,
                    Problems& found);

/// The inertia that turns with a body: all of it, less what spins freely about its axes.
///
///     I* = I − Σ J a aᵀ                        over rotors that a torque drives
Sym3<double> carried_inertia(const Sym3<double>& inertia, const std::vector<Rotor>& rotors,
                             int body);

} // namespace poinsot
