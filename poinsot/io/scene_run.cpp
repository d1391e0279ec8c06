// SPDX-License-Identifier: MIT
// How a scene is run, how its books are kept, and what comes out of it.
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/scene_draft.hpp"

namespace poinsot {

void read_run(SceneDraft& draft, const Value& value)
{
    Fields f(value.named("run"), "run");
    draft.run = f.value();
    RunSettings& run = draft.scene.run;
    f.read("until", run.until);
    f.read("step", run.step.h);
    const auto integrator = f.find("integrator");
    if (integrator) {
        std::vector<std::string_view> known;
        for (const MethodFacts& m : methods)
            known.push_back(m.name);
        if (const auto method = integrator->choice("integrator", method_named, known)) {
            run.step.method = *method;
            draft.scene.names_integrator = true;
        }
    }
    if (const auto name = f.find("state_form"))
        if (const auto form =
                name->choice("state_form", form_named, {"momentum", "velocity", "matrix"}))
            run.step.form = *form;
    if (const auto name = f.find("formulation"))
        if (const auto formulation =
                name->choice("formulation", formulation_named, {"maximal", "reduced"})) {
            run.step.formulation = *formulation;
            draft.scene.names_formulation = true;
        }
    draft.stabilisation = f.find("stabilisation");
    if (draft.stabilisation)
        if (const auto way = draft.stabilisation->choice("stabilisation", stabilisation_named,
                                                         {"none", "baumgarte", "projection"}))
            run.step.stabilisation = *way;
    draft.baumgarte_time = f.find("baumgarte_time");
    if (draft.baumgarte_time)
        run.step.baumgarte_time = draft.baumgarte_time->number();
    draft.baumgarte_damping = f.find("baumgarte_damping");
    if (draft.baumgarte_damping)
        run.step.baumgarte_damping = draft.baumgarte_damping->number();
    f.read("renormalise", run.step.renormalise);
    if (const auto tolerance = f.find("tolerance")) {
        if (draft.scene.names_integrator || !integrator)
            draft.tolerance = tolerance; // else it is not known whether it has a use
        Tolerance& tol = run.step.tolerance;
        if (tolerance->node().is_map()) {
            Fields t(*tolerance, "tolerance");
            t.read("relative", tol.relative);
            t.read("absolute", tol.absolute);
            t.read("most_substeps", tol.most_substeps);
        } else
            tol.relative = tolerance->number(tol.relative);
    }
    draft.energy_tolerance = f.find("energy_tolerance");
    if (draft.energy_tolerance)
        run.ledger.energy_tolerance = draft.energy_tolerance->positive();
}

void read_ledger(SceneDraft& draft, const Value& value)
{
    Fields f(value.named("ledger"), "ledger");
    draft.ledger = f.value();
    Scene& scene = draft.scene;
    if (const auto detail = f.find("detail")) {
        const std::string name = detail->word();
        if (const auto named = detail_named(name))
            scene.run.ledger.detail = *named;
        else
            detail->must("be off, totals or bodies, is '", name, "'");
    }
    const auto every = f.find("every");
    if (every)
        scene.run.ledger_every = every->count(scene.run.ledger_every);
    const auto about = f.find("about");
    if (scene.run.ledger.detail == Postings::Detail::off)
        for (const auto& key : {every, about, draft.energy_tolerance})
            if (key)
                key->problem(key->what(), " has no effect: with detail: off no books are kept; "
                                          "remove it, or choose detail: totals");
    if (!about)
        return;
    const YamlNode& node = about->node();
    if (node.is_map()) {
        Fields a(*about, "about");
        AboutBody fixed;
        const auto body = a.need("body", "name");
        const auto at = a.find("at");
        if (at)
            fixed.at = at->vector();
        if (body && draft.body_named(*body) != world) {
            fixed.name = body->node().text;
            scene.about = fixed;
        }
    } else if (node.is_list())
        scene.about = AboutPoint{about->vector()};
    else if (node.is_scalar() && node.text == "origin")
        scene.about = AboutOrigin{};
    else if (node.is_scalar() && node.text == "center_of_mass")
        scene.about = AboutCenterOfMass{};
    else if (draft.body_named(about->named(
                 "about of ledger (origin, center_of_mass, a point or a body)")) != world)
        scene.about = AboutBody{node.text, {}};
}

void read_output(SceneDraft& draft, const Value& value)
{
    Fields f(value.named("output"), "output");
    f.read("every", draft.scene.output_every);
}

bool chooses_its_steps(Method method)
{
    return method == Method::adaptive || method == Method::adams || method == Method::bdf;
}

void check_settings(SceneDraft& draft)
{
    const RunSettings& run = draft.scene.run;
    std::shared_ptr<const Model> model = draft.scene.model;
    if (!model) {
        Builder one;
        one.add_particle("any", 1, zero3<double>(), zero3<double>());
        model = std::make_shared<const Model>(*one.build());
    }
    if (draft.tolerance && !chooses_its_steps(run.step.method))
        draft.tolerance->problem("tolerance has no effect with ", facts_of(run.step.method).name,
                                 ": its steps are as long as 'step' says; remove it, or choose the "
                                 "integrator adaptive, adams or bdf");
    const bool joined = !draft.scene.description.joints.empty();
    if (draft.stabilisation && !joined)
        draft.stabilisation->problem("stabilisation has no effect: the scene has no joints; remove "
                                     "it");
    for (const auto& [key, given] : {std::pair("baumgarte_time", &draft.baumgarte_time),
                                     {"baumgarte_damping", &draft.baumgarte_damping}})
        if (*given && run.step.stabilisation != Stabilisation::baumgarte)
            (*given)->problem(key, " has no effect with stabilisation ",
                              name_of(run.step.stabilisation),
                              "; remove it, or choose stabilisation: baumgarte");
    RunSettings settings = run;
    if (!draft.scene.model && !draft.scene.names_integrator)
        settings.step.method = Method::runge_kutta4; // which one it will be is not known yet
    settings.ledger.about = {};
    if (const auto started = Simulation::start(model, settings); !started) {
        // What is wrong with "contact.sweeps" of a step stands under `contact` in a scene.
        Problems told;
        constexpr std::string_view contact = "contact.";
        for (const Problem& p : started.problems().list())
            if (p.key.starts_with(contact))
                told.add_at("contact", p.key.substr(contact.size()), p.what);
            else
                told.add_at(p.place, p.key, p.what);
        draft.tell(told, {{"run", draft.run.value_or(draft.root).named("")},
                          {"contact", draft.contact.value_or(draft.root).named("contact")},
                          {"ledger", draft.ledger.value_or(draft.root).named("")}});
    }
}

} // namespace poinsot
