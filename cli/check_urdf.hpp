// SPDX-License-Identifier: MIT
#pragma once

// poinsot check <robot.urdf>: an account of every kilogram of a robot.

#include <optional>
#include <string>
#include <vector>

namespace poinsot {

struct CheckUrdf {
    std::string file;
    std::optional<std::string> base; // fixed or floating; none: fixed, and said
    bool merge_fixed = false, ignore_mimic = false, json = false;
    std::vector<std::string> locks;    // "joint" or "joint=0.3"
    std::vector<std::string> packages; // as UrdfOptions has them
};

/// Whether a file is a robot's by its name.
bool is_urdf(const std::string& file);
/// The exit status.
int check_urdf(const CheckUrdf& args);

} // namespace poinsot
