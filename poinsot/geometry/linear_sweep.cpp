// SPDX-License-Identifier: MIT
#include "poinsot/geometry/linear_sweep.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <vector>

namespace poinsot {

namespace {

// A part of the unit cube: corners at lo, sides 2^−depth.
struct Cell {
    std::array<double, 3> lo, side; // t, u, v
    double spread;                  // largest variation of F
};

// The earliest first; of as early ones the one with the least left to settle, then a fixed order.
struct Later {
    bool operator()(const Cell& a, const Cell& b) const
    {
        if (a.lo[0] != b.lo[0])
            return a.lo[0] > b.lo[0];
        if (a.spread != b.spread)
            return a.spread > b.spread;
        return a.lo > b.lo;
    }
};

// F at a corner of a cell, from the eight values at the corners of the cube, one coordinate at a
// time. Each lerp (1 − s) x + s y with exact s rounds three times at most.
double at_corner(const std::array<double, 8>& f, double t, double u, double v)
{
    const auto mixed = [](double s, double x, double y) { return (1 - s) * x + s * y; };
    const double f00 = mixed(t, f[0], f[4]), f01 = mixed(t, f[1], f[5]);
    const double f10 = mixed(t, f[2], f[6]), f11 = mixed(t, f[3], f[7]);
    return mixed(u, mixed(v, f00, f01), mixed(v, f10, f11));
}

// f[coordinate][4 t + 2 u + v]: F at the corners of the cube; `below`: only u + v ≤ 1 counts.
LinearTouch search_cube(const std::array<std::array<double, 8>, 3>& f, bool below, double tolerance,
                        int most_boxes)
{
    LinearTouch answer;
    double largest = 0;
    bool numbers = true;
    for (const auto& component : f)
        for (const double value : component) {
            largest = max(largest, abs(value));
            numbers = numbers && std::isfinite(value);
        }
    if (!numbers) // nothing can be excluded
        return {true, false, 0, 0};
    // F at the cube's corners is made of at most three differences of coordinates, none larger than
    // twice the largest F; three lerps with three roundings each follow: less than 64 ε in all.
    const double doubt = 64 * std::numeric_limits<double>::epsilon() * largest;
    const double enough = max(tolerance > 0 ? tolerance : 1e-10 * largest, 2 * doubt);

    // Fills in the spread per variable; false if zero is outside of the bounds of F on the cell.
    std::array<double, 3> vary{};
    const auto may_vanish = [&](Cell& cell) {
        vary = {0, 0, 0};
        cell.spread = 0;
        for (const auto& component : f) {
            double lo = std::numeric_limits<double>::infinity(), hi = -lo;
            std::array<double, 8> value{};
            for (std::size_t k = 0; k < 8; ++k) {
                value[k] = at_corner(component, cell.lo[0] + (k & 4 ? cell.side[0] : 0),
                                     cell.lo[1] + (k & 2 ? cell.side[1] : 0),
                                     cell.lo[2] + (k & 1 ? cell.side[2] : 0));
                lo = min(lo, value[k]);
                hi = max(hi, value[k]);
            }
            if (lo > doubt || hi < -doubt)
                return false;
            for (std::size_t k = 0; k < 4; ++k) {
                vary[0] = max(vary[0], abs(value[k + 4] - value[k]));
                const std::size_t u = (k & 1) + 4 * (k >> 1);
                vary[1] = max(vary[1], abs(value[u + 2] - value[u]));
                vary[2] = max(vary[2], abs(value[2 * k + 1] - value[2 * k]));
            }
            cell.spread = max(cell.spread, hi - lo);
        }
        return true;
    };
    std::vector<Cell> room;
    room.reserve(256);
    std::priority_queue<Cell, std::vector<Cell>, Later> open(Later{}, std::move(room));
    Cell cube{{0, 0, 0}, {1, 1, 1}, 0};
    if (may_vanish(cube))
        open.push(cube);
    for (answer.boxes = 1; !open.empty(); ++answer.boxes) {
        Cell cell = open.top();
        open.pop();
        if (cell.spread <= enough || answer.boxes >= most_boxes) {
            answer.touch = true;
            answer.resolved = cell.spread <= enough;
            answer.time = cell.lo[0];
            return answer;
        }
        may_vanish(cell); // for `vary`
        // Halved until 2^-50 at most: below, corners would not be exact.
        std::size_t axis = 0;
        double most = -1;
        for (std::size_t k = 0; k < 3; ++k)
            if (vary[k] > most && cell.side[k] > 0x1p-50) {
                most = vary[k];
                axis = k;
            }
        if (most < 0) {
            answer.touch = true;
            answer.time = cell.lo[0];
            return answer;
        }
        for (int half = 0; half < 2; ++half) {
            Cell part = cell;
            part.side[axis] = 0.5 * cell.side[axis];
            if (half == 1)
                part.lo[axis] += part.side[axis];
            if (below && part.lo[1] + part.lo[2] > 1)
                continue;
            if (may_vanish(part))
                open.push(part);
        }
    }
    return answer;
}

void put_value(std::array<std::array<double, 8>, 3>& f, std::size_t corner, const Vec3<double>& r)
{
    f[0][corner] = r.x;
    f[1][corner] = r.y;
    f[2][corner] = r.z;
}

} // namespace

LinearTouch vertex_face_touch(const Vec3<double>& p0, const std::array<Vec3<double>, 3>& face0,
                              const Vec3<double>& p1, const std::array<Vec3<double>, 3>& face1,
                              double tolerance, int most_boxes)
{
    std::array<std::array<double, 8>, 3> f{};
    for (std::size_t t = 0; t < 2; ++t) {
        const Vec3<double>& p = t ? p1 : p0;
        const auto& [a, b, c] = t ? face1 : face0;
        put_value(f, 4 * t, p - a);
        put_value(f, 4 * t + 2, p - b);
        put_value(f, 4 * t + 1, p - c);
        put_value(f, 4 * t + 3, (p - b) + (a - c)); // u = v = 1: p + a − b − c
    }
    return search_cube(f, true, tolerance, most_boxes);
}

LinearTouch edge_edge_touch(const std::array<Vec3<double>, 2>& a0,
                            const std::array<Vec3<double>, 2>& b0,
                            const std::array<Vec3<double>, 2>& a1,
                            const std::array<Vec3<double>, 2>& b1, double tolerance, int most_boxes)
{
    std::array<std::array<double, 8>, 3> f{};
    for (std::size_t t = 0; t < 2; ++t)
        for (std::size_t u = 0; u < 2; ++u)
            for (std::size_t v = 0; v < 2; ++v)
                put_value(f, 4 * t + 2 * u + v, (t ? a1 : a0)[u] - (t ? b1 : b0)[v]);
    return search_cube(f, false, tolerance, most_boxes);
}

} // namespace poinsot
