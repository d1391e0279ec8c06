// SPDX-License-Identifier: MIT
// The kernels of ensemble_avx512.cpp with the instructions of this build: what eight lanes compute
// can be tested on machines that have registers for four.

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#define poinsot poinsot_eight
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/integrate/joint_stages.hpp"
namespace poinsot {
#include "poinsot/step/ensemble_kernel.inc"
}
#undef poinsot

#include "poinsot/step/ensemble_data.hpp"

namespace poinsot {

[[noreturn]] void broken_promise(const char* what, const char* file, int line);

extern const EnsembleKernels ensemble_of_eight;
const EnsembleKernels ensemble_of_eight{
    "eight lanes",
    8,
    false,
    poinsot_eight::make_ensemble_scratch<8, EnsembleTree>,
    poinsot_eight::drop_ensemble_scratch<8>,
    poinsot_eight::ensemble_forward<8, EnsembleOwn>,
    poinsot_eight::ensemble_inverse<8, EnsembleOwn>,
    poinsot_eight::ensemble_run<8, EnsembleRun>,
    poinsot_eight::ensemble_transpose<8>,
};

} // namespace poinsot

namespace poinsot_eight {

void broken_promise(const char* what, const char* file, int line)
{
    poinsot::broken_promise(what, file, line);
}

} // namespace poinsot_eight
