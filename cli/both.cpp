// SPDX-License-Identifier: MIT
// poinsot run <scene> --formulation both: maximal and reduced coordinates side by side.
#include "cli/run.hpp"

#include "cli/differences.hpp"
#include "cli/nameless.hpp"
#include "cli/page.hpp"
#include "cli/run_told.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/io/trajectory.hpp"
#include "poinsot/step/both.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const Simulation& sim, const Scene& scene)
{
    ordered_json json{
        {"integrator", facts_of(sim.settings().step.method).name},
        {"state_hash", hex(hash_of(sim.state()))},
        {"ledger", ordered_json::parse(ledger_json(sim.ledger(), *scene.model, scene.about))},
        {"balanced", balance_json(!sim.ledger().off(), sim.ledger().balanced())},
        {"evaluations", sim.evaluations()}};
    add_told(json, sim);
    return json;
}

/// Of one of the two, frame by frame, for the page.
struct Recorded {
    Scene scene; // as this one runs
    NamelessTrajectory file;
    std::unique_ptr<TrajectoryWriter> out;

    Recorded(const Scene& given, const Simulation& run) : scene(given)
    {
        scene.run = run.settings();
    }

    Problems open(const Simulation& run, const std::string& beside)
    {
        Problems found;
        if (const std::string problem = file.make_beside(beside); !problem.empty()) {
            found.add("--report", problem);
            return found;
        }
        auto opened = TrajectoryWriter::open(file.path(), scene, run);
        if (!opened)
            return opened.problems();
        out = std::move(*opened);
        if (const std::string problem = file.take_name(); !problem.empty())
            found.add("--report", problem);
        return found;
    }
};

/// Both runs while they are made, and their page when they are over.
class BothOnPage {
  public:
    BothOnPage(const Scene& scene, const SideBySide& both)
        : both_(both), maximal_(scene, both.maximal()), reduced_(scene, both.reduced())
    {
    }
    Problems open(const std::string& page)
    {
        Problems found;
        if (const auto problem = SafeFile(page).problem()) {
            found.add("--report", *problem);
            return found;
        }
        found = maximal_.open(both_.maximal(), page);
        if (!found.any())
            found = reduced_.open(both_.reduced(), page);
        return found;
    }
    std::optional<std::string> frame()
    {
        framed_ = both_.maximal().state().step;
        if (auto problem = maximal_.out->write(both_.maximal()))
            return problem;
        return reduced_.out->write(both_.reduced());
    }
    std::optional<std::string> finish(std::string_view ended)
    {
        const std::int64_t step = both_.maximal().state().step;
        if (framed_ != step && both_.reduced().state().step == step)
            if (auto problem = frame())
                return problem;
        for (auto [one, sim] :
             {std::pair(&maximal_, &both_.maximal()), std::pair(&reduced_, &both_.reduced())}) {
            if (auto problem = one->out->finish(*sim, ended))
                return problem;
            one->out.reset();
        }
        return std::nullopt;
    }
    Result<ReportMade> page(const std::string& to, bool show_progress, double wall) const
    {
        const PageStop stop;
        const auto maximal = TrajectoryReader::open(maximal_.file.path());
        stop.go_on();
        if (!maximal)
            return maximal.problems();
        const auto reduced = TrajectoryReader::open(reduced_.file.path());
        stop.go_on();
        if (!reduced)
            return reduced.problems();
        const auto compared = compare_runs(*maximal, *reduced);
        if (!compared)
            return compared.problems();
        std::vector<ReportFact> facts = facts_of(*compared, "the same in reduced coordinates");
        // The two were made in turn, step by step: what each took is not known.
        facts.push_back({"cost", fmt::format("{:.3g} s by the clock for both, {} steps each", wall,
                                             both_.maximal().state().step)});
        return write_page(*maximal, to, show_progress, std::move(facts), &stop, &*reduced,
                          &*compared);
    }

  private:
    const SideBySide& both_;
    Recorded maximal_, reduced_;
    std::int64_t framed_ = -1;
};

} // namespace

int run_both(const Scene& scene, const std::string& report, bool json, bool quiet,
             const std::atomic<bool>& stop)
{
    auto started = SideBySide::start(scene.model, scene.run);
    if (!started)
        return refuse(as_options(started.problems()), json);
    SideBySide& both = *started;
    both.interrupt_by(&stop);
    std::vector<std::string> names;
    for (const Body& body : scene.model->bodies())
        names.push_back(body.name);
    std::optional<BothOnPage> recorded;
    if (!report.empty()) {
        recorded.emplace(scene, both);
        if (const Problems wrong = recorded->open(report); wrong.any())
            return refuse(wrong, json);
    }
    const StepSettings& step = both.maximal().settings().step;
    const auto integrator = [](const Simulation& one) {
        return facts_of(one.settings().step.method).name;
    };
    const auto in_maximal = integrator(both.maximal()), in_reduced = integrator(both.reduced());
    const bool talk = !json && !quiet;
    if (talk) {
        say("{}{}{} s in {} steps of {} s by {}, {} form, in maximal and in reduced coordinates\n",
            scene.title, scene.title.empty() ? "" : ": ", scene.run.until,
            both.maximal().steps_in_all(), step.h,
            in_maximal == in_reduced
                ? std::string(in_reduced)
                : fmt::format("{} (maximal) and {} (reduced)", in_maximal, in_reduced),
            name_of(step.form));
        tell_before(scene);
    }
    std::fflush(stdout);

    const auto begin = std::chrono::steady_clock::now();
    std::optional<std::string> failure, file;
    bool stopped = false;
    if (recorded)
        file = recorded->frame();
    while (!both.done() && !failure && !stopped && !file) {
        stopped = stop;
        if (!stopped)
            failure = both.step();
        if (both.interrupted()) {
            failure.reset();
            stopped = true;
        }
        if (recorded && !failure && !stopped &&
            both.maximal().state().step % scene.output_every == 0)
            file = recorded->frame();
    }
    both.close_books();
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::optional<Result<ReportMade>> page;
    if (recorded && !file)
        file = recorded->finish(failure ? "failed" : stopped ? "stopped" : "done");
    if (recorded && !file)
        page = or_stopped([&] { return recorded->page(report, talk, wall); });
    const bool finished = !failure && !stopped && !file;
    const double time = std::min(both.maximal().time(), both.reduced().time());
    if (json) {
        ordered_json all{{"scene", scene.file},
                         {"title", scene.title},
                         {"integrator", facts_of(scene.run.step.method).name},
                         {"formulation", "both"},
                         {"stabilisation", name_of(step.stabilisation)},
                         {"state_form", name_of(step.form)},
                         {"step", step.h},
                         {"steps", both.reduced().state().step},
                         {"time", time},
                         {"differences", json_of(both.differences(), names)},
                         {"maximal", json_of(both.maximal(), scene)},
                         {"reduced", json_of(both.reduced(), scene)},
                         {"balanced", balance_json(!both.off(), finished && both.balanced())},
                         {"verdict", !both.balanced() ? both.verdict()
                                     : finished       ? "the books balance"
                                                      : "the run did not finish"},
                         {"ended", failure   ? "failed"
                                   : stopped ? "stopped"
                                             : "done"},
                         {"wall_seconds", wall}};
        if (page && *page)
            all["report"] = {{"page", report}, {"bytes", (*page)->bytes}};
        say("{}\n", all.dump(1, ' ', false, ordered_json::error_handler_t::replace));
    } else if (talk) {
        for (const Simulation* one : {&both.maximal(), &both.reduced()}) {
            say("\nIn {} coordinates\n", name_of(one->settings().step.formulation));
            tell_books(scene, *one, finished);
        }
        say("\n{}{:.3g} s of computing\n", table(both.differences(), names), wall);
    } else
        for (const Simulation* one : {&both.maximal(), &both.reduced()})
            for (const std::string& warning : warnings_of(*one))
                complain(fmt::format("WARNING, in {} coordinates: {}",
                                     name_of(one->settings().step.formulation), warning));
    if (file)
        return complain(*file);
    if (page && !*page)
        complain(page->problems());
    else if (page && talk)
        tell_page(report, **page);
    if (failure)
        return complain(*failure);
    if (stopped) {
        complain(fmt::format("Stopped at t = {} s.", moment(time)));
        return interrupted;
    }
    if (page && !*page)
        return page_is_stopped() ? interrupted : wrong_input;
    if (both.off() || both.balanced())
        return done;
    complain("The books do not balance " + both.verdict());
    return not_balanced;
}

} // namespace poinsot
