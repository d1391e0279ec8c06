// SPDX-License-Identifier: MIT
#pragma once

// What tests measure and docs/validation.md shows.

#include <nlohmann/json.hpp>

#include <iostream>

namespace poinsot {

/// A line of docs/validation.md: scripts/validation reads it.
inline void measured(const nlohmann::json& line)
{
    std::cout << "measured: " << line.dump() << std::endl;
}

/// A row of its table of closed forms and published problems; `set` is the file of the reference.
inline void measured_truth(const char* set, const std::string& item, const std::string& method,
                           double error, const char* unit)
{
    measured({{"table", "truth"},
              {"set", set},
              {"case", item},
              {"method", method},
              {"error", error},
              {"unit", unit}});
}

} // namespace poinsot
