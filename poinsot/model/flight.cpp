// SPDX-License-Identifier: MIT
#include "poinsot/model/flight.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// A number that must be finite and not negative, or positive.
void inspect_size(Problems& found, const std::string& place, const char* key, double value,
                  bool positive, const char* remedy)
{
    if (!(positive ? value > 0 : value >= 0) || !std::isfinite(value))
        found.add_at(place, key, key, " must be finite and ",
                     positive ? "positive" : "not negative", ", is ", value, "; ", remedy);
}

void inspect(const Planet& planet, const Gravity& gravity, Problems& found)
{
    const std::string place = "planet";
    const auto size = [&](const char* key, double value, bool positive, const char* remedy) {
        inspect_size(found, place, key, value, positive, remedy);
    };
    if (planet.flat) {
        for (const auto& [key, value] : std::initializer_list<std::pair<const char*, double>>{
                 {"radius", planet.radius},
                 {"flattening", planet.flattening},
                 {"rotation", planet.rotation},
                 {"mu", planet.mu},
                 {"J2", planet.J2}})
            if (value != 0) // NaN as well
                found.add_at(place, key, "a flat planet has no ", key, ", is ", value,
                             "; leave it out, or make the planet round");
        return;
    }
    size("radius", planet.radius, true, "give the radius of its equator in m");
    if (!(planet.flattening >= 0 && planet.flattening <= 0.1))
        found.add_at(place, "flattening", "flattening must be between 0 and 0.1, is ",
                     planet.flattening,
                     "; give 1 - polar/equatorial radius, for the Earth 0.003353");
    if (!std::isfinite(planet.rotation))
        found.add_at(place, "rotation", "rotation must be finite, is ", planet.rotation,
                     "; give it in rad/s");
    size("mu", planet.mu, false, "give it in m³/s², for the Earth 3.986004418e14");
    if (!std::isfinite(planet.J2))
        found.add_at(place, "J2", "J2 must be finite, is ", planet.J2);
    if (planet.J2 != 0) {
        size("J2_radius", planet.J2_radius, true, "give the length that J2 belongs to, in m");
        if (planet.mu == 0)
            found.add_at(place, "J2", "J2 shapes a gravitation that is zero; give mu");
    }
    if (planet.mu > 0 && gravity.uniform != zero3<double>())
        found.add_at("gravity", "uniform",
                     "a round planet that attracts leaves no place for uniform gravity; leave it "
                     "out, or set mu of the planet to 0");
}

void inspect(const Air& air, Problems& found)
{
    const std::string place = "air";
    if (air.kind == Air::Kind::uniform) {
        inspect_size(found, place, "density", air.density, false, "give it in kg/m³");
        inspect_size(found, place, "speed_of_sound", air.speed_of_sound, true, "give it in m/s");
    }
    if (!finite(air.wind))
        found.add_at(place, "wind", "wind must be finite");
    const WindProfile& profile = air.profile;
    if (!profile.altitude.empty() || !profile.velocity.empty()) {
        if (const std::string why = why_no_axis(profile.altitude); !why.empty())
            found.add_at(place, "profile", "altitudes of the wind: ", why);
        if (profile.altitude.size() != profile.velocity.size())
            found.add_at(place, "profile", "a wind profile needs one velocity at each of its ",
                         profile.altitude.size(), " altitudes, has ", profile.velocity.size());
        for (const Vec3<double>& v : profile.velocity)
            if (!finite(v)) {
                found.add_at(place, "profile", "the velocities of a wind profile must be finite");
                break;
            }
    }
    for (const Gust& gust : air.gusts) {
        if (!finite(gust.peak))
            found.add_at(gust.name, "peak", "the peak of a gust must be finite");
        if (!std::isfinite(gust.start))
            found.add_at(gust.name, "start", "the start of a gust must be finite");
        inspect_size(found, gust.name, "duration", gust.duration, true, "give it in s");
    }
}

using NamedCoefficient = std::pair<const char*, const Coefficient*>;
std::array<NamedCoefficient, 6> coefficients(const Aerodynamics& a)
{
    return {{{"drag", &a.drag},
             {"side", &a.side},
             {"lift", &a.lift},
             {"roll", &a.roll},
             {"pitch", &a.pitch},
             {"yaw", &a.yaw}}};
}
bool does_nothing(const Coefficient& c)
{
    return c.constant == 0 && c.alpha == 0 && c.beta == 0 && !c.grows_with_p() &&
           !c.grows_with_q() && !c.grows_with_r() && c.over.empty() && c.controls.empty();
}

/// Names a schedule that leads beyond the ends of a table which is told to refuse that. What a run
/// finds out by itself is where a flight leads; where a schedule does is known before.
void inspect_reach(const Aerodynamics& a, const char* key, const Tabled& c,
                   const std::vector<Control>& controls, Problems& found)
{
    if (c.table.beyond != Beyond::refuse)
        return;
    for (std::size_t i = 0; i < c.over.size() && i < c.table.axes.size(); ++i) {
        const int control = c.control_of(i);
        const std::vector<double>& axis = c.table.axes[i];
        if (control < 0 || static_cast<std::size_t>(control) >= controls.size() || axis.empty())
            continue;
        const Control& pilot = controls[static_cast<std::size_t>(control)];
        for (std::size_t k = 0; k < std::min(pilot.times.size(), pilot.values.size()); ++k)
            if (!(pilot.values[k] >= axis.front() && pilot.values[k] <= axis.back())) {
                found.add_at(a.name, key, "its table over a control ends at ", axis.front(),
                             " and ", axis.back(), ", and the schedule leads to ", pilot.values[k],
                             " at t = ", pilot.times[k],
                             " s; add nodes, hold the table beyond its ends, or change the "
                             "schedule");
                break;
            }
    }
}

void inspect(const Aerodynamics& a, const char* key, const Tabled& c,
             const std::vector<Control>& controls, Problems& found)
{
    if (c.over.empty() && c.table.axes.empty() && c.table.values.empty())
        return;
    inspect(c.table, a.name, key, found);
    if (c.over.size() != c.table.axes.size())
        found.add_at(a.name, key,
                     "a table needs one of alpha, beta, mach and a control for each of its ",
                     c.table.axes.size(), " axes, has ", c.over.size());
    inspect_reach(a, key, c, controls, found);
    for (std::size_t i = 0; i < c.over.size(); ++i) {
        const int control = c.control_of(i);
        if (c.over[i] == Tabled::Over::control &&
            (control < 0 || static_cast<std::size_t>(control) >= controls.size()))
            found.add_at(a.name, key, "a table is over a control that does not exist");
        for (std::size_t k = 0; k < i; ++k)
            if (c.over[k] == c.over[i] && c.control_of(k) == control) {
                found.add_at(a.name, key, "two axes of a table are the same quantity");
                break;
            }
    }
}

void inspect(const Aerodynamics& a, const Air& air, const std::vector<Control>& controls,
             Problems& found)
{
    if (air.kind == Air::Kind::none)
        found.add_at(a.name, "body",
                     "there is no air; add air: standard, or air: {density: 1.225}");
    inspect_size(found, a.name, "area", a.area, true, "give the reference area in m²");
    inspect_size(found, a.name, "span", a.span, false, "give the reference span in m");
    inspect_size(found, a.name, "chord", a.chord, false, "give the reference chord in m");
    if (!finite(a.frame.x))
        found.add_at(a.name, "at", "the point it acts at must be finite");
    const double n = std::sqrt(norm2(a.frame.q));
    if (!(std::abs(n - 1) <= 1e-6))
        found.add_at(a.name, "orientation", "orientation must be a unit quaternion, its norm is ",
                     n, "; divide by its norm");
    bool along_span = false, along_chord = false;
    for (const auto& [key, c] : coefficients(a)) {
        for (const double value : {c->constant, c->alpha, c->beta, c->p, c->q, c->r})
            if (!std::isfinite(value)) {
                found.add_at(a.name, key, "the numbers of a coefficient must be finite, one is ",
                             value);
                break;
            }
        for (const Coefficient::Slope& s : c->controls) {
            if (s.control < 0 || static_cast<std::size_t>(s.control) >= controls.size())
                found.add_at(a.name, key, "follows a control that does not exist");
            if (!std::isfinite(s.slope))
                found.add_at(a.name, key, "the slope of a control must be finite, is ", s.slope);
        }
        along_span = along_span || c->grows_with_p() || c->grows_with_r();
        along_chord = along_chord || c->grows_with_q();
        for (const Tabled* tabled : c->tables())
            inspect(a, key, *tabled, controls, found);
    }
    along_span = along_span || !does_nothing(a.roll) || !does_nothing(a.yaw);
    along_chord = along_chord || !does_nothing(a.pitch);
    if (along_span && a.span == 0)
        found.add_at(a.name, "span", "roll, yaw and what grows with p or r need a span");
    if (along_chord && a.chord == 0)
        found.add_at(a.name, "chord", "pitch and what grows with q need a chord");
}

/// A particle has no attitude: nothing but drag, and no angle in it.
void inspect_on_particle(const Aerodynamics& a, Problems& found)
{
    for (const auto& [key, c] : coefficients(a)) {
        const bool drag = c == &a.drag;
        const bool needs_attitude =
            c->alpha != 0 || c->beta != 0 || c->grows_with_p() || c->grows_with_q() ||
            c->grows_with_r() ||
            std::any_of(c->over.begin(), c->over.end(), [](Coefficient::Over o) {
                return o == Coefficient::Over::alpha || o == Coefficient::Over::beta;
            });
        if (drag ? needs_attitude : !does_nothing(*c))
            found.add_at(a.name, key,
                         "a particle has no attitude: it takes a drag that is constant or over "
                         "mach, and nothing else");
    }
    if (norm(a.frame.x) > 0)
        found.add_at(a.name, "at", "a particle has no extent: leave at out");
}

} // namespace

void inspect_flight(const std::vector<Body>& bodies, const Gravity& gravity, const Planet& planet,
                    const Air& air, const std::vector<Aerodynamics>& aerodynamics,
                    const std::vector<Control>& controls, Problems& found)
{
    inspect(planet, gravity, found);
    inspect(air, found);
    for (const Aerodynamics& a : aerodynamics) {
        inspect(a, air, controls, found);
        if (a.body < 0 || a.body >= static_cast<int>(bodies.size()))
            found.add_at(a.name, "body", "acts on a body that does not exist");
        else if (bodies[static_cast<std::size_t>(a.body)].particle)
            inspect_on_particle(a, found);
    }
}

std::vector<char> controls_used(std::size_t controls, const std::vector<Aerodynamics>& aerodynamics,
                                const std::vector<AppliedLoad>& loads,
                                const std::vector<Flow>& flows)
{
    std::vector<char> used(controls, 0);
    const auto mark = [&](int control) {
        if (control >= 0 && static_cast<std::size_t>(control) < controls)
            used[static_cast<std::size_t>(control)] = 1;
    };
    for (const Aerodynamics& a : aerodynamics)
        for (const auto& [key, c] : coefficients(a)) {
            for (const Coefficient::Slope& s : c->controls)
                mark(s.control);
            for (const Tabled* tabled : c->tables())
                for (const int control : tabled->over_controls)
                    mark(control);
        }
    for (const AppliedLoad& load : loads)
        mark(load.control);
    for (const Flow& flow : flows)
        for (const int control : {flow.control, flow.speed_control})
            mark(control);
    return used;
}

} // namespace poinsot
