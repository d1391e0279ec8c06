// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/crba.hpp"

namespace poinsot {

POINSOT_CRBA_FOR(, double);
POINSOT_CRBA_FOR(, Dual<double>);
POINSOT_CRBA_FOR(, LinkPack);

} // namespace poinsot
