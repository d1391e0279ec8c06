// SPDX-License-Identifier: MIT
#pragma once

// What of a body touches others: convex parts, each placed in the body; or a half-space, or a
// plane.
//
//     convex       ball, box, capsule, cylinder, cone, ellipsoid, hull: one part
//     mesh         its triangles: a surface without thickness, touched from both sides
//     compound     parts of any of these, placed
//     half-space   the material z ≤ 0 and its surface; the normal is +z
//     plane        the sheet z = 0, touched from both sides
//
// Half-spaces and planes have no bounds. Two of them are never asked about each other: neither can
// be moved in a way that would matter.

#include "poinsot/geometry/bounds_tree.hpp"
#include "poinsot/geometry/convex.hpp"
#include "poinsot/geometry/shape.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace poinsot {

/// Who meets whom: each must be in a group that the other meets.
struct Filter {
    std::uint32_t groups = 1;
    std::uint32_t meets = ~0u;
};
inline bool may_touch(const Filter& a, const Filter& b)
{
    return (a.groups & b.meets) != 0 && (b.groups & a.meets) != 0;
}

class Collider {
  public:
    enum class Kind : std::uint8_t { parts, half_space, plane };
    struct Part {
        Convex convex;
        Pose<double> pose = identity_pose<double>(); // in the frame of the collider
        // Triangles of a mesh that lie side by side in one plane are one face: the number of its
        // first part. All else is a face of its own.
        int face = -1;
    };

    Kind kind() const { return kind_; }
    bool bounded() const { return kind_ == Kind::parts; }
    double margin() const { return margin_; }
    const std::vector<Part>& parts() const { return parts_; }
    /// Tree over the parts, by their numbers, in the frame of the collider. Empty for a single
    /// part.
    const BoundsTree& tree() const { return tree_; }
    /// Around all parts in that frame.
    const Bounds& bounds() const { return bounds_; }

  private:
    friend class ColliderMaker;
    Kind kind_ = Kind::parts;
    double margin_ = 0;
    std::vector<Part> parts_;
    std::vector<std::shared_ptr<const Polytope>> held_;
    BoundsTree tree_{0};
    Bounds bounds_{zero3<double>(), zero3<double>()};
};

/// A part of a compound to be.
struct PlacedCollider {
    Collider collider;
    Pose<double> pose;
};

/// Sizes must be positive numbers between 1e-30 and 1e30, so that no product of seven of them
/// leaves the range of double. A margin is a layer all around. All problems are named at once. A
/// MeshShape is only a path: read it, then ask for collider_of_mesh; no shape is refused.
Result<Collider> collider_of(const Shape& shape, double margin = 0,
                             const std::string& place = "shape");
Result<Collider> collider_of_hull(std::span<const Vec3<double>> points, double margin = 0,
                                  const std::string& place = "hull");
/// Faces without area are edges or points and touch as such; indices that are no vertex, numbers
/// that are not finite and a mesh without faces are refused.
Result<Collider> collider_of_mesh(const Surface& mesh, double margin = 0,
                                  const std::string& place = "mesh");
/// Parts of compounds become parts of this one. Half-spaces and planes cannot be parts.
Result<Collider> compound_of(const std::vector<PlacedCollider>& parts,
                             const std::string& place = "compound");
Collider half_space(double margin = 0);
Collider plane(double margin = 0);

/// The box in the world; none for what has no bounds.
std::optional<Bounds> bounds_of(const Collider& collider, const Pose<double>& pose);

/// The pose of a part in the world.
inline Pose<double> pose_of(const Collider::Part& part, const Pose<double>& pose)
{
    return pose * part.pose;
}

} // namespace poinsot
