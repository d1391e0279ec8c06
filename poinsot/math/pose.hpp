// SPDX-License-Identifier: MIT
#pragma once

// Rotation then translation: where a frame is.
//
//     r_world = x + q r_body q*

#include "poinsot/math/rotation.hpp"

namespace poinsot {

template <Scalar T>
struct Pose {
    Vec3<T> x;
    Quat<T> q;

    /// First b, then a.
    friend Pose operator*(const Pose& a, const Pose& b)
    {
        return {a.x + rotate(a.q, b.x), a.q * b.q};
    }
};

template <Scalar T>
constexpr Pose<T> identity_pose()
{
    return {zero3<T>(), identity_quat<T>()};
}
/// The world point of a body point.
template <Scalar T>
Vec3<T> place(const Pose<T>& pose, const Vec3<T>& r)
{
    return pose.x + rotate(pose.q, r);
}
template <Scalar T>
Pose<T> inverse(const Pose<T>& pose)
{
    const Quat<T> q = conjugate(pose.q);
    return {-rotate(q, pose.x), q};
}

} // namespace poinsot
