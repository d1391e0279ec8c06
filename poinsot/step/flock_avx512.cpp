// SPDX-License-Identifier: MIT
// The flock's kernel for registers of eight doubles. Everything it uses is compiled under a name of
// its own, so that no function built with wide instructions can stand in for one of the same name
// elsewhere.

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#define poinsot poinsot_avx512
#include "poinsot/integrate/free_flight.hpp"
#include "poinsot/math/pack.hpp"
namespace poinsot {
#include "poinsot/step/flock_kernel.inc"
}
#undef poinsot

#include "poinsot/step/flock_data.hpp"

namespace poinsot {

void fly_blocks_avx512(FlockBlock* blocks, std::size_t count, double h, FlockSums* sums)
{
    poinsot_avx512::fly<8>(blocks, count, h, sums);
}

} // namespace poinsot
