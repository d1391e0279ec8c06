// SPDX-License-Identifier: MIT
// poinsot trim <scene> [--speed 50]: attitude and controls of steady flight.
#include "cli/commands.hpp"

#include "poinsot/io/number.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/step/trim.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

struct TrimArguments {
    std::string scene, body, speed, climb, turn, altitude, out;
    std::vector<std::string> keep;
    bool json = false;
};

std::optional<double> trim_number(Problems& wrong, const char* option, const std::string& text,
                                  bool angle)
{
    if (text.empty())
        return std::nullopt;
    const ParsedNumber parsed = angle ? parse_angle(text) : parse_number(text);
    if (!parsed.value)
        wrong.add(option, "'", text, "' ", parsed.problem);
    else if (!std::isfinite(*parsed.value))
        wrong.add(option, "must be finite, is ", *parsed.value);
    return parsed.value;
}

template <class Thing>
int index_by_name(Problems& wrong, const char* option, const char* kind,
                  const std::vector<Thing>& things, const std::string& name)
{
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (things[i].name == name)
            return static_cast<int>(i);
        known.push_back(things[i].name);
    }
    const std::string near = nearest_word(name, known);
    wrong.add(option, "there is no ", kind, " '", name, "'",
              near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    return -1;
}

TrimRequest request_of(const TrimArguments& args, const Model& model, Problems& wrong)
{
    TrimRequest request;
    if (!args.body.empty())
        request.body = index_by_name(wrong, "--body", "body", model.bodies(), args.body);
    request.speed = trim_number(wrong, "--speed", args.speed, false);
    request.altitude = trim_number(wrong, "--altitude", args.altitude, false);
    if (args.climb == "free")
        request.climb_angle.reset();
    else
        request.climb_angle = trim_number(wrong, "--climb-angle", args.climb, true).value_or(0);
    request.turn_rate = trim_number(wrong, "--turn-rate", args.turn, true).value_or(0);
    for (const std::string& name : args.keep)
        request.kept.push_back(index_by_name(wrong, "--keep", "control", model.controls(), name));
    return request;
}

double degrees(double angle)
{
    return angle * 360 / two_pi;
}

void say_trim_json(const Scene& scene, const Trim& made)
{
    const Model& model = *scene.model;
    ordered_json controls = ordered_json::object(), saturated = ordered_json::array();
    for (std::size_t i = 0; i < made.controls.size(); ++i) {
        controls[model.controls()[i].name] = made.controls[i];
        if (made.saturated[i])
            saturated.push_back(model.controls()[i].name);
    }
    say("{}\n", ordered_json{{"scene", scene.file},
                             {"title", scene.title},
                             {"found", made.found},
                             {"why", made.why},
                             {"body", model.bodies()[static_cast<std::size_t>(made.body)].name},
                             {"speed", made.speed},
                             {"altitude", made.altitude},
                             {"climb_angle", made.climb_angle},
                             {"turn_rate", made.turn_rate},
                             {"alpha", made.alpha},
                             {"beta", made.beta},
                             {"pitch", made.pitch},
                             {"bank", made.bank},
                             {"thrust", made.thrust},
                             {"controls", controls},
                             {"saturated", saturated},
                             {"residual", made.residual},
                             {"residual_of", made.residual_of},
                             {"tolerance", made.tolerance},
                             {"iterations", made.iterations}}
                    .dump(1, ' ', false, ordered_json::error_handler_t::replace));
}

void say_trim_text(const Scene& scene, const Trim& made)
{
    const Model& model = *scene.model;
    const auto both = [](double angle) {
        return fmt::format("{:.9g} rad ({:.4f} deg)", angle, degrees(angle));
    };
    say("{}{}steady flight of body '{}' at {:.9g} m/s against the air, {:.9g} m high\n",
        scene.title, scene.title.empty() ? "" : ": ",
        model.bodies()[static_cast<std::size_t>(made.body)].name, made.speed, made.altitude);
    say("  {:<18}{}\n", "climb angle", both(made.climb_angle));
    say("  {:<18}{}/s\n", "turn rate", both(made.turn_rate));
    say("  {:<18}{}\n", "angle of attack", both(made.alpha));
    say("  {:<18}{}\n", "sideslip", both(made.beta));
    say("  {:<18}{}\n", "pitch", both(made.pitch));
    say("  {:<18}{}\n", "bank", both(made.bank));
    say("  {:<18}{:.9g} N\n", "thrust", made.thrust);
    for (std::size_t i = 0; i < made.controls.size(); ++i) {
        const Control& c = model.controls()[i];
        const auto bound = [](double limit) {
            return std::isfinite(limit) ? fmt::format("{:.6g}", limit) : std::string("none");
        };
        say("  {:<18}{:.9g}, limits {} to {}{}\n", c.name, made.controls[i], bound(c.lower),
            bound(c.upper), made.saturated[i] ? ": saturated" : "");
    }
    say("what is left of accelerations: {:.2e} m/s² or rad/s², of {}; rounding is {:.2e}; {} "
        "iterations\n",
        made.residual, made.residual_of, made.tolerance, made.iterations);
}

int trim_scene(const TrimArguments& args)
{
    auto scene = find_scene(args.scene);
    if (!scene)
        return refuse(scene.problems(), args.json);
    Problems wrong;
    const TrimRequest request = request_of(args, *scene->model, wrong);
    if (wrong.any())
        return refuse(wrong, args.json);
    const auto made = trim(*scene->model, request);
    if (!made)
        return refuse(made.problems(), args.json);
    if (!made->found && !args.json) {
        wrong.add(scene->file, "no trim: ", made->why);
        return complain(wrong);
    }
    if (made->found && !args.out.empty()) {
        const auto description = trimmed(scene->description, *made);
        if (!description)
            return refuse(description.problems(), args.json);
        Scene begins = *scene;
        begins.description = *description;
        SafeFile file(args.out);
        file.write(write_scene(begins));
        file.finish();
        if (file.problem())
            return refuse(file.problems(), args.json);
    }
    if (args.json)
        say_trim_json(*scene, *made);
    else
        say_trim_text(*scene, *made);
    return made->found ? done : wrong_input;
}

} // namespace

void add_trim_command(CLI::App& app, int& status)
{
    static TrimArguments args;
    CLI::App* command =
        app.add_subcommand("trim", "Steady flight: the attitude and the controls that keep it");
    command->footer(
        "Examples: poinsot trim small_aircraft --speed 50\n"
        "          poinsot trim small_aircraft --speed 45 --turn-rate \"6 deg\" -o turning.yaml\n"
        "          poinsot trim glider.yaml --climb-angle free\n"
        "The controls of the scene are found, those under --keep stay as scheduled. Exit status 1 "
        "says that there is no such flight, and which control saturates.");
    command->add_option("scene", args.scene, "A scene file, or the name of an example")->required();
    command->add_option("--body", args.body,
                        "Whose speed and attitude are meant (the heaviest that the air acts on)");
    command->add_option("--speed", args.speed, "Against the air, m/s (as at the start)");
    command->add_option("--climb-angle", args.climb,
                        "Radians or \"3 deg\"; free: it is found too (0)");
    command->add_option("--turn-rate", args.turn,
                        "About the vertical, rad/s or \"6 deg\"; positive is to the left (0)");
    command->add_option("--altitude", args.altitude, "m (as at the start)");
    command->add_option("--keep", args.keep, "A control that stays as scheduled; several times");
    command->add_option("-o,--out", args.out, "Write the scene with everything trimmed at t = 0");
    command->add_flag("--json", args.json, "For machines: one JSON object, every digit");
    command->callback([&status, command] {
        const Problems empty = empty_options(*command);
        status = empty.any() ? refuse(empty, args.json) : trim_scene(args);
    });
}

} // namespace poinsot
