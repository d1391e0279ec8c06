// SPDX-License-Identifier: MIT
// Tanks, and what flows out of them, into them and between them.
#include "poinsot/io/scene_draft.hpp"

#include <algorithm>

namespace poinsot {

namespace {

constexpr std::pair<std::string_view, Tank::Filling> fillings[] = {
    {"from_bottom", Tank::Filling::from_bottom}, {"in_place", Tank::Filling::in_place}};
std::optional<Tank::Filling> filling_named(std::string_view name)
{
    for (const auto& [word, filling] : fillings)
        if (word == name)
            return filling;
    return std::nullopt;
}

void read_room(Fields& f, Tank& tank)
{
    const auto shape = read_shape(f);
    const auto filling = f.find("filling");
    if (shape) {
        tank.filling = Tank::Filling::from_bottom;
        if (const auto* box = std::get_if<Box>(&shape->shape)) {
            tank.room = Tank::Room::box;
            tank.size = box->size;
        } else if (const auto* cylinder = std::get_if<Cylinder>(&shape->shape)) {
            tank.room = Tank::Room::cylinder;
            tank.radius = cylinder->radius;
            tank.height = cylinder->height;
        }
    }
    if (filling) {
        tank.filling = filling->choice("filling", filling_named, {"from_bottom", "in_place"})
                           .value_or(tank.filling);
        if (!shape && f.ok())
            filling->problem(filling->what(),
                             " needs a room: give box or cylinder, or leave filling out");
    }
    if (const auto turned = f.find("orientation")) {
        tank.frame.q = read_orientation(*turned);
        if (!shape && f.ok())
            turned->problem(turned->what(),
                            " turns a room: give box or cylinder, or leave orientation out");
    }
}

/// A tank by its name, or several in a list.
std::vector<int> read_tanks(const SceneDraft& draft, const Value& value)
{
    std::vector<int> found;
    const auto take = [&](const Value& name) {
        if (const auto tank = draft.tank_named(name))
            found.push_back(*tank);
    };
    if (!value.node().is_list())
        take(value);
    else if (value.node().items.empty())
        value.must("name a tank, or several in a list");
    else
        for (const YamlNode& item : value.node().items)
            take(value.part(item, value.what()));
    return found;
}

void read_flow_part(SceneDraft& draft, const YamlNode& node, Flow::Kind kind, std::size_t number)
{
    const std::string word(name_of(kind));
    Fields f(draft.item(node, word, number), word);
    const std::size_t before = draft.text.problems();
    Flow flow;
    flow.kind = kind;
    flow.name = draft.name_of(f, word.c_str(), false);
    const auto one_tank = [&](const char* key) {
        const auto named = f.need(key, "name");
        return named ? draft.tank_named(*named).value_or(-1) : -1;
    };
    if (kind == Flow::Kind::pump)
        flow.sources = {one_tank("source")};
    else if (kind != Flow::Kind::inlet)
        if (const auto named = f.need("tank", "name"))
            flow.sources = read_tanks(draft, *named);
    if (kind == Flow::Kind::pump || kind == Flow::Kind::inlet)
        flow.target = one_tank(kind == Flow::Kind::pump ? "target" : "tank");
    flow.mass_flow = 1;
    if (const auto rate = f.need("mass_flow", "5"))
        flow.mass_flow = rate->number(1);
    if (kind != Flow::Kind::pump)
        if (const auto at = f.need("at", "[0, 0, -1]"))
            flow.point = at->vector();
    if (kind == Flow::Kind::thruster) {
        flow.direction = {0, 0, -1};
        if (const auto direction = f.need("direction", "[0, 0, -1]"))
            flow.direction = direction->vector(flow.direction);
        flow.exhaust_speed = 1;
        if (const auto speed = f.need("exhaust_speed", "2500"))
            flow.exhaust_speed = speed->number(1);
        f.read("radius", flow.radius);
    }
    if (kind == Flow::Kind::inlet)
        f.read("velocity", flow.velocity);
    if (const auto control = f.find("control"))
        flow.control = draft.control_named(*control).value_or(-1);
    if (kind == Flow::Kind::thruster || kind == Flow::Kind::inlet)
        if (const auto control = f.find("speed_control"))
            flow.speed_control = draft.control_named(*control).value_or(-1);
    f.read("from", flow.from);
    f.read("until", flow.until);
    if (draft.text.problems() != before || !f.ok())
        return; // what is wrong with it was told
    draft.scene.description.flows.push_back(std::move(flow));
    draft.flows.push_back(f.value());
}

} // namespace

void read_tank(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "tank", draft.tanks.size() + 1), "tank");
    Tank tank;
    tank.name = draft.name_of(f, "tank", true);
    int body = world;
    if (const auto named = f.need("body", "name"))
        body = draft.body_named(*named);
    tank.body = std::max(0, body);
    if (const auto content = f.need("content", "10"))
        tank.content = content->number();
    f.read("capacity", tank.capacity);
    tank.frame.x = draft.center_of(body);
    f.read("at", tank.frame.x);
    read_room(f, tank);
    const bool unknown = body == world;
    const auto& bodies = draft.scene.description.bodies;
    if (unknown && (bodies.empty() || bodies[0].particle || bodies[0].held))
        return draft.doubt_tank(tank.name); // its body is unknown: it is not judged by another
    draft.keep_tank(f.value(), std::move(tank));
}

void read_event(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "event", draft.events.size() + 1), "event");
    const std::size_t before = draft.text.problems();
    Release release;
    release.name = draft.name_of(f, "event", false);
    const auto at = f.find("at"), empty = f.find("when_empty"), over = f.find("when_over");
    if (f.ok() && at.has_value() + empty.has_value() + over.has_value() != 1)
        f.problem(f.what(),
                  " needs a moment: one of at, in s, when_empty, a tank, and when_over, a cut");
    if (at)
        release.at = at->number();
    if (empty)
        release.when_empty = draft.tank_named(*empty).value_or(-1);
    if (over)
        release.when_over = draft.cut_named(*over).value_or(-1);
    release.joint = -1;
    if (const auto held = f.need("release", "name of a joint or a bushing")) {
        const auto& bushings = draft.scene.description.bushings;
        const auto bushing = std::find_if(bushings.begin(), bushings.end(), [&](const Bushing& b) {
            return held->node().is_scalar() && b.name == held->node().text;
        });
        if (bushing != bushings.end())
            release.bushing = static_cast<int>(bushing - bushings.begin());
        else
            release.joint = draft.joint_named(*held).value_or(-1);
    }
    const bool unknown = (empty && release.when_empty < 0) || (over && release.when_over < 0);
    if (draft.text.problems() != before || !f.ok() || unknown ||
        (release.joint < 0 && release.bushing < 0))
        return;
    draft.scene.description.releases.push_back(std::move(release));
    draft.events.push_back(f.value());
}

void read_flows(SceneDraft& draft, Fields& scene)
{
    for (const auto& [key, kind] : std::initializer_list<std::pair<const char*, Flow::Kind>>{
             {"thrusters", Flow::Kind::thruster},
             {"dumps", Flow::Kind::dump},
             {"pumps", Flow::Kind::pump},
             {"inlets", Flow::Kind::inlet}}) {
        std::size_t number = 0;
        for (const YamlNode& flow : scene.items(key))
            read_flow_part(draft, flow, kind, ++number);
    }
}

} // namespace poinsot
