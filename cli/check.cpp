// SPDX-License-Identifier: MIT
// poinsot check <scene or robot>: says what is wrong with it, or what is in it.
#include "cli/check_joints.hpp"
#include "cli/check_urdf.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/whole.hpp"

#include "poinsot/contacts/skin_set.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/step/overlaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

struct CheckArguments {
    std::string scene;
    bool json = false, write = false, distances = false, dump_keys = false;
    RobotArguments robot; // options of robots alone
};

/// What is nearest to each surface where the scene starts.
ordered_json distances_at_start(const Model& model)
{
    SkinSet skins(model, place(model, start_of(model, FormKind::momentum)));
    const auto name = [&](int i) { return model.skins()[static_cast<std::size_t>(i)].name; };
    ordered_json all = ordered_json::array();
    for (int i = 0; i < static_cast<int>(model.skins().size()); ++i)
        if (const auto near = skins.closest(i))
            all.push_back({{"surface", name(i)},
                           {"nearest", name(near->number)},
                           {"distance", near->gap.gap.distance},
                           {"point", json_of(near->gap.gap.on_a)},
                           {"other_point", json_of(near->gap.gap.on_b)}});
    return all;
}

int say_distances(const Scene& scene, bool json)
{
    if (!scene.contact) {
        Problems none;
        none.add(scene.file,
                 "nothing touches in a scene without 'contact', so nothing is near; add "
                 "'contact: {}'");
        return refuse(none, json);
    }
    const ordered_json all = distances_at_start(*scene.model);
    if (json) {
        say("{}\n", all.dump(1, ' ', false, ordered_json::error_handler_t::replace));
        return done;
    }
    std::size_t wide = 8;
    for (const ordered_json& one : all)
        for (const char* key : {"surface", "nearest"})
            wide = std::max(wide, one[key].get<std::string>().size());
    say("{:<{}}  {:<{}}  {:>12}\n", "surface", wide, "nearest", wide, "distance  m");
    for (const ordered_json& one : all)
        say("{:<{}}  {:<{}}  {:>12.5g}\n", one["surface"].get<std::string>(), wide,
            one["nearest"].get<std::string>(), wide, one["distance"].get<double>());
    return done;
}

int dump_keys()
{
    ordered_json places = ordered_json::object();
    for (const SceneKey& key : scene_keys())
        places[std::string(key.place)].push_back(key.key);
    say("{}\n", places.dump(1));
    return done;
}

ordered_json json_of_contact(const Scene& scene)
{
    const Model& model = *scene.model;
    ordered_json skins = ordered_json::array(), materials = skins;
    for (const Skin& skin : model.skins())
        skins.push_back(
            {{"name", skin.name},
             {"body", body_name(model, skin.body)},
             {"material", model.materials()[static_cast<std::size_t>(skin.material)].name},
             {"parts", skin.collider.parts().size()}});
    for (const Material& m : model.materials())
        materials.push_back({{"name", m.name},
                             {"friction", m.law.friction},
                             {"static_friction", m.law.static_friction},
                             {"restitution", m.law.restitution},
                             {"rolling", m.law.rolling},
                             {"torsion", m.law.torsion}});
    const ContactSettings& c = scene.run.step.contact;
    ordered_json all{{"skins", skins},
                     {"materials", materials},
                     {"material_pairs", scene.description.material_pairs.size()},
                     {"pairs_apart", model.skins_apart().size()},
                     {"overlaps", word_of(scene.overlaps)}};
    if (c.response == ContactResponse::penalty) {
        all["response"] = "penalty";
        all["law"] = name_of(c.press.law);
        if (c.press.law == PressLaw::spring)
            all["lasts"] = c.press.steps * scene.run.step.h;
        return all;
    }
    all["response"] = "impulsive";
    all["law"] = name_of(c.law);
    all["order"] = name_of(c.order);
    all["solver"] = c.exact ? "exact" : "sweeps";
    all["continuous"] = c.continuous;
    all["ahead"] = c.ahead;
    all["within"] = touch_within(model, c);
    return all;
}

void say_contact(const Scene& scene)
{
    if (!scene.contact)
        return;
    const Model& model = *scene.model;
    std::size_t in_world = 0;
    for (const Skin& skin : model.skins())
        in_world += skin.body == world;
    say("{} things touch, {} of them in the world; {} pairs never meet\n", model.skins().size(),
        in_world, model.skins_apart().size());
    const std::size_t count = model.materials().size(), shown = std::min<std::size_t>(count, 50);
    if (count > 0)
        say("  {:<18}{:>10}{:>10}{:>13}{:>12}{:>12}\n", "material", "friction", "static",
            "restitution", "rolling  m", "torsion  m");
    for (std::size_t i = 0; i < shown; ++i) {
        const Material& m = model.materials()[i];
        say("  {:<18}{:>10.5g}{:>10.5g}{:>13.5g}{:>12.5g}{:>12.5g}\n", m.name, m.law.friction,
            m.law.static_friction, m.law.restitution, m.law.rolling, m.law.torsion);
    }
    if (shown < count)
        say("  and {} more\n", count - shown);
    const ContactSettings& c = scene.run.step.contact;
    if (c.response == ContactResponse::penalty) {
        say("Penalty contact by law {}", name_of(c.press.law));
        if (c.press.law == PressLaw::spring)
            say(": contacts last {:.3g} s", c.press.steps * scene.run.step.h);
        say("\n");
        return;
    }
    say("Impacts by {} law, {}; {}; gaps up to {:.3g} m are closed\n", name_of(c.law),
        name_of(c.order), c.exact ? "solved to the last digit" : "solved by sweeps",
        touch_within(model, c));
}

int check_scene(const CheckArguments& args)
{
    if (args.dump_keys)
        return dump_keys();
    const auto scene = find_scene(args.scene);
    if (!scene)
        return refuse(scene.problems(), args.json);
    if (scene->without_air.any())
        return refuse(scene->without_air, args.json);
    if (args.write) {
        say("{}", write_scene(*scene));
        return done;
    }
    if (args.distances)
        return say_distances(*scene, args.json);

    const Model& model = *scene->model;
    const Whole all = whole_of(model);
    const auto& run = scene->run;
    if (args.json) {
        ordered_json bodies = ordered_json::array();
        for (std::size_t i = 0; i < model.bodies().size(); ++i) {
            const BodyMass& m = model.masses()[i];
            bodies.push_back({{"name", model.bodies()[i].name},
                              {"particle", model.bodies()[i].particle},
                              {"mass", m.m},
                              {"center_of_mass", json_of(m.center)},
                              {"inertia",
                               {{m.I_b.xx, m.I_b.xy, m.I_b.xz},
                                {m.I_b.xy, m.I_b.yy, m.I_b.yz},
                                {m.I_b.xz, m.I_b.yz, m.I_b.zz}}},
                              {"principal_moments", json_of(m.principal)}});
        }
        const Redundancy repeats = redundancy_of(model);
        ordered_json robots = ordered_json::array();
        for (const Scene::Robot& robot : scene->robots)
            robots.push_back({{"name", robot.name},
                              {"file", robot.file},
                              {"warnings", robot.warnings},
                              {"not_used", robot.not_used}});
        say("{}\n", ordered_json{{"scene", scene->file},
                                 {"title", scene->title},
                                 {"bodies", bodies},
                                 {"mass", all.mass.mass},
                                 {"center_of_mass", json_of(all.mass.center)},
                                 {"joints", json_of_joints(model)},
                                 {"gears", model.gears().size()},
                                 {"robots", robots},
                                 {"freedoms", freedoms_of(model).tree},
                                 {"loop_equations", freedoms_of(model).rows},
                                 {"ways_to_move", repeats.freedom},
                                 {"repeats", json_of_repeats(repeats)},
                                 {"contact",
                                  scene->contact ? json_of_contact(*scene) : ordered_json(nullptr)},
                                 {"springs", model.springs().size()},
                                 {"drags", model.drags().size()},
                                 {"loads", model.loads().size()},
                                 {"aerodynamics", model.aerodynamics().size()},
                                 {"bushings", model.described_bushings()},
                                 {"controls", model.controls().size()},
                                 {"rotors", model.rotors().size()},
                                 {"tanks", model.tanks().size()},
                                 {"flows", model.flows().size()},
                                 {"integrator", facts_of(run.step.method).name},
                                 {"state_form", name_of(run.step.form)},
                                 {"formulation", name_of(run.step.formulation)},
                                 {"stabilisation", name_of(run.step.stabilisation)},
                                 {"step", run.step.h},
                                 {"until", run.until}}
                        .dump(1, ' ', false, ordered_json::error_handler_t::replace));
        return done;
    }
    say("{}{}{}\n", scene->title, scene->title.empty() ? "" : "\n", scene->file);
    say("  {:<18}{:>12}   {:<33}   {}\n", "", "mass  kg", "centre of mass  m",
        "principal moments  kg m²");
    const auto vector = [](const Vec3<double>& a) {
        return fmt::format("{:>11.5g}{:>11.5g}{:>11.5g}", a.x, a.y, a.z);
    };
    const std::size_t shown = std::min<std::size_t>(model.bodies().size(), 50);
    for (std::size_t i = 0; i < shown; ++i) {
        const BodyMass& m = model.masses()[i];
        say("  {:<18}{:>12.6g}   {:<33}   {}\n", model.bodies()[i].name, m.m, vector(m.center),
            model.bodies()[i].particle ? "particle" : vector(m.principal));
    }
    if (shown < model.bodies().size())
        say("  and {} more\n", model.bodies().size() - shown);
    say("  {:<18}{:>12.6g}   {:<33}   {}\n", "all, in the world", all.mass.mass,
        all.moments ? vector(all.mass.center) : "",
        all.moments ? vector(*all.moments) : Whole::overflow);
    say_joints(model);
    say_contact(*scene);
    for (const Scene::Robot& robot : scene->robots)
        say("Robot '{}' of {}{}\n", robot.name, robot.file,
            robot.warnings + robot.not_used == 0
                ? ""
                : fmt::format(
                      ": {} warnings, {} things not used; `poinsot check` on it tells which",
                      robot.warnings, robot.not_used));
    say("{} springs, {} drags, {} loads; gravity ({}, {}, {}) m/s², G {}\n", model.springs().size(),
        model.drags().size(), model.loads().size(), model.gravity().uniform.x,
        model.gravity().uniform.y, model.gravity().uniform.z, model.gravity().G);
    if (model.described_bushings() > 0)
        say("{} bushings, those of beams among them\n", model.described_bushings());
    if (const Planet& planet = model.planet(); !planet.flat)
        say("planet of radius {} m, flattening {}, rotation {} rad/s, mu {} m³/s², J2 {}\n",
            planet.radius, planet.flattening, planet.rotation, planet.mu, planet.J2);
    if (model.air().kind != Air::Kind::none)
        say("{} air, acting on {} bodies\n",
            model.air().kind == Air::Kind::standard ? "standard" : "uniform",
            model.aerodynamics().size());
    for (const Control& control : model.controls())
        say("control '{}': {} at the start{}\n", control.name, control.at(0),
            control.times.size() > 1
                ? fmt::format(", a schedule until t = {} s", control.times.back())
                : "");
    for (const Rotor& rotor : model.rotors())
        say("rotor '{}' in body '{}': {} kg m² about its axis, {}\n", rotor.name,
            model.bodies()[static_cast<std::size_t>(rotor.body)].name, rotor.inertia,
            rotor.prescribed() ? "kept at a speed" : "driven by a torque");
    for (const Tank& tank : model.tanks())
        say("tank '{}' in body '{}': {} kg{}\n", tank.name,
            model.bodies()[static_cast<std::size_t>(tank.body)].name, tank.content,
            std::isfinite(tank.capacity) ? fmt::format(" of {} kg", tank.capacity) : "");
    for (const Flow& flow : model.flows())
        say("{} '{}': {} kg/s{} from t = {} s{}\n", name_of(flow.kind), flow.name, flow.mass_flow,
            flow.control >= 0
                ? fmt::format(" times control '{}'",
                              model.controls()[static_cast<std::size_t>(flow.control)].name)
                : "",
            flow.from, std::isfinite(flow.until) ? fmt::format(" until {} s", flow.until) : "");
    say("{} s in steps of {} s by {} ({}), {} form, {} coordinates; ledger {}, L about {}\n",
        run.until, run.step.h, facts_of(run.step.method).name, facts_of(run.step.method).story,
        name_of(run.step.form), name_of(run.step.formulation), name_of(run.ledger.detail),
        name_of(scene->about));
    say("Nothing is wrong with this scene.\n");
    return done;
}

} // namespace

void add_check_command(CLI::App& app, int& status)
{
    static CheckArguments args;
    CLI::App* command =
        app.add_subcommand("check", "Say what is wrong with a scene or a robot, or what is in it");
    command->footer(
        "Examples: poinsot check scenes/dzhanibekov.yaml\n"
        "          poinsot check robot.urdf --base floating\n"
        "Every problem is named with file, line and column; exit status 1 if there is one.");
    auto* scene = command->add_option("scene", args.scene,
                                      "A scene file, the name of an example, or a robot (.urdf)");
    command->add_flag("--json", args.json, "For machines: one JSON object");
    auto* write = command->add_flag(
        "--write", args.write, "Print the scene as the reader understood it, every number exact");
    auto* distances = command->add_flag(
        "--distances", args.distances,
        "What is nearest to each surface at the start, and how far; negative: they overlap");
    const auto of_robots = add_robot_options(*command, args.robot);
    // For the test that compares the reader with the schema.
    auto* dump = command->add_flag("--dump-keys", args.dump_keys)->group("");
    command->callback([&status, command, scene, dump, write, distances, of_robots] {
        if (scene->count() == 0 && dump->count() == 0)
            throw CLI::RequiredError("scene");
        Problems wrong = empty_options(*command);
        const bool robot = is_urdf(args.scene);
        if (!robot)
            wrong.add(given_without_robot(of_robots));
        if (robot && write->count() > 0)
            wrong.add("--write", "writes scenes, not robots; leave it out");
        if (robot && distances->count() > 0)
            wrong.add("--distances", "is for scenes: put the robot into one, with 'contact: {}'");
        status = wrong.any() ? refuse(wrong, args.json)
                 : robot     ? check_urdf(args.scene, args.robot, args.json)
                             : check_scene(args);
    });
}

} // namespace poinsot
