// SPDX-License-Identifier: MIT
#pragma once

// What `run` shares with its side-by-side form.

#include "cli/commands.hpp"

#include <atomic>

namespace poinsot {

/// Runs a scene in both formulations and reports how far they part. The status is that of a single
/// run; the books of both must balance. `report`: the page to write, or nothing.
int run_both(const Scene& scene, const std::string& report, bool json, bool quiet,
             const std::atomic<bool>& stop);

/// Problems of settings, named after the options that set them.
Problems as_options(const Problems& problems);

/// A hash as it is printed.
inline std::string hex(std::uint64_t hash)
{
    return fmt::format("{:016x}", hash);
}

} // namespace poinsot
