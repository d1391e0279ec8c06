// SPDX-License-Identifier: MIT
#include "poinsot/io/report_poses.hpp"

#include "poinsot/io/report.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

double angle_of(double sine2)
{
    return 2 * std::asin(std::sqrt(std::min(sine2, 1.0)));
}

namespace {

/// The square of the sine of half the angle between two attitudes.
double apart2(const Quat<double>& a, const Quat<double>& b)
{
    const double d = dot_of(a, b);
    return std::max(0.0, 1 - d * d);
}

/// Chooses the frames of a page and rounds their poses.
class FrameChoice {
  public:
    FrameChoice(const TrajectoryReader& run, const PoseRounding& rounding, double within, bool drop)
        : run_(run), rounding_(rounding),
          ahead_(drop ? std::clamp<std::size_t>((std::size_t{64} << 20) /
                                                    (56 * std::max<std::size_t>(run.bodies(), 1)),
                                                1, 64)
                      : 1),
          window_(run, ahead_), within2_(square(within)),
          within_sine2_(square(std::sin(shown_within_angle / 2)))
    {
    }

    ShownPoses made(const std::function<void(double)>& progress)
    {
        const std::size_t f = run_.frames();
        ShownPoses out;
        keep(out, 0, 0);
        measure(out, 0, 0);
        for (std::size_t a = 0; a + 1 < f;) {
            const std::size_t b = next(a);
            measure(out, a, b);
            keep(out, b, a);
            a = b;
            if (b % 64 < ahead_)
                progress(static_cast<double>(b) / static_cast<double>(f));
        }
        return out;
    }

  private:
    static double square(double x) { return x * x; }

    /// The last frame b, of those tried, such that the page shows all between a and b well enough:
    /// twice as far while it does, then halving.
    std::size_t next(std::size_t a)
    {
        const std::size_t most = std::min(ahead_, run_.frames() - 1 - a);
        std::size_t good = 1, bad = most + 1;
        for (std::size_t d = 2; d <= most && bad > most; d *= 2)
            (fits(a, a + d) ? good : bad) = d;
        while (bad - good > 1) {
            const std::size_t d = good + (bad - good) / 2;
            (fits(a, a + d) ? good : bad) = d;
        }
        return a + good;
    }

    PoseBetween between(const PoseRow& from, const PoseRow& to, std::size_t i) const
    {
        return {rounding_.shown(row_vec(from.x + 3 * i)), rounding_.shown(row_vec(to.x + 3 * i)),
                PoseRounding::shown(row_quat(from.q + 4 * i)),
                PoseRounding::shown(row_quat(to.q + 4 * i))};
    }
    double part(std::size_t a, std::size_t i, std::size_t b) const
    {
        const auto& t = run_.head().time;
        return b > a ? (t[i] - t[a]) / (t[b] - t[a]) : 0;
    }

    bool fits(std::size_t a, std::size_t b)
    {
        window_.frame(b, a); // brings all from a on
        const PoseRow from = window_.frame(a, a), to = window_.frame(b, a);
        for (std::size_t i = 0; i < run_.bodies(); ++i) {
            const PoseBetween shown = between(from, to, i);
            if (shown.angle > std::numbers::pi / 4) // a quarter turn, halved as in quaternions
                return false;
            for (std::size_t k = a + 1; k < b; ++k) {
                const PoseRow row = window_.frame(k, a);
                const double u = part(a, k, b);
                if (!(norm2(shown.x(u) - row_vec(row.x + 3 * i)) <= within2_ &&
                      apart2(shown.q(u), row_quat(row.q + 4 * i)) <= within_sine2_))
                    return false;
            }
        }
        return true;
    }
    void measure(ShownPoses& out, std::size_t a, std::size_t b)
    {
        window_.frame(b, a);
        const PoseRow from = window_.frame(a, a), to = window_.frame(b, a);
        for (std::size_t i = 0; i < run_.bodies(); ++i) {
            const PoseBetween shown = between(from, to, i);
            for (std::size_t k = std::min(a + 1, b); k <= b; ++k) {
                const PoseRow row = window_.frame(k, a);
                const double u = part(a, k, b);
                out.error2 = std::max(out.error2, norm2(shown.x(u) - row_vec(row.x + 3 * i)));
                out.sine2 = std::max(out.sine2, apart2(shown.q(u), row_quat(row.q + 4 * i)));
            }
        }
    }
    void keep(ShownPoses& out, std::size_t frame, std::size_t from)
    {
        out.frames.push_back(frame);
        const PoseRow row = window_.frame(frame, from);
        for (std::size_t i = 0; i < run_.bodies(); ++i) {
            if (rounding_.exact_positions) {
                out.x64.insert(out.x64.end(), row.x + 3 * i, row.x + 3 * i + 3);
            } else {
                const auto x = rounding_.words(row_vec(row.x + 3 * i));
                out.x16.insert(out.x16.end(), x.begin(), x.end());
            }
            const auto q = PoseRounding::words(row_quat(row.q + 4 * i));
            out.q16.insert(out.q16.end(), q.begin(), q.end());
        }
    }

    const TrajectoryReader& run_;
    const PoseRounding& rounding_;
    std::size_t ahead_;
    PoseWindow window_;
    double within2_, within_sine2_;
};

} // namespace

ShownPoses chosen_frames(const TrajectoryReader& run, const PoseRounding& rounding, double within,
                         bool drop, const std::function<void(double)>& progress)
{
    return FrameChoice(run, rounding, within, drop).made(progress);
}

} // namespace poinsot
