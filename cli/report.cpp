// SPDX-License-Identifier: MIT
// poinsot report run.h5 -o run.html
#include "cli/page.hpp"

#include <nlohmann/json.hpp>

namespace poinsot {

namespace {

struct ReportArguments {
    std::string run, out;
    bool json = false, quiet = false;
};

int report(const ReportArguments& args)
{
    Problems wrong = no_page("--output", args.out);
    for (const std::string& written : {args.out, args.out + ".part"})
        if (same_file(written, args.run))
            wrong.add("--output", "would overwrite the trajectory, '", args.run,
                      "'; name another file");
    if (wrong.any())
        return refuse(wrong, args.json);
    const PageStop stop;
    const auto made = write_page(args.run, args.out, !args.json && !args.quiet, {}, stop);
    if (!made)
        return refuse(made.problems(), args.json);
    if (args.json)
        say("{}\n", nlohmann::ordered_json{{"page", args.out},
                                           {"bytes", made->bytes},
                                           {"frames", made->frames},
                                           {"frames_shown", made->frames_shown},
                                           {"position_error", made->position_error},
                                           {"angle_error", made->angle_error},
                                           {"remarks", made->remarks}}
                        .dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    else if (!args.quiet)
        tell_page(args.out, *made);
    return done;
}

} // namespace

void add_report_command(CLI::App& app, int& status)
{
    static ReportArguments args;
    CLI::App* command = app.add_subcommand("report", "Write a run as one HTML page to look at");
    command->footer("Example: poinsot run dzhanibekov --out nut.h5\n"
                    "         poinsot report nut.h5 -o nut.html\n"
                    "or both at once: poinsot run dzhanibekov --report nut.html\n"
                    "The page needs no network and nothing beside it. Exit status 1 if the file "
                    "cannot be read or the page not be written.");
    command->add_option("run", args.run, "A trajectory that `poinsot run --out FILE.h5` wrote")
        ->required();
    command->add_option("-o,--output", args.out, "The page to write, FILE.html")->required();
    command->add_flag("--json", args.json, "One JSON object instead of text");
    command->add_flag("--quiet", args.quiet, "Say only what is wrong");
    command->callback([&status, command] {
        const Problems wrong = empty_options(*command);
        try {
            status = wrong.any() ? refuse(wrong, args.json) : report(args);
        } catch (const PageStopped&) {
            complain("Stopped; no page was written");
            status = interrupted;
        }
    });
}

} // namespace poinsot
