// SPDX-License-Identifier: MIT
#pragma once

// Laws of impact: reactions r that take speeds u⁻ to u⁺ = W r + q, where q = u⁻ + ℓ has the loads
// of the step in it. Joints and stops stand in the same problem (contact_problem.hpp).
//
//     energetic   one contact: Stronge's, by integration over the blow (strike.hpp);
//                 several: Moreau's for those that strike, others rest or fly (below)
//     moreau      the law of the cone holds for r and  ũ = u⁺ + e u⁻, all rows of a contact
//     newton      the same with e u⁻ in the normal row only
//     poisson     r = compression (e = 0) + expansion, in which r_n ≥ e r_n of compression
//
// Moreau's law with one e for all contacts that moved makes no energy. The law of the cone says
// r·ũ ≤ 0 for each contact. Without loads u⁺ = u⁻ + W r, so ũ = (1 + e) u⁻ + W r, and
//
//     u⁺ + u⁻ = 2 u⁻ + W r = (2 ũ − (1 − e) W r)/(1 + e)
//     T⁺ − T⁻ = r·(u⁺ + u⁻)/2 = r·ũ/(1 + e) − (1 − e)/(1 + e) ½ r·W r ≤ 0
//
// W being that of the contacts with the joints in it (free rows eliminated: they keep u⁺ = u⁻ = 0
// and do no work; what u⁻ of a joint lacks of that moves the contacts as loads do, and is in ℓ). A
// contact at rest, u⁻ = 0, is of any e. With different e the first term may be
// positive: then all contacts take the smallest e of those that approach, and `eased` says so.
// Newton's law makes energy where friction turns the slip around, Poisson's where contacts with
// different e share bodies.
//
// By the energetic law a blow of one contact comes in the middle of the loads, at u⁻ + ½ ℓ: with
// e = 1 and no friction what strikes leaves with u_n⁺ = −u_n⁻, loads or none. What does not
// approach by itself, u_n⁻ ≥ 0, is not struck but rests: loads alone add no restitution, and
// friction is that of u⁺. One that leaves, and that loads or others turn back within the step, is
// in flight meanwhile: u_n⁺ ≥ −u_n⁻ and no less, so that it neither gains nor loses, and strikes in
// the next step. So without friction no contact makes energy, whatever its e and the loads:
// r_n (u_n⁺ + u_n⁻)/2 is zero for one that leaves, and r_n (1 − e) u_n⁻/2 ≤ 0 for one that strikes.
// Contacts that joints or faces tie together cannot always fly all: bodies that lie still have some
// that leave by what their course bends in a step. Where no answer is found soon and nothing
// strikes with restitution, what has none rests at once, u_n⁺ ≥ 0. That is Moreau's law with e = 0:
// r·(u⁺ + q)/2 = r·u⁺ − ½ r·W r ≤ 0.
//
// A contact that is open by a gap g may be held before it touches (`ahead`, g/h): whatever the law,
// it is struck by nobody, and u_n⁺ ≥ −max(g/h, u_n⁻ of one that flies). Where r_n > 0 that is an
// equality, so that r_n (u_n⁺ + u_n⁻)/2 ≤ 0 for one that flies, and r_n u_n⁺ ≤ 0 for one that does
// not. Friction is that of u⁺.
//
// The work of reactions, r·(u⁺ + u)/2, is taken with u = u⁻ (loads grow with the reactions) or with
// u = q (loads act first). Moreau's bounds with loads are
//
//     r·(u⁺ + u⁻)/2 ≤ −(1 − e)/(1 + e) ½ (r·W r + r·ℓ),    r·(u⁺ + q)/2 ≤ e/(1 + e) r·ℓ
//
// so that not both are positive. Where both are, energy was made, and the contacts that made it are
// named. What motors and stops do counts as a load here.
//
// in_sequence: contacts are struck one at a time, lowest block first, round after round until
// nobody approaches (Newton's cradle); then loads with e = 0, all together. Each strike begins at
// u⁻ + ½ ℓ of what joints take back of their course, and the strikes before it: their work is then
// Σ r·(u⁻ + u⁺)/2, and no strike makes any.

#include "poinsot/solve/cone.hpp"
#include "poinsot/solve/gauss_seidel.hpp"
#include "poinsot/solve/impact_law.hpp"

namespace poinsot {

struct ImpactSettings {
    ImpactLaw law = ImpactLaw::energetic;
    ImpactOrder order = ImpactOrder::together;
    bool exact = true; // solve_cones, else gauss_seidel
    ConeSettings cone;
    SweepSettings sweeps;
    int rounds = 1000; // in sequence: then what still approaches is stopped together, e = 0
};

struct ImpactAnswer {
    ContactAnswer contact;    // r, and u after; the largest residual of what made them
    Eigen::VectorXd restored; // of r: what restitution made of it (normal rows; zero elsewhere)
    double work = 0;          // Σ r·(u⁺ + u⁻)/2 over the contacts
    std::vector<int> gaining; // blocks with r·(u⁺ + u⁻)/2 > 0 where energy was made: warn of them
    bool eased = false;       // several e would have made energy: the smallest was taken for all
    int rounds = 0;           // in sequence: how many
    bool cut_short = false; // in sequence: the limit of rounds came first
};

/// `problem.q`: speeds without reactions, loads of the step included; `u_before`: speeds before
/// anything acted; `restitution`: per block, 0 … 1, and 0 for blocks that are no contacts (a stop
/// that bounces is a contact without tangents). `start`: reactions to begin with, or none.
///
/// `ahead`: per block, gap/h of a contact that is open, 0 for one that touches; none: all touch.
///
/// What restitution made of r is, where a law has no phases, the difference to the answer with
/// e = 0: one solve more where there are loads.
Result<ImpactAnswer> solve_impact(const ContactProblem& problem, const Eigen::VectorXd& u_before,
                                  std::span<const double> restitution,
                                  const ImpactSettings& settings = {},
                                  const Eigen::VectorXd& start = {},
                                  std::span<const double> ahead = {});

/// Work of the reactions of one block, r·(u⁺ + u⁻)/2.
double work_of(const ContactBlock& block, const Eigen::VectorXd& u_before,
               const ImpactAnswer& answer);
/// What of it is rounding: of what reactions and speeds of all contacts do, each by itself.
double work_rounding(const ContactProblem& problem, const Eigen::VectorXd& u_before,
                     const ImpactAnswer& answer);
/// Fills in `work` and `gaining` for the reactions of an answer, whatever law they come from.
void judge_energy(const ContactProblem& problem, const Eigen::VectorXd& u_before,
                  ImpactAnswer& answer);

} // namespace poinsot
