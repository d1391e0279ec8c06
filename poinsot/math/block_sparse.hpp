// SPDX-License-Identifier: MIT
#pragma once

// Block LDLᵀ along an elimination tree: symmetric K x = b of 6×6 blocks, most of them zero.
//
// Nodes are eliminated in a given order. Node v has a pivot block K_vv and blocks K_vp towards the
// nodes p that come later and are coupled to it, by K itself or by what was eliminated before:
//
//     K_vv = L D Lᵀ         Y_p = L⁻¹ K_vp        K_pq ← K_pq − Y_pᵀ D⁻¹ Y_q
//     y = L⁻¹ b_v           b_p ← b_p − Y_pᵀ D⁻¹ y                  on the way up
//     x_v = L⁻ᵀ D⁻¹ (y − Σ_p Y_p x_p)                               on the way down
//
// A tree eliminated from its leaves to its root has one p per node: no block appears that K did not
// have, and time and memory are linear. Which blocks appear is found once; the numbers then need no
// allocation. A pivot of D that does not exceed its threshold is left out, with its unknown zero:
// so are the rows that pad a smaller node to six, and those that repeat what others say.
//
// There is no pivoting across nodes: the order must see to it that every K_vv that comes up is
// definite, whatever its sign. [Baraff 1996] shows the order for linkages.

#include "poinsot/math/spatial.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace poinsot {

using Vec6 = std::array<double, 6>;

class BlockSparse {
  public:
    BlockSparse() = default;
    /// `order` names every node once; `pairs` are the nodes that K couples.
    BlockSparse(std::span<const int> order, std::span<const std::array<int, 2>> pairs);

    int nodes() const { return static_cast<int>(place_.size()); }
    /// All blocks that are kept, pivots included: memory, and what the order is good for.
    std::size_t blocks() const { return diagonal_.size() + next_.size(); }
    bool before(int i, int j) const { return place(i) < place(j); }

    /// A new K: zeroes the blocks that K itself does not have. All its pivots and the blocks of all
    /// its pairs are then to be given, each whole.
    void begin();
    /// The pivot block of a node.
    Mat6<double>& pivot(int node) { return diagonal_[place(node)]; }
    /// The size that each pivot of a node must exceed, or else its row repeats others and is left
    /// out. The rows of such a node are taken in the order of what is left of them.
    void set_threshold(int node, const Vec6& threshold);
    /// Where the block of two coupled nodes is: its rows are those of i, which comes first.
    std::size_t slot(int i, int j) const;
    Mat6<double>& block(std::size_t slot) { return next_block_[slot]; }

    /// From K to its factors, in place.
    void factorise();
    /// From b to x, in place, by node.
    void solve(std::span<Vec6> x);

    /// Was row k of a node left out?
    bool left_out(int node, std::size_t k) const;

  private:
    std::size_t place(int node) const { return place_[static_cast<std::size_t>(node)]; }

    std::vector<std::size_t> place_;   // of each node in the order
    std::vector<std::size_t> first_;   // of the later neighbours of each place; one more at the end
    std::vector<std::size_t> next_;    // places of later neighbours, ascending
    std::vector<std::size_t> fill_;    // blocks that K does not have
    std::vector<std::size_t> targets_; // per place, per pair of neighbours: the block it changes
    std::vector<Mat6<double>> diagonal_, next_block_;
    std::vector<Vec6> inverse_, threshold_, work_;
    std::vector<std::array<std::size_t, 6>> order_; // of the rows of a node with a threshold
    std::vector<bool> ordered_;
};

} // namespace poinsot
