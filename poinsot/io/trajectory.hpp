// SPDX-License-Identifier: MIT
#pragma once

// Motion and ledger to HDF5 and CSV. The HDF5 layout is versioned and described in
// docs/trajectory-format.md; CSV is for small things.
//
// A run that is killed leaves a readable HDF5 file with all frames up to the last flush (once a
// second at the latest). A CSV file is written beside its place and takes its name at the end.

#include "poinsot/io/scene.hpp"

#include <filesystem>
#include <memory>

namespace poinsot {

/// Version of the HDF5 layout: the first number changes when readers must, the second when
/// something was added.
inline constexpr int layout_major = 1, layout_minor = 6;

struct TrajectoryOptions {
    /// Record in each frame what acts on each body by cause, what joints carry, and where bodies
    /// touch? HDF5 only. Not said: touch always, 96 bytes for each point, up to `most_points`; the
    /// rest with up to `forces_up_to` bodies, as it takes an evaluation, and 48 bytes for each body
    /// and cause.
    std::optional<bool> forces = {};
    static constexpr std::size_t forces_up_to = 200;
    /// A gigabyte. What more there is in later frames is left out, and an event says from when on.
    std::int64_t most_points = 10'000'000;
};

/// What a run took, of this process; a resumed run tells of its own part.
struct RunCost {
    double processor_seconds = 0; // of all threads together
    double wall_seconds = 0;
    std::int64_t steps = 0;
};

class TrajectoryWriter {
  public:
    /// Opens FILE.h5 or FILE.csv for the run of a scene that is about to begin, or to go on. Scene
    /// and run must outlive it.
    static Result<std::unique_ptr<TrajectoryWriter>> open(const std::filesystem::path& file,
                                                          const Scene& scene, const Simulation& run,
                                                          const TrajectoryOptions& options = {});
    virtual ~TrajectoryWriter() = default;

    // Each returns what went wrong: a full disk, a file that was taken away.

    /// Adds a frame: the state and the books as they are.
    virtual std::optional<std::string> write(const Simulation& run) = 0;
    /// Something worth a line happened now: the run was stopped, a number was none.
    virtual std::optional<std::string> event(const Simulation& run, std::string_view kind,
                                             std::string_view text) = 0;
    /// The run is over; `ended` is "done", "stopped" or "failed". What it cost is for HDF5 only.
    virtual std::optional<std::string> finish(const Simulation& run, std::string_view ended,
                                              const std::optional<RunCost>& cost = {}) = 0;
    /// Makes all frames so far safe from the death of this process.
    virtual std::optional<std::string> flush() = 0;
};

} // namespace poinsot
