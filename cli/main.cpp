// SPDX-License-Identifier: MIT
// The table of commands.
#include "cli/commands.hpp"
#if __has_include("cli/mass.hpp")
#include "cli/mass.hpp"
#endif
#include "poinsot/base/version.hpp"

#include <fmt/format.h>

namespace {

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
    return fmt::format("poinsot {}\ncompiled by {} for {}\ncomponents: io, {}, {}",
                       poinsot::version(), compiler, cpu, with("hull", POINSOT_WITH_HULL),
                       with("stiff", POINSOT_WITH_STIFF));
}

} // namespace

int main(int argc, char** argv)
{
    int status = poinsot::done;
    CLI::App app{"Poinsot: motion of rigid bodies, with books that close.\n"
                 "Exit status: 0 done, 1 wrong input, 2 the books do not balance."};
    app.footer("Example: poinsot run dzhanibekov\n"
               "Each command has --help with an example of its own.");
    app.set_version_flag("--version", version_text());
    app.require_subcommand(1);
    poinsot::add_run_command(app, status);
    poinsot::add_check_command(app, status);
#if __has_include("cli/mass.hpp")
    poinsot::add_mass_command(app, status);
#endif
    poinsot::add_examples_command(app, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? poinsot::done : poinsot::wrong_input;
    } catch (const std::exception& e) { // std::bad_alloc and the like
        return poinsot::complain(fmt::format("poinsot: {}", e.what()));
    }
    return status;
}
