// SPDX-License-Identifier: MIT
#pragma once

// Largest differences of two motions as text and as JSON: what `run --formulation both` and
// `compare` print.

#include "poinsot/step/both.hpp"

#include <nlohmann/json.hpp>

namespace poinsot {

std::string table(const Differences& differences, const std::vector<std::string>& bodies);
nlohmann::ordered_json json_of(const Differences& differences,
                               const std::vector<std::string>& bodies);

} // namespace poinsot
