// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/crba.hpp"

namespace poinsot {

POINSOT_CRBA_FOR(, double);

} // namespace poinsot
