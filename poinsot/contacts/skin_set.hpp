// SPDX-License-Identifier: MIT
#pragma once

// Questions about the skins of a model where its bodies are: what does a ray meet, what does
// something on a course meet first, what overlaps, what is nearest? geometry/query.hpp answers for
// shapes; here they have names, and know whom they never meet: their own body, what a joint
// connects, other groups.
//
// Whoever asks about a skin of the model is told of those that it may meet; whoever brings a shape,
// of all. Numbers are those of the skins in the model.

#include "poinsot/geometry/query.hpp"
#include "poinsot/state/placed.hpp"

namespace poinsot {

/// Where a skin of a placed body is.
Pose<double> pose_of(const Skin& skin, const Placed& placed);

class SkinSet {
  public:
    /// The model must outlive it; of the placement it keeps what it needs.
    SkinSet(const Model& model, const Placed& placed);

    const Model& model() const { return *model_; }
    const Pose<double>& pose(int skin) const { return poses_[static_cast<std::size_t>(skin)]; }
    /// Do two skins meet if they come together?
    bool may_meet(int a, int b) const;

    std::optional<ShapeSet::Met> ray_cast(const Ray& ray) const { return all_.ray_cast(ray); }

    std::optional<ShapeSet::Swept> shape_cast(const Collider& shape, const Passage& course,
                                              double duration);
    /// A skin goes on with its velocity and turns about the centre of its frame; all others stand.
    std::optional<ShapeSet::Swept> shape_cast(int skin, const Vec3<double>& velocity,
                                              const Vec3<double>& angular_velocity,
                                              double duration);

    std::vector<int> overlaps(const Collider& shape, const Pose<double>& pose);
    std::vector<int> overlaps(int skin);
    /// All pairs that share a point, ascending.
    std::vector<std::pair<int, int>> overlaps();

    std::optional<ShapeSet::Nearest>
    closest(const Collider& shape, const Pose<double>& pose,
            double limit = std::numeric_limits<double>::infinity());
    std::optional<ShapeSet::Nearest>
    closest(int skin, double limit = std::numeric_limits<double>::infinity());
    /// Between two, whether they meet or not; none for two without bounds.
    std::optional<Gap> between(int a, int b);
    std::optional<Gap> between(const Collider& shape, const Pose<double>& pose, int skin);

  private:
    const Model* model_;
    std::vector<Pose<double>> poses_;
    ShapeSet all_;
    PartWorkspace work_;
};

} // namespace poinsot
