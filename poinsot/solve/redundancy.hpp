// SPDX-License-Identifier: MIT
#pragma once

// Rows that repeat each other: which joints they belong to, how many ways to move are left, and how
// to share a load that the equations do not share out.
//
//     Jᵀ ν = 0            idle multipliers ν: they pull against each other and move nothing
//     λ + N c             all multipliers of the same motion, N the idle ones
//     Σ A_ii λ_i² → min   the share that is chosen, A = J M⁻¹ Jᵀ + s: no joint pulls for nothing
//
// Each row that the sparse solver leaves out gives one ν: the multipliers of the other rows that
// take over when it pulls with 1.

#include "poinsot/solve/tree_direct.hpp"

#include <string>

namespace poinsot {

struct Redundancy {
    struct Repeat {
        std::string name;                // of the joint or gear
        Block::Origin origin;            // what of it: the joint itself, or what drives it
        int repeated, rows;              // how many of how many rows
        std::vector<std::string> others; // joints that say the same together
        std::string text() const;        // in words
    };
    int rows = 0;    // rigid ones
    int rank = 0;    // those that are independent
    int freedom = 0; // ways to move that are left to the bodies
    std::vector<Repeat> repeats;
};
/// Of a model where it starts. A mechanism may gain or lose freedom at single places of its motion.
Redundancy redundancy_of(const Model& model);

/// Do any rows of a model repeat others where it starts? If they do not there, they do so nowhere
/// but at single places.
bool rows_repeat(const Model& model);

/// The idle multipliers of factorised rows, one list per row that was left out.
std::vector<std::vector<double>> idle_multipliers(const Rows& rows, TreeDirect& solver);

/// Of all multipliers that make the same motion, the smallest in the sense above.
void share_least(const Rows& rows, std::span<const MovingMass> masses, TreeDirect& solver,
                 std::vector<double>& lambda);

} // namespace poinsot
