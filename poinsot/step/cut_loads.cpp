// SPDX-License-Identifier: MIT
#include "poinsot/step/cut_loads.hpp"

#include "poinsot/forces/bushing_force.hpp"
#include "poinsot/forces/thrust.hpp"

namespace poinsot {

namespace {

/// A wrench on what lies beyond, about the middle of the cut, in the axes of the cut.
SectionLoad section_load(const Mat3<double>& R, const Wrench<double>& W)
{
    const Vec3<double> F = transpose_times(R, W.F), tau = transpose_times(R, W.tau);
    return {-F.z, F.x, F.y, tau.x, tau.y, tau.z};
}

Vessel vessel_beyond(const Model& model, const Cut& cut)
{
    if (cut.of != Cut::Of::body)
        return {};
    std::vector<Tank> tanks = model.tanks(); // others are in no body
    for (Tank& tank : tanks)
        if (tank.body != cut.index || side_of(tank, cut.frame) != CutSide::beyond)
            tank.body = world;
    Vessel made;
    for (const Vessel& one : vessels_of(tanks, model.flows()))
        if (one.body == cut.index)
            made = one;
    made.body = cut.index;
    made.dry = {cut.beyond.mass, triple_of(cut.beyond.center), sym_triple_of(cut.beyond.inertia)};
    return made;
}

} // namespace

CutLoads::CutLoads(const Model& model, const StepSettings& settings, const Input& input)
    : model_(model), acting_(model, settings, input)
{
    acting_.keep_points();
    for (const Cut& cut : model.cuts())
        beyond_.push_back(vessel_beyond(model, cut));
}

void CutLoads::look(const State& state, const Answered& answered)
{
    acting_.look(state, answered);
    cut();
}

void CutLoads::look_at(const State& state, double t, double active_at, const Answered& answered)
{
    acting_.look_at(state, t, active_at, answered);
    cut();
}

void CutLoads::cut()
{
    const Placed& placed = acting_.placed();
    loads_.clear();
    for (std::size_t k = 0; k < model_.cuts().size(); ++k) {
        const Cut& cut = model_.cuts()[k];
        const auto i = static_cast<std::size_t>(cut.index);
        switch (cut.of) {
        case Cut::Of::body:
            loads_.push_back(through_body(k));
            break;
        case Cut::Of::joint:
            loads_.push_back(section_load(placed.joints[i].R_b, acting_.through(i)));
            break;
        case Cut::Of::bushing: {
            const BushingLoad load = bushing_load(model_.bushings()[i], placed);
            loads_.push_back(section_load(load.R, load.on_b));
            break;
        }
        }
    }
}

SectionLoad CutLoads::through_body(std::size_t k) const
{
    const Cut& cut = model_.cuts()[k];
    const Placed& placed = acting_.placed();
    const auto b = static_cast<std::size_t>(cut.index);
    const PlacedBody& body = placed.bodies[b];
    BodyMass part{};
    MassRate rate;
    weigh_part(beyond_[k], placed.weighed.contents, placed.weighed.flowing, part, rate);

    const Vec3<double> at = body.lever(cut.frame.x);
    const Mat3<double> R = body.R * matrix_of(cut.frame.q);
    const Vec3<double> across = R * Vec3<double>{0, 0, 1};
    const auto beyond = [&](const Vec3<double>& r) { return dot(r - at, across) > 0; };
    for (const Rotor& rotor : model_.rotors()) // what spins freely does not turn with the part
        if (rotor.body == cut.index && !rotor.prescribed() &&
            beyond(rotor.at ? body.lever(*rotor.at) : zero3<double>()))
            part.I_b = part.I_b - rotor.inertia * square(rotor.axis);

    // How the body accelerates under all that acts.
    Wrench<double> all{zero3<double>(), zero3<double>()};
    for (std::size_t c = 0; c < cause_count; ++c)
        all = all + acting_.on(b, static_cast<Cause>(c));
    const Sym3<double> I = body.inertia();
    const Vec3<double> a = body.mass.inv_m * all.F;
    const Vec3<double> omega_dot =
        apply_in_body(body.R, body.mass.inv_I_b, all.tau - cross(body.omega, I * body.omega));

    // What the part beyond needs for that, about its centre.
    const Vec3<double> d = body.lever(part.center);
    const Sym3<double> I_part = congruent(body.R, part.I_b);
    const Vec3<double> w = body.omega;
    Wrench<double> W{part.m * (a + cross(omega_dot, d) + cross(w, cross(w, d))),
                     I_part * omega_dot + cross(w, I_part * w)};

    // Less what acts on it.
    W.F -= (part.m * body.mass.inv_m) * acting_.on(b, Cause::gravity).F;
    for (const PointLoad& load : acting_.points())
        if (load.body == cut.index && load.cause != Cause::gravity && load.cause != Cause::thrust &&
            beyond(load.r))
            W = W - shift(load.wrench, d);
    if (part.flows) {
        const Wrench<double> push = felt(rate, transpose_times(body.R, w));
        W = W - Wrench<double>{body.R * push.F, body.R * push.tau};
    }
    W = shift(W, at - d); // about the middle of the cut
    return section_load(R, W);
}

} // namespace poinsot
