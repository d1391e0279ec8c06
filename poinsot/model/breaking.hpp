// SPDX-License-Identifier: MIT
#pragma once

// A rigid body that breaks in two where it is cut.
//
// Before it breaks the two parts are one body, bound by a weld in the plane of the cut; the weld
// lets go when the cut is loaded beyond its strength. Mass, centre and inertia of what is near are
// those of the whole without the part beyond, so both parts together have the momenta of the whole:
//
//     m v = m₋ v₋ + m₊ v₊        L = L₋ + L₊        v± = v + ω × (c± − c)
//
// What is fixed to the body goes with the part on whose side of the plane it is fixed; a surface on
// both sides is cut in two. A body may have several cuts, parallel to each other, and break at any
// of them: each break makes two of the part that its cut goes through.

#include "poinsot/model/builder.hpp"

namespace poinsot {

/// Makes two bodies of the one that a cut goes through. What is near keeps name and index; what
/// lies beyond is a new body of this name, the last one. The cut then is of their weld,
/// "NAME/root", and "NAME/breaks" lets it go. Skins that are cut in two are told as `halved`; what
/// lies beyond of each is one of the last skins, in the same order. What is wrong is named, and
/// nothing is changed then.
Problems break_at(Builder& description, std::size_t cut, const std::string& beyond,
                  std::vector<std::size_t>* halved = nullptr);
/// What a collider was made of that can be cut in two, a box or a cylinder; else no shape.
Shape shape_in_two(const Collider& collider);

} // namespace poinsot
