// SPDX-License-Identifier: MIT
#pragma once

// The laws of a block of rows as the zeros of [Alart and Curnier 1991], for rows scaled so that W
// has numbers near one on its diagonal:
//
//     free       Φ = u
//     bounded    Φ = r − clamp(r − u)
//     normal     Φ = r_n − (r_n − u_n)⁺
//     friction   Φ = r_t − P(r_t − u_t)       on the ball of radius μ (r_n − u_n)⁺
//
// Φ has kinks and is differentiable elsewhere, dΦ = A dr + B du; at a kink one of its derivatives.

#include "poinsot/solve/contact_problem.hpp"

namespace poinsot {

struct ConeSlopes {
    using Square = std::array<std::array<double, ContactBlock::most_rows>, ContactBlock::most_rows>;
    Square A{}, B{};
};

/// Φ of the rows of a block from all r and u, and its derivative where asked for.
void cone_map(const ContactBlock& block, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
              Eigen::VectorXd& phi, ConeSlopes* slopes = nullptr);

/// r = d r', u' = d u with d² ≈ 1/W_ii, the same for all rows of a contact so that cones stay
/// cones: powers of two, so that scaling rounds nothing. `diagonal` is that of W.
Eigen::VectorXd cone_scales(std::span<const ContactBlock> blocks, const Eigen::VectorXd& diagonal);
/// The blocks of scaled rows: their bounds.
std::vector<ContactBlock> scaled_blocks(std::span<const ContactBlock> blocks,
                                        const Eigen::VectorXd& d);

/// |x|², summed in order.
double sum_of_squares(const Eigen::VectorXd& x);

} // namespace poinsot
