// SPDX-License-Identifier: MIT
#include "cli/check_urdf.hpp"

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/whole.hpp"
#include "poinsot/io/urdf.hpp"
#include "poinsot/io/yaml_tree.hpp"

#include <fmt/format.h>

#include <map>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const Pose<double>& pose)
{
    return {{"position", json_of(pose.x)},
            {"orientation", {pose.q.w, pose.q.x, pose.q.y, pose.q.z}}};
}
ordered_json json_of(const std::optional<double>& number)
{
    return number ? ordered_json(*number) : ordered_json();
}
ordered_json json_of(const std::vector<UrdfRemark>& remarks)
{
    auto list = ordered_json::array();
    for (const UrdfRemark& r : remarks)
        list.push_back(
            {{"line", r.line}, {"column", r.column}, {"about", r.about}, {"what", r.what}});
    return list;
}
ordered_json json_of(const UrdfGeometry& g)
{
    ordered_json made{{"line", g.line}, {"pose", json_of(g.pose)}};
    if (const auto* box = std::get_if<Box>(&g.shape))
        made["box"] = json_of(box->size);
    if (const auto* ball = std::get_if<Ball>(&g.shape))
        made["ball"] = ball->radius;
    if (const auto* cylinder = std::get_if<Cylinder>(&g.shape))
        made["cylinder"] = {cylinder->radius, cylinder->height};
    if (const auto* capsule = std::get_if<Capsule>(&g.shape))
        made["capsule"] = {capsule->radius, capsule->height};
    if (const auto* mesh = std::get_if<MeshShape>(&g.shape)) {
        made["mesh"] = mesh->path;
        made["scale"] = json_of(g.scale);
        made["missing"] = g.missing;
    }
    return made;
}

void print_json(const UrdfRobot& robot, const Model& model, const Whole& all)
{
    auto bodies = ordered_json::array(), links = bodies, joints = bodies;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
        const BodyMass& m = model.masses()[i];
        bodies.push_back({{"name", model.bodies()[i].name},
                          {"mass", m.m},
                          {"center_of_mass", json_of(m.center)},
                          {"inertia",
                           {{m.I_b.xx, m.I_b.xy, m.I_b.xz},
                            {m.I_b.xy, m.I_b.yy, m.I_b.yz},
                            {m.I_b.xz, m.I_b.yz, m.I_b.zz}}},
                          {"principal_moments", json_of(m.principal)},
                          {"pose", json_of(model.bodies()[i].pose)}});
    }
    for (const UrdfLink& link : robot.links) {
        ordered_json made{{"name", link.name},
                          {"line", link.line},
                          {"fate", name_of(link.fate)},
                          {"why", link.why},
                          {"mass", link.own.mass}};
        if (link.frame) {
            made["body"] = link.frame->body == world
                               ? ordered_json()
                               : ordered_json(body_name(model, link.frame->body));
            made["pose"] = json_of(link.frame->pose);
        }
        for (const auto& [key, list] :
             {std::pair("visual", &link.visual), {"collision", &link.collision}}) {
            made[key] = ordered_json::array();
            for (const UrdfGeometry& g : *list)
                made[key].push_back(json_of(g));
        }
        links.push_back(std::move(made));
    }
    for (const UrdfJoint& j : robot.joints) {
        ordered_json made{{"name", j.name},
                          {"line", j.line},
                          {"type", name_of(j.type)},
                          {"parent", robot.links[static_cast<std::size_t>(j.parent)].name},
                          {"child", robot.links[static_cast<std::size_t>(j.child)].name},
                          {"origin", json_of(j.origin)},
                          {"axis", json_of(j.axis)},
                          {"lower", json_of(j.lower)},
                          {"upper", json_of(j.upper)},
                          {"effort", json_of(j.effort)},
                          {"velocity", json_of(j.velocity)},
                          {"damping", j.damping},
                          {"friction", j.friction},
                          {"start", j.start},
                          {"locked", json_of(j.locked)},
                          {"in_the_model", j.joint != UrdfJoint::none},
                          {"why", j.why}};
        if (j.mimic)
            made["mimic"] = {{"joint", j.mimic->joint},
                             {"multiplier", j.mimic->multiplier},
                             {"offset", j.mimic->offset}};
        joints.push_back(std::move(made));
    }
    say("{}\n",
        ordered_json{{"robot", robot.name},
                     {"file", robot.file},
                     {"base", robot.base == UrdfBase::fixed ? "fixed" : "floating"},
                     {"root", robot.links[static_cast<std::size_t>(robot.root)].name},
                     {"mass", all.mass.mass},
                     {"center_of_mass", json_of(all.mass.center)},
                     {"principal_moments", all.moments ? json_of(*all.moments) : ordered_json()},
                     {"degrees_of_freedom", robot.degrees_of_freedom()},
                     {"bodies", bodies},
                     {"links", links},
                     {"joints", joints},
                     {"gears", model.gears().size()},
                     {"warnings", json_of(robot.warnings)},
                     {"not_used", json_of(robot.not_used)}}
            .dump(1, ' ', false, ordered_json::error_handler_t::replace));
}

std::string columns(const Vec3<double>& a)
{
    return fmt::format("{:>11.4g}{:>11.4g}{:>11.4g}", a.x, a.y, a.z);
}

std::string range_of(const UrdfJoint& j)
{
    if (j.type != UrdfJoint::Type::revolute && j.type != UrdfJoint::Type::prismatic)
        return "";
    return fmt::format("{:.5g} to {:.5g}", j.lower.value_or(0.0), j.upper.value_or(0.0));
}

/// Remarks that say the same of many things become one line.
void print_remarks(const char* title, const std::vector<UrdfRemark>& remarks)
{
    if (remarks.empty())
        return;
    say("{}\n", title);
    std::vector<std::string> order;
    std::map<std::string, std::vector<const UrdfRemark*>> same;
    for (const UrdfRemark& r : remarks) {
        std::vector<const UrdfRemark*>& list = same[r.what];
        if (list.empty())
            order.push_back(r.what);
        list.push_back(&r);
    }
    constexpr std::size_t most_lines = 60, most_places = 12;
    for (std::size_t k = 0; k < std::min(order.size(), most_lines); ++k) {
        const auto& list = same[order[k]];
        std::string places;
        for (std::size_t i = 0; i < std::min(list.size(), most_places); ++i)
            places +=
                fmt::format("{}{} ({})", i ? ", " : "", visible(list[i]->about), list[i]->line);
        if (list.size() > most_places)
            places += fmt::format(" and {} more", list.size() - most_places);
        say("  {}: {}\n", visible(order[k]), places);
    }
    if (order.size() > most_lines)
        say("  and {} more; --json has all\n", order.size() - most_lines);
}

void print_text(const UrdfRobot& robot, const Model& model, const Whole& all, bool base_chosen)
{
    say("{}\n{}\n", visible(robot.name), visible(robot.file));
    if (robot.base == UrdfBase::floating)
        say("The base floats.\n");
    else
        say("The base is fixed to the world{}.\n",
            base_chosen ? "" : ", since none was asked for (--base fixed or floating)");

    // A column as wide as the longest name in it, within reason.
    const auto width_of = [](const auto& list) {
        std::size_t width = 18;
        for (const auto& thing : list)
            width = std::max(width, visible(thing.name).size() + 1);
        return std::min<std::size_t>(width, 40);
    };
    const std::size_t wide = width_of(robot.links);
    say("Bodies\n  {:<{}}{:>6}{:>12}   {:<33}   {}\n", "", wide, "line", "mass  kg",
        "centre of mass  m", "principal moments  kg m²");
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
        const BodyMass& m = model.masses()[i];
        const UrdfLink* link = robot.link(model.bodies()[i].name);
        say("  {:<{}}{:>6}{:>12.6g}   {:<33}   {}\n", visible(link->name), wide,
            link->inertial_line, m.m, columns(m.center), columns(m.principal));
    }
    say("  {:<{}}{:>6}{:>12.6g}   {:<33}   {}\n", "all, at the start", wide, "", all.mass.mass,
        all.moments ? columns(all.mass.center) : "",
        all.moments ? columns(*all.moments) : Whole::overflow);

    bool any = false;
    for (const UrdfLink& link : robot.links)
        if (link.fate != UrdfLink::Fate::body) {
            if (!any)
                say("Links that are no bodies of their own\n");
            any = true;
            say("  {:<{}}{:>6}  {:<9} {}{}\n", visible(link.name), wide, link.line,
                name_of(link.fate),
                link.own.mass > 0 ? fmt::format("{:.6g} kg, ", link.own.mass) : "",
                visible(link.why));
        }

    const std::size_t joint_wide = width_of(robot.joints);
    if (!robot.joints.empty())
        say("Joints\n  {:<{}}{:>6}  {:<11}{:<24}{:<22}{:>9}{:>9}{:>9}{:>9}\n", "", joint_wide,
            "line", "type", "axis", "limits  rad, m", "effort", "speed", "damping", "friction");
    const auto given = [](const std::optional<double>& number) {
        return number ? fmt::format("{:.5g}", *number) : std::string("-");
    };
    for (const UrdfJoint& j : robot.joints) {
        const bool moves = j.type != UrdfJoint::Type::fixed;
        const bool turns = moves && j.type != UrdfJoint::Type::floating;
        say("  {:<{}}{:>6}  {:<11}{:<24}{:<22}", visible(j.name), joint_wide, j.line,
            name_of(j.type),
            turns ? fmt::format("{:.5g} {:.5g} {:.5g}", j.axis.x, j.axis.y, j.axis.z) : "",
            range_of(j));
        if (moves)
            say("{:>9}{:>9}{:>9.4g}{:>9.4g}", given(j.effort), given(j.velocity), j.damping,
                j.friction);
        say("{}{}\n", j.why.empty() ? "" : "  ", visible(j.why));
    }
    print_remarks("Warnings, with the line", robot.warnings);
    print_remarks("Not used, with the line", robot.not_used);
    say("Links {}, bodies {}, joints in the model {}, gears {}, degrees of freedom {}; {:.9g} kg\n",
        robot.links.size(), model.bodies().size(), model.joints().size(), model.gears().size(),
        robot.degrees_of_freedom(), all.mass.mass);
    say("Nothing is wrong with this robot{}.\n",
        robot.warnings.empty() ? "" : "; the warnings may be worth a look");
}

} // namespace

int check_urdf(const std::string& file, const RobotArguments& args, bool json)
{
    Problems found;
    const UrdfOptions options = urdf_options(args, found);
    if (found.any())
        return refuse(found, json);
    const auto robot = read_urdf(file, options);
    if (!robot)
        return refuse(robot.problems(), json);
    const auto model = robot->description.build();
    if (!model)
        return refuse(model.problems(), json);
    const Whole all = whole_of(*model);
    if (json)
        print_json(*robot, *model, all);
    else
        print_text(*robot, *model, all, args.base.has_value());
    return done;
}

} // namespace poinsot
