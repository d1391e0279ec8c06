// SPDX-License-Identifier: MIT
#pragma once

// What a motor or the dry friction of a joint did in a step by impulses (drives.hpp).

#include "poinsot/model/cause.hpp"

namespace poinsot {

/// Along its coordinate: on b.
struct DriveRecord {
    int joint = 0, coordinate = 0;
    Cause cause = Cause::motor;
    double impulse = 0; // N s, N m s
};

} // namespace poinsot
