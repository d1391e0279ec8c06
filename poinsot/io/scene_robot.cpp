// SPDX-License-Identifier: MIT
// Robots of a scene: URDF files, each under a name of its own. A link or joint 'hand' of robot
// 'left' is 'left/hand' in the scene; springs, loads and further joints find it by that name.
#include "poinsot/io/scene_draft.hpp"
#include "poinsot/io/urdf.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace poinsot {

namespace {

void no_use(const std::optional<Value>& value, const char* why)
{
    if (value)
        value->problem(value->what(), " has no effect: ", why, "; remove it");
}

std::optional<UrdfBase> base_named(std::string_view name)
{
    if (name == "fixed")
        return UrdfBase::fixed;
    if (name == "floating")
        return UrdfBase::floating;
    return std::nullopt;
}

/// Where a robot's joint stands in the scene: the map that speaks of it, if there is one.
using Entries = std::map<std::string, Value>;

Entries read_entries(const std::optional<Value>& list, const std::string& robot)
{
    Entries entries;
    if (!list)
        return entries;
    const YamlNode& node = list->node();
    if (!node.is_map()) {
        list->must("be a map of joints by their names in the file, as in '{elbow: {start: 30 deg}}'"
                   ", is ",
                   list->shown());
        return entries;
    }
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
        const Value key = list->part(node.keys[i], list->what());
        const std::string name = key.word();
        if (name.empty())
            continue;
        const bool fresh =
            entries
                .emplace(name,
                         list->part(node.items[i], fmt::format("joint '{}' of {}", name, robot)))
                .second;
        if (!fresh)
            key.problem(list->what(), ": duplicate joint '", name, "'; join the two");
    }
    return entries;
}

/// What a scene says of one joint of a robot: where it starts, and what acts along it.
void read_entry(UrdfRobot& robot, const UrdfJoint& called, const Value& entry)
{
    Fields f(entry, "robot_joint");
    const auto start = f.find("start"), speed = f.find("speed");
    const bool turns = called.type != UrdfJoint::Type::prismatic;
    CoordinateLaw unused;
    const std::string why = robot.why_no_start(called);
    const bool follows = !why.empty() && called.joint != UrdfJoint::none && !called.locked &&
                         called.mimic.has_value();
    if (!why.empty() && !follows) {
        read_law(f, turns, unused);
        f.problem(f.what(), " has nothing to be set: ", why, "; remove it");
        return;
    }
    Joint& joint = robot.description.joints[static_cast<std::size_t>(called.joint)];
    CoordinateLaw& law = joint.laws.front();
    if (value_of(entry.node(), "limits")) // all of them, not beside those of the file
        law.lower = CoordinateLaw().lower, law.upper = CoordinateLaw().upper;
    read_law(f, turns, law);
    if (follows) {
        no_use(start, why.c_str());
        no_use(speed, why.c_str());
    } else if (start || speed)
        robot.start_at(called, start ? read_amount(*start, turns) : called.start,
                       speed ? read_amount(*speed, turns) : 0);
}

void read_entries_into(UrdfRobot& robot, const Entries& entries, const std::optional<Value>& list)
{
    std::vector<std::string_view> names;
    for (const UrdfJoint& joint : robot.joints)
        names.push_back(joint.name);
    for (const auto& [name, entry] : entries) {
        if (const UrdfJoint* joint = robot.joint(name)) {
            read_entry(robot, *joint, entry);
            continue;
        }
        const std::string near = names.size() < 2000 ? nearest_word(name, names) : "";
        std::vector<std::string_view> some(
            names.begin(),
            names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(names.size(), 10)));
        for (std::size_t i = 0; i < list->node().keys.size(); ++i)
            if (list->node().keys[i].text == name)
                list->part(list->node().keys[i], "")
                    .problem(list->what(), ": ", robot.file, " has no joint '", name, "'",
                             near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                             some.empty()
                                 ? std::string("; it has none")
                                 : fmt::format(" Joints there: {}{}", fmt::join(some, ", "),
                                               some.size() < names.size() ? ", …" : ""));
    }
}

/// URDF keeps the names of links and joints apart, scenes have one name for one thing: a joint that
/// is called as a link is called 'its name joint'.
void tell_joints_from_links(Builder& robot)
{
    std::set<std::string> links, taken;
    for (const Body& body : robot.bodies)
        links.insert(body.name);
    taken = links;
    for (const Joint& joint : robot.joints)
        taken.insert(joint.name);
    for (Joint& joint : robot.joints) {
        if (!links.contains(joint.name))
            continue;
        while (taken.contains(joint.name))
            joint.name += " joint";
        taken.insert(joint.name);
    }
}

/// Gives everything of a robot its name in the scene and adds it to the description.
void keep_robot(SceneDraft& draft, const Value& at, const std::string& name, UrdfRobot& robot,
                const Entries& entries, const TouchKeys& keys)
{
    const YamlNode* given = value_of(at.node(), "name");
    const bool own_name = given && !draft.text.told_in(*given); // else all of them are twice there
    const auto take_name = [&](const char* kind, const std::string& full) {
        if (own_name)
            draft.take_name(at, kind, full);
    };
    const auto first_body = static_cast<int>(draft.scene.description.bodies.size());
    const auto first_joint = static_cast<int>(draft.scene.description.joints.size());
    const auto in_scene = [](int first, int i) { return i == world ? world : first + i; };
    tell_joints_from_links(robot.description);
    for (Body& body : robot.description.bodies) {
        body.name = name + "/" + body.name;
        take_name("body", body.name);
        draft.keep_body(at, std::move(body));
    }
    std::vector<Value> places(robot.description.joints.size(), at);
    for (const auto& [called, entry] : entries)
        if (const UrdfJoint* joint = robot.joint(called); joint && joint->joint != UrdfJoint::none)
            places[static_cast<std::size_t>(joint->joint)] = entry;
    for (std::size_t j = 0; j < robot.description.joints.size(); ++j) {
        Joint& joint = robot.description.joints[j];
        joint.name = name + "/" + joint.name;
        take_name("joint", joint.name);
        joint.a = in_scene(first_body, joint.a);
        joint.b = in_scene(first_body, joint.b);
        if (joint.start_speed.empty()) // as it stands on its base
            joint.start_speed.assign(joint.start.size(), 0.0);
        const Value place = places[j].named(fmt::format("joint '{}'", joint.name));
        draft.keep_joint(place, std::move(joint), true);
    }
    for (Gear& gear : robot.description.gears) {
        gear.name = name + "/" + gear.name;
        take_name("gear", gear.name);
        gear.joint_1 += first_joint;
        gear.joint_2 += first_joint;
        draft.scene.description.gears.push_back(std::move(gear));
        draft.gears.push_back(at);
    }
    if (!draft.touches)
        return;
    const auto folder = std::filesystem::path(draft.text.file()).parent_path();
    for (const UrdfLink& link : robot.links) {
        if (!link.frame)
            continue;
        std::size_t number = 0;
        for (const UrdfGeometry& geometry : link.collision) {
            RobotSkin skin{fmt::format("{}/{} collision", name, link.name),
                           at,
                           keys,
                           in_scene(first_body, link.frame->body),
                           link.frame->pose * geometry.pose,
                           geometry.shape,
                           geometry.scale};
            if (++number > 1)
                skin.name += fmt::format(" {}", number);
            take_name("surface", skin.name);
            if (auto* mesh = std::get_if<MeshShape>(&skin.shape); mesh && !geometry.missing)
                mesh->path = std::filesystem::path(mesh->path).lexically_proximate(folder).string();
            draft.robot_skins.push_back(std::move(skin));
        }
    }
}

} // namespace

void read_robot(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "robot", draft.robots.size() + 1), "robot");
    draft.robots.push_back(f.value());
    const std::string name = draft.name_of(f, "robot", true);
    const auto file = f.need("file", "robots/arm.urdf");
    const auto how = f.need("base", "fixed");
    UrdfBase base = UrdfBase::floating; // until it is known: nothing is wrong with a velocity
    if (how)
        if (const auto chosen = how->choice("base", base_named, {"fixed", "floating"}))
            base = *chosen;
    Pose<double> root = identity_pose<double>();
    f.read("position", root.x);
    if (const auto q = f.find("orientation")) {
        root.q = read_orientation(*q);
        const double n = std::sqrt(norm2(root.q)); // as of a body: seven digits, or a mistake
        if (!(std::abs(n - 1) <= 1e-6) && !draft.text.told_in(q->node()))
            q->must("be a unit quaternion, its norm is ", n, "; divide by its norm");
        root.q = n > 0 ? normalised(root.q) : identity_quat<double>();
    }
    const auto velocity = f.find("velocity"), spin = f.find("angular_velocity"),
               flown = f.find("flight");
    Twist<double> V{zero3<double>(), zero3<double>()};
    if (base == UrdfBase::fixed) {
        no_use(velocity, "the base is fixed");
        no_use(spin, "the base is fixed");
        no_use(flown, "the base is fixed in the world, below which the planet may turn");
    } else {
        V.v = velocity ? velocity->vector() : V.v;
        V.omega = spin ? spin->vector() : V.omega;
    }
    if (flown && base == UrdfBase::floating) {
        for (const char* other : {"position", "orientation", "velocity"})
            if (f.find(other))
                flown->problem(f.what(), " has a flight and ", other, "; keep one");
        if (const auto over = read_flight(draft, *flown, zero3<double>(), true, spin.has_value())) {
            root = over->pose;
            V = {over->velocity, spin ? V.omega : over->angular_velocity};
        }
    }
    const auto list = f.find("joints");
    const Entries entries = read_entries(list, f.what());
    UrdfOptions options(base);
    f.read("merge_fixed", options.merge_fixed);
    f.read("ignore_mimic", options.ignore_mimic);
    TouchKeys keys = touch_keys(f);
    keys.collides = f.find("collides");
    const std::string path = file ? file->word() : "";
    if (path.empty()) {
        draft.doubt(name);
        return;
    }

    const auto beside = std::filesystem::path(draft.text.file()).parent_path() / path;
    std::error_code error;
    if (!std::filesystem::exists(beside, error)) {
        file->problem(file->what(), ": there is no file '", beside.string(),
                      "'; a robot is looked for from the folder of the scene");
        draft.doubt(name);
        return;
    }
    if (std::filesystem::is_directory(beside, error)) {
        file->problem(file->what(), ": '", beside.string(),
                      "' is a folder; name a URDF file in it");
        draft.doubt(name);
        return;
    }
    auto robot = read_urdf(beside, options);
    if (!robot) {
        draft.text.problems_of(file->node(), robot.problems());
        draft.doubt(name);
        return;
    }
    read_entries_into(*robot, entries, list);
    robot->put_base(root, V);
    draft.scene.robots.push_back(
        {name, beside.string(), robot->warnings.size(), robot->not_used.size()});
    keep_robot(draft, f.value(), name, *robot, entries, keys);
    if (!draft.touches)
        draft.idle_touch.push_back(std::move(keys));
}

Result<Scene> scene_of(const UrdfRobot& robot)
{
    Scene scene;
    scene.title = robot.name;
    scene.file = robot.file;
    scene.description = robot.description;
    scene.description.gravity.uniform = {0, 0, -9.81};
    tell_joints_from_links(scene.description);
    const auto model = scene.description.build();
    if (!model)
        return model.problems();
    scene.model = std::make_shared<const Model>(*model);
    if (const auto outside = outside_limits(model->joints(), model->joint_starts()); outside.any())
        return outside;
    const bool joined = !model->joints().empty();
    scene.run.step.method = joined ? Method::runge_kutta4 : Method::splitting;
    scene.run.step.formulation = joined ? Formulation::reduced : Formulation::maximal;
    scene.run.ledger.about = book_point(scene.about, *scene.model);
    scene.robots.push_back({robot.name, robot.file, robot.warnings.size(), robot.not_used.size()});
    scene.text = write_scene(scene);
    return scene;
}

} // namespace poinsot
