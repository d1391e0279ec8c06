// SPDX-License-Identifier: MIT
#pragma once

// Going through the frames of a trajectory file that is too long for the memory: series in slabs,
// poses through a window, and poses between two frames along a line and the shortest arc. For .cpp
// files of io only.

#include "poinsot/io/trajectory_read.hpp"
#include "poinsot/math/rotation.hpp"

#include <algorithm>

namespace poinsot {

/// Thrown where what is to be made of a run cannot be.
struct NotMade {
    Problems problems;
};

inline constexpr std::size_t frame_slab_bytes = std::size_t{8} << 20;

/// Calls `use(first, count, rows)` for all frames of a series in slabs.
template <class Use>
void in_slabs(const TrajectoryReader& run, std::string_view series, Use&& use)
{
    const std::size_t row = run.row_size(series), f = run.frames();
    if (row == 0)
        return;
    const std::size_t most = std::max<std::size_t>(1, frame_slab_bytes / (8 * row));
    std::vector<double> rows(std::min(most, f) * row);
    for (std::size_t i = 0; i < f; i += most) {
        const std::size_t count = std::min(most, f - i);
        if (Problems found = run.read(series, i, count, rows.data()); found.any())
            throw NotMade{std::move(found)};
        use(i, count, rows.data());
    }
}

/// Rows of one series for one that goes forward and looks back a few.
class RowWindow {
  public:
    static constexpr std::size_t back = 4;
    RowWindow(const TrajectoryReader& run, std::string series);
    /// A row; none more than `back` before it will be asked for again.
    const double* row(std::size_t i)
    {
        if (i >= end_)
            slide(i);
        return rows_.data() + (i - begin_) * size_;
    }

  private:
    void slide(std::size_t i);

    const TrajectoryReader& run_;
    std::string series_;
    std::size_t size_, room_;
    std::vector<double> rows_;
    std::size_t begin_ = 0, end_ = 0;
};

/// Poses of all bodies in one frame: x y z and w x y z.
struct PoseRow {
    const double *x, *q;
};

inline Quat<double> row_quat(const double* q)
{
    return {q[0], q[1], q[2], q[3]};
}
inline Vec3<double> row_vec(const double* x)
{
    return {x[0], x[1], x[2]};
}

/// Frames of a run for one that goes forward and looks a little ahead.
class PoseWindow {
  public:
    PoseWindow(const TrajectoryReader& run, std::size_t ahead)
        : run_(run), rows_(std::min(2 * ahead + 2, run.frames())), nx_(3 * run.bodies()),
          nq_(4 * run.bodies()), x_(rows_ * nx_), q_(rows_ * nq_)
    {
    }
    /// A frame; those before `keep` will not be asked for again.
    PoseRow frame(std::size_t i, std::size_t keep)
    {
        if (i >= end_)
            slide(keep);
        return {x_.data() + (i - begin_) * nx_, q_.data() + (i - begin_) * nq_};
    }

  private:
    void slide(std::size_t keep);

    const TrajectoryReader& run_;
    std::size_t rows_, nx_, nq_;
    std::vector<double> x_, q_;
    std::size_t begin_ = 0, end_ = 0;
};

/// The cosine of half the angle between two attitudes, or less that.
inline double dot_of(const Quat<double>& a, const Quat<double>& b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/// A pose shown between two frames: along a line and the shortest arc.
struct PoseBetween {
    Vec3<double> xa, xb;
    Quat<double> qa, qb;
    double angle, inv_sine; // of half the turn from a to b

    PoseBetween(const Vec3<double>& xa, const Vec3<double>& xb, const Quat<double>& qa,
                const Quat<double>& to);
    Vec3<double> x(double u) const { return (1 - u) * xa + u * xb; }
    Quat<double> q(double u) const;
};

} // namespace poinsot
