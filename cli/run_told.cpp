// SPDX-License-Identifier: MIT
#include "cli/run_told.hpp"

#include "cli/run.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/yaml_tree.hpp"
#include "poinsot/step/cut_watch.hpp"

namespace poinsot {

namespace {

/// What the cuts of a model carried at most, beside what they may.
void tell_cuts(const Simulation& sim)
{
    const auto& cuts = sim.model().cuts();
    if (cuts.empty())
        return;
    say("Cuts, and the most they carried\n");
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const CutRecord& at = sim.cuts()[i];
        if (!cuts[i].strength.any())
            say("  {}: no limits given\n", visible(cuts[i].name));
        else
            say("  {}: {:.3g} of its strength, by {}, at t = {:.6g} s{}\n", visible(cuts[i].name),
                at.most, at.by, at.at,
                at.gone        ? "; it has let go"
                : at.most >= 1 ? "; TOO MUCH"
                               : "");
    }
}

/// What let go, broke or was loaded too much, the first of it; impacts are too many to tell.
void tell_happenings(const Simulation& sim)
{
    constexpr int most = 10;
    int told = 0;
    for (const Happening& one : sim.happenings().list()) {
        if (one.kind == Happening::Kind::impact || one.kind == Happening::Kind::stop)
            continue;
        if (told == 0)
            say("What happened\n");
        if (told++ < most)
            say("  t = {:.6g} s, {}: {}\n", one.time, name_of(one.kind),
                visible(sentence(sim.model(), one)));
    }
    if (told > most)
        say("  and {} more\n", told - most);
}

} // namespace

void tell_run(const Scene& scene, const Simulation& sim, const Outcome& end, double wall,
              std::int64_t steps)
{
    const double per_second = static_cast<double>(steps) / std::max(wall, 1e-9);
    say("t = {} s after {} steps; {:.3g} s of computing, {:.3g} times real time\n\n{}", sim.time(),
        sim.state().step, wall, per_second * sim.settings().step.h,
        ledger_table(sim.ledger(), *scene.model, scene.about, end.finished()));
    tell_cuts(sim);
    tell_happenings(sim);
    if (sim.steps_by_impulses() > 0)
        say("In {} steps no forces were found between surfaces that rest on each other, or "
            "events had no end: taken by impulses\n",
            sim.steps_by_impulses());
    say("State hash {}\n", hex(hash_of(sim.state())));
}

nlohmann::ordered_json run_as_json(const Scene& scene, const Simulation& sim, const Outcome& end,
                                   double wall)
{
    const Ledger& ledger = sim.ledger();
    nlohmann::ordered_json json{
        {"scene", scene.file},
        {"title", scene.title},
        {"integrator", facts_of(sim.settings().step.method).name},
        {"state_form", name_of(sim.settings().step.form)},
        {"formulation", name_of(sim.settings().step.formulation)},
        {"step", sim.settings().step.h},
        {"steps", sim.state().step},
        {"time", sim.time()},
        {"state_hash", hex(hash_of(sim.state()))},
        {"ledger", nlohmann::ordered_json::parse(ledger_json(ledger, *scene.model, scene.about))},
        {"balanced", end.finished() && ledger.balanced()},
        {"verdict", !ledger.balanced() ? ledger.verdict()
                    : end.finished()   ? "the books balance"
                                       : "the run did not finish"},
        {"ended", end.failure   ? "failed"
                  : end.stopped ? "stopped"
                  : end.file    ? "not written"
                                : "done"},
        {"evaluations", sim.evaluations()},
        {"steps_by_impulses", sim.steps_by_impulses()},
        {"wall_seconds", wall}};
    for (std::size_t i = 0; i < sim.cuts().size(); ++i) {
        const CutRecord& cut = sim.cuts()[i];
        json["cuts"].push_back({{"name", sim.model().cuts()[i].name},
                                {"largest_utilisation", cut.most},
                                {"by", cut.by},
                                {"time", cut.at},
                                {"gone", cut.gone}});
    }
    for (const Happening& one : sim.happenings().list()) {
        json["events"].push_back({{"time", one.time},
                                  {"kind", name_of(one.kind)},
                                  {"name", name_of(sim.model(), one)},
                                  {"text", sentence(sim.model(), one)}});
        if (*one.by)
            json["events"].back().update({{"load", one.by}, {"utilisation", one.utilisation}});
    }
    return json;
}

} // namespace poinsot
