// SPDX-License-Identifier: MIT
#include "poinsot/forces/air.hpp"

#include "worlds.hpp"

using namespace poinsot;

namespace {

/// Geometric from geopotential altitude, as the standard has it.
double geometric(double H)
{
    return 6356766 * H / (6356766 - H);
}
AirState standard(double altitude)
{
    const auto air = standard_atmosphere(altitude);
    if (!air)
        FAIL(air.problems().text());
    return *air;
}

} // namespace

TEST_CASE("The standard atmosphere at sea level and at the bases of its layers")
{
    // T in K, ρ in kg/m³: U.S. Standard Atmosphere 1976 (NOAA-S/T 76-1562), Table I by geopotential
    // altitude, to the digits printed. p/p₀ to eight digits: R. Carmichael, Tables of the Standard
    // Atmosphere (Public Domain Aeronautical Software), from the same equations.
    struct Row {
        double H, T, p_ratio, rho;
    };
    for (const Row& row :
         {Row{0, 288.150, 1, 1.2250}, Row{11000, 216.650, 2.2336110e-1, 0.36391},
          Row{20000, 216.650, 5.4032950e-2, 0.088035}, Row{32000, 228.650, 8.5666784e-3, 0.013225},
          Row{47000, 270.650, 1.0945601e-3, 1.4275e-3},
          Row{51000, 270.650, 6.6063531e-4, 8.6160e-4},
          Row{71000, 214.650, 3.9046834e-5, 6.4211e-5}}) {
        const AirState air = standard(geometric(row.H));
        CHECK(near(air.temperature, row.T, 1e-12));
        CHECK(near(air.pressure, 101325 * row.p_ratio, 1e-6)); // seven digits were common to all
        CHECK(near(air.density, row.rho, 5e-5));               // half a digit of the shortest
    }
    const AirState ground = standard(0);
    CHECK(near(ground.speed_of_sound, 340.294, 1e-6)); // Table III, m/s
    CHECK(near(ground.viscosity, 1.7894e-5, 3e-5));    // Table III, Pa s: half its last digit
    // Tables I and III at 86 km, geometric: 186.87 K, 3.7338e-3 mb, 6.958e-6 kg/m³.
    const AirState top = standard(86000);
    CHECK(near(top.temperature, 186.87, 1e-4));
    CHECK(near(top.pressure, 0.37338, 2e-5));
    CHECK(near(top.density, 6.958e-6, 1e-4));
}

TEST_CASE("The standard atmosphere is in hydrostatic balance, and continuous through its layers")
{
    for (double H = -4900; H < 84800; H += 97) {
        // dp/dH = −ρ g₀ by central differences over 2 m: their error is 1e-9 of p/H_s and less.
        const double slope =
            (standard(geometric(H + 1)).pressure - standard(geometric(H - 1)).pressure) / 2;
        CHECK(near(slope, -9.80665 * standard(geometric(H)).density, 1e-7));
    }
    for (const double H : {11000.0, 20000.0, 32000.0, 47000.0, 51000.0, 71000.0}) {
        const AirState below = standard(geometric(H - 1e-6)), above = standard(geometric(H + 1e-6));
        CHECK(near(below.pressure, above.pressure, 1e-8));
        CHECK(near(below.temperature, above.temperature, 1e-8));
    }
    CHECK(near(standard(80000).temperature, standard(80000.001).temperature, 1e-7));
}

TEST_CASE("Outside its range the standard atmosphere refuses and says why")
{
    for (const double altitude : {-5000.1, 86000.1, 1e9, std::nan("")}) {
        const auto air = standard_atmosphere(altitude);
        REQUIRE(!air);
        CHECK(air.problems().text().find("86000 m of altitude") != std::string::npos);
        Air described;
        described.kind = Air::Kind::standard;
        CHECK(std::isnan(air_at(described, altitude).density));
    }
    CHECK(standard_atmosphere(-5000));
    CHECK(standard_atmosphere(86000));
}

TEST_CASE("Wind: steady, by altitude, and a gust that rises and falls as 1 − cos")
{
    Air air;
    air.wind = {1, 2, 3};
    CHECK(wind_at(air, 500, 7) == V3{1, 2, 3});
    air.profile = {{0, 1000, 3000}, {{0, 0, 0}, {10, 0, 0}, {10, -20, 0}}};
    CHECK(norm(wind_at(air, 500, 7) - V3{6, 2, 3}) < 1e-15);
    CHECK(norm(wind_at(air, 2000, 7) - V3{11, -8, 3}) < 1e-14);
    CHECK(!finite(wind_at(air, 3001, 7)));
    CHECK(!finite(wind_at(air, -1, 7)));
    air.profile.beyond = Beyond::hold;
    CHECK(wind_at(air, 9000, 7) == V3{11, -18, 3});

    air = {};
    air.gusts.push_back({"gust", {0, 0, -8}, 2, 4});
    CHECK(wind_at(air, 0, 2) == zero3<double>());
    CHECK(near(wind_at(air, 0, 3).z, -4, 1e-15));
    CHECK(near(wind_at(air, 0, 4).z, -8, 1e-15));
    CHECK(wind_at(air, 0, 6) == zero3<double>());
    CHECK(wind_at(air, 0, 60) == zero3<double>());
    // Smooth at both ends: the wind grows with the square of the time since.
    CHECK(near(wind_at(air, 0, 2.001).z, -8 * std::pow(std::acos(-1) * 0.00025, 2), 1e-6));
}

TEST_CASE("Still air moves with the planet, and wind is told by the compass")
{
    Air air;
    const V3 x{0, 6378137 + 1000.0, 0}; // longitude 90°, where east is −x
    const auto velocity = [&](const Planet& planet) {
        return air_velocity(planet, air, x, horizon(planet, x), 0);
    };
    CHECK(norm(velocity(wgs84) - V3{-7.292115e-5 * x.y, 0, 0}) < 1e-12);
    air.wind = {5, 7, -2};
    Planet fixed = wgs84;
    fixed.rotation = 0;
    CHECK(norm(velocity(fixed) - V3{-7, 2, 5}) < 1e-14);
    CHECK(norm(velocity(Planet{}) - V3{7, 5, 2}) < 1e-14);
}
