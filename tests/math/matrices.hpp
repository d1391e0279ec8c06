// SPDX-License-Identifier: MIT
#pragma once

// Random matrices of any size.

#include "math/kernels.hpp"

#include <Eigen/Core>

namespace poinsot {

inline Eigen::MatrixXd some_matrix(Eigen::Index n, Dice& dice)
{
    Eigen::MatrixXd made(n, n);
    for (Eigen::Index i = 0; i < n * n; ++i)
        made(i % n, i / n) = dice.in(-1, 1);
    return made;
}

} // namespace poinsot
