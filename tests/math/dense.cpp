// SPDX-License-Identifier: MIT
#include "poinsot/math/dense.hpp"

#include "math/matrices.hpp"

using namespace poinsot;

namespace {

constexpr double rounding = 2.3e-16;

} // namespace

TEST_CASE("A symmetric matrix is Q D Qᵀ with orthogonal Q and values in order")
{
    Dice dice(72);
    SymmetricEigen eigen;
    for (const Eigen::Index n : {0, 1, 2, 3, 5, 17, 40})
        for (int trial = 0; trial < 10; ++trial) {
            Eigen::MatrixXd A = some_matrix(n, dice);
            A = A.lazyProduct(A.transpose()).eval();
            if (n > 1 && trial % 2 == 1) { // the second row says what the first says
                A.row(1) = A.row(0);
                A.col(1) = A.col(0);
            }
            eigen.factorise(A);
            const Eigen::MatrixXd& Q = eigen.vectors();
            const Eigen::VectorXd& D = eigen.values();
            REQUIRE(D.size() == n);
            const Eigen::MatrixXd QD = Q * D.asDiagonal();
            const double allowed = 40 * static_cast<double>(n) * rounding;
            CHECK((A - QD.lazyProduct(Q.transpose())).norm() <= allowed * A.norm());
            CHECK((Q.transpose().lazyProduct(Q) - Eigen::MatrixXd::Identity(n, n)).norm() <=
                  allowed);
            CHECK(std::is_sorted(D.begin(), D.end()));
        }
}
