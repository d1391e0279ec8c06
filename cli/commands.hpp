// SPDX-License-Identifier: MIT
#pragma once

// What the commands share. A command turns arguments into an exit status: 0 done, 1 wrong input,
// 2 the books do not balance.

#include "poinsot/base/result.hpp"
#include "poinsot/io/scene.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace poinsot {

inline constexpr int done = 0, wrong_input = 1, not_balanced = 2, interrupted = 130;

// A place that cannot be written to is no reason to crash: these never throw. What standard output
// lost is found at the end, by `all_said`.
void put(std::FILE* where, std::string_view text);
template <class... Parts>
void say(fmt::format_string<Parts...> form, Parts&&... parts)
{
    put(stdout, fmt::format(form, std::forward<Parts>(parts)...));
}
/// The status of a command, or that of wrong input where standard output did not take everything.
int all_said(int status);

/// Prints the problems to stderr, the first of very many; the status of wrong input.
int complain(const Problems& problems);
int complain(const std::string& problem);
/// The same, or for machines as one JSON object on stdout.
int refuse(const Problems& problems, bool json);

/// Options that were given without a value, as in `--step ""`: not the same as not given.
Problems empty_options(const CLI::App& command);

/// A scene by its path, or by its bare name among the examples.
Result<Scene> find_scene(const std::string& name);

/// The folder of the scenes that come with Poinsot: named by POINSOT_SCENES, installed beside the
/// program, or in the source tree it was built from.
std::optional<std::filesystem::path> examples_folder();
std::vector<std::filesystem::path> example_scenes();

// Each adds its command; when it was chosen and has run, the status is set.
void add_run_command(CLI::App& app, int& status);
void add_report_command(CLI::App& app, int& status);
void add_compare_command(CLI::App& app, int& status);
void add_export_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_linearise_command(CLI::App& app, int& status);
void add_trim_command(CLI::App& app, int& status);
void add_integrators_command(CLI::App& app, int& status);
void add_examples_command(CLI::App& app, int& status);

} // namespace poinsot
