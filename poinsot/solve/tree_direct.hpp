// SPDX-License-Identifier: MIT
#pragma once

// Sparse Lagrange multipliers in O(n).
//
//     [ M   Jᵀ ] [  u ]   [ f ]
//     [ J  −s  ] [ −λ ] = [ b ]        one node per body, one per block of rows
//
// eliminated along the tree of bonds from its leaves to its roots: a body, then the block that
// binds it to the body it hangs on [Baraff 1996]. A body's pivot is positive definite: its inertia
// and what its branches add. A block's pivot is negative definite, −J A⁻¹ Jᵀ with the A of the body
// before it. No block appears that the matrix did not have: time and memory are linear.
//
// A block that closes a loop, or a gear, waits until the body is done at which all the branches it
// touches meet: then it is definite unless it repeats what the loop already says. It costs a few
// blocks for every body along the loop. Rows that repeat are left out, by a pivot below 1e-12 of
// what it would be without the other rows; their multipliers are zero. The motion is right; how
// the load is shared among joints that repeat each other is one way out of many (Direct tells the
// smallest).
//
// That holds where joints are met. Away from there, by δ, a row that repeats others has a pivot of
// δ² and looks like one of its own: it would bind what nothing binds. So those who leave that
// place, as the stages of a step do, let it be decided there (`decide`), and what is left out stays
// so.
//
// The order is found once for a model. An answer whose residual is not near rounding is refined
// once.

#include "poinsot/math/block_sparse.hpp"
#include "poinsot/solve/problem.hpp"

namespace poinsot {

class TreeDirect {
  public:
    static constexpr double repeat_tolerance = 1e-12;
    /// For `decide` where joints are met to some 1e-5 only: places that were typed, or that drift.
    static constexpr double drift_tolerance = 1e-9;

    /// Takes the rows and masses of one moment; they must stay where they are until the last solve.
    void factorise(const Rows& rows, std::span<const MovingMass> masses);
    void solve(std::span<const Wrench<double>> f, std::span<const double> b, Answer& out);

    /// Which rows repeat others here? They are left out by every `factorise` of the same blocks,
    /// until that is forgotten. Pivots below the tolerance repeat.
    void decide(const Rows& rows, std::span<const MovingMass> masses, double tolerance);
    /// True if there was anything to forget.
    bool forget();
    /// Per row: is it left out by such a decision? Empty if none is.
    std::span<const char> decided() const { return decided_; }

    /// How many rows were not left out.
    int rank() const { return rank_; }
    /// Per row: was it left out because it repeats others?
    const std::vector<bool>& repeats() const { return repeats_; }
    std::size_t bodies() const { return masses_.size(); }
    /// How many 6×6 blocks are kept.
    std::size_t blocks() const { return matrix_.blocks(); }
    /// How many of them are multiplied to factorise.
    std::size_t products() const { return matrix_.products(); }

  private:
    struct Shape {
        int rows, bodies;
        std::array<int, Block::most_bodies> body;
    };
    struct Coupling {
        std::size_t slot;
        bool body_first;
    };
    bool planned_for(const Rows& rows, std::size_t bodies) const;
    void plan(const Rows& rows, std::size_t bodies);
    void solve_once(std::span<const Wrench<double>> f, std::span<const double> b);

    const Rows* rows_ = nullptr;
    std::span<const MovingMass> masses_;
    BlockSparse matrix_;
    std::vector<Shape> shape_;                                        // of the blocks planned for
    std::vector<std::array<Coupling, Block::most_bodies>> couplings_; // per block
    std::vector<std::size_t> doubtful_; // blocks that may repeat what others say
    std::size_t bodies_ = 0;
    int rank_ = 0;
    std::vector<bool> repeats_;
    std::vector<char> decided_;
    double tolerance_ = repeat_tolerance;
    std::vector<Vec6> x_;
    std::vector<Wrench<double>> f_;
    std::vector<double> b_;
};

} // namespace poinsot
