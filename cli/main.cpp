// SPDX-License-Identifier: MIT
// The table of commands.
#include "cli/commands.hpp"
#if __has_include("cli/mass.hpp")
#include "cli/mass.hpp"
#endif
#include "cli/page.hpp"
#include "poinsot/base/version.hpp"

#include "poinsot/io/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace {

/// A closed standard descriptor would be given to the next file that is opened, and the report
/// would be written into that file. Read only, so that what is written there is seen to be lost.
void open_standard_descriptors()
{
    int opened = 0;
    while (opened >= 0 && opened <= STDERR_FILENO)
        opened = ::open("/dev/null", O_RDONLY);
    if (opened >= 0)
        ::close(opened);
}

/// A word that stands where a command should, and is none.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, char** argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return std::nullopt;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), argv[1]) != names.end())
        return std::nullopt;
    const std::string near =
        poinsot::nearest_word(argv[1], std::vector<std::string_view>(names.begin(), names.end()));
    return fmt::format("there is no command '{}'{} Commands are: {}", argv[1],
                       near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                       fmt::join(names, ", "));
}

/// A word that looks like an option of the command, and is none.
std::optional<std::string> unknown_option(const CLI::App& app, int argc, char** argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return std::nullopt;
    const CLI::App* command = app.get_subcommand(argv[1]);
    std::vector<std::string> names;
    std::vector<const CLI::App*> groups{command};
    for (const CLI::App* group : command->get_subcommands([](const CLI::App*) { return true; }))
        groups.push_back(group);
    for (const CLI::App* group : groups)
        for (const CLI::Option* option : group->get_options())
            for (const std::string& name : option->get_lnames())
                names.push_back("--" + name);
    for (int i = 2; i < argc; ++i) {
        const std::string_view given = argv[i];
        const std::string word(given.substr(0, given.find('=')));
        if (word == "--")
            break;
        if (!word.starts_with("--") || std::find(names.begin(), names.end(), word) != names.end())
            continue;
        const std::string near =
            poinsot::nearest_word(word, std::vector<std::string_view>(names.begin(), names.end()));
        return fmt::format("{} has no option '{}'{} --help lists those that it has", argv[1], word,
                           near.empty() ? ";" : fmt::format("; did you mean '{}'?", near));
    }
    return std::nullopt;
}

/// Are machines to read the answer? Asked of the words themselves: they may not make a command.
bool asks_for_json(int argc, char** argv)
{
    return std::find(argv + 1, argv + argc, std::string_view("--json")) != argv + argc;
}

std::string version_text()
{
#if defined(__clang__)
    const std::string compiler =
        fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    const std::string compiler =
        fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(__AVX2__) && defined(__FMA__)
    const char* cpu = "x86-64-v3";
#else
    const char* cpu = "baseline (same bits, slow)";
#endif
    const auto with = [](const char* name, bool built) {
        return built ? std::string(name) : fmt::format("{} (built without)", name);
    };
    return fmt::format("poinsot {}\ncompiled by {} for {}\ncomponents: io, {}, {}, {}, {}",
                       poinsot::version(), compiler, cpu, with("hull", POINSOT_WITH_HULL),
                       with("stiff", POINSOT_WITH_STIFF), with("gltf", POINSOT_WITH_GLTF),
                       with("viewer", !poinsot::viewer_page().empty()));
}

} // namespace

int main(int argc, char** argv)
{
    open_standard_descriptors();
    int status = poinsot::done;
    CLI::App app{"Poinsot: motion of rigid bodies, with books that close.\n"
                 "Exit status: 0 done, 1 wrong input, 2 the books do not balance."};
    app.footer("Example: poinsot run dzhanibekov\n"
               "Each command has --help with an example of its own.");
    app.set_version_flag("--version", version_text());
    app.require_subcommand(1);
    poinsot::add_run_command(app, status);
    poinsot::add_report_command(app, status);
    poinsot::add_compare_command(app, status);
    poinsot::add_export_command(app, status);
    poinsot::add_check_command(app, status);
    poinsot::add_linearise_command(app, status);
    poinsot::add_trim_command(app, status);
#if __has_include("cli/mass.hpp")
    poinsot::add_mass_command(app, status);
#endif
    poinsot::add_integrators_command(app, status);
    poinsot::add_examples_command(app, status);
    const bool json = argc > 1 && asks_for_json(argc, argv);
    const auto refuse = [&](const std::string& what) {
        poinsot::Problems found;
        found.add("poinsot", what);
        return poinsot::refuse(found, json);
    };
    try {
        if (const auto unknown = unknown_command(app, argc, argv))
            status = refuse(*unknown);
        else if (const auto none = unknown_option(app, argc, argv))
            status = refuse(*none);
        else
            app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (json && e.get_exit_code() != 0)
            status = refuse(fmt::format("{}; --help tells what can be given", e.what()));
        else {
            std::ostringstream out;
            status = app.exit(e, out, std::cerr) == 0 ? poinsot::done : poinsot::wrong_input;
            poinsot::put(stdout, out.str());
        }
    } catch (const std::exception& e) { // std::bad_alloc and the like
        status = refuse(e.what());
    }
    return poinsot::all_said(status);
}
