// SPDX-License-Identifier: MIT
#pragma once

// What that acts depends on velocity?

#include "poinsot/model/model.hpp"

namespace poinsot {

// In a step by impulses these answer as rows (step/drives.hpp): a motor that follows a place or a
// speed, and dry friction. What is prescribed moves as it is told, and they are loads beside it.
inline bool drives_as_row(const CoordinateLaw& law)
{
    if (!law.motor || law.prescribed || law.motor->kind == Motor::Kind::force)
        return false;
    return law.motor->gain > 0 ||
           (law.motor->kind == Motor::Kind::position && law.motor->damping > 0);
}
inline bool rubs_as_row(const CoordinateLaw& law)
{
    return law.friction > 0 && !law.prescribed;
}

/// Does any load of the model? With `drives_bind` those that are rows are none.
bool depends_on_velocity(const Model& model, bool drives_bind);

} // namespace poinsot
