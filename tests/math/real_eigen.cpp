// SPDX-License-Identifier: MIT
#include "poinsot/math/real_eigen.hpp"

#include "math/matrices.hpp"

#include <algorithm>
#include <complex>
#include <vector>

using namespace poinsot;

namespace {

constexpr double rounding = 2.3e-16;

/// V D with D of blocks (re im; −im re), as the vectors are kept.
Eigen::MatrixXd times_values(const RealEigen& found)
{
    Eigen::MatrixXd made = found.vectors;
    for (Eigen::Index i = 0; i < made.cols(); ++i) {
        const double re = found.values(i).real(), im = found.values(i).imag();
        if (im == 0) {
            made.col(i) *= re;
            continue;
        }
        const Eigen::VectorXd u = made.col(i), v = made.col(i + 1);
        made.col(i) = re * u - im * v;
        made.col(i + 1) = im * u + re * v;
        ++i;
    }
    return made;
}

} // namespace

TEST_CASE("A V = V D for every matrix, with its complex pairs in real numbers")
{
    Dice dice(71);
    int pairs = 0;
    for (const Eigen::Index n : {1, 2, 3, 4, 7, 12, 30})
        for (int trial = 0; trial < 20; ++trial) {
            Eigen::MatrixXd A = some_matrix(n, dice);
            if (trial % 4 == 1)
                A.col(0).setZero(); // singular
            if (trial % 4 == 2)
                A *= 1e150; // large
            if (trial % 4 == 3 && n > 1)
                A(n - 1, 0) = 1e6; // badly balanced
            const RealEigen found = eigen_of(A);
            const Eigen::MatrixXd off = A.lazyProduct(found.vectors) - times_values(found);
            // The QR iteration makes errors of some roundings of the norm for each column.
            const double allowed = 40 * static_cast<double>(n) * rounding;
            CAPTURE(n);
            CAPTURE(trial);
            CHECK((off / std::max(A.norm(), 1e-300)).norm() < allowed);
            for (Eigen::Index i = 0; i < n; ++i)
                if (found.values(i).imag() > 0) {
                    ++pairs;
                    REQUIRE(i + 1 < n);
                    CHECK(found.values(i + 1) == std::conj(found.values(i)));
                    ++i;
                }
        }
    CHECK(pairs > 100);
}

TEST_CASE("The eigenvalues of a companion matrix are the roots of its polynomial")
{
    // (x² + 2x + 5) (x − 1) (x + 3) (x − 0.5): −1 ± 2i, 1, −3, 0.5.
    std::vector<double> p{5, 2, 1};
    for (const double root : {1.0, -3.0, 0.5}) {
        p.insert(p.begin(), 0.0);
        for (std::size_t i = 0; i + 1 < p.size(); ++i)
            p[i] -= root * p[i + 1];
    }
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(5, 5);
    for (Eigen::Index i = 0; i < 5; ++i) {
        A(i, 4) = -p[static_cast<std::size_t>(i)];
        if (i > 0)
            A(i, i - 1) = 1;
    }
    const RealEigen found = eigen_of(A);
    for (const std::complex<double> root :
         {std::complex<double>(-1, 2), {-1, -2}, {1, 0}, {-3, 0}, {0.5, 0}}) {
        double nearest = 1;
        for (const auto& value : found.values)
            nearest = std::min(nearest, std::abs(value - root));
        CHECK(nearest < 1e-13); // the condition of these roots is below 100
    }
}

TEST_CASE("A defective matrix has its eigenvalue as often, and vectors that are numbers")
{
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3, 3);
    A(0, 0) = A(1, 1) = A(2, 2) = 2;
    A(0, 1) = A(1, 2) = 1;
    const RealEigen found = eigen_of(A);
    for (const auto& value : found.values)
        CHECK(std::abs(value - 2.0) < 2e-5); // the third root of a rounding
    CHECK(found.vectors.allFinite());
    const RealEigen none = eigen_of(Eigen::MatrixXd::Zero(4, 4));
    CHECK(none.values.norm() == 0);
    CHECK(none.vectors.allFinite());
}
