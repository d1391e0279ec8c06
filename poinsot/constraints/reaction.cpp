// SPDX-License-Identifier: MIT
#include "poinsot/constraints/reaction.hpp"

namespace poinsot {

namespace {

void add(const Rows& rows, const Block& block, std::span<const double> lambda, Cause cause,
         Loads& loads)
{
    for (int i = 0; i < block.bodies; ++i)
        loads.add_reaction(block.body[static_cast<std::size_t>(i)], cause,
                           reaction_on(rows, block, lambda, i));
}

} // namespace

Wrench<double> reaction_on(const Rows& rows, const Block& block, std::span<const double> lambda,
                           int i)
{
    Wrench<double> W{zero3<double>(), zero3<double>()};
    for (int k = 0; k < block.rows; ++k)
        W = W + lambda[static_cast<std::size_t>(block.first_row + k)] * rows.J_of(block, k, i);
    return W;
}

Wrench<double> reaction_of(const Model& model, const Rows& rows, int j,
                           std::span<const double> lambda, const Placed& placed,
                           const Vec3<double>& about, ReactionOf what)
{
    const Joint& joint = model.joints()[static_cast<std::size_t>(j)];
    const bool world_moves = joint.b == world; // then what a feels says it, with the other sign
    const int body = world_moves ? joint.a : joint.b;
    const Vec3<double> x = placed.bodies[static_cast<std::size_t>(body)].x;
    Wrench<double> W{zero3<double>(), zero3<double>()};
    for (const Block& block : rows.blocks) {
        const bool drive = block.origin == Block::Origin::prescribed ||
                           block.origin == Block::Origin::limit ||
                           block.origin == Block::Origin::armature;
        const bool counts =
            block.origin == Block::Origin::joint || (drive && what == ReactionOf::joint_and_drive);
        if (!counts || block.index != j)
            continue;
        for (int i = 0; i < block.bodies; ++i)
            if (block.body[static_cast<std::size_t>(i)] == body)
                W = W + reaction_on(rows, block, lambda, i);
    }
    W = shift(W, about - x);
    return world_moves ? -W : W;
}

void add_reactions(const Rows& rows, std::span<const double> lambda, Loads& loads)
{
    for (const Block& block : rows.blocks)
        add(rows, block, lambda, block.cause, loads);
}
void add_reactions(const Rows& rows, std::span<const double> lambda, Cause cause, Loads& loads)
{
    for (const Block& block : rows.blocks)
        add(rows, block, lambda, cause, loads);
}

} // namespace poinsot
