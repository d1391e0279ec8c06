// SPDX-License-Identifier: MIT
#include "poinsot/step/floating.hpp"

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/kick.hpp"

#include <algorithm>
#include <limits>

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

// p, L, and what was rounded off of p.
constexpr std::size_t kept_per_tree = 9;

/// Adds J to p + rest, of which p is the rounded value [Knuth 1969, §4.2.2].
void add_with_rest(double& p, double& rest, double J)
{
    const double sum = p + J, added = sum - p;
    rest += (p - (sum - added)) + (J - added);
    p = sum + rest;
    rest -= p - sum;
}

// What velocities say of p and L is off by no more, of the sum of their sizes: rounding of a chain
// of links.
constexpr double agrees = 1e-13;

} // namespace

Floating::Floating(const Model& model, const Linkage& linkage, std::span<const char> released)
{
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> of(linkage.size(), none); // the tree of a link that is a root
    for (std::size_t i = 0; i < linkage.size(); ++i)
        if (linkage.links[i].parent == world && linkage.links[i].op == LinkOp::free) {
            of[i] = trees_.size();
            trees_.push_back({{{static_cast<int>(i), linkage.links[i]}}, {}});
        }
    const auto tree_of = [&](int link) { return link == world ? none : of[tree_at(link)]; };
    std::vector<char> held(trees_.size(), 0); // by the world, or by what has no attitude
    for (const int j : model.tree().rows) {
        if (!released.empty() && released[tree_at(j)])
            continue;
        const Joint& joint = model.joints()[tree_at(j)];
        const int root_a = root_of(linkage, joint.a), root_b = root_of(linkage, joint.b);
        if (root_a == root_b)
            continue;
        const std::size_t a = tree_of(root_a), b = tree_of(root_b);
        if (a == b) // bound already
            continue;
        if (a == none || b == none) {
            held[a == none ? b : a] = 1;
            continue;
        }
        Tree &one = trees_[std::min(a, b)], &other = trees_[std::max(a, b)];
        for (const Root& root : other.roots) {
            of[tree_at(root.link)] = std::min(a, b);
            one.roots.push_back(root);
        }
        held[std::min(a, b)] = held[a] || held[b];
        other.roots.clear();
    }
    for (std::size_t i = 0; i < model.bodies().size(); ++i)
        if (const std::size_t tree = tree_of(root_of(linkage, static_cast<int>(i))); tree != none)
            trees_[tree].bodies.push_back(static_cast<int>(i));
    std::vector<Tree> free;
    for (std::size_t i = 0; i < trees_.size(); ++i)
        if (!held[i] && !trees_[i].roots.empty())
            free.push_back(std::move(trees_[i]));
    trees_ = std::move(free);
    link_alone_.assign(linkage.size(), false);
    body_alone_.assign(model.bodies().size(), false);
    for (Tree& tree : trees_) {
        tree.alone = tree.bodies.size() == 1 &&
                     model.tree().carrier[tree_at(tree.bodies.front())] == poinsot::Tree::none;
        link_alone_[tree_at(tree.roots.front().link)] = tree.alone;
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
    const double* known = kept.size() == kept_per_tree * trees_.size() ? kept.data() : nullptr;
    for (Tree& tree : trees_) {
        tree.m = 0;
        for (const int i : tree.bodies)
            tree.m += bodies[tree_at(i)].mass.m;
        tree.c = center_of(tree, bodies);
        tree.p = tree.L = tree.rest = zero3<double>();
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
        const Vec3<double> p = vector_at(known), L = vector_at(known + 3),
                           rest = vector_at(known + 6);
        known += kept_per_tree;
        if (norm(p - tree.p) <= agrees * size_p && norm(L - tree.L) <= agrees * size_L) {
            tree.p = p;
            tree.L = L;
            tree.rest = rest;
        }
    }
}

void Floating::keep(std::vector<double>& kept) const
{
    kept.resize(kept_per_tree * trees_.size());
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        double* const at = kept.data() + kept_per_tree * i;
        put_at(at, trees_[i].p);
        put_at(at + 3, trees_[i].L);
        put_at(at + 6, trees_[i].rest);
    }
}

void Floating::accelerate(std::span<const PlacedBody> bodies, std::span<const Wrench<double>> loads,
                          std::span<double> v_dot) const
{
    for (const Tree& tree : trees_)
        if (tree.alone) {
            const std::size_t i = tree_at(tree.bodies.front());
            put_velocities(bodies[i].mass, bodies[i].R, loads[i].F, loads[i].tau,
                           v_dot.data() + tree.roots.front().joint.v);
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
        add_with_rest(tree.p.x, tree.rest.x, J.x);
        add_with_rest(tree.p.y, tree.rest.y, J.y);
        add_with_rest(tree.p.z, tree.rest.z, J.z);
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
            double* const at = q.data() + tree.roots.front().joint.q;
            const MomentumForm<double> end =
                flown(MomentumForm<double>{tree.c, quat_at(at + 3), tree.p, tree.L}, body, h);
            tree.c = end.x;
            put_at(at, end.x);
            put_at(at + 3, end.attitude);
            put_velocities(body.mass, matrix_of(end.attitude), tree.p, tree.L,
                           v.data() + tree.roots.front().joint.v);
            continue;
        }
        tree.c += (h / tree.m) * tree.p;
        const Vec3<double> lack = tree.c - center_of(tree, bodies);
        for (const Root& root : tree.roots) {
            double* const at = q.data() + root.joint.q;
            put_at(at, vector_at(at) + transpose(root.joint.R) * lack);
        }
    }
}

void Floating::settle(const JointSystem& at, std::span<double> v) const
{
    const auto& bodies = at.world.placed.bodies;
    for (const Tree& tree : trees_) {
        if (tree.alone) {
            const PlacedBody& body = bodies[tree_at(tree.bodies.front())];
            put_velocities(body.mass, body.R, tree.p, tree.L,
                           v.data() + tree.roots.front().joint.v);
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
        lack_p += tree.rest;
        const Vec3<double> omega = inverse(I) * lack_L;
        for (const Root& root : tree.roots) {
            const LinkPlace<double>& place = at.space.world_place[tree_at(root.link)];
            const Vec3<double> v_root = (1 / tree.m) * lack_p + cross(omega, place.x - c);
            double* const own = v.data() + root.joint.v;
            put_at(own, vector_at(own) + transpose(place.R) * v_root);
            put_at(own + 3, vector_at(own + 3) + transpose(place.R) * omega);
        }
    }
}

} // namespace poinsot
