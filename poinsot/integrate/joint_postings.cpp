// SPDX-License-Identifier: MIT
// What the joints of a tree carry, body by body or as one sum, and what of it goes into the books.

#include "poinsot/integrate/joint_system.hpp"

namespace poinsot {

bool JointSystem::posts_sums(const Postings& postings) const
{
    // Of what flows in tanks bodies alone know.
    return postings.detail() == Postings::Detail::totals && world.model.vessels().empty();
}

void JointSystem::evaluate_and_post(std::span<const double> q, std::span<const double> v, double t,
                                    std::span<double> v_dot, double weight, Postings& postings)
{
    const bool sums = posts_sums(postings), rows = has_rows() || world.holding;
    const bool falls = sums && !rows && only_gravity() && !has_armatures_;
    const bool along = answer(q, v, t, v_dot, !falls);
    if (falls)
        post_fall(v, weight, postings);
    else if (sums && !rows)
        post_tree(v, v_dot, along, weight, postings);
    else
        post_reactions(v, v_dot, weight, postings);
}

void JointSystem::post_joints(const Wrench<double>& about_O, const Vec3<double>& S, double power,
                              double weight, Postings& postings) const
{
    if (carries_)
        postings.post_sum(Cause::joint, {weight * about_O.F, weight * S, weight * (about_O.tau - S),
                                         weight * power});
}

// An ideal joint does no work where accelerations are those of forward dynamics: what it does to
// two bodies differs in sign, and where it acts they move alike, but for directions in which it
// does not act.
void JointSystem::post_fall(std::span<const double> v, double weight, Postings& postings)
{
    const Vec3<double> g = world.model.gravity().uniform;
    const LinkageSum sum = sums_.of(linkage, inertias, v, space);
    const Vec3<double> mx = sum.mx + mx_on_world_;
    if (g != zero3<double>())
        postings.post_sum(Cause::gravity, {(weight * m_) * g, zero3<double>(),
                                           weight * cross(mx, g), weight * dot(sum.p, g)});
    const Wrench<double> weights{m_on_world_ * g, cross(mx_on_world_, g)}; // that are carried
    post_joints(sum.from_world - weights, sum.spin_dot, 0, weight, postings);
}

/// The load on a body, about the origin.
Wrench<double> JointSystem::about_origin(std::size_t body, const Wrench<double>& W) const
{
    return shift(W, -world.placed.bodies[body].x);
}

void JointSystem::post_tree(std::span<const double> v, std::span<const double> v_dot, bool along,
                            double weight, Postings& postings)
{
    Loads& loads = world.loads;
    const LinkageSum sum = sums_.of(linkage, inertias, v, space);
    // With what acts along joints and is no load of links. That of bodies on the world goes with
    // the rest that these have carried.
    Wrench<double> joints = sum.from_world;
    const auto take_off = [&](const LoadPart& part) {
        const auto i = static_cast<std::size_t>(part.body);
        if (linkage.bodies[i].link != poinsot::world)
            joints = joints - about_origin(i, part.wrench);
    };
    if (along)
        for (const LoadPart& part : loads.parts)
            if (part.cause == Cause::motor)
                take_off(part);
    const std::size_t before = loads.parts.size();
    add_armatures(v_dot);
    for (std::size_t k = before; k < loads.parts.size(); ++k)
        take_off(loads.parts[k]);
    for (const std::size_t i : on_world_)
        joints = joints - about_origin(i, loads.total[i]);
    Vec3<double> S = sum.spin_dot;
    for (const Wrench<double>& W : loads.total)
        S -= W.tau;
    postings.post(loads, world.placed, weight);
    post_joints(joints, S, 0, weight, postings);
}

void JointSystem::post_reactions(std::span<const double> v, std::span<const double> v_dot,
                                 double weight, Postings& postings)
{
    Loads& loads = world.loads;
    // What floats is joined to nothing: of what it lacks there, joints know nothing.
    if (!posts_sums(postings) || floats_) {
        add_tree_reactions(v, v_dot);
        postings.post(loads, world.placed, weight);
        return;
    }
    add_armatures(v_dot);
    link_accelerations<double>(linkage, v, v_dot, space);
    LinkageSums::Needs lacks = sums_.needs(linkage, inertias, space);
    for (std::size_t i = 0; i < loads.total.size(); ++i) {
        lacks.load = lacks.load - about_origin(i, loads.total[i]);
        lacks.spin_dot -= loads.total[i].tau;
        lacks.power -= power(loads.total[i], world.placed.bodies[i].twist());
    }
    postings.post(loads, world.placed, weight);
    post_joints(lacks.load, lacks.spin_dot, lacks.power, weight, postings);
}

void JointSystem::add_armatures(std::span<const double> v_change)
{
    if (!has_armatures_)
        return;
    for (const Link& link : linkage.links)
        if (link.armature != 0)
            add_along(world.model, world.placed, static_cast<std::size_t>(link.joint),
                      link.coordinate, Cause::rotor,
                      -link.armature * v_change[static_cast<std::size_t>(link.v)], world.loads);
}

void JointSystem::add_tree_reactions(std::span<const double> v, std::span<const double> v_dot)
{
    const auto& bodies = world.placed.bodies;
    add_armatures(v_dot);
    link_accelerations<double>(linkage, v, v_dot, space);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PlacedBody& body = bodies[i];
        const auto [a, alpha] = acceleration_of(i);
        const int link = linkage.bodies[i].link;
        const Vec3<double> omega =
            link == poinsot::world
                ? zero3<double>()
                : space.world_place[static_cast<std::size_t>(link)].R * space[link].omega;
        const Vec3<double> turning = apply_in_body(body.R, body.mass.I_b, omega); // I ω
        const Wrench<double> needs{body.mass.m * a, apply_in_body(body.R, body.mass.I_b, alpha) +
                                                        cross(omega, turning)};
        carried_[i] = needs - world.loads.total[i];
    }
    hand_down();
}

void JointSystem::hand_down()
{
    const Tree& tree = world.model.tree();
    const auto& bodies = world.placed.bodies;
    for (std::size_t k = tree.order.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(tree.order[k]);
        if (tree.carrier[i] == Tree::none)
            continue;
        const Wrench<double>& W = carried_[i];
        world.loads.add_reaction(static_cast<int>(i), Cause::joint, W);
        if (tree.parent[i] == poinsot::world)
            continue;
        const auto p = static_cast<std::size_t>(tree.parent[i]);
        const Wrench<double> on_parent = shift(W, bodies[p].x - bodies[i].x);
        carried_[p] = carried_[p] + on_parent;
        world.loads.add_reaction(static_cast<int>(p), Cause::joint, -on_parent);
    }
}

Wrench<double> JointSystem::reaction_of(int j, const Vec3<double>& about, ReactionOf what) const
{
    const Tree& tree = world.model.tree();
    Wrench<double> of_tree{zero3<double>(), zero3<double>()};
    bool carries = false;
    for (std::size_t i = 0; i < carried_.size() && !carries; ++i)
        if (tree.carrier[i] == j) {
            const Wrench<double> W = shift(carried_[i], about - world.placed.bodies[i].x);
            of_tree = tree.reversed[i] ? -W : W;
            carries = true;
        }
    if (!has_rows() || (carries && what == ReactionOf::joint))
        return of_tree;
    const Wrench<double> of_rows =
        poinsot::reaction_of(world.model, rows_, j, lambda_, world.placed, about, what);
    return carries ? of_tree + of_rows : of_rows;
}

} // namespace poinsot
