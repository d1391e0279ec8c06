// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/newton_euler.hpp"

#include <Eigen/Dense>

namespace poinsot {

SpatialAcceleration<double> acceleration_about(const SpatialInertia<double>& I,
                                               const Twist<double>& V, const Wrench<double>& W)
{
    const Wrench<double> bias =
        load_about(I, V, SpatialAcceleration<double>{zero3<double>(), zero3<double>()});
    const Mat6<double> M = matrix_of(I);
    Eigen::Matrix<double, 6, 6> A;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            A(i, j) = M[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    const Vec3<double> F = W.F - bias.F, tau = W.tau - bias.tau;
    Eigen::Matrix<double, 6, 1> b;
    b << F.x, F.y, F.z, tau.x, tau.y, tau.z;
    const Eigen::Matrix<double, 6, 1> a = A.ldlt().solve(b);
    return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}

} // namespace poinsot
