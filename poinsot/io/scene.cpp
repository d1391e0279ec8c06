// SPDX-License-Identifier: MIT
#include "poinsot/io/scene.hpp"

#include "poinsot/forces/aero.hpp"
#include "poinsot/io/scene_draft.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

namespace poinsot {

namespace {

void read_parts(SceneDraft& draft)
{
    Fields f(draft.root, "scene");
    f.read("title", draft.scene.title);
    f.read("story", draft.scene.story);
    draft.touches = f.find("contact").has_value();
    if (const auto gravity = f.find("gravity"))
        read_gravity(draft, *gravity);
    if (const auto planet = f.find("planet"))
        read_planet(draft, *planet);
    for (const YamlNode& body : f.items("bodies"))
        read_body(draft, body);
    for (const YamlNode& robot : f.items("robots"))
        read_robot(draft, robot);
    for (const YamlNode& beam : f.items("beams"))
        read_beam(draft, beam);
    for (const YamlNode& particle : f.items("particles"))
        read_particle(draft, particle);
    for (const YamlNode& spring : f.items("springs"))
        read_spring(draft, spring);
    for (const YamlNode& bushing : f.items("bushings"))
        read_bushing(draft, bushing);
    for (const YamlNode& drag : f.items("drag"))
        read_drag(draft, drag);
    for (const YamlNode& control : f.items("controls"))
        read_control(draft, control);
    for (const YamlNode& load : f.items("loads"))
        read_load(draft, load);
    if (const auto air = f.find("air"))
        read_air(draft, *air);
    for (const YamlNode& aerodynamics : f.items("aerodynamics"))
        read_aerodynamics(draft, aerodynamics);
    for (const YamlNode& rotor : f.items("rotors"))
        read_rotor(draft, rotor);
    for (const YamlNode& tank : f.items("tanks"))
        read_tank(draft, tank);
    read_flows(draft, f);
    for (const YamlNode& joint : f.items("joints"))
        read_joint(draft, joint);
    for (const YamlNode& gear : f.items("gears"))
        read_gear(draft, gear);
    for (const YamlNode& cut : f.items("cuts"))
        read_cut(draft, cut);
    for (const YamlNode& event : f.items("events"))
        read_event(draft, event);
    read_contact(draft, f);
    if (const auto run = f.find("run"))
        read_run(draft, *run);
    if (const auto ledger = f.find("ledger"))
        read_ledger(draft, *ledger);
    if (const auto output = f.find("output"))
        read_output(draft, *output);
}

/// Was something found wrong with the bodies or the joints as such? What they are together is not
/// known then.
bool parts_in_doubt(const SceneDraft& draft)
{
    for (const char* part : {"bodies", "robots", "beams", "particles", "joints"})
        if (const YamlNode* node = value_of(draft.root.node(), part))
            if (draft.text.told_in(*node))
                return true;
    return false;
}

/// Whether the bodies fit a joint: found only where all else is well described.
bool is_about_assembly(const Problem& p)
{
    return p.key == "at" || p.key == "speed" || p.key == "start" || p.key.ends_with("limits");
}

/// Leaves out the joints whose kind is not known, with all that speaks of them; those that stay are
/// told where they stand.
void keep_known_joints(const SceneDraft& draft, Builder& marked, std::vector<Value>& joints,
                       std::vector<Value>& gears, std::vector<Value>& events)
{
    const Builder whole = marked;
    marked.joints.clear();
    marked.gears.clear();
    std::vector<int> index;
    for (std::size_t j = 0; j < whole.joints.size(); ++j) {
        index.push_back(draft.kind_known[j] ? static_cast<int>(joints.size()) : Tree::none);
        if (draft.kind_known[j]) {
            marked.joints.push_back(whole.joints[j]);
            joints.push_back(draft.joints[j]);
        }
    }
    for (std::size_t g = 0; g < whole.gears.size(); ++g) {
        Gear gear = whole.gears[g];
        bool known = true;
        for (int* joint : {&gear.joint_1, &gear.joint_2}) {
            *joint = *joint == Tree::none ? Tree::none : index[static_cast<std::size_t>(*joint)];
            known = known && *joint != Tree::none;
        }
        if (known) {
            marked.gears.push_back(gear);
            gears.push_back(draft.gears[g]);
        }
    }
    const bool all_known = joints.size() == whole.joints.size();
    if (!all_known)
        std::erase_if(marked.cuts, [](const Cut& cut) { return cut.of == Cut::Of::joint; });
    marked.releases.clear();
    for (std::size_t i = 0; i < whole.releases.size(); ++i) {
        Release release = whole.releases[i];
        const bool of_bushing = release.bushing >= 0;
        if (!of_bushing)
            release.joint = index[static_cast<std::size_t>(release.joint)];
        if ((of_bushing || release.joint != Tree::none) && (release.when_over < 0 || all_known)) {
            marked.releases.push_back(release);
            events.push_back(draft.events[i]);
        }
    }
}

/// Cuts that are left are told where they stand.
void mark_cuts(Builder& marked, const SceneDraft& draft, std::map<std::string, Value>& places)
{
    for (std::size_t i = 0, at = 0; i < marked.cuts.size(); ++i, ++at) {
        while (draft.scene.description.cuts[at].name != marked.cuts[i].name)
            ++at;
        marked.cuts[i].name = text_of("cut ", at + 1);
        places.emplace(marked.cuts[i].name, draft.cuts[at]);
    }
}

/// The user's names where a problem speaks of other things by their marks, as of 'tank 1'.
std::string with_names(std::string text, const std::map<std::string, std::string>& names)
{
    for (std::size_t at = 0; (at = text.find('\'', at)) != text.npos; ++at) {
        const std::size_t close = text.find('\'', at + 1);
        if (close == text.npos)
            break;
        const auto known = names.find(text.substr(at + 1, close - at - 1));
        if (known == names.end()) // an apostrophe
            continue;
        text.replace(at + 1, close - at - 1, known->second);
        at += known->second.size() + 1;
    }
    return text;
}

/// Makes the model and checks that it can be run.
void build(SceneDraft& draft)
{
    measure_lengths(draft);
    break_bodies(draft);
    // Under these names problems come back, whatever the user's names are and how often.
    Builder marked = draft.scene.description;
    std::map<std::string, Value> places{
        {"model", draft.root.named("model")},
        {"gravity", draft.gravity.value_or(draft.root.named("gravity"))},
        {"planet", draft.planet.value_or(draft.root.named("planet"))},
        {"air", draft.air.value_or(draft.root.named("air"))}};
    std::map<std::string, std::string> names; // of the user, by these
    const auto mark = [&](auto& things, const std::vector<Value>& values, const char* kind) {
        for (std::size_t i = 0; i < things.size(); ++i) {
            const std::string name = std::exchange(things[i].name, text_of(kind, " ", i + 1));
            places.emplace(things[i].name, values[i]);
            names.emplace(things[i].name, name);
        }
    };
    mark(marked.bodies, draft.bodies, "body");
    mark(marked.springs, draft.springs, "spring");
    mark(marked.bushings, draft.bushings, "bushing");
    mark(marked.drags, draft.drags, "drag");
    mark(marked.loads, draft.loads, "load");
    mark(marked.air.gusts, draft.gusts, "gust");
    mark(marked.aerodynamics, draft.aerodynamics, "aerodynamics");
    mark(marked.controls, draft.controls, "control");
    mark(marked.rotors, draft.rotors, "rotor");
    mark(marked.tanks, draft.tanks, "tank");
    mark(marked.flows, draft.flows, "flow");
    std::vector<Value> joints, gears, events;
    keep_known_joints(draft, marked, joints, gears, events);
    mark(marked.joints, joints, "joint");
    mark(marked.gears, gears, "gear");
    mark_cuts(marked, draft, places);
    mark(marked.releases, events, "event");
    mark(marked.skins, draft.skins, "skin");
    mark(marked.materials, draft.materials, "material");
    for (std::size_t i = 0; i < marked.material_pairs.size(); ++i) {
        const auto name = [&](int m) { return marked.materials[static_cast<std::size_t>(m)].name; };
        const MaterialPair& pair = marked.material_pairs[i];
        places.emplace(text_of(name(pair.a), " and ", name(pair.b)), draft.pairs[i]);
    }
    Scene& scene = draft.scene;
    if (const auto trial = marked.build(); !trial) {
        Problems told;
        const bool doubtful = parts_in_doubt(draft);
        // A list of them that could not be read: what it would have held is not known.
        const auto unread = [&](const char* list) {
            const YamlNode* node = value_of(draft.root.node(), list);
            return node && draft.text.told_in(*node);
        };
        const bool none = marked.bodies.empty() && (unread("robots") || unread("bodies") ||
                                                    unread("beams") || unread("particles"));
        for (const Problem& p : trial.problems().list())
            if (!(doubtful && (((p.place.starts_with("joint") || p.place.starts_with("gear")) &&
                                is_about_assembly(p)) ||
                               (p.place == "model" && none))))
                told.add_at(p.place, p.key, with_names(p.what, names));
        draft.tell(told, places);
    } else if (const auto outside = outside_limits(trial->joints(), trial->joint_starts());
               outside.any())
        draft.tell(outside, places);
    else if (const auto model = scene.description.build(); model)
        scene.model = std::make_shared<const Model>(*model);
    else // only names can be wrong still, and they were reported
        check(draft.text.found().any(), "a description with unique names builds");
    const bool joined = !scene.description.joints.empty();
    const bool impulsive = scene.run.step.contact.response == ContactResponse::impulsive;
    if (!scene.names_integrator && scene.contact && impulsive)
        scene.run.step.method = Method::impulsive;
    else if (!scene.names_integrator && (joined || (scene.model && scene.model->any_held())))
        scene.run.step.method = Method::runge_kutta4; // the splitting of free flights cannot hold
    if (!scene.names_integrator)
        scene.run.step.method =
            unnamed_method_in(scene.run.step.formulation, scene.run.step.method);
    if (!scene.names_formulation) {
        scene.run.step.formulation = joined && scene.run.step.method != Method::impulsive
                                         ? Formulation::reduced
                                         : Formulation::maximal;
        if (scene.model)
            scene.run.step.formulation = formulation_for(*scene.model, scene.run.step);
        else if (!facts_of(scene.run.step.method).in_reduced)
            scene.run.step.formulation = Formulation::maximal;
    }
    check_settings(draft);
    check_overlaps(draft);
}

/// Bodies that start beyond the atmosphere, or beyond a table of what the air does to them.
Problems without_air(const SceneDraft& draft)
{
    const Model& model = *draft.scene.model;
    Problems found;
    if (model.aerodynamics().empty())
        return found;
    const Placed placed = place(model, start_of(model, FormKind::momentum));
    const Input input;
    for (std::size_t i = 0; i < model.aerodynamics().size(); ++i) {
        const Aerodynamics& a = model.aerodynamics()[i];
        const auto body = static_cast<std::size_t>(a.body);
        if (const std::string why = why_no_load(a, model.planet(), model.air(), placed.bodies[body],
                                                0, {&model.controls(), &input, 0});
            !why.empty())
            draft.text.put(found, draft.aerodynamics[i].node(),
                           text_of(draft.aerodynamics[i].what(), ": there is none on body '",
                                   model.bodies()[body].name, "' at the start: ", why));
    }
    return found;
}

} // namespace

BookPoint book_point(const LedgerAbout& about, const Model& model)
{
    if (std::holds_alternative<AboutCenterOfMass>(about))
        return system_center;
    if (const auto* at = std::get_if<AboutPoint>(&about))
        return [A = at->point](const Placed&) { return A; };
    if (const auto* body = std::get_if<AboutBody>(&about)) {
        std::size_t index = 0;
        while (index < model.bodies().size() && model.bodies()[index].name != body->name)
            ++index;
        check(index < model.bodies().size(), "the ledger is kept about a body of the scene");
        if (body->at)
            return [index, at = *body->at](const Placed& placed) {
                const PlacedBody& on = placed.bodies[index];
                return on.x + on.lever(at);
            };
        return [index](const Placed& placed) { return placed.bodies[index].x; };
    }
    return {};
}

Result<Scene> read_scene_text(const std::string& text, const std::string& file)
{
    Problems found;
    if (text.size() > largest_scene) {
        found.add(file, "is larger than ", largest_scene >> 20,
                  " MB: this is not a scene; results "
                  "are written with --out");
        return found;
    }
    const auto tree = parse_yaml(text, file);
    if (!tree)
        return tree.problems();
    SceneText read(text, file);
    SceneDraft draft(read, *tree);
    read_parts(draft);
    if (tree->is_map())
        build(draft);
    if (read.found().any())
        return read.found();
    Scene& scene = draft.scene;
    scene.run.ledger.about = book_point(scene.about, *scene.model);
    scene.without_air = without_air(draft);
    scene.text = text;
    scene.file = file;
    return std::move(scene);
}

Result<Scene> read_scene(const std::filesystem::path& path)
{
    Problems found;
    std::error_code error;
    const auto kind = std::filesystem::status(path, error).type();
    if (kind == std::filesystem::file_type::not_found) {
        found.add(path.string(), "there is no such file; `poinsot examples` lists the scenes that "
                                 "come with Poinsot");
        return found;
    }
    if (kind == std::filesystem::file_type::directory) {
        found.add(path.string(), "is a directory; name a scene file in it");
        return found;
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string text;
    if (in) {
        // Read up to the limit and one more byte: a device may have no end.
        text.resize(1 << 16);
        std::size_t used = 0;
        while (in && used <= largest_scene) {
            if (used == text.size())
                text.resize(std::min(2 * text.size(), largest_scene + 1));
            in.read(text.data() + used, static_cast<std::streamsize>(text.size() - used));
            used += static_cast<std::size_t>(in.gcount());
            if (used == text.size() && text.size() == largest_scene + 1)
                break;
        }
        text.resize(used);
    }
    if (!in && !in.eof()) {
        found.add(path.string(), "cannot be read: ", std::strerror(errno ? errno : EIO),
                  "; check that you may read it");
        return found;
    }
    return read_scene_text(text, path.string());
}

} // namespace poinsot
