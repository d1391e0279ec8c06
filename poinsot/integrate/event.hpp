// SPDX-License-Identifier: MIT
#pragma once

// The time at which a function changes sign, by bisection to the last bit: certain, and cheap
// beside the step that brought us here.

#include <cmath>
#include <optional>

namespace poinsot {

/// The first double after a change of sign of g between a and b, or none where g(a) and g(b) have
/// the same sign. One change of sign is assumed; of several one is found. A zero at an end is found
/// there, so a zero on the border of two intervals is found in both.
template <class Function>
std::optional<double> event_time(Function g, double a, double b)
{
    const double at_a = g(a);
    if (at_a == 0)
        return a;
    const double at_b = g(b);
    if (at_b == 0)
        return b;
    if (!(std::signbit(at_a) != std::signbit(at_b)) || std::isnan(at_a) || std::isnan(at_b))
        return std::nullopt;
    for (;;) {
        const double middle = a + 0.5 * (b - a);
        if (!(a < middle && middle < b))
            return b;
        const double value = g(middle);
        if (std::signbit(value) == std::signbit(at_a) && value != 0)
            a = middle;
        else
            b = middle;
    }
}

} // namespace poinsot
