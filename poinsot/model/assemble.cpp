// SPDX-License-Identifier: MIT
#include "poinsot/model/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace poinsot {

namespace {

// A pose typed with seven digits is 1e-7 off; more than this is a mistake.
constexpr double typed = 1e-6;

bool not_negative(double value)
{
    return value >= 0 && std::isfinite(value);
}

const Body* body_of(const std::vector<Body>& bodies, int i)
{
    return i == world ? nullptr : &bodies[static_cast<std::size_t>(i)];
}
Pose<double> pose_of(const Body* body)
{
    return body ? body->pose : identity_pose<double>();
}
/// The motion of a body at a world point fixed to it.
Twist<double> twist_at(const Body* body, const Vec3<double>& point)
{
    if (!body)
        return {zero3<double>(), zero3<double>()};
    const Vec3<double> center = place(body->pose, body->mass_properties.center);
    return shift(Twist<double>{body->velocity, body->angular_velocity}, point - center);
}

/// Where frame a of a joint is in the world at the start.
Pose<double> frame_a_at_start(const Joint& joint, const std::vector<Body>& bodies)
{
    if (joint.motion)
        return joint.motion->pose_at(0, joint.frame_a);
    return pose_of(body_of(bodies, joint.a)) * joint.frame_a;
}

/// Where a law of coordinate k is written: in the joint, or in the list of its coordinates.
std::string key_of_law(const Joint& joint, int k, const char* key)
{
    return facts_of(joint.kind).coordinates > 1 ? text_of("coordinates.", k, ".", key)
                                                : std::string(key);
}

void inspect_law(const Joint& joint, int k, const CoordinateLaw& law, Problems& found)
{
    const std::string which =
        facts_of(joint.kind).coordinates > 1
            ? text_of(" (coordinate ", k + 1, " of ", facts_of(joint.kind).coordinates, ")")
            : std::string();
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(joint.name, key_of_law(joint, k, key), parts..., which);
    };
    const auto size = [&](const char* key, const char* what, double value) {
        if (!not_negative(value))
            wrong(key, what, " must be finite and not negative, is ", value);
    };
    size("stiffness", "stiffness", law.stiffness);
    size("damping", "damping", law.damping);
    size("friction", "friction", law.friction);
    size("armature", "armature", law.armature);
    if (!std::isfinite(law.rest))
        wrong("rest", "rest must be finite");
    if (!(law.slip_speed > 0) || !std::isfinite(law.slip_speed))
        wrong("slip_speed", "slip_speed must be positive and finite, is ", law.slip_speed);
    if (!(law.lower < law.upper)) // catches NaN as well
        wrong("limits", "limits must leave room: lower ", law.lower, ", upper ", law.upper);
    if (only_measures(joint.kind) && k == 0 && std::isfinite(law.lower) && !(law.lower > 0))
        wrong("limits", joint.kind == JointKind::strut ? "a length" : "the angle between two axes",
              " is never below zero: leave its lower limit out, with ~");
    if (!(law.restitution >= 0 && law.restitution <= 1))
        wrong("restitution", "restitution must lie between 0 and 1, is ", law.restitution);
    if (law.motor) {
        if (!finite(law.motor->target))
            wrong("motor.target", "motor target must be finite");
        size("motor.gain", "motor gain", law.motor->gain);
        size("motor.damping", "motor damping", law.motor->damping);
        if (!(law.motor->most > 0))
            wrong("motor.most", "the most a motor gives must be positive, is ", law.motor->most);
    }
    if (law.prescribed && !finite(*law.prescribed))
        wrong("prescribed", "prescribed motion must be finite");
}

void inspect_turn(const Joint& joint, const TurnLaw& law, const std::vector<Body>& bodies,
                  Problems& found)
{
    if (!turns_any_way(joint.kind)) {
        found.add_at(joint.name, "stiffness", "a ", facts_of(joint.kind).name,
                     " joint does not turn any way about a point: what acts on it goes along its "
                     "coordinates");
        return;
    }
    for (const int i : {joint.a, joint.b})
        if (const Body* body = body_of(bodies, i); body && body->particle)
            found.add_at(joint.name, "stiffness", "particle '", body->name,
                         "' has no attitude to hold: leave stiffness and damping out, or make it "
                         "a body");
    for (const auto& [key, of] :
         {std::pair("stiffness", &law.stiffness), std::pair("damping", &law.damping)})
        for (const double value : {of->x, of->y, of->z})
            if (!not_negative(value)) {
                found.add_at(joint.name, key, key, " must be finite and not negative, is ", value);
                break;
            }
    const double n = std::sqrt(norm2(law.rest));
    if (!(std::abs(n - 1) <= typed))
        found.add_at(joint.name, "rest", "rest must be a unit quaternion, its norm is ", n,
                     "; divide by its norm");
}

void inspect(const Joint& joint, const std::vector<Body>& bodies, Problems& found)
{
    const int count = static_cast<int>(bodies.size());
    const JointFacts& facts = facts_of(joint.kind);
    const auto known = [&](int body) { return body == world || (body >= 0 && body < count); };
    if (!known(joint.a) || !known(joint.b)) {
        found.add_at(joint.name, "bodies", "joins a body that does not exist");
        return;
    }
    if (joint.a == joint.b)
        found.add_at(joint.name, "bodies",
                     joint.a == world ? "joins the world to itself: name a body"
                                      : "joins a body to itself");
    for (const bool first : {true, false}) {
        const Pose<double>& frame = first ? joint.frame_a : joint.frame_b;
        const std::string key = first ? "frame_a" : "frame_b";
        if (!finite(frame.x))
            found.add_at(joint.name, key + ".position", "its frames must be finite");
        const double n = std::sqrt(norm2(frame.q));
        if (!(std::abs(n - 1) <= typed))
            found.add_at(joint.name, key + ".orientation",
                         "the orientation of a frame must be a unit quaternion, its norm is ", n,
                         "; divide by its norm");
        const Body* at = body_of(bodies, first ? joint.a : joint.b);
        if (at && at->particle) {
            if (joint.kind != JointKind::point && joint.kind != JointKind::distance &&
                joint.kind != JointKind::strut)
                found.add_at(joint.name, "bodies",
                             "a particle has no attitude: it takes point, distance and strut, not ",
                             facts.name);
            else if (norm(frame.x) > 0)
                found.add_at(joint.name, key + ".position",
                             "a particle has no extent: join it at its own place");
        }
        if (at && at->held)
            found.add_at(joint.name, "bodies", "body '", at->name,
                         "' is held and joined: replace held by a ball joint with the world");
    }
    if (joint.kind == JointKind::screw && !std::isfinite(joint.pitch))
        found.add_at(joint.name, "pitch", "pitch must be finite, is ", joint.pitch);
    if (joint.kind == JointKind::distance && (!(joint.length > 0) || !std::isfinite(joint.length)))
        found.add_at(joint.name, "length", "length must be positive and finite, is ", joint.length,
                     "; for length zero use a point joint");
    if (joint.kind == JointKind::rolling) {
        if (!(joint.radius > 0) || !std::isfinite(joint.radius))
            found.add_at(joint.name, "radius", "radius must be positive and finite, is ",
                         joint.radius);
        if (joint.b == world)
            found.add_at(joint.name, "bodies",
                         "the disc that rolls must be a body: it is the second of the two");
    }

    if (joint.motion) {
        if (joint.kind != JointKind::weld && joint.kind != JointKind::point)
            found.add_at(joint.name, "motion", "only a weld or a point follows a motion, not a ",
                         facts.name,
                         "; weld a body to the world, give that one the motion, and join to it");
        if (joint.a != world)
            found.add_at(joint.name, "motion", "is seen from the world: its first body must be ",
                         "world, as in [world, table]");
        if (!finite(*joint.motion))
            found.add_at(joint.name, "motion", "the motion must be finite");
        else if (!(norm(joint.motion->axis) > 0) || !std::isfinite(norm(joint.motion->axis)))
            found.add_at(joint.name, "motion.axis",
                         "the axis needs a direction, is zero or too large");
        if (joint.kind == JointKind::point &&
            (joint.motion->turn.at(0) != 0 || joint.motion->turn.rate != 0 ||
             joint.motion->turn.amplitude != 0))
            found.add_at(joint.name, "motion.turn",
                         "a point has no attitude to turn: leave it out");
    }

    const auto n = static_cast<std::size_t>(facts.coordinates);
    const auto fits = [&](const char* what, std::size_t size) {
        if (size != 0 && size != n)
            found.add_at(joint.name, what, what, " needs ", n, " numbers for a ", facts.name,
                         " joint, has ", size);
    };
    fits("start", joint.start.size());
    fits("speed", joint.start_speed.size());
    if (!joint.laws.empty() && joint.laws.size() != n)
        found.add_at(joint.name, "coordinates", "a ", facts.name, " joint has ", n,
                     " coordinates to act on, not ", joint.laws.size());
    const auto all_finite = [&](const char* what, const std::vector<double>& numbers) {
        if (!std::all_of(numbers.begin(), numbers.end(), [](double a) { return std::isfinite(a); }))
            found.add_at(joint.name, what, what, " must be finite");
    };
    all_finite("start", joint.start);
    all_finite("speed", joint.start_speed);
    for (std::size_t k = 0; k < std::min(n, joint.laws.size()); ++k)
        inspect_law(joint, static_cast<int>(k), joint.laws[k], found);
    if (joint.turn)
        inspect_turn(joint, *joint.turn, bodies, found);
}

/// Puts the body whose motion is told where that begins.
void set_out(const Joint& joint, std::vector<Body>& bodies, Problems& found)
{
    Body& body = bodies[static_cast<std::size_t>(joint.b)];
    const Body given = body;
    const Pose<double> X = frame_a_at_start(joint, bodies);
    const Twist<double> V = joint.motion->twist_at(0);
    if (joint.kind == JointKind::point)
        body.pose.x = X.x - rotate(body.pose.q, joint.frame_b.x);
    else {
        body.pose = X * inverse(joint.frame_b);
        body.pose.q = normalised(body.pose.q);
        body.angular_velocity = V.omega;
    }
    const Vec3<double> center = place(body.pose, body.mass_properties.center);
    body.velocity = V.v + cross(body.angular_velocity, center - X.x);
    // What was given may say the same; none was given where it is zero.
    const auto contradicts = [](const Vec3<double>& a, const Vec3<double>& b) {
        return norm(a) > 0 && !(norm(a - b) <= typed * (norm(a) + norm(b)));
    };
    if (contradicts(given.velocity, body.velocity) ||
        contradicts(given.angular_velocity, body.angular_velocity))
        found.add_at(joint.name, "motion", "says how body '", body.name,
                     "' moves, and so does the body, otherwise: leave its velocities out");
}

/// Puts the body that a joint carries where the joint says, with the motion it says. A ball keeps
/// the attitude and the rate that it has among the bodies `as_given`.
void follow(const Joint& joint, bool reversed, const JointStart& start,
            const std::vector<Body>& as_given, std::vector<Body>& bodies)
{
    const bool turns_freely = joint.kind == JointKind::ball;
    const Pose<double> here = relative_pose(joint, as_given);
    const Twist<double> moves = relative_twist(joint, as_given);
    Pose<double> J = joint_pose(joint, start.q);
    Twist<double> V = joint_twist(joint, start.q, start.speed);
    if (turns_freely) {
        J.q = here.q;
        V.omega = moves.omega;
    }
    const Body* a = body_of(bodies, joint.a);
    const Body* b = body_of(bodies, joint.b);
    const Pose<double> X_a = pose_of(a) * joint.frame_a, X_b = pose_of(b) * joint.frame_b;
    if (!reversed) {
        Body& child = bodies[static_cast<std::size_t>(joint.b)];
        const Pose<double> X = X_a * J;
        child.pose = X * inverse(joint.frame_b);
        child.pose.q = normalised(child.pose.q);
        // The frame of a carries b's origin along, and b moves in it.
        const Twist<double> carried = twist_at(a, X.x);
        child.angular_velocity = carried.omega + rotate(X_a.q, V.omega);
        const Vec3<double> v = carried.v + rotate(X_a.q, V.v);
        const Vec3<double> center = place(child.pose, child.mass_properties.center);
        child.velocity = v + cross(child.angular_velocity, center - X.x);
    } else {
        Body& child = bodies[static_cast<std::size_t>(joint.a)];
        const Pose<double> X = X_b * inverse(J); // frame a
        child.pose = X * inverse(joint.frame_a);
        child.pose.q = normalised(child.pose.q);
        const Twist<double> at_b = twist_at(b, X_b.x);
        child.angular_velocity = at_b.omega - rotate(X.q, V.omega);
        // Of the point of body a that stands where the origin of frame b is.
        const Vec3<double> v = at_b.v - rotate(X.q, V.v);
        const Vec3<double> center = place(child.pose, child.mass_properties.center);
        child.velocity = v + cross(child.angular_velocity, center - X_b.x);
    }
}

bool starts_finite(const Body& body)
{
    return finite(body.pose.x) && std::isfinite(norm2(body.velocity)) &&
           std::isfinite(norm2(body.angular_velocity));
}

/// How fast the coordinates of what only measures change.
std::vector<double> measured_speeds(JointKind kind, const Pose<double>& relative,
                                    const Twist<double>& V)
{
    constexpr Vec3<double> x{1, 0, 0}, z{0, 0, 1};
    std::vector<double> speeds;
    for (int k = 0; k < facts_of(kind).coordinates; ++k)
        speeds.push_back(dot(measured_along(kind, k, relative.x, x, z, rotate(relative.q, z)),
                             kind == JointKind::strut ? V.v : V.omega));
    return speeds;
}

struct Misfit {
    double distance = 0, angle = 0, speed = 0, rate = 0;
};
/// By how much frame b is off from where a carrying joint at q would have it.
Misfit misfit(const Joint& joint, const Pose<double>& relative, const Twist<double>& V,
              const JointStart& at)
{
    const Pose<double> J = joint_pose(joint, at.q);
    const Twist<double> U = joint_twist(joint, at.q, at.speed);
    Misfit off{norm(relative.x - J.x), norm(log_quat(conjugate(J.q) * relative.q)), norm(V.v - U.v),
               norm(V.omega - U.omega)};
    switch (joint.kind) {
    case JointKind::free:
        return {};
    case JointKind::strut:
    case JointKind::swing: { // off where they are to follow a course alone
        const std::vector<double> q = coordinates_of(joint.kind, relative),
                                  speed = measured_speeds(joint.kind, relative, V);
        const bool lines = joint.kind == JointKind::strut;
        Misfit from_course;
        for (std::size_t k = 0; k < q.size(); ++k) {
            double& place = lines ? from_course.distance : from_course.angle;
            double& rate = lines ? from_course.speed : from_course.rate;
            const double apart = q[k] - at.q[k];
            place = std::max(place, std::abs(lines ? apart : std::remainder(apart, two_pi)));
            rate = std::max(rate, std::abs(speed[k] - at.speed[k]));
        }
        return from_course;
    }
    case JointKind::ball:
    case JointKind::point:
        off.angle = off.rate = 0;
        return off;
    case JointKind::distance:
        return {std::abs(norm(relative.x) - joint.length), 0,
                std::abs(dot(relative.x, V.v)) / std::max(norm(relative.x), 1e-300), 0};
    case JointKind::parallel: {
        const Vec3<double> z{0, 0, 1}, z_b = rotate(relative.q, z);
        return {0, norm(cross(z, z_b)), 0, norm(cross(z, cross(V.omega, z_b)))};
    }
    case JointKind::rolling: {
        const Vec3<double> down = rolling_arm(rotate(relative.q, {0, 0, 1}), joint.radius);
        return {std::abs(relative.x.z + down.z), 0, norm(V.v + cross(V.omega, down)), 0};
    }
    default:
        return off;
    }
}

} // namespace

Vec3<double> rolling_arm(const Vec3<double>& axis, double radius)
{
    // The way down within the disc: −z made square to the axis.
    const Vec3<double> z{0, 0, 1};
    const Vec3<double> up = z - dot(z, axis) * axis;
    return (-radius / norm(up)) * up;
}

Pose<double> relative_pose(const Joint& joint, const std::vector<Body>& bodies)
{
    const Pose<double> X_a = frame_a_at_start(joint, bodies);
    const Pose<double> X_b = pose_of(body_of(bodies, joint.b)) * joint.frame_b;
    return inverse(X_a) * X_b;
}
Twist<double> relative_twist(const Joint& joint, const std::vector<Body>& bodies)
{
    const Body* a = body_of(bodies, joint.a);
    const Body* b = body_of(bodies, joint.b);
    const Pose<double> X_a = frame_a_at_start(joint, bodies);
    const Quat<double> to_a = conjugate(X_a.q);
    const Vec3<double> x_b = (pose_of(b) * joint.frame_b).x;
    const Twist<double> V_a =
        joint.motion ? shift(joint.motion->twist_at(0), x_b - X_a.x) : twist_at(a, x_b);
    const Twist<double> V = twist_at(b, x_b) - V_a;
    return {rotate(to_a, V.v), rotate(to_a, V.omega)};
}

void inspect_joints(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                    const std::vector<Gear>& gears, Problems& found)
{
    std::map<std::string, int> seen;
    for (const Joint& joint : joints) {
        if (joint.name.empty())
            found.add_at(text_of("joint ", &joint - joints.data()), "name", "needs a name");
        else if (++seen[joint.name] == 2)
            found.add_at(joint.name, "name", "two joints have this name; names must be unique");
        inspect(joint, bodies, found);
    }
    for (const Gear& gear : gears) {
        const auto has = [&](int j, int k) {
            return j >= 0 && j < static_cast<int>(joints.size()) && k >= 0 &&
                   k < facts_of(joints[static_cast<std::size_t>(j)].kind).coordinates;
        };
        if (!has(gear.joint_1, gear.coordinate_1) || !has(gear.joint_2, gear.coordinate_2))
            found.add_at(gear.name, "coordinates", "relates a coordinate that does not exist");
        else if (gear.joint_1 == gear.joint_2 && gear.coordinate_1 == gear.coordinate_2)
            found.add_at(gear.name, "joints", "relates a coordinate to itself");
        if (!(std::abs(gear.ratio) > 0) || !std::isfinite(gear.ratio))
            found.add_at(gear.name, "ratio", "ratio must be finite and not zero, is ", gear.ratio);
    }
}

Problems outside_limits(const std::vector<Joint>& joints, const std::vector<JointStart>& starts)
{
    Problems found;
    for (std::size_t j = 0; j < joints.size(); ++j)
        for (std::size_t k = 0; k < joints[j].laws.size(); ++k) {
            const CoordinateLaw& law = joints[j].laws[k];
            const double q = starts[j].q[k];
            if (!(q >= law.lower - typed && q <= law.upper + typed))
                found.add_at(
                    joints[j].name, key_of_law(joints[j], static_cast<int>(k), "limits"),
                    "starts at ", q, ", outside its limits ", law.lower, " and ", law.upper,
                    only_measures(joints[j].kind) ? "; place its bodies so that it is between them"
                                                  : "; give the joint a start between them");
        }
    return found;
}

ToldRates told_rates(const std::vector<Joint>& joints)
{
    const auto most = [](const Course& course) {
        return std::abs(course.rate) +
               std::abs(2 * std::numbers::pi * course.frequency * course.amplitude);
    };
    ToldRates told;
    for (const Joint& joint : joints) {
        for (std::size_t k = 0; k < joint.laws.size(); ++k)
            if (const auto& course = joint.laws[k].prescribed) {
                const bool turns = is_angle(joint.kind, static_cast<int>(k));
                (turns ? told.turn : told.shift) += most(*course);
                if (joint.kind == JointKind::screw)
                    told.shift += std::abs(joint.pitch) * most(*course);
            }
        if (!joint.motion)
            continue;
        told.turn += most(joint.motion->turn);
        for (const Course& course : joint.motion->shift)
            told.shift += most(course);
    }
    return told;
}

Problems off_their_ratio(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                         const std::vector<Gear>& gears, const std::vector<JointStart>& starts)
{
    Problems found;
    const ToldRates told = told_rates(joints);
    struct Side {
        std::string called, unit;
        double speed, size; // size: of the terms that made the speed; they may cancel
    };
    const auto side = [&](int j, int k) {
        const Joint& joint = joints[static_cast<std::size_t>(j)];
        const bool turns = is_angle(joint.kind, k);
        const double speed = starts[static_cast<std::size_t>(j)].speed[static_cast<std::size_t>(k)];
        double rate = told.turn, shift = told.shift, arm = 0;
        for (const auto& [i, frame] : {std::pair(joint.a, joint.frame_a), {joint.b, joint.frame_b}})
            if (const Body* body = body_of(bodies, i)) {
                rate = std::max(rate, norm(body->angular_velocity));
                shift = std::max(shift, norm(body->velocity));
                arm = std::max(arm, norm(frame.x) + norm(body->mass_properties.center));
            }
        return Side{facts_of(joint.kind).coordinates > 1
                        ? text_of("coordinate ", k + 1, " of '", joint.name, "'")
                        : text_of("'", joint.name, "'"),
                    turns ? " rad/s" : " m/s", speed,
                    std::abs(speed) + (turns ? rate : shift + rate * arm)};
    };
    for (const Gear& gear : gears) {
        const Side one = side(gear.joint_1, gear.coordinate_1),
                   two = side(gear.joint_2, gear.coordinate_2);
        const double off = one.speed - gear.ratio * two.speed;
        if (!(std::abs(off) <= typed * (one.size + std::abs(gear.ratio) * two.size)))
            found.add_at(gear.name, "speed", "its joints do not start in its ratio ", gear.ratio,
                         ": ", one.called, " at ", one.speed, one.unit, ", ", two.called, " at ",
                         two.speed, two.unit, "; give ", two.called, " a speed of ",
                         one.speed / gear.ratio, two.unit, ", or ", one.called, " one of ",
                         gear.ratio * two.speed, one.unit);
    }
    return found;
}

std::vector<JointStart> assemble(std::vector<Body>& bodies, const std::vector<Joint>& joints,
                                 const Tree& tree, Problems& found)
{
    for (const Joint& joint : joints)
        if (joint.motion)
            set_out(joint, bodies, found);
    const std::vector<Body> described = bodies;
    const ToldRates told = told_rates(joints);
    std::vector<JointStart> starts(joints.size());
    const auto measure = [&](const Joint& joint, const std::vector<Body>& among) {
        const bool given = !joint.start.empty();
        JointStart start;
        start.q = given ? joint.start : coordinates_of(joint.kind, relative_pose(joint, among));
        // Speeds belong to the place: of a joint that is put elsewhere, none were given.
        start.speed = !joint.start_speed.empty() ? joint.start_speed
                      : given                    ? std::vector<double>(start.q.size(), 0.0)
                      : only_measures(joint.kind)
                          ? measured_speeds(joint.kind, relative_pose(joint, among),
                                            relative_twist(joint, among))
                          : speeds_of(joint.kind, start.q, relative_twist(joint, among));
        // A prescribed coordinate starts where its course does.
        for (std::size_t k = 0; k < joint.laws.size(); ++k)
            if (const auto& course = joint.laws[k].prescribed) {
                const auto meet = [&](const char* what, bool was_given, double& value,
                                      double want) {
                    if (was_given && !(std::abs(value - want) <= typed * (1 + std::abs(want))))
                        found.add_at(joint.name, what, what, " is ", value,
                                     ", but the prescribed motion "
                                     "begins with ",
                                     want, ": leave it out, or make them agree");
                    value = want;
                };
                meet("start", given, start.q[k], course->at(0));
                meet("speed", !joint.start_speed.empty(), start.speed[k], course->rate_at(0));
            }
        return start;
    };
    const auto problem = [&](const Joint& joint, const JointStart& start,
                             const std::vector<Body>& among, bool closes_loop) {
        const Pose<double> relative = relative_pose(joint, among);
        const Twist<double> V = relative_twist(joint, among);
        const Misfit off = misfit(joint, relative, V, start);
        double size = std::max({norm(relative.x), joint.length, joint.radius});
        double speed = 0, rate = told.turn;
        for (const auto& [i, frame] : {std::pair(joint.a, joint.frame_a), {joint.b, joint.frame_b}})
            if (const Body* body = body_of(among, i)) {
                size = std::max({size, norm(frame.x), norm(body->pose.x)});
                rate = std::max(rate, norm(body->angular_velocity));
                // the terms that make the velocity of the frame; they may cancel
                const double arm =
                    norm(frame.x) + norm(body->mass_properties.center) + joint.radius;
                speed = std::max(speed, norm(body->velocity) + rate * arm);
            }
        speed += told.shift + told.turn * size;
        Problems wrong;
        if (joint.kind == JointKind::rolling &&
            !(norm(cross({0, 0, 1}, rotate(relative.q, {0, 0, 1}))) > typed))
            wrong.add_at(joint.name, "disc_axis",
                         "lies along the normal of the plane: a disc that lies flat has no lowest "
                         "point to roll on; turn its body, or give another disc_axis");
        else if (!(off.distance <= typed * size && off.angle <= typed)) // catches NaN as well
            wrong.add_at(joint.name, "at", "is not assembled: its frames are off by ", off.distance,
                         " m and ", off.angle, " rad; place the bodies so that it fits, or give ",
                         closes_loop ? "the other joints of its loop starts that close it"
                                     : "the joint a start");
        else if (!(off.speed <= typed * speed && off.rate <= typed * rate))
            wrong.add_at(joint.name, "speed", "the bodies do not move as it lets them: off by ",
                         off.speed, " m/s and ", off.rate, " rad/s; give ",
                         closes_loop ? "the other joints of its loop speeds that keep it closed"
                                     : "the joint a speed instead of the body");
        return wrong;
    };
    for (const int i : tree.order) {
        const int j = tree.carrier[static_cast<std::size_t>(i)];
        if (j == Tree::none)
            continue;
        const Joint& joint = joints[static_cast<std::size_t>(j)];
        if (joint.kind == JointKind::free)
            continue;
        JointStart& start = starts[static_cast<std::size_t>(j)];
        // Without a start of its own a joint keeps the one it has among the bodies as described,
        // though what carries it is put elsewhere; or its body stands already where that one went.
        const std::vector<Body>* among = &described;
        start = measure(joint, *among);
        if (joint.start.empty() && joint.start_speed.empty()) {
            const Problems wrong = problem(joint, start, *among, false);
            if (wrong.any()) {
                among = &bodies;
                start = measure(joint, *among);
                if (problem(joint, start, *among, false).any())
                    found.add(wrong);
            }
        }
        follow(joint, tree.reversed[static_cast<std::size_t>(i)], start, *among, bodies);
        if (const int on = tree.parent[static_cast<std::size_t>(i)];
            !starts_finite(bodies[static_cast<std::size_t>(i)]) &&
            (on == world || starts_finite(bodies[static_cast<std::size_t>(on)])))
            found.add_at(joint.name, joint.start_speed.empty() ? "start" : "speed", "puts body '",
                         bodies[static_cast<std::size_t>(i)].name,
                         "' or its velocity beyond the largest numbers; give smaller ones");
    }
    for (const int j : tree.rows) {
        const Joint& joint = joints[static_cast<std::size_t>(j)];
        JointStart& start = starts[static_cast<std::size_t>(j)];
        if (!joint.start.empty() || !joint.start_speed.empty())
            found.add_at(
                joint.name, joint.start.empty() ? "speed" : "start",
                only_measures(joint.kind)
                    ? "measures where its bodies are: leave its start and speed out"
                    : "closes a loop, so the other joints of the loop say where it starts: leave "
                      "its start and speed out");
        start = measure(joint, bodies);
        found.add(problem(joint, start, bodies, true));
    }
    return starts;
}

} // namespace poinsot
