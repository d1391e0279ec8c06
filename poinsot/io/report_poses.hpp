// SPDX-License-Identifier: MIT
#pragma once

// The poses of a page: which frames are in it, and how their numbers are rounded. For .cpp files of
// io only.

#include "poinsot/io/run_frames.hpp"
#include "poinsot/math/rotation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace poinsot {

/// How positions and orientations are rounded, and what a page shows for them.
struct PoseRounding {
    Vec3<double> low = zero3<double>(), high = zero3<double>();
    bool exact_positions = false;

    static std::uint16_t word(double x, double low, double high)
    {
        return high > low ? static_cast<std::uint16_t>(std::clamp(
                                std::round((x - low) / (high - low) * 65535), 0., 65535.))
                          : std::uint16_t{0};
    }
    std::array<std::uint16_t, 3> words(const Vec3<double>& x) const
    {
        return {word(x.x, low.x, high.x), word(x.y, low.y, high.y), word(x.z, low.z, high.z)};
    }
    Vec3<double> shown(const std::array<std::uint16_t, 3>& k) const
    {
        return {low.x + (high.x - low.x) * k[0] / 65535, low.y + (high.y - low.y) * k[1] / 65535,
                low.z + (high.z - low.z) * k[2] / 65535};
    }
    Vec3<double> shown(const Vec3<double>& x) const
    {
        return exact_positions ? x : shown(words(x));
    }

    // Smallest three in 3 × 15 bits: FORMAT.md.
    static std::array<std::uint16_t, 3> words(const Quat<double>& q)
    {
        const std::array<double, 4> c{q.w, q.x, q.y, q.z};
        std::size_t m = 0;
        for (std::size_t i = 1; i < 4; ++i)
            if (std::abs(c[i]) > std::abs(c[m]))
                m = i;
        std::array<std::uint16_t, 3> words{};
        for (std::size_t i = 0, w = 0; i < 4; ++i)
            if (i != m) {
                const double a = c[m] < 0 ? -c[i] : c[i];
                words[w++] = static_cast<std::uint16_t>(
                    std::clamp(std::round((std::numbers::sqrt2 * a + 1) * 16383), 0., 32766.));
            }
        words[0] = static_cast<std::uint16_t>(words[0] | (m >> 1) << 15);
        words[1] = static_cast<std::uint16_t>(words[1] | (m & 1) << 15);
        return words;
    }
    static Quat<double> shown(const Quat<double>& q)
    {
        const auto words = PoseRounding::words(q);
        const std::size_t m = std::size_t(words[0] >> 15) * 2 + std::size_t(words[1] >> 15);
        std::array<double, 4> c{};
        double rest = 1;
        for (std::size_t i = 0, w = 0; i < 4; ++i)
            if (i != m) {
                c[i] = ((words[w++] & 0x7fff) / 16383.0 - 1) / std::numbers::sqrt2;
                rest -= c[i] * c[i];
            }
        c[m] = std::sqrt(std::max(rest, 0.0));
        return {c[0], c[1], c[2], c[3]};
    }
};

/// Rounded poses, and the largest errors that the page makes with them, anywhere.
struct ShownPoses {
    std::vector<std::size_t> frames;     // those that are in the page
    std::vector<std::uint16_t> x16, q16; // their poses
    std::vector<double> x64;             // or positions as computed
    double error2 = 0, sine2 = 0;        // largest distance², and sine² of half an angle
};

/// The angle whose half has a sine with this square.
double angle_of(double sine2);

/// Chooses the frames of a page and rounds their poses: errors stay within `within` (m) and
/// shown_within_angle where frames are dropped.
ShownPoses chosen_frames(const TrajectoryReader& run, const PoseRounding& rounding, double within,
                         bool drop, const std::function<void(double)>& progress);

} // namespace poinsot
