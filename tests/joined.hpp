// SPDX-License-Identifier: MIT
#pragma once

// Worlds with joints that several tests bind, solve and run.

#include "poinsot/constraints/bind.hpp"
#include "poinsot/solve/direct.hpp"
#include "worlds.hpp"

namespace poinsot {

Body some_body(const std::string& name, Dice& dice);
Pose<double> some_pose(Dice& dice);

/// A pose and a motion of frame b in frame a (axes of a, at the origin of b) that a kind allows.
struct Allowed {
    Pose<double> pose;
    Twist<double> twist;
};
Allowed allowed(Joint& joint, Dice& dice);

/// Puts body b of a joint where frame b is allowed to be, moving as it may.
void put(Builder& builder, Joint& joint, const Allowed& as);

/// Two bodies (or one and the world) with a joint of one kind, somewhere in the midst of a motion
/// that the joint allows.
Builder joined_pair(JointKind kind, std::uint64_t seed, bool to_world = false);

/// A course that leaves a place with a speed.
Course course_from(double q, double speed);

/// The rows of a model at its start.
struct Bound {
    std::shared_ptr<const Model> model;
    Placed placed;
    Rows rows;

    explicit Bound(std::shared_ptr<const Model> given, double t = 0)
        : model(std::move(given)), placed(place(*model, start_of<MomentumForm<double>>(*model)))
    {
        bind_joints(*model, placed, t, rows);
    }
};

/// Some tree of bodies: each new one is joined, by a joint of some kind that carries, to an earlier
/// one or to the world.
Builder some_tree(int bodies, std::uint64_t seed);
/// Some tree at rest with loops closed: joints between bodies wherever they happen to be.
Builder some_loops(int bodies, int loops, std::uint64_t seed);
/// Largest over smallest eigenvalue of J M⁻¹ Jᵀ, without those that are zero.
double condition_of(const Direct& dense);

/// A hinge about z at a point of each body.
Joint hinge(const std::string& name, int a, const V3& in_a, int b, const V3& in_b);
/// A planar four-bar of three rods of one metre between pivots one metre apart, cranks upright, the
/// left one turning; revolutes all, so three of its rows repeat the others.
Builder parallelogram();
/// The same world turned about the origin: bodies, gravity, and what is fixed to the world.
Builder turned(Builder b, const Quat<double>& by);
/// The second benchmark of multibody codes, A02: windows of rods of 1 kg and 1 m, cranks upright
/// and turning with 1 rad/s clockwise. Hinges all; every window closes at the upper end of its
/// right crank.
Builder four_bar(int windows);
/// Three bodies on the world; the first is driven, and the slide of the third geared to it.
Builder driven_and_geared();

} // namespace poinsot
