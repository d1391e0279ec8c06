// SPDX-License-Identifier: MIT
#pragma once

// Numbers known at the nodes of a grid of one, two or three axes, linear between them.
//
//     f(x) = (1 − s) f_i + s f_{i+1},   s = (x − a_i)/(a_{i+1} − a_i)      along each axis in turn
//
// Beyond its ends a table is never continued. The user says which of two things it then does: hold
// the value of the nearest end, or refuse, which gives NaN and ends a run with its reason.

#include "poinsot/base/result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace poinsot {

enum class Beyond : unsigned char { refuse, hold };

/// Between which two nodes, i and i + 1, and how far: 0 ≤ s ≤ 1, or NaN where the table refuses.
struct TableCell {
    std::size_t i;
    double s;
};
inline TableCell locate(std::span<const double> nodes, double x, Beyond beyond)
{
    if (!(x >= nodes.front() && x <= nodes.back())) {
        if (beyond == Beyond::refuse || std::isnan(x))
            return {0, std::numeric_limits<double>::quiet_NaN()};
        x = x < nodes.front() ? nodes.front() : nodes.back();
    }
    const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, x);
    const auto i = static_cast<std::size_t>(above - nodes.begin()) - 1;
    return {i, (x - nodes[i]) / (nodes[i + 1] - nodes[i])};
}
/// Both ends give their values to the last bit.
template <class V>
V between(const V& a, const V& b, double s)
{
    return (1 - s) * a + s * b;
}

struct Table {
    std::vector<std::vector<double>> axes; // one, two or three; each strictly increasing
    std::vector<double> values;            // at every node, the last axis running fastest
    Beyond beyond = Beyond::refuse;

    /// One number per axis. The table must have passed `inspect`.
    double at(std::span<const double> x) const;
};

/// Why no table has this axis; empty if one can.
std::string why_no_axis(std::span<const double> nodes);

/// Names what is wrong with a table.
void inspect(const Table& table, const std::string& place, const std::string& key, Problems& found);

} // namespace poinsot
