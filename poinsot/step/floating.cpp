// SPDX-License-Identifier: MIT
#include "poinsot/step/floating.hpp"

#include <algorithm>
#include <array>

namespace poinsot {

namespace {

std::size_t tree_at(int i)
{
    return static_cast<std::size_t>(i);
}

/// The link that all of a body's chain hangs on, or the world.
int root_of(const Linkage& linkage, int body)
{
    int link = body == world ? world : linkage.bodies[tree_at(body)].link;
    while (link != world && linkage.links[tree_at(link)].parent != world)
        link = linkage.links[tree_at(link)].parent;
    return link;
}

/// Inertia of a body about c, world axes.
Sym3<double> inertia_about(const PlacedBody& body, const Vec3<double>& c)
{
    const Vec3<double> d = body.x - c;
    const double m = body.mass.m;
    const Sym3<double> own = congruent(body.R, body.mass.I_b);
    return own + Sym3<double>{m * (d.y * d.y + d.z * d.z),
                              m * (d.x * d.x + d.z * d.z),
                              m * (d.x * d.x + d.y * d.y),
                              -m * d.x * d.y,
                              -m * d.x * d.z,
                              -m * d.y * d.z};
}

} // namespace

Floating::Floating(const Model& model, const Linkage& linkage)
{
    for (std::size_t i = 0; i < linkage.size(); ++i)
        if (linkage.links[i].parent == world && linkage.links[i].op == LinkOp::free)
            trees_.push_back({static_cast<int>(i), linkage.links[i], {}});
    const auto of = [&](int link) {
        return std::find_if(trees_.begin(), trees_.end(),
                            [&](const Tree& tree) { return tree.link == link; });
    };
    for (std::size_t i = 0; i < model.bodies().size(); ++i)
        if (const auto tree = of(root_of(linkage, static_cast<int>(i))); tree != trees_.end())
            tree->bodies.push_back(static_cast<int>(i));
    for (const int j : model.tree().rows) {
        const Joint& joint = model.joints()[tree_at(j)];
        const int a = root_of(linkage, joint.a), b = root_of(linkage, joint.b);
        if (a == b)
            continue;
        for (const int root : {a, b})
            if (const auto tree = of(root); tree != trees_.end())
                trees_.erase(tree);
    }
}

std::size_t Floating::bodies() const
{
    std::size_t count = 0;
    for (const Tree& tree : trees_)
        count += tree.bodies.size();
    return count;
}

Vec3<double> Floating::center_of(const Tree& tree, std::span<const PlacedBody> bodies)
{
    Vec3<double> sum = zero3<double>();
    for (const int i : tree.bodies)
        sum += bodies[tree_at(i)].mass.m * bodies[tree_at(i)].x;
    return (1 / tree.m) * sum;
}

void Floating::begin(std::span<const PlacedBody> bodies)
{
    for (Tree& tree : trees_) {
        tree.m = 0;
        for (const int i : tree.bodies)
            tree.m += bodies[tree_at(i)].mass.m;
        tree.c = center_of(tree, bodies);
        tree.p = tree.L = zero3<double>();
        for (const int i : tree.bodies) {
            const PlacedBody& body = bodies[tree_at(i)];
            tree.p += body.p;
            tree.L += body.L + cross(body.x - tree.c, body.p);
        }
    }
}

void Floating::push(std::span<const PlacedBody> bodies, std::span<const Wrench<double>> loads,
                    double h)
{
    for (Tree& tree : trees_)
        for (const int i : tree.bodies) {
            const Wrench<double>& W = loads[tree_at(i)];
            tree.p += h * W.F;
            tree.L += h * (W.tau + cross(bodies[tree_at(i)].x - tree.c, W.F));
        }
}

void Floating::fly(double h, std::span<const PlacedBody> bodies, std::span<double> q)
{
    for (Tree& tree : trees_) {
        tree.c += (h / tree.m) * tree.p;
        const Vec3<double> by = transpose(tree.root.R) * (tree.c - center_of(tree, bodies));
        const std::size_t place = tree_at(tree.root.q);
        q[place] += by.x;
        q[place + 1] += by.y;
        q[place + 2] += by.z;
    }
}

void Floating::settle(const JointSystem& at, std::span<double> v) const
{
    const auto& bodies = at.world.placed.bodies;
    for (const Tree& tree : trees_) {
        const Vec3<double> c = center_of(tree, bodies);
        Vec3<double> lack_p = tree.p, lack_L = tree.L;
        Sym3<double> I = diagonal(0.0, 0.0, 0.0);
        for (const int i : tree.bodies) {
            const PlacedBody& body = bodies[tree_at(i)];
            lack_p -= body.p;
            lack_L -= body.L + cross(body.x - c, body.p);
            I = I + inertia_about(body, c);
        }
        const LinkPlace<double>& root = at.space.world_place[tree_at(tree.link)];
        const Vec3<double> omega = inverse(I) * lack_L;
        const Vec3<double> v_root = (1 / tree.m) * lack_p + cross(omega, root.x - c);
        const Vec3<double> own_v = transpose(root.R) * v_root;
        const Vec3<double> own_omega = transpose(root.R) * omega;
        const std::size_t first = tree_at(tree.root.v);
        const std::array<double, 6> change{own_v.x,     own_v.y,     own_v.z,
                                           own_omega.x, own_omega.y, own_omega.z};
        for (std::size_t k = 0; k < change.size(); ++k)
            v[first + k] += change[k];
    }
}

} // namespace poinsot
