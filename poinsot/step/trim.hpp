// SPDX-License-Identifier: MIT
#pragma once

// Steady flight of a model through air: which attitude, which controls, and how far what bends is
// bent.
//
// Everything moves as one rigid body: along a path that climbs by γ with the speed V against the
// air, and turns about the vertical with W. Seen from axes that move along nothing changes, so
//
//     v = v_C + W e_z × (x − x_C)        of every body,        v_C = air + V (along the path)
//     v̇_i(q, v, c) = 0                   every freedom of the linkage, in axes that turn with it
//     β = 0                              if the controls allow it
//
// It is the velocity against the air that turns: velocities of roots are taken against steady wind.
// Wind that changes with altitude is no other for what flies level and straight ahead.
//
// Unknown are the attitude of the whole (three turns), the place and attitude of every other body
// against the first, or the coordinates of its joints, and the controls c that are not kept.
// Newton's iteration finds them, with
//
//     J δ = −F                           least squares, and of all answers the smallest δ
//
// J by central differences, columns scaled to one, a step halved until J⁻¹ F has become smaller.
// Controls beyond their limits are held there, and the rest is asked to do without.

#include "poinsot/model/builder.hpp"
#include "poinsot/state/placed.hpp"
#include "poinsot/state/state.hpp"

#include <optional>

namespace poinsot {

struct TrimRequest {
    int body = -1;                          // −1: the heaviest that the air acts on
    std::optional<double> speed = {};       // m/s, of its centre of mass; as at the start if none
    std::optional<double> altitude = {};    // m; likewise
    std::optional<double> climb_angle = 0.; // none: it is found too, as for a glider
    double turn_rate = 0;                   // rad/s about the vertical; positive: to the left
    std::vector<int> kept = {};             // controls that stay as they are scheduled
};

struct Trim {
    bool found = false;
    std::string why; // it was not

    int body = 0;
    double speed = 0, altitude = 0, climb_angle = 0, turn_rate = 0;
    double alpha = 0, beta = 0; // where the air acts on that body
    double pitch = 0, bank = 0; // of the axes of its coefficients; bank to the right is positive
    double thrust = 0;          // N, of loads and thrusters, along the x of those axes
    std::vector<double> controls;
    std::vector<char> saturated; // per control: it stands at a limit

    double residual = 0;  // the largest of all accelerations that are left, m/s² and rad/s²
    double tolerance = 0; // what of it is rounding: 1e-9 g, and 32 ε Σ |J| |x|
    std::string residual_of;
    int iterations = 0;

    std::vector<PlacedBody> bodies;  // where everything is, and how it moves
    std::vector<double> coordinates; // of all joints
};

/// A problem where the question makes no sense; an answer that was not found says why.
Result<Trim> trim(const Model& model, const TrimRequest& request);

/// The description with everything where a trim has it. Schedules of controls are shifted, so that
/// they begin with the trim's values; a problem where that leads beyond the limits.
Result<Builder> trimmed(Builder description, const Trim& trim);

} // namespace poinsot
