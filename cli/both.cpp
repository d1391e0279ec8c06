// SPDX-License-Identifier: MIT
// poinsot run <scene> --formulation both: maximal and reduced coordinates side by side.
#include "cli/run.hpp"

#include "poinsot/io/ledger_text.hpp"
#include "poinsot/step/both.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cmath>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

struct DifferenceLine {
    const char *name, *key, *unit;
    Difference Differences::*of;
};
constexpr std::array<DifferenceLine, 7> lines{{
    {"position", "position", "m", &Differences::position},
    {"attitude", "attitude", "rad", &Differences::attitude},
    {"velocity", "velocity", "m/s", &Differences::velocity},
    {"angular velocity", "angular_velocity", "rad/s", &Differences::angular_velocity},
    {"energy", "energy", "J", &Differences::energy},
    {"p", "p", "N s", &Differences::p},
    {"L about the origin", "L", "N m s", &Differences::L},
}};

ordered_json json_of(const Differences& differences, const Model& model)
{
    ordered_json made = ordered_json::object();
    for (const DifferenceLine& line : lines) {
        const Difference& d = differences.*line.of;
        made[line.key] = {{"largest", d.largest}, {"time", d.time}};
        if (d.body != Difference::whole)
            made[line.key]["body"] = model.bodies()[static_cast<std::size_t>(d.body)].name;
    }
    return made;
}

ordered_json json_of(const Simulation& sim, const Scene& scene)
{
    return {{"integrator", facts_of(sim.settings().step.method).name},
            {"state_hash", hex(hash_of(sim.state()))},
            {"ledger", ordered_json::parse(ledger_json(sim.ledger(), *scene.model, scene.about))},
            {"balanced", sim.ledger().balanced()},
            {"evaluations", sim.evaluations()}};
}

std::string table(const Differences& differences, const Model& model)
{
    std::string out = "Largest differences of the two\n";
    for (const DifferenceLine& line : lines) {
        const Difference& d = differences.*line.of;
        out += fmt::format("  {:<20}{:>12.5g} {:<6}", line.name, d.largest, line.unit);
        if (d.largest > 0)
            out += fmt::format(" at t = {:.6g} s", d.time);
        if (d.body != Difference::whole)
            out +=
                fmt::format(", body '{}'", model.bodies()[static_cast<std::size_t>(d.body)].name);
        out += "\n";
    }
    return out;
}

} // namespace

int run_both(const Scene& scene, bool json, bool quiet, const std::atomic<bool>& stop)
{
    auto started = SideBySide::start(scene.model, scene.run);
    if (!started)
        return refuse(as_options(started.problems()), json);
    SideBySide& both = *started;
    both.interrupt_by(&stop);
    const StepSettings& step = both.maximal().settings().step;
    const auto integrator = [](const Simulation& one) {
        return facts_of(one.settings().step.method).name;
    };
    const auto in_maximal = integrator(both.maximal()), in_reduced = integrator(both.reduced());
    const bool talk = !json && !quiet;
    if (talk)
        say("{}{}{} s in {} steps of {} s by {}, {} form, in maximal and in reduced coordinates\n",
            scene.title, scene.title.empty() ? "" : ": ", scene.run.until,
            both.maximal().steps_in_all(), step.h,
            in_maximal == in_reduced
                ? std::string(in_reduced)
                : fmt::format("{} (maximal) and {} (reduced)", in_maximal, in_reduced),
            name_of(step.form));
    std::fflush(stdout);

    const auto begin = std::chrono::steady_clock::now();
    std::optional<std::string> failure;
    bool stopped = false;
    while (!both.done() && !failure && !stopped) {
        stopped = stop;
        if (!stopped)
            failure = both.step();
        if (both.interrupted()) {
            failure.reset();
            stopped = true;
        }
    }
    both.close_books();
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const bool finished = !failure && !stopped;
    const double time = std::min(both.maximal().time(), both.reduced().time());
    if (json) {
        say("{}\n", ordered_json{{"scene", scene.file},
                                 {"title", scene.title},
                                 {"integrator", facts_of(scene.run.step.method).name},
                                 {"formulation", "both"},
                                 {"stabilisation", name_of(step.stabilisation)},
                                 {"state_form", name_of(step.form)},
                                 {"step", step.h},
                                 {"steps", both.reduced().state().step},
                                 {"time", time},
                                 {"differences", json_of(both.differences(), *scene.model)},
                                 {"maximal", json_of(both.maximal(), scene)},
                                 {"reduced", json_of(both.reduced(), scene)},
                                 {"balanced", finished && both.balanced()},
                                 {"verdict", !both.balanced() ? both.verdict()
                                             : finished       ? "the books balance"
                                                              : "the run did not finish"},
                                 {"ended", failure   ? "failed"
                                           : stopped ? "stopped"
                                                     : "done"},
                                 {"wall_seconds", wall}}
                        .dump(1, ' ', false, ordered_json::error_handler_t::replace));
    } else if (talk) {
        for (const Simulation* one : {&both.maximal(), &both.reduced()})
            say("\nIn {} coordinates\n{}State hash {}\n", name_of(one->settings().step.formulation),
                ledger_table(one->ledger(), *scene.model, scene.about, finished),
                hex(hash_of(one->state())));
        say("\n{}{:.3g} s of computing\n", table(both.differences(), *scene.model), wall);
    }
    if (failure)
        return complain(*failure);
    if (stopped) {
        complain(fmt::format("Stopped at t = {} s.", time));
        return interrupted;
    }
    if (!both.balanced())
        complain("The books do not balance " + both.verdict());
    return both.balanced() ? done : not_balanced;
}

} // namespace poinsot
