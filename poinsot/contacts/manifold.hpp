// SPDX-License-Identifier: MIT
#pragma once

// Contact points of a pair, matched with the step before.
//
// Points of contact are known by the features that make them (patch.hpp). A point whose features
// touched in the step before takes over what was solved there, so that a solver begins where it
// ended: a stack at rest then needs no more than a look.
//
// Plain records, in ascending order of (a, b, part_a, part_b): the same order and the same bits on
// every run, and easy to copy into lanes.

#include "poinsot/geometry/part_pairs.hpp"

#include <span>

namespace poinsot {

struct ContactPoint {
    Vec3<double> on_a, on_b; // in the world: on_b − on_a = gap · normal
    double gap;              // below zero: depth
    std::uint32_t feature;
    bool old;                      // it was there in the step before
    std::array<double, 3> impulse; // along the normal and the two tangents: to begin with
};

struct Manifold {
    int a, b, part_a, part_b;
    Vec3<double> normal, tangent; // unit; the second tangent is normal × tangent
    int count;
    std::array<ContactPoint, 4> point;
    SearchCache cache; // for the same pair of parts in the next step
};

/// Which pair of parts a manifold belongs to.
inline std::array<int, 4> key_of(const Manifold& m)
{
    return {m.a, m.b, m.part_a, m.part_b};
}

/// Its points are those of a patch, all new.
void set_points(Manifold& m, const Patch& patch);

/// A direction across the normal that turns smoothly with it, except at one pole.
Vec3<double> tangent_of(const Vec3<double>& normal);

/// Memory for putting contacts of parts together (seams.hpp).
struct SeamSearch {
    std::vector<Manifold> parts; // of one pair
    std::vector<Spot> spots;
    std::vector<std::array<int, 3>> order; // two bodies, and which contact
    std::vector<char> hidden;
    DepthSearch depth;
};

class Contacts {
  public:
    /// Finds the contacts of these pairs, ascending and each once, as a broadphase gives them: all
    /// points closer than `margin`. What was solved for the features of the last call is carried
    /// over, turned into the new plane of contact. Allocates only while there are more than ever.
    /// `owners`: the bodies of the skins; none: each is its own.
    std::span<Manifold> find(std::span<const std::pair<int, int>> pairs,
                             std::span<const Collider* const> shapes,
                             std::span<const Pose<double>> poses, double margin,
                             std::span<const int> owners = {});

    std::span<Manifold> manifolds() { return now_; }
    std::span<const Manifold> manifolds() const { return now_; }
    /// Forgets the past: the next contacts are all new.
    void clear() { now_.clear(); }

  private:
    std::vector<Manifold> now_, before_;
    PartWorkspace work_;
    SeamSearch seams_;
};

/// Takes impulses and caches of the step before over to points of the same features. Both lists are
/// in the order of their keys.
void carry_over(std::span<const Manifold> before, std::span<Manifold> now);

} // namespace poinsot
