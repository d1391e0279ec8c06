// SPDX-License-Identifier: MIT
#pragma once

// How far we may be from a reference: ten times what its own two roads differ by, and never less
// than 1e-12 of what is compared.

#include <nlohmann/json.hpp>

#include <algorithm>

namespace poinsot {

/// The largest number in the `check` of an item: one number, or one for each kind of comparison.
inline double own_check(const nlohmann::json& item)
{
    double largest = 0;
    if (item.contains("check")) {
        const nlohmann::json numbers = item.at("check").flatten();
        for (const nlohmann::json& number : numbers)
            largest = std::max(largest, number.get<double>());
    }
    return largest;
}

/// The largest error that counts as agreement; amplitude: the largest that the quantity becomes.
inline double allowed(const nlohmann::json& item, double amplitude)
{
    return std::max(10 * own_check(item), 1e-12 * amplitude);
}

} // namespace poinsot
