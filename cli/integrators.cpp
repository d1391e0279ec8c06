// SPDX-License-Identifier: MIT
// poinsot integrators: what each integrator takes, or which of them run a scene and why others do
// not. Nothing here is a list that someone keeps: every answer is a run that was started and took
// a step.
#include "cli/commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

/// The smallest scene that has something in it, named by one word.
struct Probe {
    const char *word, *tells, *scene;
};
constexpr std::array probes{
    Probe{"free", "bodies that fly freely", R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5], angular_velocity: [0.1, 1, 0]}])"},
    Probe{"held", "a body held at a point", R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 0.5], held: {point: [0, 0, -0.3]}}
run: {integrator: runge_kutta4})"},
    Probe{"joint", "joints", R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5], position: [1, 0, 0]}]
joints: [{name: j, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 1, 0]}])"},
    Probe{"loop", "joints that close loops", R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 2, 2.5], position: [0, 0, 0.5]}
  - {name: b, mass: 1, inertia: [1, 2, 2.5], position: [0.5, 0, 1]}
  - {name: c, mass: 1, inertia: [1, 2, 2.5], position: [1, 0, 0.5]}
joints:
  - {name: j, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 1, 0]}
  - {name: k, type: revolute, bodies: [a, b], at: [0, 0, 1], axis: [0, 1, 0]}
  - {name: l, type: revolute, bodies: [b, c], at: [1, 0, 1], axis: [0, 1, 0]}
  - {name: m, type: ball, bodies: [world, c], at: [1, 0, 0]})"},
    Probe{"roll", "discs that roll without slipping", R"(
bodies:
  - {name: a, mass: 1, inertia: [0.25, 0.5, 0.25], position: [0, 0, 1], angular_velocity: [0, 1, 0],
     velocity: [1, 0, 0]}
joints:
  - {name: j, type: rolling, bodies: [world, a], radius: 1, disc_axis: [0, 1, 0]}
run: {integrator: runge_kutta4})"},
    Probe{"moved", "bodies whose motion is prescribed", R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5]}]
joints:
  - {name: j, type: weld, bodies: [world, a], motion: {axis: [0, 0, 1], turn: {rate: 1}}})"},
    Probe{"limit", "joints that strike their limits", R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5], position: [1, 0, 0]}]
joints:
  - {name: j, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 1, 0], speed: -1,
     limits: [-0.0001, 1], restitution: 0.5})"},
    Probe{"rotor", "rotors", R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5], angular_velocity: [0.1, 1, 0]}]
rotors: [{name: r, body: a, axis: [0, 0, 1], inertia: 0.1, spin: 20}])"},
    Probe{"tank", "mass that leaves or moves", R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5]}]
tanks: [{name: t, body: a, content: 1, at: [0, 0, 0.1]}]
dumps: [{name: d, tank: t, mass_flow: 0.1, at: [0, 0, 0.1]}]
run: {integrator: runge_kutta4})"},
    Probe{"break", "joints that let go", R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5], position: [1, 0, 0]}]
joints: [{name: j, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 1, 0]}]
events: [{name: e, at: 0.0005, release: j}]
run: {integrator: runge_kutta4})"},
    Probe{"touch", "surfaces that collide, rest and rub", R"(
gravity: [0, 0, -9.81]
bodies: [{name: a, ball: 0.5, mass: 1, position: [0, 0, 0.5]}]
surfaces: [{name: ground, half_space: true}]
contact: {}
run: {integrator: impulsive})"},
    Probe{"mixed", "surfaces and joints together", R"(
gravity: [0, 0, -9.81]
bodies:
  - {name: a, ball: 0.5, mass: 1, position: [0, 0, 0.5]}
  - {name: b, ball: 0.5, mass: 1, position: [2, 0, 0.5]}
joints: [{name: j, type: revolute, bodies: [a, b], at: [0, 0, 0.5], axis: [0, 1, 0]}]
surfaces: [{name: ground, half_space: true}]
contact: {}
run: {integrator: impulsive})"},
    Probe{"press", "surfaces that press like springs", R"(
gravity: [0, 0, -9.81]
bodies: [{name: a, ball: 0.5, mass: 1, position: [0, 0, 0.5]}]
surfaces: [{name: ground, half_space: true}]
contact: {response: penalty}
run: {integrator: runge_kutta4})"},
};

/// Why a scene does not run so; nothing if it does.
std::optional<std::string> why_not(const Scene& scene, Method method, Formulation formulation)
{
    RunSettings run = scene.run;
    run.step.method = method;
    run.step.formulation = formulation;
    if (method == Method::body_frame)
        run.step.form = FormKind::velocity; // it knows no other
    auto simulation = Simulation::start(scene.model, run);
    if (!simulation)
        return simulation.problems().list().front().what;
    return simulation->step();
}

constexpr std::array formulations{Formulation::maximal, Formulation::reduced};

int of_scene(const std::string& name, bool json)
{
    const auto scene = find_scene(name);
    if (!scene)
        return refuse(scene.problems(), json);
    auto list = ordered_json::array();
    for (const MethodFacts& facts : methods) {
        ordered_json runs;
        for (const Formulation formulation : formulations) {
            const auto why = why_not(*scene, facts.method, formulation);
            runs[std::string(name_of(formulation))] = why ? ordered_json(*why) : ordered_json(true);
            if (!json)
                say("{:<17} {:<8} {}\n", facts.name, name_of(formulation), why ? *why : "runs");
        }
        list.push_back({{"integrator", facts.name}, {"runs", runs}});
    }
    if (json)
        say("{}\n", list.dump(1, ' ', false, ordered_json::error_handler_t::replace));
    return done;
}

int of_all(bool json)
{
    auto list = ordered_json::array();
    std::string heading = fmt::format("{:<17}order", "");
    for (const Probe& probe : probes)
        heading += fmt::format("  {:<5}", probe.word);
    if (!json)
        say("{}\n", heading);
    for (const MethodFacts& facts : methods) {
        std::string line = fmt::format("{:<17}{:<5}", facts.name,
                                       facts.order ? std::to_string(facts.order) : "any");
        ordered_json takes;
        for (const Probe& probe : probes) {
            const auto scene = read_scene_text(probe.scene, probe.word);
            if (!scene)
                return refuse(scene.problems(), json);
            auto in = ordered_json::array();
            std::string letters;
            for (const Formulation formulation : formulations)
                if (!why_not(*scene, facts.method, formulation)) {
                    in.push_back(name_of(formulation));
                    letters += name_of(formulation)[0];
                }
            takes[probe.word] = in;
            line += fmt::format("  {:<5}", letters.empty() ? "-" : letters);
        }
        if (!json)
            say("{}\n", line);
        list.push_back({{"integrator", facts.name},
                        {"order", facts.order},
                        {"story", facts.story},
                        {"takes", takes}});
    }
    if (json) {
        say("{}\n", list.dump(1, ' ', false, ordered_json::error_handler_t::replace));
        return done;
    }
    say("\nm: in maximal coordinates, r: in reduced ones, -: in neither\n");
    for (const Probe& probe : probes)
        say("  {:<6} {}\n", probe.word, probe.tells);
    say("\n");
    for (const MethodFacts& facts : methods)
        say("  {:<17} {}\n", facts.name, facts.story);
    say("\nWhich of them run a scene, and why others do not: poinsot integrators SCENE\n");
    return done;
}

} // namespace

void add_integrators_command(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand(
        "integrators", "What each integrator takes, or which of them run a scene");
    command->footer("Examples: poinsot integrators\n          poinsot integrators leaking_bucket");
    static std::string scene;
    static bool json = false;
    command->add_option("SCENE", scene, "A scene, by its path or its name among the examples");
    command->add_flag("--json", json, "For machines");
    command->callback([&status, command] {
        const Problems empty = empty_options(*command);
        status = empty.any()     ? refuse(empty, json)
                 : scene.empty() ? of_all(json)
                                 : of_scene(scene, json);
    });
}

} // namespace poinsot
