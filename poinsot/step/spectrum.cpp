// SPDX-License-Identifier: MIT
#include "poinsot/step/spectrum.hpp"

#include "poinsot/base/check.hpp"
#include "poinsot/math/dense.hpp"
#include "poinsot/math/trig.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

double natural_rate(const Eigen::MatrixXd& A, Eigen::Index places)
{
    const Eigen::Index speeds = A.rows() - places;
    const double K = norm_of(A, places, 0, speeds, places);
    const double C = norm_of(A, places, places, speeds, speeds);
    const double rate = std::max(std::sqrt(K), C);
    return rate > 0 && std::isfinite(rate) ? rate : 1;
}
Eigen::MatrixXd in_natural_time(Eigen::MatrixXd A, Eigen::Index places, double rate)
{
    for (Eigen::Index r = 0; r < A.rows(); ++r)
        for (Eigen::Index c = 0; c < A.cols(); ++c)
            if ((r < places) != (c < places))
                A(r, c) = r < places ? A(r, c) * rate : A(r, c) / rate;
    return A;
}

double Eigenvalue::frequency() const
{
    return std::abs(im) / two_pi;
}
double Eigenvalue::damping_ratio() const
{
    const double size = std::hypot(re, im);
    return size > 0 ? -re / size : 0;
}

Spectrum spectrum_of(std::span<const double> A, std::size_t n, std::size_t places, double error)
{
    check(A.size() == n * n && places <= n, "a square matrix has as many rows as columns");
    const auto size = static_cast<Eigen::Index>(n), first = static_cast<Eigen::Index>(places);
    Eigen::MatrixXd rest =
        Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(A.data(), size, size);
    rest = in_natural_time(rest, first, natural_rate(rest, first));
    Spectrum made;
    if (n == 0)
        return made;
    const double norm = norm_of(rest);
    const double uncertain = (error + 1e-15) * norm;
    // A step of the staircase: with N the directions that A takes to zero, A = (A' 0; . 0) on the
    // others and N, and A' has all the other eigenvalues.
    while (rest.rows() > 0) {
        const PivotedQr qr(rest.transpose());
        const double zero = std::max(100 * uncertain, 1e-12 * norm);
        Eigen::Index rank = 0;
        for (const double pivot : qr.pivots())
            rank += std::abs(pivot) > zero;
        if (rank == rest.rows())
            break;
        made.neutral += static_cast<int>(rest.rows() - rank);
        const Eigen::MatrixXd Q = qr.Q();
        const Eigen::MatrixXd others = Q.leftCols(rank); // the rows of A lie in them
        const Eigen::MatrixXd image = rest.lazyProduct(others);
        rest = others.transpose().lazyProduct(image).eval();
    }
    if (rest.rows() == 0)
        return made;
    // |δλ| ≤ |y| |x| |E| / |yᴴ x| for a right vector x and a left one y. Of a pair the vectors are
    // columns u, v and rows a, b of the inverse: x = u + iv, y = (a − ib)/2.
    const RealEigen found = eigen_of(rest);
    const Eigen::MatrixXd& vectors = found.vectors;
    const Eigen::MatrixXd inverse = PivotedQr(vectors).inverse();
    for (Eigen::Index i = 0; i < rest.rows(); ++i) {
        const double re = found.values(i).real(), im = found.values(i).imag();
        const Eigen::Index u = im < 0 ? i - 1 : i, count = im == 0 ? 1 : 2;
        const double condition = norm_of(vectors, 0, u, rest.rows(), count) *
                                 norm_of(inverse, u, 0, count, rest.rows()) /
                                 static_cast<double>(count);
        made.eigenvalues.push_back({re, im, condition * uncertain});
    }
    std::sort(made.eigenvalues.begin(), made.eigenvalues.end(),
              [](const Eigenvalue& a, const Eigenvalue& b) {
                  return a.re != b.re ? a.re < b.re : a.im < b.im;
              });
    return made;
}

} // namespace poinsot
