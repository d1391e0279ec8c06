// SPDX-License-Identifier: MIT
#pragma once

// A run as animated binary glTF (Khronos glTF 2.0), which modelling programs and browsers open.
//
// Every body is a node of its name, with its shape as mesh and its poses as animation: places along
// lines, attitudes along the shortest arcs. A body without shape is the box of equal mass and
// inertia, a particle a small ball. The root node turns up (against gravity, else z) to y, as glTF
// has it. Numbers are floats; time begins at 0, and frames whose times a float does not tell apart
// are left out.

#include "poinsot/io/trajectory_read.hpp"

#include <functional>

namespace poinsot {

struct GltfOptions {
    /// Told now and then how much is done, from 0 to 1.
    std::function<void(double)> progress = [](double) {};
};
struct GltfMade {
    std::uint64_t bytes = 0;
    std::size_t bodies = 0, frames = 0, frames_written = 0;
    std::vector<std::string> remarks; // what is shown as something else, and why
};

/// Writes FILE.glb. It is there whole or not at all.
Result<GltfMade> write_gltf(const TrajectoryReader& run, const std::filesystem::path& to,
                            const GltfOptions& options = {});

} // namespace poinsot
