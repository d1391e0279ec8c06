// SPDX-License-Identifier: MIT
#pragma once

// What was asked of `run`, taken into the settings of a scene.

#include "cli/robot.hpp"

namespace poinsot {

struct RunArguments {
    std::string scene;
    RobotArguments robot;
    // Texts, so that `--step 1e400` is told apart from a number and named.
    std::string until, step, energy_tolerance, every, ledger_every, checkpoint_every;
    std::string integrator, state_form, formulation, stabilisation, ledger;
    std::string out, checkpoint, resume, report, forces;
    bool json = false, quiet = false;

    bool both() const { return formulation == "both"; }
    std::optional<bool> record_forces() const
    {
        return forces.empty() ? std::nullopt : std::optional(forces == "on");
    }
};

/// Takes the arguments into the settings of a scene. Problems are named after the argument.
Problems apply(const RunArguments& args, Scene& scene, std::int64_t& checkpoint_every);
/// What is read may not be written over, and no two things may be written to one file.
Problems overwritten(const RunArguments& args, const Scene& scene);

} // namespace poinsot
