// SPDX-License-Identifier: MIT
#pragma once

// Explicit methods on a linkage: Euler, symplectic Euler, Runge-Kutta fixed and adaptive, in the
// local coordinates of joint_chart.hpp, so that balls and free bodies have the full order too.

#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/integrate/runge_kutta.hpp"

namespace poinsot {

StepReport explicit_euler(JointSystem& system, JointMotion& y, double t, double h,
                          Postings& postings);
StepReport symplectic_euler(JointSystem& system, JointMotion& y, double t, double h,
                            Postings& postings);
StepReport runge_kutta4(JointSystem& system, JointMotion& y, double t, double h,
                        Postings& postings);
StepReport dormand_prince(JointSystem& system, JointMotion& y, double t, double h, double& substep,
                          const Tolerance& tolerance, Postings& postings);

} // namespace poinsot
