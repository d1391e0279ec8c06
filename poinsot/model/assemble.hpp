// SPDX-License-Identifier: MIT
#pragma once

// Joints that fit: whether each is well described, and whether the bodies stand as it says.
//
// A body of the tree is put exactly where its carrier and coordinates place it, so that both
// formulations start from the same bits:
//
//     X_b = X_a F_a J(q) F_b⁻¹          F: the frames of the joint, J(q): its own motion
//
// with q as given, or the q nearest to the poses as given. Poses typed with seven digits are moved
// by their last digit; a pose that is farther off is a mistake and is reported. What is welded to a
// body that a start has put elsewhere goes with it.

#include "poinsot/base/result.hpp"
#include "poinsot/model/body.hpp"
#include "poinsot/model/joint.hpp"

namespace poinsot {

/// Every problem of the joints and gears as described, apart from where the bodies stand.
void inspect_joints(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                    const std::vector<Gear>& gears, Problems& found);

/// Coordinates and speeds of every joint at the start.
struct JointStart {
    std::vector<double> q, speed;
};

/// Puts the bodies of the tree in place, and fills in where every joint starts. Reports joints that
/// the bodies do not fit.
std::vector<JointStart> assemble(std::vector<Body>& bodies, const std::vector<Joint>& joints,
                                 const Tree& tree, Problems& found);

/// Gears whose coordinates start at speeds that contradict the ratio. Where they start is what the
/// gear goes by, so places cannot.
Problems off_their_ratio(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                         const std::vector<Gear>& gears, const std::vector<JointStart>& starts);

/// The largest rates that are told in advance: of what turns, and of what shifts. At rest by its
/// phase a course still leaves the rounding of these.
struct ToldRates {
    double turn = 0, shift = 0;
};
ToldRates told_rates(const std::vector<Joint>& joints);

/// Joints that start outside their limits. A model may have some: a robot's zero pose need not be
/// one that it can take. A run may not.
Problems outside_limits(const std::vector<Joint>& joints, const std::vector<JointStart>& starts);

/// From the centre of a rolling disc to its lowest point, z up, for an axis of unit length.
Vec3<double> rolling_arm(const Vec3<double>& axis, double radius);

/// Frame b of a joint in its frame a, and how it moves there (its origin, in axes of a).
Pose<double> relative_pose(const Joint& joint, const std::vector<Body>& bodies);
Twist<double> relative_twist(const Joint& joint, const std::vector<Body>& bodies);

} // namespace poinsot
