// SPDX-License-Identifier: MIT
#include "cli/check_joints.hpp"

#include "cli/commands.hpp"
#include "poinsot/dynamics/linkage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace poinsot {

namespace {

constexpr std::size_t most_told = 50; // lines of a list

bool closes_loop(const Model& model, std::size_t joint)
{
    const std::vector<int>& rows = model.tree().rows;
    return std::find(rows.begin(), rows.end(), static_cast<int>(joint)) != rows.end();
}

/// Joints that say the same are allowed: they share a load in more than one way.
void say_repeats(const Redundancy& found)
{
    say("{} to move {} left where it starts\n",
        found.freedom == 1 ? "1 way" : fmt::format("{} ways", found.freedom),
        found.freedom == 1 ? "is" : "are");
    const std::size_t shown = std::min(found.repeats.size(), most_told);
    for (std::size_t i = 0; i < shown; ++i)
        say("  {}\n", found.repeats[i].text());
    if (shown < found.repeats.size())
        say("  and {} more\n", found.repeats.size() - shown);
    if (shown > 0)
        say("  What these joints carry is not unique: the least that does it is told, and "
            "marked\n");
}

} // namespace

Freedoms freedoms_of(const Model& model)
{
    Freedoms made{linkage_of(model).nv, static_cast<int>(model.gears().size())};
    for (const int j : model.tree().rows)
        made.rows += facts_of(model.joints()[static_cast<std::size_t>(j)].kind).rows;
    for (const Joint& joint : model.joints())
        for (const CoordinateLaw& law : joint.laws)
            made.rows += law.prescribed ? 1 : 0;
    return made;
}
nlohmann::ordered_json json_of_joints(const Model& model)
{
    nlohmann::ordered_json joints = nlohmann::ordered_json::array();
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
        const Joint& joint = model.joints()[j];
        joints.push_back({{"name", joint.name},
                          {"type", facts_of(joint.kind).name},
                          {"bodies", {body_name(model, joint.a), body_name(model, joint.b)}},
                          {"start", model.joint_starts()[j].q},
                          {"speed", model.joint_starts()[j].speed},
                          {"closes_loop", closes_loop(model, j)}});
    }
    return joints;
}

nlohmann::ordered_json json_of_repeats(const Redundancy& found)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Redundancy::Repeat& repeat : found.repeats)
        all.push_back({{"name", repeat.name},
                       {"rows", repeat.rows},
                       {"repeated", repeat.repeated},
                       {"others", repeat.others},
                       {"text", repeat.text()}});
    return all;
}

void say_joints(const Model& model)
{
    const std::size_t count = model.joints().size(), shown = std::min(count, most_told);
    if (count == 0)
        return;
    const auto pair = [&](const Joint& joint) {
        return fmt::format("{}, {}", body_name(model, joint.a), body_name(model, joint.b));
    };
    std::size_t name_wide = 18, pair_wide = 30; // as the longest needs, within reason
    for (std::size_t j = 0; j < shown; ++j) {
        const Joint& joint = model.joints()[j];
        name_wide = std::min<std::size_t>(std::max(name_wide, joint.name.size() + 1), 40);
        pair_wide = std::min<std::size_t>(std::max(pair_wide, pair(joint).size() + 1), 60);
    }
    say("  {:<{}}{:<13}{:<{}}{}\n", "joint", name_wide, "type", "from, to", pair_wide, "starts at");
    for (std::size_t j = 0; j < shown; ++j) {
        const Joint& joint = model.joints()[j];
        std::string start;
        const std::vector<double>& q = model.joint_starts()[j].q;
        for (std::size_t k = 0; k < q.size(); ++k)
            start += fmt::format("{}{:.5g} {}", k > 0 ? ", " : "", q[k],
                                 is_angle(joint.kind, static_cast<int>(k)) ? "rad" : "m");
        if (joint.motion)
            start += "moves as told";
        else if (closes_loop(model, j))
            start += fmt::format("{}{}", start.empty() ? "" : "; ",
                                 facts_of(joint.kind).carries ? "closes a loop"
                                 : only_measures(joint.kind)  ? "measures"
                                                              : "an equation");
        say("  {:<{}}{:<13}{:<{}}{}\n", joint.name, name_wide, facts_of(joint.kind).name,
            pair(joint), pair_wide, start);
    }
    if (shown < count)
        say("  and {} more\n", count - shown);
    const Freedoms freedoms = freedoms_of(model);
    say("{} freedoms in the tree of joints, {} equations between them; {} gears\n", freedoms.tree,
        freedoms.rows, model.gears().size());
    say_repeats(redundancy_of(model));
}

} // namespace poinsot
