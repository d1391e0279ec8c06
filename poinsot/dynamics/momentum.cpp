// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/momentum.hpp"

namespace poinsot {

SystemCenter system_center_of(std::span<const PlacedBody> bodies)
{
    double m = 0;
    Vec3<double> x = zero3<double>(), p = zero3<double>();
    for (const PlacedBody& body : bodies) {
        m += body.mass.m;
        x += body.mass.m * body.x;
        p += body.p;
    }
    return {m, x / m, p / m};
}

Momentum<double> momentum_about(std::span<const PlacedBody> bodies, const Vec3<double>& A)
{
    Momentum<double> sum{zero3<double>(), zero3<double>()};
    for (const PlacedBody& body : bodies)
        sum = sum + Momentum<double>{body.p, cross(body.x - A, body.p) + body.L};
    return sum;
}

Momentum<double> relative_momentum_about(std::span<const PlacedBody> bodies, const Vec3<double>& A,
                                         const Vec3<double>& v_A)
{
    Momentum<double> sum{zero3<double>(), zero3<double>()};
    for (const PlacedBody& body : bodies) {
        const Vec3<double> p = body.mass.m * (body.v - v_A);
        sum = sum + Momentum<double>{p, cross(body.x - A, p) + body.L};
    }
    return sum;
}

Momentum<double> centroidal_momentum(std::span<const PlacedBody> bodies)
{
    // With velocities against the centre: what is subtracted is small, not the whole m c × ċ.
    const SystemCenter center = system_center_of(bodies);
    return {center.m * center.v, relative_momentum_about(bodies, center.x, center.v).L};
}

std::vector<MassProperties> masses_of(const Model& model)
{
    std::vector<MassProperties> made;
    for (const BodyMass& mass : model.masses())
        made.push_back({mass.m, mass.center, mass.I_b});
    return made;
}

Momentum<double> momentum_in_coordinates(const Linkage& linkage,
                                         std::span<const MassProperties> masses,
                                         std::span<const double> q, std::span<const double> v,
                                         LinkageSpace<Dual<double>>& w)
{
    using D = Dual<double>;
    std::vector<double> q_dot(q.size());
    coordinate_rates<double>(linkage, q, v, q_dot);
    std::vector<D> along(q.size());
    for (std::size_t i = 0; i < q.size(); ++i)
        along[i] = {q[i], q_dot[i]};
    place_links<D>(linkage, along, w);
    place_links_in_world(linkage, w);

    const auto value = [](const Vec3<D>& a) { return Vec3<double>{a.x.v, a.y.v, a.z.v}; };
    const auto rate = [](const Vec3<D>& a) { return Vec3<double>{a.x.d, a.y.d, a.z.d}; };
    double m = 0;
    Vec3<double> mc = zero3<double>(), p = zero3<double>(), L = zero3<double>();
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const LinkedBody& body = linkage.bodies[i];
        const MassProperties& mass = masses[i];
        m += mass.mass;
        if (body.link == world) {
            mc += mass.mass * body.center;
            continue;
        }
        const LinkPlace<D>& at = w.world_place[static_cast<std::size_t>(body.link)];
        const Mat3<D> frame = at.R * in_scalar<D>(body.R);
        const Vec3<D> origin = at.x + at.R * in_scalar<D>(body.x);
        const Mat3<double> R{value(frame.r0), value(frame.r1), value(frame.r2)};
        const Mat3<double> R_dot{rate(frame.r0), rate(frame.r1), rate(frame.r2)};
        const Vec3<double> r = value(origin), r_dot = rate(origin);
        const Vec3<double> c = R * mass.center, c_dot = R_dot * mass.center;
        L += mass.mass * cr(R * full(mean_second_moments(mass)) * transpose(R_dot) +
                            outer(c, r_dot) + outer(r, c_dot) + outer(r, r_dot));
        mc += mass.mass * (r + c);
        p += mass.mass * (r_dot + c_dot);
    }
    return {p, L - cross(mc / m, p)};
}

double kinetic_energy(std::span<const PlacedBody> bodies)
{
    double sum = 0;
    for (const PlacedBody& body : bodies)
        sum += body.kinetic_energy();
    return sum;
}
double potential_energy(std::span<const PlacedBody> bodies, const Vec3<double>& gravity)
{
    double sum = 0;
    for (const PlacedBody& body : bodies)
        sum -= body.mass.m * dot(gravity, body.x);
    return sum;
}

} // namespace poinsot
