// SPDX-License-Identifier: MIT
#include "poinsot/integrate/splitting.hpp"

#include "poinsot/forces/thrust.hpp"
#include "poinsot/integrate/kick.hpp"

#include <cmath>
#include <utility>

namespace poinsot {

namespace {

/// What acts in a kick for a time h, at a frozen configuration; joints as their accelerations ask.
void gather_kick(System& system, double t, double h)
{
    auto& bodies = system.placed.bodies;
    const auto& before = system.before;
    system.evaluate_placed(t);
    if (!system.velocity_dependent())
        return;
    for (std::size_t i = 0; i < bodies.size(); ++i) // loads at mid-kick
        push(bodies[i], system.loads.total[i], 0.5 * h);
    if (system.model.joints().empty()) {
        system.evaluate_placed(t);
    } else {
        system.place_joints();
        system.gather(t);
        add_reactions(system.bonds.rows, system.bonds.answer.lambda, system.loads);
        system.loads.carry();
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) { // the push is taken back
        bodies[i].v = before[i].v;
        bodies[i].omega = before[i].omega;
        bodies[i].p = before[i].p;
        bodies[i].L = before[i].L;
    }
}

/// Adds the reactions of λ to what acts in a kick, without their parts.
void add_to_totals(const Rows& rows, std::span<const double> lambda, Loads& loads)
{
    for (const Block& block : rows.blocks)
        for (int i = 0; i < block.bodies; ++i) {
            Wrench<double>& sum =
                loads.total[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])];
            sum = sum + reaction_on(rows, block, lambda, i);
        }
}
/// The parts of such reactions.
void add_parts(const Rows& rows, std::span<const double> lambda, Loads& loads)
{
    for (const Block& block : rows.blocks)
        for (int i = 0; i < block.bodies; ++i)
            loads.parts.push_back({block.body[static_cast<std::size_t>(i)], block.cause,
                                   reaction_on(rows, block, lambda, i)});
}

/// Where a body's flight ends that begins with the motion of `at`.
template <class Form>
PlacedBody flown_ahead(System& system, std::size_t i, const Form& y, const PlacedBody& at, double h)
{
    if (!at.mass.varies || !system.anything_flows())
        return placed(flown(y, at, h), at.mass);
    PlacedBody halfway = at;
    const BodyMass& mass = system.halfway.weighed.masses[i];
    if (!mass.flows) { // nor does it vary in this step
        halfway.mass = mass;
        return placed(flown(y, halfway, h), mass);
    }
    return placed(flown_varying(y, at.p, at.L, mass, h, halfway), system.weighed_at_end.masses[i]);
}

/// What bodies with tanks weigh halfway through the flight, and at its end.
void weigh_ahead(System& system, double t, double h)
{
    if (system.model.vessels().empty())
        return;
    if (!system.anything_flows()) // all that is asked of what `placed` weighs is how it turns
        return find_principal(system.model, system.placed.weighed);
    system.weigh(t + 0.5 * h, system.halfway.weighed);
    find_principal(system.model, system.halfway.weighed);
    system.weigh(t + h, system.weighed_at_end);
}

/// Flies the bodies for a time h, and posts what mass that varies does meanwhile.
template <class Form>
void fly_all(System& system, std::vector<Form>& bodies, double h, Postings& postings)
{
    auto& at = system.placed.bodies;
    if (!system.anything_flows())
        return fly(bodies, at, h);
    Placed& halfway = system.halfway;
    halfway.bodies = at;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3<double> p = at[i].p, L = at[i].L;
        if (at[i].mass.varies)
            copy_mass(halfway.weighed.masses[i], at[i].mass); // with principal axes
        if (at[i].mass.flows) {
            bodies[i] =
                flown_varying(bodies[i], p, L, halfway.weighed.masses[i], h, halfway.bodies[i]);
            copy_mass(system.weighed_at_end.masses[i], at[i].mass);
        } else {
            bodies[i] = flown(bodies[i], at[i], h);
            halfway.bodies[i].x = 0.5 * (at[i].x + bodies[i].x);
        }
        at[i].x = bodies[i].x;
        at[i].R = matrix_of(bodies[i].attitude);
        set_motion(at[i], p, L);
    }
    std::swap(system.placed.weighed, system.weighed_at_end);
    if (postings.off())
        return;
    system.loads.changes.clear();
    add_mass_changes(system.model, halfway, system.loads);
    postings.post_changes(system.loads, h);
}

/// The kick of the joints that lets the flight end where they hold. Returns why there is none.
template <class Form>
const char* aim(System& system, const std::vector<Form>& bodies, double t, double h)
{
    Bonds& bonds = system.bonds;
    Placed& ahead = system.ahead;
    const std::size_t n = bodies.size();
    ahead.bodies.resize(n);
    system.lambda.assign(bonds.rows.rows.size(), 0.0);
    double last = INFINITY;
    for (int repeated = 0;; ++repeated) {
        for (std::size_t i = 0; i < n; ++i) {
            PlacedBody at = system.before[i];
            push(at, system.loads.total[i], 0.5 * h);
            ahead.bodies[i] = flown_ahead(system, i, bodies[i], at, h);
        }
        place_joints_in_stage(system.model, system.joint_coordinates, ahead);
        bind_joints(system.model, ahead, t + h, system.rows_ahead);
        const double error = place_error(system.rows_ahead);
        const bool stalled = error < 1e-9 && !(error < 0.5 * last);
        if (!(error > place_rounding) || stalled)
            break;
        if (!(error < run_away))
            return beyond_numbers;
        if (!(error < 2 * last) || repeated == 50)
            return "the joints cannot all be met at the end of the step: take a smaller step; or a "
                   "mechanism is stretched too far, or prescribed motions contradict each other";
        last = error;
        place_lacks(system.rows_ahead, bonds.b);
        for (double& b : bonds.b)
            b *= 2 / (h * h);
        bonds.reply_again(system.placed);
        add_to_totals(bonds.rows, bonds.answer.lambda, system.loads);
        for (std::size_t r = 0; r < system.lambda.size(); ++r)
            system.lambda[r] += bonds.answer.lambda[r];
    }
    add_parts(bonds.rows, system.lambda, system.loads);
    return nullptr;
}

/// The kick of the joints that makes the motion after it one that they allow.
void settle(System& system, double h)
{
    Bonds& bonds = system.bonds;
    auto& at = system.placed.bodies;
    for (std::size_t i = 0; i < at.size(); ++i)
        push(at[i], system.loads.total[i], h);
    measure_speeds(system.placed, bonds.rows);
    at = system.before;
    speed_lacks(bonds.rows, bonds.b);
    for (double& b : bonds.b)
        b /= h;
    bonds.reply_again(system.placed);
    add_to_totals(bonds.rows, bonds.answer.lambda, system.loads);
    add_parts(bonds.rows, bonds.answer.lambda, system.loads);
}

} // namespace

template <class Form>
StepReport splitting(System& system, std::vector<Form>& bodies, double t, double h,
                     Postings& postings)
{
    const bool joined = !system.model.joints().empty();
    auto& at = system.placed.bodies;
    system.weigh(t);
    weigh_ahead(system, t, h);
    place(system.model, std::span<const Form>(bodies), system.placed);
    system.before = at;
    gather_kick(system, t, 0.5 * h);
    if (joined)
        if (const char* failure = aim(system, bodies, t, h))
            return {2, failure};
    kick(system, 0.5 * h, postings);
    fly_all(system, bodies, h, postings);
    system.before = at;
    gather_kick(system, t + h, 0.5 * h);
    if (joined)
        settle(system, 0.5 * h);
    kick(system, 0.5 * h, postings);
    keep_motion(at, bodies);
    return {2, nullptr};
}

template StepReport splitting(System&, std::vector<MomentumForm<double>>&, double, double,
                              Postings&);
template StepReport splitting(System&, std::vector<VelocityForm<double>>&, double, double,
                              Postings&);
template StepReport splitting(System&, std::vector<MatrixForm<double>>&, double, double, Postings&);

} // namespace poinsot
