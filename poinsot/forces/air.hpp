// SPDX-License-Identifier: MIT
#pragma once

// Air: how it is at an altitude, and how it moves.
//
// The U.S. Standard Atmosphere 1976 [NOAA-S/T 76-1562], from its equations. With geopotential
// altitude H = r₀ Z/(r₀ + Z), in layers of constant gradient L_b = dT_M/dH:
//
//     T_M = T_b + L_b (H − H_b)
//     p = p_b (T_b/T_M)^(g₀ M₀/R* L_b)     or     p = p_b exp(−g₀ M₀ (H − H_b)/R* T_b),  L_b = 0
//     ρ = p M₀/(R* T_M)       a = √(γ R* T_M/M₀)       μ = β T^(3/2)/(T + S)
//
// T = T_M M/M₀ differs from T_M above 80 km only, where the standard tabulates M/M₀. It is given
// from −5 km, where its own tables begin, to 86 km of geometric altitude.
//
// Air moves with the planet below it; wind is added: steady, by altitude, and gusts in time.

#include "poinsot/forces/planet.hpp"

namespace poinsot {

struct AirState {
    double temperature = 0, pressure = 0, density = 0; // K, Pa, kg/m³
    double speed_of_sound = 0, viscosity = 0;          // m/s, Pa s
};

inline constexpr double standard_atmosphere_lowest = -5000, standard_atmosphere_highest = 86000;

/// At a geometric altitude in m; outside its range it says so.
Result<AirState> standard_atmosphere(double altitude);

/// Is this above the standard atmosphere, where a vacuum was described?
inline bool is_vacuum(const Air& air, double altitude)
{
    return air.kind == Air::Kind::standard && air.vacuum_above &&
           altitude > standard_atmosphere_highest;
}

/// Of the air described, at an altitude. Where the standard atmosphere ends all are NaN, unless
/// there is a vacuum above it. Uniform air has density and speed of sound; the others are NaN.
/// None, and a vacuum: a density of zero.
AirState air_at(const Air& air, double altitude);

/// North, east, down, against the planet; NaN where a profile refuses.
Vec3<double> wind_at(const Air& air, double altitude, double t);

/// The velocity of the air at a place of the world, whose horizon is given.
Vec3<double> air_velocity(const Planet& planet, const Air& air, const Vec3<double>& x,
                          const Horizon<double>& at, double t);

} // namespace poinsot
