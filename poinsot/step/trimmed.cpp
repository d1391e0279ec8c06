// SPDX-License-Identifier: MIT
#include "poinsot/step/trim.hpp"

#include <algorithm>

namespace poinsot {

Result<Builder> trimmed(Builder d, const Trim& trim)
{
    check(d.bodies.size() == trim.bodies.size(), "a trim belongs to its description");
    Problems found;
    for (std::size_t i = 0; i < d.bodies.size(); ++i) {
        Body& body = d.bodies[i];
        const PlacedBody& at = trim.bodies[i];
        if (!body.particle)
            body.pose.q = quat_of(at.R);
        body.pose.x = at.x - at.R * at.mass.center;
        body.angular_velocity = at.omega;
        // Described is how the centre of mass of the empty body moves.
        body.velocity =
            at.v + cross(at.omega, at.R * (body.mass_properties.center - at.mass.center));
    }
    std::size_t first = 0;
    for (Joint& joint : d.joints) {
        const auto n = static_cast<std::size_t>(facts_of(joint.kind).coordinates);
        for (std::size_t k = 0; k < n && k < joint.start.size(); ++k)
            joint.start[k] = trim.coordinates[first + k];
        std::fill(joint.start_speed.begin(), joint.start_speed.end(), 0.0);
        first += n;
    }
    for (std::size_t i = 0; i < d.controls.size(); ++i) {
        Control& c = d.controls[i];
        const double shift = trim.controls[i] - c.at(0);
        for (std::size_t k = 0; k < c.values.size(); ++k) {
            c.values[k] = k == 0 && c.times[0] >= 0 ? trim.controls[i] : c.values[k] + shift;
            if (!c.within_limits(c.values[k]))
                found.add_at(c.name, "schedule", "shifted by ", shift, " to begin trimmed it is ",
                             c.values[k], " at t = ", c.times[k], " s, outside its limits ",
                             c.lower, " to ", c.upper, "; ask for less in the schedule");
        }
    }
    if (found.any())
        return found;
    return d;
}

} // namespace poinsot
