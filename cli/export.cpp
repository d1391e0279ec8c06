// SPDX-License-Identifier: MIT
// poinsot export run.h5 run.glb | --csv out.csv --signals a,b,c | --list
#include "cli/page.hpp"
#include "poinsot/io/gltf.hpp"
#include "poinsot/io/signals.hpp"
#include "poinsot/io/yaml_tree.hpp"

#include <nlohmann/json.hpp>

namespace poinsot {

namespace {

struct ExportArguments {
    std::string run, out, csv;
    std::vector<std::string> signals;
    bool list = false, json = false, quiet = false;
};

Problems wrong_arguments(const ExportArguments& args)
{
    Problems wrong;
    if (args.out.empty() && args.csv.empty() && !args.list)
        wrong.add("export", "what shall be made of it? Name FILE.glb, or --csv FILE.csv with "
                            "--signals, or --list");
    if (!args.out.empty() && std::filesystem::path(args.out).extension() != ".glb")
        wrong.add("output", "'", args.out, "': motion is written as binary glTF; name it FILE.glb");
    if (!args.csv.empty() && args.signals.empty())
        wrong.add("--csv", "needs --signals NAME,NAME,...; --list lists them");
    if (args.csv.empty() && !args.signals.empty())
        wrong.add("--signals", "needs --csv FILE.csv to write to");
    for (const auto& [option, file] : {std::pair("output", &args.out), {"--csv", &args.csv}})
        for (const std::string& written : {*file, *file + ".part"})
            if (!file->empty() && same_file(written, args.run))
                wrong.add(option, "would overwrite the trajectory, '", args.run,
                          "'; name another file");
    if (!args.out.empty() && !args.csv.empty() && same_file(args.out, args.csv))
        wrong.add("--csv", "is the same file as '", args.out, "'; name another");
    return wrong;
}

int export_run(const ExportArguments& args)
{
    Problems wrong = wrong_arguments(args);
    if (wrong.any())
        return refuse(wrong, args.json);
    const PageStop stop;
    const auto run = TrajectoryReader::open(args.run);
    stop.go_on();
    if (!run)
        return refuse(run.problems(), args.json);
    nlohmann::ordered_json json{{"run", args.run}};
    const bool talk = !args.json && !args.quiet;
    const auto progress = [&](double) { stop.go_on(); };

    // All that can be wrong before anything is written.
    std::optional<RunSignals> signals;
    std::vector<std::size_t> chosen;
    if (args.list || !args.csv.empty())
        signals.emplace(*run);
    if (!args.csv.empty()) {
        auto found = signals->chosen(args.signals);
        if (!found)
            return refuse(found.problems(), args.json);
        chosen = std::move(*found);
    }
    if (args.list) {
        auto all = nlohmann::ordered_json::array();
        for (const RunSignals::Signal& signal : signals->list())
            if (args.json)
                all.push_back({{"name", signal.name}, {"unit", signal.unit}});
            else
                say("{} [{}]\n", visible(signal.name), signal.unit);
        json["signals"] = std::move(all);
    }
    if (!args.csv.empty()) {
        if (const Problems found = signals->write_csv(chosen, args.csv, progress); found.any())
            return refuse(found, args.json);
        json["csv"] = {{"file", args.csv}, {"signals", chosen.size()}, {"frames", run->frames()}};
        if (talk)
            say("{} signals in {} frames are in {}\n", chosen.size(), run->frames(),
                visible(args.csv));
    }
    if (!args.out.empty()) {
        const auto made = write_gltf(*run, args.out, {progress});
        if (!made)
            return refuse(made.problems(), args.json);
        json["gltf"] = {{"file", args.out},
                        {"bytes", made->bytes},
                        {"bodies", made->bodies},
                        {"frames", made->frames_written},
                        {"remarks", made->remarks}};
        for (const std::string& remark : made->remarks)
            if (talk)
                say("Note: {}\n", visible(remark));
        if (talk)
            say("The motion of {} bodies in {} frames is in {}: {:.0f} kB\n", made->bodies,
                made->frames_written, visible(args.out), static_cast<double>(made->bytes) / 1e3);
    }
    if (args.json)
        say("{}\n", json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return done;
}

} // namespace

void add_export_command(CLI::App& app, int& status)
{
    static ExportArguments args;
    CLI::App* command =
        app.add_subcommand("export", "A recorded run for other programs: animated glTF, CSV");
    command->footer(
        "Example: poinsot export nut.h5 nut.glb\n"
        "         poinsot export nut.h5 --list\n"
        "         poinsot export nut.h5 --csv nut.csv --signals \"energy / total,nut / position "
        "x\"\n"
        "Names have commas between them; one that holds a comma itself has a --signals of its "
        "own.\n"
        "Exit status 1 if the file cannot be read, a signal is unknown or a file not be written.");
    command->add_option("run", args.run, "A trajectory that `poinsot run --out FILE.h5` wrote")
        ->required();
    command->add_option("output", args.out, "Animated binary glTF, FILE.glb");
    command->add_option("--csv", args.csv, "Write chosen signals, one line for each frame");
    command->add_option("--signals", args.signals, "Which, by name")->allow_extra_args(false);
    command->add_flag("--list", args.list, "List the signals of the run");
    command->add_flag("--json", args.json, "One JSON object instead of text");
    command->add_flag("--quiet", args.quiet, "Say only what is wrong");
    command->callback([&status, command] {
        const Problems wrong = empty_options(*command);
        try {
            status = wrong.any() ? refuse(wrong, args.json) : export_run(args);
        } catch (const PageStopped&) {
            complain("Stopped; nothing was left half-written");
            status = interrupted;
        }
    });
}

} // namespace poinsot
