// SPDX-License-Identifier: MIT
// What is written of the joints of a robot.
#include "poinsot/io/urdf_reader.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot::urdf {

bool Reader::read_type(const XmlNode& node, UrdfJoint& joint, const std::string& owner)
{
    std::vector<std::string_view> known;
    for (const TypeFacts& facts : types)
        known.push_back(facts.name);
    const XmlAttribute* type = node.attribute("type");
    const auto which = type ? std::find(known.begin(), known.end(), type->value) : known.end();
    if (which != known.end()) {
        joint.type = types[static_cast<std::size_t>(which - known.begin())].type;
        return true;
    }
    const std::string near = type ? near_name(type->value, known) : std::string();
    problem(type ? at(*type) : at(node), owner, ": ",
            type ? "there is no type '" + type->value + "'" : std::string("it needs a type"),
            near.empty() ? "" : "; did you mean '" + near + "'?",
            " Types are revolute, continuous, prismatic, fixed, floating and planar");
    return false;
}

bool Reader::read_end(const XmlNode& node, std::string_view which, const std::string& owner,
                      std::string& name, At& place)
{
    const XmlNode* end = child(node, which, owner);
    const XmlAttribute* link = end ? end->attribute("link") : nullptr;
    if (end)
        only(*end, owner, {"link"}, {});
    if (!link || link->value.empty()) {
        problem(end ? at(*end) : at(node), owner, ": it needs a <", which, " link=\"...\"/>");
        return false;
    }
    name = link->value;
    place = at(*link);
    return true;
}

void Reader::unused(const XmlNode& what, const UrdfJoint& joint, const std::string& owner)
{
    robot_.not_used.push_back(
        {what.line, what.column, owner,
         text_of("<", what.name, "> of a ", facts_of(joint.type).name, " joint")});
}

void Reader::read_axis(const XmlNode& node, bool usable, UrdfJoint& joint, const std::string& owner)
{
    const TypeFacts& facts = facts_of(joint.type);
    if (const XmlNode* axis = child(node, "axis", owner)) {
        only(*axis, owner, {"xyz"}, {});
        const Vec3<double> given = vector(*axis, "xyz", owner, {1, 0, 0});
        const double length = norm(given);
        if (usable && !facts.has_axis)
            unused(*axis, joint, owner);
        else if (!(length > 0) || !std::isfinite(length))
            problem(at(*axis), owner, ": the axis has no direction; give a vector of length 1");
        else {
            joint.axis = 1 / length * given;
            if (std::abs(length - 1) > 1e-6) // more than the rounding of six digits
                warn(at(*axis), owner, "its axis has length ", length,
                     "; the direction alone is used");
        }
    } else if (usable && facts.has_axis) {
        warn(at(node), owner, "no axis is given; it is (1 0 0), as URDF has it");
    }
}

void Reader::read_dynamics(const XmlNode& node, bool usable, UrdfJoint& joint,
                           const std::string& owner)
{
    only(node, owner, {"damping", "friction"}, {});
    for (const auto& [name, value] :
         {std::pair("damping", &joint.damping), {"friction", &joint.friction}}) {
        *value = number(node, name, owner).value_or(0.0);
        if (*value < 0) {
            problem(at(node), owner, ": ", name, " must not be negative, is ", *value);
            *value = 0;
        }
    }
    if (usable && !facts_of(joint.type).one_coordinate)
        unused(node, joint, owner);
}

void Reader::read_mimic(const XmlNode& node, bool usable, UrdfJoint& joint,
                        const std::string& owner)
{
    only(node, owner, {"joint", "multiplier", "offset"}, {});
    const XmlAttribute* master = node.attribute("joint");
    UrdfMimic made;
    made.multiplier = number(node, "multiplier", owner).value_or(1.0);
    made.offset = number(node, "offset", owner).value_or(0.0);
    if (!master || master->value.empty())
        problem(at(node), owner, ": <mimic> needs joint; name the joint it follows");
    else if (usable && !facts_of(joint.type).one_coordinate)
        unused(node, joint, owner);
    else {
        made.joint = master->value;
        joint.mimic = made;
    }
}

void Reader::read_joint(const XmlNode& node)
{
    UrdfJoint joint;
    const std::string owner = begin(node, "joint", joint_index_, robot_.joints, joint);
    only(node, owner, {"name", "type"},
         {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
    bool usable = read_type(node, joint, owner);
    Ends ends{"", "", at(node), at(node)};
    usable = read_end(node, "parent", owner, ends.parent, ends.parent_at) && usable;
    usable = read_end(node, "child", owner, ends.child, ends.child_at) && usable;

    const TypeFacts& facts = facts_of(joint.type);
    joint.origin = origin_of(node, owner);
    read_axis(node, usable, joint, owner);
    if (const XmlNode* limit = child(node, "limit", owner)) {
        if (usable && !facts.one_coordinate)
            unused(*limit, joint, owner);
        else if (usable)
            read_limits(*limit, joint, owner);
    } else if (usable && facts.needs_limits) {
        problem(at(node), owner, ": a ", facts.name,
                " joint needs a <limit lower= upper= effort= velocity=/>",
                joint.type == Type::revolute ? "; one without limits is continuous" : "");
    }
    if (const XmlNode* dynamics = child(node, "dynamics", owner))
        read_dynamics(*dynamics, usable, joint, owner);
    if (const XmlNode* mimic = child(node, "mimic", owner))
        read_mimic(*mimic, usable, joint, owner);
    usable_.push_back(usable);
    ends_.push_back(std::move(ends));
    robot_.joints.push_back(std::move(joint));
}

void Reader::read_limits(const XmlNode& node, UrdfJoint& joint, const std::string& owner)
{
    only(node, owner, {"lower", "upper", "effort", "velocity"}, {});
    const std::size_t before = found_.list().size();
    joint.lower = number(node, "lower", owner);
    joint.upper = number(node, "upper", owner);
    joint.effort = number(node, "effort", owner);
    joint.velocity = number(node, "velocity", owner);
    if (found_.list().size() != before)
        return;
    for (const auto& [name, value] :
         {std::pair("effort", joint.effort), {"velocity", joint.velocity}}) {
        if (!value)
            warn(at(node), owner, "no limit of ", name, " is given");
        else if (*value < 0)
            problem(at(node), owner, ": the limit of ", name, " must not be negative, is ", *value);
    }
    if (joint.type == Type::continuous) {
        if (joint.lower || joint.upper)
            robot_.not_used.push_back({node.line, node.column, owner,
                                       "lower and upper of a continuous joint, which has none"});
        return;
    }
    // One that is missing is zero, by the format.
    const double lower = joint.lower.value_or(0.0), upper = joint.upper.value_or(0.0);
    if (lower > upper)
        problem(at(node), owner, ": the limits are the wrong way round: lower ", lower, ", upper ",
                upper, "; exchange them");
}

} // namespace poinsot::urdf
