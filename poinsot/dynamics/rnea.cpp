// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/rnea.hpp"

namespace poinsot {

POINSOT_RNEA_FOR(, double);

} // namespace poinsot
