// SPDX-License-Identifier: MIT
#pragma once

// The HDF5 half of trajectory.hpp. Layout: docs/trajectory-format.md.

#include "poinsot/io/trajectory.hpp"

namespace poinsot {

Result<std::unique_ptr<TrajectoryWriter>> open_hdf5(const std::filesystem::path& file,
                                                    const Scene& scene, const Simulation& run,
                                                    const TrajectoryOptions& options);

/// The unit quaternion of a body in any form of the state.
Quat<double> attitude(const State& state, std::size_t body);

} // namespace poinsot
