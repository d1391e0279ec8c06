// SPDX-License-Identifier: MIT
#include "poinsot/math/rotation.hpp"

namespace poinsot {

template Quat<double> normalised(const Quat<double>&);
template Vec3<double> rotate(const Quat<double>&, const Vec3<double>&);
template Quat<double> exp_quat(const Vec3<double>&);
template Vec3<double> log_quat(const Quat<double>&);
template Mat3<double> matrix_of(const Quat<double>&);
template Quat<double> quat_of(const Mat3<double>&);
template Vec3<double> rotation_vector_rate(const Vec3<double>&, const Vec3<double>&);
template Vec3<double> rotation_rate(const Vec3<double>&, const Vec3<double>&);

} // namespace poinsot
