// SPDX-License-Identifier: MIT
#include "poinsot/model/rotor.hpp"

#include "poinsot/mass/principal.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

bool moves(const Course& c) // NaN as well
{
    return c.value != 0 || c.rate != 0 || c.amplitude != 0;
}

/// What of an inertia is left without that of rotors about their axes.
template <class Which>
Sym3<double> less_rotors(Sym3<double> inertia, const std::vector<Rotor>& rotors, const Which& which)
{
    for (const Rotor& rotor : rotors)
        if (which(rotor)) {
            const Vec3<double> a = normalised(rotor.axis);
            const double J = rotor.inertia;
            inertia = inertia - Sym3<double>{J * a.x * a.x, J * a.y * a.y, J * a.z * a.z,
                                             J * a.x * a.y, J * a.x * a.z, J * a.y * a.z};
        }
    return inertia;
}

void inspect(const Rotor& rotor, const std::vector<Body>& bodies, Problems& found)
{
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(rotor.name, key, parts...);
    };
    if (rotor.body < 0 || rotor.body >= static_cast<int>(bodies.size()))
        wrong("body", "spins in a body that does not exist");
    else if (bodies[static_cast<std::size_t>(rotor.body)].particle)
        wrong("body", "a particle has no attitude, so no axis to spin about; make it a body");
    if (!(norm(rotor.axis) > 0) || !finite(rotor.axis))
        wrong("axis", "axis must have a direction; give one such as [0, 0, 1]");
    if (!(rotor.inertia > 0) || !std::isfinite(rotor.inertia))
        wrong("inertia", "inertia must be finite and positive, is ", rotor.inertia,
              "; give the moment about its axis in kg m²");
    if (!std::isfinite(rotor.spin))
        wrong("spin", "spin must be finite, is ", rotor.spin, "; give it in rad/s");
    if (rotor.at && !finite(*rotor.at))
        wrong("at", "its place must be finite");
    if (!finite(rotor.torque))
        wrong("torque", "torque must be finite; give it in N m");
    if (!(rotor.from < rotor.until))
        wrong("from", "must begin before it ends: from ", rotor.from, " until ", rotor.until,
              "; exchange from and until, or leave until out");
    if (!rotor.speed)
        return;
    if (!finite(*rotor.speed))
        wrong("speed", "speed must be finite; give it in rad/s");
    if (moves(rotor.torque))
        wrong("torque", "a rotor that keeps a speed has the torque this takes; leave torque out, "
                        "or speed");
    if (rotor.from != 0 || std::isfinite(rotor.until))
        wrong(
            rotor.from != 0 ? "from" : "until",
            "a rotor that keeps a speed keeps it all the time; leave from and until out, or speed");
    if (rotor.spin != 0)
        wrong("spin", "a rotor that keeps a speed starts with it; leave spin out, or speed");
}

} // namespace

void inspect_rotors(const std::vector<Body>& bodies, const std::vector<Rotor>& rotors,
                    Problems& found)
{
    const std::size_t before = found.list().size();
    for (const Rotor& rotor : rotors)
        inspect(rotor, bodies, found);
    if (found.list().size() != before)
        return;
    for (const Rotor& rotor : rotors) {
        const int i = rotor.body;
        if (&rotor != &*std::find_if(rotors.begin(), rotors.end(),
                                     [&](const Rotor& r) { return r.body == i; }))
            continue; // told at the first of the body
        // A body's own parts, and of rotors what does not spin: rods along their axes. If the sum
        // cannot be, rotors have been given more than there is. One that keeps a speed goes with
        // the body: of it no more is asked than that the body has that much about its axis.
        const Sym3<double>& whole = bodies[static_cast<std::size_t>(i)].mass_properties.inertia;
        if (!can_exist(whole))
            continue;
        const Sym3<double> carried = carried_inertia(whole, rotors, i);
        const Sym3<double> rest =
            less_rotors(whole, rotors, [&](const Rotor& r) { return r.body == i; });
        const double rounding = 1e-12 * trace(whole);
        if (!can_exist(carried) || !(principal_axes(carried).moments.x > rounding) ||
            !(principal_axes(rest).moments.x > -rounding))
            found.add_at(rotor.name, "inertia",
                         "the rotors of a body are part of it, and nothing that could be is left "
                         "of its inertia without them; add theirs to the body's");
    }
}

Sym3<double> carried_inertia(const Sym3<double>& inertia, const std::vector<Rotor>& rotors,
                             int body)
{
    return less_rotors(inertia, rotors,
                       [&](const Rotor& r) { return r.body == body && !r.prescribed(); });
}

} // namespace poinsot
