// SPDX-License-Identifier: MIT
// poinsot linearise <scene or robot> [--at 2.5]: small motions, A, B and eigenvalues.
#include "cli/robot.hpp"
#include "cli/run.hpp"

#include "poinsot/io/number.hpp"
#include "poinsot/step/linearise.hpp"
#include "poinsot/step/simulate.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

struct LineariseArguments {
    std::string scene, at;
    RobotArguments robot; // options of robots alone
    bool json = false;
};

// Below this the accelerations of a start typed with a dozen digits are rounding.
constexpr double steady = 1e-9;

ordered_json rows_of(const std::vector<double>& numbers, std::size_t rows)
{
    ordered_json made = ordered_json::array();
    const std::size_t columns = rows > 0 ? numbers.size() / rows : 0;
    for (std::size_t r = 0; r < rows; ++r)
        made.push_back(
            std::vector<double>(numbers.begin() + static_cast<std::ptrdiff_t>(r * columns),
                                numbers.begin() + static_cast<std::ptrdiff_t>((r + 1) * columns)));
    return made;
}

/// The names of x: places, then speeds with a dash.
std::vector<std::string> names_of(const Linearisation& of)
{
    std::vector<std::string> names;
    for (const int i : of.places)
        names.push_back(of.freedoms[static_cast<std::size_t>(i)]);
    for (const int i : of.speeds)
        names.push_back(of.freedoms[static_cast<std::size_t>(i)] + "'");
    return names;
}

void say_json(const Scene& scene, double t, const Linearisation& of)
{
    ordered_json eigenvalues = ordered_json::array();
    for (const Eigenvalue& e : of.spectrum.eigenvalues)
        eigenvalues.push_back({{"re", e.re},
                               {"im", e.im},
                               {"frequency", e.frequency()},
                               {"damping_ratio", e.damping_ratio()},
                               {"error", e.error}});
    say("{}\n", ordered_json{{"scene", scene.file},
                             {"title", scene.title},
                             {"time", t},
                             {"steady", of.unsteadiness() < steady},
                             {"unsteadiness", of.unsteadiness()},
                             {"x", names_of(of)},
                             {"forces", of.freedoms},
                             {"place_equations", of.place_equations},
                             {"speed_equations", of.speed_equations},
                             {"A", rows_of(of.A, of.order())},
                             {"B", rows_of(of.B, of.order())},
                             {"error", of.error},
                             {"eigenvalues", eigenvalues},
                             {"zero_eigenvalues", of.spectrum.neutral}}
                    .dump(1, ' ', false, ordered_json::error_handler_t::replace));
}

/// A matrix with named rows and numbered columns, as many at a time as a line takes. Numbers below
/// the error are dots.
void say_matrix(const char* title, const std::vector<double>& numbers, double error,
                std::size_t columns, const std::vector<std::string>& names, std::size_t first_row)
{
    constexpr std::size_t in_line = 9;
    double largest = 0;
    for (const double a : numbers)
        largest = std::max(largest, std::abs(a));
    const auto shown = [&](double a) {
        return std::abs(a) <= 10 * error * largest ? std::string(".") : fmt::format("{:.5g}", a);
    };
    for (std::size_t from = 0; from < columns; from += in_line) {
        const std::size_t to = std::min(columns, from + in_line);
        std::string head = fmt::format("\n{:<26}", from == 0 ? title : "");
        for (std::size_t c = from; c < to; ++c)
            head += fmt::format("{:>12}", fmt::format("[{}]", c + 1));
        say("{}\n", head);
        for (std::size_t r = first_row; r < names.size(); ++r) {
            std::string line = fmt::format("  {:<24}", fmt::format("[{}] {}", r + 1, names[r]));
            for (std::size_t c = from; c < to; ++c)
                line += fmt::format("{:>12}", shown(numbers[r * columns + c]));
            say("{}\n", line);
        }
    }
}

void say_text(const Scene& scene, double t, const Linearisation& of)
{
    say("{}{}Small motions about t = {:.15g} s, ", scene.title, scene.title.empty() ? "" : ": ", t);
    if (of.unsteadiness() < steady)
        say("where the motion is steady\n");
    else
        say("where the motion is not steady: the numbers are those of this moment\n");
    say("{} freedoms in the tree of joints, {} equations between places and {} between speeds\n",
        of.freedoms.size(), of.place_equations, of.speed_equations);
    say("A is {} by {}, its estimated error {:.1e} of its size\n\n", of.order(), of.order(),
        of.error);

    const auto& all = of.spectrum.eigenvalues;
    if (!all.empty())
        say("  {:<40}{:>14}{:>16}{:>20}{:>12}\n", "eigenvalue  1/s", "frequency  Hz",
            "damping ratio", "halves or doubles", "error");
    for (std::size_t i = all.size(); i-- > 0;) { // those that grow come first
        const Eigenvalue& e = all[i];
        if (e.im < 0)
            continue;
        const std::string value = e.im == 0 ? fmt::format("{:>18.12g}", e.re)
                                            : fmt::format("{:>18.12g} ± {:.12g} i", e.re, e.im);
        const double half = std::log(2.0) / std::abs(e.re);
        say("  {:<40}{:>14}{:>16.6g}{:>20}{:>12.1e}\n", value,
            e.im == 0 ? std::string("-") : fmt::format("{:.6g}", e.frequency()), e.damping_ratio(),
            std::abs(e.re) <= e.error
                ? std::string("neither")
                : fmt::format("{} {:.4g} s", e.re < 0 ? "½ in" : "2 in", half),
            e.error);
    }
    if (of.spectrum.neutral > 0)
        say("  {} {} zero: nothing pulls such a motion back, nothing drives it on\n",
            of.spectrum.neutral, of.spectrum.neutral == 1 ? "is" : "are");

    const std::vector<std::string> names = names_of(of);
    say_matrix("A, rates of x by x", of.A, of.error, of.order(), names, 0);
    say_matrix("B, by forces along", of.B, 1e-15, of.freedoms.size(), names, of.places.size());
    std::string line = "  columns of B:";
    for (std::size_t c = 0; c < of.freedoms.size(); ++c) {
        const std::string word = fmt::format(" [{}] {}", c + 1, of.freedoms[c]);
        if (line.size() + word.size() > 130) {
            say("{}\n", line);
            line = "  ";
        }
        line += word;
    }
    say("{}\n", line);
}

int linearise_scene(const LineariseArguments& args)
{
    auto scene = find_scene_or_robot(args.scene, args.robot);
    if (!scene)
        return refuse(scene.problems(), args.json);
    Problems wrong;
    double at = 0;
    if (!args.at.empty()) {
        const ParsedNumber parsed = parse_number(args.at);
        if (!parsed.value)
            wrong.add("--at", "'", args.at, "' ", parsed.problem);
        else if (!(*parsed.value >= 0) || !std::isfinite(*parsed.value))
            wrong.add("--at", "must be a time of zero or more, is ", *parsed.value);
        else
            at = *parsed.value;
    }
    if (wrong.any())
        return refuse(wrong, args.json);

    RunSettings& run = scene->run;
    State state = start_of(*scene->model, run.step.form, run.step.formulation);
    double t = 0;
    if (at > 0) {
        run.until = std::max(at, run.step.h);
        run.ledger.detail = Postings::Detail::off;
        auto started = Simulation::start(scene->model, run);
        if (!started)
            return refuse(as_options(started.problems()), args.json);
        while (!started->done())
            if (const auto failure = started->step()) {
                wrong.add("--at", "the run does not get there: ", *failure);
                return refuse(wrong, args.json);
            }
        state = started->state();
        t = started->time();
    }
    const auto made = linearise(*scene->model, state, t);
    if (!made)
        return refuse(made.problems(), args.json);
    if (args.json)
        say_json(*scene, t, *made);
    else
        say_text(*scene, t, *made);
    return done;
}

} // namespace

void add_linearise_command(CLI::App& app, int& status)
{
    static LineariseArguments args;
    CLI::App* command = app.add_subcommand(
        "linearise", "Small motions about a motion: A, B, eigenvalues, frequency and damping");
    command->footer(
        "Examples: poinsot linearise bicycle\n"
        "          poinsot linearise scenes/double_pendulum.yaml --at 0.5 --json\n"
        "          poinsot linearise robot.urdf --start elbow=30deg\n"
        "x = (places, then speeds with a dash) obeys x' = A x + B f, f the forces along "
        "the freedoms.\nThe eigenvalues are those of the motion where it is steady.");
    command
        ->add_option("scene", args.scene,
                     "A scene file, the name of an example, or a robot (.urdf)")
        ->required();
    command->add_option("--at", args.at,
                        "Run the scene to this time first, s (the first whole step from there)");
    auto of_robots = add_robot_options(*command, args.robot);
    of_robots.push_back(add_start_option(*command, args.robot));
    command->add_flag("--json", args.json, "For machines: one JSON object, every digit");
    command->callback([&status, command, of_robots] {
        Problems wrong = empty_options(*command);
        if (!is_urdf(args.scene))
            wrong.add(given_without_robot(of_robots));
        status = wrong.any() ? refuse(wrong, args.json) : linearise_scene(args);
    });
}

} // namespace poinsot
