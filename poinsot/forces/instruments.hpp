// SPDX-License-Identifier: MIT
#pragma once

// What a pilot reads of a body: where it is over the planet and how it moves against it, how its
// nose points against the horizon, and how it meets the air at its centre of mass.

#include "poinsot/forces/aero.hpp"

namespace poinsot {

struct Instruments : Flight {
    Airflow<double> air{}; // without air: against what moves with the planet, at Mach 0
};

/// Which way is forward, right and down in a body: the axes of the first coefficients it has,
/// else its own.
Quat<double> flight_axes(const std::vector<Aerodynamics>& aerodynamics, int body);

/// Of a body with those axes at time t. Over a flat planet latitude and longitude are zero.
Instruments instruments_of(const Planet& planet, const Air& air, const Quat<double>& axes,
                           const PlacedBody& body, double t);

} // namespace poinsot
