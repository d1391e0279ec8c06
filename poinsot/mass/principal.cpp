// SPDX-License-Identifier: MIT
#include "poinsot/mass/principal.hpp"

#include "poinsot/base/result.hpp"
#include "poinsot/math/sym3_eigen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace poinsot {

namespace {

bool is_finite(const Sym3<double>& a)
{
    return std::isfinite(a.xx) && std::isfinite(a.yy) && std::isfinite(a.zz) &&
           std::isfinite(a.xy) && std::isfinite(a.xz) && std::isfinite(a.yz);
}

// v or −v: the first component that is at least half as long as the longest becomes positive. Half,
// so that rounding does not choose between components of equal length.
Vec3<double> with_sign(const Vec3<double>& v)
{
    const double half = 0.5 * std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    for (const double c : {v.x, v.y, v.z})
        if (std::abs(c) >= half)
            return c < 0 ? -v : v;
    return v;
}

Vec3<double> unit(int axis)
{
    return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

} // namespace

PrincipalAxes principal_axes(const Sym3<double>& I)
{
    check(is_finite(I), "principal axes of an inertia that is not finite");

    // Products of one rounding of the trace are noise: the moments do not feel them, and where two
    // moments are equal they would choose the axes.
    const double noise =
        std::numeric_limits<double>::epsilon() * (std::abs(I.xx) + std::abs(I.yy) + std::abs(I.zz));
    const auto negligible = [noise](double product) { return std::abs(product) <= noise; };
    if (negligible(I.xy) && negligible(I.xz) && negligible(I.yz)) {
        const std::array<double, 3> moment{I.xx, I.yy, I.zz};
        std::array<int, 3> order{0, 1, 2};
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return moment[static_cast<std::size_t>(a)] < moment[static_cast<std::size_t>(b)];
        });
        const auto at = [&](int i) {
            return moment[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
        };
        const Vec3<double> a0 = unit(order[0]), a1 = unit(order[1]);
        return {{at(0), at(1), at(2)}, transpose(Mat3<double>{a0, a1, cross(a0, a1)})};
    }

    const Sym3Eigen found = eigen_of(I);
    const Vec3<double> a0 = with_sign(found.axis[0]), a1 = with_sign(found.axis[1]);
    return {{found.value[0], found.value[1], found.value[2]},
            transpose(Mat3<double>{a0, a1, cross(a0, a1)})};
}

bool can_exist(const Sym3<double>& I, double allowance)
{
    if (!is_finite(I))
        return false;
    const double size = std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz)});
    return why_cannot_exist(I, allowance * size).empty();
}

std::string why_cannot_exist(const Sym3<double>& I, double absolute_allowance)
{
    if (!is_finite(I))
        return "the inertia has a number that is not finite";
    const Vec3<double> moments = principal_axes(I).moments;
    const double size = std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz)});
    const double allowed = absolute_allowance < 0 ? existence_allowance * size : absolute_allowance;
    const auto numbers = [&] {
        return text_of("principal moments ", moments.x, ", ", moments.y, ", ", moments.z, ": ");
    };
    if (moments.x < -allowed)
        return numbers() + "a moment must not be negative";
    const double excess = moments.z - (moments.x + moments.y);
    if (excess > allowed)
        return numbers() + text_of("the largest exceeds the sum of the other two by ", excess,
                                   ", which no distribution of mass can do");
    return {};
}

} // namespace poinsot
