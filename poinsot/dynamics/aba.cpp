// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/aba.hpp"

namespace poinsot {

POINSOT_ABA_FOR(, double);

} // namespace poinsot
