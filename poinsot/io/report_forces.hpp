// SPDX-License-Identifier: MIT
#pragma once

// Joints, springs, what they carry and what acts on the bodies, as a page has them. For .cpp files
// of io only.

#include "poinsot/io/report_data.hpp"
#include "poinsot/io/run_scene.hpp"

namespace poinsot {

PageJson described_joints(const Model& model, const TrajectoryReader& run, PageData& data);
PageJson described_springs(const Model& model);
/// Springs in six directions, those that join the pieces of beams among them.
PageJson described_bushings(const Model& model, const TrajectoryReader& run);

/// One entry for each body and cause that acts at all.
PageJson described_forces(const TrajectoryReader& run, PageData& data);

/// Where bodies touch, in every frame; none where it was not recorded, or nothing ever touched. The
/// model, where it is known, tells friction.
std::optional<PageJson> described_contacts(const Model* model, const TrajectoryReader& run,
                                           PageData& data);
/// Cuts: where they are, what they may carry, and what they carry in every frame.
PageJson described_cuts(const TrajectoryReader& run, PageData& data);

/// Coordinates of joints and lengths of springs, in every frame.
PageJson described_coordinates(const Model& model, const TrajectoryReader& run, PageData& data);

} // namespace poinsot
