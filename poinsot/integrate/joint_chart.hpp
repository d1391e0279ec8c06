// SPDX-License-Identifier: MIT
#pragma once

// Local coordinates of a linkage about a place q₀, as many as it has freedoms.
//
//     one freedom, translate   q = q₀ + u                       u̇ = v
//     ball                     q = q₀ exp(u)                    u̇ = dexp⁻¹(−u) ω
//     free                     x = x₀ + u_x, q = q₀ exp(u)      u̇_x = R v, u̇ = dexp⁻¹(−u) ω
//
// On them a classical method has its full order in every attitude [Munthe-Kaas 1999]. The momenta
// that belong to u in Hamilton's sense, with μ the joint's own in link axes, are
//
//     P = dexp(u) μ          P_x = R μ_x
//
// so a method that is symplectic on plain vectors is so on the linkage, though the place q₀ moves
// from step to step.

#include "poinsot/dynamics/linkage.hpp"

namespace poinsot {

/// q at local coordinates u about q₀. The two may share memory.
void at_chart(const Linkage& linkage, std::span<const double> q0, std::span<const double> u,
              std::span<double> q);

/// u̇ at (u, v), with q = at_chart(q₀, u).
void chart_rates(const Linkage& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> v, std::span<double> u_dot);

/// The joints' own momenta from those of the chart, at q = at_chart(q₀, u).
void own_momenta(const Linkage& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> P, std::span<double> mu);

/// The chart's momenta and their rates from the joints' own, mu and mu_dot, at velocities v and
/// u_dot. At u = 0 the momenta of angles and balls are the same.
void chart_momenta(const Linkage& linkage, std::span<const double> q, std::span<const double> u,
                   std::span<const double> u_dot, std::span<const double> v,
                   std::span<const double> mu, std::span<const double> mu_dot, std::span<double> P,
                   std::span<double> P_dot);

/// Brings quaternions back to unit length.
void renormalise(const Linkage& linkage, std::span<double> q);

} // namespace poinsot
