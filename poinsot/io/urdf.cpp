// SPDX-License-Identifier: MIT
#include "poinsot/io/urdf.hpp"

#include "poinsot/io/urdf_reader.hpp"

#include <algorithm>

namespace poinsot {

Result<UrdfRobot> urdf::Reader::read(const XmlNode& root)
{
    robot_.file = file_;
    robot_.base = options_.base;
    if (root.name != "robot") {
        problem(at(root), "the root is <", root.name, ">, and that of a URDF file is <robot>",
                root.name == "sdf" || root.name == "mujoco" ? "; this is a file of another format"
                                                            : "");
        return found_;
    }
    robot_.name = named(root, "robot");
    only(root, "robot '" + robot_.name + "'", {"name", "version"}, {"link", "joint"});
    if (const XmlAttribute* version = root.attribute("version");
        version && version->value != "1.0" && version->value != "1")
        problem(at(*version), "this is URDF of version '", version->value,
                "'; version 1.0 is read");
    for (const XmlNode& child : root.children)
        if (child.name == "link")
            read_link(child);
        else if (child.name == "joint")
            read_joint(child);
    if (robot_.links.empty())
        problem(at(root), "there is no <link> in this robot; it needs one at least");
    const bool readable = std::all_of(usable_.begin(), usable_.end(), [](bool u) { return u; });
    const bool tree = !robot_.links.empty() && find_tree();
    if (tree && readable) {
        lock_joints();
        follow_mimics();
        // A mass that could not be read would look like none, and a body be missed.
        if (!found_.any()) {
            if (!of(heavy_, robot_.root))
                problem(at(root), "no link has mass; give one at least an <inertial>");
            find_clusters();
            find_groups();
            find_frames();
        }
    }
    if (!found_.any()) {
        add_bodies();
        add_joints();
        add_gears();
        look_for_the_unlikely();
    }
    if (!found_.any()) {
        // The builder has the last word; what it finds is named after a link or a joint.
        const auto built = robot_.description.build();
        if (!built)
            for (const Problem& p : built.problems().list()) {
                if (const auto link = link_index_.find(p.place); link != link_index_.end())
                    problem(at(of(robot_.links, link->second)), "link '", p.place, "': ", p.what);
                else if (const auto joint = joint_index_.find(p.place); joint != joint_index_.end())
                    problem(at(of(robot_.joints, joint->second)), "joint '", p.place,
                            "': ", p.what);
                else
                    problem(at(root), p.place, ": ", p.what);
            }
    }
    if (found_.any())
        return found_;
    const auto by_line = [](const UrdfRemark& a, const UrdfRemark& b) { return a.line < b.line; };
    std::stable_sort(robot_.warnings.begin(), robot_.warnings.end(), by_line);
    std::stable_sort(robot_.not_used.begin(), robot_.not_used.end(), by_line);
    return std::move(robot_);
}

std::string_view name_of(UrdfJoint::Type type)
{
    return urdf::facts_of(type).name;
}
std::string_view name_of(UrdfLink::Fate fate)
{
    switch (fate) {
    case UrdfLink::Fate::body:
        return "body";
    case UrdfLink::Fate::joined:
        return "joined";
    case UrdfLink::Fate::frame:
        return "frame";
    case UrdfLink::Fate::left_out:
        break;
    }
    return "left out";
}

const UrdfLink* UrdfRobot::link(std::string_view called) const
{
    const auto found = std::find_if(links.begin(), links.end(),
                                    [&](const UrdfLink& l) { return l.name == called; });
    return found == links.end() ? nullptr : &*found;
}
const UrdfJoint* UrdfRobot::joint(std::string_view called) const
{
    const auto found = std::find_if(joints.begin(), joints.end(),
                                    [&](const UrdfJoint& j) { return j.name == called; });
    return found == joints.end() ? nullptr : &*found;
}
void UrdfRobot::put_base(const Pose<double>& root_pose, const Twist<double>& V)
{
    check(base == UrdfBase::floating || (norm(V.v) == 0 && norm(V.omega) == 0),
          "a fixed base does not move");
    const UrdfFrame& frame = *urdf::of(links, root).frame;
    const Pose<double> now = frame.body == world
                                 ? frame.pose
                                 : urdf::of(description.bodies, frame.body).pose * frame.pose;
    const Pose<double> carry = root_pose * inverse(now);
    if (base == UrdfBase::fixed) { // frames of the world
        for (Joint& joint : description.joints)
            if (joint.a == world)
                joint.frame_a = carry * joint.frame_a;
        for (UrdfLink& link : links)
            if (link.frame && link.frame->body == world)
                link.frame->pose = carry * link.frame->pose;
    }
    for (Body& body : description.bodies) {
        body.pose = carry * body.pose;
        body.pose.q = normalised(body.pose.q);
        const Vec3<double> arm =
            poinsot::place(body.pose, body.mass_properties.center) - root_pose.x;
        body.velocity = V.v + cross(V.omega, arm);
        body.angular_velocity = V.omega;
    }
}
std::string UrdfRobot::why_no_start(const UrdfJoint& called) const
{
    if (!urdf::facts_of(called.type).one_coordinate)
        return text_of("a ", urdf::facts_of(called.type).name, " joint has no single coordinate");
    if (called.locked)
        return called.why;
    if (called.joint == UrdfJoint::none)
        return "it moves nothing that has mass";
    for (const Gear& gear : description.gears)
        if (gear.joint_1 == called.joint)
            return text_of("it mimics '", called.mimic->joint, "' and starts where that one says");
    return "";
}
void UrdfRobot::start_at(const UrdfJoint& called, double q, double speed)
{
    check(why_no_start(called).empty(), "a joint that can start elsewhere");
    struct Start {
        int joint;
        double q, speed;
    };
    std::vector<Start> asked{{called.joint, q, speed}};
    for (std::size_t i = 0; i < asked.size(); ++i) { // it grows: chains of mimics
        const Start now = asked[i];
        Joint& made = urdf::of(description.joints, now.joint);
        made.start = {now.q};
        made.start_speed = {now.speed};
        for (UrdfJoint& joint : joints)
            if (joint.joint == now.joint)
                joint.start = now.q;
        for (const Gear& gear : description.gears)
            if (gear.joint_2 == now.joint)
                for (const UrdfJoint& joint : joints)
                    if (joint.joint == gear.joint_1)
                        asked.push_back({gear.joint_1, gear.ratio * now.q + joint.mimic->offset,
                                         gear.ratio * now.speed});
    }
}
int UrdfRobot::degrees_of_freedom() const
{
    int n = base == UrdfBase::floating ? 6 : 0;
    for (const Joint& j : description.joints) // a joint takes its rows from the six of its body
        n += 6 - facts_of(j.kind).rows;
    return n - static_cast<int>(description.gears.size());
}

bool is_urdf(const std::filesystem::path& file)
{
    std::string extension = file.extension().string();
    for (char& c : extension)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return extension == ".urdf";
}

Result<UrdfRobot> read_urdf(const std::filesystem::path& path, const UrdfOptions& options)
{
    const auto text = read_text(path, largest_xml, "a URDF file");
    if (!text)
        return text.problems();
    return read_urdf_text(*text, path.string(), options);
}

Result<UrdfRobot> read_urdf_text(const std::string& text, const std::string& file,
                                 const UrdfOptions& options)
{
    const auto root = parse_xml(text, file);
    if (!root)
        return root.problems();
    return urdf::Reader(text, file, options).read(*root);
}

} // namespace poinsot