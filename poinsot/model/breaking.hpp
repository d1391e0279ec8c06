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
// What is fixed to the body goes with the part on whose side of the plane it is fixed.

#include "poinsot/model/builder.hpp"

namespace poinsot {

/// Makes two bodies of the one that a cut goes through. What is near keeps name and index; what
/// lies beyond is a new body of this name, the last one. The cut then is of their weld,
/// "NAME/root", and "NAME/breaks" lets it go. What is wrong is named, and nothing is changed then.
Problems break_at(Builder& description, std::size_t cut, const std::string& beyond);

} // namespace poinsot
