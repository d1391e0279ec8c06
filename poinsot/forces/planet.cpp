// SPDX-License-Identifier: MIT
#include "poinsot/forces/planet.hpp"

namespace poinsot {

FlightMotion motion_of(const Planet& planet, const Flight& flight, double t)
{
    const Geodetic<double>& at = flight.at;
    const Vec3<double> fixed = cartesian(planet, at);
    const Quat<double> spin = exp_quat<double>({0, 0, planet.rotation * t});
    const Vec3<double> x = rotate(spin, fixed);
    const auto [sin_lat, cos_lat] = sin_cos(at.latitude);
    const auto [sin_lon, cos_lon] = sin_cos(at.longitude);
    const Mat3<double> ned = north_east_down(sin_lat, cos_lat, sin_lon, cos_lon);
    const Quat<double> attitude = exp_quat<double>({0, 0, flight.yaw}) *
                                  exp_quat<double>({0, flight.pitch, 0}) *
                                  exp_quat<double>({flight.roll, 0, 0});
    const Quat<double> q = normalised(spin * quat_of(ned) * attitude);
    return {{x, q},
            carried_velocity(planet, x) + rotate(spin, ned * flight.velocity),
            rotate(q, flight.body_rates)};
}

Flight flight_of(const Planet& planet, const Vec3<double>& x, const Mat3<double>& R,
                 const Vec3<double>& v, const Vec3<double>& omega, double t)
{
    Flight flight;
    flight.at = planet.flat
                    ? Geodetic<double>{0, 0, x.z}
                    : geodetic(planet, rotate(exp_quat<double>({0, 0, -planet.rotation * t}), x));
    const Mat3<double> ned = horizon(planet, x).ned;
    flight.velocity = transpose_times(ned, v - carried_velocity(planet, x));
    flight.body_rates = transpose_times(R, omega);
    // A = Rz(yaw) Ry(pitch) Rx(roll); straight up or down only yaw ∓ roll is known: roll is zero.
    const Mat3<double> A = transpose(ned) * R;
    const Vec3<double> ex = A * Vec3<double>{1, 0, 0}, ey = A * Vec3<double>{0, 1, 0},
                       ez = A * Vec3<double>{0, 0, 1};
    const double level = sqrt(ex.x * ex.x + ex.y * ex.y);
    flight.pitch = poinsot::atan2(-ex.z, level);
    if (level > 1e-12) { // rounding of A leaves less than that where the nose points up
        flight.yaw = poinsot::atan2(ex.y, ex.x);
        flight.roll = poinsot::atan2(ey.z, ez.z);
    } else
        flight.yaw = poinsot::atan2(-ey.x, ey.y);
    return flight;
}

} // namespace poinsot
