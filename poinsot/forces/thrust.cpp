// SPDX-License-Identifier: MIT
#include "poinsot/forces/thrust.hpp"

#include "poinsot/base/flatten.hpp"
#include "poinsot/forces/gravity.hpp"
#include "poinsot/forces/planet.hpp"

namespace poinsot {

namespace {

// All of it in body axes, where most of it is at rest: what acts is turned into the world once.

/// A place where mass leaves a body: the rate is negative where it comes in. Body axes.
struct Opening {
    double mu;
    Vec3<double> rho;   // from the centre of mass
    Vec3<double> u;     // of what leaves, against the shell at the centre of mass: v_e − v
    Vec3<double> spins; // G_e ω
};

/// `speed` is the part that what leaves or comes in has of its speed.
Opening opening_of(const Flow& flow, double mu, double speed, const PlacedBody& body,
                   const Vec3<double>& omega)
{
    const Vec3<double> rho = flow.point - body.mass.center;
    if (flow.kind == Flow::Kind::inlet)
        return {-mu, rho, transpose_times(body.R, speed * flow.velocity - body.v), zero3<double>()};
    const Vec3<double>& n = flow.direction;
    const Vec3<double> u = cross(omega, rho) + (speed * flow.exhaust_speed) * n;
    if (flow.radius == 0)
        return {mu, rho, u, zero3<double>()};
    const double spread = 0.25 * flow.radius * flow.radius;
    return {mu, rho, u, spread * (omega + dot(n, omega) * n)};
}

/// Calls f with each opening of a vessel that is open. Without controls what leaves has the whole
/// of its speed, of which not all ask.
template <class F>
void each_opening(const Model& model, const Vessel& vessel, const Placed& placed,
                  const ControlsNow* controls, const Vec3<double>& omega, const F& f)
{
    const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
    const Flowing& now = placed.weighed.flowing;
    for (const int i : vessel.flows) {
        const Flow& flow = model.flows()[static_cast<std::size_t>(i)];
        if (!now.on[static_cast<std::size_t>(i)] || flow.kind == Flow::Kind::pump)
            continue;
        const double share = now.shares.empty() ? 1 : now.shares[static_cast<std::size_t>(i)].now;
        const double speed =
            controls && flow.speed_control >= 0 ? (*controls)[flow.speed_control] : 1;
        f(opening_of(flow, share * flow.mass_flow, speed, body, omega));
    }
}

bool any_on(const Vessel& vessel, const Placed& placed)
{
    for (const int i : vessel.flows)
        if (placed.weighed.flowing.on[static_cast<std::size_t>(i)])
            return true;
    return false;
}

/// What is carried off, but for ṁ v. Body axes.
Wrench<double> carried_off(const BodyMass& mass, const MassRate& rate, const Vec3<double>& omega)
{
    return {cross(omega, mass.m * mass.center_rate + mass.flow_p) + rate.flow_p,
            rate.I * omega + rate.flow_L + cross(omega, mass.flow_L)};
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
    const Wrench<double> carried = carried_off(mass, rate, omega_b);
    const Field field = field_at(model, placed, i);
    MassChange made{vessel.body, rate.m, zero3<double>(), 0, 0};
    each_opening(model, vessel, placed, nullptr, omega_b,
                 [&](const Opening& o) { made.K += o.mu * cross(x_dot, body.R * o.rho); });
    made.power = -0.5 * rate.m * dot(body.v, body.v) +
                 mass.m * dot(body.v, cross(body.omega, drift)) +
                 0.5 * dot(omega_b, rate.I * omega_b) - dot(body.R * carried.F, body.v) -
                 dot(carried.tau, omega_b);
    made.gravity = rate.m * field.potential - mass.m * dot(field.g, drift);
    return made;
}

} // namespace

POINSOT_FLATTEN void add_thrust(const Model& model, const Placed& placed,
                                const ControlsNow& controls, Loads& out)
{
    for (std::size_t k = 0; k < model.vessels().size(); ++k) {
        const Vessel& vessel = model.vessels()[k];
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
        if (!any_on(vessel, placed))
            continue;
        const MassRate& rate = placed.weighed.rates[k];
        const Vec3<double> omega = transpose_times(body.R, body.omega);
        const Wrench<double> carried = carried_off(body.mass, rate, omega);
        Wrench<double> feels = -carried; // and −Σ μ (v_e − v), …
        each_opening(model, vessel, placed, &controls, omega, [&](const Opening& o) {
            feels.F -= o.mu * o.u;
            feels.tau -= o.mu * (cross(o.rho, o.u - body.mass.center_rate) + o.spins);
        });
        out.add(vessel.body, Cause::thrust, {body.R * feels.F, body.R * feels.tau});
        out.carried.push_back({vessel.body,
                               Cause::thrust,
                               {rate.m * body.v + body.R * carried.F, body.R * carried.tau}});
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
