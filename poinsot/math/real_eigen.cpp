// SPDX-License-Identifier: MIT
#include "poinsot/math/real_eigen.hpp"

#include "poinsot/math/dense.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace poinsot {

namespace {

using Complex = std::complex<double>;

// (T − λ) x = 0 of a T with blocks of one or two rows on its diagonal, the last of them that of λ.
// A pivot that rounding alone keeps from zero counts as that rounding.
std::vector<Complex> schur_vector(const Eigen::MatrixXd& T, Complex lambda, Eigen::Index last,
                                  double rounding)
{
    std::vector<Complex> x(static_cast<std::size_t>(T.rows()));
    const auto at = [&](Eigen::Index i) -> Complex& { return x[static_cast<std::size_t>(i)]; };
    const auto lack = [&](Eigen::Index i, Eigen::Index from) {
        Complex sum = 0;
        for (Eigen::Index j = from; j <= last; ++j)
            sum -= T(i, j) * at(j);
        return sum;
    };
    const auto safe = [&](Complex pivot) {
        return std::abs(pivot) < rounding ? Complex(rounding) : pivot;
    };
    const auto of_two = [&](Eigen::Index i) { return i > 0 && T(i, i - 1) != 0; };
    Eigen::Index i = last - 1;
    at(last) = 1;
    if (of_two(last)) {
        at(last - 1) = (lambda - T(last, last)) / T(last, last - 1);
        i = last - 2;
    }
    for (; i >= 0; --i) {
        if (!of_two(i)) {
            at(i) = lack(i, i + 1) / safe(T(i, i) - lambda);
            continue;
        }
        // Two equations, the one with the larger first coefficient first.
        std::array<Complex, 3> first{T(i - 1, i - 1) - lambda, T(i - 1, i), lack(i - 1, i + 1)};
        std::array<Complex, 3> second{T(i, i - 1), T(i, i) - lambda, lack(i, i + 1)};
        if (std::abs(first[0]) < std::abs(second[0]))
            std::swap(first, second);
        const Complex ratio = second[0] / first[0];
        at(i) = (second[2] - ratio * first[2]) / safe(second[1] - ratio * first[1]);
        at(i - 1) = (first[2] - first[1] * at(i)) / first[0];
        --i;
    }
    return x;
}

} // namespace

RealEigen eigen_of(const Eigen::MatrixXd& A)
{
    const Eigen::Index n = A.rows();
    double size = 0; // squares of what is left without it stay numbers
    for (Eigen::Index i = 0; i < n * n; ++i)
        size = std::max(size, std::abs(A.data()[i]));
    size = size > 0 ? size : 1;
    Eigen::MatrixXd H = A / size, Q;
    Eigen::VectorXd v;
    to_hessenberg(H, Q, v);
    Eigen::RealSchur<Eigen::MatrixXd> schur(n);
    schur.computeFromHessenberg(H, Q, true);
    const Eigen::MatrixXd &T = schur.matrixT(), &U = schur.matrixU();
    const double rounding = std::max(std::numeric_limits<double>::epsilon() * T.norm(),
                                     std::numeric_limits<double>::min());

    RealEigen made{Eigen::VectorXcd(n), Eigen::MatrixXd(n, n)};
    for (Eigen::Index k = 0; k < n; ++k) {
        const bool pair = k + 1 < n && T(k + 1, k) != 0;
        Complex lambda = T(k, k);
        if (pair) { // the block (a b; c d) has (a + d)/2 ± i √(−bc − (a − d)²/4)
            const double half = 0.5 * (T(k, k) - T(k + 1, k + 1));
            const double off = std::sqrt(std::abs(T(k, k + 1))) * std::sqrt(std::abs(T(k + 1, k)));
            lambda = {T(k + 1, k + 1) + half,
                      std::sqrt(std::abs(off - std::abs(half))) * std::sqrt(off + std::abs(half))};
        }
        const std::vector<Complex> x = schur_vector(T, lambda, pair ? k + 1 : k, rounding);
        for (Eigen::Index part = 0; part <= (pair ? 1 : 0); ++part) {
            double square = 0;
            for (Eigen::Index r = 0; r < n; ++r) {
                Complex sum = 0;
                for (Eigen::Index c = 0; c <= (pair ? k + 1 : k); ++c)
                    sum += U(r, c) * x[static_cast<std::size_t>(c)];
                made.vectors(r, k + part) = part == 0 ? sum.real() : sum.imag();
                square += std::norm(sum);
            }
            made.vectors.col(k + part) /= std::sqrt(square);
        }
        made.values(k) = size * lambda;
        if (pair) {
            ++k;
            made.values(k) = std::conj(made.values(k - 1));
        }
    }
    return made;
}

} // namespace poinsot
