// SPDX-License-Identifier: MIT
#pragma once

// Gravity, uniform and mutual.
//
//     F = m g                                 V = −m g · x
//     F_ij = G m_i m_j d/|d|³                 V = −G m_i m_j/|d|,   d = x_j − x_i
//
// Uniform gravity makes no torque about the centre of mass. Mutual attraction acts between centres
// of mass; the gravity gradient over an extended body is left out.

#include "poinsot/math/vec3.hpp"

namespace poinsot {

/// The attraction that the first of two masses feels, d pointing from it to the other.
template <Scalar T>
Vec3<T> attraction(const T& G, const T& m_i, const T& m_j, const Vec3<T>& d)
{
    const T r2 = norm2(d);
    return (G * m_i * m_j / (r2 * sqrt(r2))) * d;
}
template <Scalar T>
T attraction_energy(const T& G, const T& m_i, const T& m_j, const Vec3<T>& d)
{
    return -(G * m_i * m_j / norm(d));
}

} // namespace poinsot
