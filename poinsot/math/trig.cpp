// SPDX-License-Identifier: MIT
#include "poinsot/math/trig.hpp"

namespace poinsot {

template SinCos<double> sin_cos(double);
template double atan2(double, double);

} // namespace poinsot
