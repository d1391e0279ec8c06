// SPDX-License-Identifier: MIT
#pragma once

// Mass that varies as described: tanks, and what leaves them, enters them or flows between them.
// What that does to a body is in state/weighed.hpp and forces/thrust.hpp.
//
// A tank is fixed in a body and holds a mass m. Its contents are given by three constants in the
// body frame: a point a, a rise k in metres per kilogram, and the inertia G per mass of the layer
// at the surface about the middle of that layer.
//
//     surface            s = a + k m                        where mass is taken from and put to
//     centre of mass     c = a + k m/2
//     inertia about c    I = m G + m³ (k·k 1 − k kᵀ)/12
//
// A box or a cylinder that fills from its bottom has k along its z axis and the G of a flat layer.
// Contents that thin out in place have k = 0 and the G of the whole room; a point has G = 0 too.
// Whatever the shape, d(m c)/dm = s and d(I + m(c·c 1 − c cᵀ))/dm = G + s·s 1 − s sᵀ.
//
// What flows, flows with a known rate: the contents of a tank are known at any moment of a step,
// also where a control scales it (model/throttle.hpp).
// A flow ends at its time, or when a tank that it draws from is empty.

#include "poinsot/base/result.hpp"
#include "poinsot/math/triple.hpp"
#include "poinsot/model/body.hpp"
#include "poinsot/model/body_mass.hpp"
#include "poinsot/model/control.hpp"
#include "poinsot/model/force.hpp"

#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace poinsot {

struct Tank {
    enum class Room : unsigned char { point, box, cylinder };
    enum class Filling : unsigned char { from_bottom, in_place };

    std::string name;
    int body = 0;
    double content = 0;                                        // kg, at the start
    double capacity = std::numeric_limits<double>::infinity(); // kg; a level needs it
    Room room = Room::point;
    Filling filling = Filling::in_place;
    Pose<double> frame = identity_pose<double>(); // in the body frame: the middle of the room, or
                                                  // of its floor if it fills from the bottom, z up
    Vec3<double> size = zero3<double>();          // box: lengths of its edges
    double radius = 0, height = 0;                // cylinder
};

/// The three constants.
struct TankShape {
    Vec3<double> a, k;
    Sym3<double> G;
    bool rises; // is k not zero?

    Vec3<double> surface(double m) const { return a + m * k; }
    Vec3<double> center(double m) const { return a + (0.5 * m) * k; }
    Sym3<double> inertia(double m) const;
};
TankShape shape_of(const Tank& tank);
/// How high a tank is filled, in metres above its floor; of one without a level, zero.
double level_of(const Tank& tank, double content);

/// A tank, and a flow, as the scales read them (state/weighed.hpp): all that they ask for, in the
/// registers' own form.
struct Fill {
    int tank; // of the model
    bool rises;
    Triple<double> a, k;
    SymTriple<double> G, K; // K = (k·k 1 − k kᵀ)/12
};
struct Spout {
    int flow; // of the model
    bool opens, leaves, wide;
    int source;               // of the vessel's fills, or −1
    int target;               // likewise
    std::vector<int> sources; // where there are several, which share the flow
    double mass_flow;
    Triple<double> point, velocity; // the latter of what leaves, where fixed in the body
    SymTriple<double> G;            // of a wide opening: ¼ r² (1 + n nᵀ)
};
/// What a body weighs with its tanks empty, likewise.
struct DryMass {
    double m;
    Triple<double> center;
    SymTriple<double> I;
};

/// Mass, centre and inertia about it of a body that weighs `dry` with its tanks empty, with what is
/// in them. One part after the other is joined to the rest, at D from its centre:
///
///     m' = m + x      c' = c + (x/m') D      I' = I + I_x + (m x/m') (D·D 1 − D Dᵀ)
struct LoadedMass {
    double m, inv_m;
    Triple<double> center;
    SymTriple<double> I;

    explicit LoadedMass(const DryMass& dry)
        : m(dry.m), inv_m(1 / dry.m), center(dry.center), I(dry.I)
    {
    }
    LoadedMass(const DryMass& dry, std::span<const Fill> fills, std::span<const double> contents);
    /// Joins what is in a tank.
    void join(const Fill& fill, double content);
    /// `made` becomes that body, whatever flows in it. Principal axes are not found: few ask for
    /// them.
    void put_into(BodyMass& made) const;
};
/// Finds them.
void find_principal(BodyMass& mass);

/// A flow of mass: from tanks out of a body, from outside into a tank, or from tank to tank. It
/// goes straight from surface to point, or from surface to surface.
struct Flow {
    enum class Kind : unsigned char {
        thruster, // leaves at a point, with a velocity against the body
        dump,     // leaves at a point, with the velocity of that point
        pump,     // from tank to tank of one body
        inlet,    // comes in at a point, with a velocity in the world
    };

    std::string name;
    Kind kind = Kind::thruster;
    std::vector<int> sources = {};            // tanks of one body, which share the flow equally
    int target = -1;                          // tank of a pump or an inlet
    double mass_flow = 0;                     // kg/s
    int control = -1;                         // multiplies mass_flow, if not −1
    int speed_control = -1;                   // multiplies exhaust_speed or velocity, likewise
    Vec3<double> point = zero3<double>();     // in the body frame
    Vec3<double> direction = zero3<double>(); // thruster: of what leaves, body axes
    double exhaust_speed = 0;                 // thruster: against the body, m/s
    double radius = 0;                        // of the opening; it lies across the direction
    Vec3<double> velocity = zero3<double>();  // inlet: in the world
    double from = 0;                          // it flows for from ≤ t < until
    double until = std::numeric_limits<double>::infinity();

    bool leaves() const { return kind == Kind::thruster || kind == Kind::dump; }
    /// Does what passes its opening have a velocity that is not fixed in the body?
    bool steered() const { return kind == Kind::inlet || speed_control >= 0; }
};
std::string_view name_of(Flow::Kind kind);

/// A body with tanks.
struct Vessel {
    int body = 0;
    std::vector<int> tanks, flows; // of the model, ascending
    std::vector<Fill> fills;       // of the tanks
    std::vector<Spout> spouts;     // of the flows
    bool steered = false;          // is any of the flows?
    bool plain = false;            // is there one tank, and one flow, which leaves it?
    DryMass dry = {};
};
std::vector<Vessel> vessels_of(const std::vector<Tank>& tanks, const std::vector<Flow>& flows);

/// The part of its mass flow that a flow has at a moment, and how fast that changes.
struct FlowShare {
    double now = 1, rate = 0;
    friend bool operator==(const FlowShare&, const FlowShare&) = default;
};

/// The flows of a moment: which of them flow, and what every tank gains by them.
struct Flowing {
    std::vector<char> on;          // per flow
    std::vector<double> rates;     // per tank, kg/s
    std::vector<double> changes;   // of the rates, kg/s²
    std::vector<FlowShare> shares; // per flow; empty where all have the whole
};
/// Which flows are on from a time on, for tanks with these contents: those whose time it is and
/// that do not draw on an empty tank, or fill a full one. `slack` is what counts as no time. The
/// shares of `made` are given.
void open_valves(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                 std::span<const double> contents, double t, double slack, Flowing& made);
/// Flows that are closed though their time has come, since a tank they draw on is empty and filled
/// more slowly than they would draw: they would open and close without end.
struct RunsDry {
    std::size_t flow = 0, tank = 0;
};
std::vector<RunsDry> runs_dry(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                              std::span<const double> contents, double t, double slack,
                              const Flowing& flowing);
/// The rates of tanks and how these change, for the flows and shares of `made`.
void find_rates(const std::vector<Tank>& tanks, const std::vector<Flow>& flows, Flowing& made);
/// Are these found, and the same as long as the same flows are on?
bool knows_rates(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                 const Flowing& made);
/// How long the flows stay as they are: until one begins or ends, or a tank is empty or full.
double time_to_change(const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                      const Flowing& flowing, std::span<const double> contents, double t,
                      double slack);

/// Names what is wrong with them, for the Builder: also a tank that would run over, and one that
/// would be empty before a flow has come to the end it was given.
void inspect_tanks(const std::vector<Body>& bodies, const std::vector<Tank>& tanks,
                   const std::vector<Flow>& flows, const std::vector<Control>& controls,
                   Problems& found);

inline LoadedMass::LoadedMass(const DryMass& dry, std::span<const Fill> fills,
                              std::span<const double> contents)
    : LoadedMass(dry)
{
    for (const Fill& fill : fills)
        join(fill, contents[static_cast<std::size_t>(fill.tank)]);
}

[[gnu::always_inline]] inline void LoadedMass::join(const Fill& fill, double content)
{
    const double rest = m;
    m += content;
    inv_m = 1 / m;
    const double share = content * inv_m;
    const Triple<double> mass = same_of(content);
    const Triple<double> D = mul_add(same_of(0.5 * content), fill.k, fill.a) - center;
    center = mul_add(same_of(share), D, center);
    I = about_displaced<double>({mul_add(mass, fill.G.d, I.d), mul_add(mass, fill.G.o, I.o)},
                                same_of(rest * share), D);
    if (fill.rises) {
        const Triple<double> cube = same_of(content * content * content);
        I = {mul_add(cube, fill.K.d, I.d), mul_add(cube, fill.K.o, I.o)};
    }
}

[[gnu::always_inline]] inline void LoadedMass::put_into(BodyMass& made) const
{
    made.m = m;
    made.inv_m = inv_m;
    made.center = vec_of(center);
    made.I_b = sym3_of(I);
    made.inv_I_b = sym3_of(inverse(I));
    made.varies = true;
}

} // namespace poinsot
