// SPDX-License-Identifier: MIT
#pragma once

// What a trajectory file knows of its scene: the model, where the text that it carries can still be
// read, and what can be computed from poses with it. For .cpp files of io only.

#include "poinsot/geometry/surface_mesh.hpp"
#include "poinsot/io/run_frames.hpp"
#include "poinsot/io/scene.hpp"

namespace poinsot {

/// The scene that a file carries, if it is still a scene and has the same bodies; or why not.
struct RunScene {
    std::optional<Scene> scene;
    std::string why_not;
};
RunScene scene_of(const TrajectoryReader& run);

/// The surface of a mesh that a body of a run has, or why there is none. Only where the scene could
/// be read: a trajectory alone opens no other files.
Result<Surface> mesh_of(const RunScene& scene, const std::string& path);

/// Coordinates of joints and lengths of springs.
class CoordinateSignals {
  public:
    CoordinateSignals(const Model& model, const TrajectoryReader& run);

    struct Named {
        std::string name, unit;
    };
    const std::vector<Named>& names() const { return names_; }

    /// All of them in one frame, the one after that of the last call: an angle goes on where it
    /// was, over whole turns too.
    const std::vector<double>& at(const PoseRow& row);

  private:
    const Model& model_;
    const TrajectoryHead& head_;
    std::vector<Named> names_;
    std::vector<double> values_;
    bool begun_ = false;
};

} // namespace poinsot
