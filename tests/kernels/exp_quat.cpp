// SPDX-License-Identifier: MIT
// For tests/packed_code.py, which reads what the compilers make of it. WIDTH comes from there.
//
// One rotation per lane: sine, cosine, a square root, two selects between series and closed form.

#include "poinsot/math/pack.hpp"
#include "poinsot/math/rotation.hpp"

using namespace poinsot;
using P = Pack<double, WIDTH>;

extern "C" void kernel_exp_quat(const Vec3<P>& u, Quat<P>& q)
{
    q = exp_quat(u);
}
