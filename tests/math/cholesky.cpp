// SPDX-License-Identifier: MIT
#include "poinsot/math/cholesky.hpp"

#include "poinsot/math/dense.hpp"

#include "math/kernels.hpp"

#include <Eigen/Eigenvalues>

using namespace poinsot;

namespace {

/// B Bᵀ of n rows and as many columns as its rank.
Eigen::MatrixXd some_square(Eigen::Index n, Eigen::Index rank, Dice& dice)
{
    Eigen::MatrixXd B(n, rank);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index k = 0; k < rank; ++k)
            B(i, k) = dice.in(-1, 1);
    return B.lazyProduct(B.transpose());
}

} // namespace

TEST_CASE("A x = b for every positive matrix, with a backward error of rounding")
{
    Dice dice(72);
    PivotedCholesky cholesky; // one for all: nothing stays of the matrix before
    for (const Eigen::Index n : {1, 2, 5, 40, 12, 3})
        for (int trial = 0; trial < 10; ++trial) {
            Eigen::MatrixXd A = some_square(n, n + 2, dice);
            if (trial % 2 == 1 && n > 2) { // two parts that know nothing of each other
                A.topRightCorner(n / 2, n - n / 2).setZero();
                A.bottomLeftCorner(n - n / 2, n / 2).setZero();
            }
            Eigen::VectorXd b(n);
            for (Eigen::Index i = 0; i < n; ++i)
                b(i) = dice.in(-1, 1);
            REQUIRE(cholesky.factorise(A, 0, 0));
            Eigen::VectorXd x = b;
            cholesky.solve(x);
            const double error = (A.lazyProduct(x) - b).norm();
            // Each of n steps rounds numbers of the size of A.
            CHECK(error <= 4 * static_cast<double>(n) * 2.3e-16 * (A.norm() * x.norm() + b.norm()));
        }
}

TEST_CASE("A matrix whose rank is not clear, that is indefinite or no number is not factorised")
{
    Dice dice(73);
    PivotedCholesky cholesky;
    for (const Eigen::Index n : {2, 5, 40}) {
        Eigen::MatrixXd A = some_square(n, n - 1, dice);
        CHECK_FALSE(cholesky.factorise(A, 1e-12 * A.norm(), 0));
        A = some_square(n, n, dice);
        CHECK(cholesky.factorise(A, 0, 0));
        A(n - 1, n - 1) = -1;
        CHECK_FALSE(cholesky.factorise(A, 0, 0));
        A.setConstant(std::nan(""));
        CHECK_FALSE(cholesky.factorise(A, 0, 0));
    }
}

TEST_CASE("Of all that come closest to A x = b the least is found")
{
    Dice dice(74);
    LeastAnswer least;
    for (const Eigen::Index n : {2, 5, 40, 12})
        for (Eigen::Index rank = 1; rank <= n; rank += 1 + n / 6) {
            const Eigen::MatrixXd A = some_square(n, rank, dice);
            Eigen::VectorXd b(n);
            for (Eigen::Index i = 0; i < n; ++i)
                b(i) = dice.in(-1, 1);
            REQUIRE(least.factorise(A, 1e-8 * A.norm(), 1e-13 * A.norm()));
            CHECK(least.rank() == rank);
            Eigen::VectorXd x = b;
            least.solve(x);
            // Another road: complete orthogonal decomposition.
            CompleteOrthogonal other;
            other.factorise(A, 1e-10);
            const Eigen::VectorXd expected = other.solve(b);
            // Both err by rounding times the condition, squared where b is far from the range.
            const Eigen::VectorXd values =
                Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
            const double condition = values(n - 1) / values(n - rank);
            CHECK((x - expected).norm() <=
                  20 * static_cast<double>(n) * 2.3e-16 * condition * condition * b.norm() /
                          values(n - 1) +
                      20 * static_cast<double>(n) * 2.3e-16 * condition * expected.norm());
        }
}
