// SPDX-License-Identifier: MIT
#pragma once

// Robots as texts, for tests that read them, and where the model of one stands.

#include "near.hpp"
#include "poinsot/io/urdf.hpp"

namespace poinsot::urdf_texts {

inline const UrdfOptions fixed(UrdfBase::fixed), floating(UrdfBase::floating);

inline bool says(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}
inline std::string inertial(double mass, double moment = 0.01)
{
    return text_of("<inertial><mass value='", mass, "'/><inertia ixx='", moment,
                   "' ixy='0' ixz='0'", " iyy='", moment, "' iyz='0' izz='", moment,
                   "'/></inertial>");
}
inline std::string part(const std::string& name, const std::string& inside = inertial(1))
{
    return "<link name='" + name + "'>" + inside + "</link>\n";
}
inline std::string joint(const std::string& name, const std::string& type,
                         const std::string& parent, const std::string& child,
                         const std::string& inside = "")
{
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
           "'/><child link='" + child + "'/>" + inside + "</joint>\n";
}
inline const std::string z_axis = "<axis xyz='0 0 1'/>";
inline const std::string limits = "<limit lower='-1' upper='1' effort='1' velocity='1'/>";
inline std::string robot(const std::string& inside)
{
    return "<robot name='r'>\n" + inside + "</robot>\n";
}
inline UrdfRobot robot_of(const std::string& inside, const UrdfOptions& options = fixed)
{
    const auto made = read_urdf_text(robot(inside), "r.urdf", options);
    if (!made)
        FAIL(made.problems().text());
    return *made;
}
inline Problems problems_of(const std::string& text, const UrdfOptions& options = fixed)
{
    const auto made = read_urdf_text(text, "r.urdf", options);
    return made ? Problems() : made.problems();
}
inline bool has(const std::vector<UrdfRemark>& remarks, int line, const std::string& about,
                const std::string& what)
{
    return std::any_of(remarks.begin(), remarks.end(), [&](const UrdfRemark& r) {
        return r.line == line && says(r.about, about) && says(r.what, what);
    });
}

/// Where a link is in a model built from a robot.
inline Pose<double> pose_of(const UrdfLink& link, const Model& model)
{
    if (link.frame->body == world)
        return link.frame->pose;
    return model.bodies()[static_cast<std::size_t>(link.frame->body)].pose * link.frame->pose;
}
/// How it moves there: its origin, world axes.
inline Twist<double> twist_of(const UrdfLink& link, const Model& model)
{
    if (link.frame->body == world)
        return {zero3<double>(), zero3<double>()};
    const Body& body = model.bodies()[static_cast<std::size_t>(link.frame->body)];
    return shift(Twist<double>{body.velocity, body.angular_velocity},
                 pose_of(link, model).x - place(body.pose, body.mass_properties.center));
}

struct Whole {
    double m = 0, energy = 0;
    Vec3<double> center = zero3<double>(), p = zero3<double>(), L_C = zero3<double>();
};
inline Whole whole_of(const Model& model)
{
    Whole w;
    for (const Body& b : model.bodies()) {
        const MassProperties& mass = b.mass_properties;
        w.m += mass.mass;
        w.center += mass.mass * place(b.pose, mass.center);
        w.p += mass.mass * b.velocity;
    }
    w.center = w.center / w.m;
    for (const Body& b : model.bodies()) {
        const MassProperties& mass = b.mass_properties;
        const Vec3<double> L = congruent(matrix_of(b.pose.q), mass.inertia) * b.angular_velocity;
        w.L_C += L + mass.mass * cross(place(b.pose, mass.center) - w.center, b.velocity);
        w.energy += 0.5 * (mass.mass * norm2(b.velocity) + dot(b.angular_velocity, L));
    }
    return w;
}

inline void check_near(const Vec3<double>& a, const Vec3<double>& b, double relative, double scale)
{
    CHECK(near(a.x, b.x, relative, scale));
    CHECK(near(a.y, b.y, relative, scale));
    CHECK(near(a.z, b.z, relative, scale));
}
inline void check_near(const Mat3<double>& a, const Mat3<double>& b, double tolerance)
{
    check_near(a.r0, b.r0, tolerance, 1);
    check_near(a.r1, b.r1, tolerance, 1);
    check_near(a.r2, b.r2, tolerance, 1);
}

} // namespace poinsot::urdf_texts
