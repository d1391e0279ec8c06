// SPDX-License-Identifier: MIT
#include "poinsot/state/weighed.hpp"

#include "poinsot/base/flatten.hpp"

#include <algorithm>

namespace poinsot {

namespace {

/// A point of the body and how it moves there.
struct Station {
    Vec3<double> at, rate;
};

/// The surface of a tank.
Station surface_of(const Model& model, int tank, std::span<const double> contents,
                   std::span<const double> filling)
{
    const auto t = static_cast<std::size_t>(tank);
    const TankShape& shape = model.tank_shapes()[t];
    return {shape.surface(contents[t]), filling[t] * shape.k};
}

void add_stretch(double mu, double mu_dot, const Station& a, const Station& b, BodyMass& mass,
                 MassRate& rate)
{
    const Vec3<double> r_a = a.at - mass.center, r_b = b.at - mass.center;
    mass.flow_p += mu * (b.at - a.at);
    mass.flow_L += mu * cross(r_a, r_b);
    rate.flow_p += mu * (b.rate - a.rate);
    rate.flow_L +=
        mu * (cross(a.rate - mass.center_rate, r_b) + cross(r_a, b.rate - mass.center_rate));
    if (mu_dot != 0) {
        rate.flow_p += mu_dot * (b.at - a.at);
        rate.flow_L += mu_dot * cross(r_a, r_b);
    }
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
        MassRate& rate = out.rates[i];
        load(model.dry_masses()[i], vessel.tanks, model.tank_shapes(), contents, mass);
        rate = {};
        for (const int tank : vessel.tanks) {
            const auto t = static_cast<std::size_t>(tank);
            const TankShape& shape = model.tank_shapes()[t];
            const Vec3<double> d = shape.surface(contents[t]) - mass.center;
            rate.m += flowing.rates[t];
            mass.center_rate += (mass.inv_m * flowing.rates[t]) * d;
            rate.I = rate.I + about_displaced(flowing.rates[t] * shape.G, flowing.rates[t], d);
        }
        for (const int f : vessel.flows) {
            if (!on[static_cast<std::size_t>(f)])
                continue;
            const Flow& flow = model.flows()[static_cast<std::size_t>(f)];
            const FlowShare share =
                shares.empty() ? FlowShare{} : shares[static_cast<std::size_t>(f)];
            mass.flows = true;
            const Station outside{flow.point, zero3<double>()};
            const Station target =
                flow.target < 0 ? outside : surface_of(model, flow.target, contents, flowing.rates);
            if (flow.sources.empty())
                add_stretch(share.now * flow.mass_flow, share.rate * flow.mass_flow, outside,
                            target, mass, rate);
            const double each = flow.mass_flow / static_cast<double>(flow.sources.size());
            for (const int source : flow.sources)
                add_stretch(share.now * each, share.rate * each,
                            surface_of(model, source, contents, flowing.rates), target, mass, rate);
        }
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
