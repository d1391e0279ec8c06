// SPDX-License-Identifier: MIT
#include "poinsot/forces/planet.hpp"

#include "worlds.hpp"

#include <numbers>

using namespace poinsot;

namespace {

constexpr double degree = std::numbers::pi / 180;
/// Rounding of a coordinate of the Earth's size: a few units in its last place, 1e-9 m.
constexpr double few_ulps = 8e-9;

} // namespace

TEST_CASE("WGS 84: points whose Cartesian coordinates are known")
{
    // Equator, pole, and 45° where x = z-like combinations follow from N = a/√(1 − e²/2).
    const double a = wgs84.radius, b = a * (1 - wgs84.flattening);
    CHECK(near(b, 6356752.3142, 1e-10)); // TR8350.2, Table 3.3: semi-minor axis
    const V3 east = cartesian<double>(wgs84, {0, 90 * degree, 1000});
    CHECK(norm(east - V3{0, a + 1000, 0}) < few_ulps);
    const V3 pole = cartesian<double>(wgs84, {90 * degree, 0.3, 20});
    CHECK(norm(pole - V3{0, 0, b + 20}) < few_ulps);
    const double e2 = wgs84.flattening * (2 - wgs84.flattening);
    CHECK(near(e2, 6.69437999014e-3, 1e-11)); // the same table: first eccentricity squared
    const double N = a / std::sqrt(1 - e2 / 2), half = std::sqrt(0.5);
    const V3 middle = cartesian<double>(wgs84, {45 * degree, 0, 0});
    CHECK(norm(middle - V3{N * half, 0, N * (1 - e2) * half}) < few_ulps);
}

TEST_CASE("Geodetic and Cartesian coordinates are each other's inverse to rounding")
{
    Planet saturn = wgs84; // as flat as planets get: f = 0.098
    saturn.radius = 60268000;
    saturn.flattening = 0.09796;
    Dice dice(7);
    for (const Planet& planet : {wgs84, round_earth, saturn}) {
        double place = 0, angle = 0, height = 0;
        for (int i = 0; i < 20000; ++i) {
            const Geodetic<double> at{
                dice.uniform(-90, 90) * degree, dice.uniform(-180, 180) * degree,
                planet.radius * (i % 2 ? dice.uniform(-0.1, 0.1) : dice.uniform(0, 10))};
            const V3 x = cartesian(planet, at);
            const Geodetic<double> back = geodetic(planet, x);
            const double size = norm(x);
            place = std::max(place, norm(cartesian(planet, back) - x) / size);
            angle = std::max(angle, std::abs(back.latitude - at.latitude));
            height = std::max(height, std::abs(back.altitude - at.altitude) / size);
        }
        CHECK(place < 1e-15); // five units in the last place of the largest coordinate
        CHECK(angle < 2e-15); // π/2 and the arctangent have 4e-16 each
        CHECK(height < 1e-15);
    }
}

TEST_CASE("At the poles and on the equator nothing is singular")
{
    for (const double z : {6400000.0, -6400000.0}) {
        const Horizon<double> at = horizon<double>(wgs84, {0, 0, z});
        CHECK(near(at.altitude, std::abs(z) - wgs84.radius * (1 - wgs84.flattening), 1e-12));
        CHECK(norm(at.ned * V3{0, 0, 1} - V3{0, 0, z > 0 ? -1.0 : 1.0}) < 1e-15);
        CHECK(finite(at.ned));
    }
    const Horizon<double> at = horizon<double>(wgs84, {-7000000, 0, 0});
    CHECK(at.altitude == 7000000 - wgs84.radius);
    CHECK(norm(at.ned * V3{1, 0, 0} - V3{0, 0, 1}) < 1e-15); // north
}

TEST_CASE("North, east and down are a right-handed frame, and down is normal to the ellipsoid")
{
    Dice dice(9);
    for (int i = 0; i < 200; ++i) {
        const Geodetic<double> at{dice.uniform(-1.5, 1.5), dice.uniform(-3, 3),
                                  dice.uniform(-1000, 1e6)};
        const V3 x = cartesian(wgs84, at);
        const Mat3<double> ned = horizon(wgs84, x).ned;
        const V3 n = ned * V3{1, 0, 0}, e = ned * V3{0, 1, 0}, d = ned * V3{0, 0, 1};
        CHECK(norm(cross(n, e) - d) < 1e-15);
        CHECK(std::abs(dot(n, e)) < 1e-15);
        // Going down by h stays over the same latitude and longitude.
        const V3 foot = x + at.altitude * d;
        const double b = wgs84.radius * (1 - wgs84.flattening);
        CHECK(near((foot.x * foot.x + foot.y * foot.y) / (wgs84.radius * wgs84.radius) +
                       foot.z * foot.z / (b * b),
                   1, 1e-14));
        // The gradient of that quadric is along down.
        const double k = wgs84.radius * wgs84.radius / (b * b);
        CHECK(norm(cross(normalised(V3{foot.x, foot.y, k * foot.z}), d)) < 1e-14);
    }
    const Horizon<double> flat = horizon<double>(Planet{}, {5, 6, 7});
    CHECK(flat.altitude == 7);
    CHECK(flat.ned * V3{1, 0, 0} == V3{0, 1, 0});
    CHECK(flat.ned * V3{0, 1, 0} == V3{1, 0, 0});
    CHECK(flat.ned * V3{0, 0, 1} == V3{0, 0, -1});
}

TEST_CASE("Gravitation is minus the gradient of its potential")
{
    using D = Dual<double>;
    Dice dice(11);
    for (int i = 0; i < 200; ++i) {
        const V3 x = 6.4e6 * dice.uniform(1, 3) * normalised(dice.vector(1));
        const V3 g = gravitation(wgs84, x);
        const auto slope = [&](double dx, double dy, double dz) {
            return gravitational_potential<D>(wgs84, {{x.x, dx}, {x.y, dy}, {x.z, dz}}).d;
        };
        CHECK(norm(g + V3{slope(1, 0, 0), slope(0, 1, 0), slope(0, 0, 1)}) < 1e-14 * norm(g));
    }
}

TEST_CASE("J2: gravitation on the equator and over the pole in closed form; Laplace's equation")
{
    const double r = 7e6, mu = wgs84.mu, j = wgs84.J2 * std::pow(wgs84.J2_radius / r, 2);
    const V3 equator = gravitation<double>(wgs84, {r, 0, 0}),
             pole = gravitation<double>(wgs84, {0, 0, r});
    CHECK(near(equator.x, -mu / (r * r) * (1 + 1.5 * j), 1e-15));
    CHECK(near(pole.z, -mu / (r * r) * (1 - 3 * j), 1e-15));
    const V3 round = gravitation<double>(round_earth, {0, r, 0});
    CHECK(near(round.y, -mu / (r * r), 1e-15));

    using D = Dual<double>; // div g = 0 outside the masses
    Dice dice(12);
    for (int i = 0; i < 50; ++i) {
        const V3 x = 8e6 * normalised(dice.vector(1));
        const double div = gravitation<D>(wgs84, {{x.x, 1}, {x.y, 0}, {x.z, 0}}).x.d +
                           gravitation<D>(wgs84, {{x.x, 0}, {x.y, 1}, {x.z, 0}}).y.d +
                           gravitation<D>(wgs84, {{x.x, 0}, {x.y, 0}, {x.z, 1}}).z.d;
        CHECK(std::abs(div) < 1e-14 * mu / std::pow(8e6, 3));
    }
}

TEST_CASE("A flight in pilots' terms is the same flight again, at any time")
{
    Dice dice(13);
    for (const double t : {0.0, 30.0, 40000.0})
        for (int i = 0; i < 100; ++i) {
            Flight flight;
            flight.at = {dice.uniform(-1.5, 1.5), dice.uniform(-3.1, 3.1), dice.uniform(0, 1e5)};
            flight.velocity = dice.vector(300);
            flight.yaw = dice.uniform(-3, 3);
            flight.pitch = dice.uniform(-1.5, 1.5);
            flight.roll = dice.uniform(-3, 3);
            flight.body_rates = dice.vector(2);
            const FlightMotion m = motion_of(wgs84, flight, t);
            const Flight back =
                flight_of(wgs84, m.pose.x, matrix_of(m.pose.q), m.velocity, m.angular_velocity, t);
            CHECK(near(back.at.latitude, flight.at.latitude, 4e-15, 1));
            CHECK(near(back.at.longitude, flight.at.longitude, 4e-15, 1));
            CHECK(near(back.at.altitude, flight.at.altitude, few_ulps, 1));
            // The carried velocity, 465 m/s and less, and angles near the pole (1.5: 14).
            CHECK(norm(back.velocity - flight.velocity) < 1e-11);
            CHECK(near(back.yaw, flight.yaw, 1e-13, 1));
            CHECK(near(back.pitch, flight.pitch, 1e-13, 1));
            CHECK(near(back.roll, flight.roll, 1e-13, 1));
            CHECK(norm(back.body_rates - flight.body_rates) < 1e-14);
        }
    Flight up; // straight up: yaw takes the whole turn
    up.pitch = 90 * degree;
    up.yaw = 0.4;
    const FlightMotion m = motion_of(wgs84, up);
    const Flight back =
        flight_of(wgs84, m.pose.x, matrix_of(m.pose.q), m.velocity, m.angular_velocity);
    CHECK(near(back.pitch, up.pitch, 1e-7)); // the angle where the sine is flat
    CHECK(near(back.yaw + 0, up.yaw, 1e-6, 1));
}
