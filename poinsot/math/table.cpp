// SPDX-License-Identifier: MIT
#include "poinsot/math/table.hpp"

#include <array>

namespace poinsot {

double Table::at(std::span<const double> x) const
{
    std::array<double, 8> corner{}; // of the cell; bit k of the index: the upper node of axis k
    std::array<double, 3> s{};
    std::array<std::size_t, 8> node{};
    const std::size_t n = std::min<std::size_t>(axes.size(), s.size());
    for (std::size_t k = 0; k < n; ++k) {
        const TableCell cell = locate(axes[k], x[k], beyond);
        s[k] = cell.s;
        for (std::size_t c = 0; c < corner.size(); ++c)
            node[c] = node[c] * axes[k].size() + cell.i + (c >> k & 1);
    }
    for (std::size_t c = 0; c < std::size_t(1) << n; ++c)
        corner[c] = values[node[c]];
    for (std::size_t k = n; k-- > 0;)
        for (std::size_t c = 0; c < std::size_t(1) << k; ++c)
            corner[c] = between(corner[c], corner[c + (std::size_t(1) << k)], s[k]);
    return corner[0];
}

std::string why_no_axis(std::span<const double> nodes)
{
    if (nodes.size() < 2)
        return text_of("an axis needs at least two nodes, has ", nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!std::isfinite(nodes[i]))
            return text_of("node ", i + 1, " of an axis must be finite, is ", nodes[i]);
        if (i > 0 && !(nodes[i] > nodes[i - 1]))
            return text_of("an axis must increase from node to node; node ", i + 1, " is ",
                           nodes[i], " after ", nodes[i - 1]);
    }
    return "";
}

void inspect(const Table& table, const std::string& place, const std::string& key, Problems& found)
{
    if (table.axes.empty() || table.axes.size() > 3) {
        found.add_at(place, key, "a table has one, two or three axes, this has ",
                     table.axes.size());
        return;
    }
    std::size_t nodes = 1;
    for (const std::vector<double>& axis : table.axes) {
        nodes *= axis.size();
        if (const std::string why = why_no_axis(axis); !why.empty())
            found.add_at(place, key, why);
    }
    if (table.values.size() != nodes)
        found.add_at(place, key, "a table needs a value at each of its ", nodes, " nodes, has ",
                     table.values.size());
    for (const double value : table.values)
        if (!std::isfinite(value)) {
            found.add_at(place, key, "the values of a table must be finite, one is ", value);
            break;
        }
}

} // namespace poinsot
