// SPDX-License-Identifier: MIT
#pragma once

// How far two sections are from carrying the same.

#include "poinsot/poinsot.hpp"

#include <cmath>

namespace poinsot {

inline double far_apart(const SectionLoad& a, const SectionLoad& b)
{
    return std::abs(a.tension - b.tension) + std::abs(a.shear_x - b.shear_x) +
           std::abs(a.shear_y - b.shear_y) + std::abs(a.bending_x - b.bending_x) +
           std::abs(a.bending_y - b.bending_y) + std::abs(a.torsion - b.torsion);
}

} // namespace poinsot
