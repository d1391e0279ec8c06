// SPDX-License-Identifier: MIT
#include "poinsot/model/tank.hpp"

#include "poinsot/mass/principal.hpp"
#include "poinsot/math/spatial.hpp"
#include "poinsot/model/throttle.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace poinsot {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

const Tank& tank_of(const std::vector<Tank>& tanks, int i)
{
    return tanks[static_cast<std::size_t>(i)];
}

/// The inertia per mass of a box, of a flat one too.
Sym3<double> box_spread(double a, double b, double c)
{
    return diagonal((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12);
}
Sym3<double> cylinder_spread(double r, double h)
{
    const double across = 0.25 * r * r + h * h / 12;
    return diagonal(across, across, 0.5 * r * r);
}

double height_of(const Tank& tank)
{
    return tank.room == Tank::Room::box        ? tank.size.z
           : tank.room == Tank::Room::cylinder ? tank.height
                                               : 0;
}

bool rises(const Tank& tank)
{
    return tank.room != Tank::Room::point && tank.filling == Tank::Filling::from_bottom;
}

} // namespace

Sym3<double> TankShape::inertia(double m) const
{
    const Sym3<double> one = diagonal(1.0, 1.0, 1.0);
    return m * G + (m * m * m / 12) * (dot(k, k) * one - square(k));
}

TankShape shape_of(const Tank& tank)
{
    const Mat3<double> R = matrix_of(normalised(tank.frame.q));
    const double height = height_of(tank), thick = rises(tank) ? 0 : height;
    TankShape made{tank.frame.x, zero3<double>(), diagonal(0.0, 0.0, 0.0), false};
    if (tank.room == Tank::Room::box)
        made.G = congruent(R, box_spread(tank.size.x, tank.size.y, thick));
    if (tank.room == Tank::Room::cylinder)
        made.G = congruent(R, cylinder_spread(tank.radius, thick));
    made.rises = rises(tank);
    if (made.rises)
        made.k = (height / tank.capacity) * (R * Vec3<double>{0, 0, 1});
    return made;
}

void find_principal(BodyMass& mass)
{
    const PrincipalAxes principal = principal_axes(mass.I_b);
    mass.principal = principal.moments;
    mass.principal_axes = principal.rotation();
}

double level_of(const Tank& tank, double content)
{
    return rises(tank) ? height_of(tank) * (content / tank.capacity) : 0;
}

std::string_view name_of(Flow::Kind kind)
{
    switch (kind) {
    case Flow::Kind::thruster:
        return "thruster";
    case Flow::Kind::dump:
        return "dump";
    case Flow::Kind::pump:
        return "pump";
    case Flow::Kind::inlet:
        return "inlet";
    }
    return "";
}

namespace {

Fill fill_for(int tank, const TankShape& shape)
{
    const Sym3<double> K =
        (1.0 / 12) * (dot(shape.k, shape.k) * diagonal(1.0, 1.0, 1.0) - square(shape.k));
    return {tank,
            shape.rises,
            triple_of(shape.a),
            triple_of(shape.k),
            sym_triple_of(shape.G),
            sym_triple_of(K)};
}
Spout spout_for(int index, const Flow& flow, const std::vector<int>& fill_of)
{
    const auto fill = [&](int tank) { return fill_of[static_cast<std::size_t>(tank)]; };
    Spout made;
    made.flow = index;
    made.opens = flow.kind != Flow::Kind::pump;
    made.leaves = flow.leaves();
    made.wide = flow.leaves() && flow.radius != 0;
    made.source = flow.sources.size() == 1 ? fill(flow.sources[0]) : -1;
    if (flow.sources.size() > 1)
        for (const int source : flow.sources)
            made.sources.push_back(fill(source));
    made.target = flow.target < 0 ? -1 : fill(flow.target);
    made.mass_flow = flow.mass_flow;
    made.point = triple_of(flow.point);
    made.velocity = flow.kind == Flow::Kind::thruster && !flow.steered()
                        ? same_of(flow.exhaust_speed) * triple_of(flow.direction)
                        : zero_triple<double>();
    made.G = sym_triple_of((0.25 * flow.radius * flow.radius) *
                           (diagonal(1.0, 1.0, 1.0) + square(flow.direction)));
    return made;
}

} // namespace

std::vector<Vessel> vessels_of(const std::vector<Tank>& tanks, const std::vector<Flow>& flows)
{
    std::set<int> bodies;
    for (const Tank& tank : tanks)
        bodies.insert(tank.body);
    std::vector<Vessel> made;
    for (const int body : bodies) {
        Vessel vessel;
        vessel.body = body;
        std::vector<int> fill_of(tanks.size(), -1);
        for (std::size_t i = 0; i < tanks.size(); ++i)
            if (tanks[i].body == body) {
                fill_of[i] = static_cast<int>(vessel.fills.size());
                vessel.tanks.push_back(static_cast<int>(i));
                vessel.fills.push_back(fill_for(static_cast<int>(i), shape_of(tanks[i])));
            }
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const int tank = flows[i].sources.empty() ? flows[i].target : flows[i].sources[0];
            if (tank_of(tanks, tank).body != body)
                continue;
            vessel.flows.push_back(static_cast<int>(i));
            vessel.spouts.push_back(spout_for(static_cast<int>(i), flows[i], fill_of));
            vessel.steered = vessel.steered || flows[i].steered();
        }
        vessel.plain =
            vessel.fills.size() == 1 && vessel.spouts.size() == 1 && vessel.spouts[0].leaves;
        made.push_back(std::move(vessel));
    }
    return made;
}

void find_rates(const std::vector<Tank>& tanks, const std::vector<Flow>& flows, Flowing& made)
{
    made.rates.assign(tanks.size(), 0.0);
    made.changes.assign(tanks.size(), 0.0);
    for (std::size_t f = 0; f < flows.size(); ++f) {
        if (!made.on[f])
            continue;
        const Flow& flow = flows[f];
        const FlowShare share = made.shares.empty() ? FlowShare{} : made.shares[f];
        const auto add = [&](int tank, double mu) {
            made.rates[static_cast<std::size_t>(tank)] += share.now * mu;
            made.changes[static_cast<std::size_t>(tank)] += share.rate * mu;
        };
        for (const int source : flow.sources)
            add(source, -flow.mass_flow / static_cast<double>(flow.sources.size()));
        if (flow.target >= 0)
            add(flow.target, flow.mass_flow);
    }
}

bool knows_rates(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                 const Flowing& made)
{
    return made.shares.empty() && made.on.size() == flows.size() &&
           made.rates.size() == tanks.size();
}

void open_valves(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                 std::span<const double> contents, double t, double slack, Flowing& made)
{
    // Most of the time the same flows are on as in the step before, with the same rates.
    bool known = knows_rates(tanks, flows, made);
    made.on.resize(flows.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f) {
        const char on = flows[f].from <= t + slack && t + slack < flows[f].until;
        known = known && made.on[f] == on;
        made.on[f] = on;
    }
    // Closing one may let another tank run dry, so again until nothing closes.
    for (bool closed = true; closed;) {
        closed = false;
        if (!known)
            find_rates(tanks, flows, made);
        known = false;
        for (std::size_t i = 0; i < tanks.size(); ++i) {
            const double first = made.rates[i] != 0 ? made.rates[i] : made.changes[i];
            const bool dry = !(contents[i] > 0) && first < 0;
            const bool over = !(contents[i] < tanks[i].capacity) && first > 0;
            for (std::size_t f = 0; f < flows.size() && (dry || over); ++f) {
                const auto& sources = flows[f].sources;
                const int tank = static_cast<int>(i);
                const bool draws = std::find(sources.begin(), sources.end(), tank) != sources.end();
                if (made.on[f] && ((dry && draws) || (over && flows[f].target == tank))) {
                    made.on[f] = 0;
                    closed = true;
                }
            }
        }
    }
}

std::vector<RunsDry> runs_dry(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                              std::span<const double> contents, double t, double slack,
                              const Flowing& flowing)
{
    std::vector<RunsDry> found;
    for (std::size_t i = 0; i < tanks.size(); ++i)
        if (!(contents[i] > 0) && flowing.rates[i] > 0)
            for (std::size_t f = 0; f < flows.size(); ++f) {
                const auto& sources = flows[f].sources;
                if (!flowing.on[f] && flows[f].from <= t + slack && t + slack < flows[f].until &&
                    std::find(sources.begin(), sources.end(), static_cast<int>(i)) != sources.end())
                    found.push_back({f, i});
            }
    return found;
}

namespace {

/// The first τ > 0 at which c + r τ + ½ s τ² is zero, for a c that is not negative.
double time_until_zero(double c, double r, double s)
{
    if (s == 0)
        return r < 0 ? c / -r : endless;
    const double under = r * r - 2 * s * c;
    if (!std::isfinite(c) || !(under >= 0))
        return endless;
    if (r < 0)
        return 2 * c / (-r + std::sqrt(under));
    return s < 0 ? (r + std::sqrt(under)) / -s : endless;
}

} // namespace

double time_to_change(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                      const Flowing& flowing, std::span<const double> contents, double t,
                      double slack)
{
    double next = endless;
    for (const Flow& flow : flows)
        for (const double edge : {flow.from, flow.until})
            if (edge > t + slack)
                next = std::min(next, edge - t);
    for (std::size_t i = 0; i < tanks.size(); ++i) {
        const double r = flowing.rates[i], s = flowing.changes[i];
        next = std::min({next, time_until_zero(contents[i], r, s),
                         time_until_zero(tanks[i].capacity - contents[i], -r, -s)});
    }
    return next;
}

namespace {

void inspect(const Tank& tank, const std::vector<Body>& bodies, Problems& found)
{
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(tank.name, key, parts...);
    };
    if (tank.body < 0 || tank.body >= static_cast<int>(bodies.size()))
        wrong("body", "is in a body that does not exist");
    else if (const Body& body = bodies[static_cast<std::size_t>(tank.body)]; body.particle)
        wrong("body", "a particle has no room for a tank; make it a body");
    else if (body.held)
        wrong("body", "a body with a tank cannot be held at a point; replace held by a ball joint "
                      "with the world");
    if (!(tank.content >= 0) || !std::isfinite(tank.content))
        wrong("content", "content must be finite and not negative, is ", tank.content,
              "; give what is in it at the start in kg");
    if (!(tank.capacity > 0))
        wrong("capacity", "capacity must be positive, is ", tank.capacity,
              "; give the most it holds in kg");
    else if (tank.content > tank.capacity)
        wrong("content", "holds ", tank.content, " kg, more than its capacity of ", tank.capacity,
              " kg; fill in less, or make it larger");
    if (!finite(tank.frame.x))
        wrong("at", "its place must be finite");
    if (!(std::abs(std::sqrt(norm2(tank.frame.q)) - 1) <= 1e-6))
        wrong("orientation", "orientation must be a unit quaternion; divide by its norm");
    const auto positive = [&](const char* key, double value) {
        if (!(value > 0) || !std::isfinite(value))
            wrong(key, key, " must be finite and positive, is ", value, "; give it in m");
    };
    if (tank.room == Tank::Room::box)
        for (const double edge : {tank.size.x, tank.size.y, tank.size.z})
            positive("size", edge);
    if (tank.room == Tank::Room::cylinder) {
        positive("radius", tank.radius);
        positive("height", tank.height);
    }
    if (rises(tank) && !std::isfinite(tank.capacity))
        wrong("capacity", "a tank that fills from its bottom needs a capacity: its level is that "
                          "part of its height; give it in kg");
}

void inspect(const Flow& flow, const std::vector<Tank>& tanks, Problems& found)
{
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(flow.name, key, parts...);
    };
    const bool fills = flow.kind == Flow::Kind::pump || flow.kind == Flow::Kind::inlet;
    const auto exists = [&](int tank) {
        return tank >= 0 && tank < static_cast<int>(tanks.size());
    };
    const bool sources = std::all_of(flow.sources.begin(), flow.sources.end(), exists);
    if (!sources || (flow.kind != Flow::Kind::inlet && flow.sources.empty()))
        wrong("tank", "draws on a tank that does not exist");
    else if (std::set<int>(flow.sources.begin(), flow.sources.end()).size() != flow.sources.size())
        wrong("tank", "draws on the same tank twice; name each once");
    else
        for (const int source : flow.sources)
            if (tank_of(tanks, source).body != tank_of(tanks, flow.sources[0]).body) {
                wrong("tank", "draws on tanks of different bodies; give each body its own");
                break;
            }
    if (fills && !exists(flow.target))
        wrong(flow.kind == Flow::Kind::inlet ? "tank" : "target",
              "fills a tank that does not exist");
    else if (flow.kind == Flow::Kind::pump && sources && !flow.sources.empty()) {
        if (flow.sources[0] == flow.target)
            wrong("target", "a pump moves mass to another tank than it takes it from");
        else if (tank_of(tanks, flow.sources[0]).body != tank_of(tanks, flow.target).body)
            wrong("target", "a pump works within one body; between bodies let a dump and an inlet "
                            "do it");
    }
    if (!(flow.mass_flow > 0) || !std::isfinite(flow.mass_flow))
        wrong("mass_flow", "mass_flow must be finite and positive, is ", flow.mass_flow,
              "; give it in kg/s");
    if (!(flow.from < flow.until))
        wrong("from", "must begin before it ends: from ", flow.from, " until ", flow.until,
              "; exchange from and until, or leave until out");
    if (!finite(flow.point))
        wrong("at", "the point must be finite");
    if (!finite(flow.velocity))
        wrong("velocity", "velocity must be finite; give it in the world, in m/s");
    if (!(flow.radius >= 0) || !std::isfinite(flow.radius))
        wrong("radius", "radius must be finite and not negative, is ", flow.radius,
              "; give it in m");
    if (flow.kind == Flow::Kind::thruster || flow.radius > 0)
        if (!(norm(flow.direction) > 0) || !finite(flow.direction))
            wrong("direction", "needs a direction; give where what leaves goes, in body axes, such "
                               "as [0, 0, -1]");
    if (flow.kind == Flow::Kind::thruster &&
        (!(flow.exhaust_speed > 0) || !std::isfinite(flow.exhaust_speed)))
        wrong("exhaust_speed", "exhaust_speed must be finite and positive, is ", flow.exhaust_speed,
              "; give it against the body in m/s; what leaves without speed is a dump");
}

/// Lets all flow from the start on, and names a flow that does not come to its end.
void rehearse(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
              const std::vector<Control>& controls, Problems& found)
{
    std::vector<double> contents;
    for (const Tank& tank : tanks)
        contents.push_back(tank.content);
    std::vector<char> told(flows.size(), 0);
    Flowing flowing;
    double t = 0;
    // Each round a flow begins or ends, or a tank is empty or full; a tank that is fed while it is
    // drained may do so again and again.
    std::size_t bends = 0;
    for (const Control& control : controls)
        bends += control.times.size();
    for (std::size_t round = 0; round < 4 * (flows.size() + tanks.size()) + bends + 4; ++round) {
        const double slack = 1e-12 * (1 + t);
        shares_at(flows, controls, nullptr, t, t + slack, flowing.shares);
        open_valves(tanks, flows, contents, t, slack, flowing);
        for (std::size_t f = 0; f < flows.size(); ++f) {
            const Flow& flow = flows[f];
            const bool wanted = flow.from <= t + slack && t + slack < flow.until;
            if (!wanted || flowing.on[f] || told[f])
                continue;
            const bool fed = std::all_of(flow.sources.begin(), flow.sources.end(), [&](int source) {
                return contents[static_cast<std::size_t>(source)] > 0;
            });
            const bool full = fed && flow.target >= 0 &&
                              !(contents[static_cast<std::size_t>(flow.target)] <
                                tank_of(tanks, flow.target).capacity);
            told[f] = full || std::isfinite(flow.until);
            if (full)
                found.add_at(flow.name, "until", "the tank it fills would run over at t = ", t,
                             " s; end the flow with until, or make the tank larger");
            else if (std::isfinite(flow.until))
                found.add_at(flow.name, "until", "a tank it draws on would be empty at t = ", t,
                             " s, before the flow ends at ", flow.until,
                             " s; end it earlier, fill in more, or leave until out: it then flows "
                             "until the tank is empty");
        }
        for (const RunsDry& dry : runs_dry(tanks, flows, contents, t, slack, flowing))
            if (!told[dry.flow]) {
                told[dry.flow] = 1;
                found.add_at(flows[dry.flow].name, "mass_flow",
                             "a tank it draws on runs dry at t = ", t,
                             " s while it is being filled more slowly; draw less, or end the flow "
                             "with until");
            }
        const double next = std::min(time_to_change(tanks, flows, flowing, contents, t, slack),
                                     time_to_bend(flows, controls, t, slack));
        if (!std::isfinite(next))
            return;
        for (std::size_t i = 0; i < tanks.size(); ++i) {
            const double rate = flowing.rates[i] + 0.5 * flowing.changes[i] * next; // in the mean
            const double after = contents[i] + rate * next;
            const double rounding = 1e-12 * (contents[i] + std::abs(rate) * next);
            contents[i] = after < rounding                       ? 0
                          : after > tanks[i].capacity - rounding ? tanks[i].capacity
                                                                 : after;
        }
        t += next;
    }
}

} // namespace

void inspect_tanks(const std::vector<Body>& bodies, const std::vector<Tank>& tanks,
                   const std::vector<Flow>& flows, const std::vector<Control>& controls,
                   Problems& found)
{
    const std::size_t before = found.list().size();
    for (const Tank& tank : tanks)
        inspect(tank, bodies, found);
    for (const Flow& flow : flows)
        inspect(flow, tanks, found);
    inspect_throttles(flows, controls, found);
    Problems of_controls; // which are told elsewhere
    inspect_controls(controls, std::vector<char>(controls.size(), 1), of_controls);
    if (found.list().size() == before && !of_controls.any())
        rehearse(tanks, flows, controls, found);
}

} // namespace poinsot
