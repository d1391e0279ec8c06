// SPDX-License-Identifier: MIT
#include "poinsot/io/scene_fields.hpp"

#include "poinsot/io/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace poinsot {

const YamlNode* value_of(const YamlNode& map, std::string_view key)
{
    for (std::size_t i = 0; i < map.keys.size() && i < map.items.size(); ++i)
        if (map.keys[i].is_scalar() && map.keys[i].text == key)
            return &map.items[i];
    return nullptr;
}

void SceneText::put(Problems& into, const YamlNode& at, const std::string& what) const
{
    const std::string quote = lines_.quoted(at.line, at.column);
    into.add(place_of(file_, at.line, at.column), visible(what), quote.empty() ? "" : "\n", quote);
}

void SceneText::tell(const YamlNode& at, const std::string& what)
{
    put(found_, at, what);
    told_.insert(&at);
}

bool SceneText::told_in(const YamlNode& value) const
{
    const auto told = [&](const YamlNode& part) { return told_in(part); };
    return told_.contains(&value) || std::any_of(value.items.begin(), value.items.end(), told) ||
           std::any_of(value.keys.begin(), value.keys.end(), told);
}

// ---- values -------------------------------------------------------------------------------------

std::string Value::shown() const
{
    const std::string& text = node_->text;
    switch (node_->kind) {
    case YamlNode::Kind::null:
        return "empty";
    case YamlNode::Kind::scalar:
        return (node_->quoted ? "the text '" : "'") +
               (text.size() > 60 ? text.substr(0, 57) + "..." : text) + "'";
    case YamlNode::Kind::list:
        return fmt::format("a list of {}", node_->items.size());
    case YamlNode::Kind::map:
        return "a map";
    }
    return "";
}

double Value::number(double otherwise) const
{
    if (!node_->is_scalar()) {
        must("be a number, is ", shown());
        return otherwise;
    }
    const ParsedNumber parsed = parse_number(node_->text);
    if (node_->quoted) {
        must("be a number, is ", shown(), parsed.value ? "; remove the quotes" : "");
        return otherwise;
    }
    if (!parsed.value) {
        must("be a number, but '", node_->text, "' ", parsed.problem);
        return otherwise;
    }
    return *parsed.value;
}
double Value::positive(double otherwise) const
{
    const double value = number(otherwise);
    if (value > 0)
        return value;
    must("be greater than zero, is ", value);
    return otherwise;
}
double Value::angle(double otherwise) const
{
    if (!node_->is_scalar()) {
        must("be an angle in radians or such as '30 deg', is ", shown());
        return otherwise;
    }
    const ParsedNumber parsed = parse_angle(node_->text);
    if (!parsed.value)
        must("be an angle, but '", node_->text, "' ", parsed.problem);
    return parsed.value.value_or(otherwise);
}
int Value::count(int otherwise, int most) const
{
    const double value = number(otherwise);
    if (value >= 1 && value <= most && value == std::floor(value))
        return static_cast<int>(value);
    must("be a whole number of at least 1 and at most ", most, ", is ", value);
    return otherwise;
}
bool Value::truth(bool otherwise) const
{
    if (node_->is_scalar() && !node_->quoted && (node_->text == "true" || node_->text == "false"))
        return node_->text == "true";
    must("be true or false, is ", shown());
    return otherwise;
}
namespace {

/// Does YAML take this text for a number when it stands without quotes? Hexadecimal, octal,
/// infinite ones and NaN are among them.
bool yaml_number(std::string_view text)
{
    const auto only = [](std::string_view part, const char* letters) {
        return !part.empty() && part.find_first_not_of(letters) == std::string_view::npos;
    };
    if (text.starts_with("0x"))
        return only(text.substr(2), "0123456789abcdefABCDEF");
    if (text.starts_with("0o"))
        return only(text.substr(2), "01234567");
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    if (text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" ||
        text == ".NAN")
        return true;
    const std::size_t e = text.find_first_of("eE");
    if (e != std::string_view::npos) {
        std::string_view power = text.substr(e + 1);
        if (power.starts_with('-') || power.starts_with('+'))
            power.remove_prefix(1);
        if (!only(power, "0123456789"))
            return false;
        text = text.substr(0, e);
    }
    return only(text, "0123456789.") && text != "." && std::ranges::count(text, '.') <= 1;
}

} // namespace

std::string Value::word() const
{
    // A block of text has lines and tabs; other control characters a terminal would obey.
    std::string plain = node_->text;
    std::erase_if(plain, [](char c) { return c == '\n' || c == '\t'; });
    const bool boolean = plain == "true" || plain == "false";
    if (node_->is_scalar() && !node_->quoted && (boolean || yaml_number(plain))) {
        must("be text, is ", boolean ? "" : "the number ", plain, "; write \"", plain,
             "\", in quotes, if that is what it is called");
        return "";
    }
    if (node_->is_scalar() && !plain.empty() && visible(plain) == plain)
        return node_->text;
    if (node_->is_scalar() && !plain.empty())
        problem(what_, " has a control character in it: '", node_->text, "'; remove it");
    else
        must("be text, is ", node_->is_scalar() ? "empty" : shown());
    return "";
}
std::vector<double> Value::numbers(std::size_t n) const
{
    if (!node_->is_list() || node_->items.size() != n) {
        must("be a list of ", n, " numbers, is ", shown());
        return {};
    }
    const std::size_t before = text_->problems();
    std::vector<double> values;
    for (const YamlNode& item : node_->items)
        values.push_back(part(item, what_).number());
    return text_->problems() == before ? values : std::vector<double>{};
}
Vec3<double> Value::vector(const Vec3<double>& otherwise) const
{
    const auto v = numbers(3);
    return v.empty() ? otherwise : Vec3<double>{v[0], v[1], v[2]};
}
bool Value::is_rows() const
{
    return node_->is_list() && node_->items.size() == 3 && node_->items[0].is_list();
}
std::optional<Mat3<double>> Value::rows() const
{
    std::array<Vec3<double>, 3> r;
    const std::size_t before = text_->problems();
    for (std::size_t i = 0; i < 3; ++i)
        r[i] = part(node_->items[i], fmt::format("row {} of {}", i + 1, what_)).vector();
    if (text_->problems() != before)
        return std::nullopt;
    return Mat3<double>{r[0], r[1], r[2]};
}

void Value::unknown_word(std::string_view kind, const std::string& name,
                         const std::vector<std::string_view>& known) const
{
    const std::string near = nearest_word(name, known);
    problem("there is no ", kind, " '", name, "'",
            near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
            fmt::format(" Known are: {}", fmt::join(known, ", ")));
}

// ---- maps ---------------------------------------------------------------------------------------

Fields::Fields(Value map, std::string_view place) : map_(std::move(map)), place_(place)
{
    const YamlNode& node = map_.node();
    std::vector<std::string_view> known;
    for (const SceneKey& k : scene_keys())
        if (k.place == place)
            known.push_back(k.key);
    if (!ok()) {
        map_.must("be a map with keys such as '", known.front(), ":', is ", map_.shown());
        return;
    }
    std::map<std::string_view, const YamlNode*> seen;
    for (const YamlNode& at : node.keys) {
        const Value key = map_.part(at, fmt::format("a key of {}", what()));
        if (!at.is_scalar()) {
            key.must("be a word, is ", key.shown());
            continue;
        }
        if (std::find(known.begin(), known.end(), at.text) == known.end()) {
            const std::string near = nearest_word(at.text, known);
            key.problem("unknown key '", at.text, "' in ", what(),
                        near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                        near.empty() ? "; known here: " : " Known here: ",
                        fmt::format("{}", fmt::join(known, ", ")));
            continue;
        }
        const auto [first, fresh] = seen.try_emplace(at.text, &at);
        if (!fresh)
            key.problem("duplicate key '", at.text, "' in ", what(), "; it stands in line ",
                        first->second->line, " already: keep one of the two");
    }
}

Fields::~Fields()
{
    // A key in the table that no one asks for would be ignored in silence.
    for (const SceneKey& k : scene_keys())
        if (ok() && k.place == place_)
            check(asked_.contains(k.key), "every known key of a scene is asked for");
}

std::optional<Value> Fields::find(std::string_view key)
{
    asked_.insert(key);
    if (const YamlNode* node = value_of(map_.node(), key))
        return map_.part(*node, of(key));
    return std::nullopt;
}
std::optional<Value> Fields::need(std::string_view key, std::string_view example)
{
    auto value = find(key);
    if (!value && ok()) {
        problem(what(), " needs '", key, "', for example '", key, ": ", example, "'");
        map_.text().need(map_.node(), key);
    }
    return value;
}

bool Fields::read(std::string_view key, double& into)
{
    const auto value = find(key);
    if (value)
        into = value->number(into);
    return value.has_value();
}
bool Fields::read(std::string_view key, Vec3<double>& into)
{
    const auto value = find(key);
    if (value)
        into = value->vector(into);
    return value.has_value();
}
bool Fields::read(std::string_view key, int& into)
{
    const auto value = find(key);
    if (value)
        into = value->count(into);
    return value.has_value();
}
bool Fields::read(std::string_view key, bool& into)
{
    const auto value = find(key);
    if (value)
        into = value->truth(into);
    return value.has_value();
}
bool Fields::read(std::string_view key, std::string& into)
{
    const auto value = find(key);
    if (value)
        into = value->word();
    return value.has_value();
}

const std::vector<YamlNode>& Fields::items(std::string_view key)
{
    static const std::vector<YamlNode> none;
    const auto list = find(key);
    if (!list)
        return none;
    if (list->node().is_list())
        return list->node().items;
    list->problem("'", key, "' must be a list, each item beginning with '- ', is ", list->shown());
    return none;
}

} // namespace poinsot
