// SPDX-License-Identifier: MIT
#include "poinsot/step/declared.hpp"

#include "poinsot/forces/gather.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/model/throttle.hpp"
#include "poinsot/step/edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poinsot {

namespace {

// A moment this close to another, as a part of a step, is the same one: times are rounded at 1e-16
// of the time, and a run has up to a million steps.
constexpr double same_moment = 1e-9;
constexpr int most_changes = 1000;

/// Has an input set a flow to another part of itself? Schedules do not jump, and what they differ
/// by from part to part of a step is the rounding of its moments.
bool jumps(const std::vector<FlowShare>& from, const std::vector<FlowShare>& to)
{
    for (std::size_t i = 0; i < to.size(); ++i)
        if (std::abs(from[i].now - to[i].now) > same_moment * (from[i].now + to[i].now))
            return true;
    return false;
}

/// When the next flow after t begins or ends.
double next_edge(const std::vector<Flow>& flows, double t)
{
    double next = std::numeric_limits<double>::infinity();
    for (const Flow& flow : flows)
        for (const double edge : {flow.from, flow.until})
            next = edge > t ? std::min(next, edge) : next;
    return next;
}

/// Is every flow on whose time it is at t, and no other, with speeds that stay?
bool only_time_tells(const std::vector<Flow>& flows, const Flowing& flowing, double t)
{
    for (std::size_t f = 0; f < flows.size(); ++f)
        if (flows[f].speed_control >= 0 ||
            flowing.on[f] != (flows[f].from <= t && t < flows[f].until))
            return false;
    return flowing.shares.empty();
}

} // namespace

/// Is it plain that the flows of the step before go on through one from t over h? Most of the time
/// it is: no time of theirs is near, and no tank comes near its end. Whatever else may be is asked
/// with care.
bool Declared::flows_go_on(const State& y, double t, double h, double slack) const
{
    if (!(t + slack >= calm_from_ && t + h + slack < calm_until_) ||
        !same_list<char>(y.flowing, flowing_.on))
        return false;
    const Tank* tank = model_.tanks().data();
    for (std::size_t i = 0; i < y.tanks.size(); ++i, ++tank) {
        const double later = y.tanks[i] + 2 * h * flowing_.rates[i]; // twice as far as needed
        if (!(later > 0 && later < tank->capacity))
            return false;
        asm volatile(""); // keeps the loop from being packed
    }
    return true;
}
Declared::Declared(const Model& model, Postings::Detail detail)
    : model_(model), let_go_at_(model.releases().size(), 0), kept_(detail)
{
}

StepReport Declared::pass(State& y, const StepSettings& settings, double t, double h, Workspace& w)
{
    keeps_ = false;
    w.system.active_at = t + 0.5 * h;
    return !edge_within(model_, t, h) && flows_go_on(y, t, h, same_moment * settings.h)
               ? flow_steadily(y, settings, t, h, w)
               : pass_changes(y, settings, t, h, w);
}

StepReport Declared::pass_changes(State& y, const StepSettings& settings, double t, double h,
                                  Workspace& w)
{
    const double slack = same_moment * settings.h;
    StepReport all{0, nullptr};
    double done = 0;
    for (int changes = 0; done < h;) {
        if (changes == most_changes) {
            all.failure = "flows begin and end a thousand times in one step: take a smaller step";
            break;
        }
        const double from = t + done, rest = h - done, to_edge = until_edge(model_, from, rest);
        shares_at(model_.flows(), model_.controls(), &w.system.input, from, from + slack,
                  flowing_.shares);
        open_valves(model_.tanks(), model_.flows(), y.tanks, from, slack, flowing_);
        if (const auto dry =
                runs_dry(model_.tanks(), model_.flows(), y.tanks, from, slack, flowing_);
            !dry.empty()) {
            failure_ = text_of(
                "tank '", model_.tanks()[dry[0].tank].name, "' runs dry at t = ", from,
                " s while it is being filled more slowly than '", model_.flows()[dry[0].flow].name,
                "' draws on it, which would begin and end without end: let it draw "
                "less, or nothing");
            all.failure = failure_.c_str();
            break;
        }
        calm_from_ = from + slack;
        calm_until_ = y.released.empty() && only_time_tells(model_.flows(), flowing_, calm_from_)
                          ? next_edge(model_.flows(), calm_from_)
                          : calm_from_; // never
        const double change = std::min(
            {let_go(y, from, slack),
             time_to_change(model_.tanks(), model_.flows(), flowing_, y.tanks, from, slack),
             time_to_bend(model_.flows(), model_.controls(), from, slack)});
        const bool changes_first = change < to_edge - slack;
        const double length = changes_first ? change : to_edge;
        const bool last = !changes_first && to_edge == rest;
        changes += changes_first;
        w.system.active_at = from + 0.5 * length;
        if (done > 0)
            y.substep = 0; // what acted before says nothing
        if (y.flowing != flowing_.on || jumps(y.shares, flowing_.shares))
            turn(y, settings, from, w);
        const StepReport one = flow_steadily(y, settings, from, length, w);
        all.evaluations += one.evaluations;
        all.failure = one.failure;
        all.interrupted = one.interrupted;
        if (all.failure)
            break;
        if (!last || keeps_)
            kept().merge(w.postings);
        // A tank that is empty or full here is so exactly.
        for (std::size_t i = 0; i < y.tanks.size(); ++i) {
            const double first = flowing_.rates[i],
                         last_rate = first + flowing_.changes[i] * length;
            const double within = std::max(std::abs(first), std::abs(last_rate)) * slack;
            if (std::min(first, last_rate) < 0 && y.tanks[i] <= within)
                y.tanks[i] = 0;
            if (std::max(first, last_rate) > 0 && y.tanks[i] >= model_.tanks()[i].capacity - within)
                y.tanks[i] = model_.tanks()[i].capacity;
        }
        done = last ? h : done + length;
    }
    if (keeps_)
        std::swap(w.postings, kept_);
    return all;
}

Postings& Declared::kept()
{
    if (!keeps_)
        kept_.clear(model_.bodies().size());
    keeps_ = true;
    return kept_;
}

/// What the stores lose when something lets go.
Stores Declared::part(const State& y, std::size_t release)
{
    place(model_, y, before_);
    const Stores held = stores_of(model_, before_);
    std::vector<char> released = y.released;
    released[release] = 1;
    mark_released(model_, released, before_);
    return stores_of(model_, before_) - held;
}

double Declared::let_go(State& y, double t, double slack)
{
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < y.released.size(); ++i) {
        const Release& release = model_.releases()[i];
        if (y.released[i])
            continue;
        const bool empty =
            release.when_empty >= 0 && !(y.tanks[static_cast<std::size_t>(release.when_empty)] > 0);
        if (empty || release.at <= t + slack) {
            const auto holds = [&](const Joint& joint) {
                return !joint.laws.empty() || joint.turn;
            };
            if (release.bushing >= 0 ||
                holds(model_.joints()[static_cast<std::size_t>(release.joint)]))
                kept().shift_stores(part(y, i));
            poinsot::let_go(model_, i, y);
            let_go_at_[i] = t;
        } else
            next = std::min(next, release.at - t);
    }
    return next;
}

void Declared::turn(State& y, const StepSettings& settings, double t, Workspace& w)
{
    Placed& placed = w.system.placed;
    place(model_, y, before_);
    y.flowing = flowing_.on;
    y.shares = flowing_.shares;
    w.system.start_tanks(y.tanks, y.flowing, t);
    w.system.weigh(t);
    w.system.start_joints(y.released);
    w.system.joint_coordinates = y.joint_coordinates;
    w.system.standing = y.standing;
    if (settings.formulation == Formulation::reduced)
        turn_linkage(y, t, w);
    else
        std::visit([&](auto& bodies) { turn_bodies(bodies, y, t, w); }, y.bodies);
    if (!kept_.off())
        post(placed.bodies);
}

template <class Form>
void Declared::turn_bodies(std::vector<Form>& bodies, const State& y, double t, Workspace& w)
{
    System& system = w.system;
    Placed& placed = system.placed;
    if constexpr (std::same_as<Form, VelocityForm<double>>)
        for (const Vessel& vessel : model_.vessels()) { // the momenta stay
            const auto i = static_cast<std::size_t>(vessel.body);
            PlacedBody body = before_.bodies[i];
            body.mass = placed.weighed.masses[i];
            set_motion(body, body.p, body.L);
            bodies[i].v = body.v;
            bodies[i].omega = angular_velocity_of(body.R, body.mass, body.L);
        }
    place(model_, std::span<const Form>(bodies), placed);
    if (model_.joints().empty())
        return;
    place_joints(model_, y.joint_coordinates, placed);
    bind_joints(model_, placed, t, system.bonds.rows, y.standing);
    w.projections.assign(bodies.size(), {});
    project_velocities(placed, system.bonds, w.projections);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        push(bodies[i], w.projections[i].impulse, placed.bodies[i].mass);
    place(model_, std::span<const Form>(bodies), placed);
}

void Declared::turn_linkage(State& y, double t, Workspace& w)
{
    JointSystem& joints = *w.joints;
    Placed& placed = w.system.placed;
    pushes_.assign(model_.bodies().size(), {zero3<double>(), zero3<double>()});
    for (const Vessel& vessel : model_.vessels()) {
        const auto i = static_cast<std::size_t>(vessel.body);
        const PlacedBody& body = before_.bodies[i];
        const BodyMass& mass = placed.weighed.masses[i];
        pushes_[i] = {body.R * (body.mass.flow_p - mass.flow_p),
                      body.R * (body.mass.flow_L - mass.flow_L)};
    }
    joints.take_masses();
    joints.push(y.joints.q, pushes_, t, y.joints.v);
    y.joints.stages.clear(); // momenta that it has no more, of methods that keep them
    joints.place_bodies(y.joints.q, y.joints.v);
    follow_bodies(placed.bodies, y);
}

void Declared::post(const std::vector<PlacedBody>& after)
{
    for (std::size_t i = 0; i < after.size(); ++i) {
        const PlacedBody &from = before_.bodies[i], &to = after[i];
        const Twist<double> mean = 0.5 * (from.twist() + to.twist());
        const int body = static_cast<int>(i);
        if (to.mass.varies) {
            Posting push;
            push.work = dot(to.R * (from.mass.flow_p - to.mass.flow_p), mean.v) +
                        dot(to.R * (from.mass.flow_L - to.mass.flow_L), mean.omega);
            kept().post(body, Cause::thrust, push);
        }
        if (!model_.joints().empty())
            kept().post(body, Cause::joint, {to.p - from.p, to.L - from.L}, to.x, mean);
    }
}

} // namespace poinsot
