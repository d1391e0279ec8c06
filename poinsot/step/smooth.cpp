// SPDX-License-Identifier: MIT
#include "poinsot/step/smooth.hpp"

#include "poinsot/contacts/press.hpp"
#include "poinsot/integrate/euler.hpp"
#include "poinsot/integrate/gauss.hpp"
#include "poinsot/integrate/joint_runge_kutta.hpp"
#include "poinsot/integrate/midpoint.hpp"
#include "poinsot/integrate/splitting.hpp"
#include "poinsot/integrate/stiff.hpp"
#include "poinsot/solve/redundancy.hpp"
#include "poinsot/step/contact_events.hpp"
#include "poinsot/step/declared.hpp"
#include "poinsot/step/impulsive.hpp"
#include "poinsot/step/stops.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace poinsot {

namespace {

Impulsive& impulsive_of(Workspace& w)
{
    if (!w.impulsive)
        w.impulsive = std::make_unique<Impulsive>(w.system.model);
    return *w.impulsive;
}

template <class Form>
StepReport advance(std::vector<Form>& bodies, State& state, const StepSettings& settings, double t,
                   double h, Workspace& w)
{
    System& system = w.system;
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
        return dormand_prince(system, bodies, t, h, state.substep, settings.tolerance, w.postings);
    case Method::splitting:
        return splitting(system, bodies, t, h, w.postings);
    case Method::gauss:
        return {0, "gauss works on joint coordinates: set formulation to reduced"};
    case Method::adams:
    case Method::bdf:
        return stiff_step(system, bodies, t, h, settings.method == Method::bdf, settings.tolerance,
                          w.postings);
    case Method::impulsive:
        return impulsive_of(w).pass(bodies, state, settings, t, h, w);
    }
    return {0, "no such method"};
}

/// The same for a linkage.
StepReport advance(JointMotion& y, State& state, const StepSettings& settings, double t, double h,
                   Workspace& w)
{
    JointSystem& system = *w.joints;
    switch (settings.method) {
    case Method::explicit_euler:
        return explicit_euler(system, y, t, h, w.postings);
    case Method::symplectic_euler:
        return symplectic_euler(system, y, t, h, w.postings);
    case Method::midpoint:
        return gauss2(system, y, t, h, w.postings);
    case Method::runge_kutta4:
        return runge_kutta4(system, y, t, h, w.postings);
    case Method::adaptive:
        return dormand_prince(system, y, t, h, state.substep, settings.tolerance, w.postings);
    case Method::gauss:
        return gauss8(system, y, t, h, w.postings);
    case Method::adams:
    case Method::bdf:
        return stiff_step(system, y, t, h, settings.method == Method::bdf, settings.tolerance,
                          w.postings);
    case Method::impulsive:
        return impulsive_of(w).pass(y, state, settings, t, h, w);
    default:
        return {0, "this method does not work on joint coordinates"};
    }
}

/// By what rows are told that repeat others where a step begins; 0: there are none. Where every
/// step ends with joints that are met, by less than where they drift, or were typed.
double tolerance_of_repeats(const State& start, const StepSettings& settings, const Workspace& w)
{
    if (!w.repeats && (!w.closes || start.standing.empty()))
        return 0;
    const bool drifts =
        settings.stabilisation == Stabilisation::none ||
        (settings.stabilisation == Stabilisation::baumgarte &&
         settings.formulation == Formulation::maximal && settings.method != Method::splitting) ||
        !steps_of_h(settings.method) || start.step == 0;
    return drifts ? TreeDirect::drift_tolerance : TreeDirect::repeat_tolerance;
}

/// Puts held points back where they belong and posts what that did, as stabilisation.
template <class Form>
void stabilise(std::vector<Form>& bodies, Workspace& w)
{
    const Model& model = w.system.model;
    if (!model.any_held())
        return;
    Placed& at = w.system.placed;
    place(model, std::span<const Form>(bodies), at);
    const Stores stored = w.postings.off() ? Stores{} : stores_of(model, at);
    for (const Correction& c : corrections(model, at, w.held_at)) {
        const auto i = static_cast<std::size_t>(c.body);
        const PlacedBody before = at.bodies[i];
        Form& y = bodies[i];
        y.x += c.dx;
        if constexpr (std::same_as<Form, VelocityForm<double>>)
            y.v += c.dv;
        else
            y.p += before.mass.m * c.dv;
        const PlacedBody after = placed(y, before.mass);
        at.bodies[i] = after;
        if (!w.postings.off())
            w.postings.post(c.body, Cause::stabilisation,
                            {after.p - before.p, zero3<double>(),
                             cross(after.x, after.p) - cross(before.x, before.p),
                             after.kinetic_energy() - before.kinetic_energy()});
    }
    if (!w.postings.off())
        w.postings.shift_stores(stores_of(model, at) - stored);
}

template <class Form>
void follow(const std::vector<PlacedBody>& placed, std::vector<Form>& bodies)
{
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PlacedBody& at = placed[i];
        bodies[i].x = at.x;
        if constexpr (std::same_as<Form, MatrixForm<double>>)
            bodies[i].attitude = at.R;
        else
            bodies[i].attitude = quat_of(at.R);
        if constexpr (std::same_as<Form, VelocityForm<double>>) {
            bodies[i].v = at.v;
            bodies[i].omega = at.omega;
        } else {
            bodies[i].p = at.p;
            bodies[i].L = at.L;
        }
    }
}

/// Where a projection put one body.
template <class Form>
void move_to(Form& y, const Projection& by)
{
    y.x += by.dx;
    if constexpr (std::same_as<Form, MatrixForm<double>>)
        y.attitude = matrix_of(by.turn) * y.attitude;
    else
        y.attitude = normalised(by.turn * y.attitude);
}

/// Puts joined bodies back where their joints want them at time t, and posts what that did. Returns
/// why it could not.
template <class Form>
const char* project_joints(std::vector<Form>& bodies, double t, Workspace& w)
{
    System& system = w.system;
    const Model& model = system.model;
    Placed& at = system.placed;
    place(model, std::span<const Form>(bodies), at);
    place_joints(model, system.joint_coordinates, at);
    system.before = at.bodies;
    const Stores stored = w.postings.off() ? Stores{} : stores_of(model, at);
    const ProjectionReport report = project_places(model, system.joint_coordinates, t, at,
                                                   system.bonds, w.projections, system.standing);
    if (!(report.error < run_away))
        return beyond_numbers;
    // A well-posed step leaves errors of the method's order, and Newton's iteration takes them to
    // rounding; what is left beyond a millionth is a contradiction.
    if (!(report.error < 1e-6))
        return "the joints cannot all be met: a mechanism that is stretched too far, or prescribed "
               "motions that contradict each other";
    for (std::size_t i = 0; i < bodies.size(); ++i)
        move_to(bodies[i], w.projections[i]);
    if constexpr (std::same_as<Form, VelocityForm<double>>) { // ω stayed where L did not
        place(model, std::span<const Form>(bodies), at);
        place_joints(model, system.joint_coordinates, at);
        bind_joints(model, at, t, system.bonds.rows, system.standing);
    }
    project_velocities(at, system.bonds, w.projections);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PlacedBody& before = system.before[i];
        const Projection& by = w.projections[i];
        push(bodies[i], by.impulse, before.mass);
        if (w.postings.off())
            continue;
        const PlacedBody after = placed(bodies[i], before.mass);
        const bool momenta = !std::same_as<Form, VelocityForm<double>>;
        w.postings.post(static_cast<int>(i), Cause::stabilisation,
                        {momenta ? by.impulse.F : after.p - before.p,
                         momenta ? by.impulse.tau : after.L - before.L,
                         cross(after.x, after.p) - cross(before.x, before.p),
                         after.kinetic_energy() - before.kinetic_energy()});
        at.bodies[i] = after;
    }
    if (w.postings.off())
        return nullptr;
    if (stored.rotor != 0) // is in the speeds, which have changed
        place_joints(model, system.joint_coordinates, at);
    w.postings.shift_stores(stores_of(model, at) - stored);
    return nullptr;
}

/// The coordinates of the joints where the bodies of a state are. Is everything in `placed` then?
bool measure_joints(const Model& model, State& state, Placed& placed)
{
    if (model.joints().empty())
        return false;
    place(model, state, placed);
    for (std::size_t j = 0; j < model.joints().size(); ++j)
        for (int k = 0; k < facts_of(model.joints()[j].kind).coordinates; ++k)
            state.joint_coordinates[static_cast<std::size_t>(model.first_coordinate(j) + k)] =
                placed.joints[j].q[static_cast<std::size_t>(k)];
    return true;
}

} // namespace

Workspace::Workspace(const Model& model, const Input& input, Postings::Detail detail)
    : system(model, input), postings(detail), closes(has_loops(model)), repeats(rows_repeat(model)),
      held_at(held_places(model))
{
    if (has_stops(model))
        stops = std::make_unique<Stops>(model, detail);
    system.loads.booked = detail != Postings::Detail::off;
    if (!model.tanks().empty() || !model.releases().empty() || !model.edges().empty())
        declared = std::make_unique<Declared>(model, detail);
}
Workspace::~Workspace() = default;

void follow_bodies(const std::vector<PlacedBody>& placed, State& state)
{
    std::visit([&](auto& bodies) { follow(placed, bodies); }, state.bodies);
}

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

std::optional<Formulation> formulation_named(std::string_view name)
{
    for (const Formulation one : {Formulation::maximal, Formulation::reduced})
        if (name_of(one) == name)
            return one;
    return std::nullopt;
}
std::string_view name_of(Formulation formulation)
{
    return formulation == Formulation::maximal ? "maximal" : "reduced";
}

std::optional<Stabilisation> stabilisation_named(std::string_view name)
{
    for (const Stabilisation one :
         {Stabilisation::none, Stabilisation::baumgarte, Stabilisation::projection})
        if (name_of(one) == name)
            return one;
    return std::nullopt;
}
std::string_view name_of(Stabilisation stabilisation)
{
    switch (stabilisation) {
    case Stabilisation::none:
        return "none";
    case Stabilisation::baumgarte:
        return "baumgarte";
    case Stabilisation::projection:
        return "projection";
    }
    return "";
}

State start_of(const Model& model, FormKind form, Formulation formulation)
{
    State state = form == FormKind::velocity ? start_of<VelocityForm<double>>(model)
                  : form == FormKind::matrix ? start_of<MatrixForm<double>>(model)
                                             : start_of<MomentumForm<double>>(model);
    if (formulation == Formulation::reduced) {
        const Coordinates start = start_coordinates(linkage_of(model), model);
        state.joints.q = start.q;
        state.joints.v = start.v;
    }
    return state;
}

State state_at(const Model& model, const Linkage& linkage, FormKind form, Formulation formulation,
               std::span<const double> q, std::span<const double> v)
{
    Placed placed;
    LinkageSpace<double> w(linkage);
    place_bodies(linkage, model, q, v, placed, w);
    State state = start_of(model, form);
    follow_bodies(placed.bodies, state);
    for (const Link& link : linkage.links) // which turn an angle is in, its pose does not say
        if (link.joint != Tree::none && freedoms_of(link.op) == 1)
            state.joint_coordinates[static_cast<std::size_t>(
                model.first_coordinate(static_cast<std::size_t>(link.joint)) + link.coordinate)] =
                q[static_cast<std::size_t>(link.q)];
    measure_joints(model, state, placed);
    state.rotors = rotors_at_start(model, placed.bodies);
    if (formulation == Formulation::reduced) {
        state.joints.q.assign(q.begin(), q.end());
        state.joints.v.assign(v.begin(), v.end());
    }
    return state;
}

bool make_press(System& system, const StepSettings& settings)
{
    const ContactSettings& contact = settings.contact;
    const bool needed =
        contact.response == ContactResponse::penalty && !system.model.skins().empty();
    if (needed ? system.press && system.press->settings() == contact.press &&
                     system.press->h() == settings.h
               : !system.press)
        return false;
    system.press.reset();
    if (needed)
        system.press = std::make_unique<Press>(system.model, contact.press, settings.h,
                                               steps_of_h(settings.method));
    return true;
}

StepReport smooth_step(State& state, const StepSettings& settings, Workspace& w)
{
    const double h = settings.h;
    const double t = static_cast<double>(state.step) * h;
    w.system.active_at = t + 0.5 * h;
    w.system.renormalise = settings.renormalise;
    w.system.baumgarte.reset();
    if (!w.system.model.joints().empty() && settings.stabilisation == Stabilisation::baumgarte)
        w.system.baumgarte = settings.baumgarte();
    if (make_press(w.system, settings))
        w.joints.reset(); // which knows whether loads come from it
    if (settings.formulation == Formulation::reduced && !w.joints)
        w.joints = std::make_unique<JointSystem>(w.system);
    State& next = w.next;
    next = state;
    w.placed_at_end = false;
    const StepReport report = part_of_step(next, settings, t, h, w);
    if (report.failure || w.events || w.stops || w.declared || w.system.press)
        w.placed_at_end = false; // these look elsewhere afterwards
    if (report.failure)
        return report;
    ++next.step;
    std::swap(state, next);
    return report;
}

StepReport part_of_step(State& next, const StepSettings& settings, double t, double h, Workspace& w)
{
    if (w.system.press) {
        place(w.system.model, next, w.system.placed);
        w.system.press->begin(w.system.placed, next.pressed);
    }
    const bool touches =
        !w.system.model.skins().empty() && !w.system.press && settings.method != Method::impulsive;
    if (touches && !w.events)
        w.events = std::make_unique<ContactEvents>(w.system.model, w.postings.detail());
    StepSettings part = settings;
    part.h = h;
    StepReport report = touches                            ? w.events->pass(next, part, t, w)
                        : w.stops && takes_stops(settings) ? w.stops->pass(next, part, t, w)
                                                           : flow(next, settings, t, h, w);
    if (!report.failure && w.system.press) {
        place(w.system.model, next, w.system.placed);
        w.system.press->end(w.system.placed, next.pressed);
        report.failure = w.system.press->too_stiff();
    }
    return report;
}

StepReport flow(State& next, const StepSettings& settings, double t, double h, Workspace& w)
{
    if (settings.method == Method::impulsive)
        impulsive_of(w).begin_step();
    return w.declared ? w.declared->pass(next, settings, t, h, w)
                      : flow_steadily(next, settings, t, h, w);
}

StepReport flow_steadily(State& next, const StepSettings& settings, double t, double h,
                         Workspace& w)
{
    w.system.joint_coordinates = next.joint_coordinates;
    w.system.standing = next.standing;
    const bool reduced = settings.formulation == Formulation::reduced;
    w.system.ask_rates(settings.method == Method::runge_kutta4 ||
                           settings.method == Method::adaptive,
                       !reduced && !std::holds_alternative<VelocityBodies>(next.bodies));
    w.system.start_rotors(next.rotors, t);
    w.system.start_tanks(next.tanks, next.flowing, t);
    w.system.start_joints(next.released);
    const bool project =
        !w.system.model.joints().empty() && settings.stabilisation == Stabilisation::projection &&
        settings.method != Method::splitting; // whose flights end where joints hold
    w.system.repeat_tolerance = tolerance_of_repeats(next, settings, w);
    const StepReport report = std::visit(
        [&](auto& bodies) {
            w.postings.clear(bodies.size());
            if (reduced) {
                w.joints->decide_rows(next.joints.q, next.joints.v, t);
                StepReport made = advance(next.joints, next, settings, t, h, w);
                w.joints->weigh(t + h);
                const bool puts_back = settings.stabilisation != Stabilisation::none;
                if (!made.failure && puts_back)
                    made.failure = w.joints->project(next.joints, t + h, w.postings);
                w.joints->forget_rows();
                if (!made.failure) {
                    // Who has posted what putting back did has placed the bodies.
                    if (!puts_back || !w.joints->has_rows() || w.postings.off())
                        w.joints->place_bodies(next.joints.q, next.joints.v);
                    follow(w.system.placed.bodies, bodies);
                }
                return made;
            }
            w.system.decide_rows(std::span(std::as_const(bodies)), t);
            StepReport made = advance(bodies, next, settings, t, h, w); // where does it go?
            w.system.weigh(t + h);
            if (!made.failure)
                stabilise(bodies, w);
            if (!made.failure && project)
                made.failure = project_joints(bodies, t + h, w);
            w.system.bonds.decide_anew();
            return made;
        },
        next.bodies);
    if (report.failure)
        return report;
    w.system.advance_rotors(t + h);
    next.rotors = w.system.rotors;
    w.system.contents_at(t + h, next.tanks);
    w.system.shares_now(t + h, next.shares);
    // The methods on momenta take a microsecond per link, which measuring would double: they have
    // the coordinates of the tree, and take no loops.
    const std::vector<Joint>& joints = w.system.model.joints();
    const std::vector<int>& rows = w.system.model.tree().rows;
    const bool all_named = std::none_of(rows.begin(), rows.end(), [&](int j) {
        return only_measures(joints[static_cast<std::size_t>(j)].kind);
    });
    if (reduced && all_named &&
        (settings.method == Method::gauss || settings.method == Method::midpoint))
        w.joints->named_coordinates(next.joints.q, next.joint_coordinates);
    else
        w.placed_at_end = measure_joints(w.system.model, next, w.system.placed);
    return report;
}

} // namespace poinsot
