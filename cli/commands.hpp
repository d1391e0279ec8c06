// SPDX-License-Identifier: MIT
#pragma once

// What the commands share. A command turns arguments into an exit status: 0 done, 1 wrong input,
// 2 the books do not balance.

#include "poinsot/base/result.hpp"
#include "poinsot/io/scene.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace poinsot {

inline constexpr int done = 0, wrong_input = 1, not_balanced = 2, interrupted = 130;

/// Prints every problem to stderr; the status of wrong input.
int complain(const Problems& problems);
int complain(const std::string& problem);

/// A scene by its path, or by its bare name among the examples.
Result<Scene> find_scene(const std::string& name);

/// The folder of the scenes that come with Poinsot: named by POINSOT_SCENES, installed beside the
/// program, or in the source tree it was built from.
std::optional<std::filesystem::path> examples_folder();
std::vector<std::filesystem::path> example_scenes();

// Each adds its command; when it was chosen and has run, the status is set.
void add_run_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_examples_command(CLI::App& app, int& status);

} // namespace poinsot
