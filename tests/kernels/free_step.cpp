// SPDX-License-Identifier: MIT
// For tests/packed_code.py, which reads what the compilers make of it. WIDTH comes from there.
//
// One step of one free body per lane: Newton and Euler at the old state, then the attitude turned.

#include "poinsot/dynamics/newton_euler.hpp"
#include "poinsot/math/pack.hpp"

using namespace poinsot;
using P = Pack<double, WIDTH>;

struct Bodies {
    Vec3<P> x, v, omega;
    Quat<P> q;
    Sym3<P> I_b, inv_I_b;
    P inv_m;
};

extern "C" void kernel_free_step(Bodies& b, const Wrench<P>& W, const P& h)
{
    const Mat3<P> R = matrix_of(b.q);
    b.omega += h * angular_acceleration(R, b.I_b, b.inv_I_b, b.omega, W.tau);
    b.v += (h * b.inv_m) * W.F;
    b.x += h * b.v;
    b.q = turned(b.q, h * b.omega);
}
