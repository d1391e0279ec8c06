// SPDX-License-Identifier: MIT
#pragma once

// A joint that lets go: a stage that separates, a load that is dropped. The scene declares it, at a
// time or when a tank is empty.
//
// Letting go is no push: places, momenta and energy are the same before and after. In joint
// coordinates such a joint is rows from the start, as one that closes a loop, so that nothing else
// changes when they are gone; the body that it alone would carry floats.

#include "poinsot/base/result.hpp"
#include "poinsot/model/joint.hpp"
#include "poinsot/model/tank.hpp"

namespace poinsot {

struct Release {
    std::string name;
    int joint = 0;
    double at = std::numeric_limits<double>::infinity(); // s
    int when_empty = -1;                                 // a tank, instead of a time
};

/// Names what is wrong with them, for the Builder.
void inspect_releases(const std::vector<Joint>& joints, const std::vector<Gear>& gears,
                      const std::vector<Tank>& tanks, const std::vector<Release>& releases,
                      Problems& found);

} // namespace poinsot
