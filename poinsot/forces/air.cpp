// SPDX-License-Identifier: MIT
#include "poinsot/forces/air.hpp"

#include "poinsot/math/exp_log.hpp"

namespace poinsot {

namespace {

namespace us1976 { // letters, numbers and tables of the standard
constexpr double g0 = 9.80665, r0 = 6356766, R = 8314.32, M0 = 28.9644, gamma = 1.4;
constexpr double beta = 1.458e-6, S = 110.4;
constexpr double hydrostatic = g0 * M0 / R; // K/m

struct Layer {
    double H, L; // m, K/m
};
constexpr std::array<Layer, 7> layers{{{0, -0.0065},
                                       {11000, 0},
                                       {20000, 0.001},
                                       {32000, 0.0028},
                                       {47000, 0},
                                       {51000, -0.0028},
                                       {71000, -0.002}}};
/// M/M₀ at 80, 80.5 … 86 km of geometric altitude: its Table 8.
constexpr std::array<double, 13> lighter{1,        0.999996, 0.999989, 0.999971, 0.999941,
                                         0.999909, 0.999870, 0.999829, 0.999786, 0.999741,
                                         0.999694, 0.999641, 0.999579};

struct Base {
    double T, p;
};
Base above(const Base& base, double L, double dH)
{
    const double T = base.T + L * dH;
    const double fall =
        L == 0 ? exponential(-hydrostatic * dH / base.T) : power_of(base.T / T, hydrostatic / L);
    return {T, base.p * fall};
}
std::array<Base, layers.size()> make_bases()
{
    std::array<Base, layers.size()> made{};
    made[0] = {288.15, 101325};
    for (std::size_t b = 1; b < layers.size(); ++b)
        made[b] = above(made[b - 1], layers[b - 1].L, layers[b].H - layers[b - 1].H);
    return made;
}

AirState at(double Z)
{
    static const std::array<Base, layers.size()> bases = make_bases();
    const double H = r0 * Z / (r0 + Z);
    std::size_t b = 0;
    while (b + 1 < layers.size() && H >= layers[b + 1].H)
        ++b;
    const Base air = above(bases[b], layers[b].L, H - layers[b].H);
    double T = air.T;
    if (Z > 80000) {
        const double n = (Z - 80000) / 500;
        const auto i = std::min(static_cast<std::size_t>(n), lighter.size() - 2);
        T *= between(lighter[i], lighter[i + 1], n - static_cast<double>(i));
    }
    return {T, air.p, air.p * M0 / (R * air.T), sqrt(gamma * R * air.T / M0),
            beta * T * sqrt(T) / (T + S)};
}
} // namespace us1976

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

bool standard_reaches(double altitude)
{
    return altitude >= standard_atmosphere_lowest && altitude <= standard_atmosphere_highest;
}

} // namespace

Result<AirState> standard_atmosphere(double altitude)
{
    if (standard_reaches(altitude))
        return us1976::at(altitude);
    Problems found;
    found.add("standard atmosphere", "the standard atmosphere reaches from ",
              standard_atmosphere_lowest, " m to ", standard_atmosphere_highest,
              " m of altitude, asked for was ", altitude, " m",
              altitude > standard_atmosphere_highest
                  ? "; air: {model: standard, above: vacuum} has nothing beyond it"
                  : "");
    return found;
}

AirState air_at(const Air& air, double altitude)
{
    switch (air.kind) {
    case Air::Kind::none:
        return {};
    case Air::Kind::uniform:
        return {no_number, no_number, air.density, air.speed_of_sound, no_number};
    case Air::Kind::standard:
        break;
    }
    if (standard_reaches(altitude))
        return us1976::at(altitude);
    if (is_vacuum(air, altitude))
        return {};
    return {no_number, no_number, no_number, no_number, no_number};
}

Vec3<double> wind_at(const Air& air, double altitude, double t)
{
    Vec3<double> wind = air.wind;
    if (!air.profile.altitude.empty()) {
        const TableCell cell = locate(air.profile.altitude, altitude, air.profile.beyond);
        wind += between(air.profile.velocity[cell.i], air.profile.velocity[cell.i + 1], cell.s);
    }
    for (const Gust& gust : air.gusts)
        if (t > gust.start && t < gust.start + gust.duration)
            wind += 0.5 * (1 - sin_cos(two_pi * (t - gust.start) / gust.duration).cos) * gust.peak;
    return wind;
}

Vec3<double> air_velocity(const Planet& planet, const Air& air, const Vec3<double>& x,
                          const Horizon<double>& at, double t)
{
    return carried_velocity(planet, x) + at.ned * wind_at(air, at.altitude, t);
}

} // namespace poinsot
