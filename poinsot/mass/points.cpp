// SPDX-License-Identifier: MIT
#include "poinsot/mass/points.hpp"

#include "poinsot/mass/principal.hpp"

#include <algorithm>

namespace poinsot {

double total_mass(PointMasses points)
{
    double m = 0;
    for (const PointMass& i : points)
        m += i.m;
    return m;
}

Vec3<double> center_of_mass(PointMasses points)
{
    check(!points.empty(), "centre of mass of no points");
    // From the first point, so that a system far from the origin keeps its digits.
    const Vec3<double> from = points.front().x;
    Vec3<double> mx = zero3<double>();
    for (const PointMass& i : points)
        mx = mul_add(i.m, i.x - from, mx);
    return from + mx / total_mass(points);
}

Vec3<double> velocity_of_center(PointMasses points)
{
    return linear_momentum(points) / total_mass(points);
}

Vec3<double> linear_momentum(PointMasses points)
{
    Vec3<double> p = zero3<double>();
    for (const PointMass& i : points)
        p = mul_add(i.m, i.v, p);
    return p;
}

Vec3<double> angular_momentum(PointMasses points, const Vec3<double>& A)
{
    return angular_momentum(points, A, zero3<double>());
}

Vec3<double> angular_momentum(PointMasses points, const Vec3<double>& A, const Vec3<double>& v_A)
{
    Vec3<double> L = zero3<double>();
    for (const PointMass& i : points)
        L = mul_add(i.m, cross(i.x - A, i.v - v_A), L);
    return L;
}

Momentum<double> momentum(PointMasses points, const Vec3<double>& A)
{
    return {linear_momentum(points), angular_momentum(points, A)};
}

double kinetic_energy(PointMasses points)
{
    double T = 0;
    for (const PointMass& i : points)
        T = mul_add(0.5 * i.m, norm2(i.v), T);
    return T;
}

Vec3<double> total_force(std::span<const Vec3<double>> E)
{
    Vec3<double> F = zero3<double>();
    for (const Vec3<double>& E_i : E)
        F += E_i;
    return F;
}

Vec3<double> total_torque(PointMasses points, std::span<const Vec3<double>> E,
                          const Vec3<double>& A)
{
    check(points.size() == E.size(), "one force per point mass");
    Vec3<double> tau = zero3<double>();
    for (std::size_t i = 0; i < points.size(); ++i)
        tau += cross(points[i].x - A, E[i]);
    return tau;
}

Sym3<double> inertia(PointMasses points, const Vec3<double>& A)
{
    Sym3<double> I = diagonal(0.0, 0.0, 0.0);
    for (const PointMass& i : points)
        I = about_displaced(I, i.m, i.x - A);
    return I;
}

Sym3<double> inertia_by_components(PointMasses points, const Vec3<double>& A)
{
    Sym3<double> I = diagonal(0.0, 0.0, 0.0);
    for (const PointMass& i : points) {
        const Vec3<double> r = i.x - A;
        I.xx += i.m * (r.y * r.y + r.z * r.z);
        I.yy += i.m * (r.x * r.x + r.z * r.z);
        I.zz += i.m * (r.x * r.x + r.y * r.y);
        I.xy -= i.m * (r.x * r.y);
        I.xz -= i.m * (r.x * r.z);
        I.yz -= i.m * (r.y * r.z);
    }
    return I;
}

Sym3<double> inertia_by_skew(PointMasses points, const Vec3<double>& A)
{
    Mat3<double> I = full(diagonal(0.0, 0.0, 0.0));
    for (const PointMass& i : points) {
        const Mat3<double> r = skew(i.x - A);
        I = I - i.m * (r * r);
    }
    return symmetric(I);
}

Sym3<double> second_moments(PointMasses points, const Vec3<double>& A)
{
    Sym3<double> S = diagonal(0.0, 0.0, 0.0);
    for (const PointMass& i : points)
        S = S + i.m * square(i.x - A);
    return S;
}

MassProperties mass_properties(PointMasses points)
{
    const Vec3<double> C = center_of_mass(points);
    return {total_mass(points), C, inertia(points, C)};
}

// The function v_C + ω × (x − C) nearest to the velocities minimises Σ m |v_i − v_C − ω × r_i|²,
// and the derivative by ω vanishes where
//
//     I_C ω = Σ r_i × m (v_i − v_C) = L_C
//
// In principal axes that is three divisions; a moment that is zero belongs to a line of points, and
// no velocity tells how fast they spin about it.
RigidMotion rigid_motion(PointMasses points)
{
    const Vec3<double> C = center_of_mass(points), v_C = velocity_of_center(points);
    const Vec3<double> L = angular_momentum(points, C, v_C);
    const PrincipalAxes own = principal_axes(inertia(points, C));
    const Vec3<double> L_p = transpose_times(own.axes, L);
    const auto divided = [&](double component, double moment) {
        return moment > 1e-14 * own.moments.z ? component / moment : 0.0;
    };
    const Vec3<double> omega =
        own.axes * Vec3<double>{divided(L_p.x, own.moments.x), divided(L_p.y, own.moments.y),
                                divided(L_p.z, own.moments.z)};

    RigidMotion motion{{v_C - cross(omega, C), omega}, 0};
    for (const PointMass& i : points)
        motion.deviation = std::max(motion.deviation, norm(i.v - v_C - cross(omega, i.x - C)));
    return motion;
}

bool moves_rigidly(PointMasses points, double tolerance)
{
    const Vec3<double> v_C = velocity_of_center(points);
    double fastest = 0;
    for (const PointMass& i : points)
        fastest = std::max(fastest, norm(i.v - v_C));
    return rigid_motion(points).deviation <= tolerance * std::max(fastest, norm(v_C));
}

} // namespace poinsot
