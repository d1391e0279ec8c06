// SPDX-License-Identifier: MIT
#pragma once

// What the commands that take a robot (.urdf) in place of a scene share.

#include "cli/commands.hpp"
#include "poinsot/io/urdf.hpp"

namespace poinsot {

struct RobotArguments {
    std::optional<std::string> base; // fixed or floating; none: fixed
    bool merge_fixed = false, ignore_mimic = false;
    std::vector<std::string> locks;    // "joint" or "joint=0.3"
    std::vector<std::string> starts;   // "joint=0.3"
    std::vector<std::string> packages; // as UrdfOptions has them
};

/// Adds the options of robots to a command.
std::vector<CLI::Option*> add_robot_options(CLI::App& command, RobotArguments& args);
/// And the one for where joints start.
CLI::Option* add_start_option(CLI::App& command, RobotArguments& args);
/// A problem for each of them that was given: to be called where there is no robot.
Problems given_without_robot(const std::vector<CLI::Option*>& options);

UrdfOptions urdf_options(const RobotArguments& args, Problems& found);
/// Lets joints start where the arguments say.
Problems start_joints(const RobotArguments& args, UrdfRobot& robot);

/// A robot as a scene, or a scene as `find_scene` finds it.
Result<Scene> find_scene_or_robot(const std::string& name, const RobotArguments& args);

} // namespace poinsot
