// SPDX-License-Identifier: MIT
#pragma once

// Block LDLᵀ along an elimination tree: symmetric K x = b of blocks, most of them zero. A node has
// one to six unknowns.
//
// Nodes are eliminated in a given order. Node v has a pivot block K_vv and blocks K_vp towards the
// nodes p that come later and are coupled to it, by K itself or by what was eliminated before:
//
//     K_vv = L D Lᵀ         Y_p = L⁻¹ K_vp        K_pq ← K_pq − Y_pᵀ D⁻¹ Y_q
//     G_p = L⁻ᵀ D⁻¹ Y_p     b_p ← b_p − G_pᵀ b_v                    on the way up
//     x_v = L⁻ᵀ D⁻¹ L⁻¹ b_v − Σ_p G_p x_p                           on the way down
//
// One node waits for the other, up and down: with G = K_vv⁻¹ K_vp at hand it waits for six products
// and not for two triangles.
//
// A tree eliminated from its leaves to its root has one p per node: no block appears that K did not
// have, and time and memory are linear. Which blocks appear is found once; the numbers then need no
// allocation. A pivot of D that does not exceed its threshold is left out, with its unknown zero:
// so are the rows that repeat what others say. All blocks are kept as 6×6, padded with zeros.
//
// There is no pivoting across nodes: the order must see to it that every K_vv that comes up is
// definite, whatever its sign. [Baraff 1996] shows the order for linkages.

#include "poinsot/math/wide.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace poinsot {

class BlockSparse {
  public:
    BlockSparse() = default;
    /// `order` names every node once; `pairs` are the nodes that K couples; `sizes` are by node,
    /// six where none are given.
    BlockSparse(std::span<const int> order, std::span<const std::array<int, 2>> pairs,
                std::span<const int> sizes = {});

    int nodes() const { return static_cast<int>(place_.size()); }
    /// All blocks that are kept, pivots included: memory, and what the order is good for.
    std::size_t blocks() const { return diagonal_.size() + slots_.size(); }
    /// How many blocks are multiplied and taken from another by `factorise`: its work.
    std::size_t products() const { return targets_.size(); }
    bool before(int i, int j) const { return place(i) < place(j); }

    /// A new K: zeroes the blocks that may fill. All its pivots and the blocks of all
    /// its pairs are then to be given, as many rows and columns of each as its nodes have; of a
    /// pivot what is below the diagonal is not read. What pads them is zero and stays so.
    void begin();
    /// The pivot block of a node.
    Mat6<double>& pivot(int node) { return diagonal_[place(node)]; }
    /// The size that each pivot of a node must exceed, or else its row repeats others and is left
    /// out. The rows of such a node are taken in the order of what is left of them.
    void set_threshold(int node, const Vec6& threshold);
    /// Where the block of two coupled nodes is: its rows are those of i, which comes first.
    std::size_t slot(int i, int j) const;
    Mat6<double>& block(std::size_t slot) { return next_block_[slot]; }
    /// Instead of writing a block: where its rows are, each of six numbers and so many wrenches
    /// after the one before; or its columns. Read by the next `factorise`.
    void give_rows(std::size_t slot, const Wrench<double>* first, int stride)
    {
        give(slot, first, stride, false);
    }
    void give_columns(std::size_t slot, const Wrench<double>* first, int stride)
    {
        give(slot, first, stride, true);
    }

    /// From K to its factors, in place.
    void factorise();
    /// From b to x, in place, by node; what pads b is zero.
    void solve(std::span<Vec6> x) const;

    /// Was row k of a node left out?
    bool left_out(int node, std::size_t k) const;

  private:
    /// A place in the order. There is one more at the end, for its `first`.
    struct Place {
        std::size_t first; // of its later neighbours
        int node = 0;
        unsigned char size = 6;
        bool ordered = false; // its rows go by what is left of them
    };
    /// A later neighbour: where it is, and its block.
    struct Slot {
        std::size_t place;
        const Wrench<double>* source = nullptr; // none: the block itself is written
        int stride = 0;
        bool columns = false; // or rows
        bool changed = false; // by elimination, before it comes to the block
    };
    std::size_t place(int node) const { return place_[static_cast<std::size_t>(node)]; }
    void give(std::size_t slot, const Wrench<double>* first, int stride, bool columns)
    {
        slots_[slot].source = first;
        slots_[slot].stride = stride;
        slots_[slot].columns = columns;
    }
    template <std::size_t n>
    std::array<Wide, 6> rows_of(const Slot& slot, const Mat6<double>& block) const;
    template <std::size_t n>
    void eliminate(std::size_t v, std::size_t& pair);
    template <std::size_t n>
    void solve_up(std::size_t v, std::span<Vec6> x) const;
    template <std::size_t n>
    void solve_down(std::size_t v, std::span<Vec6> x) const;

    std::vector<std::size_t> place_; // of each node in the order
    std::vector<Place> places_;
    std::vector<Slot> slots_;          // per place, ascending
    std::vector<std::size_t> fill_;    // blocks that elimination changes before it comes to them
    std::vector<std::size_t> targets_; // per place, per pair of neighbours: the block it changes
    std::vector<Mat6<double>> diagonal_, next_block_;
    std::vector<Vec6> inverse_, threshold_;
    std::vector<std::array<std::size_t, 6>> order_; // of the rows of a node with a threshold
};

} // namespace poinsot
