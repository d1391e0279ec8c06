// SPDX-License-Identifier: MIT
#pragma once

// The plain memory of a flock, shared by the copies of its kernel for each instruction set. It
// includes nothing of ours: such a copy may not meet a function that was compiled for another
// machine.

#include <cstddef>

namespace poinsot {

/// Eight free bodies, number by number.
struct alignas(64) FlockBlock {
    static constexpr std::size_t lanes = 8;
    double x[3][lanes], q[4][lanes], p[3][lanes], L[3][lanes], inv_m[lanes], inv_I[3][lanes];
};

/// What a kernel adds up over a run of blocks, lane by lane.
struct alignas(64) FlockSums {
    double p[3][8], L[3][8], T[8];
};

/// Flies `count` blocks for a time h; adds the totals at the start onto `sums` where it is not
/// null.
void fly_blocks(FlockBlock* blocks, std::size_t count, double h, FlockSums* sums);
void fly_blocks_avx512(FlockBlock* blocks, std::size_t count, double h, FlockSums* sums);

} // namespace poinsot
