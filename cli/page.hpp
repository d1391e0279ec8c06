// SPDX-License-Identifier: MIT
#pragma once

// What `report` and `run --report` share.

#include "cli/commands.hpp"
#include "poinsot/io/report.hpp"

#include <atomic>
#include <string_view>

namespace poinsot {

/// The page of viewer/ without data; empty where it was not built.
std::string_view viewer_page();

/// Why this program can write no page there, as a problem of an option; or nothing.
Problems no_page(const std::string& option, const std::filesystem::path& to);

/// Thrown by write_page when it is told to stop; nothing is left of the page then.
struct PageStopped {};

/// The page of a trajectory file.
Result<ReportMade> write_page(const std::filesystem::path& trajectory,
                              const std::filesystem::path& to, bool show_progress,
                              std::vector<ReportFact> facts = {},
                              const std::atomic<bool>* stop = nullptr);

/// One line: where it is, its size, how exact it is. Remarks before it.
void tell_page(const std::filesystem::path& to, const ReportMade& made);

/// The same file, by whatever name; it need not exist.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace poinsot
