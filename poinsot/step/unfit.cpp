// SPDX-License-Identifier: MIT
// Which settings do not fit which model, and why.
#include "poinsot/constraints/bind.hpp"
#include "poinsot/contacts/press.hpp"
#include "poinsot/integrate/stiff.hpp"
#include "poinsot/step/contact_events.hpp"
#include "poinsot/step/smooth.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// Which methods cannot step through a contact of springs?
void unfit_press(Method method, Problems& found)
{
    const auto wrong = [&](const char* why) {
        found.add_at("run", "integrator", "integrator ", facts_of(method).name, why,
                     "; use symplectic_euler, splitting, runge_kutta4, adaptive or impulsive");
    };
    if (method == Method::explicit_euler || method == Method::second_order ||
        method == Method::body_frame)
        wrong(" gains energy in every spring, so that what presses flies off");
    if (method == Method::midpoint || method == Method::gauss)
        wrong(" seeks loads by repetition, which fails where a contact begins within a step");
}

/// Surfaces that touch, in a step by accelerations.
void unfit_for_contact(const Model& model, const StepSettings& settings, Problems& found)
{
    const std::string_view name = facts_of(settings.method).name;
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at("run", key, parts...);
    };
    if (!takes_contacts(settings.method))
        wrong("integrator", "integrator ", name,
              " lets surfaces pass through each other: use impulsive, or runge_kutta4, adaptive or "
              "splitting, which find impacts in time, let them answer with 'contact: {response: "
              "penalty}', or leave the surfaces out");
    else if (settings.method == Method::splitting && !model.joints().empty())
        wrong("integrator", "integrator splitting keeps joints together by itself, and cannot let "
                            "surfaces rest on each other meanwhile: use runge_kutta4 or adaptive, "
                            "which find impacts in time, or impulsive");
    if (!model.tanks().empty())
        wrong("integrator", "integrator ", name,
              " does not find impacts in time while mass varies: let surfaces answer with "
              "'contact: {response: penalty}', or leave them out");
    else if (!model.releases().empty())
        wrong("integrator", "integrator ", name,
              " does not find impacts in time while joints let go: use impulsive, let surfaces "
              "answer with 'contact: {response: penalty}', or leave them out");
    if (model.any_held())
        wrong("integrator",
              "surfaces cannot touch where a point of a body is held, with "
              "integrator ",
              name, ": replace held by a ball joint with the world");
    if (!model.joints().empty() && settings.stabilisation == Stabilisation::baumgarte)
        wrong("stabilisation", "baumgarte pulls joints together while surfaces rest on each other: "
                               "use projection");
}

/// In reduced coordinates.
bool needs_tree(Method method)
{
    return method == Method::gauss || method == Method::midpoint;
}
std::string work_with_loops()
{
    std::string fit;
    for (const MethodFacts& f : methods)
        if (f.in_reduced && !needs_tree(f.method) && f.method != Method::impulsive)
            fit += text_of(fit.empty() ? "" : ", ", f.name);
    return fit;
}

} // namespace

Formulation formulation_for(const Model& model, StepSettings settings)
{
    const Formulation first = settings.formulation;
    const std::size_t wrong = unfit(model, settings).list().size();
    settings.formulation =
        first == Formulation::reduced ? Formulation::maximal : Formulation::reduced;
    return wrong == 0 || wrong <= unfit(model, settings).list().size() ? first
                                                                       : settings.formulation;
}

Method unnamed_method_in(Formulation formulation, Method method)
{
    const MethodFacts& facts = facts_of(method);
    const bool works = formulation == Formulation::maximal ? facts.in_maximal : facts.in_reduced;
    return works ? method : Method::runge_kutta4;
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
    if (settings.method == Method::splitting) {
        const auto cannot = [&](const Joint& joint, const char* what) {
            wrong("integrator", "integrator splitting flies bodies freely between kicks, so it ",
                  what, " (joint '", joint.name, "'): use runge_kutta4, midpoint or adaptive");
        };
        for (const Joint& joint : model.joints()) {
            if (joint.kind == JointKind::rolling)
                cannot(joint, "cannot let a disc roll");
            if (std::any_of(joint.laws.begin(), joint.laws.end(),
                            [](const CoordinateLaw& law) { return law.armature > 0; }))
                cannot(joint, "does not carry the inertia of a drive");
        }
        if (!model.joints().empty() && settings.stabilisation == Stabilisation::baumgarte)
            wrong("stabilisation",
                  "splitting keeps joints together by itself: leave baumgarte out");
    }
    const bool press = settings.contact.response == ContactResponse::penalty;
    if (!model.skins().empty() && settings.method != Method::impulsive && !press)
        unfit_for_contact(model, settings, found);
    if (!model.skins().empty() && press) {
        unfit_press(settings.method, found);
        inspect_press(model, settings.contact.press, settings.h, steps_of_h(settings.method),
                      found);
    }
    if (settings.method == Method::impulsive && model.any_held())
        wrong("integrator", "integrator impulsive cannot hold a point of a body: replace held by a "
                            "ball joint with the world");
    const ContactSettings& contact = settings.contact;
    if (!(contact.tolerance > 0) || !std::isfinite(contact.tolerance))
        wrong("contact.tolerance", "tolerance must be positive and finite, is ", contact.tolerance);
    if (contact.sweeps < 1)
        wrong("contact.sweeps", "sweeps must be at least 1, is ", contact.sweeps);
    if (!(contact.within >= 0) || !std::isfinite(contact.within))
        wrong("contact.within", "within must be finite and not negative, is ", contact.within,
              "; it is the gap in m that counts as touch");
    if (!(settings.baumgarte_time >= 0) || !std::isfinite(settings.baumgarte_time))
        wrong("baumgarte_time", "baumgarte_time must be finite and not negative, is ",
              settings.baumgarte_time);
    if (!(settings.baumgarte_damping > 0) || !std::isfinite(settings.baumgarte_damping))
        wrong("baumgarte_damping", "baumgarte_damping must be positive and finite, is ",
              settings.baumgarte_damping, "; 1 is critical");
    const MethodFacts& facts = facts_of(settings.method);
    const bool reduced = settings.formulation == Formulation::reduced;
    if (reduced ? !facts.in_reduced : !facts.in_maximal) {
        std::string fit;
        for (const MethodFacts& f : methods)
            if (reduced ? f.in_reduced : f.in_maximal)
                fit += text_of(fit.empty() ? "" : ", ", f.name);
        StepSettings other = settings;
        other.formulation = reduced ? Formulation::maximal : Formulation::reduced;
        const bool there =
            (reduced ? facts.in_maximal : facts.in_reduced) && !unfit(model, other).any();
        wrong("integrator", "integrator ", facts.name, " does not work in ",
              name_of(settings.formulation), " coordinates: use one of ", fit,
              there ? text_of(", or formulation ", name_of(other.formulation)) : std::string());
    }
    const auto lets_go = std::find_if(model.releases().begin(), model.releases().end(),
                                      [](const Release& release) { return release.joint >= 0; });
    if (reduced && needs_tree(settings.method) && lets_go != model.releases().end())
        wrong("integrator", "integrator ", facts.name,
              " works on momenta of a tree that stays one, and joint '",
              model.joints()[static_cast<std::size_t>(lets_go->joint)].name,
              "' may let go: use runge_kutta4 or adaptive",
              settings.method == Method::midpoint ? ", or maximal coordinates" : "");
    else if (reduced && has_loops(model) && needs_tree(settings.method))
        wrong("integrator", "integrator ", facts.name,
              " works on momenta of a tree in reduced coordinates; loops, gears and prescribed "
              "motions need one of ",
              work_with_loops(),
              facts.in_maximal ? ", or formulation: maximal, where it takes them too" : "");
    if (reduced && settings.stabilisation == Stabilisation::baumgarte && has_loops(model))
        wrong("stabilisation", "baumgarte is for maximal coordinates: use projection, or "
                               "formulation: maximal");
    if (reduced && model.any_held())
        wrong("formulation",
              "a body that is held has no joint: replace held by a ball joint with the "
              "world, or run in maximal coordinates, with formulation: maximal");
    if (!model.tanks().empty()) {
        const std::string named =
            text_of("integrator ", facts.name, " takes masses that stay, and tank '",
                    model.tanks()[0].name, "' lets one vary: ");
        if (settings.method == Method::impulsive)
            wrong("integrator", named,
                  "use runge_kutta4, adaptive, midpoint or splitting, with 'contact: {response: "
                  "penalty}' where surfaces touch");
        if (settings.method == Method::second_order)
            wrong("integrator", named,
                  "its h²a/2 is that of a = F/m; use explicit_euler, or "
                  "runge_kutta4 or adaptive");
    }
    const bool takes_start = settings.method == Method::explicit_euler ||
                             settings.method == Method::symplectic_euler ||
                             settings.method == Method::body_frame;
    for (const Flow& flow : model.flows())
        if (flow.control >= 0 && takes_start) {
            wrong("integrator", "integrator ", facts.name,
                  " takes one flow for the whole of a step, and flow '", flow.name,
                  "' follows a control: use runge_kutta4 or adaptive");
            break;
        }
    if (!(settings.tolerance.relative > 0) || !(settings.tolerance.absolute >= 0))
        wrong(settings.tolerance.relative > 0 ? "tolerance.absolute" : "tolerance.relative",
              "tolerance must be positive");
    if ((settings.method == Method::adams || settings.method == Method::bdf) && !stiff_available())
        wrong("integrator", "integrator ", facts_of(settings.method).name,
              " needs SUNDIALS, and this program was built without");
    return found;
}

} // namespace poinsot
