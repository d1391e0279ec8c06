// SPDX-License-Identifier: MIT
#pragma once

// A spring and damper in all six directions between a frame of one body and a frame of another,
// or of the world: a rubber mount, a seam that gives, a piece of a beam (model/beam.hpp). It is
// at rest where the two frames coincide. What it does is in forces/bushing_force.hpp.

#include "poinsot/base/result.hpp"
#include "poinsot/model/body.hpp"
#include "poinsot/model/force.hpp"
#include "poinsot/model/joint.hpp"

#include <array>
#include <vector>

namespace poinsot {

/// A symmetric 6×6 matrix on (displacement, turn), in blocks.
struct Six {
    Sym3<double> push = diagonal(0.0, 0.0, 0.0);                           // N/m, or N s/m
    Mat3<double> mixed{zero3<double>(), zero3<double>(), zero3<double>()}; // N/rad
    Sym3<double> turn = diagonal(0.0, 0.0, 0.0);                           // N m/rad, or N m s/rad

    bool none() const;
    friend bool operator==(const Six&, const Six&) = default;
};
/// Along x, y and z, then about them.
Six six_of(const std::array<double, 6>& diagonal);
std::array<std::array<double, 6>, 6> rows_of(const Six& six);
/// The matrix with these rows; none where they are not symmetric to the last digit.
std::optional<Six> six_of(const std::array<std::array<double, 6>, 6>& rows);

struct Bushing {
    std::string name;
    int a = world, b = 0;
    Pose<double> frame_a = identity_pose<double>(); // in the frame of a, or in the world
    Pose<double> frame_b = identity_pose<double>();
    Six stiffness = {}, damping = {}; // in the axes of frame_a
};

/// What acts on the turn of a ball or a point, under the joint's name.
Bushing bushing_of(const Joint& joint, const TurnLaw& law);

/// Names what is wrong with them, for the Builder.
void inspect_bushings(const std::vector<Body>& bodies, const std::vector<Bushing>& bushings,
                      Problems& found);

} // namespace poinsot
