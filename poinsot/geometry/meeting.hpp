// SPDX-License-Identifier: MIT
#pragma once

// Where two features meet, to rounding: what a search has found between curved cores, made exact.
//
//     h(n) = n · (a(n) − b(n))           a and b bear along n: the gap is −h, the depth h
//
// Both gap and depth are at a least h on the sphere of directions, so there, with what is free
// along features that are straight,
//
//     a(n) + s e − b(n) − t f  ∥  n      two equations
//     e · n = 0,  f · n = 0              one for each that is straight, and its s
//
// A rim and an ellipsoid bear at one point for each n. An edge, the side of a cylinder and that of
// a cone bear along a line, for the n across it; a face for one n alone. Newton's method doubles
// the digits with every round. A search that ends when bounds meet to ε knows n to √ε: too little
// to say how a contact wanders, which is a difference of normals a moment apart.

#include "poinsot/geometry/distance.hpp"

#include <optional>

namespace poinsot {

/// In the frame of the first core: b − a = between · n.
struct Meeting {
    Vec3<double> n, a, b;
    double between; // below zero: the depth
};

/// The meeting of features near one that was found; none where no two features that bear there
/// agree with it to `accuracy`, a length.
std::optional<Meeting> meeting_near(const CorePair& pair, const Meeting& found, double accuracy);

} // namespace poinsot
