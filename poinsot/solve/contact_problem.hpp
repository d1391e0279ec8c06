// SPDX-License-Identifier: MIT
#pragma once

// One problem for joints, limits, motors and contacts: reactions r and speeds u of rows,
//
//     u = W r + q,    W = J M⁻¹ Jᵀ + s,    q: speeds (accelerations) without reactions
//
// and a law per block of rows:
//
//     free       u = 0                                         r any: a joint
//     bounded    lower ≤ r ≤ upper,  −u in the normal cone     a limit (0, ∞), a motor (−F h, F h)
//     contact    0 ≤ r_n ⊥ u_n ≥ 0,  |r_t| ≤ μ r_n,  r_t · u_t → min
//
// so that friction is in Coulomb's cone K and dissipates most. [De Saxcé and Feng 1998]: this is
//
//     K* ∋ u + μ |u_t| n ⊥ r ∈ K            zero of r − P_K(r − (u + μ |u_t| n))
//
// After its tangential rows a contact may have a torsional one and up to two of rolling, each of
// these groups in a ball of its own, |r_s| ≤ c r_n. Which μ holds (static, kinetic), and a speed of
// restitution in q, is for the caller to say.

#include "poinsot/base/result.hpp"
#include "poinsot/solve/problem.hpp"

#include <Eigen/Core>

#include <array>
#include <atomic>
#include <limits>
#include <span>
#include <vector>

namespace poinsot {

/// Rows with one law, plain numbers. Of a contact: normal, tangential, torsional, rolling.
struct ContactBlock {
    enum class Law : unsigned char { free, bounded, contact };
    static constexpr int most_rows = 6;

    Law law = Law::free;
    int first = 0, rows = 1;
    double lower = -std::numeric_limits<double>::infinity(); // bounded
    double upper = std::numeric_limits<double>::infinity();
    int tangents = 0, twists = 0, rolls = 0; // contact: how many rows after the normal one
    double mu = 0;                           // their bound over the normal reaction
    double twist = 0, roll = 0;              // with the unit of a length
};
ContactBlock free_rows(int first, int rows);
ContactBlock bounded_row(int first, double lower, double upper);
ContactBlock contact_rows(int first, double mu, int tangents = 2);

/// Rows of a contact that share a ball.
struct FrictionGroup {
    int first = 0; // counted from the first row of the block
    int rows = 0;
    double bound = 0;
};
std::array<FrictionGroup, 3> groups_of(const ContactBlock& block);

/// As many rows as fit in one dense matrix: it takes 128 MB then, and a solver keeps ten of them.
inline constexpr int most_dense_rows = 4000;

/// Set by a signal or by another thread: what solves for long looks here, and ends with what it
/// has.
using StopFlag = const std::atomic<bool>*;
inline bool is_set(StopFlag stop)
{
    return stop && stop->load(std::memory_order_relaxed);
}

struct ContactProblem {
    Eigen::MatrixXd W;          // empty where rows and masses make it
    const Rows* rows = nullptr; // they must stay where they are until the last solve
    std::span<const MovingMass> masses;
    Eigen::VectorXd q;
    std::vector<ContactBlock> blocks; // every row in one of them

    int count() const { return static_cast<int>(q.size()); }
};

/// Sizes that do not fit, numbers that are none, bounds that cannot hold, rows that nothing moves.
Problems faults_of(const ContactProblem& problem);
/// The same, and of the reactions to start from; there may be none.
Problems faults_of(const ContactProblem& problem, const Eigen::VectorXd& start);

/// W in full: n² numbers.
Eigen::MatrixXd delassus_of(const ContactProblem& problem);
/// W r + q.
Eigen::VectorXd speeds_of(const ContactProblem& problem, const Eigen::VectorXd& r);

/// (n, t) ← the nearest of |t| ≤ μ n.
void project_on_cone(double mu, double& n, std::span<double> t);
/// The nearest reactions that all bounds allow; those of torsion and rolling after the normal one.
void make_admissible(std::span<const ContactBlock> blocks, Eigen::VectorXd& r);

/// ‖r − P(r − (u + μ |u_t| n))‖ over ‖q‖, zero where the laws hold. Free rows count with u; torsion
/// and rolling with r_s − P(r_s − u_s) on the ball of radius c r_n.
double natural_residual(const ContactProblem& problem, const Eigen::VectorXd& r,
                        const Eigen::VectorXd& u);

/// The square of what one block adds to it, from its own rows of r and u; and the residual that
/// follows from their sum.
void add_natural_lack(const ContactBlock& block, const double* r, const double* u, double& lack);
double size_of_lack(const ContactProblem& problem, double lack);

/// What of that residual may be rounding: ε times the sizes of the terms of W r + q and of r, times
/// the root of how many meet in a body, some 64.
double natural_rounding(const ContactProblem& problem, const Eigen::VectorXd& r);

struct ContactAnswer {
    Eigen::VectorXd r, u;
    double residual = 0;         // see natural_residual
    bool solved = false;         // is it within the tolerance asked for?
    int sweeps = 0;              // of Gauss–Seidel
    int steps = 0;               // of Newton
    std::vector<double> history; // residual after each sweep, where it was asked for
};

/// r within its bounds and cones, the speeds it makes, and how far it is from the laws.
ContactAnswer judged(const ContactProblem& problem, Eigen::VectorXd r);
/// `made` if it is nearer to the laws, with the work that `best` counts.
void keep_nearer(ContactAnswer& best, ContactAnswer made);

} // namespace poinsot
