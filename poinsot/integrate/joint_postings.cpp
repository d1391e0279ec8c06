// SPDX-License-Identifier: MIT
// What the joints of a tree carry, body by body or as one sum, and what of it goes into the books.

#include "poinsot/integrate/joint_system.hpp"

#include <utility>

namespace poinsot {

bool JointSystem::posts_sums(const Postings& postings) const
{
    // Of what flows in tanks bodies alone know; and what floats is joined to nothing: of what it
    // lacks there, rows know and joints do not.
    return postings.detail() == Postings::Detail::totals && world.model.vessels().empty() &&
           !(floats_ && (has_rows() || world.holding));
}

bool JointSystem::posts_falling(const Postings& postings) const
{
    return posts_sums(postings) && only_gravity() && !has_rows() && !world.holding &&
           !has_armatures_;
}

void JointSystem::evaluate_and_post(std::span<const double> q, std::span<const double> v, double t,
                                    std::span<double> v_dot, double weight, Postings& postings)
{
    const bool falls = posts_falling(postings);
    answer(q, v, t, v_dot, !falls);
    if (falls)
        post_falling(q, v, v_dot, weight);
    else
        post_acting(q, v, v_dot, v, weight, postings);
    unposted_.ideal = !has_rows() && !world.holding;
}

void JointSystem::post_falling(std::span<const double> q, std::span<const double> v,
                               std::span<const double> v_dot, double weight)
{
    sums_.add_falling(q, v, v_dot, weight, world.model.gravity().uniform);
    ++unposted_.stages;
    unposted_.weight += weight;
    unposted_.falls = unposted_.ideal = true;
}

void JointSystem::post_acting(std::span<const double> q, std::span<const double> v,
                              std::span<const double> v_dot, std::span<const double> moving,
                              double weight, Postings& postings)
{
    Loads& loads = world.loads;
    if (!posts_sums(postings)) {
        add_tree_reactions(v, v_dot);
        postings.post(loads, world.placed, weight);
        return;
    }
    add_armatures(v_dot);
    for (std::size_t i = 0; i < loads.total.size(); ++i) {
        const PlacedBody& body = world.placed.bodies[i];
        const Wrench<double>& W = loads.total[i];
        if (!floating_[i])
            unposted_.load = unposted_.load + weight * shift(W, -body.x);
        unposted_.tau += weight * W.tau;
        unposted_.power += weight * power(W, body.twist());
    }
    postings.post(loads, world.placed, weight);
    sums_.add(q, v, v_dot, moving, weight);
    ++unposted_.stages;
}

// What joints hand on is what the motion needs, less what acts. They are ideal where accelerations
// are those of forward dynamics: what each does to two bodies differs in sign, and where it acts
// they move alike, but for directions in which it does not act.
void JointSystem::post_stages(Postings& postings)
{
    if (unposted_.stages == 0)
        return;
    const LinkageSum sum = sums_.take();
    const Unposted of = std::exchange(unposted_, {});
    Wrench<double> acting = of.load;
    if (of.falls) {
        const Vec3<double> g = world.model.gravity().uniform;
        const Vec3<double> carried = of.weight * mx_on_world_;
        if (g != zero3<double>())
            postings.post_sum(Cause::gravity, {(of.weight * m_) * g, zero3<double>(),
                                               cross(sum.mx + carried, g), dot(sum.p, g)});
        acting = {(of.weight * m_on_world_) * g, cross(carried, g)};
    }
    if (!carries_)
        return;
    const Wrench<double> about_O = sum.load - acting;
    const Vec3<double> S = sum.spin_dot - of.tau;
    postings.post_sum(Cause::joint,
                      {about_O.F, S, about_O.tau - S, of.ideal ? 0.0 : sum.power - of.power});
}

void JointSystem::post_reactions(std::span<const double> q, std::span<const double> v,
                                 std::span<const double> v_dot, std::span<const double> moving,
                                 double weight, Postings& postings)
{
    post_acting(q, v, v_dot, moving, weight, postings);
    post_stages(postings); // which may be those of a blow: joints then do what they do
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
