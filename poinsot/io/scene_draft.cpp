// SPDX-License-Identifier: MIT
#include "poinsot/io/scene_draft.hpp"

#include <algorithm>
#include <array>

namespace poinsot {

namespace {

/// What only the writer of a file needs to hear of a key, after all that was said of it.
struct Hint {
    std::string_view key, text;
};
constexpr std::array<Hint, 3> hints{{
    {"orientation", ", or write {axis: …, angle: …}"},
    {"step", "; give a time in s, as in 'run: {until: 10, step: 0.001}'"},
    {"until", "; give a time in s, as in 'run: {until: 10, step: 0.001}'"},
}};

/// Where a key such as "held.along" of a thing is written, as far in as the file goes, and what of
/// the key is not written there.
struct Written {
    const YamlNode& at;
    std::string_view missing;
};
Written written_at(const YamlNode& thing, std::string_view key)
{
    if (key.empty())
        return {thing, ""};
    const std::string_view first = key.substr(0, key.find('.'));
    const YamlNode* value = value_of(thing, first);
    if (thing.is_list()) // "coordinates.1.motor": an item by its number, from 0
        for (std::size_t i = 0; i < thing.items.size(); ++i)
            if (first == std::to_string(i))
                value = &thing.items[i];
    if (!value)
        return {thing, first};
    return written_at(*value, key.substr(std::min(first.size() + 1, key.size())));
}

} // namespace

Value SceneDraft::item(const YamlNode& node, std::string_view kind, std::size_t number) const
{
    const YamlNode* name = value_of(node, "name");
    return {text, node,
            name && name->is_scalar() ? fmt::format("{} '{}'", kind, name->text)
                                      : fmt::format("{} {}", kind, number)};
}

std::string SceneDraft::name_of(Fields& item, const char* kind, bool needed)
{
    const auto value = needed ? item.need("name", kind) : item.find("name");
    if (!value) {
        for (int& i = given_[kind]; !needed;) {
            std::string name = fmt::format("{} {}", kind, ++i);
            if (names_.try_emplace(name, Named{kind, item.value().node().line}).second)
                return name;
        }
        return "";
    }
    const Value named = value->named(fmt::format("name of a {}", kind));
    const std::string name = named.word();
    if (name.empty())
        return name;
    if (visible(name) != name)
        named.must("be one line without tabs, is ", named.shown());
    for (const char* reserved : {"origin", "center_of_mass", "world"})
        if (name == reserved)
            named.problem("'", name, "' has a meaning of its own in scenes; choose another name");
    const auto [first, fresh] = names_.try_emplace(name, Named{kind, named.node().line});
    if (!fresh)
        named.problem("duplicate name '", name, "': the ", first->second.kind, " in line ",
                      first->second.line, " has it already; names must be unique");
    return name;
}

void SceneDraft::take_name(const Value& at, const char* kind, const std::string& name)
{
    if (visible(name) != name)
        at.problem(at.what(), ": name of a ", kind, " must be one line without tabs, is '",
                   visible(name), "'");
    const auto [first, fresh] = names_.try_emplace(name, Named{kind, at.node().line});
    if (!fresh)
        at.problem(at.what(), ": its ", kind, " would have the name '", name, "' of the ",
                   first->second.kind, " in line ", first->second.line,
                   "; names must be unique: rename one of the two");
}

void SceneDraft::keep_body(const Value& at, Body body, TouchKeys keys)
{
    std::string name = body.name;
    const int index = scene.description.add(std::move(body));
    if (!name.empty())
        index_.try_emplace(std::move(name), index);
    bodies.push_back(at);
    touch.push_back(std::move(keys));
}

namespace {

template <class Thing>
std::map<std::string, int> index_of(const std::vector<Thing>& things)
{
    std::map<std::string, int> index;
    for (const Thing& thing : things)
        index.try_emplace(thing.name, static_cast<int>(index.size()));
    return index;
}

} // namespace

std::optional<int> SceneDraft::look_up(const std::map<std::string, int>& index, const Value& value,
                                       const char* one, const char* many) const
{
    const std::string name = value.word();
    if (name.empty())
        return std::nullopt;
    if (doubtful_.contains(name.substr(0, name.find('/')))) {
        value.text().leave(value.node());
        return std::nullopt;
    }
    const auto found = index.find(name);
    if (found != index.end())
        return found->second;
    // A few thousand names, for the first few problems: comparing all with all takes minutes.
    std::vector<std::string_view> known;
    for (const auto& [thing, at] : index) {
        if (known.size() == 2000)
            break;
        known.push_back(thing);
    }
    const std::string near = value.text().problems() < 50 ? nearest_word(name, known) : "";
    const bool more = known.size() > 10;
    if (more)
        known.resize(10);
    value.problem(value.what(), ": there is no ", one, " '", name, "'",
                  known.empty()  ? ""
                  : near.empty() ? "."
                                 : fmt::format("; did you mean '{}'?", near),
                  known.empty() ? std::string("; the scene has none")
                                : fmt::format(" {} here: {}{}", many, fmt::join(known, ", "),
                                              more ? ", …" : ""));
    return std::nullopt;
}

int SceneDraft::body_named(const Value& value) const
{
    return look_up(index_, value, "body", "Bodies").value_or(world);
}

std::optional<int> SceneDraft::body_or_world(const Value& value) const
{
    if (value.node().is_scalar() && value.node().text == "world")
        return world;
    return look_up(index_, value, "body", "Bodies");
}

void SceneDraft::keep_joint(const Value& at, Joint joint, bool known)
{
    std::string name = joint.name;
    const int index = scene.description.add(std::move(joint));
    if (!name.empty())
        joint_index_.try_emplace(std::move(name), index);
    joints.push_back(at);
    kind_known.push_back(known);
}

std::optional<int> SceneDraft::bushing_named(const Value& value) const
{
    return look_up(index_of(scene.description.bushings), value, "bushing", "Bushings");
}
std::optional<int> SceneDraft::cut_named(const Value& value) const
{
    return look_up(index_of(scene.description.cuts), value, "cut", "Cuts");
}

std::optional<int> SceneDraft::control_named(const Value& value) const
{
    return look_up(index_of(scene.description.controls), value, "control", "Controls");
}

std::optional<int> SceneDraft::joint_named(const Value& value) const
{
    return look_up(joint_index_, value, "joint", "Joints");
}

void SceneDraft::keep_tank(const Value& at, Tank tank)
{
    auto& all = scene.description.tanks;
    if (!tank.name.empty())
        tank_index_.try_emplace(tank.name, static_cast<int>(all.size()));
    all.push_back(std::move(tank));
    tanks.push_back(at);
}

std::optional<int> SceneDraft::tank_named(const Value& value) const
{
    return look_up(tank_index_, value, "tank", "Tanks");
}

Vec3<double> SceneDraft::center_of(int body) const
{
    if (body == world)
        return zero3<double>();
    return scene.description.bodies[static_cast<std::size_t>(body)].mass_properties.center;
}

void SceneDraft::tell(const Problems& problems, const std::map<std::string, Value>& places)
{
    // All are judged before any is told: two of them may share a place.
    std::vector<std::pair<const YamlNode*, std::string>> fresh;
    for (const Problem& p : problems.list()) {
        const Value& thing = places.at(p.place);
        const auto [at, missing] = written_at(thing.node(), p.key);
        // A map that lacks the key may have told of another; any other value has no other.
        const bool by_key = at.is_map() && !missing.empty();
        if (by_key ? text.needed(at, missing) : text.told_in(at) && !p.key.empty())
            continue;
        const auto hint = std::find_if(hints.begin(), hints.end(), [&](const Hint& h) {
            return h.key == p.key && (h.key != "until" || p.place == "run");
        });
        fresh.emplace_back(&at, text_of(thing.what(), thing.what().empty() ? "" : ": ", p.what,
                                        hint == hints.end() ? "" : hint->text));
    }
    for (const auto& [at, what] : fresh)
        text.problem(*at, what);
}

} // namespace poinsot
