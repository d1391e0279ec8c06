// SPDX-License-Identifier: MIT
#include "poinsot/step/cut_loads.hpp"

#include "poinsot/forces/bushing_force.hpp"

namespace poinsot {

namespace {

/// A wrench on what lies beyond, about the middle of the cut, in the axes of the cut.
SectionLoad section_load(const Mat3<double>& R, const Wrench<double>& W)
{
    const Vec3<double> F = transpose_times(R, W.F), tau = transpose_times(R, W.tau);
    return {-F.z, F.x, F.y, tau.x, tau.y, tau.z};
}

} // namespace

CutLoads::CutLoads(const Model& model, const StepSettings& settings, const Input& input)
    : model_(model), acting_(model, settings, input)
{
    acting_.keep_points();
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
    for (const Cut& cut : model_.cuts()) {
        const auto i = static_cast<std::size_t>(cut.index);
        switch (cut.of) {
        case Cut::Of::body:
            loads_.push_back(through_body(cut));
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

SectionLoad CutLoads::through_body(const Cut& cut) const
{
    const Placed& placed = acting_.placed();
    const auto b = static_cast<std::size_t>(cut.index);
    const PlacedBody& body = placed.bodies[b];
    const MassProperties& part = cut.beyond;

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
    const Sym3<double> I_part = congruent(body.R, part.inertia);
    const Vec3<double> w = body.omega;
    Wrench<double> W{part.mass * (a + cross(omega_dot, d) + cross(w, cross(w, d))),
                     I_part * omega_dot + cross(w, I_part * w)};

    // Less what acts on it.
    const Vec3<double> at = body.lever(cut.frame.x);
    const Mat3<double> R = body.R * matrix_of(cut.frame.q);
    const Vec3<double> across = R * Vec3<double>{0, 0, 1};
    const auto beyond = [&](const Vec3<double>& r) { return dot(r - at, across) > 0; };
    W.F -= (part.mass * body.mass.inv_m) * acting_.on(b, Cause::gravity).F;
    for (const PointLoad& load : acting_.points())
        if (load.body == cut.index && load.cause != Cause::gravity && beyond(load.r))
            W = W - shift(load.wrench, d);
    W = shift(W, at - d); // about the middle of the cut
    return section_load(R, W);
}

} // namespace poinsot
