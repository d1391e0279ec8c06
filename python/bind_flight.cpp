// SPDX-License-Identifier: MIT
// Places over a planet, and what a pilot reads of a body.
#include "python/bindings.hpp"

#include "poinsot/forces/instruments.hpp"

#include <numbers>

namespace poinsot {

namespace {

const Planet& round_planet(const Model& model)
{
    if (model.planet().flat)
        throw py::value_error("latitude and longitude belong to a round planet; this model has "
                              "none: give its scene a planet");
    return model.planet();
}

} // namespace

py::dict flight_dict(const Model& model, const Placed& placed, std::size_t body, double t)
{
    using namespace py::literals;
    const Instruments read = instruments_of(
        model.planet(), model.air(), flight_axes(model.aerodynamics(), static_cast<int>(body)),
        placed.bodies[body], t);
    py::dict made("altitude"_a = read.at.altitude, "velocity"_a = array_of(read.velocity),
                  "heading"_a = read.yaw, "pitch"_a = read.pitch, "roll"_a = read.roll,
                  "rates"_a = array_of(read.body_rates));
    if (!model.planet().flat) {
        made["latitude"] = read.at.latitude;
        made["longitude"] = read.at.longitude;
    }
    if (model.air().kind != Air::Kind::none) {
        made["airspeed"] = read.air.speed;
        made["angle_of_attack"] = read.air.alpha;
        made["sideslip"] = read.air.beta;
        made["mach"] = read.air.mach;
    }
    return made;
}

Array geodetic_of(const Model& model, const py::object& position, double time)
{
    const Planet& planet = round_planet(model);
    const Quat<double> back = exp_quat<double>({0, 0, -planet.rotation * time});
    const Geodetic<double> at = geodetic(planet, rotate(back, vector_in(position, "position")));
    return array_of(Vec3<double>{at.latitude, at.longitude, at.altitude});
}

Array cartesian_of(const Model& model, double latitude, double longitude, double altitude,
                   double time)
{
    const Planet& planet = round_planet(model);
    if (!(std::abs(latitude) <= std::numbers::pi / 2 + 1e-12))
        throw py::value_error(text_of("latitude must be from -pi/2 to pi/2, is ", latitude));
    const Quat<double> spin = exp_quat<double>({0, 0, planet.rotation * time});
    return array_of(rotate(spin, cartesian<double>(planet, {latitude, longitude, altitude})));
}

py::dict air_dict(const Model& model, const py::object& position, double time)
{
    using namespace py::literals;
    const Planet& planet = model.planet();
    const Vec3<double> x = vector_in(position, "position");
    if (model.air().kind == Air::Kind::none)
        throw py::value_error("there is no air in this model; give its scene one");
    const Horizon<double> at = horizon(planet, x);
    const AirState air = air_at(model.air(), at.altitude);
    const Vec3<double> velocity = air_velocity(planet, model.air(), x, at, time);
    if (std::isnan(air.density))
        throw py::value_error(standard_atmosphere(at.altitude).problems().text());
    if (std::isnan(velocity.x))
        throw py::value_error(text_of("the wind profile of the air does not reach ", at.altitude,
                                      " m of altitude; add levels, or hold it "
                                      "beyond its ends"));
    py::dict made("altitude"_a = at.altitude, "density"_a = air.density,
                  "speed_of_sound"_a = air.speed_of_sound, "velocity"_a = array_of(velocity));
    if (!std::isnan(air.pressure)) {
        made["pressure"] = air.pressure;
        made["temperature"] = air.temperature;
        made["viscosity"] = air.viscosity;
    }
    return made;
}

Array gravitation_at(const Model& model, const py::object& position)
{
    const Vec3<double> x = vector_in(position, "position");
    if (model.planet().mu > 0 && !(norm(x) > 0))
        throw py::value_error("position must not be the centre of the planet, where its "
                              "gravitation, that of a point, has no direction");
    const Vec3<double> of_planet =
        model.planet().mu > 0 ? gravitation(model.planet(), x) : zero3<double>();
    return array_of(model.gravity().uniform + of_planet);
}

} // namespace poinsot
