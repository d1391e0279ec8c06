// SPDX-License-Identifier: MIT
#include "cli/run_told.hpp"

#include "cli/run.hpp"
#include "poinsot/io/contact_text.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/yaml_tree.hpp"
#include "poinsot/solve/redundancy.hpp"
#include "poinsot/step/cut_watch.hpp"

#include <algorithm>

namespace poinsot {

namespace {

/// Takes up what is to be said in the place of `say`: a text for each warning, with its lines.
class Warnings {
  public:
    template <class... Parts>
    void operator()(fmt::format_string<Parts...> form, Parts&&... parts)
    {
        const std::string text = fmt::format(form, std::forward<Parts>(parts)...);
        constexpr std::string_view begins = "WARNING: ";
        if (text.starts_with(begins))
            list.push_back(text.substr(begins.size()));
        else // goes on
            list.back() += text;
    }
    std::vector<std::string> list;
};

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
        else if (!(at.most > 0))
            say("  {}: nothing of what it is limited in{}\n", visible(cuts[i].name),
                at.gone ? "; it has let go" : "");
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
        using Kind = Happening::Kind;
        if (one.kind == Kind::impact || one.kind == Kind::stop || one.kind == Kind::gain ||
            one.kind == Kind::gain_at_stop)
            continue; // gains are told with the ledger
        if (told == 0)
            say("What happened\n");
        if (told++ < most)
            say("  t = {:.6g} s, {}: {}\n", one.time, name_of(one.kind),
                visible(sentence(sim.model(), one)));
    }
    if (told > most)
        say("  and {} more\n", told - most);
}

/// Contacts that made energy, by their law or by not being solved: a line each, the largest first.
void warn_of_gains(const Simulation& sim, bool unsolved, Warnings& say)
{
    std::vector<ContactGain> gains;
    for (const ContactGain& one : sim.contact_quality().gains)
        if (one.unsolved == unsolved)
            gains.push_back(one);
    std::stable_sort(gains.begin(), gains.end(), [](const ContactGain& a, const ContactGain& b) {
        return a.energy > b.energy;
    });
    constexpr std::size_t most = 10;
    const ContactSettings& contact = sim.settings().step.contact;
    if (!gains.empty() && unsolved)
        say("WARNING: contact was not solved to {:.1e}, and that made energy; {}\n",
            contact.tolerance,
            contact.exact ? "a smaller step may help"
                          : "'solver: exact', more 'sweeps' or a smaller step make less");
    else if (!gains.empty())
        say("WARNING: the law of impact '{}' made energy; {}\n", name_of(contact.law),
            contact.order == ImpactOrder::in_sequence ? "contacts together make none by energetic"
            : contact.law == ImpactLaw::energetic || contact.law == ImpactLaw::moreau
                ? "joints that came back to their course in the same step pushed too, and a "
                  "smaller step makes less"
                : "energetic and moreau make none");
    for (std::size_t i = 0; i < gains.size() && i < most; ++i)
        say("  {}: {:.4g} J, first at t = {:.6g} s\n", visible(name_of_gain(sim.model(), gains[i])),
            gains[i].energy, gains[i].time);
    if (gains.size() > most)
        say("  and {} more contacts\n", gains.size() - most);
}

/// Energy that the integrator itself made or lost where surfaces touch: so much is seen.
constexpr double seen_part = 1e-3;
void warn_of_straying(const Simulation& sim, Warnings& say)
{
    const ContactQuality& quality = sim.contact_quality();
    if (quality.strayed_part > seen_part)
        say("WARNING: the integrator {} {:.4g} J, {} % of the largest energy, up to t = {:.6g} s: "
            "forces between surfaces change within a step there; a smaller step resolves them\n",
            quality.strayed > 0 ? "made" : "lost", std::abs(quality.strayed),
            percent(quality.strayed_part), quality.strayed_at);
}

/// How much of the largest energy the numerics made or lost in the whole run, and what joints did,
/// which do no work.
struct EnergyMissed {
    double made;         // J; negative where it was lost
    double part, joints; // of the largest energy
};
EnergyMissed energy_missed(const Ledger& ledger)
{
    const Books& books = ledger.books();
    if (ledger.off() || !(books.scale_E > 0))
        return {0, 0, 0};
    const double made = books.total.residual.E();
    return {made, std::abs(made) / books.scale_E,
            std::abs(books.total.posted[index_of(Cause::joint)].work) / books.scale_E};
}
void warn_of_long_steps(const Simulation& sim, Warnings& say)
{
    const auto [made, part, joints] = energy_missed(sim.ledger());
    if (!(part > seen_part || joints > seen_part))
        return;
    say("WARNING: the numerics {} {:.4g} J, {} % of the largest energy{}: the step is too long for "
        "this motion, or the integrator too coarse\n",
        made > 0 ? "made" : "lost", std::abs(made), percent(part),
        joints > seen_part
            ? fmt::format(", and joints, which do no work, did {} % of it", percent(joints))
            : "");
}

/// "In 1 step, at t = 0.1 s" or "In 3 steps, first at t = 0.1 s", and between which surfaces.
void tell_by_impulses(const Simulation& sim, const ByImpulsesTold& one, const char* why)
{
    if (one.steps == 0)
        return;
    const auto skin = [&](int i) {
        return visible(sim.model().skins()[static_cast<std::size_t>(i)].name);
    };
    say("In {} {}at t = {:.6g} s{}, {}: taken by impulses\n", one.steps,
        one.steps == 1 ? "step, " : "steps, first ", one.time,
        one.a < 0 ? "" : " between '" + skin(one.a) + "' and '" + skin(one.b) + "'", why);
}

/// Springs that let something in so far that it is hardly held.
void warn_of_sinking(const Simulation& sim, Warnings& say)
{
    const SunkIn& sunk = sim.contact_quality().sunk;
    if (!(sunk.part() > SunkIn::too_far))
        return;
    const auto skin = [&](int i) {
        return visible(sim.model().skins()[static_cast<std::size_t>(i)].name);
    };
    say("WARNING: penalty contact let '{}' and '{}' into each other by {:.3g} m at t = {:.6g} s, "
        "{} % of the smallest side ({:.3g} m): it may not hold them apart; a smaller step "
        "makes it stiffer, and 'response: impulsive' carries any weight\n",
        skin(sunk.a), skin(sunk.b), sunk.depth, sunk.time, percent(sunk.part()), sunk.side);
}

/// What is fast, and was not followed all the way.
void warn_of_passing(const Simulation& sim, Warnings& say)
{
    const ContactQuality& quality = sim.contact_quality();
    if (quality.unlooked > 0)
        say("WARNING: in {} {} what is fast was not looked for all the way{}: it may have passed "
            "through something\n",
            quality.unlooked, quality.unlooked == 1 ? "step" : "steps",
            sim.settings().step.contact.response == ContactResponse::penalty
                ? ", as with penalty contact it never is"
                : ", so often does it hit");
}

/// Dry friction of joints, made smooth, is a damper of friction/slip_speed below slip_speed. Steps
/// that are too long for it turn it round within each.
void warn_of_friction(const Simulation& sim, Warnings& say)
{
    const Method method = sim.settings().step.method;
    if (!(energy_missed(sim.ledger()).part > seen_part) || !steps_of_h(method) ||
        method == Method::impulsive)
        return;
    const Joint* stiffest = nullptr;
    double most = 0, slip_speed = 0;
    for (const Joint& joint : sim.model().joints())
        for (const CoordinateLaw& law : joint.laws)
            if (law.friction / law.slip_speed > most) {
                most = law.friction / law.slip_speed;
                slip_speed = law.slip_speed;
                stiffest = &joint;
            }
    if (stiffest)
        say("WARNING: if it is friction of joints that the step is too long for (that of '{}' is "
            "stiff below its slip_speed of {:g}): integrator impulsive takes it dry with any step, "
            "adaptive and bdf choose their own, and a larger slip_speed is less stiff\n",
            visible(stiffest->name), slip_speed);
}

/// Bushings that were turned so far that they know no more which way round.
void warn_of_snapping(const Simulation& sim, Warnings& say)
{
    for (std::size_t i = 0; i < sim.snapped().size(); ++i)
        if (std::isfinite(sim.snapped()[i]))
            say("WARNING: {} '{}' was turned past half a turn, first at t = {:.6g} s: it "
                "takes the short way round, so its torque jumped to the other side; what turns on "
                "is for a revolute joint with a stiffness\n",
                i < sim.model().described_bushings() ? "bushing" : "joint",
                visible(sim.model().bushings()[i].name), sim.snapped()[i]);
}

/// What of contact was not solved as asked, and what was fast.
void tell_quality(const Simulation& sim)
{
    const ContactQuality& quality = sim.contact_quality();
    if (quality.unsolved > 0)
        say("In {} {} contact was not solved to {:.1e}; the largest natural residual is "
            "{:.1e}\n",
            quality.unsolved, quality.unsolved == 1 ? "step" : "steps",
            sim.settings().step.contact.tolerance, quality.residual);
    if (quality.divided > 0)
        say("{} taken in parts: something fast was hit between {} looks\n",
            quality.divided == 1 ? "1 step was" : fmt::format("{} steps were", quality.divided),
            quality.divided == 1 ? "its" : "their");
}

} // namespace

std::vector<std::string> warnings_of(const Simulation& sim)
{
    Warnings say;
    warn_of_gains(sim, false, say);
    warn_of_gains(sim, true, say);
    warn_of_straying(sim, say);
    warn_of_long_steps(sim, say);
    warn_of_friction(sim, say);
    warn_of_sinking(sim, say);
    warn_of_snapping(sim, say);
    warn_of_passing(sim, say);
    for (std::string& text : say.list)
        text.pop_back(); // the end of the line
    return std::move(say.list);
}

void tell_before(const Scene& scene)
{
    for (const Scene::Robot& robot : scene.robots)
        if (robot.warnings + robot.not_used > 0)
            say("Robot '{}': {} warnings, {} things not used; `poinsot check {}` tells which\n",
                visible(robot.name), robot.warnings, robot.not_used, visible(robot.file));
    if (const std::size_t repeats = redundancy_of(*scene.model).repeats.size(); repeats > 0)
        say("{} of the joints repeat what others say, so what they carry is not unique; `poinsot "
            "check` tells which\n",
            repeats);
}

void tell_books(const Scene& scene, const Simulation& sim, bool finished)
{
    say("{}", ledger_table(sim.ledger(), *scene.model, scene.about, finished));
    for (const std::string& warning : warnings_of(sim))
        say("WARNING: {}\n", warning);
    tell_cuts(sim);
    tell_happenings(sim);
    tell_quality(sim);
    const ContactQuality& quality = sim.contact_quality();
    tell_by_impulses(sim, quality.no_forces,
                     "no forces hold what rests and slides there (Painlevé's paradox)");
    tell_by_impulses(sim, quality.none_found, "no forces were found between what rests there");
    tell_by_impulses(sim, quality.endless, "events followed each other without end");
    say("State hash {}\n", hex(hash_of(sim.state())));
}

void tell_run(const Scene& scene, const Simulation& sim, const Outcome& end, double wall,
              std::int64_t steps)
{
    const double per_second = static_cast<double>(steps) / std::max(wall, 1e-9);
    say("t = {} s after {} steps; {:.3g} s of computing, {:.3g} times real time\n\n",
        moment(sim.time()), sim.state().step, wall, per_second * sim.settings().step.h);
    tell_books(scene, sim, end.finished());
}

void add_told(nlohmann::ordered_json& json, const Simulation& sim)
{
    json["warnings"] = warnings_of(sim);
    if (!sim.model().skins().empty())
        json["contact"] = nlohmann::ordered_json::parse(contact_quality_json(sim));
    for (std::size_t i = 0; i < sim.cuts().size(); ++i) {
        const CutRecord& cut = sim.cuts()[i];
        json["cuts"].push_back({{"name", sim.model().cuts()[i].name},
                                {"largest_utilisation", cut.most},
                                {"by", cut.by},
                                {"time", cut.at},
                                {"gone", cut.gone}});
    }
    for (std::size_t i = 0; i < sim.snapped().size(); ++i)
        if (std::isfinite(sim.snapped()[i]))
            json["bushings_past_half_a_turn"].push_back(
                {{"name", sim.model().bushings()[i].name}, {"first", sim.snapped()[i]}});
    for (const Happening& one : sim.happenings().list()) {
        json["events"].push_back({{"time", one.time},
                                  {"kind", name_of(one.kind)},
                                  {"name", name_of(sim.model(), one)},
                                  {"text", sentence(sim.model(), one)}});
        if (*one.by)
            json["events"].back().update({{"load", one.by}, {"utilisation", one.utilisation}});
    }
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
        {"balanced", balance_json(!ledger.off(), end.finished() && ledger.balanced())},
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
    add_told(json, sim);
    return json;
}

} // namespace poinsot
