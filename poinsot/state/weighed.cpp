// SPDX-License-Identifier: MIT
#include "poinsot/state/weighed.hpp"

#include "poinsot/base/flatten.hpp"

namespace poinsot {

namespace {

/// Short lists, number by number: calls that compare memory take longer to begin than this takes.
template <class T>
[[gnu::always_inline]] inline bool same_list(std::span<const T> a, const std::vector<T>& b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i]))
            return false;
    return true;
}

/// A point of the body, from its centre of mass, and how it moves in the body.
struct Station {
    Triple<double> r, rate;
    bool moves;
};

/// A vessel on the scales. What is summed up lives in registers meanwhile.
struct Scales {
    Triple<double> center;
    Triple<double> q = zero_triple<double>(); // Σ ṁ_t (s_t − c) = m ċ
    Triple<double> p = q;                     // p_flow
    MassRate made;

    /// What a tank gains, at the lever d of its surface.
    void add_layer(double gains, const SymTriple<double>& G, const Triple<double>& d)
    {
        const Triple<double> rate = same_of(gains);
        made.m += gains;
        q = mul_add(rate, d, q);
        made.I = about_displaced<double>(
            {mul_add(rate, G.d, made.I.d), mul_add(rate, G.o, made.I.o)}, rate, d);
    }
    /// μ on its way from a to b.
    void add_stretch(double mu, double mu_dot, const Station& a, const Station& b)
    {
        const Triple<double> flow = same_of(mu), d = b.r - a.r, swept = cross(a.r, b.r);
        p = mul_add(flow, d, p);
        made.L = mul_add(flow, swept, made.L);
        if (a.moves || b.moves) {
            made.flow_p = mul_add(flow, b.rate - a.rate, made.flow_p);
            made.flow_L = mul_add(flow, cross_add(a.rate, b.r, cross(a.r, b.rate)), made.flow_L);
        }
        if (mu_dot != 0) {
            made.flow_p = mul_add(same_of(mu_dot), d, made.flow_p);
            made.flow_L = mul_add(same_of(mu_dot), swept, made.flow_L);
        }
    }
    /// Where μ leaves; what comes in does so with a negative one.
    void add_opening(const Spout& spout, double mu, const Triple<double>& rho)
    {
        const Triple<double> rate = same_of(mu), F = -(rate * spout.velocity);
        made.leaves_F = made.leaves_F + F;
        made.leaves_tau = cross_add(rho, F, made.leaves_tau);
        made.E = about_displaced<double>(made.E, rate, rho);
        if (spout.radius != 0 && spout.leaves) {
            const Triple<double> spread = same_of(0.25 * mu * spout.radius * spout.radius);
            made.E = less_outer<double>(made.E, -(spread * spout.direction), spout.direction);
            made.E.d = made.E.d + spread;
        }
    }
};

void weigh_vessel(const Vessel& vessel, const BodyMass& dry, std::span<const double> contents,
                  const Flowing& flowing, BodyMass& mass, MassRate& rate)
{
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const LoadedMass loaded(dry, vessel.fills, contents);
    loaded.put_into(mass);
    Scales s{.center = loaded.center, .made = {}};
    const auto surface = [&](const Fill& fill) -> Station {
        const Triple<double> a = fill.a - s.center;
        if (!fill.rises)
            return {a, zero_triple<double>(), false};
        return {mul_add(same_of(contents[at(fill.tank)]), fill.k, a),
                same_of(flowing.rates[at(fill.tank)]) * fill.k, true};
    };
    for (const Fill& fill : vessel.fills)
        if (const double gains = flowing.rates[at(fill.tank)]; gains != 0)
            s.add_layer(gains, fill.G, surface(fill).r);
    for (const Spout& spout : vessel.spouts) {
        if (!flowing.on[at(spout.flow)])
            continue;
        const FlowShare share =
            flowing.shares.empty() ? FlowShare{} : flowing.shares[at(spout.flow)];
        const double mu = share.now * spout.mass_flow, mu_dot = share.rate * spout.mass_flow;
        mass.flows = true;
        const Station outside{spout.point - s.center, zero_triple<double>(), false};
        const Station target = spout.target < 0 ? outside : surface(vessel.fills[at(spout.target)]);
        if (spout.sources.empty())
            s.add_stretch(mu, mu_dot, outside, target);
        else if (spout.sources.size() == 1)
            s.add_stretch(mu, mu_dot, surface(vessel.fills[at(spout.sources[0])]), target);
        else
            for (const int source : spout.sources) {
                const auto parts = static_cast<double>(spout.sources.size());
                s.add_stretch(mu / parts, mu_dot / parts, surface(vessel.fills[at(source)]),
                              target);
            }
        if (spout.opens)
            s.add_opening(spout, spout.leaves ? mu : -mu, outside.r);
    }
    const Triple<double> center_rate = same_of(loaded.inv_m) * s.q;
    const Triple<double> turning = cross(s.p, center_rate);
    s.made.leaves_tau = s.made.leaves_tau + turning;
    s.made.flow_L = s.made.flow_L + turning;
    s.made.Q = s.q - s.p;
    s.made.coriolis = s.p + s.p;
    mass.center_rate = vec_of(center_rate);
    mass.flow_p = vec_of(s.p);
    mass.flow_L = vec_of(s.made.L);
    rate = s.made;
}

} // namespace

POINSOT_FLATTEN void weigh(const Model& model, std::span<const double> contents,
                           std::span<const char> on, std::span<const FlowShare> shares,
                           Weighed& out)
{
    out.moment = {};
    if (model.vessels().empty())
        return;
    const bool first = out.masses.empty();
    if (first)
        out.masses = model.masses();
    Flowing& flowing = out.flowing;
    const bool same_flows =
        !first && same_list(on, flowing.on) && same_list(shares, flowing.shares);
    if (!same_flows) {
        flowing.on.assign(on.begin(), on.end());
        flowing.shares.assign(shares.begin(), shares.end());
        find_rates(model.tanks(), model.flows(), flowing);
        out.rates.resize(model.vessels().size());
        out.turned.resize(model.vessels().size());
    }
    const bool known = same_flows && out.contents.size() == contents.size();
    const auto as_before = [&](const Vessel& vessel) {
        for (const Fill& fill : vessel.fills)
            if (const auto i = static_cast<std::size_t>(fill.tank); contents[i] != out.contents[i])
                return false;
        return true;
    };
    for (std::size_t i = 0; i < model.vessels().size(); ++i) {
        const Vessel& vessel = model.vessels()[i];
        if (known && as_before(vessel))
            continue;
        out.turned[i] = 0;
        BodyMass& mass = out.masses[static_cast<std::size_t>(vessel.body)];
        weigh_vessel(vessel, model.dry_masses()[i], contents, flowing, mass, out.rates[i]);
    }
    out.contents.resize(contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i)
        out.contents[i] = contents[i];
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
