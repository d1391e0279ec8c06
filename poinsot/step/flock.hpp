// SPDX-License-Identifier: MIT
#pragma once

// Many free bodies in one loop: no loads, no bonds, nothing but flight. Eight bodies lie side by
// side in a block; the machine's registers take four or all eight of them at a time, and every body
// gets the bits it would get alone.

#include "poinsot/state/state.hpp"
#include "poinsot/step/flock_data.hpp"

#include <span>
#include <vector>

namespace poinsot {

/// Sums over all bodies at one moment, L about the world origin.
struct FlockTotals {
    double mass = 0;
    Vec3<double> p = zero3<double>(), L = zero3<double>();
    double T = 0;
};

class Flock {
  public:
    /// Blocks to one partial sum: totals add these up in order, whatever the width of the
    /// registers.
    static constexpr std::size_t blocks_per_sum = 512;

    struct Member {
        MomentumForm<double> state; // attitude of the principal axes
        double mass;
        Vec3<double> moments; // principal
    };

    /// Members beyond a multiple of eight share their block with bodies at rest that nobody sees.
    explicit Flock(std::span<const Member> members);

    std::size_t size() const { return size_; }
    /// Advances every body by h.
    void step(double h);
    /// The same, and returns the totals at the start of the step: what a ledger needs, found on the
    /// way.
    FlockTotals step_booked(double h);
    MomentumForm<double> state_of(std::size_t body) const;

    /// "avx512" or "as built": which copy of the kernel runs here.
    static const char* kernel();

  private:
    std::size_t size_;
    double mass_;
    std::vector<FlockBlock> blocks_;
};

} // namespace poinsot
