// SPDX-License-Identifier: MIT
// The bodies and particles of a scene: their names, where they start, and how they move and turn.
#include "poinsot/io/scene_draft.hpp"

#include <cmath>

namespace poinsot {

namespace {

/// A larger angle has no digits left to turn by: its last one is a hundred-thousandth of a radian.
constexpr double most_turn = 1e11;

/// Turns about the axes of the body as it turns: R = R₁(a) R₂(b) R₃(c).
Quat<double> read_euler(Fields& f)
{
    const Quat<double> otherwise = identity_quat<double>();
    const auto euler = f.need("euler", "[10 deg, 20 deg, 30 deg]");
    const auto sequence = f.need("sequence", "zyx");
    const std::string order = sequence ? sequence->word() : "zyx";
    if (order.size() != 3 || order.find_first_not_of("xyz") != std::string::npos ||
        order[0] == order[1] || order[1] == order[2]) {
        sequence->must("be three axes such as zyx or zxz, no two neighbours the same, is '", order,
                       "'");
        return otherwise;
    }
    if (!euler)
        return otherwise;
    if (!euler->node().is_list() || euler->node().items.size() != 3) {
        euler->must("be a list of 3 angles, is ", euler->shown());
        return otherwise;
    }
    Quat<double> q = otherwise;
    for (std::size_t i = 0; i < 3; ++i) {
        const Value turn = euler->part(euler->node().items[i], euler->what());
        const double a = turn.angle();
        if (!(std::abs(a) <= most_turn)) {
            turn.must("be at most ", most_turn, " rad either way, is ", a,
                      "; leave out whole turns");
            return otherwise;
        }
        q = q * exp_quat(Vec3<double>{order[i] == 'x' ? a : 0, order[i] == 'y' ? a : 0,
                                      order[i] == 'z' ? a : 0});
    }
    return q;
}

Quat<double> read_turn(Fields& f)
{
    const auto axis = f.need("axis", "[0, 0, 1]"), turn = f.need("angle", "30 deg");
    const Vec3<double> n = axis ? axis->vector({0, 0, 1}) : Vec3<double>{0, 0, 1};
    const double phi = turn ? turn->angle() : 0;
    if (!(std::abs(phi) <= most_turn)) {
        turn->must("be at most ", most_turn, " rad either way, is ", phi,
                   "; leave out whole turns");
        return identity_quat<double>();
    }
    if (norm(n) > 0 && std::isfinite(norm(n)))
        return exp_quat((phi / norm(n)) * n);
    axis->must("have a direction, is zero or too large");
    return identity_quat<double>();
}

Quat<double> read_rotation_matrix(const Value& value)
{
    const auto R = value.rows();
    if (!R)
        return identity_quat<double>();
    const double off = orthonormality_error(*R);
    const double det = dot(R->r0, cross(R->r1, R->r2));
    if (off <= 1e-6 && det > 0)
        return quat_of(*R);
    value.must("be a rotation matrix; ",
               det > 0 ? text_of("its rows are off from unit vectors at right angles by ", off)
                       : std::string("its rows are left-handed or degenerate"),
               "; check signs, or write {axis: …, angle: …}");
    return identity_quat<double>();
}

} // namespace

Quat<double> read_orientation(const Value& value)
{
    if (value.is_rows())
        return read_rotation_matrix(value);
    if (value.node().is_list()) {
        const auto q = value.named(value.what() + " as w, x, y, z").numbers(4);
        return q.empty() ? identity_quat<double>() : Quat<double>{q[0], q[1], q[2], q[3]};
    }
    if (!value.node().is_map()) {
        value.must("be [w, x, y, z], {axis: …, angle: …}, {euler: …, sequence: …} or three rows, "
                   "is ",
                   value.shown());
        return identity_quat<double>();
    }
    Fields f(value, "orientation");
    const auto axis = f.find("axis"), turn = f.find("angle"), euler = f.find("euler"),
               sequence = f.find("sequence");
    if ((axis || turn) != (euler || sequence))
        return axis || turn ? read_turn(f) : read_euler(f);
    f.problem(f.what(), " needs either axis and angle, or euler and sequence");
    return identity_quat<double>();
}

namespace {

Held read_held(const Value& value)
{
    Fields f(value, "held");
    Held held;
    if (const auto point = f.need("point", "[0, 0, 0]"))
        held.point = point->vector();
    if (const auto along = f.find("along"))
        held.along = along->vector({1, 0, 0});
    return held;
}

} // namespace

void read_body(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "body", draft.bodies.size() + 1), "body");
    Body body;
    body.name = draft.name_of(f, "body", true);
    read_mass(f, body);
    const Start start = read_start(draft, f, body.mass_properties.center, true);
    body.pose = start.pose;
    body.velocity = start.velocity;
    body.angular_velocity = start.angular_velocity;
    if (const auto held = f.find("held"))
        body.held = read_held(*held);
    TouchKeys keys = touch_keys(f);
    keys.collides = f.find("collides");
    draft.keep_body(f.value(), std::move(body), std::move(keys));
}

void read_particle(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "particle", draft.bodies.size() + 1), "particle");
    Body body;
    body.particle = true;
    body.name = draft.name_of(f, "particle", true);
    const auto mass = f.need("mass", "1.0");
    body.mass_properties.mass = mass ? mass->number(1) : 1;
    const Start start = read_start(draft, f, zero3<double>(), false);
    body.pose.x = start.pose.x;
    body.velocity = start.velocity;
    TouchKeys keys = touch_keys(f);
    keys.radius = f.find("radius");
    draft.keep_body(f.value(), std::move(body), std::move(keys));
}

} // namespace poinsot
