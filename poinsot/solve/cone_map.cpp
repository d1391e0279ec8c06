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

// (λ + √(λ² + 4 ε²))/2 and its derivative, without cancellation.
struct Rounded {
    double value, slope;
};
Rounded rounded_corner(double lambda, double epsilon)
{
    const double root = std::sqrt(lambda * lambda + 4 * epsilon * epsilon);
    const double value =
        lambda > 0 ? 0.5 * (lambda + root) : 2 * epsilon * epsilon / (root - lambda);
    return {value, value / root};
}

// The normal row and those of friction; V = dP_ε/dz is symmetric with eigenvalues between 0 and 1.
void map_smoothly(const ContactBlock& block, double epsilon, const double* held_slip,
                  const Eigen::VectorXd& r, const Eigen::VectorXd& u, Eigen::VectorXd& phi,
                  ConeSlopes* slopes)
{
    const int n = block.first;
    const double mu = block.mu;
    const auto rows = static_cast<std::size_t>(1 + block.tangents);
    if (block.tangents == 0 || !(mu > 0)) {
        const Rounded p = rounded_corner(r(n) - u(n), epsilon);
        phi(n) = r(n) - p.value;
        for (std::size_t i = 1; i < rows; ++i)
            phi(n + static_cast<int>(i)) = r(n + static_cast<int>(i));
        if (!slopes)
            return;
        slopes->A[0][0] = 1 - p.slope;
        slopes->B[0][0] = p.slope;
        for (std::size_t i = 1; i < rows; ++i)
            slopes->A[i][i] = 1;
        return;
    }
    std::array<double, 3> z{}, y{}, w{}, g{}; // g = ds/d(μ u_t)
    double round = epsilon * epsilon, length = 0;
    for (std::size_t i = 1; i < rows; ++i) {
        y[i] = mu * u(n + static_cast<int>(i));
        z[i] = r(n + static_cast<int>(i)) / mu - y[i];
        round += y[i] * y[i];
        length += z[i] * z[i];
    }
    round = std::sqrt(round);
    length = std::sqrt(length);
    z[0] = r(n) - (u(n) + (held_slip ? *held_slip : rounded_slip(block, epsilon, u)));
    for (std::size_t i = 1; i < rows; ++i) {
        w[i] = length > 0 ? z[i] / length : (i == 1 ? 1 : 0);
        g[i] = held_slip || !(round > 0) ? 0 : y[i] / round;
    }
    const Rounded high = rounded_corner(z[0] + length, epsilon),
                  low = rounded_corner(z[0] - length, epsilon);
    const double along = 0.5 * (high.value - low.value);
    phi(n) = r(n) - 0.5 * (high.value + low.value);
    for (std::size_t i = 1; i < rows; ++i)
        phi(n + static_cast<int>(i)) = r(n + static_cast<int>(i)) - mu * along * w[i];
    if (!slopes)
        return;
    // A = D (1 − V) D⁻¹ and B = D V (1 + e_0 gᵀ) D with D = diag(1, μ, μ).
    const double b = 0.5 * (high.slope + low.slope), c = 0.5 * (high.slope - low.slope),
                 a = length > 0 ? along / length : b;
    std::array<std::array<double, 3>, 3> V{};
    V[0][0] = b;
    for (std::size_t i = 1; i < rows; ++i) {
        V[0][i] = V[i][0] = c * w[i];
        for (std::size_t k = 1; k < rows; ++k)
            V[i][k] = (i == k ? a : 0) + (b - a) * w[i] * w[k];
    }
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < rows; ++k) {
            const double d_i = i == 0 ? 1 : mu, d_k = k == 0 ? 1 : mu;
            slopes->A[i][k] = d_i * ((i == k ? 1 : 0) - V[i][k]) / d_k;
            slopes->B[i][k] = d_i * (V[i][k] + V[i][0] * g[k]) * d_k;
        }
}

} // namespace

// |μ u_t|²/(√(|μ u_t|² + ε²) + ε), which does not cancel.
double rounded_slip(const ContactBlock& block, double epsilon, const Eigen::VectorXd& u)
{
    double square = 0;
    for (int i = 1; i <= block.tangents; ++i) {
        const double y = block.mu * u(block.first + i);
        square += y * y;
    }
    const double whole = std::sqrt(square + epsilon * epsilon) + epsilon;
    return whole > 0 ? square / whole : 0;
}

void smooth_cone_map(const ContactBlock& block, double epsilon, const double* held_slip,
                     const Eigen::VectorXd& r, const Eigen::VectorXd& u, Eigen::VectorXd& phi,
                     ConeSlopes* slopes)
{
    cone_map(block, r, u, phi, slopes);
    if (block.law != ContactBlock::Law::contact)
        return;
    for (std::size_t i = 0; slopes && i < static_cast<std::size_t>(1 + block.tangents); ++i)
        slopes->A[i] = slopes->B[i] = {};
    map_smoothly(block, epsilon, held_slip, r, u, phi, slopes);
}

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
