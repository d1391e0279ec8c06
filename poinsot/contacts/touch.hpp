// SPDX-License-Identifier: MIT
#pragma once

// A point of touch, as those see it who look.

#include "poinsot/math/vec3.hpp"

namespace poinsot {

struct TouchRecord {
    int a = 0, b = 0; // skins
    Vec3<double> point, normal;
    double gap = 0;
    Vec3<double> impulse; // on b at the point, N s
    Vec3<double> moment;  // of torsion and rolling, on b, N m s
    double slip = 0;      // m/s, after it
    bool ahead = false;   // it was held before it touched
};

} // namespace poinsot
