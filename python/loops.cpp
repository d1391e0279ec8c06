// SPDX-License-Identifier: MIT
#include "python/loops.hpp"

#include "poinsot/constraints/bind.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/model/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// How large a model is and how fast it goes: what its rows round to, though all that one of them
/// binds rests or stands at the origin.
struct Sizes {
    double length = 0, speed = 0, rate = 0;
};
Sizes sizes_of(const Model& model, const Placed& placed)
{
    Sizes most;
    const auto grow = [](double& largest, double value) { largest = std::max(largest, value); };
    for (const PlacedBody& body : placed.bodies) {
        grow(most.length, norm(body.x));
        grow(most.speed, norm(body.v));
        grow(most.rate, norm(body.omega));
    }
    double arm = 0; // within bodies, wherever they stand
    for (const Joint& joint : model.joints())
        for (const double reach :
             {joint.a == world ? 0 : norm(joint.frame_a.x),
              joint.b == world ? 0 : norm(joint.frame_b.x), joint.length, joint.radius})
            grow(arm, reach);
    grow(most.length, arm);
    const ToldRates told = told_rates(model.joints()); // a course at rest leaves their rounding
    grow(most.speed, told.shift);
    grow(most.rate, told.turn);
    grow(most.speed, most.rate * arm);
    if (arm > 0)
        grow(most.rate, most.speed / arm);
    // What moves in a second by less than places round to is at rest: of a mechanism that cannot
    // move, all speeds are rounding. So much of them is no misfit.
    constexpr double rounded = std::numeric_limits<double>::epsilon() / typed_digits;
    grow(most.speed, rounded * most.length);
    grow(most.rate, rounded);
    return most;
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
    const Sizes most_in_all = sizes_of(model, placed);
    for (const bool places : {true, false})
        for (const Block& block : rows.blocks) {
            if (block.origin == Block::Origin::armature)
                continue;
            for (int k = 0; k < block.rows; ++k) {
                if (places && !binds_place(model, block, k))
                    continue;
                const Row& row = rows.row(block, k);
                bool turns = true; // or moves
                // At most, of the place and of the speed.
                double scale = row.scale, terms = std::abs(row.rate_t);
                for (int i = 0; i < block.bodies; ++i) {
                    const Wrench<double>& J = rows.J_of(block, k, i);
                    turns = turns && J.F == zero3<double>();
                    scale += norm(J.F) * most_in_all.length;
                    terms += norm(J.F) * most_in_all.speed + norm(J.tau) * most_in_all.rate;
                }
                if (turns) // an angle, or a cosine
                    scale += 1;
                const double off = places ? row.g : row.g_dot;
                const double most = typed_digits * (places ? scale : terms);
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
