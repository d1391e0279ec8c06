// SPDX-License-Identifier: MIT
#pragma once

// Gauss collocation on Hamilton's equations of a linkage: implicit, symmetric and symplectic, of
// order six with three stages and two with one (the midpoint rule).
//
//     u̇ = ∂H/∂P,  Ṗ = −∂H/∂u + forces           in the local coordinates of joint_chart.hpp
//     y_i = y₀ + h Σ_j a_ij f(y_j)               y₁ = y₀ + h Σ_i b_i f(y_i)
//
// Energy has no drift because the map is symplectic, not because anything is put back. The stages
// are iterated until rounding stirs the last digit; they begin where the cubic through the stages
// of the step before and the new start points to. Those stages, and the momenta, are part of the
// state: a resumed run takes the same iterations.

#include "poinsot/integrate/joint_system.hpp"

namespace poinsot {

StepReport gauss6(JointSystem& system, JointMotion& y, double t, double h, Postings& postings);
StepReport gauss2(JointSystem& system, JointMotion& y, double t, double h, Postings& postings);

} // namespace poinsot
