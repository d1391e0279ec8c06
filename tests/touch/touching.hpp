// SPDX-License-Identifier: MIT
#pragma once

// Worlds in which things touch.

#include "measured.hpp"
#include "poinsot/mass/solids.hpp"
#include "worlds.hpp"

#include <ctime>

namespace poinsot {

/// Closed forms hold in both.
inline constexpr std::array either_form{Formulation::maximal, Formulation::reduced};

struct TouchingWorld {
    Builder builder;
    Stabilisation stabilisation = Stabilisation::projection;
    Method method = Method::impulsive;

    explicit TouchingWorld(double friction = 0, double restitution = 0)
    {
        builder.gravity.uniform = {0, 0, -9.81};
        Material material;
        material.name = "stuff";
        material.law.friction = material.law.static_friction = friction;
        material.law.restitution = restitution;
        builder.add(material);
    }
    int skin(const std::string& name, int body, Result<Collider> collider,
             const Pose<double>& pose = identity_pose<double>())
    {
        if (!collider)
            FAIL(collider.problems().text());
        Skin made;
        made.name = name;
        made.body = body;
        made.collider = *collider;
        made.pose = pose;
        return builder.add(made);
    }
    /// The half-space under a plane through the origin, whose normal is turned about y.
    void ground(double slope = 0)
    {
        skin("ground", world, half_space(), {zero3<double>(), exp_quat(V3{0, slope, 0})});
    }
    int add(const std::string& name, const Shape& shape, const MassProperties& mass,
            const Pose<double>& pose, const V3& v = zero3<double>(),
            const V3& omega = zero3<double>())
    {
        Body body;
        body.name = name;
        body.shape = shape;
        body.mass_properties = mass;
        body.pose = pose;
        body.velocity = v;
        body.angular_velocity = omega;
        const int index = builder.add(body);
        skin(name, index, collider_of(shape));
        return index;
    }
    int ball(const std::string& name, double radius, double mass, const V3& x,
             const V3& v = zero3<double>(), const V3& omega = zero3<double>())
    {
        return add(name, Ball{radius}, {mass, zero3<double>(), ball_inertia(mass, radius)},
                   {x, identity_quat<double>()}, v, omega);
    }
    int box(const std::string& name, const V3& size, double mass, const Pose<double>& pose,
            const V3& v = zero3<double>(), const V3& omega = zero3<double>())
    {
        return add(name, Box{size}, {mass, zero3<double>(), box_inertia(mass, size)}, pose, v,
                   omega);
    }

    static Sym3<double> ball_inertia(double m, double r)
    {
        const double i = 0.4 * m * r * r;
        return diagonal(i, i, i);
    }
    static Sym3<double> box_inertia(double m, const V3& s)
    {
        return (m / 12) *
               diagonal(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y);
    }

    Simulation start(double h, double until, ContactSettings contact = {},
                     Formulation formulation = Formulation::maximal) const
    {
        RunSettings run;
        run.step.formulation = formulation;
        run.step.stabilisation = stabilisation;
        run.step.h = h;
        run.step.method = method;
        run.step.contact = contact;
        run.until = until;
        auto made = Simulation::start(built(builder), run);
        if (!made)
            FAIL(made.problems().text());
        return std::move(*made);
    }
};

/// How far apart two numbers are, relative to the second.
inline double relative(double a, double b)
{
    return std::abs(a - b) / std::abs(b);
}

inline void take_step(Simulation& simulation)
{
    if (const auto failure = simulation.step())
        FAIL(*failure);
}

inline void run_to_end(Simulation& simulation)
{
    while (!simulation.done())
        take_step(simulation);
    simulation.close_books();
}

inline double energy_of(const Simulation& simulation)
{
    const Placed placed = simulation.placed();
    double sum = stores_of(simulation.model(), placed).total();
    for (const PlacedBody& body : placed.bodies)
        sum += body.kinetic_energy();
    return sum;
}

/// A block is let go on a slope of 30°: how far it went in 2 s, and how far it should by
/// a = g (sin − μ cos), m.
struct Slid {
    double went, by_law;
};
inline Slid slide_of_block(TouchingWorld w, double mu, double h, Formulation formulation)
{
    const double slope = M_PI / 6;
    w.ground(slope);
    const Quat<double> q = exp_quat(V3{0, slope, 0});
    w.box("block", {1, 1, 0.5}, 3, {rotate(q, V3{0, 0, 0.25}), q});
    Simulation run = w.start(h, 2, {}, formulation);
    const V3 begin = run.placed().bodies[0].x;
    run_to_end(run);
    CHECK(run.ledger().balanced());
    const double a = std::max(0.0, 9.81 * (std::sin(slope) - mu * std::cos(slope)));
    return {norm(run.placed().bodies[0].x - begin), 0.5 * a * 4};
}

} // namespace poinsot
