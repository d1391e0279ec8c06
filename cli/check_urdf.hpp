// SPDX-License-Identifier: MIT
#pragma once

// poinsot check <robot.urdf>: an account of every kilogram of a robot.

#include "cli/robot.hpp"

namespace poinsot {

/// The exit status.
int check_urdf(const std::string& file, const RobotArguments& args, bool json);

} // namespace poinsot
