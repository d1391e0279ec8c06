// SPDX-License-Identifier: MIT
#include "poinsot/forces/thrust.hpp"

#include "poinsot/base/flatten.hpp"
#include "poinsot/forces/gravity.hpp"
#include "poinsot/forces/planet.hpp"
#include "poinsot/math/triple.hpp"

namespace poinsot {

namespace {

// All of it in body axes, where most of it is at rest: what acts is turned into the world once.

/// Calls f with each opening of a vessel that is open: the rate at which mass leaves there, which
/// is negative where it comes in, the flow, and the lever from the centre of mass.
template <class F>
void each_opening(const Model& model, const Vessel& vessel, const Placed& placed, const F& f)
{
    const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
    const Flowing& now = placed.weighed.flowing;
    for (const int i : vessel.flows) {
        const Flow& flow = model.flows()[static_cast<std::size_t>(i)];
        if (!now.on[static_cast<std::size_t>(i)] || flow.kind == Flow::Kind::pump)
            continue;
        const double share = now.shares.empty() ? 1 : now.shares[static_cast<std::size_t>(i)].now;
        const double mu = share * flow.mass_flow;
        f(flow.leaves() ? mu : -mu, flow, flow.point - body.mass.center);
    }
}

/// What is steered has a velocity against its opening beside what `weigh` knows of. Few are, and
/// whoever is not should not make room for it.
[[gnu::noinline]] void add_steered(const Model& model, const Vessel& vessel, const Placed& placed,
                                   const ControlsNow& controls, Loads& out)
{
    const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
    const Vec3<double> omega = transpose_times(body.R, body.omega);
    Wrench<double> sum{zero3<double>(), zero3<double>()};
    each_opening(model, vessel, placed, [&](double mu, const Flow& flow, const Vec3<double>& rho) {
        if (!flow.steered())
            return;
        const double speed = flow.speed_control >= 0 ? controls[flow.speed_control] : 1;
        const Vec3<double> u =
            flow.leaves()
                ? (speed * flow.exhaust_speed) * flow.direction
                : transpose_times(body.R, speed * flow.velocity - body.v) - cross(omega, rho);
        sum = sum - force_at(rho, mu * u);
    });
    out.add(vessel.body, Cause::thrust, {body.R * sum.F, body.R * sum.tau});
}

/// What is carried off, but for ṁ v. Body axes.
struct Carried {
    Triple<double> F, tau;
};
Carried carried_off(const MassRate& rate, const Triple<double>& omega)
{
    return {cross_add(omega, rate.drifts(), rate.flow_p),
            rate.I * omega + cross_add(omega, rate.L, rate.flow_L)};
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
    const Carried carried = carried_off(rate, triple_of(omega_b));
    const Field field = field_at(model, placed, i);
    MassChange made{vessel.body, rate.m, zero3<double>(), 0, 0};
    each_opening(model, vessel, placed, [&](double mu, const Flow&, const Vec3<double>& rho) {
        made.K += mu * cross(x_dot, body.R * rho);
    });
    made.power = -0.5 * rate.m * dot(body.v, body.v) +
                 mass.m * dot(body.v, cross(body.omega, drift)) +
                 0.5 * dot(omega_b, sym3_of(rate.I) * omega_b) -
                 dot(body.R * vec_of(carried.F), body.v) - dot(vec_of(carried.tau), omega_b);
    made.gravity = rate.m * field.potential - mass.m * dot(field.g, drift);
    return made;
}

} // namespace

POINSOT_FLATTEN void add_thrust(const Model& model, const Placed& placed,
                                const ControlsNow& controls, Loads& out)
{
    const std::span<const Vessel> vessels = model.vessels();
    for (std::size_t k = 0; k < vessels.size(); ++k) {
        const Vessel& vessel = vessels[k];
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
        if (!body.mass.flows)
            continue;
        const MassRate& rate = placed.weighed.rates[k];
        const Mat3<double>& R = body.R; // single vectors are turned quicker by single products
        const Triple<double> omega = triple_of(transpose_times(R, body.omega));
        if (out.carries == Loads::Carried::joined) {
            const Triple<double> F = cross_add(omega, rate.Q, rate.leaves_F);
            const Triple<double> tau = rate.leaves_tau - rate.E * omega;
            out.add(vessel.body, Cause::thrust, {rate.m * body.v + R * vec_of(F), R * vec_of(tau)});
        } else {
            const Triple<double> F = cross_add(rate.coriolis, omega, rate.push_F());
            const Triple<double> tau =
                cross_add(rate.L, omega, rate.push_tau() - rate.damping() * omega);
            out.add(vessel.body, Cause::thrust, {R * vec_of(F), R * vec_of(tau)});
            if (out.carries == Loads::Carried::apart) {
                const Carried carried = carried_off(rate, omega);
                out.add_carried(vessel.body, Cause::thrust,
                                {rate.m * body.v + R * vec_of(carried.F), R * vec_of(carried.tau)});
            }
        }
        if (vessel.steered)
            add_steered(model, vessel, placed, controls, out);
    }
    if (out.booked)
        add_mass_changes(model, placed, out);
}

Wrench<double> felt(const MassRate& rate, const Vec3<double>& omega)
{
    const Triple<double> w = triple_of(omega);
    return {vec_of(cross_add(rate.coriolis, w, rate.push_F())),
            vec_of(cross_add(rate.L, w, rate.push_tau() - rate.damping() * w))};
}

[[gnu::noinline]] void add_mass_changes(const Model& model, const Placed& placed, Loads& out)
{
    for (std::size_t k = 0; k < model.vessels().size(); ++k)
        if (placed.bodies[static_cast<std::size_t>(model.vessels()[k].body)].mass.flows)
            out.changes.push_back(
                change_of(model, model.vessels()[k], placed.weighed.rates[k], placed));
}

} // namespace poinsot
