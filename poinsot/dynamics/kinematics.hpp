// SPDX-License-Identifier: MIT
#pragma once

// Where the links of a linkage are and how they move, and the way back from bodies to coordinates.
//
//     X_link = X_parent (R, r)                        V_link = carried(V_parent) + s q̇
//     v_P = J_P(q) q̇,   a_P = J_P q̈ + J̇_P q̇           of any point P of any link
//
// A Jacobian has six rows of nv numbers: velocity of the point, then angular velocity of the link,
// both in world axes.

#include "poinsot/dynamics/linkage.hpp"
#include "poinsot/dynamics/rnea.hpp"
#include "poinsot/state/placed.hpp"

namespace poinsot {

/// World poses of all links. Needs `place_links`.
template <Scalar T>
POINSOT_FLATTEN void place_links_in_world(const Linkage& linkage, LinkageSpace<T>& w)
{
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int parent = linkage.links[at].parent;
        const LinkWork<T>& k = w[i];
        if (parent == world)
            w.world_place[at] = {k.R.matrix(), vec_of(k.r)};
        else {
            const LinkPlace<T>& p = w.world_place[static_cast<std::size_t>(parent)];
            w.world_place[at] = {p.R * k.R.matrix(), p.x + p.R * vec_of(k.r)};
        }
    }
}

/// Motions of all links at their origins, in link axes. Needs `place_links`.
template <Scalar T>
POINSOT_FLATTEN void link_twists(const Linkage& linkage, In<T> v, LinkageSpace<T>& w)
{
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        const Twist<T> before = link.parent == world
                                    ? no_motion<T>()
                                    : carried(w[i], w.twist[static_cast<std::size_t>(link.parent)]);
        w.twist[at] = with_own(link, v.data() + link.v, before);
    }
}

/// World place of a point given in a link's frame (of the world: as it is). Needs world poses.
template <Scalar T>
Vec3<T> point_in_world(int link, const Vec3<T>& point, const LinkageSpace<T>& w)
{
    if (link == world)
        return point;
    const LinkPlace<T>& at = w.world_place[static_cast<std::size_t>(link)];
    return at.x + at.R * point;
}

/// J of the particle of a link that stands at the world point P. Columns of joints that do not move
/// it are zero. Needs world poses.
template <Scalar T>
POINSOT_FLATTEN void jacobian(const Linkage& linkage, int link_index,
                              const std::type_identity_t<Vec3<T>>& P, Out<T> J,
                              const LinkageSpace<T>& w)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    check(J.size() == 6 * nv, "a Jacobian has six rows");
    std::fill(J.begin(), J.end(), constant<T>(0.0));
    const auto column = [&](int at, const Vec3<T>& v, const Vec3<T>& omega) {
        T* const out = J.data() + at;
        out[0] = v.x, out[nv] = v.y, out[2 * nv] = v.z;
        out[3 * nv] = omega.x, out[4 * nv] = omega.y, out[5 * nv] = omega.z;
    };
    for (int i = link_index; i != world;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        const LinkPlace<T>& at = w.world_place[static_cast<std::size_t>(i)];
        const Vec3<T> lever = P - at.x;
        const Vec3<T> axes[3] = {{at.R.r0.x, at.R.r1.x, at.R.r2.x},
                                 {at.R.r0.y, at.R.r1.y, at.R.r2.y},
                                 {at.R.r0.z, at.R.r1.z, at.R.r2.z}};
        const auto turning = [&](int first) {
            for (int a = 0; a < 3; ++a)
                column(first + a, cross(axes[a], lever), axes[a]);
        };
        const auto moving = [&](int first) {
            for (int a = 0; a < 3; ++a)
                column(first + a, axes[a], zero3<T>());
        };
        switch (link.op) {
        case LinkOp::revolute:
            column(link.v, cross(axes[2], lever), axes[2]);
            break;
        case LinkOp::prismatic:
            column(link.v, axes[2], zero3<T>());
            break;
        case LinkOp::screw:
            column(link.v, mul_add(constant<T>(link.pitch), axes[2], cross(axes[2], lever)),
                   axes[2]);
            break;
        case LinkOp::ball:
            turning(link.v);
            break;
        case LinkOp::free:
            moving(link.v);
            turning(link.v + 3);
            break;
        case LinkOp::translate:
            moving(link.v);
            break;
        }
        i = link.parent;
    }
}

/// Accelerations of all links without gravity, for `point_acceleration`; without `v_dot` those that
/// J̇ q̇ is made of. Needs `place_links`; leaves its marks where the dynamics keep theirs.
template <Scalar T>
POINSOT_FLATTEN void link_accelerations(const Linkage& linkage, In<T> v, In<T> v_dot,
                                        LinkageSpace<T>& w)
{
    w[world].a = zero3<T>();
    for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        move_link<T>(link, w[link.parent], w[i], v.data() + link.v,
                     v_dot.empty() ? nullptr : v_dot.data() + link.v);
    }
}
/// Acceleration of the particle of a link at the world point P, and of the link's turning, world
/// axes. Needs world poses and `link_accelerations`.
template <Scalar T>
Twist<T> point_acceleration(int link, const Vec3<T>& P, const LinkageSpace<T>& w)
{
    if (link == world)
        return {zero3<T>(), zero3<T>()};
    const LinkPlace<T>& at = w.world_place[static_cast<std::size_t>(link)];
    const LinkWork<T>& k = w[link];
    const Vec3<T> d = transpose_times(at.R, P - at.x);
    return {at.R * swing(k, d, k.a), at.R * k.alpha};
}

/// Coordinates and velocities of a linkage.
struct Coordinates {
    std::vector<double> q, v;
    friend bool operator==(const Coordinates&, const Coordinates&) = default;
};

/// Where a model starts.
Coordinates start_coordinates(const Linkage& linkage, const Model& model);

/// The coordinates nearest to where the bodies are. Angles are of the turn that lies nearest to
/// `turns` (none given: to where the model starts).
Coordinates coordinates_from_poses(const Linkage& linkage, const Model& model, const Placed& placed,
                                   std::span<const double> turns = {});

/// Every body of (q, v), with the masses that `out` or, where it is empty, the model has.
void place_bodies(const Linkage& linkage, const Model& model, std::span<const double> q,
                  std::span<const double> v, Placed& out, LinkageSpace<double>& w);
/// The same where links are placed in the world and twists are known.
void read_bodies(const Linkage& linkage, const LinkageSpace<double>& w,
                 std::vector<PlacedBody>& bodies);

/// A load per body, about its centre of mass and in world axes, as loads per link. Bodies that are
/// welded to the world drop out. Needs world poses.
void link_loads(const Linkage& linkage, std::span<const PlacedBody> bodies,
                std::span<const Wrench<double>> loads, std::span<Wrench<double>> out,
                const LinkageSpace<double>& w);

/// q̇ of the velocities v.
///
///     ball: ½ q (0; ω)        free: ẋ = R(q) v, and the same
template <Scalar T>
void coordinate_rates(const Linkage& linkage, std::type_identity_t<std::span<const T>> q,
                      std::span<const T> v, Out<T> q_dot)
{
    const auto turning = [](const T* at, const Vec3<T>& omega, T* out) {
        const T o = constant<T>(0.0);
        const Quat<T> rate = constant<T>(0.5) * (Quat<T>{at[0], at[1], at[2], at[3]} *
                                                 Quat<T>{o, omega.x, omega.y, omega.z});
        out[0] = rate.w, out[1] = rate.x, out[2] = rate.y, out[3] = rate.z;
    };
    for (const Link& link : linkage.links) {
        const T* const at = q.data() + link.q;
        const T* const own = v.data() + link.v;
        T* const out = q_dot.data() + link.q;
        switch (link.op) {
        case LinkOp::ball:
            turning(at, vector_at(own), out);
            break;
        case LinkOp::free:
            put_at(out, rotate(Quat<T>{at[3], at[4], at[5], at[6]}, vector_at(own)));
            turning(at + 3, vector_at(own + 3), out + 3);
            break;
        case LinkOp::translate:
            put_at(out, vector_at(own));
            break;
        default:
            out[0] = own[0];
        }
    }
}

/// q displaced by a small u in the directions of v: places by R(q) u, attitudes by q exp(u). It
/// stays on the manifold for u of any size. The two may share memory.
template <Scalar T>
void displace(const Linkage& linkage, std::type_identity_t<std::span<const T>> q,
              std::span<const T> u, Out<T> out)
{
    const auto turn = [](const T* at, const Vec3<T>& by, T* to) {
        const Quat<T> made = turned_body(Quat<T>{at[0], at[1], at[2], at[3]}, by);
        to[0] = made.w, to[1] = made.x, to[2] = made.y, to[3] = made.z;
    };
    for (const Link& link : linkage.links) {
        const T* const at = q.data() + link.q;
        const T* const by = u.data() + link.v;
        T* const to = out.data() + link.q;
        switch (link.op) {
        case LinkOp::ball:
            turn(at, vector_at(by), to);
            break;
        case LinkOp::free:
            put_at(to, vector_at(at) + rotate(Quat<T>{at[3], at[4], at[5], at[6]}, vector_at(by)));
            turn(at + 3, vector_at(by + 3), to + 3);
            break;
        case LinkOp::translate:
            put_at(to, vector_at(at) + vector_at(by));
            break;
        default:
            to[0] = at[0] + by[0];
        }
    }
}

} // namespace poinsot
