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

/// What is doubtful about a run, a text for each: energy that was made or lost where none should
/// be, things that passed into each other.
std::vector<std::string> warnings_of(const Simulation& sim);

/// What is worth knowing before a run: robots with parts left out, joints that repeat others.
void tell_before(const Scene& scene);

/// The books, warnings, what cuts carried, what happened, the hash.
void tell_books(const Scene& scene, const Simulation& sim, bool finished);
/// For machines: warnings, contact, cuts and events.
void add_told(nlohmann::ordered_json& json, const Simulation& sim);

/// All of it; `steps` in `wall` seconds.
void tell_run(const Scene& scene, const Simulation& sim, const Outcome& end, double wall,
              std::int64_t steps);
nlohmann::ordered_json run_as_json(const Scene& scene, const Simulation& sim, const Outcome& end,
                                   double wall);

} // namespace poinsot
