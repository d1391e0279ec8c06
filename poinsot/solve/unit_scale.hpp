// SPDX-License-Identifier: MIT
#pragma once

// The unit in which a diagonal element of W is near 1: with r = d r' and u' = d u it is d² W,
// between 1/2 and 2. A power of two, so that scaling rounds nothing.

#include <cmath>

namespace poinsot {

inline double unit_scale(double w)
{
    int exponent = 0;
    std::frexp(w, &exponent); // w = m 2^exponent, ½ ≤ m < 1
    return std::ldexp(1.0, -(exponent >= 0 ? exponent / 2 : (exponent - 1) / 2));
}

} // namespace poinsot
