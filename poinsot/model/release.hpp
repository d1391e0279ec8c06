// SPDX-License-Identifier: MIT
#pragma once

// A joint or a bushing that lets go: a stage that separates, a load that is dropped, a wing
// that breaks. The scene declares it, at a time, when a tank is empty, or when a cut is loaded
// beyond its strength.
//
// Letting go is no push: places and momenta are the same before and after, and so is all energy but
// what a bushing held, which is lost. In joint
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
    int when_over = -1;                                  // a cut, instead of both
    int bushing = -1;                                    // instead of a joint, which is then -1
};

/// Names what is wrong with them, for the Builder.
void inspect_releases(const std::vector<Joint>& joints, const std::vector<Gear>& gears,
                      const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                      std::size_t bushings, std::size_t cuts, const std::vector<Release>& releases,
                      Problems& found);

} // namespace poinsot
