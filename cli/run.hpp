// SPDX-License-Identifier: MIT
#pragma once

// What `run` shares with its side-by-side form.

#include "cli/commands.hpp"

#include <nlohmann/json.hpp>

#include <atomic>

namespace poinsot {

/// Runs a scene in both formulations and reports how far they part. The status is that of a single
/// run; the books of both must balance. `report`: the page to write, or nothing.
int run_both(const Scene& scene, const std::string& report, bool json, bool quiet,
             const std::atomic<bool>& stop);

/// Problems of settings, named after the options that set them.
Problems as_options(const Problems& problems);

/// Whether books balance, for machines: null where none were kept.
inline nlohmann::ordered_json balance_json(bool kept, bool balanced)
{
    return kept ? nlohmann::ordered_json(balanced) : nlohmann::ordered_json(nullptr);
}

/// A moment as it is printed: a number of steps times their length, without the last rounding.
inline std::string moment(double t)
{
    return fmt::format("{:.15g}", t);
}

/// A part of one in per cent: "0.16", "16", "100", "2300".
inline std::string percent(double part)
{
    const double of_100 = 100 * part;
    return of_100 < 99.5 || of_100 >= 1e6 ? fmt::format("{:.2g}", of_100)
                                          : fmt::format("{:.0f}", of_100);
}

/// A hash as it is printed.
inline std::string hex(std::uint64_t hash)
{
    return fmt::format("{:016x}", hash);
}

} // namespace poinsot
