// SPDX-License-Identifier: MIT
// Where something starts and how it moves: in the world, as seen from a body, or over a planet.
#include "poinsot/forces/planet.hpp"
#include "poinsot/io/scene_draft.hpp"

#include <cmath>
#include <numbers>

namespace poinsot {

namespace {

constexpr double degree = std::numbers::pi / 180;

/// An angle from `least` to `most` degrees.
double read_angle_within(Fields& f, const char* key, double least, double most)
{
    const auto value = f.need(key, "45 deg");
    const double angle = value ? value->angle() : 0;
    if (angle >= least * degree - 1e-12 && angle <= most * degree + 1e-12) // rounded from degrees
        return angle;
    value->must("be from ", least, " to ", most, " deg, is ", angle / degree,
                " deg; an angle without 'deg' is in radians");
    return 0;
}

Flight read_flight_keys(Fields& f, const Planet& planet)
{
    Flight flight;
    flight.at.latitude = read_angle_within(f, "latitude", -90, 90);
    flight.at.longitude = read_angle_within(f, "longitude", -180, 360);
    if (const auto altitude = f.need("altitude", "1000")) {
        flight.at.altitude = altitude->number();
        // So deep a place has one vertical still; see horizon.
        if (const double deepest = -0.1 * planet.radius; flight.at.altitude < deepest)
            altitude->must("be above ", deepest, " m, a tenth of the radius of the planet, is ",
                           flight.at.altitude);
    }
    f.read("velocity", flight.velocity);
    const auto turn = [&](const char* key, double& into) {
        if (const auto value = f.find(key))
            into = value->angle();
    };
    turn("heading", flight.yaw);
    turn("pitch", flight.pitch);
    turn("roll", flight.roll);
    return flight;
}

/// What a thing that has `key` says beside it to no use.
void keep_one(const Fields& f, const Value& value, const char* key,
              std::initializer_list<std::pair<const char*, bool>> others)
{
    for (const auto& [other, given] : others)
        if (given)
            value.problem(f.what(), " has ", key, " and ", other, "; keep one");
}

} // namespace

std::optional<Start> read_flight(SceneDraft& draft, const Value& value, const Vec3<double>& center,
                                 bool turns, bool spun)
{
    const Planet& planet = draft.scene.description.planet;
    if (planet.flat) {
        value.problem(value.what(), " needs a round planet, such as planet: wgs84; over a flat one "
                                    "give position, orientation and velocity");
        return std::nullopt;
    }
    Fields f(value, "flight");
    const Flight flight = read_flight_keys(f, planet);
    const auto rates = f.find("rates");
    if (!turns)
        for (const char* key : {"heading", "pitch", "roll", "rates"})
            if (const auto given = f.find(key))
                given->problem(given->what(), " has no use: a particle does not turn");
    if (rates && spun)
        rates->problem(value.what(), " has rates against the planet beside an angular velocity in "
                                     "the world; keep one");
    // The axes as motion_of has them; velocity and rates are those against the planet:
    //
    //     v = Ω × c + A u,   c the centre of mass        ω = Ω + R rates
    const FlightMotion m = motion_of(planet, flight);
    Start start;
    start.pose = m.pose;
    const Vec3<double> c = m.pose.x + rotate(m.pose.q, center);
    start.velocity =
        m.velocity + (carried_velocity(planet, c) - carried_velocity(planet, m.pose.x));
    start.angular_velocity =
        rotation_of(planet) + (rates ? rotate(m.pose.q, rates->vector()) : zero3<double>());
    return start;
}

Start read_start(SceneDraft& draft, Fields& f, const Vec3<double>& center, bool turns)
{
    Start start;
    const auto position = f.find("position"), velocity = f.find("velocity"),
               flown = f.find("flight"), from = f.find("relative_to");
    const auto none = std::optional<Value>();
    const auto attitude = turns ? f.find("orientation") : none,
               omega = turns ? f.find("angular_velocity") : none,
               omega_b = turns ? f.find("angular_velocity_body") : none;
    if (position)
        start.pose.x = position->vector();
    if (attitude)
        start.pose.q = read_orientation(*attitude);
    if (velocity)
        start.velocity = velocity->vector();
    if (omega && omega_b)
        omega_b->problem(f.what(), " has angular_velocity in world and in body axes; keep one");
    if (flown) {
        keep_one(f, *flown, "a flight",
                 {{"a position", position.has_value()},
                  {"an orientation", attitude.has_value()},
                  {"a velocity", velocity.has_value()},
                  {"relative_to", from.has_value()}});
        if (const auto over = read_flight(draft, *flown, center, turns, omega || omega_b))
            start = *over;
    }
    if (omega)
        start.angular_velocity = omega->vector();
    else if (omega_b)
        start.angular_velocity = rotate(normalised(start.pose.q), omega_b->vector());
    if (!from || flown)
        return start;
    const int other = draft.body_named(*from);
    if (other == world)
        return start;
    // Seen from a frame that moves with ω and is turned by q: x = X x′, v = v_f + ω × r + q v′.
    const Body& base = draft.scene.description.bodies[static_cast<std::size_t>(other)];
    const Quat<double> q = normalised(base.pose.q);
    const Pose<double> frame{base.pose.x, q};
    const Vec3<double> r = rotate(q, start.pose.x + rotate(normalised(start.pose.q), center) -
                                         base.mass_properties.center);
    return {{frame.x + rotate(q, start.pose.x), q * start.pose.q},
            base.velocity + cross(base.angular_velocity, r) + rotate(q, start.velocity),
            base.angular_velocity + rotate(q, start.angular_velocity)};
}

} // namespace poinsot
