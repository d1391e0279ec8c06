// SPDX-License-Identifier: MIT
#pragma once

// A run as one HTML page that needs nothing else: the page of viewer/ with the run's data in it,
// in the format of viewer/FORMAT.md.
//
// Poses are rounded to 16 bits and frames that a straight line (and the shortest arc) between their
// neighbours shows as well are left out. The page says by how much it is off anywhere: that is
// measured, at every frame of the trajectory. Times, books, forces and events are as computed.
//
// Joints, springs and gravity are not in a trajectory file; they are taken from the scene that it
// carries, where that can still be read.

#include "poinsot/io/compare.hpp"

#include <functional>

namespace poinsot {

struct ReportFact {
    std::string name, value;
};

struct ReportOptions {
    std::vector<ReportFact> facts = {}; // what the file does not know, as the cost of a step
    /// A second run in the same page: drawn as a ghost and subtracted in plots, signals matched by
    /// name.
    const TrajectoryReader* ghost = nullptr;
    /// When and where the two part, from all their digits; the page alone has rounded poses.
    const Comparison* comparison = nullptr;
    /// Poses that take no more bytes than this keep every frame.
    std::uint64_t small = std::uint64_t{1} << 20;
    /// Told now and then how much is done, from 0 to 1.
    std::function<void(double)> progress = [](double) {};
};

struct ReportMade {
    std::uint64_t bytes = 0;                    // of the page
    std::size_t frames = 0, frames_shown = 0;   // of both runs
    double position_error = 0, angle_error = 0; // m and rad, the largest anywhere
    std::vector<std::string> remarks;           // what is left out, and why
};

/// Errors that frames may be left out for: a part of the size of the scene, and no more than a part
/// of the radius of gyration of its smallest body; and rad.
inline constexpr double shown_within = 1e-4, shown_within_body = 0.02, shown_within_angle = 5e-4;

/// Writes the page; `page` is the text of viewer/dist/page.html. The file is there whole or not at
/// all.
Result<ReportMade> write_report(const TrajectoryReader& run, std::string_view page,
                                const std::filesystem::path& to, const ReportOptions& options = {});

} // namespace poinsot
