// SPDX-License-Identifier: MIT
// For tests/packed_code.py --baseline: what a file of the baseline build makes of the mathematics,
// with plain numbers and with packs wider than its registers.

#include "poinsot/math/pack.hpp"
#include "poinsot/math/pose.hpp"
#include "poinsot/math/spatial.hpp"

using namespace poinsot;

template <Scalar T>
T everything(const Vec3<T>& u, const Sym3<T>& S, const T& h)
{
    const Quat<T> q = turned(exp_quat(u), h * u);
    const Mat3<T> R = orthonormalised(matrix_of(q));
    const Vec3<T> rate = rotation_vector_rate(log_matrix(R), inverse(congruent(R, S)) * u);
    const Pose<T> pose{rate, q};
    const SpatialInertia<T> I{h, u, S};
    return kinetic_energy(I, shift(Twist<T>{place(inverse(pose), u), rate}, u));
}

template double everything(const Vec3<double>&, const Sym3<double>&, const double&);
template float everything(const Vec3<float>&, const Sym3<float>&, const float&);
template Pack<double, 4> everything(const Vec3<Pack<double, 4>>&, const Sym3<Pack<double, 4>>&,
                                    const Pack<double, 4>&);
template Dual<double> everything(const Vec3<Dual<double>>&, const Sym3<Dual<double>>&,
                                 const Dual<double>&);
