// SPDX-License-Identifier: MIT
#pragma once

// What binds it? Every joint, gear and prescribed coordinate of a model as rows.
//
//     kind         rows
//     weld         three points along the world's axes; x_a·z_b, y_a·z_b, x_a·y_b
//     revolute     three points;                        x_a·z_b, y_a·z_b
//     ball, point  three points
//     universal    three points;                        z_a·x_b
//     prismatic    x_a and y_a planes;                  x_a·z_b, y_a·z_b, x_a·y_b
//     cylindrical  x_a and y_a planes;                  x_a·z_b, y_a·z_b
//     planar       z_a plane;                           x_a·z_b, y_a·z_b
//     screw        as cylindrical; and z_a·d − pitch (angle + whole turns) = 0
//     parallel                                          x_a·z_b, y_a·z_b
//     distance     |d| − l
//     rolling      height; two directions without slip
//
//     strut, swing none; their coordinates have rows where something binds them
//
//     gear         q₁ − q₁(0) − ratio (q₂ − q₂(0))
//     prescribed   q − course(t)
//     motion       a weld or a point whose first frame is where it is told to be at t
//     limit        q − lower, or upper − q, while the coordinate stands there: λ pushes
//     armature     soft: Q = −A q̈
//
// Blocks come in this order: joints, gears, prescribed coordinates, armatures, limits; within each
// as they are listed.

#include "poinsot/constraints/row.hpp"
#include "poinsot/state/placed.hpp"

namespace poinsot {

/// Rows of everything that binds the bodies of a model, at time t, and of the stops at which
/// coordinates stand. `placed` has its joints.
void bind_joints(const Model& model, const Placed& placed, double t, Rows& out,
                 std::span<const Stop> standing = {});

/// The rows that joint coordinates leave: joints that are not of the tree, gears, and prescribed
/// coordinates. A drive's inertia is the linkage's, unless its joint closes a loop.
void bind_loops(const Model& model, const Placed& placed, double t, Rows& out,
                std::span<const Stop> standing = {});
/// Rows of stops alone.
void bind_stops(const Model& model, const Placed& placed, std::span<const Stop> stops, Rows& out);
/// Adds a row of coordinate k of joint j behind those that are there: its g is q, its ġ is q̇.
void add_coordinate(const Model& model, const Placed& placed, int j, int k, Block::Origin origin,
                    Cause cause, Rows& out);
/// Does a model have rows that joint coordinates leave, wherever its coordinates stand?
bool has_loops(const Model& model);

/// ġ of every row for the motion that `placed` has now.
void measure_speeds(const Placed& placed, Rows& rows);

/// Does row k of a block bind places? Rolling without slip binds velocities alone; the inertia of a
/// drive binds neither.
bool binds_place(const Model& model, const Block& block, int k);
/// Lets rows that bind velocities alone give way, for those who look for places.
void free_velocities(const Model& model, Rows& rows);

} // namespace poinsot
