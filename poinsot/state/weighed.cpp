// SPDX-License-Identifier: MIT
#include "poinsot/state/weighed.hpp"

#include "poinsot/base/flatten.hpp"

#include <algorithm>

namespace poinsot {

namespace {

/// A point of the body, from its centre of mass, and how it moves in the body.
struct Station {
    Triple<double> r, rate;
};

/// A vessel on the scales. What is summed up lives in registers meanwhile.
struct Scales {
    Triple<double> center, center_rate, p;
    MassRate made;

    /// What a tank gains, at the lever d of its surface.
    void add_layer(double gains, const TankShape& shape, const Triple<double>& d, double inv_m)
    {
        const Triple<double> rate = same_of(gains);
        const SymTriple<double> G = sym_triple_of(shape.G);
        made.m += gains;
        center_rate = mul_add(same_of(inv_m * gains), d, center_rate);
        made.I = about_displaced<double>(
            {mul_add(rate, G.d, made.I.d), mul_add(rate, G.o, made.I.o)}, rate, d);
    }
    /// μ on its way from a to b.
    void add_stretch(double mu, double mu_dot, const Station& a, const Station& b)
    {
        const Triple<double> flow = same_of(mu), d = b.r - a.r, swept = cross(a.r, b.r);
        p = mul_add(flow, d, p);
        made.L = mul_add(flow, swept, made.L);
        made.flow_p = mul_add(flow, b.rate - a.rate, made.flow_p);
        made.flow_L =
            mul_add(flow, cross_add(a.rate - center_rate, b.r, cross(a.r, b.rate - center_rate)),
                    made.flow_L);
        if (mu_dot != 0) {
            made.flow_p = mul_add(same_of(mu_dot), d, made.flow_p);
            made.flow_L = mul_add(same_of(mu_dot), swept, made.flow_L);
        }
    }
    /// Where μ leaves; what comes in does so with a negative one.
    void add_opening(const Flow& flow, double mu, const Triple<double>& rho)
    {
        Triple<double> u = -center_rate;
        const Triple<double> n = triple_of(flow.direction), rate = same_of(mu);
        if (flow.kind == Flow::Kind::thruster && !flow.steered()) {
            const Triple<double> speed = same_of(flow.exhaust_speed);
            u = mul_add(speed, n, u);
            made.push_F = mul_add(-(rate * speed), n, made.push_F);
        }
        made.push_tau = mul_add(-rate, cross(rho, u), made.push_tau);
        made.damping = about_displaced<double>(made.damping, rate, rho);
        if (flow.radius != 0 && flow.leaves()) {
            const Triple<double> spread = same_of(0.25 * mu * flow.radius * flow.radius);
            made.damping = less_outer<double>(made.damping, -(spread * n), n);
            made.damping.d = made.damping.d + spread;
        }
    }
};

void weigh_vessel(const Model& model, const Vessel& vessel, const BodyMass& dry,
                  std::span<const double> contents, const Flowing& flowing, BodyMass& mass,
                  MassRate& rate)
{
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const LoadedMass loaded(dry, vessel.tanks, model.tank_shapes(), contents);
    loaded.put_into(mass);
    Scales s{loaded.center, zero_triple<double>(), zero_triple<double>(), {}};
    const auto surface = [&](int tank) -> Station {
        const TankShape& shape = model.tank_shapes()[at(tank)];
        const Triple<double> a = triple_of(shape.a) - s.center;
        if (!shape.rises)
            return {a, zero_triple<double>()};
        const Triple<double> k = triple_of(shape.k);
        return {mul_add(same_of(contents[at(tank)]), k, a), same_of(flowing.rates[at(tank)]) * k};
    };
    for (const int tank : vessel.tanks)
        if (const double gains = flowing.rates[at(tank)]; gains != 0)
            s.add_layer(gains, model.tank_shapes()[at(tank)], surface(tank).r, loaded.inv_m);
    s.made.damping = s.made.I;
    for (const int f : vessel.flows) {
        if (!flowing.on[at(f)])
            continue;
        const Flow& flow = model.flows()[at(f)];
        const FlowShare share = flowing.shares.empty() ? FlowShare{} : flowing.shares[at(f)];
        const double mu = share.now * flow.mass_flow, mu_dot = share.rate * flow.mass_flow;
        mass.flows = true;
        const Station outside{triple_of(flow.point) - s.center, zero_triple<double>()};
        const Station target = flow.target < 0 ? outside : surface(flow.target);
        if (flow.sources.empty())
            s.add_stretch(mu, mu_dot, outside, target);
        else if (flow.sources.size() == 1)
            s.add_stretch(mu, mu_dot, surface(flow.sources[0]), target);
        else
            for (const int source : flow.sources) {
                const auto parts = static_cast<double>(flow.sources.size());
                s.add_stretch(mu / parts, mu_dot / parts, surface(source), target);
            }
        if (flow.kind != Flow::Kind::pump)
            s.add_opening(flow, flow.leaves() ? mu : -mu, outside.r);
    }
    s.made.push_F = s.made.push_F - s.made.flow_p;
    s.made.push_tau = s.made.push_tau - s.made.flow_L;
    s.made.drifts = mul_add(same_of(loaded.m), s.center_rate, s.p);
    s.made.coriolis = s.p + s.p;
    mass.center_rate = vec_of(s.center_rate);
    mass.flow_p = vec_of(s.p);
    mass.flow_L = vec_of(s.made.L);
    rate = s.made;
}

} // namespace

POINSOT_FLATTEN void weigh(const Model& model, std::span<const double> contents,
                           std::span<const char> on, std::span<const FlowShare> shares,
                           Weighed& out)
{
    if (model.vessels().empty())
        return;
    const bool first = out.masses.empty();
    if (first)
        out.masses = model.masses();
    Flowing& flowing = out.flowing;
    const bool same_flows =
        !first && std::equal(on.begin(), on.end(), flowing.on.begin()) &&
        std::equal(shares.begin(), shares.end(), flowing.shares.begin(), flowing.shares.end());
    if (!same_flows) {
        flowing.on.assign(on.begin(), on.end());
        flowing.shares.assign(shares.begin(), shares.end());
        find_rates(model.tanks(), model.flows(), flowing);
        out.rates.resize(model.vessels().size());
        out.turned.resize(model.vessels().size());
    }
    if (same_flows && std::equal(contents.begin(), contents.end(), out.contents.begin()))
        return;
    const auto as_before = [&](const Vessel& vessel) {
        return std::all_of(vessel.tanks.begin(), vessel.tanks.end(), [&](int tank) {
            return contents[static_cast<std::size_t>(tank)] ==
                   out.contents[static_cast<std::size_t>(tank)];
        });
    };
    for (std::size_t i = 0; i < model.vessels().size(); ++i) {
        const Vessel& vessel = model.vessels()[i];
        if (same_flows && as_before(vessel))
            continue;
        out.turned[i] = 0;
        BodyMass& mass = out.masses[static_cast<std::size_t>(vessel.body)];
        weigh_vessel(model, vessel, model.dry_masses()[i], contents, flowing, mass, out.rates[i]);
    }
    out.contents.assign(contents.begin(), contents.end());
}

void find_principal(const Model& model, Weighed& out)
{
    for (std::size_t i = 0; i < model.vessels().size(); ++i)
        if (!out.turned[i]) {
            find_principal(out.masses[static_cast<std::size_t>(model.vessels()[i].body)]);
            out.turned[i] = 1;
        }
}

} // namespace poinsot
