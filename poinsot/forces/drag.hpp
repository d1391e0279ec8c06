// SPDX-License-Identifier: MIT
#pragma once

// Resistance of a medium at rest.
//
//     F = −(k₁ + k₂ |v|) v

#include "poinsot/math/vec3.hpp"

namespace poinsot {

template <Scalar T>
Vec3<T> drag_force(const T& linear, const T& quadratic, const Vec3<T>& v)
{
    return -(mul_add(quadratic, norm(v), linear) * v);
}

} // namespace poinsot
