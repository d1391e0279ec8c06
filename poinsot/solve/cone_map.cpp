// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone_map.hpp"

#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

void map_contact(const ContactBlock& block, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                 Eigen::VectorXd& phi, ConeSlopes* slopes)
{
    const int n = block.first;
    const double pressed = r(n) - u(n);
    phi(n) = pressed > 0 ? u(n) : r(n);
    if (slopes)
        (pressed > 0 ? slopes->B : slopes->A)[0][0] = 1;
    for (const FrictionGroup& group : groups_of(block)) {
        const int first = n + group.first;
        const double radius = group.bound * std::max(0.0, pressed);
        std::array<double, 2> y{};
        double square = 0;
        for (int i = 0; i < group.rows; ++i) {
            double& own = y[static_cast<std::size_t>(i)];
            own = r(first + i) - u(first + i);
            square += own * own;
        }
        const double length = std::sqrt(square);
        for (int i = 0; i < group.rows; ++i) {
            const auto row = static_cast<std::size_t>(group.first + i);
            if (length <= radius) { // sticks
                phi(first + i) = u(first + i);
                if (slopes)
                    slopes->B[row][row] = 1;
                continue;
            }
            // Slides: r − ρ e with e = y/|y|; de = (1 − e eᵀ) dy/|y|, dρ = μ d(r_n − u_n).
            const double e = y[static_cast<std::size_t>(i)] / length;
            phi(first + i) = r(first + i) - radius * e;
            if (!slopes)
                continue;
            slopes->A[row][row] = 1;
            if (!(radius > 0))
                continue;
            slopes->A[row][0] = -group.bound * e;
            slopes->B[row][0] = group.bound * e;
            for (int k = 0; k < group.rows; ++k) {
                const auto column = static_cast<std::size_t>(group.first + k);
                const double part =
                    radius / length *
                    ((i == k ? 1 : 0) - e * y[static_cast<std::size_t>(k)] / length);
                slopes->A[row][column] -= part;
                slopes->B[row][column] = part;
            }
        }
    }
}

} // namespace

void cone_map(const ContactBlock& block, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
              Eigen::VectorXd& phi, ConeSlopes* slopes)
{
    if (slopes)
        *slopes = {};
    if (block.law == ContactBlock::Law::contact) {
        map_contact(block, r, u, phi, slopes);
        return;
    }
    for (int i = 0; i < block.rows; ++i) {
        const int row = block.first + i;
        const double next = r(row) - u(row);
        const bool inside = next > block.lower && next < block.upper;
        phi(row) = inside ? u(row) : r(row) - std::clamp(next, block.lower, block.upper);
        if (slopes)
            (inside ? slopes->B
                    : slopes->A)[static_cast<std::size_t>(i)][static_cast<std::size_t>(i)] = 1;
    }
}

Eigen::VectorXd cone_scales(std::span<const ContactBlock> blocks, const Eigen::VectorXd& diagonal)
{
    Eigen::VectorXd d(diagonal.size());
    for (const ContactBlock& block : blocks) {
        const bool contact = block.law == ContactBlock::Law::contact;
        double sum = 0;
        for (int i = 0; i < block.rows; ++i)
            sum += diagonal(block.first + i);
        for (int i = 0; i < block.rows; ++i)
            d(block.first + i) = unit_scale(contact ? sum / block.rows : diagonal(block.first + i));
    }
    return d;
}
std::vector<ContactBlock> scaled_blocks(std::span<const ContactBlock> blocks,
                                        const Eigen::VectorXd& d)
{
    std::vector<ContactBlock> made(blocks.begin(), blocks.end());
    for (ContactBlock& block : made)
        if (block.law == ContactBlock::Law::bounded) {
            block.lower /= d(block.first);
            block.upper /= d(block.first);
        }
    return made;
}

double sum_of_squares(const Eigen::VectorXd& x)
{
    double sum = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        sum += x(i) * x(i);
    return sum;
}

} // namespace poinsot
