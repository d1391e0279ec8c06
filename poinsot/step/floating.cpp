// SPDX-License-Identifier: MIT
#include "poinsot/step/floating.hpp"

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/kick.hpp"

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

/// The velocities of a body's own link that go with p and L in an attitude R.
void put_velocities(const BodyMass& mass, const Mat3<double>& R, const Vec3<double>& p,
                    const Vec3<double>& L, double* v)
{
    put_at(v, mass.inv_m * transpose_times(R, p));
    put_at(v + 3, mass.inv_I_b * transpose_times(R, L));
}

// What velocities say of p and L is off by no more, of the sum of their sizes: rounding of a chain
// of links.
constexpr double agrees = 1e-13;

} // namespace

Floating::Floating(const Model& model, const Linkage& linkage, std::span<const char> released)
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
        if (!released.empty() && released[tree_at(j)])
            continue;
        const Joint& joint = model.joints()[tree_at(j)];
        const int a = root_of(linkage, joint.a), b = root_of(linkage, joint.b);
        if (a == b)
            continue;
        for (const int root : {a, b})
            if (const auto tree = of(root); tree != trees_.end())
                trees_.erase(tree);
    }
    link_alone_.assign(linkage.size(), false);
    body_alone_.assign(model.bodies().size(), false);
    for (Tree& tree : trees_) {
        tree.alone = tree.bodies.size() == 1 &&
                     model.tree().carrier[tree_at(tree.bodies.front())] == poinsot::Tree::none;
        link_alone_[tree_at(tree.link)] = tree.alone;
        body_alone_[tree_at(tree.bodies.front())] = tree.alone;
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

void Floating::begin(std::span<const PlacedBody> bodies, std::span<const double> kept)
{
    const double* known = kept.size() == 6 * trees_.size() ? kept.data() : nullptr;
    for (Tree& tree : trees_) {
        tree.m = 0;
        for (const int i : tree.bodies)
            tree.m += bodies[tree_at(i)].mass.m;
        tree.c = center_of(tree, bodies);
        tree.p = tree.L = zero3<double>();
        double size_p = 0, size_L = 0;
        for (const int i : tree.bodies) {
            const PlacedBody& body = bodies[tree_at(i)];
            const Vec3<double> moment = cross(body.x - tree.c, body.p);
            tree.p += body.p;
            tree.L += body.L + moment;
            size_p += norm(body.p);
            size_L += norm(body.L) + norm(moment);
        }
        if (!known)
            continue;
        const Vec3<double> p = vector_at(known), L = vector_at(known + 3);
        known += 6;
        if (norm(p - tree.p) <= agrees * size_p && norm(L - tree.L) <= agrees * size_L) {
            tree.p = p;
            tree.L = L;
        }
    }
}

void Floating::keep(std::vector<double>& kept) const
{
    kept.resize(6 * trees_.size());
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        put_at(kept.data() + 6 * i, trees_[i].p);
        put_at(kept.data() + 6 * i + 3, trees_[i].L);
    }
}

void Floating::accelerate(std::span<const PlacedBody> bodies, std::span<const Wrench<double>> loads,
                          std::span<double> v_dot) const
{
    for (const Tree& tree : trees_)
        if (tree.alone) {
            const std::size_t i = tree_at(tree.bodies.front());
            put_velocities(bodies[i].mass, bodies[i].R, loads[i].F, loads[i].tau,
                           v_dot.data() + tree.root.v);
        }
}

void Floating::push(std::span<const PlacedBody> bodies, std::span<const Wrench<double>> loads,
                    double h)
{
    for (Tree& tree : trees_) {
        // Summed by themselves: what parts of a tree do to each other cancels to its own rounding.
        Vec3<double> J = zero3<double>(), K = zero3<double>();
        for (const int i : tree.bodies) {
            const Wrench<double>& W = loads[tree_at(i)];
            J += h * W.F;
            K += h * (W.tau + cross(bodies[tree_at(i)].x - tree.c, W.F));
        }
        tree.p += J;
        tree.L += K;
    }
}

void Floating::fly(double h, std::span<const PlacedBody> bodies, std::span<double> q,
                   std::span<double> v)
{
    for (Tree& tree : trees_) {
        if (tree.alone) {
            PlacedBody body = bodies[tree_at(tree.bodies.front())];
            set_motion(body, tree.p, tree.L);
            double* const at = q.data() + tree.root.q;
            const MomentumForm<double> end =
                flown(MomentumForm<double>{tree.c, quat_at(at + 3), tree.p, tree.L}, body, h);
            tree.c = end.x;
            put_at(at, end.x);
            put_at(at + 3, end.attitude);
            put_velocities(body.mass, matrix_of(end.attitude), tree.p, tree.L,
                           v.data() + tree.root.v);
            continue;
        }
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
        if (tree.alone) {
            const PlacedBody& body = bodies[tree_at(tree.bodies.front())];
            put_velocities(body.mass, body.R, tree.p, tree.L, v.data() + tree.root.v);
            continue;
        }
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
