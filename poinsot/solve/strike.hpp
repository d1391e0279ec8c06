// SPDX-License-Identifier: MIT
#pragma once

// One contact struck alone, with energetic restitution [Stronge 1990] and Coulomb's friction at
// every instant of the blow [Darboux 1880, Keller 1986]. Bodies do not move while it lasts; the
// normal impulse s takes the place of time:
//
//     du/ds = W d,   d_n = 1,   d_t = −μ u_t/|u_t|   where it slides
//                               d_t: |d_t| ≤ μ, ½ d·W d → min   where it sticks, or starts to slide
//
// Sticking is the case d_t inside the ball: there the least has (W d)_t = 0. On its edge the
// contact slides off against d_t. Compression lasts while u_n < 0 and stores the work of the normal
// impulse; e² of it is given back:
//
//     ∫ u_n ds over expansion = −e² ∫ u_n ds over compression
//
// Friction never drives and the normal impulse never gives back more than it took: no energy is
// made, whatever W, μ and e. Newton's u_n⁺ = −e u_n⁻ has no such bound where friction turns the
// slip around.
//
// Torsion and rolling have a ball each, |d_s| ≤ c, and the same law.
//
// While d is constant (no friction, sticking, sliding along a line that W keeps) pieces are in
// closed form. Else the direction of slip turns, and faster the slower the slip: with the time
//
//     ds = σ dτ,   1/σ = Σ 1/|u_g| over all that slides
//
// the equations are smooth and slip ends after infinite τ, decaying as exp(−λ τ); at 1e-13 of the
// speeds of the blow it has ended, or where it hovers, at up to 1e-6. Extrapolation [Gragg 1965] to
// 1e-14 of the impulse and of the slip.

#include "poinsot/solve/contact_problem.hpp"

namespace poinsot {

struct StrikeEnd {
    Eigen::VectorXd r;   // impulse, normal component first
    double restored = 0; // normal impulse while the contact expanded
    double stored = 0;   // work that compression took from motion, all compressions together
    double off = 0;      // of the speeds of the blow: slip above 1e-9 that was taken for none
    bool finished = true;
    bool wedged = false; // joints hold the contact fast: what was stored stays there
};

/// From speeds u: nothing where u_n ≥ 0. W: the rows of this contact alone, positive semidefinite.
StrikeEnd strike(const ContactBlock& block, const Eigen::MatrixXd& W, const Eigen::VectorXd& u,
                 double restitution);

} // namespace poinsot
