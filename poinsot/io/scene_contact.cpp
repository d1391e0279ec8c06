// SPDX-License-Identifier: MIT
// How what touches in a scene is answered, of which materials it is, and who meets whom.
#include "poinsot/io/scene_contact.hpp"

#include "poinsot/step/overlaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace poinsot {

namespace {

template <class Choice>
struct Word {
    Choice choice;
    std::string_view word;
};
constexpr std::array<Word<bool>, 2> solvers{{{true, "exact"}, {false, "sweeps"}}};
constexpr std::array<Word<ContactResponse>, 2> responses{
    {{ContactResponse::impulsive, "impulsive"}, {ContactResponse::penalty, "penalty"}}};
constexpr std::array<Word<Scene::Overlaps>, 3> ways{{{Scene::Overlaps::refuse, "refuse"},
                                                     {Scene::Overlaps::separate, "separate"},
                                                     {Scene::Overlaps::keep, "keep"}}};

template <class Table, class Choice>
std::string_view word_in(const Table& table, Choice choice)
{
    for (const auto& entry : table)
        if (entry.choice == choice)
            return entry.word;
    check(false, "every choice has a word");
    return "";
}

/// Reads one of the words of a table, where the key is given.
template <class Table, class Choice>
void read_choice(Fields& f, std::string_view key, const Table& table, Choice& into)
{
    const auto value = f.find(key);
    if (!value)
        return;
    std::vector<std::string_view> known;
    for (const auto& entry : table)
        known.push_back(entry.word);
    const auto named = [&](std::string_view word) -> std::optional<Choice> {
        for (const auto& entry : table)
            if (entry.word == word)
                return entry.choice;
        return std::nullopt;
    };
    if (const auto chosen = value->choice(key, named, known))
        into = *chosen;
}

} // namespace

// ---- how touch is answered ----------------------------------------------------------------------

void ContactReader::read_settings(const Value& value)
{
    Fields f(value.named("contact"), "contact");
    draft_.contact = f.value();
    ContactSettings& contact = scene_.run.step.contact;
    default_material_ = f.find("material");
    read_choice(f, "overlaps", ways, scene_.overlaps);
    contact.keep_overlaps = scene_.overlaps == Scene::Overlaps::keep;
    read_choice(f, "response", responses, contact.response);
    if (contact.response == ContactResponse::penalty) {
        read_press(f, contact.press);
        return;
    }
    for (const char* key : {"steps", "impact_speed"})
        idle(f, key, "response impulsive");
    const auto all = [](const auto& names) { return std::vector(names.begin(), names.end()); };
    if (const auto law = f.find("law"))
        contact.law =
            law->choice("law", impact_law_named, all(impact_law_names)).value_or(contact.law);
    if (const auto order = f.find("order"))
        contact.order = order->choice("order", impact_order_named, all(impact_order_names))
                            .value_or(contact.order);
    read_choice(f, "solver", solvers, contact.exact);
    const auto sweeps = f.find("sweeps");
    if (sweeps)
        contact.sweeps = sweeps->count(contact.sweeps);
    if (sweeps && contact.exact)
        sweeps->problem(sweeps->what(), " has no effect with solver exact; remove it, or choose "
                                        "solver: sweeps");
    f.read("tolerance", contact.tolerance);
    f.read("continuous", contact.continuous);
    f.read("ahead", contact.ahead);
    f.read("within", contact.within);
}

void ContactReader::read_press(Fields& f, PressSettings& press) const
{
    if (const auto law = f.find("law"))
        press.law = law->choice("law", press_law_named,
                                std::vector(press_law_names.begin(), press_law_names.end()))
                        .value_or(press.law);
    const std::string with = text_of("law ", name_of(press.law));
    if (press.law == PressLaw::spring)
        f.read("steps", press.steps);
    else
        idle(f, "steps", with);
    if (press.law == PressLaw::hunt_crossley)
        f.read("impact_speed", press.impact_speed);
    else
        idle(f, "impact_speed", with);
    for (const char* key :
         {"order", "solver", "sweeps", "tolerance", "continuous", "ahead", "within"})
        idle(f, key, "response penalty");
}

void ContactReader::idle(Fields& f, const char* key, std::string_view with) const
{
    if (const auto value = f.find(key))
        value->problem(value->what(), " has no effect with ", with, "; remove it");
}

// ---- materials ----------------------------------------------------------------------------------

void ContactReader::read_law(Fields& f, ContactLaw& law) const
{
    f.read("friction", law.friction);
    law.static_friction = std::max(law.static_friction, law.friction);
    f.read("static_friction", law.static_friction);
    f.read("restitution", law.restitution);
    f.read("rolling", law.rolling);
    f.read("torsion", law.torsion);
    const ContactSettings& contact = scene_.run.step.contact;
    if (contact.response != ContactResponse::penalty)
        return;
    for (const char* key : {"rolling", "torsion"})
        idle(f, key, "response penalty");
    if (contact.press.law == PressLaw::hertz)
        idle(f, "restitution", "law hertz, which gives all back");
}

void ContactReader::read_elasticity(Fields& f, Material& material) const
{
    const ContactSettings& contact = scene_.run.step.contact;
    const bool penalty = contact.response == ContactResponse::penalty;
    if (penalty && contact.press.law != PressLaw::spring) {
        if (const auto given = f.find("young_modulus"))
            material.young_modulus = given->positive();
        f.read("poisson_ratio", material.poisson_ratio);
        if (const auto given = f.find("contact_radius"))
            material.contact_radius = given->positive();
        return;
    }
    for (const char* key : {"young_modulus", "poisson_ratio", "contact_radius"})
        idle(f, key, penalty ? "law spring" : "response impulsive");
}

void ContactReader::read_material(const YamlNode& node)
{
    Fields f(draft_.item(node, "material", draft_.materials.size() + 1), "material");
    Material material;
    if (const auto name = f.need("name", "rubber")) {
        material.name = name->word();
        if (visible(material.name) != material.name)
            name->must("be one line without tabs, is ", name->shown());
        const auto index = static_cast<int>(d_.materials.size());
        if (!material.name.empty() && !material_.try_emplace(material.name, index).second)
            name->problem("duplicate name '", material.name,
                          "': two materials have it; names must be unique");
    }
    if (material.name.empty()) // told; problems of the rest are told under some name
        material.name = text_of("material ", d_.materials.size() + 1);
    material.law.static_friction = 0; // not below friction, by default just that
    read_law(f, material.law);
    read_elasticity(f, material);
    d_.add(std::move(material));
    draft_.materials.push_back(f.value());
}

std::optional<int> ContactReader::material_named(const Value& value)
{
    const std::string name = value.word();
    if (name.empty())
        return std::nullopt;
    if (const auto found = material_.find(name); found != material_.end())
        return found->second;
    if (name == "default")
        return undeclared_material();
    std::vector<std::string_view> known;
    for (const auto& [material, at] : material_)
        if (known.size() < 2000)
            known.push_back(material);
    const std::string near = value.text().problems() < 50 ? nearest_word(name, known) : "";
    const bool more = known.size() > 10;
    known.resize(std::min<std::size_t>(known.size(), 10));
    value.problem(value.what(), ": there is no material '", name, "'",
                  near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                  known.empty() ? std::string("; declare it under 'materials'")
                                : fmt::format(" Materials here: {}{}", fmt::join(known, ", "),
                                              more ? ", …" : ""));
    return std::nullopt;
}

int ContactReader::undeclared_material()
{
    const auto [at, fresh] =
        material_.try_emplace("default", static_cast<int>(d_.materials.size()));
    if (fresh) {
        Material made;
        made.name = at->first;
        d_.add(std::move(made));
        draft_.materials.push_back(draft_.root);
    }
    return at->second;
}

void ContactReader::choose_default()
{
    if (!default_material_)
        return;
    const std::string name = default_material_->word();
    if (name.empty() || name == "default")
        return;
    default_ = material_named(*default_material_);
    scene_.contact_material = name;
}

int ContactReader::material_of(const std::optional<Value>& name)
{
    const auto named = name ? material_named(*name) : default_;
    return named ? *named : undeclared_material();
}

void ContactReader::read_pair(const YamlNode& node)
{
    Fields f(draft_.item(node, "material pair", ++pairs_), "material_pair");
    const auto names = f.need("materials", "[steel, ice]");
    std::vector<int> pair;
    if (names && (!names->node().is_list() || names->node().items.size() != 2))
        names->must("be a list of two materials, is ", names->shown());
    else if (names)
        for (const YamlNode& name : names->node().items)
            if (const auto material = material_named(names->part(name, names->what())))
                pair.push_back(*material);
    MaterialPair made;
    if (pair.size() == 2) {
        made.a = pair[0];
        made.b = pair[1];
        made.law = mean_of(d_.materials[static_cast<std::size_t>(made.a)].law,
                           d_.materials[static_cast<std::size_t>(made.b)].law);
    }
    read_law(f, made.law);
    if (pair.size() != 2)
        return;
    for (const MaterialPair& other : d_.material_pairs)
        if (std::minmax(other.a, other.b) == std::minmax(made.a, made.b)) {
            f.problem(f.what(), ": another pair is about these two materials; keep one");
            return;
        }
    d_.material_pairs.push_back(made);
    draft_.pairs.push_back(f.value());
}

// ---- who meets whom -----------------------------------------------------------------------------

std::uint32_t ContactReader::groups_of(const Value& list)
{
    if (!list.node().is_list() || list.node().items.empty()) {
        list.must("be a list of names of groups, as in [wheels, track], is ", list.shown(),
                  "; what meets nothing says 'collides: false' or is left out");
        return 1;
    }
    std::uint32_t bits = 0;
    for (const YamlNode& item : list.node().items) {
        const Value value = list.part(item, "a group in " + list.what());
        const std::string name = value.word();
        if (name.empty())
            continue;
        const auto known = group_.find(name);
        if (known != group_.end())
            bits |= 1u << known->second;
        else if (group_.size() < 32) {
            const auto bit = static_cast<int>(group_.size());
            group_[name] = bit;
            scene_.groups.push_back(name);
            bits |= 1u << bit;
        } else if (!too_many_groups_) {
            too_many_groups_ = true;
            value.problem("'", name,
                          "' is one group too many: there may be 32, 'default' of what "
                          "names none among them; join some");
        }
    }
    return bits;
}

Filter ContactReader::filter_of(const TouchKeys& keys)
{
    Filter filter;
    if (keys.groups)
        filter.groups = groups_of(*keys.groups);
    if (keys.meets)
        filter.meets = groups_of(*keys.meets);
    return filter;
}

ContactReader::Collides ContactReader::collides_of(const std::optional<Value>& value) const
{
    if (!value)
        return {true, false};
    if (value->node().is_scalar() && value->node().text == "hull")
        return {true, true};
    return {value->named(value->what() + " (true, false or hull)").truth(true), false};
}

void ContactReader::no_effect(const TouchKeys& keys, const std::string& why) const
{
    for (const auto* key : {&keys.material, &keys.groups, &keys.meets})
        if (*key)
            (*key)->problem((*key)->what(), " has no effect: ", why, "; remove it");
}

std::string_view word_of(Scene::Overlaps overlaps)
{
    return word_in(ways, overlaps);
}

void read_contact(SceneDraft& draft, Fields& f)
{
    const auto contact = f.find("contact");
    const auto& materials = f.items("materials");
    const auto& pairs = f.items("material_pairs");
    const auto& surfaces = f.items("surfaces");
    const auto& apart = f.items("apart");
    if (!contact) {
        const auto idle = [&](const std::optional<Value>& value) {
            if (value)
                value->problem(value->what(), " has no effect: nothing touches in a scene without "
                                              "'contact'; add 'contact: {}', or remove it");
            return value.has_value();
        };
        for (const char* key : {"materials", "material_pairs", "surfaces", "apart"})
            idle(f.find(key));
        // Of the first thing only: ten thousand may have copied it.
        const auto idle_in = [&](const std::vector<TouchKeys>& things) {
            for (const TouchKeys& keys : things)
                for (const auto* key :
                     {&keys.collides, &keys.radius, &keys.material, &keys.groups, &keys.meets})
                    if (idle(*key))
                        return;
        };
        idle_in(draft.touch);
        idle_in(draft.idle_touch);
        return;
    }
    draft.scene.contact = true;
    ContactReader reader(draft);
    reader.read_settings(*contact);
    for (const YamlNode& node : materials)
        reader.read_material(node);
    reader.choose_default();
    for (const YamlNode& node : pairs)
        reader.read_pair(node);
    reader.read_bodies();
    reader.read_robots();
    for (const YamlNode& node : surfaces)
        reader.read_surface(node);
    for (const YamlNode& node : apart)
        reader.read_apart(node);
}

void check_overlaps(SceneDraft& draft)
{
    const Scene& scene = draft.scene;
    if (!scene.contact || !scene.model || draft.text.found().any())
        return;
    const Model& model = *scene.model;
    const double within = touch_within(model, scene.run.step.contact);
    if (scene.overlaps != Scene::Overlaps::refuse) {
        const OverlapsBorne borne = overlaps_borne(scene.run.step);
        const Overlaps found = overlaps_at_start(model, within, borne.pairs, borne.rows);
        if (found.rows > borne.rows)
            draft.contact->problem(
                "the pairs that overlap at the start have more than ", borne.rows,
                " rows together, too many to be solved for as one dense matrix in every step; move "
                "them apart in the scene, or take 'integrator: impulsive' in maximal coordinates "
                "and law energetic, moreau or newton, together: they need no such matrix");
        else if (!found.counted)
            draft.contact->problem("more than ", borne.pairs,
                                   " pairs overlap at the start, too many to be solved for "
                                   "in every step; move them apart in the scene");
        return;
    }
    const Overlaps found = overlaps_at_start(model, within);
    const auto name = [&](int skin) { return model.skins()[static_cast<std::size_t>(skin)].name; };
    for (const Overlap& o : found.first) {
        const std::string how =
            o.inside ? text_of("'", name(o.a), "' and '", name(o.b),
                               "': one is wholly inside the other, a closed mesh, at the start")
                     : text_of("'", name(o.a), "' and '", name(o.b), "' overlap by ", o.depth,
                               " m at the start");
        draft.skins[static_cast<std::size_t>(o.b)].problem(
            how,
            "; move one of them, name their bodies under 'apart', or let the first "
            "steps move them apart: 'contact: {overlaps: separate}', or leave them as deep as they "
            "are: "
            "'overlaps: keep'");
    }
    if (found.count > found.first.size())
        draft.contact->problem(found.counted ? "" : "more than ", found.count - found.first.size(),
                               " other pairs overlap at the start");
}

} // namespace poinsot
