// SPDX-License-Identifier: MIT
#pragma once

// Where parts of one thing meet there is no edge to be felt. Each part is asked for its own contact
// with the other, and knows nothing of its neighbours: what slides over an edge between two
// triangles of a floor would meet the second one's edge as a wall. So contacts are put together.
//
// One face. Triangles side by side in one plane (Collider::Part::face) touch along one normal,
// that of the nearest of them, if it is the normal of the face: there they are one polygon, and
// the points of contact are the outermost of what all of them have in common with the other.
//
// Hidden. A part A of which all points that touch belong to a part B of the same body as well, and
// that lies beneath the plane in which B touches, can be reached by the other only through B:
// between tiles of one height, and beside an edge that stands out, B answers for both.

#include "poinsot/contacts/manifold.hpp"

namespace poinsot {

/// The contacts of one pair of skins, part by part in w.parts, as contacts of faces: added to
/// `out`, in ascending order. The key of what is put together has the first part of a face,
/// wherever in it the contact is.
void unite_faces(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                 const Pose<double>& pose_b, double margin, SeamSearch& w,
                 std::vector<Manifold>& out);

/// Takes out what is hidden. Skins of one owner are one body; none given: each skin is its own.
void leave_out_hidden(std::span<const Collider* const> shapes, std::span<const Pose<double>> poses,
                      std::span<const int> owners, SeamSearch& w, std::vector<Manifold>& all);

} // namespace poinsot
