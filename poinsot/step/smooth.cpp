// SPDX-License-Identifier: MIT
#include "poinsot/step/smooth.hpp"

#include "poinsot/integrate/euler.hpp"
#include "poinsot/integrate/midpoint.hpp"
#include "poinsot/integrate/splitting.hpp"
#include "poinsot/integrate/stiff.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// The adaptive method stops at every moment at which a load begins or ends, and starts afresh.
template <class Form>
StepReport adaptive_between_edges(Workspace& w, std::vector<Form>& bodies, double t, double h,
                                  double& substep, const Tolerance& tolerance)
{
    const auto edge_inside = [&](double edge) { return edge > t && edge < t + h; };
    std::vector<double> stops{t};
    for (const AppliedLoad& load : w.system.model.loads())
        for (const double edge : {load.from, load.until})
            if (edge_inside(edge))
                stops.push_back(edge);
    stops.push_back(t + h);
    std::sort(stops.begin(), stops.end());
    StepReport all{0, nullptr};
    for (std::size_t i = 0; i + 1 < stops.size() && !all.failure; ++i) {
        const double from = stops[i];
        const double length = stops.size() == 2 ? h : stops[i + 1] - from;
        if (!(length > 0))
            continue;
        w.system.active_at = from + 0.5 * length;
        if (i > 0)
            substep = 0; // the loads have jumped: what went before says nothing
        const StepReport one =
            dormand_prince(w.system, bodies, from, length, substep, tolerance, w.postings);
        all.evaluations += one.evaluations;
        all.failure = one.failure;
        all.interrupted = one.interrupted;
    }
    return all;
}

template <class Form>
StepReport advance(std::vector<Form>& bodies, State& state, const StepSettings& settings, double t,
                   Workspace& w)
{
    System& system = w.system;
    const double h = settings.h;
    switch (settings.method) {
    case Method::explicit_euler:
        return explicit_euler(system, bodies, t, h, w.postings);
    case Method::symplectic_euler:
        return symplectic_euler(system, bodies, t, h, w.postings);
    case Method::second_order:
        return second_order_position(system, bodies, t, h, w.postings);
    case Method::body_frame:
        if constexpr (std::same_as<Form, VelocityForm<double>>)
            return body_frame_procedure(system, bodies, t, h, w.postings);
        else
            return {0, "the body-frame procedure needs the velocity form"};
    case Method::midpoint:
        return midpoint(system, bodies, t, h, w.postings);
    case Method::runge_kutta4:
        return runge_kutta4(system, bodies, t, h, w.postings);
    case Method::adaptive:
        return adaptive_between_edges(w, bodies, t, h, state.substep, settings.tolerance);
    case Method::splitting:
        return splitting(system, bodies, t, h, w.postings);
    case Method::adams:
    case Method::bdf:
        return stiff_step(system, bodies, t, h, settings.method == Method::bdf, settings.tolerance,
                          w.postings);
    }
    return {0, "no such method"};
}

/// Puts held points back where they belong and posts what that did, as stabilisation.
template <class Form>
void stabilise(std::vector<Form>& bodies, Workspace& w)
{
    const Model& model = w.system.model;
    if (!model.any_held())
        return;
    place(model, std::span<const Form>(bodies), w.system.placed);
    for (const Correction& c : corrections(model, w.system.placed, w.held_at)) {
        const auto i = static_cast<std::size_t>(c.body);
        const PlacedBody before = w.system.placed.bodies[i];
        Form& y = bodies[i];
        y.x += c.dx;
        if constexpr (std::same_as<Form, VelocityForm<double>>)
            y.v += c.dv;
        else
            y.p += before.mass.m * c.dv;
        const PlacedBody after = placed(y, before.mass);
        if (!w.postings.off())
            w.postings.post(c.body, Cause::stabilisation,
                            {after.p - before.p, zero3<double>(),
                             cross(after.x, after.p) - cross(before.x, before.p),
                             after.kinetic_energy() - before.kinetic_energy()});
    }
}

/// The coordinates of the joints where the step has ended.
void measure_joints(State& state, Workspace& w)
{
    const Model& model = w.system.model;
    if (model.joints().empty())
        return;
    w.system.placed = place(model, state);
    for (std::size_t j = 0; j < model.joints().size(); ++j)
        for (int k = 0; k < facts_of(model.joints()[j].kind).coordinates; ++k)
            state.joint_coordinates[static_cast<std::size_t>(model.first_coordinate(j) + k)] =
                w.system.placed.joints[j].q[static_cast<std::size_t>(k)];
}

} // namespace

const MethodFacts& facts_of(Method method)
{
    return *std::find_if(methods.begin(), methods.end(),
                         [&](const MethodFacts& f) { return f.method == method; });
}
std::optional<Method> method_named(std::string_view name)
{
    for (const MethodFacts& f : methods)
        if (f.name == name)
            return f.method;
    return std::nullopt;
}
std::optional<FormKind> form_named(std::string_view name)
{
    for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
        if (name_of(form) == name)
            return form;
    return std::nullopt;
}
std::string_view name_of(FormKind form)
{
    switch (form) {
    case FormKind::momentum:
        return MomentumForm<double>::name;
    case FormKind::velocity:
        return VelocityForm<double>::name;
    case FormKind::matrix:
        return MatrixForm<double>::name;
    }
    return "";
}

State start_of(const Model& model, FormKind form)
{
    switch (form) {
    case FormKind::velocity:
        return start_of<VelocityForm<double>>(model);
    case FormKind::matrix:
        return start_of<MatrixForm<double>>(model);
    case FormKind::momentum:
        break;
    }
    return start_of<MomentumForm<double>>(model);
}

Problems unfit(const Model& model, const StepSettings& settings)
{
    Problems found;
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at("run", key, parts...);
    };
    if (!(settings.h > 0) || !std::isfinite(settings.h))
        wrong("step", "step must be positive and finite, is ", settings.h);
    if (settings.method == Method::body_frame && settings.form != FormKind::velocity)
        wrong("integrator", "integrator body_frame is a procedure about velocities: "
                            "set state_form to velocity");
    if (settings.method == Method::splitting && model.any_held())
        wrong("integrator", "integrator splitting flies bodies freely between kicks, so it cannot "
                            "hold a point of one: use runge_kutta4, midpoint or adaptive");
    if (!(settings.tolerance.relative > 0) || !(settings.tolerance.absolute >= 0))
        wrong(settings.tolerance.relative > 0 ? "tolerance.absolute" : "tolerance.relative",
              "tolerance must be positive");
    if ((settings.method == Method::adams || settings.method == Method::bdf) && !stiff_available())
        wrong("integrator", "integrator ", facts_of(settings.method).name,
              " needs SUNDIALS, and this program was built without");
    return found;
}

StepReport smooth_step(State& state, const StepSettings& settings, Workspace& w)
{
    const double h = settings.h;
    const double t = static_cast<double>(state.step) * h;
    w.system.active_at = t + 0.5 * h;
    w.system.renormalise = settings.renormalise;
    w.system.joint_coordinates = state.joint_coordinates;
    State& next = w.next;
    next = state;
    const StepReport report = std::visit(
        [&](auto& bodies) {
            w.postings.clear(bodies.size());
            const StepReport made = advance(bodies, next, settings, t, w); // where does it go?
            if (!made.failure)
                stabilise(bodies, w);
            return made;
        },
        next.bodies);
    if (report.failure)
        return report;
    measure_joints(next, w);
    ++next.step;
    std::swap(state, next);
    return report;
}

} // namespace poinsot
