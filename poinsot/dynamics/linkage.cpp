// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/linkage.hpp"

#include "poinsot/base/check.hpp"

#include <algorithm>

namespace poinsot {

namespace {

// Turns that are exact as matrices: they permute axes.
constexpr Quat<double> z_stays{1, 0, 0, 0};
constexpr Quat<double> z_to_x{0.5, 0.5, 0.5, 0.5};
constexpr Quat<double> z_to_y{0.5, -0.5, -0.5, -0.5};
constexpr Quat<double> half_turn{0, 1, 0, 0}; // about x

/// One motion A E(q) A⁻¹ of a joint: E along or about z.
struct Motion {
    LinkOp op;
    int coordinate;
    Quat<double> A;
};
std::vector<Motion> motions_of(JointKind kind)
{
    switch (kind) {
    case JointKind::revolute:
        return {{LinkOp::revolute, 0, z_stays}};
    case JointKind::prismatic:
        return {{LinkOp::prismatic, 0, z_stays}};
    case JointKind::screw:
        return {{LinkOp::screw, 0, z_stays}};
    case JointKind::cylindrical:
        return {{LinkOp::revolute, 0, z_stays}, {LinkOp::prismatic, 1, z_stays}};
    case JointKind::universal:
        return {{LinkOp::revolute, 0, z_stays}, {LinkOp::revolute, 1, z_to_x}};
    case JointKind::planar:
        return {{LinkOp::prismatic, 0, z_to_x},
                {LinkOp::prismatic, 1, z_to_y},
                {LinkOp::revolute, 2, z_stays}};
    case JointKind::ball:
        return {{LinkOp::ball, 0, z_stays}};
    default:
        check(kind == JointKind::weld, "a joint of this kind carries no body");
        return {};
    }
}

Pose<double> turn(const Quat<double>& q)
{
    return {zero3<double>(), q};
}

class Maker {
  public:
    explicit Maker(const Model& model) : model_(model) {}

    Linkage made()
    {
        const Tree& tree = model_.tree();
        const std::size_t count = model_.bodies().size();
        linkage_.bodies.resize(count);
        in_link_.resize(count, identity_pose<double>());
        // Branch after branch: a child follows its parent in memory where it can, and of the
        // inertias that wait for their siblings there are few.
        std::vector<std::vector<int>> children(count);
        std::vector<int> waiting;
        for (const int body : tree.order) {
            const int parent = tree.parent[at(body)];
            (parent == world ? waiting : children[at(parent)]).push_back(body);
        }
        std::reverse(waiting.begin(), waiting.end());
        while (!waiting.empty()) {
            const int body = waiting.back();
            waiting.pop_back();
            join(body);
            waiting.insert(waiting.end(), children[at(body)].rbegin(), children[at(body)].rend());
        }
        for (std::size_t i = linkage_.size(); i-- > 0;) {
            Link& link = linkage_.links[i];
            if (link.parent == world)
                continue;
            Link& parent = linkage_.links[at(link.parent)];
            link.arrives_first = parent.leaf;
            parent.leaf = false;
        }
        return std::move(linkage_);
    }

  private:
    const Model& model_;
    Linkage linkage_;
    std::vector<Pose<double>> in_link_; // the body frame, as a pose

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    void join(int body)
    {
        const Tree& tree = model_.tree();
        const Vec3<double>& center = model_.masses()[at(body)].center;
        const Pose<double> at_center{-center, identity_quat<double>()};
        const int carrier = tree.carrier[at(body)];
        if (carrier == Tree::none) {
            const bool particle = model_.bodies()[at(body)].particle;
            const int link = add(world, particle ? LinkOp::translate : LinkOp::free,
                                 identity_pose<double>(), Tree::none, 0);
            put(body, link, at_center);
            return;
        }
        const Joint& joint = model_.joints()[at(carrier)];
        const bool reversed = tree.reversed[at(body)];
        const Pose<double>& parent_frame = reversed ? joint.frame_b : joint.frame_a;
        const Pose<double>& child_frame = reversed ? joint.frame_a : joint.frame_b;
        const int parent = tree.parent[at(body)];
        int link = parent == world ? world : linkage_.bodies[at(parent)].link;
        // From the last link's frame to where the next motion begins.
        Pose<double> pending =
            (parent == world ? identity_pose<double>() : in_link_[at(parent)]) * parent_frame;
        if (joint.kind == JointKind::free) {
            link = add(link, LinkOp::free, pending, carrier, 0);
            put(body, link, at_center);
            return;
        }
        std::vector<Motion> motions = motions_of(joint.kind);
        if (reversed)
            std::reverse(motions.begin(), motions.end());
        for (const Motion& motion : motions) {
            // A ball has its own coordinates either way: the attitude of the child.
            const bool flip = reversed && motion.op != LinkOp::ball;
            const Quat<double> A = flip ? motion.A * half_turn : motion.A;
            link = add(link, motion.op, pending * turn(A), carrier, motion.coordinate);
            pending = turn(conjugate(A));
        }
        put(body, link, pending * inverse(child_frame));
    }

    int add(int parent, LinkOp op, const Pose<double>& tree, int joint, int coordinate)
    {
        Link link;
        link.parent = parent;
        link.op = op;
        link.q = linkage_.nq;
        link.v = linkage_.nv;
        link.R = matrix_of(normalised(tree.q));
        link.r = tree.x;
        link.turn = turn_of(link.R);
        link.shift = triple_of(link.r);
        link.joint = joint;
        link.coordinate = coordinate;
        if (joint != Tree::none) {
            const Joint& described = model_.joints()[at(joint)];
            if (op == LinkOp::screw)
                link.pitch = described.pitch;
            if (!described.laws.empty() && freedoms_of(op) == 1)
                link.armature = described.laws[at(coordinate)].armature;
        }
        if (op == LinkOp::ball)
            link.block = linkage_.balls++;
        if (op == LinkOp::free)
            link.block = linkage_.frees++;
        if (op == LinkOp::revolute || op == LinkOp::screw) {
            link.block = static_cast<int>(linkage_.angles.size());
            linkage_.angles.push_back(link.q);
        }
        linkage_.nq += coordinates_of(op);
        linkage_.nv += freedoms_of(op);
        linkage_.links.push_back(link);
        return static_cast<int>(linkage_.size()) - 1;
    }

    void put(int body, int link, const Pose<double>& pose)
    {
        in_link_[at(body)] = pose;
        linkage_.bodies[at(body)] = {link, matrix_of(normalised(pose.q)), pose.x,
                                     place(pose, model_.masses()[at(body)].center)};
    }
};

} // namespace

Linkage linkage_of(const Model& model)
{
    return Maker(model).made();
}

LinkInertia<double> link_inertia(const LinkedBody& body, const BodyMass& mass)
{
    const Vec3<double> center = center_in_link(body, mass);
    const bool aligned = body.R == identity3<double>(); // most are: then nothing is to be turned
    const Sym3<double> I = aligned ? mass.I_b : congruent(body.R, mass.I_b);
    return {mass.m, triple_of(mass.m * center), sym_triple_of(about_displaced(I, mass.m, center))};
}

std::vector<LinkInertia<double>> link_inertias(const Linkage& linkage,
                                               std::span<const BodyMass> masses)
{
    const Triple<double> none = zero_triple<double>();
    std::vector<LinkInertia<double>> sums(linkage.size(), {0.0, none, {none, none}});
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const LinkedBody& body = linkage.bodies[i];
        if (body.link == world)
            continue;
        LinkInertia<double>& sum = sums[static_cast<std::size_t>(body.link)];
        sum = sum + link_inertia(body, masses[i]);
    }
    return sums;
}
std::vector<LinkInertia<double>> link_inertias(const Linkage& linkage, const Model& model)
{
    return link_inertias(linkage, model.masses());
}

} // namespace poinsot
