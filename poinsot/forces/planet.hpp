// SPDX-License-Identifier: MIT
#pragma once

// Shape, rotation and gravitation of a planet.
//
// Geodetic latitude φ, longitude λ and altitude h over an ellipsoid of equatorial radius a and
// flattening f, with e² = f (2 − f) and N = a/√(1 − e² sin²φ):
//
//     x = (N + h) cos φ cos λ      y = (N + h) cos φ sin λ      z = (N (1 − e²) + h) sin φ
//
// and back, with p = √(x² + y²) and the reduced latitude β [Bowring 1976], again and again:
//
//     tan φ = (z + e²/(1 − f) a sin³β)/(p − e² a cos³β)         tan β = (1 − f) tan φ
//     h = p cos φ + z sin φ − a √(1 − e² sin²φ)                 no small divisor at the poles
//
// Gravitation from the potential (per unit of mass, R the length that J2 is given with)
//
//     V = −μ/r (1 − J2 (R/r)² (3 z²/r² − 1)/2)                  g = −∇V
//
// It acts at centres of mass; its gradient over an extended body is left out.

#include "poinsot/math/pose.hpp"
#include "poinsot/math/trig.hpp"
#include "poinsot/model/flight.hpp"

namespace poinsot {

template <Scalar T>
struct Geodetic {
    T latitude, longitude, altitude; // rad, rad, m
};

/// The level plane at a place: how high it is, and the unit vectors north, east, down as columns.
template <Scalar T>
struct Horizon {
    T altitude;
    Mat3<T> ned;
    T sin_latitude, cos_latitude, sin_longitude, cos_longitude; // of a round planet
};

/// North, east and down as columns.
template <Scalar T>
Mat3<T> north_east_down(const T& sin_lat, const T& cos_lat, const T& sin_lon, const T& cos_lon)
{
    return {{-sin_lat * cos_lon, -sin_lon, -cos_lat * cos_lon},
            {-sin_lat * sin_lon, cos_lon, -cos_lat * sin_lon},
            {cos_lat, constant<T>(0.0), -sin_lat}};
}

/// The place in planet-fixed axes. The planet is round.
template <Scalar T>
Vec3<T> cartesian(const Planet& planet, const Geodetic<T>& at)
{
    check(!planet.flat, "latitude and longitude belong to a round planet");
    const T e2 = constant<T>(planet.flattening * (2 - planet.flattening));
    const auto [sin_lat, cos_lat] = sin_cos(at.latitude);
    const auto [sin_lon, cos_lon] = sin_cos(at.longitude);
    const T one = constant<T>(1.0);
    const T N = constant<T>(planet.radius) / sqrt(one - e2 * sin_lat * sin_lat);
    const T p = (N + at.altitude) * cos_lat;
    return {p * cos_lon, p * sin_lon, (N * (one - e2) + at.altitude) * sin_lat};
}

/// The horizon at a place, in the axes that the place is given in: planet-fixed or inertial.
///
/// Six rounds reach rounding for flattenings up to a tenth, from a tenth of the radius below
/// ground to any height (a test measures it); near the centre there is no nearest point.
template <Scalar T>
Horizon<T> horizon(const Planet& planet, const Vec3<T>& x)
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0);
    if (planet.flat)
        return {x.z, {{zero, one, zero}, {one, zero, zero}, {zero, zero, -one}}, zero, one, zero,
                one};
    const double f = planet.flattening, e2 = f * (2 - f);
    const T a = constant<T>(planet.radius), down = constant<T>(1 - f);
    const T pull = constant<T>(e2 / (1 - f)) * a, push = constant<T>(e2) * a;
    const T p = sqrt(x.x * x.x + x.y * x.y);
    const auto off_axis = p > zero;
    const T safe = select(off_axis, p, one);
    const T sin_lon = select(off_axis, x.y / safe, zero);
    const T cos_lon = select(off_axis, x.x / safe, one);

    T s = x.z, c = down * p; // sine and cosine of β, to a factor
    T sin_lat = zero, cos_lat = one;
    for (int round = 0; round < 6; ++round) {
        const T inv = one / sqrt(s * s + c * c);
        const T sin_b = s * inv, cos_b = c * inv;
        const T rise = x.z + pull * (sin_b * sin_b * sin_b);
        const T run = p - push * (cos_b * cos_b * cos_b);
        const T inv_lat = one / sqrt(rise * rise + run * run);
        sin_lat = rise * inv_lat;
        cos_lat = run * inv_lat;
        s = down * sin_lat;
        c = cos_lat;
    }
    const T h = p * cos_lat + x.z * sin_lat - a * sqrt(one - constant<T>(e2) * sin_lat * sin_lat);
    return {h,      north_east_down(sin_lat, cos_lat, sin_lon, cos_lon), sin_lat, cos_lat, sin_lon,
            cos_lon};
}

/// Latitude, longitude and altitude of a place in planet-fixed axes. The planet is round.
template <Scalar T>
Geodetic<T> geodetic(const Planet& planet, const Vec3<T>& x)
{
    check(!planet.flat, "latitude and longitude belong to a round planet");
    const Horizon<T> at = horizon(planet, x);
    return {poinsot::atan2(at.sin_latitude, at.cos_latitude),
            poinsot::atan2(at.sin_longitude, at.cos_longitude), at.altitude};
}

/// Acceleration of free fall in the inertial frame.
template <Scalar T>
Vec3<T> gravitation(const Planet& planet, const Vec3<T>& x)
{
    const T r2 = norm2(x), one = constant<T>(1.0), five = constant<T>(5.0);
    const T k = -(constant<T>(planet.mu) / (r2 * sqrt(r2)));
    const T j = constant<T>(1.5 * planet.J2 * planet.J2_radius * planet.J2_radius) / r2;
    const T sin2 = x.z * x.z / r2;
    const T across = k * (one - j * (five * sin2 - one));
    const T along = k * (one - j * (five * sin2 - constant<T>(3.0)));
    return {across * x.x, across * x.y, along * x.z};
}
/// Potential energy per unit of mass; zero at infinity.
template <Scalar T>
T gravitational_potential(const Planet& planet, const Vec3<T>& x)
{
    const T r2 = norm2(x), one = constant<T>(1.0);
    const T j = constant<T>(0.5 * planet.J2 * planet.J2_radius * planet.J2_radius) / r2;
    return -(constant<T>(planet.mu) / sqrt(r2)) *
           (one - j * (constant<T>(3.0) * x.z * x.z / r2 - one));
}

/// Ω of the planet.
inline Vec3<double> rotation_of(const Planet& planet)
{
    return {0, 0, planet.rotation};
}
/// The velocity of what stands still on the planet at x.
inline Vec3<double> carried_velocity(const Planet& planet, const Vec3<double>& x)
{
    return {-planet.rotation * x.y, planet.rotation * x.x, 0};
}

/// A flight as pilots tell it: place, velocity against the planet, attitude against the horizon.
struct Flight {
    Geodetic<double> at{};
    Vec3<double> velocity = zero3<double>();   // against the planet; north, east, down
    double yaw = 0, pitch = 0, roll = 0;       // about z, then y, then x, from north-east-down
    Vec3<double> body_rates = zero3<double>(); // against the inertial frame, body axes
};
/// The same as the world frame has it: what a Body starts with.
struct FlightMotion {
    Pose<double> pose;
    Vec3<double> velocity, angular_velocity;
};
/// At time t over a round planet. The body's axes are x forward, y right, z down.
FlightMotion motion_of(const Planet& planet, const Flight& flight, double t = 0);
/// Back again; over a flat planet too, where latitude and longitude are zero.
Flight flight_of(const Planet& planet, const Vec3<double>& x, const Mat3<double>& R,
                 const Vec3<double>& v, const Vec3<double>& omega, double t = 0);

} // namespace poinsot
