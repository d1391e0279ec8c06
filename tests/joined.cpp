// SPDX-License-Identifier: MIT
#include "joined.hpp"

#include <Eigen/Eigenvalues>

namespace poinsot {

Body some_body(const std::string& name, Dice& dice)
{
    // One after another: the order in which arguments are evaluated is the compiler's choice.
    const V3 omega = dice.vector(2), v = dice.vector(1);
    const Sym3<double> inertia = dice.inertia();
    Body body = body_with(name.c_str(), dice.uniform(0.5, 2), inertia, v, omega);
    body.mass_properties.center = dice.vector(0.3);
    body.pose = {dice.vector(1), dice.rotation()};
    return body;
}

Pose<double> some_pose(Dice& dice)
{
    return {dice.vector(0.7), dice.rotation()};
}

Allowed allowed(Joint& joint, Dice& dice)
{
    std::vector<double> q, speed;
    for (int k = 0; k < facts_of(joint.kind).coordinates; ++k) {
        q.push_back(dice.uniform(-2, 2));
        speed.push_back(dice.uniform(-2, 2));
    }
    Allowed made{joint_pose(joint, q), joint_twist(joint, q, speed)};
    const V3 z{0, 0, 1};
    switch (joint.kind) {
    case JointKind::ball:
    case JointKind::point:
        made.pose.q = dice.rotation();
        made.twist.omega = dice.vector(2);
        break;
    case JointKind::free:
    case JointKind::strut:
    case JointKind::swing:
        made = {some_pose(dice), {dice.vector(1), dice.vector(2)}};
        break;
    case JointKind::distance: {
        made = {some_pose(dice), {dice.vector(1), dice.vector(2)}};
        joint.length = norm(made.pose.x);
        const V3 n = normalised(made.pose.x);
        made.twist.v -= dot(n, made.twist.v) * n;
        break;
    }
    case JointKind::parallel:
        made = {{dice.vector(1), exp_quat(dice.uniform(-2, 2) * z)},
                {dice.vector(1), dice.uniform(-2, 2) * z}};
        break;
    case JointKind::rolling: {
        joint.radius = 0.4;
        made = {some_pose(dice), {zero3<double>(), dice.vector(2)}};
        const V3 arm = rolling_arm(rotate(made.pose.q, z), joint.radius);
        made.pose.x.z = -arm.z;
        made.twist.v = -cross(made.twist.omega, arm);
        break;
    }
    default:
        break;
    }
    return made;
}

void put(Builder& builder, Joint& joint, const Allowed& as)
{
    const auto at = [&](int i) {
        return i == world ? Body() : builder.bodies[static_cast<std::size_t>(i)];
    };
    const Body a = at(joint.a);
    const Pose<double> X_a = a.pose * joint.frame_a, X = X_a * as.pose;
    Body& b = builder.bodies[static_cast<std::size_t>(joint.b)];
    b.pose = X * inverse(joint.frame_b);
    b.pose.q = normalised(b.pose.q);
    const V3 arm = X.x - place(a.pose, a.mass_properties.center);
    b.angular_velocity = a.angular_velocity + rotate(X_a.q, as.twist.omega);
    const V3 v = a.velocity + cross(a.angular_velocity, arm) + rotate(X_a.q, as.twist.v);
    b.velocity = v + cross(b.angular_velocity, place(b.pose, b.mass_properties.center) - X.x);
}

Builder joined_pair(JointKind kind, std::uint64_t seed, bool to_world)
{
    Dice dice(seed);
    Builder builder;
    Joint joint;
    joint.name = "joint";
    joint.kind = kind;
    joint.pitch = 0.3;
    if (!to_world)
        joint.a = builder.add(some_body("a", dice));
    joint.b = builder.add(some_body("b", dice));
    joint.frame_a = some_pose(dice);
    joint.frame_b = some_pose(dice);
    put(builder, joint, allowed(joint, dice));
    builder.add(joint);
    return builder;
}

Course course_from(double q, double speed)
{
    const double amplitude = 0.3, frequency = 0.5;
    return {q, speed - amplitude * 2 * M_PI * frequency, amplitude, frequency, 0};
}

Builder some_tree(int bodies, std::uint64_t seed)
{
    constexpr std::array kinds{JointKind::revolute,    JointKind::prismatic, JointKind::revolute,
                               JointKind::cylindrical, JointKind::universal, JointKind::ball,
                               JointKind::planar,      JointKind::screw,     JointKind::weld};
    Dice dice(seed);
    Builder builder;
    for (int i = 0; i < bodies; ++i) {
        Joint joint;
        joint.name = text_of("joint ", i);
        joint.kind = kinds[static_cast<std::size_t>(dice.uniform(0, kinds.size()))];
        joint.pitch = 0.2;
        joint.a = static_cast<int>(std::floor(dice.uniform(-1, i))); // the world too
        if (dice.uniform(0, 1) < 0.5)
            joint.a = i - 1;
        joint.b = builder.add(some_body(text_of("body ", i), dice));
        joint.frame_a = some_pose(dice);
        joint.frame_b = some_pose(dice);
        put(builder, joint, allowed(joint, dice));
        builder.add(joint);
    }
    builder.gravity.uniform = {0, 0, -9.81};
    return builder;
}

Builder some_loops(int bodies, int loops, std::uint64_t seed)
{
    Builder builder = some_tree(bodies, seed);
    for (Body& body : builder.bodies)
        body.velocity = body.angular_velocity = zero3<double>();
    Dice dice(seed + 1000);
    constexpr std::array kinds{JointKind::point, JointKind::distance, JointKind::revolute};
    for (int k = 0; k < loops; ++k) {
        Joint joint;
        joint.name = text_of("loop ", k);
        joint.kind = kinds[static_cast<std::size_t>(dice.uniform(0, kinds.size()))];
        joint.closes_loop = true;
        joint.a = static_cast<int>(dice.uniform(0, bodies));
        joint.b = static_cast<int>(dice.uniform(0, bodies));
        if (joint.a == joint.b)
            continue;
        const auto pose = [&](int i) { return builder.bodies[static_cast<std::size_t>(i)].pose; };
        joint.frame_a = some_pose(dice);
        if (joint.kind == JointKind::distance)
            joint.length = norm(place(pose(joint.a), joint.frame_a.x) - pose(joint.b).x);
        else
            joint.frame_b = inverse(pose(joint.b)) * pose(joint.a) * joint.frame_a;
        builder.add(joint);
    }
    return builder;
}

double condition_of(const Direct& dense)
{
    const std::vector<double> A = dense.gram();
    const auto m = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(A.size()))));
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
            Eigen::Map<const Eigen::MatrixXd>(A.data(), m, m), Eigen::EigenvaluesOnly)
            .eigenvalues();
    return values(m - 1) / std::max(values(m - dense.rank()), 1e-16 * values(m - 1));
}

Joint hinge(const std::string& name, int a, const V3& in_a, int b, const V3& in_b)
{
    Joint joint;
    joint.name = name;
    joint.a = a;
    joint.b = b;
    joint.frame_a.x = in_a;
    joint.frame_b.x = in_b;
    return joint;
}

Builder parallelogram()
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    const Sym3<double> along_y = diagonal(1.0 / 12, 1e-3, 1.0 / 12);
    const Sym3<double> along_x = diagonal(1e-3, 1.0 / 12, 1.0 / 12);
    const auto rod = [&](const char* name, const Sym3<double>& I, const V3& x, const V3& v,
                         double omega) {
        Body body = body_with(name, 1, I, v, {0, 0, omega});
        body.pose.x = x;
        b.add(body);
    };
    rod("left", along_y, {0, 0.5, 0}, {0.5, 0, 0}, -1);
    rod("coupler", along_x, {0.5, 1, 0}, {1, 0, 0}, 0);
    rod("right", along_y, {1, 0.5, 0}, {0.5, 0, 0}, -1);
    b.add(hinge("A", world, {0, 0, 0}, 0, {0, -0.5, 0}));
    b.add(hinge("B", 0, {0, 0.5, 0}, 1, {-0.5, 0, 0}));
    b.add(hinge("C", 1, {0.5, 0, 0}, 2, {0, 0.5, 0}));
    b.add(hinge("D", 2, {0, -0.5, 0}, world, {1, 0, 0}));
    return b;
}

Builder turned(Builder b, const Quat<double>& by)
{
    const Pose<double> turn{zero3<double>(), by};
    const Mat3<double> R = matrix_of(by);
    b.gravity.uniform = R * b.gravity.uniform;
    for (Body& body : b.bodies) {
        body.pose = turn * body.pose;
        body.pose.q = normalised(body.pose.q);
        body.velocity = R * body.velocity;
        body.angular_velocity = R * body.angular_velocity; // world axes
    }
    for (Joint& joint : b.joints)
        for (const auto& [side, frame] :
             {std::pair(joint.a, &joint.frame_a), {joint.b, &joint.frame_b}})
            if (side == world) {
                *frame = turn * *frame;
                frame->q = normalised(frame->q);
            }
    return b;
}

Builder four_bar(int windows)
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    const auto rod = [&](const std::string& name, const Sym3<double>& I, const V3& x, double v,
                         double omega) {
        Body body = body_with(name.c_str(), 1, I, {v, 0, 0}, {0, 0, omega});
        body.pose.x = x;
        return b.add(body);
    };
    const double I = 1.0 / 12;
    int before = world;
    for (int i = 0; i <= windows; ++i) {
        const int crank =
            rod(text_of("crank ", i), diagonal(I, 0.01 * I, I), {1.0 * i, 0.5, 0}, 0.5, -1);
        b.add(hinge(text_of("A", i), world, {1.0 * i, 0, 0}, crank, {0, -0.5, 0}));
        if (i > 0) {
            const int coupler =
                rod(text_of("coupler ", i), diagonal(0.01 * I, I, I), {i - 0.5, 1, 0}, 1, 0);
            b.add(hinge(text_of("B", i - 1), before, {0, 0.5, 0}, coupler, {-0.5, 0, 0}));
            Joint close = hinge(text_of("C", i), coupler, {0.5, 0, 0}, crank, {0, 0.5, 0});
            close.closes_loop = true;
            b.add(close);
        }
        before = crank;
    }
    return b;
}

Builder driven_and_geared()
{
    Builder b;
    Dice dice(4);
    b.gravity.uniform = {0, 0, -9.81};
    for (const char* name : {"one", "two", "three"}) {
        Joint joint;
        joint.name = name;
        joint.kind = name == std::string("three") ? JointKind::prismatic : JointKind::revolute;
        joint.b = b.add(some_body(name, dice));
        joint.frame_a = some_pose(dice);
        joint.frame_b = some_pose(dice);
        joint.start = {0.3};
        joint.start_speed = {0.0};
        b.add(joint);
    }
    b.joints[0].laws.resize(1);
    b.joints[0].laws[0].prescribed = Course{0.3, 1.0, 0, 0, 0};
    b.joints[0].start_speed = {1.0};
    b.gears.push_back({"rack", 2, 0, 1, 0, 0.1});
    return b;
}

} // namespace poinsot
