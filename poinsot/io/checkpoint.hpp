// SPDX-License-Identifier: MIT
#pragma once

// State to disk and back, never half-written. A run that goes on from a checkpoint has the same
// bits, state and books, as one that was never broken.
//
// The file is JSON: a version, the identity of the scene and settings it belongs to, and every
// number of the checkpoint in the shortest form that reads back to the same bits, with a checksum
// over them.

#include "poinsot/io/scene.hpp"

#include <filesystem>

namespace poinsot {

inline constexpr int checkpoint_version = 5;

/// Writes beside its place, brings it to the disk and renames. Returns what went wrong.
std::optional<std::string> write_checkpoint(const std::filesystem::path& file, const Scene& scene,
                                            const Checkpoint& checkpoint);

/// A checkpoint of this scene with these settings, or why it cannot be used.
Result<Checkpoint> read_checkpoint(const std::filesystem::path& file, const Scene& scene);

} // namespace poinsot
