// SPDX-License-Identifier: MIT
#pragma once

// What a pilot sets: an elevator, an aileron, a throttle. A control is a number with a schedule in
// time, linear between its nodes and held before the first and after the last, and with limits
// that the schedule keeps. Coefficients of the air (model/flight.hpp) grow with it or are tables
// over it; loads (model/force.hpp) and flows (model/throttle.hpp) are scaled by it.

#include "poinsot/base/result.hpp"

#include <limits>
#include <string>
#include <vector>

namespace poinsot {

struct Control {
    std::string name;
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    std::vector<double> times{0}, values{0}; // s, strictly increasing; radians, or a share

    /// c(t) = (1 − s) c_i + s c_{i+1},   s = (t − t_i)/(t_{i+1} − t_i)
    double at(double t) const;
    bool within_limits(double value) const { return value >= lower && value <= upper; }
};

/// Names what is wrong with them, for the Builder; `used` says of each whether something takes it.
void inspect_controls(const std::vector<Control>& controls, const std::vector<char>& used,
                      Problems& found);

} // namespace poinsot
