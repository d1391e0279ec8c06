// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/aba.hpp"

namespace poinsot {

POINSOT_ABA_FOR(, double);
POINSOT_ABA_FOR(, Dual<double>);
POINSOT_ABA_FOR(, LinkPack);

} // namespace poinsot
