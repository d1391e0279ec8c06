// SPDX-License-Identifier: MIT
// The joints and gears of a scene.
//
// A joint is placed by a point and an axis of the world, with the bodies where the file puts them:
// there both frames coincide and every coordinate is zero. Or its frames are given in the bodies.
#include "poinsot/io/scene_draft.hpp"

#include <cmath>

namespace poinsot {

namespace {

constexpr Vec3<double> x_axis{1, 0, 0}, z_axis{0, 0, 1};

Vec3<double> read_direction(const Value& value, const Vec3<double>& otherwise)
{
    const Vec3<double> n = value.vector(otherwise);
    if (norm(n) > 0 && std::isfinite(norm(n)))
        return normalised(n);
    value.must("have a direction, is zero or too large");
    return otherwise;
}

} // namespace

Quat<double> read_axes(const std::optional<Value>& axis, const std::optional<Value>& second_axis)
{
    const Vec3<double> z = axis ? read_direction(*axis, z_axis) : z_axis;
    if (!second_axis)
        return turned_from_z(z);
    const Vec3<double> given = read_direction(*second_axis, rotate(turned_from_z(z), x_axis));
    if (std::abs(dot(given, z)) > 1e-6) { // more than a typed digit
        second_axis->must("be square to axis; the angle between them is ",
                          std::acos(dot(given, z)) * 57.29577951308232, " deg");
        return turned_from_z(z);
    }
    const Vec3<double> x = normalised(given - dot(given, z) * z), y = cross(z, x);
    return quat_of(transpose(Mat3<double>{x, y, z}));
}

Pose<double> read_frame(const Value& value)
{
    Fields f(value, "frame");
    Pose<double> frame = identity_pose<double>();
    f.read("position", frame.x);
    if (const auto q = f.find("orientation"))
        frame.q = read_orientation(*q);
    return frame;
}

Pose<double> seen_from(const SceneDraft& draft, int body, const Pose<double>& frame)
{
    const auto& bodies = draft.scene.description.bodies;
    if (body == world || bodies.empty())
        return frame;
    const Body& at = bodies[static_cast<std::size_t>(body)];
    if (at.particle) // it has a place and nothing else
        return identity_pose<double>();
    const Pose<double> pose{at.pose.x,
                            norm2(at.pose.q) > 0 ? normalised(at.pose.q) : identity_quat<double>()};
    Pose<double> seen = inverse(pose) * frame;
    seen.q = normalised(seen.q);
    return seen;
}

namespace {

// What places a joint of each kind.
bool needs_point(JointKind kind)
{
    return kind == JointKind::revolute || kind == JointKind::cylindrical ||
           kind == JointKind::universal || kind == JointKind::ball || kind == JointKind::screw ||
           kind == JointKind::point;
}
bool between_points(JointKind kind)
{
    return kind == JointKind::distance || kind == JointKind::strut;
}
bool takes_point(JointKind kind)
{
    return !between_points(kind) && kind != JointKind::parallel && kind != JointKind::swing;
}
bool needs_axis(JointKind kind)
{
    switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::cylindrical:
    case JointKind::universal:
    case JointKind::planar:
    case JointKind::screw:
    case JointKind::parallel:
    case JointKind::swing:
        return true;
    default:
        return false;
    }
}
bool takes_second_axis(JointKind kind)
{
    return kind == JointKind::universal || kind == JointKind::planar || kind == JointKind::weld;
}

/// The keys that place a joint, where they are given.
struct Places {
    std::optional<Value> at, axis, second_axis, disc_axis, at_a, at_b, frame_a, frame_b;

    explicit Places(Fields& f)
        : at(f.find("at")), axis(f.find("axis")), second_axis(f.find("second_axis")),
          disc_axis(f.find("disc_axis")), at_a(f.find("at_a")), at_b(f.find("at_b")),
          frame_a(f.find("frame_a")), frame_b(f.find("frame_b"))
    {
    }
};

void no_use(const std::optional<Value>& value, const std::string& why)
{
    if (value)
        value->problem(value->what(), " has no effect: ", why, "; remove it");
}

const Body* body_at(const SceneDraft& draft, int i)
{
    const auto& bodies = draft.scene.description.bodies;
    return i == world || bodies.empty() ? nullptr : &bodies[static_cast<std::size_t>(i)];
}
Pose<double> pose_of(const Body* body)
{
    if (!body || !(norm2(body->pose.q) > 0))
        return identity_pose<double>();
    return {body->pose.x, normalised(body->pose.q)};
}
Vec3<double> center_in_world(const SceneDraft& draft, int body)
{
    return place(pose_of(body_at(draft, body)), draft.center_of(body));
}

/// A point of the world that is to be a point of a body: of a particle there is only one.
Vec3<double> read_point(const SceneDraft& draft, const Value& value, int body)
{
    const Vec3<double> at = value.vector();
    const Body* on = body_at(draft, body);
    if (on && on->particle && norm(at - on->pose.x) > 1e-6 * (norm(at) + norm(on->pose.x)))
        value.must("be where particle '", on->name,
                   "' is: it has no extent; leave it out, or correct one of the two");
    return at;
}

/// One end of a distance joint: the point given, or the centre of mass.
Pose<double> read_distance_end(const SceneDraft& draft, Fields& f, const char* key,
                               const std::optional<Value>& at, int body)
{
    if (!at && body == world)
        f.need(key, "[0, 0, 1]");
    const Vec3<double> point = at ? read_point(draft, *at, body) : center_in_world(draft, body);
    return seen_from(draft, body, {point, identity_quat<double>()});
}

/// Frames from points and axes of the world. `known`: are its bodies?
void derive_frames(const SceneDraft& draft, Fields& f, const Places& places, bool known,
                   Joint& joint)
{
    const JointKind kind = joint.kind;
    if (between_points(kind)) {
        if (!known)
            return;
        joint.frame_a = read_distance_end(draft, f, "at_a", places.at_a, joint.a);
        joint.frame_b = read_distance_end(draft, f, "at_b", places.at_b, joint.b);
        return;
    }
    const Body* particle = nullptr;
    for (const int body : {joint.a, joint.b})
        if (const Body* at = body_at(draft, body); at && at->particle)
            particle = at;
    if (needs_axis(kind))
        f.need("axis", "[0, 0, 1]");
    if (kind == JointKind::universal)
        f.need("second_axis", "[1, 0, 0]");
    if (needs_point(kind) && !particle)
        f.need("at", "[0, 0, 0]");
    if (!known)
        return;

    const int follows = joint.b == world ? joint.a : joint.b;
    Pose<double> frame{
        particle ? particle->pose.x : center_in_world(draft, follows),
        read_axes(places.axis, takes_second_axis(kind) ? places.second_axis : std::nullopt)};
    if (kind == JointKind::rolling) {
        frame.x = zero3<double>(); // a plane through the origin
        if (joint.a != world)
            f.need("at", "[0, 0, 0]");
    }
    if (places.at && takes_point(kind))
        for (const int body : {joint.a, joint.b})
            frame.x = read_point(draft, *places.at, body);
    joint.frame_a = joint.frame_b = frame;
    if (kind == JointKind::rolling) {
        joint.frame_b.x = places.at_b ? places.at_b->vector() : center_in_world(draft, joint.b);
        if (const auto axle = f.need("disc_axis", "[0, 1, 0]"))
            joint.frame_b.q = turned_from_z(read_direction(*axle, z_axis));
    }
    joint.frame_a = seen_from(draft, joint.a, joint.frame_a);
    joint.frame_b = seen_from(draft, joint.b, joint.frame_b);
}

void read_places(const SceneDraft& draft, Fields& f, const Places& places, bool known, Joint& joint)
{
    const std::string of_kind = fmt::format("a {} joint", facts_of(joint.kind).name);
    if (places.frame_a || places.frame_b) {
        for (const auto* given : {&places.at, &places.axis, &places.second_axis, &places.disc_axis,
                                  &places.at_a, &places.at_b})
            no_use(*given, "frame_a and frame_b say already where the joint is");
        if (places.frame_a)
            joint.frame_a = read_frame(*places.frame_a);
        if (places.frame_b)
            joint.frame_b = read_frame(*places.frame_b);
        return;
    }
    const bool distance = between_points(joint.kind);
    const bool rolling = joint.kind == JointKind::rolling;
    if (!takes_point(joint.kind))
        no_use(places.at, of_kind + (distance ? " has two points, at_a and at_b"
                                              : " is the same wherever it is"));
    // The axis of a weld is for cuts; where it moves as told, it is along the axes of the world.
    const bool weld = joint.kind == JointKind::weld;
    if (weld ? joint.motion.has_value() : !needs_axis(joint.kind) && !rolling)
        no_use(places.axis, of_kind + " has none");
    if (weld ? joint.motion.has_value() : !takes_second_axis(joint.kind))
        no_use(places.second_axis, of_kind + " has none");
    if (!rolling)
        no_use(places.disc_axis, "only a disc that rolls has one");
    if (!distance)
        no_use(places.at_a, of_kind + " is placed by 'at'");
    if (!distance && !rolling)
        no_use(places.at_b, of_kind + " is placed by 'at'");
    derive_frames(draft, f, places, known, joint);
}

std::vector<double> read_amounts(const Value& value, JointKind kind)
{
    if (!value.node().is_list())
        return {read_amount(value, is_angle(kind, 0))};
    std::vector<double> amounts;
    for (const YamlNode& item : value.node().items)
        amounts.push_back(read_amount(value.part(item, value.what()),
                                      is_angle(kind, static_cast<int>(amounts.size()))));
    return amounts;
}

} // namespace

Course read_course(const Value& value, bool angle)
{
    Course course;
    if (!value.node().is_map()) {
        course.value = read_amount(value, angle);
        return course;
    }
    Fields f(value, "course");
    if (const auto given = f.find("value"))
        course.value = read_amount(*given, angle);
    if (const auto rate = f.find("rate"))
        course.rate = read_amount(*rate, angle);
    if (const auto amplitude = f.find("amplitude"))
        course.amplitude = read_amount(*amplitude, angle);
    f.read("frequency", course.frequency);
    if (const auto phase = f.find("phase"))
        course.phase = phase->angle();
    return course;
}

namespace {

Motor read_motor(const Value& value, bool angle)
{
    Fields f(value, "motor");
    Motor motor;
    const auto type = f.need("type", "velocity");
    const auto named = [](std::string_view name) -> std::optional<Motor::Kind> {
        if (name == "force")
            return Motor::Kind::force;
        if (name == "velocity")
            return Motor::Kind::velocity;
        if (name == "position")
            return Motor::Kind::position;
        return std::nullopt;
    };
    const auto kind =
        type ? type->choice("motor", named, {"force", "velocity", "position"}) : std::nullopt;
    motor.kind = kind.value_or(Motor::Kind::force);
    if (const auto target = f.need("target", "1.0"))
        motor.target = read_course(*target, angle && motor.kind != Motor::Kind::force);
    const auto gain = f.find("gain"), damping = f.find("damping");
    const bool known = kind.has_value();
    if (known && motor.kind == Motor::Kind::force)
        no_use(gain, "a force needs none");
    else if (known)
        f.need("gain", "10.0");
    if (known && motor.kind != Motor::Kind::position)
        no_use(damping, "only a motor of type position has it");
    f.read("gain", motor.gain);
    f.read("damping", motor.damping);
    f.read("most", motor.most);
    return motor;
}

} // namespace

double read_amount(const Value& value, bool angle, double otherwise)
{
    return angle ? value.angle(otherwise) : value.number(otherwise);
}

std::optional<Value> read_law(Fields& f, bool angle, CoordinateLaw& law)
{
    std::optional<Value> first;
    const auto given = [&](std::string_view key) {
        auto value = f.find(key);
        if (value && !first)
            first = value;
        return value;
    };
    const auto number = [&](std::string_view key, double& into) {
        if (const auto value = given(key))
            into = value->number(into);
    };
    number("stiffness", law.stiffness);
    if (const auto rest = given("rest"))
        law.rest = read_amount(*rest, angle);
    number("damping", law.damping);
    number("friction", law.friction);
    if (const auto slip = given("slip_speed"))
        law.slip_speed = read_amount(*slip, angle, law.slip_speed);
    number("armature", law.armature);
    if (const auto limits = given("limits")) {
        const auto& items = limits->node().items;
        if (!limits->node().is_list() || items.size() != 2)
            limits->must("be [lower, upper], either one '~' for none, is ", limits->shown());
        else {
            if (items[0].kind != YamlNode::Kind::null)
                law.lower = read_amount(limits->part(items[0], limits->what()), angle, law.lower);
            if (items[1].kind != YamlNode::Kind::null)
                law.upper = read_amount(limits->part(items[1], limits->what()), angle, law.upper);
        }
    }
    if (const auto restitution = given("restitution")) {
        law.restitution = restitution->number(law.restitution);
        if (!std::isfinite(law.lower) && !std::isfinite(law.upper))
            no_use(restitution, "there are no limits to be thrown back from");
    }
    if (const auto motor = given("motor"))
        law.motor = read_motor(*motor, angle);
    if (const auto prescribed = given("prescribed"))
        law.prescribed = read_course(*prescribed, angle);
    return first;
}

namespace {

/// About each axis of frame a: three numbers, or one for all.
Vec3<double> read_about_axes(const Value& value)
{
    if (value.node().is_list())
        return value.vector();
    const double all = value.number();
    return {all, all, all};
}
void read_turn(Fields& f, Joint& joint)
{
    for (const char* key : {"friction", "slip_speed", "armature", "limits", "restitution", "motor",
                            "prescribed", "coordinates"})
        no_use(f.find(key), fmt::format("a {} joint takes stiffness, rest and damping; a joint "
                                        "of type swing between the same bodies has coordinates, "
                                        "how far they swing and the twist",
                                        facts_of(joint.kind).name));
    const auto stiffness = f.find("stiffness"), damping = f.find("damping"), rest = f.find("rest");
    if (rest && !stiffness)
        no_use(rest, "there is no stiffness that would pull it there");
    if (!stiffness && !damping)
        return;
    joint.turn.emplace();
    if (stiffness)
        joint.turn->stiffness = read_about_axes(*stiffness);
    if (damping)
        joint.turn->damping = read_about_axes(*damping);
    if (rest)
        joint.turn->rest = read_orientation(*rest);
}
/// Where to go with what a joint without coordinates does not take.
std::string_view instead_of_a_law(JointKind kind)
{
    switch (kind) {
    case JointKind::free:
    case JointKind::parallel:
    case JointKind::weld:
        return "between its bodies a bushing is a spring and damper in six directions";
    case JointKind::distance:
        return "a strut between the same points takes what acts along its length";
    default:
        return "loads, springs and bushings act on its bodies";
    }
}

void read_laws(Fields& f, Joint& joint)
{
    const JointFacts& facts = facts_of(joint.kind);
    if (turns_any_way(joint.kind))
        return read_turn(f, joint);
    const auto n = static_cast<std::size_t>(facts.coordinates);
    CoordinateLaw own;
    const auto direct = read_law(f, is_angle(joint.kind, 0), own);
    const auto list = f.find("coordinates");
    if (n == 0)
        for (const auto* given : {&direct, &list})
            no_use(*given, fmt::format("a {} joint has no coordinate to act on ({})", facts.name,
                                       instead_of_a_law(joint.kind)));
    if (n == 1) {
        if (direct)
            joint.laws = {own};
        no_use(list, fmt::format("a {} joint has one coordinate: write its keys in the joint",
                                 facts.name));
    }
    if (n < 2)
        return;
    if (direct)
        direct->problem(direct->what(), ": a ", facts.name, " joint has ", n,
                        " coordinates; say which, as in 'coordinates: [{stiffness: 1.0}, …]'");
    if (!list)
        return;
    if (!list->node().is_list() || list->node().items.size() != n) {
        list->must("be a list of ", n, " maps, one per coordinate, {} for one with nothing; is ",
                   list->shown());
        return;
    }
    for (std::size_t k = 0; k < n; ++k) {
        Fields one(
            list->part(list->node().items[k], fmt::format("coordinate {} of {}", k + 1, f.what())),
            "coordinate");
        read_law(one, is_angle(joint.kind, static_cast<int>(k)), joint.laws.emplace_back());
    }
}

FrameMotion read_motion(const Value& value)
{
    Fields f(value, "motion");
    FrameMotion motion;
    const auto shift = f.find("shift"), axis = f.find("axis"), turn = f.find("turn");
    if (value.node().is_map() && !shift && !turn)
        f.problem(f.what(), " needs shift or turn, as in {shift: [{amplitude: 0.1, frequency: 2}, "
                            "0, 0]}");
    if (shift && (!shift->node().is_list() || shift->node().items.size() != 3))
        shift->must("be a list of 3, each a number or {value, rate, amplitude, frequency, phase}, "
                    "is ",
                    shift->shown());
    else if (shift)
        for (std::size_t i = 0; i < 3; ++i)
            motion.shift[i] =
                read_course(shift->part(shift->node().items[i], shift->what()), false);
    if (turn) {
        if (const auto given = f.need("axis", "[0, 0, 1]"))
            motion.axis = given->vector({0, 0, 1});
        motion.turn = read_course(*turn, true);
    } else
        no_use(axis, "nothing turns about it: give turn");
    return motion;
}

std::optional<JointKind> kind_named(std::string_view name)
{
    for (const JointFacts& facts : joint_kinds)
        if (facts.name == name)
            return facts.kind;
    return std::nullopt;
}

/// Two things by name, from a list of two.
template <class Find>
std::optional<std::pair<int, int>> read_pair(Fields& f, const char* key, const char* example,
                                             const Find& find)
{
    const auto list = f.need(key, example);
    if (!list)
        return std::nullopt;
    if (!list->node().is_list() || list->node().items.size() != 2) {
        list->must("be a list of two names such as ", example, ", is ", list->shown());
        return std::nullopt;
    }
    const auto one = find(list->part(list->node().items[0], list->what()));
    const auto two = find(list->part(list->node().items[1], list->what()));
    if (!one || !two)
        return std::nullopt;
    return std::pair(*one, *two);
}

} // namespace

void read_joint(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "joint", draft.joints.size() + 1), "joint");
    Joint joint;
    joint.name = draft.name_of(f, "joint", false);
    const auto type = f.need("type", "revolute");
    std::vector<std::string_view> kinds;
    for (const JointFacts& facts : joint_kinds)
        kinds.push_back(facts.name);
    const auto kind = type ? type->choice("type of joint", kind_named, kinds) : std::nullopt;
    joint.kind = kind.value_or(JointKind::free);
    const auto bodies = read_pair(f, "bodies", "[world, arm]",
                                  [&](const Value& name) { return draft.body_or_world(name); });
    joint.b = 0; // if its bodies are unknown: judge the rest of it
    if (bodies)
        std::tie(joint.a, joint.b) = *bodies;

    const Places places(f);
    const auto pitch = f.find("pitch"), length = f.find("length"), radius = f.find("radius");
    const auto start = f.find("start"), speed = f.find("speed");
    f.read("closes_loop", joint.closes_loop);
    if (const auto motion = f.find("motion"))
        joint.motion = read_motion(*motion);
    if (kind) {
        read_places(draft, f, places, bodies.has_value(), joint);
        if (joint.kind == JointKind::screw)
            f.need("pitch", "0.01");
        else
            no_use(pitch, "only a screw has one");
        if (joint.kind == JointKind::rolling)
            f.need("radius", "0.5");
        else
            no_use(radius, "only a disc that rolls has one");
        if (joint.kind != JointKind::distance)
            no_use(length, "only a distance joint has one");
        else if (!length) {
            joint.length = 1; // until it is measured
            draft.unmeasured.push_back(draft.joints.size());
        }
    }
    f.read("pitch", joint.pitch);
    f.read("length", joint.length);
    f.read("radius", joint.radius);
    if (start)
        joint.start = read_amounts(*start, joint.kind);
    if (speed)
        joint.start_speed = read_amounts(*speed, joint.kind);
    if (kind)
        read_laws(f, joint);
    else { // which keys it may have is not known
        CoordinateLaw any;
        read_law(f, true, any);
        f.find("coordinates");
    }
    draft.keep_joint(f.value(), std::move(joint), kind.has_value());
}

void read_gear(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "gear", draft.gears.size() + 1), "gear");
    Gear gear;
    gear.name = draft.name_of(f, "gear", false);
    const auto joints = read_pair(f, "joints", "[first, second]",
                                  [&](const Value& name) { return draft.joint_named(name); });
    gear.joint_1 = gear.joint_2 = Tree::none;
    if (joints)
        std::tie(gear.joint_1, gear.joint_2) = *joints;
    if (const auto which = f.find("coordinates")) {
        const auto numbers = which->numbers(2);
        for (const double k : numbers)
            if (!(k >= 0 && k <= 2 && k == std::floor(k))) {
                which->must("be whole numbers from 0, in the order of the joint's coordinates, is ",
                            k);
                break;
            }
        if (!numbers.empty() && !draft.text.told_in(which->node())) {
            gear.coordinate_1 = static_cast<int>(numbers[0]);
            gear.coordinate_2 = static_cast<int>(numbers[1]);
        }
    }
    if (const auto ratio = f.need("ratio", "2.0"))
        gear.ratio = ratio->number(1);
    draft.scene.description.gears.push_back(std::move(gear));
    draft.gears.push_back(f.value());
}

void measure_lengths(SceneDraft& draft)
{
    Builder& description = draft.scene.description;
    if (draft.unmeasured.empty() || description.bodies.empty())
        return;
    // The joints that carry, alone: no length has a part in where they put the bodies.
    Builder carried = description;
    carried.gears.clear();
    const Tree tree = tree_of(static_cast<int>(description.bodies.size()), description.joints);
    for (std::size_t k = tree.rows.size(); k-- > 0;)
        carried.joints.erase(carried.joints.begin() + tree.rows[k]);
    const auto model = carried.build();
    const std::vector<Body>& bodies = model ? model->bodies() : description.bodies;
    for (const std::size_t j : draft.unmeasured) {
        Joint& joint = description.joints[j];
        if (joint.a != joint.b)
            joint.length = norm(relative_pose(joint, bodies).x);
    }
}

} // namespace poinsot
