// SPDX-License-Identifier: MIT
// What depends on velocity in a kick, in maximal coordinates.
//
// Loads for a time h are those of mid-kick, and velocities there have half of the replies of joints
// and drives in them. A kick of these alone, with loads as V⁻ makes them, says what they are:
//
//     V_½ = V⁻ + ½ (h M⁻¹ F(V⁻) + M⁻¹ Jᵀ r)        off by h², so h F(V_½) is off by h³
//
// Contacts and limits are not in it. They come and go within a step, and the damper of one machine
// must not feel that another one touches something.
#include "poinsot/integrate/kick.hpp"
#include "poinsot/step/impulsive_parts.hpp"

namespace poinsot {

namespace {

/// Is it a joint, and its row an equation?
bool holds(Block::Origin origin)
{
    return origin == Block::Origin::joint || origin == Block::Origin::gear ||
           origin == Block::Origin::prescribed;
}

void measure_coordinates(const Model& model, System& system,
                         std::vector<std::array<double, 3>>& speeds)
{
    place_joints(model, system.joint_coordinates, system.placed);
    speeds.resize(system.placed.joints.size());
    for (std::size_t j = 0; j < speeds.size(); ++j)
        speeds[j] = system.placed.joints[j].speed;
}

} // namespace

/// What acts for a time h; what depends on velocity, at mid-kick. Returns why it is not known.
const char* Impulsive::gather(const State& state, const StepSettings& settings, System& system,
                              double t, double h)
{
    const WithoutDrives loads(system.loads);
    Parts& p = *parts_;
    place_joints(model_, system.joint_coordinates, system.placed);
    system.gather(t);
    p.bends.clear();
    const bool depends = loads_depend_ || system.input.user_force || system.press;
    if (!depends && !drives_weigh_)
        return nullptr;
    auto& bodies = system.placed.bodies;
    p.replies.clear();
    if (!model_.joints().empty()) {
        contacts_.clear();
        stops_.clear();
        p.stops.clear();
        if (const char* failure = answer(state, settings, system, t, h))
            return failure;
        p.replies.assign(bodies.size(), {zero3<double>(), zero3<double>()});
        add_multipliers(rows_, span_of(p.r), p.replies);
    }
    if (drives_weigh_)
        foresee_bends(system, h);
    if (depends) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            push(bodies[i], system.loads.total[i], 0.5 * h);
        for (std::size_t i = 0; i < p.replies.size(); ++i)
            push(bodies[i], p.replies[i], 0.5);
        place_joints(model_, system.joint_coordinates, system.placed);
        system.gather(t);
    }
    bodies = system.before;
    place_joints(model_, system.joint_coordinates, system.placed);
    return nullptr;
}

/// How fast coordinates with a drive's inertia go where a part begins.
void Impulsive::begin_part(System& system)
{
    if (drives_weigh_)
        measure_coordinates(model_, system, parts_->speeds);
}

// The first half of the flight bends a row off its course, from u₀ to u⁻ = u₀ + ½ h J̇ V⁻, and the
// second half bends it by ½ h J̇ V⁺ more. A joint has u₀ = 0, and what it holds comes back to it
// with u⁺ = −u⁻: the step is then its own mirror image, and joints do no work, r (u⁻ + u⁺)/2 = 0. A
// drive's inertia A feels what a coordinate gains from end to end: with the bend b of the second
// half r = −A (u⁺ + b − u₀). That is flown on trial; where it was not, b is that of the first half.
void Impulsive::foresee_bends(System& system, double h)
{
    Parts& p = *parts_;
    auto& bodies = system.placed.bodies;
    p.flown.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        push(bodies[i], system.loads.total[i], h);
        push(bodies[i], p.replies[i], 1);
        p.flown[i] = {bodies[i].x, quat_of(bodies[i].R), bodies[i].p, bodies[i].L};
    }
    std::vector<std::array<double, 3>>& after = p.after_kick;
    measure_coordinates(model_, system, after);
    fly(p.flown, bodies, 0.5 * h);
    measure_coordinates(model_, system, p.bends);
    for (std::size_t j = 0; j < after.size(); ++j)
        for (std::size_t k = 0; k < after[j].size(); ++k)
            p.bends[j][k] -= after[j][k];
    bodies = system.before;
}

void Impulsive::aim()
{
    Parts& p = *parts_;
    p.aim.setZero(rows_.count());
    for (const Block& block : rows_.blocks)
        for (int r = block.first_row; r < block.first_row + block.rows; ++r)
            if (holds(block.origin)) {
                p.aim(r) = -p.before(r);
            } else if (block.origin == Block::Origin::armature) {
                const auto j = static_cast<std::size_t>(block.index);
                const auto k = static_cast<std::size_t>(block.coordinate);
                p.aim(r) = p.bends.empty() ? 2 * p.speeds[j][k] - p.before(r)
                                           : p.speeds[j][k] - p.bends[j][k];
            }
}

} // namespace poinsot
