// SPDX-License-Identifier: MIT
#include "poinsot/model/joint.hpp"

#include <cmath>

namespace poinsot {

bool finite(const Course& c)
{
    return std::isfinite(c.value) && std::isfinite(c.rate) && std::isfinite(c.amplitude) &&
           std::isfinite(c.frequency) && std::isfinite(c.phase);
}

namespace {

Quat<double> turn_z(double angle)
{
    const auto [s, c] = sin_cos(0.5 * angle);
    return {c, 0, 0, s};
}
Quat<double> turn_x(double angle)
{
    const auto [s, c] = sin_cos(0.5 * angle);
    return {c, s, 0, 0};
}
constexpr Vec3<double> along_z(double a)
{
    return {0, 0, a};
}

} // namespace

bool finite(const FrameMotion& motion)
{
    const auto& s = motion.shift;
    return finite(s[0]) && finite(s[1]) && finite(s[2]) && finite(motion.axis) &&
           finite(motion.turn);
}

double Course::at(double t) const
{
    const double wave =
        amplitude == 0 ? 0 : amplitude * sin_cos(two_pi * frequency * t + phase).sin;
    return value + rate * t + wave;
}
double Course::rate_at(double t) const
{
    const double w = two_pi * frequency;
    return rate + (amplitude == 0 ? 0 : amplitude * w * sin_cos(w * t + phase).cos);
}
double Course::acceleration_at(double t) const
{
    const double w = two_pi * frequency;
    return amplitude == 0 ? 0 : -amplitude * w * w * sin_cos(w * t + phase).sin;
}
double Course::sum(double from, double to) const
{
    const double w = two_pi * frequency,
                 straight = (value + 0.5 * rate * (from + to)) * (to - from);
    if (amplitude == 0)
        return straight;
    if (w == 0)
        return straight + amplitude * sin_cos(phase).sin * (to - from);
    // cos a − cos b = 2 sin (a + b)/2 sin (b − a)/2 has no small difference of large numbers.
    return straight + amplitude * (2 / w) * sin_cos(0.5 * w * (from + to) + phase).sin *
                          sin_cos(0.5 * w * (to - from)).sin;
}

Pose<double> FrameMotion::pose_at(double t, const Pose<double>& described) const
{
    const Vec3<double> s{shift[0].at(t), shift[1].at(t), shift[2].at(t)};
    const auto [sine, cosine] = sin_cos(0.5 * turn.at(t));
    const Vec3<double> n = sine * axis;
    return {described.x + s, Quat<double>{cosine, n.x, n.y, n.z} * described.q};
}
Twist<double> FrameMotion::twist_at(double t) const
{
    return {{shift[0].rate_at(t), shift[1].rate_at(t), shift[2].rate_at(t)},
            turn.rate_at(t) * axis};
}
Twist<double> FrameMotion::acceleration_at(double t) const
{
    return {{shift[0].acceleration_at(t), shift[1].acceleration_at(t), shift[2].acceleration_at(t)},
            turn.acceleration_at(t) * axis};
}

std::vector<int> coordinate_offsets(const std::vector<Joint>& joints)
{
    std::vector<int> offsets{0};
    for (const Joint& joint : joints)
        offsets.push_back(offsets.back() + facts_of(joint.kind).coordinates);
    return offsets;
}

Pose<double> joint_pose(const Joint& joint, const std::vector<double>& q)
{
    switch (joint.kind) {
    case JointKind::revolute:
        return {zero3<double>(), turn_z(q[0])};
    case JointKind::prismatic:
        return {along_z(q[0]), identity_quat<double>()};
    case JointKind::cylindrical:
        return {along_z(q[1]), turn_z(q[0])};
    case JointKind::universal:
        return {zero3<double>(), turn_z(q[0]) * turn_x(q[1])};
    case JointKind::planar:
        return {{q[0], q[1], 0}, turn_z(q[2])};
    case JointKind::screw:
        return {along_z(joint.pitch * q[0]), turn_z(q[0])};
    default:
        return identity_pose<double>();
    }
}

Twist<double> joint_twist(const Joint& joint, const std::vector<double>& q,
                          const std::vector<double>& speed)
{
    const Vec3<double> o = zero3<double>();
    switch (joint.kind) {
    case JointKind::revolute:
        return {o, along_z(speed[0])};
    case JointKind::prismatic:
        return {along_z(speed[0]), o};
    case JointKind::cylindrical:
        return {along_z(speed[1]), along_z(speed[0])};
    case JointKind::universal: {
        const auto [s, c] = sin_cos(q[0]);
        return {o, {speed[1] * c, speed[1] * s, speed[0]}};
    }
    case JointKind::planar:
        return {{speed[0], speed[1], 0}, along_z(speed[2])};
    case JointKind::screw:
        return {along_z(joint.pitch * speed[0]), along_z(speed[0])};
    default:
        return {o, o};
    }
}

JointMount mount_of(const Joint& joint)
{
    return {joint.kind,
            joint.a,
            joint.b,
            facts_of(joint.kind).coordinates,
            !joint.laws.empty() || joint.kind == JointKind::screw,
            joint.frame_a.x,
            joint.frame_b.x,
            matrix_of(joint.frame_a.q),
            matrix_of(joint.frame_b.q)};
}

std::vector<double> coordinates_of(JointKind kind, const Pose<double>& relative)
{
    const auto q = coordinates_of(kind, relative.x, matrix_of(relative.q));
    return {q.begin(), q.begin() + facts_of(kind).coordinates};
}

std::vector<double> speeds_of(JointKind kind, const std::vector<double>& q, const Twist<double>& V)
{
    switch (kind) {
    case JointKind::revolute:
    case JointKind::screw:
        return {V.omega.z};
    case JointKind::prismatic:
        return {V.v.z};
    case JointKind::cylindrical:
        return {V.omega.z, V.v.z};
    case JointKind::universal: {
        const auto [s, c] = sin_cos(q[0]);
        return {V.omega.z, c * V.omega.x + s * V.omega.y};
    }
    case JointKind::planar:
        return {V.v.x, V.v.y, V.omega.z};
    default:
        return {};
    }
}

Tree tree_of(int bodies, const std::vector<Joint>& joints)
{
    const auto count = static_cast<std::size_t>(bodies);
    std::vector<std::vector<int>> at(count + 1); // joints at each body; the last entry: the world
    const auto place_of = [&](int body) {
        return body == world ? count : static_cast<std::size_t>(body);
    };
    const auto carries = [&](const Joint& j) {
        return facts_of(j.kind).carries && !j.closes_loop && !j.motion;
    };
    for (std::size_t j = 0; j < joints.size(); ++j)
        if (carries(joints[j])) {
            at[place_of(joints[j].a)].push_back(static_cast<int>(j));
            at[place_of(joints[j].b)].push_back(static_cast<int>(j));
        }

    Tree tree;
    tree.carrier.assign(count, Tree::none);
    tree.parent.assign(count, world);
    tree.reversed.assign(count, false);
    std::vector<bool> placed(count, false), used(joints.size(), false);
    // Breadth first: the two halves of a loop come out of equal length.
    std::vector<int> queue;
    const auto grow = [&](int root) {
        queue.assign(1, root);
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const int here = queue[head];
            for (const int j : at[place_of(here)]) {
                const Joint& joint = joints[static_cast<std::size_t>(j)];
                const int there = joint.a == here ? joint.b : joint.a;
                if (there == world || placed[static_cast<std::size_t>(there)])
                    continue;
                const auto i = static_cast<std::size_t>(there);
                placed[i] = used[static_cast<std::size_t>(j)] = true;
                tree.carrier[i] = j;
                tree.parent[i] = here;
                tree.reversed[i] = joint.a == there;
                tree.order.push_back(there);
                queue.push_back(there);
            }
        }
    };
    const auto grow_from = [&](int body) {
        if (placed[static_cast<std::size_t>(body)])
            return;
        placed[static_cast<std::size_t>(body)] = true;
        tree.order.push_back(body);
        grow(body);
    };
    grow(world);
    for (const Joint& joint : joints) // what is moved carries the others, as the world does
        if (joint.motion && joint.b != world)
            grow_from(joint.b);
    for (int body = 0; body < bodies; ++body)
        grow_from(body);
    for (std::size_t j = 0; j < joints.size(); ++j)
        if (!used[j])
            tree.rows.push_back(static_cast<int>(j));
    return tree;
}

} // namespace poinsot
