// SPDX-License-Identifier: MIT
#pragma once

// The time at which a function changes sign: by bisection to the last bit, certain, and cheap
// beside the step that brought us here; or, where every value costs a step, by false position.

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

/// A place at which f is negative, no further than `tolerance` beyond one at which it is not, for
/// f(a) = f_a ≥ 0 and f(b) = f_b < 0. False position; an end that stays twice is given half its
/// weight (Illinois), and where three values have not halved the bracket it is cut in the middle.
/// A value that is no number ends the search where it stands.
template <class Function>
double crossing(Function f, double a, double f_a, double b, double f_b, double tolerance)
{
    double weight_a = f_a, weight_b = f_b;
    double third = INFINITY, second = INFINITY, last = INFINITY; // how wide the bracket was
    int stayed = 0;                                              // which end did: −1 is a, 1 is b
    while (b - a > tolerance) {
        const bool slow = b - a > 0.5 * third;
        double x = slow ? a + 0.5 * (b - a) : b - weight_b * (b - a) / (weight_b - weight_a);
        third = second;
        second = last;
        last = b - a;
        const double least = 0.5 * tolerance;
        x = x > a + least ? x : a + least;
        x = x < b - least ? x : b - least;
        if (!(a < x && x < b))
            return b;
        const double value = f(x);
        if (std::isnan(value))
            return b;
        if (value < 0) {
            b = x;
            weight_b = value;
            weight_a *= stayed == -1 ? 0.5 : 1.0;
            stayed = -1;
        } else {
            a = x;
            weight_a = value;
            weight_b *= stayed == 1 ? 0.5 : 1.0;
            stayed = 1;
        }
    }
    return b;
}

} // namespace poinsot
