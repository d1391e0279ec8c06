// SPDX-License-Identifier: MIT
#pragma once

// Linkages that several tests use: trees of every joint, at states of every kind.

#include "poinsot/dynamics/kinematics.hpp"
#include "worlds.hpp"

namespace poinsot {

inline Body random_body(Dice& dice, const std::string& name)
{
    Body body;
    body.name = name;
    body.mass_properties = {dice.uniform(0.5, 3), dice.vector(0.4), dice.inertia()};
    body.pose = {dice.vector(2), dice.rotation()};
    return body;
}

inline const std::vector<JointKind> carrying_kinds{
    JointKind::revolute,    JointKind::prismatic, JointKind::screw,
    JointKind::cylindrical, JointKind::universal, JointKind::planar,
    JointKind::ball,        JointKind::weld,      JointKind::free};

/// Hangs a body on another (or on the world) by a joint of some kind, with random frames and a
/// random start, and puts it there. Reversed: the child is body a.
inline void hang(Builder& b, Dice& dice, JointKind kind, int parent, int child, bool reversed,
                 double armature = 0)
{
    Joint joint;
    joint.name = text_of("joint", child);
    joint.kind = kind;
    joint.a = reversed ? child : parent;
    joint.b = reversed ? parent : child;
    joint.frame_a = {dice.vector(0.6), dice.rotation()};
    joint.frame_b = {dice.vector(0.6), dice.rotation()};
    joint.pitch = dice.uniform(0.05, 0.2);
    for (int k = 0; k < facts_of(kind).coordinates; ++k)
        joint.start.push_back(dice.uniform(-2, 2));
    if (armature > 0 && !joint.start.empty()) {
        joint.laws.resize(joint.start.size());
        joint.laws[0].armature = armature;
    }
    Pose<double> J = joint_pose(joint, joint.start);
    if (kind == JointKind::ball)
        J.q = dice.rotation();
    const Pose<double> X =
        parent == world ? identity_pose<double>() : b.bodies[static_cast<std::size_t>(parent)].pose;
    b.bodies[static_cast<std::size_t>(child)].pose =
        reversed ? X * joint.frame_b * inverse(J) * inverse(joint.frame_a)
                 : X * joint.frame_a * J * inverse(joint.frame_b);
    b.add(joint);
}

/// A random tree: fixed and floating parts, branches, welds, joints that run either way; and a
/// particle beside it.
inline Builder random_tree(std::uint64_t seed, int bodies, double armature = 0)
{
    Dice dice(seed);
    Builder b;
    for (int i = 0; i < bodies; ++i)
        b.add(random_body(dice, text_of("body", i)));
    for (int i = 0; i < bodies; ++i) {
        const double fate = dice.uniform(0, 1);
        if (fate < 0.15)
            continue; // floats
        const int parent =
            i == 0 || fate < 0.3 ? world : static_cast<int>(dice.uniform(0, i - 1e-9));
        const auto which = static_cast<std::size_t>(
            dice.uniform(0, static_cast<double>(carrying_kinds.size()) - 1e-9));
        const bool reversed = dice.uniform(0, 1) < 0.5;
        hang(b, dice, carrying_kinds[which], parent, i, reversed,
             dice.uniform(0, 1) < 0.5 ? armature : 0.0);
    }
    b.add_particle("dust", 0.4, dice.vector(2), zero3<double>());
    return b;
}

/// A linkage with its model, scratch and a random state.
struct Rig {
    std::shared_ptr<const Model> model;
    Linkage linkage;
    std::vector<LinkInertia<double>> inertias;
    LinkageSpace<double> w;
    std::vector<double> q, v, v_dot, tau;
    std::vector<Wrench<double>> external; // link axes
    V3 gravity;

    Rig(const Builder& b, std::uint64_t seed)
        : model(built(b)), linkage(linkage_of(*model)), inertias(link_inertias(linkage, *model)),
          w(linkage)
    {
        Dice dice(seed);
        q = start_coordinates(linkage, *model).q;
        std::vector<double> by(static_cast<std::size_t>(linkage.nv));
        const auto fill = [&](std::vector<double>& x, double size) {
            x.resize(static_cast<std::size_t>(linkage.nv));
            for (double& a : x)
                a = dice.uniform(-size, size);
        };
        fill(by, 2);
        displace<double>(linkage, q, by, q);
        fill(v, 2);
        fill(v_dot, 3);
        fill(tau, 5);
        for (std::size_t i = 0; i < linkage.size(); ++i)
            external.push_back({dice.vector(4), dice.vector(4)});
        gravity = dice.vector(10);
    }
    std::size_t nv() const { return static_cast<std::size_t>(linkage.nv); }

    std::vector<double> inverse(const std::vector<double>& acceleration)
    {
        std::vector<double> out(nv());
        inverse_dynamics<double>(linkage, inertias, q, v, acceleration, external, gravity, out, w);
        return out;
    }
    Placed bodies()
    {
        Placed out;
        place_bodies(linkage, *model, q, v, out, w);
        return out;
    }
};

inline double largest(const std::vector<double>& a)
{
    double most = 0;
    for (const double x : a)
        most = std::max(most, std::abs(x));
    return most;
}
/// The largest difference of two vectors.
inline double apart(const std::vector<double>& a, const std::vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const double d = std::abs(a[i] - b[i]); !(d <= most))
            most = d;
    return most;
}

} // namespace poinsot
