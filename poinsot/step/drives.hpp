// SPDX-License-Identifier: MIT
#pragma once

// Motors and dry friction of joints as rows of a step by impulses. They answer together with
// joints, limits and contacts, so that no gain is too stiff for the step.
//
// A motor follows a place and a speed, Q = k (T − q) + c (T′ − q̇), at most |Q| ≤ most; one that
// follows a speed has k = 0 and its gain for c. Over a kick of length h at a place q
//
//     r = h [k (T(t + a h) − q − a h u⁺) + c (T′(t + (θ − ½) h) − (1 − θ) u⁻ − θ u⁺)]
//     x = h c w,   y = h² k w,     θ = (1 + x)/(2 + x),     a = (x + y)/(2 + 2x + y)
//
// w is an inverse mass at least as large as any that the motor meets: J M⁻¹ Jᵀ of free bodies, each
// counted as often as motors act on it, since of n rows on one body G ≤ n diag(G). Where the step
// resolves the motor, x and y are small and the law holds in the middle of the kick: order two.
// Where it does not, θ and a go to 1 and q is at its target after one step. Between, a mass alone
// is stable for all x, y ≥ 0 (docs/book/17-contact.md), and a damper decays as 1/(1 + x + x²/2).
//
// Friction takes the speed away with no more than F: u⁺ = 0, |r| ≤ h F. It stands where it stands,
// and has no speed of slip.
//
// All are rows  u⁺ + s r = c  within bounds. A guess g of each reaction, as if no other were there,
// acts like a load, and the rest is solved for: so a weak motor far from its target has no speeds
// in the problem that are larger than others.

#include "poinsot/constraints/row.hpp"
#include "poinsot/solve/problem.hpp"
#include "poinsot/state/placed.hpp"
#include "poinsot/step/drive_record.hpp"

#include <span>
#include <vector>

namespace poinsot {

/// A drive in one kick.
struct Drive {
    int joint = 0, coordinate = 0;
    Block::Origin origin = Block::Origin::motor;
    int row = 0;
    double lower = 0, upper = 0; // of r
    double softness = 0;         // s
    double wanted = 0;           // c/s, the impulse at u⁺ = 0; friction has c = 0
    double inverse_mass = 0;     // w
    double guess = 0;            // g
    double lack = 0;             // u + s g − c, with u the speed that loads and guesses leave
};

class Drives {
  public:
    explicit Drives(const Model& model);

    /// Those of joints that hold.
    std::span<const Drive> all() const { return all_; }
    /// Adds their rows behind those that are there.
    void bind(const Placed& placed, Rows& rows);
    /// Their laws in a kick of length h at time t that begins with speeds u⁻ of the rows.
    void follow(std::span<const double> before, std::span<const MovingMass> masses, double t,
                double h, Rows& rows);
    /// Guesses from speeds that loads alone would leave; true if any is not zero.
    bool guess(std::span<const double> freely);
    /// What they lack then, with the speeds that loads and guesses leave.
    void measure(std::span<const double> freely);

  private:
    const Model& model_;
    std::vector<Drive> described_, all_;
    std::vector<int> count_; // of drives, by body
};

} // namespace poinsot
