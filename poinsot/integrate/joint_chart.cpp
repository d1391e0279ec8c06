// SPDX-License-Identifier: MIT
#include "poinsot/integrate/joint_chart.hpp"

namespace poinsot {

namespace {

Vec3<double> vector_at(const double* a)
{
    return {a[0], a[1], a[2]};
}
void put_at(double* to, const Vec3<double>& a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}
Quat<double> quat_at(const double* a)
{
    return {a[0], a[1], a[2], a[3]};
}
void put_at(double* to, const Quat<double>& q)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

} // namespace

void at_chart(const Linkage& linkage, std::span<const double> q0, std::span<const double> u,
              std::span<double> q)
{
    for (const Link& link : linkage.links) {
        const double *from = q0.data() + link.q, *by = u.data() + link.v;
        double* to = q.data() + link.q;
        switch (link.op) {
        case LinkOp::ball:
            put_at(to, turned_body(quat_at(from), vector_at(by)));
            break;
        case LinkOp::free:
            put_at(to, vector_at(from) + vector_at(by));
            put_at(to + 3, turned_body(quat_at(from + 3), vector_at(by + 3)));
            break;
        default:
            for (int i = 0; i < freedoms_of(link.op); ++i)
                to[i] = from[i] + by[i];
        }
    }
}

void chart_rates(const Linkage& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> v, std::span<double> u_dot)
{
    for (const Link& link : linkage.links) {
        const double *at = u.data() + link.v, *own = v.data() + link.v;
        double* to = u_dot.data() + link.v;
        switch (link.op) {
        case LinkOp::ball:
            put_at(to, rotation_vector_rate(-vector_at(at), vector_at(own)));
            break;
        case LinkOp::free:
            put_at(to, rotate(quat_at(q.data() + link.q + 3), vector_at(own)));
            put_at(to + 3, rotation_vector_rate(-vector_at(at + 3), vector_at(own + 3)));
            break;
        default:
            for (int i = 0; i < freedoms_of(link.op); ++i)
                to[i] = own[i];
        }
    }
}

void renormalise(const Linkage& linkage, std::span<double> q)
{
    for (const Link& link : linkage.links)
        if (link.op == LinkOp::ball || link.op == LinkOp::free) {
            double* at = q.data() + link.q + (link.op == LinkOp::free ? 3 : 0);
            put_at(at, normalised(quat_at(at)));
        }
}

} // namespace poinsot
