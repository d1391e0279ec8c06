// SPDX-License-Identifier: MIT
// The kernels of ensembles for registers of eight doubles. Everything they use is compiled under a
// name of its own, so that no function built with wide instructions can stand in for one of the
// same name elsewhere; tests/own_names.py reads the object file.

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

#define poinsot poinsot_avx512
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/integrate/joint_stages.hpp"
namespace poinsot {
#include "poinsot/step/ensemble_kernel.inc"
}
#undef poinsot

#include "poinsot/step/ensemble_data.hpp"

namespace poinsot {

[[noreturn]] void broken_promise(const char* what, const char* file, int line);

const EnsembleKernels ensemble_avx512{
    "avx512",
    8,
    true,
    poinsot_avx512::make_ensemble_scratch<8, EnsembleTree>,
    poinsot_avx512::drop_ensemble_scratch<8>,
    poinsot_avx512::ensemble_forward<8, EnsembleOwn>,
    poinsot_avx512::ensemble_inverse<8, EnsembleOwn>,
    poinsot_avx512::ensemble_run<8, EnsembleRun>,
    poinsot_avx512::ensemble_transpose<8>,
};

} // namespace poinsot

namespace poinsot_avx512 {

void broken_promise(const char* what, const char* file, int line)
{
    poinsot::broken_promise(what, file, line);
}

} // namespace poinsot_avx512
