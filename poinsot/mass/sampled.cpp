// SPDX-License-Identifier: MIT
#include "poinsot/mass/sampled.hpp"

#include "poinsot/mass/solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace poinsot {

// ---- inside a surface ---------------------------------------------------------------------------

std::size_t InsideSurface::cell_of(double x, double lo, double size) const
{
    const double cell = size > 0 ? (x - lo) / size * static_cast<double>(cells_) : 0;
    return static_cast<std::size_t>(std::clamp(cell, 0.0, static_cast<double>(cells_ - 1)));
}

InsideSurface::InsideSurface(const Surface& surface)
    : surface_(surface), box_(bounds_of(surface.vertices)),
      cells_(static_cast<std::size_t>(
          std::clamp(std::sqrt(static_cast<double>(surface.faces.size())), 1.0, 1024.0)))
{
    // Two passes over the faces: count what falls into each cell, then file it.
    const Vec3<double> size = box_.size();
    const auto each_cell = [&](const std::array<int, 3>& face, const auto& visit) {
        const auto corner = [&](std::size_t k) {
            return surface_.vertices[static_cast<std::size_t>(face[k])];
        };
        Bounds of{corner(0), corner(0)};
        of.include(corner(1));
        of.include(corner(2));
        for (std::size_t y = cell_of(of.lo.y, box_.lo.y, size.y);
             y <= cell_of(of.hi.y, box_.lo.y, size.y); ++y)
            for (std::size_t x = cell_of(of.lo.x, box_.lo.x, size.x);
                 x <= cell_of(of.hi.x, box_.lo.x, size.x); ++x)
                visit(y * cells_ + x);
    };
    begin_.assign(cells_ * cells_ + 1, 0);
    for (const auto& face : surface_.faces)
        each_cell(face, [&](std::size_t cell) { ++begin_[cell + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i)
        begin_[i] += begin_[i - 1];
    faces_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t f = 0; f < surface_.faces.size(); ++f)
        each_cell(surface_.faces[f],
                  [&](std::size_t cell) { faces_[next[cell]++] = static_cast<int>(f); });
}

namespace {

// Does a half line from (x, y) towards +x cross the edge, both seen along z? The answer depends on
// the edge and not on the face that asks: the ends are taken in the order of their indices, and an
// end at the height of the half line counts as below it.
bool crosses(const std::vector<Vec3<double>>& vertices, int i, int k, double x, double y)
{
    const Vec3<double>& a = vertices[static_cast<std::size_t>(std::min(i, k))];
    const Vec3<double>& b = vertices[static_cast<std::size_t>(std::max(i, k))];
    if ((a.y <= y) == (b.y <= y))
        return false;
    return x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
}

} // namespace

// The ray meets a face where the half line across it leaves the face an odd number of times, at
//
//     z = a_z − (n_x (x − a_x) + n_y (y − a_y))/n_z,   n = (b − a) × (c − a)
bool InsideSurface::operator()(const Vec3<double>& r) const
{
    if (!box_.contains(r))
        return false;
    const Vec3<double> size = box_.size();
    const std::size_t cell =
        cell_of(r.y, box_.lo.y, size.y) * cells_ + cell_of(r.x, box_.lo.x, size.x);
    bool inside = false;
    for (std::size_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
        const auto& [ia, ib, ic] = surface_.faces[static_cast<std::size_t>(faces_[i])];
        const auto& v = surface_.vertices;
        if (!(crosses(v, ia, ib, r.x, r.y) ^ crosses(v, ib, ic, r.x, r.y) ^
              crosses(v, ic, ia, r.x, r.y)))
            continue;
        const Vec3<double>& a = v[static_cast<std::size_t>(ia)];
        const Vec3<double> n =
            cross(v[static_cast<std::size_t>(ib)] - a, v[static_cast<std::size_t>(ic)] - a);
        if (n.z != 0 && (n.x * (r.x - a.x) + n.y * (r.y - a.y)) / n.z < a.z - r.z)
            inside = !inside;
    }
    return inside;
}

// ---- sums over points ---------------------------------------------------------------------------

namespace {

// Count, first and second moments of points given from a fixed place.
struct Tally {
    double k = 0;
    Vec3<double> x = zero3<double>();
    Sym3<double> xx = diagonal(0.0, 0.0, 0.0);

    void add(const Vec3<double>& r)
    {
        k += 1;
        x += r;
        xx = xx + square(r);
    }
    friend Tally operator+(const Tally& a, const Tally& b)
    {
        return {a.k + b.k, a.x + b.x, a.xx + b.xx};
    }
    friend Tally operator-(const Tally& a, const Tally& b)
    {
        return {a.k - b.k, a.x - b.x, a.xx - b.xx};
    }
};

// The body that so many points of equal mass make, seen from `from`.
MassProperties body_of(const Tally& sum, double mass_of_point, const Vec3<double>& from)
{
    const Vec3<double> c = sum.x / sum.k;
    const Sym3<double> S = mass_of_point * (sum.xx - sum.k * square(c));
    return {mass_of_point * sum.k, from + c, inertia_of_second_moments(S)};
}

double volume_of(const Bounds& box)
{
    const auto [a, b, c] = box.size();
    return a * b * c;
}

Problems complaints(const Bounds& box, double density, const std::string& place)
{
    Problems found;
    const double volume = volume_of(box);
    if (!(volume > 0) || !std::isfinite(volume))
        found.add(place, "the box around the body must have a finite volume, has ", volume);
    if (!(density > 0) || !std::isfinite(density))
        found.add(place, "density must be positive and finite, is ", density);
    return found;
}
Problems complaints(const Bounds& box, double density, std::int64_t samples,
                    const std::string& place)
{
    Problems found = complaints(box, density, place);
    if (samples < 1000 || samples > 1'000'000'000)
        found.add(place, "the number of samples must be from 1000 to 1000000000, is ", samples);
    return found;
}

// SplitMix64 [Steele, Lea and Flood 2014]: one addition and a mixing; passes the usual tests, and
// the same numbers come out everywhere, which the standard library's distributions do not promise.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    /// From 0 up to, not including, 1.
    double operator()()
    {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }

  private:
    std::uint64_t state_;
};

constexpr std::size_t batches = 64;

// The numbers whose errors are wanted.
std::array<double, 16> in_a_row(const MassProperties& b)
{
    const Sym3<double>& I = b.inertia;
    const Sym3<double> k = 1 / b.mass * I;
    return {b.mass, b.center.x, b.center.y, b.center.z, I.xx, I.yy, I.zz, I.xy,
            I.xz,   I.yz,       k.xx,       k.yy,       k.zz, k.xy, k.xz, k.yz};
}

} // namespace

// The jackknife: θ₋ᵢ is the estimate without batch i of B, and
//
//     error² = (B − 1)/B Σ (θ₋ᵢ − mean θ₋)²
//
// It needs no formula for the variance of an inertia about a centre that is itself estimated.
Result<Sampled> sample_random(const Inside& inside, const Bounds& box, double density,
                              std::int64_t samples, std::uint64_t seed, const std::string& place)
{
    Problems found = complaints(box, density, samples, place);
    if (found.any())
        return found;

    const auto batch = static_cast<std::int64_t>(batches);
    const std::int64_t per_batch = (samples + batch - 1) / batch;
    const Vec3<double> o = box.middle(), size = box.size();
    Random random(seed);
    std::array<Tally, batches> tallies{};
    Tally all;
    for (Tally& tally : tallies) {
        for (std::int64_t i = 0; i < per_batch; ++i) {
            const double x = random() - 0.5, y = random() - 0.5, z = random() - 0.5;
            const Vec3<double> r{x * size.x, y * size.y, z * size.z};
            if (inside(o + r))
                tally.add(r);
        }
        all = all + tally;
    }
    if (all.k < 100) {
        found.add(place, "only ", all.k, " of ", per_batch * batch,
                  " points fell inside; take more samples or a tighter box");
        return found;
    }

    const double volume = volume_of(box), N = static_cast<double>(per_batch * batch);
    const double one_left_out = N * (1 - 1.0 / static_cast<double>(batches));
    std::array<std::array<double, 16>, batches> estimates;
    std::array<double, 16> mean{}, error{};
    for (std::size_t i = 0; i < batches; ++i) {
        estimates[i] = in_a_row(body_of(all - tallies[i], density * volume / one_left_out, o));
        for (std::size_t k = 0; k < mean.size(); ++k)
            mean[k] += estimates[i][k] / static_cast<double>(batches);
    }
    for (std::size_t k = 0; k < mean.size(); ++k) {
        for (const auto& estimate : estimates)
            error[k] += (estimate[k] - mean[k]) * (estimate[k] - mean[k]);
        error[k] = std::sqrt(error[k] * (1 - 1.0 / static_cast<double>(batches)));
    }

    const MassProperties body = body_of(all, density * volume / N, o);
    return Sampled{body,
                   body.mass / density,
                   error[0],
                   error[0] / density,
                   {error[1], error[2], error[3]},
                   {error[4], error[5], error[6], error[7], error[8], error[9]},
                   {error[10], error[11], error[12], error[13], error[14], error[15]},
                   per_batch * batch,
                   static_cast<std::int64_t>(all.k)};
}

// Each point stands for its whole cell: Σ m_cell (r·r 1 − r rᵀ), and the cells' own inertia
// besides, so that a box along the grid comes out exact. The boundary runs somewhere between an
// inside point and its outside neighbour, half a cell to either side of where it is taken to be;
// each such pair may therefore err by half a cell's mass, at its own place.
Result<Sampled> sample_grid(const Inside& inside, const Bounds& box, double density,
                            std::int64_t samples, const std::string& place)
{
    Problems found = complaints(box, density, samples, place);
    if (found.any())
        return found;

    const Vec3<double> size = box.size(), o = box.middle();
    const double volume = volume_of(box);
    const double edge = std::cbrt(volume / static_cast<double>(samples));
    const auto count = [edge](double length) {
        return static_cast<std::int64_t>(std::clamp(std::round(length / edge), 1.0, 1e6));
    };
    const std::int64_t nx = count(size.x), ny = count(size.y), nz = count(size.z);
    const auto step = [](double length, std::int64_t n) { return length / static_cast<double>(n); };
    const Vec3<double> h{step(size.x, nx), step(size.y, ny), step(size.z, nz)};
    const auto middle = [](std::int64_t i, std::int64_t n, double length) {
        return (static_cast<double>(2 * i + 1 - n)) / static_cast<double>(2 * n) * length;
    };

    // What lies inside, and (as a body of their own) the places between inside and outside points.
    // The border of the box counts as outside.
    Tally all, boundary;
    std::vector<bool> below(static_cast<std::size_t>(nx * ny), false);
    std::vector<bool> before(static_cast<std::size_t>(nx));
    for (std::int64_t k = 0; k <= nz; ++k) {
        std::fill(before.begin(), before.end(), false);
        for (std::int64_t j = 0; j <= ny; ++j) {
            bool left = false;
            for (std::int64_t i = 0; i <= nx; ++i) {
                const Vec3<double> r{middle(i, nx, size.x), middle(j, ny, size.y),
                                     middle(k, nz, size.z)};
                const bool in = i < nx && j < ny && k < nz && inside(o + r);
                if (in)
                    all.add(r);
                if (j < ny && k < nz) {
                    if (in != left)
                        boundary.add(r - Vec3<double>{0.5 * h.x, 0, 0});
                    left = in;
                }
                if (i < nx && k < nz) {
                    const auto at = static_cast<std::size_t>(i);
                    if (in != before[at])
                        boundary.add(r - Vec3<double>{0, 0.5 * h.y, 0});
                    before[at] = in;
                }
                if (i < nx && j < ny) {
                    const auto at = static_cast<std::size_t>(j * nx + i);
                    if (in != below[at])
                        boundary.add(r - Vec3<double>{0, 0, 0.5 * h.z});
                    below[at] = in;
                }
            }
        }
    }
    if (all.k < 100) {
        found.add(place, "only ", all.k, " of ", nx * ny * nz,
                  " points fell inside; take more samples or a tighter box");
        return found;
    }

    const double cell = h.x * h.y * h.z;
    MassProperties body = body_of(all, density * cell, o);
    body.inertia = body.inertia + body.mass / 12 *
                                      diagonal(h.y * h.y + h.z * h.z, h.x * h.x + h.z * h.z,
                                               h.x * h.x + h.y * h.y);

    // Σ |x| ≤ √(n Σ x²) turns the sums of sizes into the sums of squares we have.
    const double half = 0.5 * density * cell, n = boundary.k;
    const Vec3<double> c = body.center - o;
    const Sym3<double> S = boundary.xx - (symmetric(outer(boundary.x, c) + outer(c, boundary.x))) +
                           n * square(c); // Σ (x − c)(x − c)ᵀ over the boundary
    const double mass_error = half * n;
    const auto mean_size = [&](double sum_of_squares) { return std::sqrt(n * sum_of_squares); };
    const Vec3<double> center_error =
        half / body.mass * Vec3<double>{mean_size(S.xx), mean_size(S.yy), mean_size(S.zz)};
    const Sym3<double> inertia_error = half * Sym3<double>{S.yy + S.zz,
                                                           S.xx + S.zz,
                                                           S.xx + S.yy,
                                                           std::sqrt(S.xx * S.yy),
                                                           std::sqrt(S.xx * S.zz),
                                                           std::sqrt(S.yy * S.zz)};
    const double relative = mass_error / body.mass;
    const Sym3<double>& I = body.inertia;
    const Sym3<double> size_of_I{abs(I.xx), abs(I.yy), abs(I.zz), abs(I.xy), abs(I.xz), abs(I.yz)};
    return Sampled{body,
                   body.mass / density,
                   mass_error,
                   mass_error / density,
                   center_error,
                   inertia_error,
                   1 / body.mass * (inertia_error + relative * size_of_I),
                   nx * ny * nz,
                   static_cast<std::int64_t>(all.k)};
}

Result<MassProperties> bounding_box_estimate(const Bounds& box, double density,
                                             const std::string& place)
{
    const Problems found = complaints(box, density, place);
    if (found.any())
        return found;
    return moved(solid_box(box.size(), density), box.middle());
}

} // namespace poinsot
