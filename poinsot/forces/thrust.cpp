// SPDX-License-Identifier: MIT
#include "poinsot/forces/thrust.hpp"

#include "poinsot/base/flatten.hpp"
#include "poinsot/forces/gravity.hpp"
#include "poinsot/forces/planet.hpp"
#include "poinsot/math/triple.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

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

namespace {

/// The attitude of a body by its rows and columns. A row is loaded with what stands behind it, into
/// the place that is idle: three loads instead of nine.
class Attitude {
  public:
    explicit Attitude(const PlacedBody& body)
        : r0_(row(body, 0)), r1_(row(body, 1)), r2_(row(body, 2))
    {
    }
    /// Rᵀ a
    Triple<double> back(const Vec3<double>& a) const
    {
        return mul_add(same_of(a.x), r0_, mul_add(same_of(a.y), r1_, same_of(a.z) * r2_));
    }
    /// R a and R b
    std::pair<Triple<double>, Triple<double>> turn(const Triple<double>& a,
                                                   const Triple<double>& b) const
    {
        const auto low = __builtin_shufflevector(r0_.v, r1_.v, 0, 4, 2, 6);
        const auto high = __builtin_shufflevector(r0_.v, r1_.v, 1, 5, 3, 7);
        const Triple<double> x{__builtin_shufflevector(low, r2_.v, 0, 1, 4, 5)};
        const Triple<double> y{__builtin_shufflevector(high, r2_.v, 0, 1, 5, 4)};
        const Triple<double> z{__builtin_shufflevector(low, r2_.v, 2, 3, 6, 7)};
        const auto times = [&](const Triple<double>& c) {
            return mul_add(all_x(c), x, mul_add(all_y(c), y, all_z(c) * z));
        };
        return {times(a), times(b)};
    }

  private:
    static Triple<double> row(const PlacedBody& body, std::size_t i)
    {
        static_assert(offsetof(PlacedBody, v) == offsetof(PlacedBody, R) + sizeof(Mat3<double>));
        Triple<double> made;
        std::memcpy(&made.v,
                    reinterpret_cast<const char*>(&body) + offsetof(PlacedBody, R) +
                        i * sizeof(Vec3<double>),
                    sizeof made.v);
        return made;
    }
    Triple<double> r0_, r1_, r2_;
};

/// What is carried off, by itself.
[[gnu::noinline]] void add_carried_off(const PlacedBody& body, int i, const MassRate& rate,
                                       Loads& out)
{
    const Attitude R(body);
    const Carried carried = carried_off(rate, R.back(body.omega));
    const auto [F, tau] = R.turn(carried.F, carried.tau);
    out.add_carried(i, Cause::thrust, {rate.m * body.v + vec_of(F), vec_of(tau)});
}

} // namespace

void add_thrust(const Model& model, const Placed& placed, const ControlsNow& controls, Loads& out)
{
    const MassRate* rate = placed.weighed.rates.data();
    for (const Vessel& vessel : model.vessels()) {
        const MassRate& now = *rate++;
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(vessel.body)];
        if (!body.mass.flows)
            continue;
        const Attitude R(body);
        const Triple<double> omega = R.back(body.omega);
        if (out.carries == Loads::Carried::joined) {
            const auto [F, tau] =
                R.turn(cross_add(omega, now.Q, now.leaves_F), now.leaves_tau - now.E * omega);
            out.add(vessel.body, Cause::thrust, {now.m * body.v + vec_of(F), vec_of(tau)});
        } else {
            const auto [F, tau] =
                R.turn(cross_add(now.coriolis, omega, now.push_F),
                       cross_add(now.L, omega, now.push_tau - now.damping * omega));
            out.add(vessel.body, Cause::thrust, {vec_of(F), vec_of(tau)});
            if (out.carries == Loads::Carried::apart)
                add_carried_off(body, vessel.body, now, out);
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
    return {vec_of(cross_add(rate.coriolis, w, rate.push_F)),
            vec_of(cross_add(rate.L, w, rate.push_tau - rate.damping * w))};
}

[[gnu::noinline]] void add_mass_changes(const Model& model, const Placed& placed, Loads& out)
{
    for (std::size_t k = 0; k < model.vessels().size(); ++k)
        if (placed.bodies[static_cast<std::size_t>(model.vessels()[k].body)].mass.flows)
            out.changes.push_back(
                change_of(model, model.vessels()[k], placed.weighed.rates[k], placed));
}

} // namespace poinsot
