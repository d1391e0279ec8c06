// SPDX-License-Identifier: MIT
#pragma once

// The books of a run as a page has them. For .cpp files of io only.

#include "poinsot/io/report_data.hpp"

namespace poinsot {

/// `ledger` of viewer/FORMAT.md; remarks tell what is left out.
PageJson described_ledger(const TrajectoryReader& run, PageData& data,
                          std::vector<std::string>& remarks);

} // namespace poinsot
