// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
}

namespace poinsot {

/// Adds `poinsot mass FILE …`; running it sets the exit status: 0 done, 1 wrong input.
void add_mass_command(CLI::App& app, int& exit_status);

} // namespace poinsot
