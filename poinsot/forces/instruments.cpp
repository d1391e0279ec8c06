// SPDX-License-Identifier: MIT
#include "poinsot/forces/instruments.hpp"

namespace poinsot {

Quat<double> flight_axes(const std::vector<Aerodynamics>& aerodynamics, int body)
{
    for (const Aerodynamics& described : aerodynamics)
        if (described.body == body)
            return described.frame.q;
    return identity_quat<double>();
}

Instruments instruments_of(const Planet& planet, const Air& air, const Quat<double>& axes,
                           const PlacedBody& body, double t)
{
    Aerodynamics at_center;
    at_center.frame = {body.mass.center, axes};
    const Flight flight =
        flight_of(planet, body.x, body.R * matrix_of(axes), body.v, body.omega, t);
    return {flight, airflow_at(at_center, planet, air, body, t)};
}

} // namespace poinsot
