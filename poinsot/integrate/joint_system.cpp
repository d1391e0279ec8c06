// SPDX-License-Identifier: MIT
#include "poinsot/integrate/joint_system.hpp"

#include <algorithm>

namespace poinsot {

namespace {

bool has_laws(const Model& model)
{
    return std::any_of(model.joints().begin(), model.joints().end(),
                       [](const Joint& joint) { return !joint.laws.empty(); });
}

} // namespace

JointSystem::JointSystem(System& world)
    : world(world), linkage(linkage_of(world.model)), inertias(link_inertias(linkage, world.model)),
      space(linkage)
{
    const Model& model = world.model;
    only_gravity_ = model.gravity().G == 0 && model.springs().empty() && model.drags().empty() &&
                    model.loads().empty() && !has_laws(model);
    gravity_ = zero3<double>();
    no_forces_.assign(freedoms(), 0.0);
    external_.resize(linkage.size());
    carried_.resize(model.bodies().size());
}

void JointSystem::place(std::span<const double> q, std::span<const double> v)
{
    place_bodies(linkage, world.model, q, v, world.placed, space);
    place_joints(world.model, world.joint_coordinates, world.placed);
}

void JointSystem::evaluate(std::span<const double> q, std::span<const double> v, double t,
                           std::span<double> v_dot, bool reactions)
{
    place(q, v);
    gather_loads(world.model, world.placed, world.input, t, world.active_at, world.loads);
    link_loads(linkage, world.placed.bodies, world.loads.total, external_, space);
    forward_dynamics<double>(linkage, inertias, q, v, no_forces_, external_, zero3<double>(), v_dot,
                             space);
    if (reactions)
        add_reactions(v, v_dot);
}

std::span<const Wrench<double>> JointSystem::loads_of(std::span<const double> q,
                                                      std::span<const double> v, double t)
{
    const Input& input = world.input;
    if (only_gravity_ && input.loads.empty() && input.joint_forces.empty() && !input.user_force) {
        gravity_ = world.model.gravity().uniform;
        return {};
    }
    gravity_ = zero3<double>();
    place(q, v);
    gather_loads(world.model, world.placed, world.input, t, world.active_at, world.loads);
    link_loads(linkage, world.placed.bodies, world.loads.total, external_, space);
    return external_;
}

void JointSystem::add_reactions(std::span<const double> v, std::span<const double> v_dot)
{
    const Tree& tree = world.model.tree();
    const auto& bodies = world.placed.bodies;
    link_accelerations<double>(linkage, v, v_dot, space);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PlacedBody& body = bodies[i];
        const auto [a, alpha] = point_acceleration(linkage.bodies[i].link, body.x, space);
        const Wrench<double> needs{body.mass.m * a, apply_in_body(body.R, body.mass.I_b, alpha) +
                                                        cross(body.omega, body.L)};
        carried_[i] = needs - world.loads.total[i];
    }
    for (std::size_t k = tree.order.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(tree.order[k]);
        if (tree.carrier[i] == Tree::none)
            continue;
        const Wrench<double>& W = carried_[i];
        world.loads.add(static_cast<int>(i), Cause::joint, W);
        if (tree.parent[i] == poinsot::world)
            continue;
        const auto p = static_cast<std::size_t>(tree.parent[i]);
        const Wrench<double> on_parent = shift(W, bodies[p].x - bodies[i].x);
        carried_[p] = carried_[p] + on_parent;
        world.loads.add(static_cast<int>(p), Cause::joint, -on_parent);
    }
}

} // namespace poinsot
