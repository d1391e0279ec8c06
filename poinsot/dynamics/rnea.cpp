// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/rnea.hpp"

namespace poinsot {

POINSOT_RNEA_FOR(, double);
POINSOT_RNEA_FOR(, Dual<double>);
POINSOT_RNEA_FOR(, LinkPack);

} // namespace poinsot
