// SPDX-License-Identifier: MIT
#pragma once

// What `poinsot check` says of joints: where they start, what they leave free, and which of them
// say again what others have said.

#include "cli/json.hpp"
#include "poinsot/solve/redundancy.hpp"

namespace poinsot {

/// How many freedoms the tree of joints leaves, and how many equations bind them.
struct Freedoms {
    int tree = 0, rows = 0;
};
Freedoms freedoms_of(const Model& model);

nlohmann::ordered_json json_of_joints(const Model& model);
nlohmann::ordered_json json_of_repeats(const Redundancy& found);

void say_joints(const Model& model);

} // namespace poinsot
