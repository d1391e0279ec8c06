// SPDX-License-Identifier: MIT
#include "poinsot/forces/thrust.hpp"

#include "poinsot/base/flatten.hpp"
#include "poinsot/forces/gravity.hpp"
#include "poinsot/forces/planet.hpp"

namespace poinsot {

namespace {

/// A place where mass leaves a body: the rate is negative where it comes in. World axes.
struct Opening {
    double mu;
    Vec3<double> rho;   // from the centre of mass
    Vec3<double> v_e;   // of what leaves
    Vec3<double> spins; // G_e ω
};

Opening opening_of(const Flow& flow, double mu, const PlacedBody& body)
{
    const Vec3<double> rho = body.lever(flow.point);
    if (flow.kind == Flow::Kind::inlet)
        return {-mu, rho, flow.velocity, zero3<double>()};
    const Vec3<double> n = body.R * flow.direction;
    if (flow.radius == 0)
        return {mu, rho, body.v + cross(body.omega, rho) + flow.exhaust_speed * n, zero3<double>()};
    const double spread = 0.25 * flow.radius * flow.radius;
    return {mu, rho, body.v + cross(body.omega, rho) + flow.exhaust_speed * n,
            spread * (body.omega + dot(n, body.omega) * n)};
}

/// Calls f with each opening of a vessel that is open.
template <class F>
void each_opening(const Model& model, const Vessel& vessel, const Placed& placed, const F& f)
{
    const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
    for (const int i : vessel.flows) {
        const Flow& flow = model.flows()[static_cast<std::size_t>(i)];
        const Flowing& now = placed.weighed.flowing;
        if (!now.on[static_cast<std::size_t>(i)] || flow.kind == Flow::Kind::pump)
            continue;
        const double share = now.shares.empty() ? 1 : now.shares[static_cast<std::size_t>(i)].now;
        f(opening_of(flow, share * flow.mass_flow, body));
    }
}

bool any_on(const Vessel& vessel, const Placed& placed)
{
    for (const int i : vessel.flows)
        if (placed.weighed.flowing.on[static_cast<std::size_t>(i)])
            return true;
    return false;
}

Wrench<double> carried_off(const PlacedBody& body, const MassRate& rate)
{
    const BodyMass& mass = body.mass;
    const Vec3<double> flows = body.R * (mass.m * mass.center_rate + mass.flow_p);
    const Vec3<double> omega_b = transpose_times(body.R, body.omega);
    return {rate.m * body.v + cross(body.omega, flows) + body.R * rate.flow_p,
            body.R * (rate.I * omega_b + rate.flow_L) + cross(body.omega, body.R * mass.flow_L)};
}

/// ∂U/∂m of a body in the field of gravity, and the force on it per mass.
struct Field {
    double potential;
    Vec3<double> g;
};
Field field_at(const Model& model, const Placed& placed, std::size_t i)
{
    const Gravity& gravity = model.gravity();
    const PlacedBody& body = placed.bodies[i];
    Field sum{-dot(gravity.uniform, body.x), gravity.uniform};
    if (model.planet().mu > 0) {
        sum.potential += gravitational_potential(model.planet(), body.x);
        sum.g += gravitation(model.planet(), body.x);
    }
    if (gravity.G != 0)
        for (std::size_t j = 0; j < placed.bodies.size(); ++j) {
            if (j == i)
                continue;
            const PlacedBody& other = placed.bodies[j];
            const Vec3<double> d = other.x - body.x;
            sum.potential += attraction_energy(gravity.G, 1.0, other.mass.m, d);
            sum.g += attraction(gravity.G, 1.0, other.mass.m, d);
        }
    return sum;
}

MassChange change_of(const Model& model, const Vessel& vessel, const MassRate& rate,
                     const Placed& placed)
{
    const auto i = static_cast<std::size_t>(vessel.body);
    const PlacedBody& body = placed.bodies[i];
    const BodyMass& mass = body.mass;
    const Vec3<double> drift = body.R * mass.center_rate, x_dot = body.v + drift;
    const Vec3<double> omega_b = transpose_times(body.R, body.omega);
    const Wrench<double> carried = carried_off(body, rate);
    const Field field = field_at(model, placed, i);
    MassChange made{vessel.body, rate.m, zero3<double>(), 0, 0};
    each_opening(model, vessel, placed,
                 [&](const Opening& o) { made.K += o.mu * cross(x_dot, o.rho); });
    made.power = 0.5 * rate.m * dot(body.v, body.v) +
                 mass.m * dot(body.v, cross(body.omega, drift)) +
                 0.5 * dot(omega_b, rate.I * omega_b) - power(carried, body.twist());
    made.gravity = rate.m * field.potential - mass.m * dot(field.g, drift);
    return made;
}

} // namespace

POINSOT_FLATTEN void add_thrust(const Model& model, const Placed& placed, Loads& out)
{
    for (std::size_t k = 0; k < model.vessels().size(); ++k) {
        const Vessel& vessel = model.vessels()[k];
        if (!any_on(vessel, placed))
            continue;
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
        const Vec3<double> x_dot = body.center_velocity();
        Wrench<double> leaves{zero3<double>(), zero3<double>()}; // (−Σ μ (v_e − v), …)
        each_opening(model, vessel, placed, [&](const Opening& o) {
            leaves.F -= o.mu * (o.v_e - body.v);
            leaves.tau -= o.mu * (cross(o.rho, o.v_e - x_dot) + o.spins);
        });
        const MassRate& rate = placed.weighed.rates[k];
        const Wrench<double> carried = carried_off(body, rate);
        const Vec3<double> of_mass = rate.m * body.v; // is in v_e − v already
        out.add(vessel.body, Cause::thrust,
                {leaves.F - (carried.F - of_mass), leaves.tau - carried.tau});
        out.carried.push_back({vessel.body, Cause::thrust, carried});
    }
    if (out.booked)
        add_mass_changes(model, placed, out);
}

void add_mass_changes(const Model& model, const Placed& placed, Loads& out)
{
    for (std::size_t k = 0; k < model.vessels().size(); ++k)
        if (any_on(model.vessels()[k], placed))
            out.changes.push_back(
                change_of(model, model.vessels()[k], placed.weighed.rates[k], placed));
}

} // namespace poinsot
