// SPDX-License-Identifier: MIT
#pragma once

// What the user does to it in this step: loads given step by step, and functions of the state.

#include "poinsot/math/spatial.hpp"

#include <functional>
#include <vector>

namespace poinsot {

struct Placed;
struct Loads;

/// A wrench on one body about its centre of mass, in world axes, for the whole step.
struct StepLoad {
    int body;
    Wrench<double> wrench;
};

/// A force or torque along one coordinate of a joint, for the whole step: a control.
struct StepJointForce {
    int joint;
    int coordinate;
    double Q;
};

/// The torque of a rotor's drive for the whole step, added to what the model says. Not for one
/// that keeps a speed.
struct StepRotorTorque {
    int rotor;
    double torque;
};

/// A control for the whole step, in place of what its schedule says.
struct StepControl {
    int control;
    double value;
};

struct Input {
    std::vector<StepLoad> loads;
    std::vector<StepJointForce> joint_forces;
    std::vector<StepRotorTorque> rotor_torques = {};
    std::vector<StepControl> controls = {};
    /// Called at every evaluation; adds its loads with Loads::add(body, Cause::applied, wrench).
    std::function<void(const Placed&, double t, Loads&)> user_force;
    /// What `joint_forces` and `user_force` bring, once more: along the velocities of the linkage,
    /// for steps in joint coordinates. Only JointForces writes it.
    std::vector<double> tau;
};

} // namespace poinsot
