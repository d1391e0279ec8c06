// SPDX-License-Identifier: MIT
#pragma once

// Rows on a linkage: multipliers of the loops, gears and prescribed coordinates that joint
// coordinates leave.
//
//     M v̇ = τ + Jᵀ λ,   J v̇ + s λ = b            J: rows of (nv) numbers, M: never formed
//     A = J M⁻¹ Jᵀ + s,   A λ = b − J v̇₀          M⁻¹ Jᵀ by the articulated inertias, O(n) a row
//
// Rows may repeat what others say: of all multipliers that make the motion these are the smallest,
// measured by the inertias. A, scaled to a unit diagonal, is factorised by Cholesky where the
// pivots tell rows that count from rows that repeat; near a singular place, where they do not, A is
// inverted on the eigenvectors that matter. An eigenvalue counts as zero below 1e-12 of the
// largest. Rows that were left out by `decide` have no multipliers.

#include "poinsot/constraints/row.hpp"
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/kinematics.hpp"

#include <memory>

namespace poinsot {

/// The rows as they act on velocities: rows.count() rows of nv numbers. Links are placed in the
/// world. Where the tree leaves a row no motion but rounding, its numbers are zero.
void joint_jacobian(const Linkage& linkage, const Rows& rows, std::span<const PlacedBody> bodies,
                    std::vector<double>& J, LinkageSpace<double>& w);

class JointRows {
  public:
    static constexpr double rank_tolerance = 1e-12;
    /// Pivots of rows that count, and what rounding leaves of rows that repeat: the least
    /// eigenvalue is below the last pivot by at most 4^m and in practice by m, so both say what
    /// 1e-12 says.
    static constexpr double clear_pivot = 1e-8, clear_rest = 1e-13;

    JointRows();
    ~JointRows();
    JointRows(JointRows&&) noexcept;
    JointRows& operator=(JointRows&&) noexcept;

    /// Takes the rows at one place of the linkage, whose inertia is factored in `w` and whose links
    /// are placed in the world there.
    void factorise(const Linkage& linkage, const Rows& rows, std::span<const PlacedBody> bodies,
                   LinkageSpace<double>& w);
    int rank() const;

    /// Which rows repeat others at this place? They are left out by every `factorise` of as many
    /// rows, until that is forgotten: see TreeDirect. Pivots below the tolerance repeat.
    void decide(const Linkage& linkage, const Rows& rows, std::span<const PlacedBody> bodies,
                LinkageSpace<double>& w, double tolerance);
    /// True if there was anything to forget.
    bool forget();
    /// Per row: is it left out by such a decision? Empty if none is.
    std::span<const char> decided() const;

    /// The first half of that: J, M⁻¹ Jᵀ and A, for those who solve in another way.
    void assemble(const Linkage& linkage, const Rows& rows, std::span<const PlacedBody> bodies,
                  LinkageSpace<double>& w);
    /// Rows that no coordinate moves, as friction across the plane of a plane mechanism, are told
    /// by A beside what it would be if their bodies were free: of a row that is rounding it is some
    /// 1e-32. They answer to themselves alone, as free bodies would: so their speed stays zero and
    /// their multiplier is none. For those who solve in another way.
    void part_unmoved(const Rows& rows, std::span<const PlacedBody> bodies);
    /// A, all m² numbers.
    std::span<const double> A() const;
    /// The change M⁻¹ Jᵀ λ, added to `out`.
    void add_change(std::span<const double> lambda, std::span<double> out) const;

    /// λ of what the rows lack, added to `lambda`; the change M⁻¹ Jᵀ λ it makes, added to `out`.
    void reply(std::span<const double> lack, std::span<double> lambda, std::span<double> out);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace poinsot
