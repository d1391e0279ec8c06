// SPDX-License-Identifier: MIT
#pragma once

// What `run` tells when a run has ended, to people and to machines.

#include "cli/commands.hpp"

#include <nlohmann/json.hpp>

namespace poinsot {

/// How a run ended.
struct Outcome {
    std::optional<std::string> failure; // why the motion could not go on
    std::optional<std::string> file;    // why what was computed could not be written
    bool stopped = false;
    std::optional<double> kept; // the moment of the state in the checkpoint

    bool finished() const { return !failure && !file; }
};

/// The books, what cuts carried, what happened; `steps` in `wall` seconds.
void tell_run(const Scene& scene, const Simulation& sim, const Outcome& end, double wall,
              std::int64_t steps);
nlohmann::ordered_json run_as_json(const Scene& scene, const Simulation& sim, const Outcome& end,
                                   double wall);

} // namespace poinsot
