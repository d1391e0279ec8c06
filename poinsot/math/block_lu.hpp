// SPDX-License-Identifier: MIT
#pragma once

// Block LU: K x = b of 6×6 blocks, most of them zero. Blocks come in pairs, K_ij and K_ji, and need
// not be each other's transposes: so is the stiffness of bodies that touch and slide.
//
// Nodes are eliminated in the order of fewest neighbours. Node v, with neighbours p and q that come
// later:
//
//     X_q = K_vv⁻¹ K_vq       K_pq ← K_pq − K_pv X_q
//     z_v = K_vv⁻¹ b_v        b_p ← b_p − K_pv z_v                   on the way up
//     x_v = z_v − Σ X_q x_q                                          on the way down
//
// Rows are exchanged within a pivot block, not between blocks: a matrix whose symmetric part is
// definite needs no more. Sums run in the order of nodes: bits do not depend on the compiler.

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace poinsot {

class BlockLu {
  public:
    using Six = std::array<double, 6>;
    using Part = std::array<Six, 6>; // by rows

    /// `pairs` are the nodes that K couples, in any order and as often as they come.
    void analyse(int nodes, std::span<const std::pair<int, int>> pairs);
    int nodes() const { return static_cast<int>(place_.size()); }
    /// All blocks that are kept, pivots included.
    std::size_t blocks() const { return pivot_.size() + 2 * next_.size(); }

    /// A new K: all blocks zero, to be added to.
    void begin();
    /// K_ij of a node or of two that are coupled.
    Part& part(int i, int j);

    /// From K to its factors, in place. False: a pivot block has no inverse.
    bool factorise();
    /// From b to x, in place, by node.
    void solve(std::span<Six> x) const;

  private:
    struct Pivot {
        Part rows{}; // of L below the diagonal and of U, whose diagonal is inverted
        std::array<int, 6> order{};
    };
    std::size_t find(std::size_t from, std::size_t to) const;

    std::vector<std::size_t> place_;   // of each node in the order
    std::vector<std::size_t> node_;    // at each place
    std::vector<std::size_t> first_;   // of the later neighbours of each place; one more at the end
    std::vector<std::size_t> next_;    // places of later neighbours, ascending
    std::vector<std::size_t> targets_; // per place, per two of its neighbours p < q: block p to q
    std::vector<Pivot> pivot_;
    std::vector<Part> upper_, lower_; // K_vp, at last X_p; and K_pv
};

} // namespace poinsot
