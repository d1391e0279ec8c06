// SPDX-License-Identifier: MIT
#include "poinsot/integrate/joint_chart.hpp"

namespace poinsot {

namespace {

/// P = dexp(u) μ and its rate.
void momentum_of_turn(const double* u, const double* u_dot, const double* mu, const double* mu_dot,
                      double* P, double* P_dot)
{
    using D = Dual<double>;
    const Vec3<D> at{D(u[0], u_dot[0]), D(u[1], u_dot[1]), D(u[2], u_dot[2])};
    const Vec3<D> own{D(mu[0], mu_dot[0]), D(mu[1], mu_dot[1]), D(mu[2], mu_dot[2])};
    const Vec3<D> made = rotation_rate(at, own);
    put_at(P, Vec3<double>{made.x.v, made.y.v, made.z.v});
    put_at(P_dot, Vec3<double>{made.x.d, made.y.d, made.z.d});
}

} // namespace

void at_chart(const Links& linkage, std::span<const double> q0, std::span<const double> u,
              std::span<double> q)
{
    at_chart<double>(linkage, q0, u, q);
}
void chart_rates(const Links& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> v, std::span<double> u_dot)
{
    chart_rates<double>(linkage, q, u, v, u_dot);
}
void renormalise(const Links& linkage, std::span<double> q)
{
    renormalise<double>(linkage, q);
}

void own_momenta(const Links& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> P, std::span<double> mu)
{
    for (const Link& link : linkage.links) {
        const double *at = u.data() + link.v, *from = P.data() + link.v;
        double* to = mu.data() + link.v;
        switch (link.op) {
        case LinkOp::ball:
            put_at(to, rotation_vector_rate(vector_at(at), vector_at(from)));
            break;
        case LinkOp::free:
            put_at(to, rotate(conjugate(quat_at(q.data() + link.q + 3)), vector_at(from)));
            put_at(to + 3, rotation_vector_rate(vector_at(at + 3), vector_at(from + 3)));
            break;
        default:
            for (int i = 0; i < freedoms_of(link.op); ++i)
                to[i] = from[i];
        }
    }
}

void chart_momenta(const Links& linkage, std::span<const double> q, std::span<const double> u,
                   std::span<const double> u_dot, std::span<const double> v,
                   std::span<const double> mu, std::span<const double> mu_dot, std::span<double> P,
                   std::span<double> P_dot)
{
    for (const Link& link : linkage.links) {
        const auto i = static_cast<std::size_t>(link.v);
        switch (link.op) {
        case LinkOp::ball:
            momentum_of_turn(&u[i], &u_dot[i], &mu[i], &mu_dot[i], &P[i], &P_dot[i]);
            break;
        case LinkOp::free: {
            const Quat<double> R = quat_at(q.data() + link.q + 3);
            const Vec3<double> own = vector_at(&mu[i]), omega = vector_at(&v[i + 3]);
            put_at(&P[i], rotate(R, own));
            put_at(&P_dot[i], rotate(R, vector_at(&mu_dot[i]) + cross(omega, own)));
            momentum_of_turn(&u[i + 3], &u_dot[i + 3], &mu[i + 3], &mu_dot[i + 3], &P[i + 3],
                             &P_dot[i + 3]);
            break;
        }
        default:
            for (std::size_t j = i; j < i + static_cast<std::size_t>(freedoms_of(link.op)); ++j) {
                P[j] = mu[j];
                P_dot[j] = mu_dot[j];
            }
        }
    }
}

} // namespace poinsot
