// SPDX-License-Identifier: MIT
#pragma once

// Questions about a set of placed shapes: what does a ray meet, what does a moving shape meet
// first, what overlaps a shape, what is nearest to it?
//
// A set keeps a tree of boxes; moving a shape costs O(log n), a question O(log n) and what it
// finds. Answers do not depend on the order in which shapes were moved, nor on the past of the
// tree: of two that are as near the one with the lesser number is told.

#include "poinsot/geometry/ray.hpp"
#include "poinsot/geometry/sweep.hpp"

namespace poinsot {

class ShapeSet {
  public:
    /// Returns the number by which the shape is known. Whoever asks gives a filter, too: only
    /// shapes that may touch it are seen.
    int add(Collider shape, const Pose<double>& pose, const Filter& filter = {});
    void move(int number, const Pose<double>& pose);
    void remove(int number);
    int count() const { return static_cast<int>(items_.size()); }
    const Collider& shape(int number) const { return item(number).shape; }
    const Pose<double>& pose(int number) const { return item(number).pose; }

    struct Met {
        int number;
        RayHit hit;
    };
    std::optional<Met> ray_cast(const Ray& ray, const Filter& filter = {}) const;

    struct Swept {
        int number;
        FirstTouch touch; // the shape that moves is a
    };
    /// The first shape that one on a course touches within the time.
    std::optional<Swept> shape_cast(const Collider& shape, const Passage& course, double duration,
                                    const Filter& filter = {}, double tolerance = 0);

    /// The numbers of all that share a point with the shape, in ascending order.
    std::vector<int> overlaps(const Collider& shape, const Pose<double>& pose,
                              const Filter& filter = {});

    struct Nearest {
        int number;
        PartGap gap; // a is the shape that was asked about
    };
    /// The nearest, or the one overlapped most deeply; none within the limit: nothing.
    std::optional<Nearest> closest(const Collider& shape, const Pose<double>& pose,
                                   double limit = std::numeric_limits<double>::infinity(),
                                   const Filter& filter = {});

  private:
    struct Item {
        Collider shape;
        Pose<double> pose;
        Filter filter;
        bool there;
    };
    const Item& item(int number) const;
    template <class Visit>
    void each_unbounded(const Filter& filter, Visit&& visit) const;

    std::vector<Item> items_;
    std::vector<int> unbounded_;
    BoundsTree tree_;
    PartWorkspace work_;
};

} // namespace poinsot
