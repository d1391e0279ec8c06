// SPDX-License-Identifier: MIT
#include "poinsot/integrate/kick.hpp"

#include "poinsot/integrate/free_rotation.hpp"

namespace poinsot {

namespace {

/// The turn in world axes that free flight makes in a time h.
Quat<double> free_turn(const BodyMass& mass, const Quat<double>& q, const Vec3<double>& L, double h)
{
    const Quat<double> start = q * mass.principal_axes;
    return turned_freely(mass.principal, start, L, h) * conjugate(start);
}
Quat<double> flown(const Quat<double>& q, const BodyMass& mass, const Vec3<double>& L, double h)
{
    return normalised(free_turn(mass, q, L, h) * q);
}
Mat3<double> flown(const Mat3<double>& R, const BodyMass& mass, const Vec3<double>& L, double h)
{
    return matrix_of(flown(quat_of(R), mass, L, h)); // products of matrices would leave rotations
}

} // namespace

void kick(System& system, double h, Postings& postings)
{
    auto& bodies = system.placed.bodies;
    const auto& before = system.before;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        push(bodies[i], system.loads.total[i], h);
    if (!postings.off())
        postings.post_kick(system.loads, system.placed, before, h);
}

template <class Form>
Form flown_varying(Form y, const Vec3<double>& p, const Vec3<double>& L, const BodyMass& mass,
                   double h, PlacedBody& halfway)
{
    const Vec3<double> back = (-0.5 * h) * (mass.inv_I_b * mass.flow_L);
    const bool turns_back = mass.flow_L != zero3<double>(); // not where all flows along one line
    if (turns_back)
        y.attitude = turned_body(y.attitude, back);
    y.attitude = flown(y.attitude, mass, L, 0.5 * h);
    copy_mass(mass, halfway.mass);
    halfway.R = matrix_of(y.attitude);
    set_motion(halfway, p, L);
    const Vec3<double> x_dot = halfway.center_velocity();
    halfway.x = y.x + (0.5 * h) * x_dot;
    y.x += h * x_dot;
    y.attitude = flown(y.attitude, mass, L, 0.5 * h);
    if (turns_back)
        y.attitude = turned_body(y.attitude, back);
    return y;
}

template <class Form>
Form flown(Form y, const PlacedBody& at, double h)
{
    y.x += h * at.v;
    if (at.mass.inv_I_b.xx > 0)
        y.attitude = flown(y.attitude, at.mass, at.L, h);
    return y;
}

template MomentumForm<double> flown(MomentumForm<double>, const PlacedBody&, double);
template VelocityForm<double> flown(VelocityForm<double>, const PlacedBody&, double);
template MatrixForm<double> flown(MatrixForm<double>, const PlacedBody&, double);
template MomentumForm<double> flown_varying(MomentumForm<double>, const Vec3<double>&,
                                            const Vec3<double>&, const BodyMass&, double,
                                            PlacedBody&);
template VelocityForm<double> flown_varying(VelocityForm<double>, const Vec3<double>&,
                                            const Vec3<double>&, const BodyMass&, double,
                                            PlacedBody&);
template MatrixForm<double> flown_varying(MatrixForm<double>, const Vec3<double>&,
                                          const Vec3<double>&, const BodyMass&, double,
                                          PlacedBody&);

} // namespace poinsot
