// SPDX-License-Identifier: MIT
#include "poinsot/io/run_frames.hpp"

#include <cmath>

namespace poinsot {

RowWindow::RowWindow(const TrajectoryReader& run, std::string series)
    : run_(run), series_(std::move(series)), size_(run.row_size(series_)),
      room_(std::max<std::size_t>(2 * back, frame_slab_bytes / 8 / std::max<std::size_t>(size_, 1)))
{
}

void RowWindow::slide(std::size_t i)
{
    while (i >= end_) {
        const std::size_t keep = std::max(begin_, std::min(end_, i > back ? i - back : 0)),
                          kept = end_ - keep;
        rows_.erase(rows_.begin(),
                    rows_.begin() + static_cast<std::ptrdiff_t>((keep - begin_) * size_));
        const std::size_t more = std::min(room_, run_.frames() - end_);
        rows_.resize((kept + more) * size_);
        if (Problems found = run_.read(series_, end_, more, rows_.data() + kept * size_);
            found.any())
            throw NotMade{std::move(found)};
        begin_ = keep;
        end_ += more;
    }
}

void PoseWindow::slide(std::size_t keep)
{
    keep = std::min(keep, end_);
    const std::size_t kept = end_ - keep, from = keep - begin_;
    std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(from * nx_), kept * nx_, x_.begin());
    std::copy_n(q_.begin() + static_cast<std::ptrdiff_t>(from * nq_), kept * nq_, q_.begin());
    begin_ = keep;
    const std::size_t more = std::min(rows_ - kept, run_.frames() - end_);
    double *x = x_.data() + kept * nx_, *q = q_.data() + kept * nq_;
    Problems found = run_.read("bodies/position", end_, more, x);
    found.add(run_.read("bodies/orientation", end_, more, q));
    for (std::size_t i = 0; i < more * run_.bodies() && !found.any(); ++i) {
        const double length = std::sqrt(norm2(row_quat(q + 4 * i)));
        if (!(length > 0.5 && length < 2)) // no rotation, however it drifted
            found.add(run_.file().string() + ": /bodies/orientation", "frame ",
                      end_ + i / run_.bodies(), ", body '", run_.head().names[i % run_.bodies()],
                      "': no unit quaternion");
        for (std::size_t k = 0; k < 4; ++k)
            q[4 * i + k] /= length;
    }
    if (found.any())
        throw NotMade{std::move(found)};
    end_ += more;
}

PoseBetween::PoseBetween(const Vec3<double>& xa, const Vec3<double>& xb, const Quat<double>& qa,
                         const Quat<double>& to)
    : xa(xa), xb(xb), qa(qa), qb(dot_of(qa, to) < 0 ? -1.0 * to : to),
      angle(std::acos(std::min(1.0, dot_of(qa, qb)))),
      inv_sine(angle > 1e-6 ? 1 / std::sin(angle) : 0)
{
}

Quat<double> PoseBetween::q(double u) const
{
    if (inv_sine == 0)
        return normalised((1 - u) * qa + u * qb);
    return (std::sin((1 - u) * angle) * inv_sine) * qa + (std::sin(u * angle) * inv_sine) * qb;
}

} // namespace poinsot
