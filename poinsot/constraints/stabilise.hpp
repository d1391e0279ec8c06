// SPDX-License-Identifier: MIT
#pragma once

// What pulls a drifting constraint back.
//
// Rows are kept at the level of accelerations, g̈ = 0; rounding and the integrator let g and ġ
// drift. Two remedies, both of which say what they did, so that the ledger can have a line of it:
//
// Baumgarte: g̈ + 2α ġ + β² g = 0 with β = 1/T and α = ζ/T, critically damped for ζ = 1. Its share
// of the multipliers is the answer to f = 0, b = −2α ġ − β² g: a second right-hand side.
//
// Projection, after every step:
//     places      min ½ Δᵀ M Δ  with  g + J Δ = 0,  again until g is down to rounding; Δ displaces
//                 the centre of mass and turns the body by the rotation vector exp(Δ_ω)
//     velocities  the impulses Jᵀ λ that make  J (V + M⁻¹ Jᵀ λ) + ∂g/∂t = 0
//
// Who solves is left open (solve/bonds.hpp): anything with the rows, a right-hand side b, and
// reply_to_lack(placed), which answers M u = Jᵀ λ, J u + s λ = b, and decide_anew(), which lets it
// look again for rows that repeat others: at a singular place rows repeat that do not beside it,
// and Newton's iteration comes closer only with them. Then rows that bind velocities alone give
// way: two wheels on an axle neither slip nor part, and one of these says what the other does.

#include "poinsot/constraints/bind.hpp"
#include "poinsot/constraints/reaction.hpp"

#include <limits>

namespace poinsot {

struct Baumgarte {
    double alpha = 0, beta = 0; // 1/s

    /// Errors die away within a few times T: without swinging if ζ ≥ 1.
    static constexpr Baumgarte within(double T, double zeta = 1) { return {zeta / T, 1 / T}; }
};
/// b = −2α ġ − β² g. Soft rows have no error.
void baumgarte_pull(const Rows& rows, const Baumgarte& by, std::vector<double>& b);

/// The largest error of place among the rows, each against the size of the terms that make it.
double place_error(const Rows& rows);

/// b = −g, resp. b = −ġ.
void place_lacks(const Rows& rows, std::vector<double>& b);
void speed_lacks(const Rows& rows, std::vector<double>& b);

/// What a projection did to one body: its centre of mass was moved, then it was turned, and then
/// pushed about its centre of mass.
struct Projection {
    Vec3<double> dx = zero3<double>();
    Quat<double> turn = identity_quat<double>(); // the attitude becomes turn · attitude
    Wrench<double> impulse{zero3<double>(), zero3<double>()};
};
/// Moves a placed body, and notes it. Its momenta stay.
void displace(PlacedBody& body, const Twist<double>& by, Projection& noted);

struct ProjectionReport {
    int iterations = 0;
    double error = 0; // of place that is left, against the size of the terms
};
/// Below this an error of place is rounding: a few additions in the places of two frames.
inline constexpr double place_rounding = 4 * std::numeric_limits<double>::epsilon();

/// Below this no joint is missed but by rounding that a long chain of them has summed up.
inline constexpr double place_met = 1e-12;

/// Puts the bodies of `placed` where their bonds want them at time t. On return its joints and the
/// rows of the bonds are those of the final place, with velocities as the momenta give them.
template <class Bonds>
ProjectionReport project_places(const Model& model, std::span<const double> last_coordinates,
                                double t, Placed& placed, Bonds& bonds,
                                std::vector<Projection>& made, std::span<const Stop> standing = {})
{
    made.assign(placed.bodies.size(), {});
    ProjectionReport report;
    double last = std::numeric_limits<double>::infinity();
    int grown = 0;
    bool looks_again = false;
    for (;; ++report.iterations) {
        place_joints_in_stage(model, last_coordinates, placed);
        bind_joints(model, placed, t, bonds.rows, standing);
        report.error = place_error(bonds.rows);
        grown += !(report.error < last);
        const bool slow = !(report.error < 0.5 * last), stalled = report.error < 1e-9 && slow;
        if (!(report.error > place_rounding) || report.iterations == 50)
            return report;
        const bool stuck = stalled || grown > 2 || (slow && report.error < 1e-3);
        if (stuck && report.error > place_met && bonds.decide_anew()) {
            looks_again = true;
            grown = 0;
        } else if (stalled || grown > 2) {
            return report;
        }
        if (looks_again)
            free_velocities(model, bonds.rows);
        last = report.error;
        place_lacks(bonds.rows, bonds.b);
        bonds.reply_to_lack(placed);
        for (std::size_t i = 0; i < placed.bodies.size(); ++i)
            displace(placed.bodies[i], bonds.answer.u[i], made[i]);
    }
}

/// The impulses that make the motion one that the bonds allow. The rows are those of `placed`; the
/// motion of `placed` is left as it is.
template <class Bonds>
void project_velocities(const Placed& placed, Bonds& bonds, std::vector<Projection>& made)
{
    speed_lacks(bonds.rows, bonds.b);
    bonds.reply_to_lack(placed);
    for (const Block& block : bonds.rows.blocks)
        for (int i = 0; i < block.bodies; ++i) {
            const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
            made[body].impulse =
                made[body].impulse + reaction_on(bonds.rows, block, bonds.answer.lambda, i);
        }
}

} // namespace poinsot
