// SPDX-License-Identifier: MIT
#include "poinsot/integrate/free_rotation.hpp"

namespace poinsot {

template class FreeMotionOf<double>;

Rotated rotate_freely(const Vec3<double>& I, const Quat<double>& q, const Vec3<double>& L_b,
                      double h)
{
    return FreeMotion(I, q, L_b).at(h);
}

Quat<double> turned_freely(const Vec3<double>& I, const Quat<double>& q, const Vec3<double>& L,
                           double h)
{
    // A turn below 1e-30 is none; the squares of such an L may be below all numbers.
    const double most = max(std::abs(L.x), max(std::abs(L.y), std::abs(L.z)));
    if (most * std::abs(h) < 1e-30 * min(I.x, min(I.y, I.z)))
        return q;
    const auto [turned, L_b] = FreeMotion(I, q, rotate(conjugate(q), L)).at(h);
    const double size = norm(L);
    if (!(size > 0))
        return turned;
    // Where the new attitude puts L_b is L but for a few roundings. The turn by u takes them back;
    // left alone, their mean would show in the energy after a million steps.
    const Vec3<double> now = rotate(turned, L_b) / size, u = 0.5 * cross(now, L / size - now);
    return normalised(turned + Quat<double>{0, u.x, u.y, u.z} * turned);
}

} // namespace poinsot
