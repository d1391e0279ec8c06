// SPDX-License-Identifier: MIT
#pragma once

// Dense Lagrange multipliers: the reference. Cost n³.
//
// With y = M^½ u and G = J M^−½, rows scaled to unit length, the system is
//
//     y = y₀ + Gᵀ λ,   G y = b          y − y₀ = G⁺ (b − G y₀),   λ = (Gᵀ)⁺ (y − y₀)
//
// and one complete orthogonal decomposition of Gᵀ gives both pseudo-inverses: the motion, with the
// condition number of G and not its square, and of all multipliers that make it the smallest,
// measured by the inertias: Σ A_ii λ_i² with A = J M⁻¹ Jᵀ + s. Rows are dependent when their
// pivot is below 1e-10 of the largest. A soft row has a column of its own, √s.

#include "poinsot/solve/problem.hpp"

#include <memory>

namespace poinsot {

class Direct {
  public:
    static constexpr double rank_tolerance = 1e-10;

    Direct();
    ~Direct();
    Direct(Direct&&) noexcept;
    Direct& operator=(Direct&&) noexcept;

    /// Takes the rows and masses of one moment; they must stay where they are until the last solve.
    void factorise(const Rows& rows, std::span<const MovingMass> masses);
    void solve(std::span<const Wrench<double>> f, std::span<const double> b, Answer& out);

    /// How many rows are independent.
    int rank() const;
    /// Per row: does the motion determine its multiplier?
    const std::vector<bool>& unique() const;
    /// G Gᵀ, that is J M⁻¹ Jᵀ + s with rows of unit length: all m² numbers. Its eigenvalues are the
    /// squares of the singular values of G.
    std::vector<double> gram() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace poinsot
