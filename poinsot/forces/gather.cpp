// SPDX-License-Identifier: MIT
#include "poinsot/forces/gather.hpp"

#include "poinsot/forces/aero.hpp"
#include "poinsot/forces/bushing_force.hpp"
#include "poinsot/forces/control_now.hpp"
#include "poinsot/forces/drag.hpp"
#include "poinsot/forces/gravity.hpp"
#include "poinsot/forces/gyrostat.hpp"
#include "poinsot/forces/joint_law.hpp"
#include "poinsot/forces/spring.hpp"
#include "poinsot/forces/thrust.hpp"
#include "poinsot/model/velocity_dependence.hpp"

namespace poinsot {

namespace {

/// An anchor where it is now: its place, its velocity, and its lever from the centre of mass.
struct PlacedAnchor {
    Vec3<double> place, velocity, lever;
};
PlacedAnchor placed_anchor(const Anchor& anchor, const Placed& placed)
{
    if (anchor.body == world)
        return {anchor.point, zero3<double>(), zero3<double>()};
    const PlacedBody& body = placed.bodies[static_cast<std::size_t>(anchor.body)];
    const Vec3<double> r = body.lever(anchor.point);
    return {body.x + r, body.v + cross(body.omega, r), r};
}

void add_gravity(const Model& model, const Placed& placed, Loads& out)
{
    const Gravity& gravity = model.gravity();
    const int count = static_cast<int>(placed.bodies.size());
    if (gravity.uniform != zero3<double>())
        for (int i = 0; i < count; ++i) {
            const double m = placed.bodies[static_cast<std::size_t>(i)].mass.m;
            out.add_force(i, Cause::gravity, zero3<double>(), m * gravity.uniform);
        }
    if (model.planet().mu > 0)
        for (int i = 0; i < count; ++i) {
            const PlacedBody& body = placed.bodies[static_cast<std::size_t>(i)];
            out.add_force(i, Cause::gravity, zero3<double>(),
                          body.mass.m * gravitation(model.planet(), body.x));
        }
    if (gravity.G == 0)
        return;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j) {
            const PlacedBody& a = placed.bodies[static_cast<std::size_t>(i)];
            const PlacedBody& b = placed.bodies[static_cast<std::size_t>(j)];
            const Vec3<double> F = attraction(gravity.G, a.mass.m, b.mass.m, b.x - a.x);
            out.add_force(i, Cause::gravity, zero3<double>(), F);
            out.add_force(j, Cause::gravity, zero3<double>(), -F);
        }
}

void add_springs(const Model& model, const Placed& placed, Loads& out)
{
    for (const Spring& s : model.springs()) {
        const PlacedAnchor a = placed_anchor(s.a, placed), b = placed_anchor(s.b, placed);
        const auto F = spring_force(s.stiffness, s.damping, s.rest_length, b.place - a.place,
                                    b.velocity - a.velocity);
        const auto pull = [&](Cause cause, const Vec3<double>& f) {
            if (s.a.body != world)
                out.add_force(s.a.body, cause, a.lever, f);
            if (s.b.body != world)
                out.add_force(s.b.body, cause, b.lever, -f);
        };
        if (s.stiffness > 0)
            pull(Cause::spring, F.elastic);
        if (s.damping > 0)
            pull(Cause::damper, F.viscous);
    }
}

void add_joint_laws(const Model& model, const Placed& placed, const Input& input, double t,
                    Loads& out)
{
    for (std::size_t j = 0; j < model.joints().size(); ++j)
        for (std::size_t k = 0; k < model.joints()[j].laws.size() && placed.holds(j); ++k) {
            const CoordinateLaw& law = model.joints()[j].laws[k];
            const double q = placed.joints[j].q[k], speed = placed.joints[j].speed[k];
            const auto act = [&](Cause cause, double Q) {
                add_along(model, placed, j, static_cast<int>(k), cause, Q, out);
            };
            if (law.stiffness > 0)
                act(Cause::spring, -law.stiffness * (q - law.rest));
            const bool rubs = law.friction > 0 && !(out.drives_bind && rubs_as_row(law));
            if (law.damping > 0 || rubs)
                act(Cause::damper,
                    -law.damping * speed - (rubs ? friction_force(law, speed) : 0.0));
            if (law.motor && !(out.drives_bind && drives_as_row(law)))
                act(Cause::motor, motor_force(*law.motor, q, speed, t));
        }
    for (const StepJointForce& force : input.joint_forces)
        if (const auto j = static_cast<std::size_t>(force.joint); placed.holds(j))
            add_along(model, placed, j, force.coordinate, Cause::motor, force.Q, out);
}

void add_applied(const Model& model, const Placed& placed, const Input& input, double t,
                 double active_at, Loads& out)
{
    for (const AppliedLoad& load : model.loads()) {
        if (active_at < load.from || active_at >= load.until)
            continue;
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(load.body)];
        Vec3<double> F = load.body_axes ? body.R * load.force : load.force;
        Vec3<double> tau = load.body_axes ? body.R * load.torque : load.torque;
        if (load.control >= 0) {
            const double share = ControlsNow{&model.controls(), &input, t}[load.control];
            F = share * F;
            tau = share * tau;
        }
        const Vec3<double> r = body.lever(load.point);
        out.add(load.body, Cause::applied, {F, tau + cross(r, F)}, r);
    }
    for (const StepLoad& load : input.loads)
        out.add(load.body, Cause::applied, load.wrench);
    if (input.user_force)
        input.user_force(placed, t, out);
}

} // namespace

void Loads::clear(std::size_t bodies)
{
    parts.clear();
    drives.clear();
    points.clear();
    along.clear();
    carried.clear();
    changes.clear();
    total.assign(bodies, {zero3<double>(), zero3<double>()});
}

void Loads::add_reaction(int body, Cause cause, const Wrench<double>& wrench)
{
    put(body, cause, wrench);
    if (keep_points)
        points.emplace_back(std::nullopt);
}

void Loads::carry()
{
    for (const LoadPart& part : carried) {
        Wrench<double>& sum = total[static_cast<std::size_t>(part.body)];
        sum = sum + part.wrench;
    }
}

void add_along(const Model& model, const Placed& placed, std::size_t j, int k, Cause cause,
               double Q, Loads& out)
{
    const Joint& joint = model.joints()[j];
    const PlacedJoint& at = placed.joints[j];
    const CoordinateAxis axis = coordinate_axis(joint.kind, at, k);
    const auto push = [&](int body, double sign) {
        if (body == world)
            return;
        const Vec3<double> push = (sign * Q) * axis.n;
        const Vec3<double> r = at.x_b - placed.bodies[static_cast<std::size_t>(body)].x;
        if (axis.turns)
            out.add(body, cause, {zero3<double>(), push}, r);
        else
            out.add_force(body, cause, r, push);
    };
    push(joint.a, -1);
    push(joint.b, 1);
    if (out.keep_points)
        out.along.push_back({j, axis.turns ? Wrench<double>{zero3<double>(), Q * axis.n}
                                           : Wrench<double>{Q * axis.n, zero3<double>()}});
}

void gather_loads(const Model& model, const Placed& placed, const Input& input, double t,
                  double active_at, Loads& out)
{
    out.clear(placed.bodies.size());
    add_gravity(model, placed, out);
    add_springs(model, placed, out);
    add_bushings(model, placed, out);
    for (const Drag& d : model.drags()) {
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(d.body)];
        const Vec3<double> r = d.point ? body.lever(*d.point) : zero3<double>();
        const Vec3<double> v = d.point ? body.v + cross(body.omega, r) : body.v;
        out.add_force(d.body, Cause::drag, r, drag_force(d.linear, d.quadratic, v));
    }
    for (const Aerodynamics& a : model.aerodynamics()) {
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(a.body)];
        out.add(a.body, Cause::drag,
                aerodynamic_load(a, model.planet(), model.air(), body, t,
                                 {&model.controls(), &input, t}),
                body.lever(a.frame.x));
    }
    add_rotors(model, placed, input, t, active_at, out);
    add_thrust(model, placed, {&model.controls(), &input, t}, out);
    add_joint_laws(model, placed, input, t, out);
    add_applied(model, placed, input, t, active_at, out);
}

Stores stores_of(const Model& model, const Placed& placed)
{
    Stores stores;
    const Gravity& gravity = model.gravity();
    for (const PlacedBody& body : placed.bodies)
        stores.gravity -= body.mass.m * dot(gravity.uniform, body.x);
    if (model.planet().mu > 0)
        for (const PlacedBody& body : placed.bodies)
            stores.gravity += body.mass.m * gravitational_potential(model.planet(), body.x);
    if (gravity.G != 0)
        for (std::size_t i = 0; i < placed.bodies.size(); ++i)
            for (std::size_t j = i + 1; j < placed.bodies.size(); ++j) {
                const PlacedBody &a = placed.bodies[i], &b = placed.bodies[j];
                stores.gravity += attraction_energy(gravity.G, a.mass.m, b.mass.m, b.x - a.x);
            }
    for (const Spring& s : model.springs()) {
        const PlacedAnchor a = placed_anchor(s.a, placed), b = placed_anchor(s.b, placed);
        stores.spring += spring_energy(s.stiffness, s.rest_length, b.place - a.place);
    }
    stores.spring += bushing_store(model, placed);
    for (std::size_t j = 0; j < model.joints().size() && model.joints_have_stores(); ++j)
        for (std::size_t k = 0; k < model.joints()[j].laws.size() && placed.holds(j); ++k) {
            const CoordinateLaw& law = model.joints()[j].laws[k];
            if (law.stiffness == 0 && law.armature == 0)
                continue;
            const double stretch = placed.joints[j].q[k] - law.rest;
            const double speed = placed.joints[j].speed[k];
            stores.spring += 0.5 * law.stiffness * stretch * stretch;
            stores.rotor += 0.5 * law.armature * speed * speed;
        }
    stores.rotor += rotor_energy(model, placed);
    return stores;
}

} // namespace poinsot
