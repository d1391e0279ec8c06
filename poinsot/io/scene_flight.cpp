// SPDX-License-Identifier: MIT
// The planet below a scene, the air around it, and what the air does to its bodies.
#include "poinsot/io/scene_draft.hpp"

#include <algorithm>

namespace poinsot {

namespace {

const std::vector<std::string_view> planet_names{"wgs84", "round_earth"};
std::optional<Planet> planet_named(std::string_view name)
{
    if (name == "wgs84")
        return wgs84;
    if (name == "round_earth")
        return round_earth;
    return std::nullopt;
}

const std::vector<std::string_view> air_names{"standard", "uniform"};
std::optional<Air::Kind> air_named(std::string_view name)
{
    if (name == "standard")
        return Air::Kind::standard;
    if (name == "uniform")
        return Air::Kind::uniform;
    return std::nullopt;
}

const std::vector<std::string_view> above_names{"refuse", "vacuum"};
std::optional<bool> vacuum_named(std::string_view name)
{
    if (name == "refuse")
        return false;
    if (name == "vacuum")
        return true;
    return std::nullopt;
}

const std::vector<std::string_view> beyond_names{"refuse", "hold"};
std::optional<Beyond> beyond_named(std::string_view name)
{
    if (name == "refuse")
        return Beyond::refuse;
    if (name == "hold")
        return Beyond::hold;
    return std::nullopt;
}
/// There is no default: who gives a table says what it does where it ends.
Beyond read_beyond(Fields& f)
{
    const auto value = f.need("beyond", "refuse");
    return value ? value->choice("choice", beyond_named, beyond_names).value_or(Beyond::refuse)
                 : Beyond::refuse;
}

std::vector<double> read_nodes(const Value& value, bool angles)
{
    std::vector<double> nodes;
    if (!value.node().is_list()) {
        value.must("be a list of numbers, is ", value.shown());
        return nodes;
    }
    for (const YamlNode& item : value.node().items) {
        const Value node = value.part(item, value.what());
        nodes.push_back(angles ? node.angle() : node.number());
    }
    return nodes;
}

/// Lists of lists, one level for each axis, flattened.
void read_values(const Value& value, std::span<const std::vector<double>> axes,
                 std::vector<double>& into)
{
    if (axes.empty()) {
        into.push_back(value.number());
        return;
    }
    const std::size_t n = axes.front().size();
    if (!value.node().is_list() || value.node().items.size() != n) {
        value.must("be a list of ", n, axes.size() == 1 ? " numbers" : " lists",
                   ", one for each node of its axis, is ", value.shown());
        return;
    }
    for (const YamlNode& item : value.node().items)
        read_values(value.part(item, value.what()), axes.subspan(1), into);
}

/// A map from controls to the nodes of an axis.
void read_control_axes(const SceneDraft& draft, const Value& value, Tabled& c)
{
    const YamlNode& node = value.node();
    if (!node.is_map() || node.items.empty()) {
        value.must(
            "be a map from controls to the nodes of an axis, such as {flap: [0, 20 deg]}, is ",
            value.shown());
        return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const auto control = draft.control_named(value.part(node.keys[i], value.what()));
        c.over.push_back(Tabled::Over::control);
        c.over_controls.push_back(control.value_or(-1));
        c.table.axes.push_back(read_nodes(value.part(node.items[i], value.what()), true));
    }
}

void read_table(const SceneDraft& draft, const Value& value, Tabled& c)
{
    Fields f(value, "table");
    Table& table = c.table;
    std::vector<Coefficient::Over>& over = c.over;
    const auto axis = [&](const char* key, Coefficient::Over what) {
        if (const auto nodes = f.find(key)) {
            over.push_back(what);
            table.axes.push_back(read_nodes(*nodes, what != Coefficient::Over::mach));
        }
    };
    axis("alpha", Coefficient::Over::alpha);
    axis("beta", Coefficient::Over::beta);
    axis("mach", Coefficient::Over::mach);
    if (const auto controls = f.find("controls"))
        read_control_axes(draft, *controls, c);
    const auto values = f.need("values", "[0.1, 0.2]");
    table.beyond = read_beyond(f);
    if (table.axes.empty() && f.ok())
        f.problem(f.what(), " needs one or more of alpha, beta, mach and controls as its axes");
    else if (values)
        read_values(*values, table.axes, table.values);
}

/// What a rate is multiplied by: a number, or {constant, table}.
bool read_rate(const SceneDraft& draft, Fields& f, const char* key, double& number, Tabled& tabled)
{
    const auto value = f.find(key);
    if (!value)
        return false;
    if (!value->node().is_map()) {
        number = value->number();
        return true;
    }
    Fields of(*value, "derivative");
    bool any = of.read("constant", number);
    if (const auto table = of.find("table")) {
        read_table(draft, *table, tabled);
        any = true;
    }
    if (!any && of.ok())
        of.problem(of.what(), " is empty: give a number, constant or table");
    return true;
}

Coefficient read_coefficient(const SceneDraft& draft, const Value& value)
{
    Coefficient c;
    if (!value.node().is_map()) {
        c.constant = value.number();
        return c;
    }
    Fields f(value, "coefficient");
    bool any = f.read("constant", c.constant);
    for (const auto& [key, into] : std::initializer_list<std::pair<const char*, double*>>{
             {"alpha", &c.alpha}, {"beta", &c.beta}})
        any = f.read(key, *into) || any;
    any = read_rate(draft, f, "p", c.p, c.p_table) || any;
    any = read_rate(draft, f, "q", c.q, c.q_table) || any;
    any = read_rate(draft, f, "r", c.r, c.r_table) || any;
    if (const auto table = f.find("table")) {
        read_table(draft, *table, c);
        any = true;
    }
    if (const auto controls = f.find("controls")) {
        read_slopes(draft, *controls, c);
        any = true;
    }
    if (!any && f.ok())
        f.problem(f.what(), " is empty: give a number, or constant, alpha, beta, p, q, r, controls "
                            "or table");
    return c;
}

WindProfile read_profile(const Value& value)
{
    Fields f(value, "profile");
    WindProfile profile;
    if (const auto altitude = f.need("altitude", "[0, 1000]"))
        profile.altitude = read_nodes(*altitude, false);
    if (const auto wind = f.need("wind", "[[0, 0, 0], [5, 0, 0]]")) {
        if (!wind->node().is_list())
            wind->must("be a list of [north, east, down], is ", wind->shown());
        else
            for (const YamlNode& item : wind->node().items)
                profile.velocity.push_back(wind->part(item, wind->what()).vector());
    }
    profile.beyond = read_beyond(f);
    return profile;
}

void read_gust(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "gust", draft.gusts.size() + 1), "gust");
    Gust gust;
    gust.name = draft.name_of(f, "gust", false);
    if (const auto peak = f.need("peak", "[0, 0, -5]"))
        gust.peak = peak->vector();
    f.read("start", gust.start);
    gust.duration = 1;
    if (const auto duration = f.need("duration", "2"))
        gust.duration = duration->number(1);
    draft.scene.description.air.gusts.push_back(std::move(gust));
    draft.gusts.push_back(f.value());
}

} // namespace

void read_planet(SceneDraft& draft, const Value& value)
{
    const Value named = value.named("planet");
    draft.planet = named;
    Planet& planet = draft.scene.description.planet;
    if (value.node().is_scalar()) {
        planet = named.choice("planet", planet_named, planet_names).value_or(Planet{});
        return;
    }
    Fields f(named, "planet");
    planet.flat = false;
    if (const auto like = f.find("like"))
        planet = like->choice("planet", planet_named, planet_names).value_or(wgs84);
    else
        f.need("radius", "6371000");
    f.read("radius", planet.radius);
    f.read("flattening", planet.flattening);
    f.read("rotation", planet.rotation);
    f.read("mu", planet.mu);
    const bool own_J2 = f.read("J2", planet.J2);
    if (!f.read("J2_radius", planet.J2_radius) && own_J2 && planet.J2_radius == 0)
        planet.J2_radius = planet.radius;
}

void read_air(SceneDraft& draft, const Value& value)
{
    const Value named = value.named("air");
    draft.air = named;
    Air& air = draft.scene.description.air;
    if (value.node().is_scalar()) {
        air.kind = named.choice("air", air_named, air_names).value_or(Air::Kind::standard);
        return;
    }
    Fields f(named, "air");
    const auto density = f.find("density"), sound = f.find("speed_of_sound");
    air.kind = density ? Air::Kind::uniform : Air::Kind::standard;
    if (const auto model = f.find("model"))
        air.kind = model->choice("air", air_named, air_names).value_or(air.kind);
    f.read("density", air.density);
    f.read("speed_of_sound", air.speed_of_sound);
    if (air.kind == Air::Kind::standard)
        for (const auto& given : {density, sound})
            if (given)
                given->problem(given->what(),
                               " is that of uniform air; the standard atmosphere has its own");
    if (const auto above = f.find("above")) {
        air.vacuum_above = above->choice("choice", vacuum_named, above_names).value_or(false);
        if (air.kind != Air::Kind::standard)
            above->problem(above->what(),
                           " is for the standard atmosphere, which ends; uniform air does not");
    }
    f.read("wind", air.wind);
    if (const auto profile = f.find("profile"))
        air.profile = read_profile(*profile);
    for (const YamlNode& gust : f.items("gusts"))
        read_gust(draft, gust);
}

void read_aerodynamics(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "aerodynamics", draft.aerodynamics.size() + 1), "aerodynamics");
    Aerodynamics a;
    a.name = draft.name_of(f, "aerodynamics", false);
    int body = world;
    if (const auto named = f.need("body", "name"))
        body = draft.body_named(*named);
    a.body = std::max(0, body);
    a.frame.x = draft.center_of(body);
    f.read("at", a.frame.x);
    if (const auto q = f.find("orientation"))
        a.frame.q = read_orientation(*q);
    a.area = 1;
    if (const auto area = f.need("area", "1.5"))
        a.area = area->number(1);
    f.read("span", a.span);
    f.read("chord", a.chord);
    bool any = false;
    for (const auto& [key, into] :
         std::initializer_list<std::pair<const char*, Coefficient*>>{{"drag", &a.drag},
                                                                     {"side", &a.side},
                                                                     {"lift", &a.lift},
                                                                     {"roll", &a.roll},
                                                                     {"pitch", &a.pitch},
                                                                     {"yaw", &a.yaw}})
        if (const auto value = f.find(key)) {
            *into = read_coefficient(draft, *value);
            any = true;
        }
    if (!any && f.ok())
        f.problem(f.what(),
                  " needs one of drag, side, lift, roll, pitch and yaw, or it does nothing");
    const auto& bodies = draft.scene.description.bodies;
    if (body == world && !bodies.empty() && bodies[0].particle)
        return; // its body is unknown, and would be told that it has no attitude
    draft.scene.description.aerodynamics.push_back(std::move(a));
    draft.aerodynamics.push_back(f.value());
}

} // namespace poinsot
