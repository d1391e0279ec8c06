// SPDX-License-Identifier: MIT
#pragma once

// Rows and masses in; multipliers, change of motion and residual out. All solvers of bilateral
// rows answer
//
//     M u = f + Jᵀ λ            per body: m u_v = F + Σ λ J_F,   I u_ω = τ + Σ λ J_τ
//     J u + s λ = b             per row
//
// with u and b read as accelerations (b = −γ), as changes of velocity (f an impulse, b = −ġ) or as
// displacements (f = 0, b = −g).

#include "poinsot/constraints/row.hpp"
#include "poinsot/forces/gather.hpp"

#include <span>

namespace poinsot {

/// Mass and inertia about the centre of mass, world axes. Of a particle I and inv_I are zero.
struct MovingMass {
    double m, inv_m;
    Sym3<double> I, inv_I;

    bool particle() const { return inv_I.xx == 0; }
    Wrench<double> times(const Twist<double>& u) const { return {m * u.v, I * u.omega}; }
    Twist<double> inverse_times(const Wrench<double>& f) const
    {
        return {inv_m * f.F, inv_I * f.tau};
    }
};
void masses_of(const Placed& placed, std::vector<MovingMass>& out);

/// What accelerates each body before anything binds it: F and τ − ω × I ω.
void unbound_forces(const Placed& placed, std::span<const Wrench<double>> loads,
                    std::vector<Wrench<double>>& out);

struct Answer {
    std::vector<Twist<double>> u; // per body
    std::vector<double> lambda;   // per row
    double residual = 0;          // backward error: see `missing`
};

/// What the equations lack; the missing forces and row values go to `f` and `b`. Returns the
/// backward error of the answer: the largest lack against the largest terms, of all components of
/// forces, of all components of torques, of all rows.
double missing(const Rows& rows, std::span<const MovingMass> masses,
               std::span<const Wrench<double>> f_given, std::span<const double> b_given,
               const Answer& answer, std::vector<Wrench<double>>& f, std::vector<double>& b);

/// Σ λ J on every body, added to `out`.
void add_multipliers(const Rows& rows, std::span<const double> lambda,
                     std::span<Wrench<double>> out);

} // namespace poinsot
