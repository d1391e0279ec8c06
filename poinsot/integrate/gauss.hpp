// SPDX-License-Identifier: MIT
#pragma once

// Gauss collocation on Hamilton's equations of a linkage: implicit, symmetric and symplectic, of
// order eight with four stages and two with one (the midpoint rule).
//
//     u̇ = ∂H/∂P,  Ṗ = −∂H/∂u + forces           in the local coordinates of stage_sweep.hpp
//     y_i = y₀ + h Σ_j a_ij f(y_j)               y₁ = y₀ + h Σ_i b_i f(y_i)
//
// Energy has no drift because the map is symplectic, not because anything is put back. The stages
// are iterated until rounding is all that is left; they begin where the polynomial through the
// stages of the last two steps points to. Those stages, and the momenta, are part of the state: a
// resumed run takes the same iterations.
//
// Where mass varies, P is that of the links, I V, with the inertia of each moment; to its rate what
// comes and goes adds İ V, and what it does to the shell is a load (forces/thrust.hpp). The order
// stays; a flow that begins or ends is the end of a part of a step.
//
// Where loads are so stiff that sweeps run away, Newton's method finds the stages. A step that
// neither can follow from there, as when the end of a chain cracks within a
// few milliseconds, is taken in two halves, and these in halves again. Such a step is as accurate
// as its parts; symplectic is each part for itself.

#include "poinsot/integrate/joint_system.hpp"

namespace poinsot {

StepReport gauss8(JointSystem& system, JointMotion& y, double t, double h, Postings& postings);
StepReport gauss2(JointSystem& system, JointMotion& y, double t, double h, Postings& postings);

} // namespace poinsot
