// SPDX-License-Identifier: MIT
#pragma once

// Local coordinates of a linkage about a place q₀, as many as it has freedoms.
//
//     one freedom, translate   q = q₀ + u                       u̇ = v
//     ball                     q = q₀ exp(u)                    u̇ = dexp⁻¹(−u) ω
//     free                     x = x₀ + u_x, q = q₀ exp(u)      u̇_x = R v, u̇ = dexp⁻¹(−u) ω
//
// On them a classical method has its full order in every attitude [Munthe-Kaas 1999]. Methods that
// work on momenta have coordinates of their own (stage_sweep.hpp).

#include "poinsot/dynamics/linkage.hpp"

namespace poinsot {

/// q at local coordinates u about q₀. The two may share memory.
void at_chart(const Linkage& linkage, std::span<const double> q0, std::span<const double> u,
              std::span<double> q);

/// u̇ at (u, v), with q = at_chart(q₀, u).
void chart_rates(const Linkage& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> v, std::span<double> u_dot);

/// Brings quaternions back to unit length.
void renormalise(const Linkage& linkage, std::span<double> q);

} // namespace poinsot
