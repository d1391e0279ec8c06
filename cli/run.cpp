// SPDX-License-Identifier: MIT
// poinsot run <scene> [--until 10] [--step 0.001] [--out run.h5]
#include "cli/run.hpp"

#include "cli/nameless.hpp"
#include "cli/page.hpp"
#include "cli/run_settings.hpp"
#include "cli/run_told.hpp"
#include "poinsot/io/checkpoint.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/io/trajectory.hpp"
#include "poinsot/io/yaml_tree.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <unistd.h>

namespace poinsot {

namespace {

using Clock = std::chrono::steady_clock;

/// What this process has used so far, of all processors together.
double processor_seconds()
{
    timespec used{};
    return ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0
               ? static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec)
               : 0;
}

// ---- stopping -----------------------------------------------------------------------------------

volatile std::sig_atomic_t stop_signal = 0;
std::atomic<bool> stop_asked = false; // the same, for a step that is under way
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

/// The first Ctrl-C ends the run in order, the second ends the program.
void listen_for_stop()
{
    struct sigaction act = {};
    act.sa_handler = [](int signal) {
        stop_signal = signal;
        stop_asked = true;
    };
    act.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &act, nullptr);
    ::sigaction(SIGTERM, &act, nullptr);
    // A full disk or a closed pipe comes back as an error of the write, with a message.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

// ---- progress -----------------------------------------------------------------------------------

std::string duration(double seconds)
{
    if (!(seconds < 360000))
        return "days";
    const auto s = static_cast<long>(seconds + 0.5);
    if (s < 100)
        return fmt::format("{} s", s);
    return s < 6000 ? fmt::format("{}:{:02} min", s / 60, s % 60)
                    : fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

/// One line on a terminal, rewritten a few times a second.
class Progress {
  public:
    Progress(bool shown, const Simulation& run)
        : shown_(shown), first_(run.state().step), begin_(Clock::now()), last_(begin_)
    {
    }
    void tell(const Simulation& run, Clock::time_point now, bool last = false)
    {
        if (!shown_ || (!last && now - last_ < std::chrono::milliseconds(100)))
            return;
        last_ = now;
        const double wall = std::chrono::duration<double>(now - begin_).count();
        const double steps = static_cast<double>(run.state().step - first_) / std::max(wall, 1e-9);
        const auto left = static_cast<double>(run.steps_in_all() - run.state().step);
        put(stderr,
            fmt::format("\r\x1b[Kt = {:.6g} of {:.6g} s   {:.3g} times real time   {:.3g} steps/s"
                        "   {} left   {}",
                        run.time(), run.settings().until, steps * run.settings().step.h, steps,
                        duration(steps > 0 ? left / steps : 1e9), residual_so_far(run.ledger())));
        std::fflush(stderr);
        written_ = true;
    }
    void end()
    {
        if (written_)
            put(stderr, "\n");
    }

  private:
    bool shown_, written_ = false;
    std::int64_t first_;
    Clock::time_point begin_, last_;
};

// ---- the run ------------------------------------------------------------------------------------

/// Steps until the end, a frame every so often, a checkpoint every so often.
Outcome advance(Simulation& run, const Scene& scene, TrajectoryWriter* out,
                const std::filesystem::path& checkpoint, std::int64_t checkpoint_every,
                Progress& progress)
{
    Outcome end;
    const auto frame = [&] {
        if (out && !end.file)
            end.file = out->write(run);
    };
    const auto save = [&] {
        const auto problem = write_checkpoint(checkpoint, scene, run.checkpoint());
        if (!problem)
            end.kept = run.time();
        else if (!end.file)
            end.file = problem;
    };
    // The trajectory goes first: a run that goes on from there is to leave no gap.
    const auto keep = [&] {
        if (out)
            end.file = out->flush();
        if (!end.file)
            save();
    };
    auto saved = Clock::now();
    std::int64_t framed = run.state().step;
    frame();
    while (!run.done() && !end.file && !end.failure) {
        if (stop_signal != 0) {
            end.stopped = true;
            break;
        }
        end.failure = run.step();
        if (run.interrupted()) {
            end.failure.reset();
            end.stopped = true;
        }
        if (end.failure || end.stopped)
            break;
        const std::int64_t step = run.state().step;
        if (out && step % scene.output_every == 0) {
            frame();
            framed = step;
        }
        if (checkpoint_every > 0 && step % checkpoint_every == 0 && !end.file)
            keep();
        if (step % 32 == 0 || checkpoint_every == 0) {
            const auto now = Clock::now();
            progress.tell(run, now);
            // Without a number of steps: often enough to lose no more than half a minute.
            if (!checkpoint.empty() && checkpoint_every == 0 &&
                now - saved > std::chrono::seconds(30) && !end.file) {
                saved = now;
                keep();
            }
        }
    }
    // Before the books are closed: an unbroken run would not have closed them here. Where the
    // trajectory could not be written, a checkpoint from before, whose frames are all in it, stays.
    if (!checkpoint.empty() && !(end.file && end.kept))
        save();
    run.close_books();
    progress.tell(run, Clock::now(), true);
    progress.end();
    if (framed != run.state().step)
        frame();
    return end;
}

/// Whether checkpoints can be written there, found before anything is computed.
std::optional<std::string> try_place(const std::filesystem::path& checkpoint, const Scene& scene,
                                     const Simulation& run)
{
    std::error_code error;
    if (checkpoint.empty())
        return std::nullopt;
    const auto kind = std::filesystem::status(checkpoint, error).type();
    if (kind == std::filesystem::file_type::character) // opens even if it takes nothing
        return write_checkpoint(checkpoint, scene, run.checkpoint());
    if (kind == std::filesystem::file_type::fifo)
        return std::nullopt; // opening it may wait for its reader
    return SafeFile(checkpoint).problem();
}

/// Where a run ends: steps are whole, so it may be beyond the time that was asked for.
std::string end_of(const Simulation& run)
{
    const double until = run.settings().until;
    const double end = static_cast<double>(run.steps_in_all()) * run.settings().step.h;
    if (std::abs(end - until) <= 1e-9 * until)
        return fmt::format("{} s", until);
    return fmt::format("{:.12g} s (the first whole step after {} s)", end, until);
}

/// A run at its start, or where a checkpoint left it.
Result<Simulation> started(const RunArguments& args, const Scene& scene, Problems wrong)
{
    auto sim = Simulation::start(scene.model, scene.run);
    if (!sim)
        wrong.add(as_options(sim.problems()));
    wrong.add(overwritten(args, scene));
    if (wrong.any())
        return wrong;
    if (args.resume.empty())
        return sim;
    auto from = read_checkpoint(args.resume, scene);
    if (!from)
        return from.problems();
    sim->resume(std::move(*from));
    if (sim->state().step > sim->steps_in_all()) {
        wrong.add("--until", "is ", sim->settings().until, " s, but ", args.resume, " is at ",
                  sim->time(), " s already; give a later time");
        return wrong;
    }
    return sim;
}

/// What a run writes while it goes. A page is made from a trajectory: the one that was asked for,
/// or one without a name that lasts as long as the run.
struct Outputs {
    NamelessTrajectory own;
    std::filesystem::path trajectory;
    std::unique_ptr<TrajectoryWriter> writer;
};
Problems open_outputs(const RunArguments& args, const Scene& scene, const Simulation& sim,
                      Outputs& out)
{
    Problems wrong;
    const auto not_there = [&](const char* option, const std::string& problem) {
        if (!problem.empty())
            wrong.add(option, problem);
        return !problem.empty();
    };
    if (not_there("--checkpoint", try_place(args.checkpoint, scene, sim).value_or("")))
        return wrong;
    const bool page = !args.report.empty(), nameless = page && args.out.empty();
    if (page && not_there("--report", SafeFile(args.report).problem().value_or("")))
        return wrong;
    if (nameless && not_there("--report", out.own.make_beside(args.report)))
        return wrong;
    out.trajectory = nameless ? out.own.path() : std::filesystem::path(args.out);
    if (out.trajectory.empty())
        return wrong;
    auto opened = TrajectoryWriter::open(out.trajectory, scene, sim, {args.record_forces()});
    if (!opened)
        return opened.problems();
    out.writer = std::move(*opened);
    if (nameless) {
        not_there("--report", out.own.take_name());
        out.trajectory = out.own.path();
    }
    return wrong;
}

/// What is about to be done, and what is worth knowing before.
void announce(const Scene& scene, const Simulation& sim)
{
    say("{}{}{} in {} steps of {} s by {}, {} form, {} coordinates\n", scene.title,
        scene.title.empty() ? "" : ": ", end_of(sim), sim.steps_in_all() - sim.state().step,
        sim.settings().step.h, facts_of(sim.settings().step.method).name,
        name_of(sim.settings().step.form), name_of(sim.settings().step.formulation));
    tell_before(scene);
    std::fflush(stdout);
}

/// What the steps have cost since it was made.
class Meter {
  public:
    explicit Meter(const Simulation& sim) : sim_(sim) {}
    RunCost read() const
    {
        return {processor_seconds() - processor_,
                std::chrono::duration<double>(Clock::now() - begin_).count(),
                sim_.state().step - first_};
    }

  private:
    const Simulation& sim_;
    std::int64_t first_ = sim_.state().step;
    Clock::time_point begin_ = Clock::now();
    double processor_ = processor_seconds();
};

/// The last good state is kept whatever happened, beside the output if no place was named. Where.
std::string keep_last_good(const RunArguments& args, const Scene& scene, const Simulation& sim)
{
    if (!args.checkpoint.empty())
        return args.checkpoint;
    const std::string kept = !args.out.empty() ? args.out + ".checkpoint"
                                               : std::filesystem::path(scene.file).stem().string() +
                                                     ".last_good.checkpoint";
    if (const auto problem = write_checkpoint(kept, scene, sim.checkpoint())) {
        complain(*problem);
        return {};
    }
    return kept;
}

/// The last lines of a trajectory: how it ended, and what it cost.
std::optional<std::string> finish(TrajectoryWriter& out, const Simulation& sim, const Outcome& end,
                                  const RunCost& cost)
{
    std::optional<std::string> problem;
    if (end.failure)
        problem = out.event(sim, "failure", *end.failure);
    else if (end.stopped)
        problem = out.event(sim, "stopped", "by signal " + std::to_string(stop_signal));
    if (problem)
        return problem;
    return out.finish(sim, end.failure ? "failed" : end.stopped ? "stopped" : "done", cost);
}

using Page = std::optional<Result<ReportMade>>;

void tell_as_json(const RunArguments& args, const Scene& scene, const Simulation& sim,
                  const Outcome& end, double wall, const Page& page)
{
    nlohmann::ordered_json json = run_as_json(scene, sim, end, wall);
    if (!args.out.empty())
        json["out"] = args.out;
    if (page && *page)
        json["report"] = {{"page", args.report},
                          {"bytes", (*page)->bytes},
                          {"position_error", (*page)->position_error},
                          {"angle_error", (*page)->angle_error}};
    say("{}\n", json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

/// How a run that was stopped can go on.
int tell_stopped(const RunArguments& args, const Simulation& sim)
{
    complain(fmt::format(
        "Stopped at t = {} s, step {}.{}{}", moment(sim.time()), sim.state().step,
        args.out.empty() ? "" : fmt::format(" The motion so far is in {}.", args.out),
        args.checkpoint.empty() ? "" : fmt::format(" Go on with --resume {}.", args.checkpoint)));
    return interrupted;
}

int run(const RunArguments& args)
{
    auto scene = find_scene_or_robot(args.scene, args.robot);
    if (!scene)
        return refuse(scene.problems(), args.json);
    if (scene->without_air.any() && args.resume.empty())
        return refuse(scene->without_air, args.json);
    std::int64_t checkpoint_every = 0;
    Problems wrong = apply(args, *scene, checkpoint_every);
    if (args.both()) {
        wrong.add(overwritten(args, *scene));
        if (wrong.any())
            return refuse(wrong, args.json);
        listen_for_stop();
        return run_both(*scene, args.report, args.json, args.quiet, stop_asked);
    }
    auto start = started(args, *scene, std::move(wrong));
    if (!start)
        return refuse(start.problems(), args.json);
    Simulation& sim = *start;
    listen_for_stop();
    sim.interrupt_by(&stop_asked);
    Outputs out;
    if (const Problems unwritable = open_outputs(args, *scene, sim, out); unwritable.any())
        return refuse(unwritable, args.json);

    const bool talk = !args.quiet && !args.json;
    if (talk)
        announce(*scene, sim);
    const Meter meter(sim);
    Progress progress(talk && ::isatty(STDERR_FILENO), sim);
    Outcome end =
        advance(sim, *scene, out.writer.get(), args.checkpoint, checkpoint_every, progress);
    const std::string kept = end.failure ? keep_last_good(args, *scene, sim) : std::string();
    const RunCost cost = meter.read();
    if (out.writer && !end.file)
        end.file = finish(*out.writer, sim, end, cost);
    Page page;
    if (!args.report.empty() && !end.file) {
        out.writer.reset();
        page = or_stopped(
            [&] { return write_page(out.trajectory, args.report, talk, {}, PageStop()); });
    }

    if (args.json)
        tell_as_json(args, *scene, sim, end, cost.wall_seconds, page);
    else if (talk)
        tell_run(*scene, sim, end, cost.wall_seconds, cost.steps);
    else
        for (const std::string& warning : warnings_of(sim))
            complain("WARNING: " + warning);
    if (end.file)
        return complain(*end.file +
                        (end.kept ? fmt::format("\nThe state at t = {} s is in {}; go on "
                                                "with --resume {}",
                                                moment(*end.kept), args.checkpoint, args.checkpoint)
                                  : ""));
    if (page && !*page)
        complain(page->problems());
    else if (page && talk)
        tell_page(args.report, **page);
    if (end.failure)
        return complain(*end.failure + (kept.empty() ? "" : "\nThe last good state is in " + kept) +
                        (args.out.empty() ? "" : "\nThe motion up to it is in " + args.out));
    if (end.stopped)
        return tell_stopped(args, sim);
    if (talk && !args.out.empty())
        say("The motion is in {}\n", args.out);
    if (page && !*page)
        return page_is_stopped() ? interrupted : wrong_input;
    return sim.ledger().unbalanced() ? not_balanced : done;
}

} // namespace

void add_run_command(CLI::App& app, int& status)
{
    static RunArguments args;
    CLI::App* command = app.add_subcommand("run", "Simulate a scene and close its books");
    command->footer(
        "Example: poinsot run dzhanibekov --out nut.h5\n"
        "         poinsot run double_pendulum --report pendulum.html\n"
        "         poinsot run double_pendulum --formulation both --report both.html\n"
        "         poinsot run scene.yaml --integrator runge_kutta4 --step 0.01 --energy-tolerance "
        "1e-6\n"
        "         poinsot run robot.urdf --start elbow=30deg --until 2\n"
        "Exit status: 0 done, 1 wrong input, 2 the books do not balance, 130 stopped by Ctrl-C.");
    command
        ->add_option("scene", args.scene,
                     "A scene file, the name of an example, or a robot (.urdf)")
        ->required();
    command->add_option("--until", args.until, "Simulate to this time, s");
    command->add_option("--step", args.step, "Length of a step, s");
    std::vector<std::string_view> names;
    for (const MethodFacts& method : methods)
        names.push_back(method.name);
    command->add_option("--integrator", args.integrator, fmt::format("{}", fmt::join(names, ", ")));
    command->add_option("--state-form", args.state_form, "momentum, velocity or matrix");
    command->add_option("--formulation", args.formulation,
                        "maximal, reduced, or both: side by side, with the largest differences");
    command->add_option("--stabilisation", args.stabilisation,
                        "What keeps joints together: none, baumgarte or projection");
    command->add_option("--out", args.out, "Write the motion to FILE.h5 or FILE.csv");
    command->add_option("--report", args.report, "Write the run as one page to look at, FILE.html");
    command->add_option("--every", args.every, "Steps to a frame of it");
    command->add_option("--forces", args.forces,
                        "Record what acts on bodies and what joints carry, on or off (default: on "
                        "up to 200 bodies; where bodies touch is recorded unless off)");
    command->add_option("--ledger", args.ledger, "off, totals or bodies");
    command->add_option("--ledger-every", args.ledger_every, "Steps to a closing of the books");
    command->add_option("--energy-tolerance", args.energy_tolerance,
                        "Energy lost or made, relative, beyond which the books do not balance");
    command->add_option("--checkpoint", args.checkpoint,
                        "Keep a checkpoint in this file: every 30 s of computing and at the end");
    command->add_option("--checkpoint-every", args.checkpoint_every,
                        "... every so many steps instead");
    command->add_option("--resume", args.resume, "Go on from a checkpoint of the same scene");
    auto of_robots = add_robot_options(*command, args.robot);
    of_robots.push_back(add_start_option(*command, args.robot));
    command->add_flag("--json", args.json, "One JSON object instead of text");
    command->add_flag("--quiet", args.quiet, "Say only what is wrong");
    command->callback([&status, command, of_robots] {
        Problems wrong = empty_options(*command);
        if (!is_urdf(args.scene))
            wrong.add(given_without_robot(of_robots));
        status = wrong.any() ? refuse(wrong, args.json) : run(args);
    });
}

} // namespace poinsot
