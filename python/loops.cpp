// SPDX-License-Identifier: MIT
#include "python/loops.hpp"

#include "poinsot/constraints/bind.hpp"
#include "poinsot/integrate/joint_system.hpp"

#include <cmath>

namespace poinsot {

namespace {

/// As far as digits are typed: what is farther off is a mistake (model/assemble.cpp).
constexpr double typed_digits = 1e-6;

std::string owner_of(const Model& model, const Block& block)
{
    const auto index = static_cast<std::size_t>(block.index);
    return block.origin == Block::Origin::gear
               ? text_of("gear '", model.gears()[index].name, "'")
               : text_of("joint '", model.joints()[index].name, "'");
}

} // namespace

std::string broken_bond(const Model& model, const State& start)
{
    if (!has_loops(model))
        return {};
    const Placed placed = place(model, start);
    Rows rows;
    bind_loops(model, placed, 0, rows);
    measure_speeds(placed, rows);
    for (const bool places : {true, false})
        for (const Block& block : rows.blocks) {
            if (block.origin == Block::Origin::armature)
                continue;
            for (int k = 0; k < block.rows; ++k) {
                if (places && !binds_place(model, block, k))
                    continue;
                const Row& row = rows.row(block, k);
                bool turns = true;                   // or moves
                double terms = std::abs(row.rate_t); // of the speed
                for (int i = 0; i < block.bodies; ++i) {
                    const Wrench<double>& J = rows.J_of(block, k, i);
                    const PlacedBody& body = placed.bodies[static_cast<std::size_t>(
                        block.body[static_cast<std::size_t>(i)])];
                    turns = turns && J.F == zero3<double>();
                    terms += norm(J.F) * norm(body.v) + norm(J.tau) * norm(body.omega);
                }
                const double off = places ? row.g : row.g_dot;
                const double most = typed_digits * (places ? row.scale : terms);
                if (std::abs(off) <= most)
                    continue;
                const char* unit = turns ? (places ? " rad" : " rad/s") : (places ? " m" : " m/s");
                return text_of(owner_of(model, block),
                               places ? " does not fit q" : " does not fit v", ": off by ",
                               std::abs(off), unit,
                               "; Model.close(q, v) gives the nearest that fit");
            }
        }
    return {};
}

Coordinates closed_coordinates(const Described& d, std::span<const double> q,
                               std::span<const double> v)
{
    const Input none;
    System world(d.model(), none);
    JointSystem joints(world);
    State start = state_at(d.model(), d.linkage, FormKind::momentum, Formulation::reduced, q, v);
    world.joint_coordinates = start.joint_coordinates;
    joints.weigh(0);
    Postings postings(Postings::Detail::off);
    if (const char* failure = joints.project(start.joints, 0, postings))
        throw pybind11::value_error(failure);
    return {start.joints.q, start.joints.v};
}

} // namespace poinsot
