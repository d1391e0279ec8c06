// SPDX-License-Identifier: MIT
// What a pilot sets: controls, their schedules, and what follows them.
#include "poinsot/io/scene_draft.hpp"
#include "poinsot/io/scene_lines.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// Numbers, or angles, which are numbers too.
std::vector<double> read_row(const Value& value)
{
    std::vector<double> row;
    if (!value.node().is_list() || value.node().items.empty())
        value.must("be a list of numbers, is ", value.shown());
    else
        for (const YamlNode& item : value.node().items)
            row.push_back(value.part(item, value.what()).angle());
    return row;
}

} // namespace

void read_control(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "control", draft.controls.size() + 1), "control");
    const std::size_t before = draft.text.problems();
    Control control;
    control.name = draft.name_of(f, "control", true);
    if (const auto limits = f.find("limits")) {
        const auto& items = limits->node().items;
        if (!limits->node().is_list() || items.size() != 2)
            limits->must("be [lower, upper], either one '~' for none, is ", limits->shown());
        else {
            if (items[0].kind != YamlNode::Kind::null)
                control.lower = limits->part(items[0], limits->what()).angle(control.lower);
            if (items[1].kind != YamlNode::Kind::null)
                control.upper = limits->part(items[1], limits->what()).angle(control.upper);
        }
    }
    const auto value = f.find("value"), schedule = f.find("schedule");
    if (f.ok() && value.has_value() + schedule.has_value() != 1)
        f.problem(f.what(),
                  " needs a value, or a schedule such as {time: [0, 1], value: [0, 0.1]}");
    if (value)
        control.values = {value->angle()};
    if (schedule) {
        Fields s(*schedule, "schedule");
        const auto times = s.need("time", "[0, 1]"), values = s.need("value", "[0, 5 deg]");
        if (times && values) {
            control.times = read_row(*times);
            control.values = read_row(*values);
        }
    }
    if (draft.text.problems() != before)
        return draft.doubt_tank(control.name); // what follows it is not told that there is none
    draft.scene.description.controls.push_back(std::move(control));
    draft.controls.push_back(f.value());
}

void read_slopes(const SceneDraft& draft, const Value& value, Coefficient& c)
{
    const YamlNode& node = value.node();
    if (!node.is_map() || node.items.empty()) {
        value.must("be a map from controls to slopes, such as {elevator: 0.4}, is ", value.shown());
        return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const auto control = draft.control_named(value.part(node.keys[i], value.what()));
        const double slope = value.part(node.items[i], value.what()).number();
        if (!control)
            continue;
        if (std::any_of(c.controls.begin(), c.controls.end(),
                        [&](const Coefficient::Slope& s) { return s.control == *control; }))
            value.part(node.keys[i], value.what())
                .problem(value.what(), ": '", node.keys[i].text, "' is there twice; add them up");
        else
            c.controls.push_back({*control, slope});
    }
}

std::vector<std::string> control_lines(const Builder& d)
{
    std::vector<std::string> lines;
    const auto row = [](const std::vector<double>& numbers) {
        std::string out;
        for (const double number : numbers)
            out += (out.empty() ? "" : ", ") + exact(number);
        return "[" + out + "]";
    };
    const auto bound = [](double limit) {
        return std::isfinite(limit) ? exact(limit) : std::string("~");
    };
    if (!d.controls.empty())
        lines.emplace_back("controls:");
    for (const Control& c : d.controls) {
        lines.push_back("  - name: " + quoted(c.name));
        lines.push_back(fmt::format("    limits: [{}, {}]", bound(c.lower), bound(c.upper)));
        lines.push_back(
            fmt::format("    schedule: {{time: {}, value: {}}}", row(c.times), row(c.values)));
    }
    return lines;
}

std::string slopes_text(const Builder& d, const Coefficient& c)
{
    std::string out;
    for (const Coefficient::Slope& s : c.controls)
        out += fmt::format("{}{}: {}", out.empty() ? "" : ", ",
                           quoted(d.controls[static_cast<std::size_t>(s.control)].name),
                           exact(s.slope));
    return "{" + out + "}";
}

} // namespace poinsot
