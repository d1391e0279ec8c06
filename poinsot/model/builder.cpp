// SPDX-License-Identifier: MIT
#include "poinsot/model/builder.hpp"

#include "poinsot/mass/principal.hpp"

#include <cmath>
#include <map>

namespace poinsot {

namespace {

bool finite(const Vec3<double>& a)
{
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

void inspect(const Body& body, Problems& found)
{
    const MassProperties& mass = body.mass_properties;
    if (!(mass.mass > 0) || !std::isfinite(mass.mass)) // catches NaN as well
        found.add(body.name, "mass must be positive and finite, is ", mass.mass);
    if (!finite(mass.center))
        found.add(body.name, "centre of mass must be finite");
    if (!body.particle) {
        const std::string why = why_cannot_exist(mass.inertia);
        if (!why.empty())
            found.add(body.name, "no body has this inertia: ", why);
        else if (!std::isfinite(trace(mass.inertia)))
            found.add(body.name, "inertia is too large to reckon with");
        else if (!(principal_axes(mass.inertia).moments.x > 1e-12 * trace(mass.inertia)))
            found.add(body.name, "the inertia about one axis is zero, so no torque could turn it "
                                 "there; give the body some thickness, or make it a particle");
    }
    if (body.particle && (norm(body.angular_velocity) > 0 || trace(mass.inertia) != 0))
        found.add(body.name,
                  "a particle has no extent: it takes neither inertia nor angular velocity");
    if (!finite(body.pose.x))
        found.add(body.name, "position must be finite");
    // A unit quaternion typed with 7 digits is 1e-7 off; more than 1e-6 is a mistake.
    const double n = std::sqrt(norm2(body.pose.q));
    if (!(std::abs(n - 1) <= 1e-6))
        found.add(body.name, "orientation must be a unit quaternion, its norm is ", n);
    if (!finite(body.velocity))
        found.add(body.name, "velocity must be finite");
    if (!finite(body.angular_velocity))
        found.add(body.name, "angular velocity must be finite");
    if (body.held) {
        if (body.particle)
            found.add(body.name, "a particle cannot be held: it would not move");
        if (!finite(body.held->point))
            found.add(body.name, "held point must be finite");
        if (body.held->along && !(norm(*body.held->along) > 0 && finite(*body.held->along)))
            found.add(body.name, "the line it is held on needs a direction that is not zero");
        else {
            // The held point may move along its line and no other way; 1e-6 is a typed velocity's
            // slip.
            const Vec3<double> r = rotate(normalised(body.pose.q), body.held->point - mass.center);
            const Vec3<double> v = body.velocity + cross(body.angular_velocity, r);
            const Vec3<double> across =
                body.held->along
                    ? v - dot(v, normalised(*body.held->along)) * normalised(*body.held->along)
                    : v;
            if (!(norm(across) <=
                  1e-6 * (norm(body.velocity) + norm(body.angular_velocity) * norm(r))))
                found.add(body.name,
                          "velocity must leave the held point where it is held; there it "
                          "would move with ",
                          norm(across), " m/s");
        }
    }
}

BodyMass constants_of(const Body& body)
{
    const MassProperties& mass = body.mass_properties;
    BodyMass made{mass.mass,       1 / mass.mass,          mass.center, {}, {},
                  zero3<double>(), identity_quat<double>()};
    if (body.particle)
        return made;
    made.I_b = mass.inertia;
    made.inv_I_b = inverse(mass.inertia);
    const PrincipalAxes principal = principal_axes(mass.inertia);
    made.principal = principal.moments;
    made.principal_axes = principal.rotation();
    return made;
}

} // namespace

int Builder::add(Body body)
{
    bodies.push_back(std::move(body));
    return static_cast<int>(bodies.size()) - 1;
}

int Builder::add(Joint joint)
{
    joints.push_back(std::move(joint));
    return static_cast<int>(joints.size()) - 1;
}

int Builder::add_particle(std::string name, double mass, const Vec3<double>& x,
                          const Vec3<double>& v)
{
    Body body;
    body.name = std::move(name);
    body.particle = true;
    body.mass_properties.mass = mass;
    body.pose.x = x;
    body.velocity = v;
    return add(std::move(body));
}

Result<Model> Builder::build() const
{
    Problems found;
    if (bodies.empty())
        found.add("model", "there is no body: add at least one");

    std::map<std::string, int> seen;
    for (const Body& body : bodies) {
        if (body.name.empty())
            found.add(text_of("body ", &body - bodies.data()), "needs a name");
        else if (++seen[body.name] == 2)
            found.add(body.name, "two bodies have this name; names must be unique");
        inspect(body, found);
    }
    if (!finite(gravity.uniform))
        found.add("gravity", "must be finite");
    if (!(gravity.G >= 0) || !std::isfinite(gravity.G))
        found.add("gravity", "G must be finite and not negative, is ", gravity.G);

    const int count = static_cast<int>(bodies.size());
    const auto exists = [&](int body) { return body >= 0 && body < count; };
    const auto anchored = [&](const Anchor& at) { return at.body == world || exists(at.body); };
    const auto not_negative = [](double value) { return value >= 0 && std::isfinite(value); };
    for (const Spring& s : springs) {
        if (!anchored(s.a) || !anchored(s.b))
            found.add(s.name, "is fixed to a body that does not exist");
        else if (s.a.body == s.b.body)
            found.add(s.name, s.a.body == world
                                  ? "both ends are fixed to the world: tie one to a body"
                                  : "both ends are on the same body");
        for (const Anchor& end : {s.a, s.b})
            if (end.body != world && exists(end.body) &&
                bodies[static_cast<std::size_t>(end.body)].particle && norm(end.point) > 0)
                found.add(s.name, "a particle has no extent: fix the spring at its own place");
        if (!finite(s.a.point) || !finite(s.b.point))
            found.add(s.name, "its end points must be finite");
        if (!not_negative(s.stiffness))
            found.add(s.name, "stiffness must be finite and not negative, is ", s.stiffness);
        if (!not_negative(s.damping))
            found.add(s.name, "damping must be finite and not negative, is ", s.damping);
        if (!not_negative(s.rest_length))
            found.add(s.name, "rest length must be finite and not negative, is ", s.rest_length);
    }
    for (const Drag& d : drags) {
        if (!exists(d.body))
            found.add(d.name, "acts on a body that does not exist");
        if (!not_negative(d.linear) || !not_negative(d.quadratic))
            found.add(d.name, "drag coefficients must be finite and not negative");
    }
    for (const AppliedLoad& l : loads) {
        if (!exists(l.body))
            found.add(l.name, "acts on a body that does not exist");
        else if (bodies[static_cast<std::size_t>(l.body)].particle &&
                 (norm(l.torque) > 0 || norm(l.point) > 0))
            found.add(l.name, "a particle feels no torque: give a force alone, at its own place");
        if (!finite(l.force) || !finite(l.torque) || !finite(l.point))
            found.add(l.name, "force, torque and point must be finite");
        if (!(l.from < l.until))
            found.add(l.name, "must begin before it ends: from ", l.from, " until ", l.until);
    }
    inspect_joints(bodies, joints, gears, found);
    if (found.any())
        return found;

    Model model;
    model.bodies_ = bodies;
    for (Body& body : model.bodies_)
        body.pose.q = normalised(body.pose.q);
    model.joints_ = joints;
    for (Joint& joint : model.joints_) {
        joint.frame_a.q = normalised(joint.frame_a.q);
        joint.frame_b.q = normalised(joint.frame_b.q);
    }
    model.gears_ = gears;
    model.offsets_ = coordinate_offsets(joints);
    model.tree_ = tree_of(count, joints);
    model.joint_starts_ = assemble(model.bodies_, model.joints_, model.tree_, found);
    if (found.any())
        return found;
    for (const Body& body : bodies) {
        model.masses_.push_back(constants_of(body));
        model.any_held_ = model.any_held_ || body.held.has_value();
    }
    model.gravity_ = gravity;
    model.springs_ = springs;
    model.drags_ = drags;
    model.loads_ = loads;
    model.velocity_dependent_ = model.any_held_ || !drags.empty() || !joints.empty();
    for (const Spring& s : springs)
        model.velocity_dependent_ = model.velocity_dependent_ || s.damping > 0;
    return model;
}

} // namespace poinsot
