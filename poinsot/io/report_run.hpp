// SPDX-License-Identifier: MIT
#pragma once

// One run as a page has it: "A run" of viewer/FORMAT.md. For .cpp files of io only.

#include "poinsot/io/report.hpp"
#include "poinsot/io/report_data.hpp"

namespace poinsot {

/// The description of a run; its numbers join `data`, which reads from the file when it is written.
/// Errors and remarks are added to `made`; `progress` goes from 0 to 1.
PageJson described_run(const TrajectoryReader& run, const std::vector<ReportFact>& facts,
                       std::uint64_t small, const std::function<void(double)>& progress,
                       PageData& data, ReportMade& made);

[[noreturn]] void refuse_as_too_long(const TrajectoryReader& run, std::uint64_t bytes);

} // namespace poinsot
