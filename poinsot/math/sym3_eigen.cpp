// SPDX-License-Identifier: MIT
#include "poinsot/math/sym3_eigen.hpp"

#include "poinsot/base/check.hpp"

#include <Eigen/Eigenvalues>

namespace poinsot {

Sym3Eigen eigen_of(const Sym3<double>& A)
{
    Eigen::Matrix3d full;
    full << A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(full);
    check(solver.info() == Eigen::Success, "the eigenvalue iteration of a 3×3 matrix converges");
    Sym3Eigen made;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        made.value[k] = solver.eigenvalues()(i);
        made.axis[k] = vector_at(solver.eigenvectors().col(i).data());
    }
    return made;
}

} // namespace poinsot
