// SPDX-License-Identifier: MIT
// What depends on velocity in a kick, in maximal coordinates.
//
// Loads for a time h are those of mid-kick, and velocities there have half of the replies of joints
// and drives in them. A first answer to loads as V⁻ makes them says what they are:
//
//     V_½ = V⁻ + ½ (h M⁻¹ F(V⁻) + M⁻¹ Jᵀ r)        off by h², so h F(V_½) is off by h³
//
// What touches, or is at a limit, has r = 0 there: it strikes at a moment that is not known, and a
// second search for its reactions would cost as much as the first. It is asked island by island, so
// that one machine does not feel that another touches something.
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

/// What acts for a time h; where joints may bind, as V⁻ makes it.
void Impulsive::gather(System& system, double t, double h)
{
    const WithoutDrives loads(system.loads);
    place_joints(model_, system.joint_coordinates, system.placed);
    system.gather(t);
    parts_->replies.clear();
    if (model_.joints().empty() && depends(system))
        gather_at_middle(system, t, h);
}

void Impulsive::gather_at_middle(System& system, double t, double h)
{
    const WithoutDrives loads(system.loads);
    auto& bodies = system.placed.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        push(bodies[i], system.loads.total[i], 0.5 * h);
    for (std::size_t i = 0; i < parts_->replies.size(); ++i)
        push(bodies[i], parts_->replies[i], 0.5);
    place_joints(model_, system.joint_coordinates, system.placed);
    system.gather(t);
    bodies = system.before;
    place_joints(model_, system.joint_coordinates, system.placed);
}

bool Impulsive::depends(const System& system) const
{
    return loads_depend_ || system.input.user_force || system.press;
}

/// What depends on velocity where joints bind. Returns why it is not known.
const char* Impulsive::foresee(const StepSettings& settings, System& system, double t, double h)
{
    Parts& p = *parts_;
    p.bends.clear();
    if (model_.joints().empty() || (!depends(system) && !drives_weigh_))
        return nullptr;
    p.points_then = points_; // what is looked at ahead goes by the loads
    p.stops_then = p.stops;
    foresees_ = true;
    const char* const failure = answer(settings, system, h);
    foresees_ = false;
    points_ = p.points_then;
    p.stops = p.stops_then;
    if (failure)
        return failure;
    p.replies.assign(system.placed.bodies.size(), {zero3<double>(), zero3<double>()});
    add_multipliers(rows_, span_of(p.r), p.replies);
    if (drives_weigh_)
        foresee_bends(system, h);
    if (depends(system))
        gather_at_middle(system, t, h);
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
// half r = −A (u⁺ + b − u₀). That is flown on trial; what touches takes that of the first half.
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
    place_joints(model_, system.joint_coordinates, system.placed);
}

void Impulsive::aim()
{
    Parts& p = *parts_;
    p.aim.setZero(rows_.count());
    for (std::size_t n = 0; n < p.used; ++n) {
        const Island& island = p.islands[n];
        const bool mirrored = p.bends.empty() || island.touches();
        for (const Block& block : island.rows.blocks)
            for (int i = block.first_row; i < block.first_row + block.rows; ++i) {
                const int r = island.row[static_cast<std::size_t>(i)];
                if (holds(block.origin)) {
                    p.aim(r) = -p.before(r);
                } else if (block.origin == Block::Origin::armature) {
                    const auto j = static_cast<std::size_t>(block.index);
                    const auto k = static_cast<std::size_t>(block.coordinate);
                    const double u = p.speeds[j][k];
                    p.aim(r) = mirrored ? 2 * u - p.before(r) : u - p.bends[j][k];
                }
            }
    }
}

} // namespace poinsot
