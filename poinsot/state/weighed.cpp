// SPDX-License-Identifier: MIT
#include "poinsot/state/weighed.hpp"

#include "poinsot/base/flatten.hpp"

#include <limits>
#include <utility>

namespace poinsot {

namespace {

/// A vessel on the scales. What is summed up lives in registers meanwhile. Of a plain vessel there
/// is nothing to sum up: one tank, and one flow that leaves it.
template <bool plain, RatesOf asked>
struct Scales {
    const double* contents;
    const double* rates;
    Triple<double> center;
    Triple<double> p = zero_triple<double>(); // p_flow
    Triple<double> L = p, F = p, tau = p, Q = p, flow_p = p, flow_L = p;
    SymTriple<double> E{p, p}, I{p, p};

    /// s + a b
    static Triple<double> sum(const Triple<double>& a, const Triple<double>& b,
                              const Triple<double>& s)
    {
        return plain ? a * b : mul_add(a, b, s);
    }
    /// Where mass is taken from or put to, from the centre of mass, and how that moves.
    Triple<double> surface(const Fill& fill) const
    {
        return mul_add(same_of(contents[fill.tank]), fill.k, fill.a) - center;
    }
    Triple<double> rise(const Fill& fill) const { return same_of(rates[fill.tank]) * fill.k; }

    /// What a tank gains, at its surface.
    void add_layer(double gains, const Fill& fill)
    {
        if (asked == RatesOf::momenta)
            return;
        const Triple<double> rate = same_of(gains);
        I = about_displaced<double>({sum(rate, fill.G.d, I.d), sum(rate, fill.G.o, I.o)}, rate,
                                    surface(fill));
    }
    /// μ on its way from tank to tank, or between one and what is open to the outside at e.
    void add_stretch(double mu, double mu_dot, const Triple<double>& e, const Fill* from,
                     const Fill* to)
    {
        const Triple<double> a = from ? surface(*from) : e, b = to ? surface(*to) : e;
        const Triple<double> flow = same_of(mu), d = b - a, swept = cross(a, b);
        p = sum(flow, d, p);
        L = sum(flow, swept, L);
        if (asked == RatesOf::momenta)
            return;
        if (from && from->rises) {
            const Triple<double> moved = flow * rise(*from);
            flow_p = flow_p - moved;
            flow_L = cross_add(moved, b, flow_L);
        }
        if (to && to->rises) {
            const Triple<double> moved = flow * rise(*to);
            flow_p = flow_p + moved;
            flow_L = cross_add(a, moved, flow_L);
        }
        if (mu_dot != 0) {
            flow_p = mul_add(same_of(mu_dot), d, flow_p);
            flow_L = mul_add(same_of(mu_dot), swept, flow_L);
        }
    }
    /// Where μ leaves; what comes in does so with a negative one.
    void add_opening(const Spout& spout, double mu, const Triple<double>& rho)
    {
        const Triple<double> rate = same_of(mu), push = same_of(-mu) * spout.velocity;
        F = plain ? push : F + push;
        tau = plain ? cross(rho, push) : cross_add(rho, push, tau);
        Q = sum(same_of(-mu), rho, Q);
        E = about_displaced<double>(E, rate, rho);
        if (spout.wide)
            E = {mul_add(rate, spout.G.d, E.d), mul_add(rate, spout.G.o, E.o)};
    }
    void put_into(double gains, double inv_m, bool flows, BodyMass& mass, MassRate& rate) const
    {
        const Triple<double> center_rate = same_of(inv_m) * (Q + p);
        const Triple<double> turning = cross(p, center_rate);
        rate.m = gains;
        if (asked != RatesOf::shell) {
            rate.leaves_F = F;
            rate.leaves_tau = tau + turning;
            rate.Q = Q;
            rate.E = E;
        }
        if (asked != RatesOf::momenta) {
            rate.push_F = F - flow_p;
            rate.push_tau = tau - flow_L; // both have p_flow × ċ
            rate.damping = I + E;
            rate.coriolis = p + p;
            rate.L = L;
        }
        if (asked == RatesOf::all) {
            rate.flow_p = flow_p;
            rate.flow_L = flow_L + turning;
            rate.I = I;
        }
        mass.flows = flows;
        mass.center_rate = vec_of(center_rate);
        mass.flow_p = vec_of(p);
        mass.flow_L = vec_of(L);
    }
};

template <RatesOf asked>
[[gnu::always_inline]] inline void weigh_plain(const Vessel& vessel, const double* contents,
                                               const double* rates, BodyMass& mass, MassRate& rate)
{
    const Fill& fill = vessel.fills.front();
    const Spout& spout = vessel.spouts.front();
    LoadedMass loaded(vessel.dry);
    loaded.join(fill, contents[fill.tank]);
    Scales<true, asked> s{.contents = contents, .rates = rates, .center = loaded.center};
    const Triple<double> e = spout.point - s.center;
    s.add_layer(rates[fill.tank], fill);
    s.add_stretch(spout.mass_flow, 0, e, &fill, nullptr);
    s.add_opening(spout, spout.mass_flow, e);
    loaded.put_into(mass);
    s.put_into(rates[fill.tank], loaded.inv_m, true, mass, rate);
}

[[gnu::noinline]] POINSOT_FLATTEN void weigh_any(const Vessel& vessel, const double* contents,
                                                 const Flowing& flowing, BodyMass& mass,
                                                 MassRate& rate)
{
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    LoadedMass loaded(vessel.dry);
    for (const Fill& fill : vessel.fills)
        loaded.join(fill, contents[fill.tank]);
    Scales<false, RatesOf::all> s{
        .contents = contents, .rates = flowing.rates.data(), .center = loaded.center};
    double gained = 0;
    for (const Fill& fill : vessel.fills)
        if (const double gains = flowing.rates[at(fill.tank)]; gains != 0) {
            gained += gains;
            s.add_layer(gains, fill);
        }
    bool flows = false;
    for (const Spout& spout : vessel.spouts) {
        if (!flowing.on[at(spout.flow)])
            continue;
        flows = true;
        double mu = spout.mass_flow, mu_dot = 0;
        if (!flowing.shares.empty()) {
            mu_dot = flowing.shares[at(spout.flow)].rate * mu;
            mu *= flowing.shares[at(spout.flow)].now;
        }
        const Triple<double> e = spout.point - s.center;
        const auto fill = [&](int i) { return i < 0 ? nullptr : &vessel.fills[at(i)]; };
        if (spout.sources.empty())
            s.add_stretch(mu, mu_dot, e, fill(spout.source), fill(spout.target));
        for (const int source : spout.sources) {
            const double part = 1 / static_cast<double>(spout.sources.size());
            s.add_stretch(part * mu, part * mu_dot, e, fill(source), fill(spout.target));
        }
        if (spout.opens)
            s.add_opening(spout, spout.leaves ? mu : -mu, e);
    }
    loaded.put_into(mass);
    s.put_into(gained, loaded.inv_m, flows, mass, rate);
}

/// Returns whether any vessel is not as it was.
template <RatesOf asked, class Contents>
[[gnu::always_inline]] inline bool weigh_all(const Model& model, const Contents& now, Weighed& out)
{
    const std::span<const Vessel> vessels = model.vessels();
    const Flowing& flowing = out.flowing;
    const bool steady = flowing.shares.empty();
    double* const contents = out.contents.data();
    const auto takes = [&](const Fill& fill) {
        const double content = now[fill.tank];
        return std::exchange(contents[fill.tank], content) != content;
    };
    bool any = false;
    for (std::size_t i = 0; i < vessels.size(); ++i) {
        const Vessel& vessel = vessels[i];
        BodyMass& mass = out.masses[static_cast<std::size_t>(vessel.body)];
        if (vessel.plain && steady && flowing.on[static_cast<std::size_t>(vessel.flows.front())]) {
            if (!takes(vessel.fills.front()))
                continue;
            weigh_plain<asked>(vessel, contents, flowing.rates.data(), mass, out.rates[i]);
        } else {
            bool changed = false;
            for (const Fill& fill : vessel.fills) {
                changed = takes(fill) || changed;
                asm volatile(""); // keeps the loop from being packed
            }
            if (!changed)
                continue;
            weigh_any(vessel, contents, flowing, mass, out.rates[i]);
        }
        out.turned[i] = 0;
        any = true;
    }
    return any;
}

} // namespace

void weigh(const Model& model, std::span<const double> contents, std::span<const char> on,
           std::span<const FlowShare> shares, Weighed& out)
{
    if (model.vessels().empty())
        return;
    Flowing& flowing = out.flowing;
    if (out.masses.empty() || !same_list(on, flowing.on) || !same_list(shares, flowing.shares) ||
        out.contents.size() != contents.size()) {
        if (out.masses.empty())
            out.masses = model.masses();
        flowing.on.assign(on.begin(), on.end());
        flowing.shares.assign(shares.begin(), shares.end());
        find_rates(model.tanks(), model.flows(), flowing);
        out.rates.resize(model.vessels().size());
        out.turned.resize(model.vessels().size());
        out.contents.assign(contents.size(), std::numeric_limits<double>::quiet_NaN());
    }
    if (weigh_all<RatesOf::all>(model, contents.data(), out))
        out.moment = {};
}

namespace {

template <RatesOf asked>
[[gnu::noinline]] POINSOT_FLATTEN void weigh_for(const Model& model, const double* began,
                                                 double passed, Weighed& out)
{
    const ContentsAfter now{began, out.flowing.rates.data(), nullptr, passed};
    weigh_all<asked>(model, now, out);
}

} // namespace

void weigh_again(const Model& model, const double* began, double passed, Weighed& out)
{
    if (out.asked == RatesOf::momenta)
        weigh_for<RatesOf::momenta>(model, began, passed, out);
    else if (out.asked == RatesOf::shell)
        weigh_for<RatesOf::shell>(model, began, passed, out);
    else
        weigh_for<RatesOf::all>(model, began, passed, out);
}

void weigh_part(const Vessel& part, std::span<const double> contents, const Flowing& flowing,
                BodyMass& mass, MassRate& rate)
{
    weigh_any(part, contents.data(), flowing, mass, rate);
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
