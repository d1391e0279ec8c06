// SPDX-License-Identifier: MIT
#pragma once

// Two points keep their distance: d = x_b − x_a, n = d/|d|,
//
//     g = |d| − l            ġ = n · ḋ
//     γ = n · (ω_b × (ω_b × r_b) − ω_a × (ω_a × r_a)) + (|ḋ|² − ġ²)/|d|

#include "poinsot/constraints/point_row.hpp"

namespace poinsot {

template <Scalar T>
PairRow<T> distance_row(const T& length, const Vec3<T>& x_a, const Vec3<T>& x_b, const End<T>& a,
                        const End<T>& b)
{
    const Vec3<T> d = x_b - x_a, d_dot = b.velocity_at(x_b) - a.velocity_at(x_a);
    const T l = norm(d);
    const Vec3<T> n = d / l;
    const T along = dot(n, d_dot);
    return {constant<T>(0.5) * (x_a + x_b),
            n,
            zero3<T>(),
            l - length,
            dot(n, b.centripetal_at(x_b) - a.centripetal_at(x_a)) +
                (norm2(d_dot) - along * along) / l,
            terms_of(x_a, x_b, a, b)};
}

} // namespace poinsot
