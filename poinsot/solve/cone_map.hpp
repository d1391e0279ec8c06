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

/// The same with corners made round, after [Fukushima, Luo and Tseng 2002]: contacts obey
///
///     x = (r_n, r_t/μ),  y = (u_n + s, μ u_t),    x = P_ε(x − y)
///     P_ε: λ ← (λ + √(λ² + 4 ε²))/2 of both spectral values λ = z_0 ± |z_t|
///
/// so that x ∘ y = ε² (1, 0) with both inside of the cone. With s = √(|μ u_t|² + ε²) − ε
/// (`rounded_slip`) it is a path to the answer of [De Saxcé and Feng 1998] as ε falls, which may
/// turn back; with an s that is held, the law of a convex problem, whose path always goes on
/// [Acary, Cadoux, Lemaréchal and Malick 2011]. All is differentiable. Torsion, rolling and bounds
/// keep their kinks. `held_slip`: that s, or null.
void smooth_cone_map(const ContactBlock& block, double epsilon, const double* held_slip,
                     const Eigen::VectorXd& r, const Eigen::VectorXd& u, Eigen::VectorXd& phi,
                     ConeSlopes* slopes = nullptr);
double rounded_slip(const ContactBlock& block, double epsilon, const Eigen::VectorXd& u);

/// r = d r', u' = d u with d² ≈ 1/W_ii, the same for all rows of a contact so that cones stay
/// cones: powers of two, so that scaling rounds nothing. `diagonal` is that of W.
Eigen::VectorXd cone_scales(std::span<const ContactBlock> blocks, const Eigen::VectorXd& diagonal);
/// The blocks of scaled rows: their bounds.
std::vector<ContactBlock> scaled_blocks(std::span<const ContactBlock> blocks,
                                        const Eigen::VectorXd& d);

/// |x|², summed in order.
double sum_of_squares(const Eigen::VectorXd& x);

} // namespace poinsot
