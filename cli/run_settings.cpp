// SPDX-License-Identifier: MIT
#include "cli/run_settings.hpp"

#include "cli/page.hpp"
#include "cli/run.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/io/yaml_tree.hpp"

#include <cmath>

namespace poinsot {

Problems apply(const RunArguments& args, Scene& scene, std::int64_t& checkpoint_every)
{
    Problems found;
    const auto number = [&](const std::string& text, const char* option, auto&& use) {
        if (text.empty())
            return;
        const ParsedNumber parsed = parse_number(text);
        if (parsed.value)
            use(*parsed.value);
        else
            found.add(option, "'", text, "' ", parsed.problem);
    };
    const auto positive = [&](const char* option, double value, double& into) {
        if (value > 0)
            into = value;
        else
            found.add(option, "must be greater than zero, is ", value);
    };
    const auto count = [&](const std::string& text, const char* option, auto& into) {
        number(text, option, [&](double value) {
            if (value >= 1 && value <= 1e9 && value == std::floor(value))
                into = static_cast<std::remove_reference_t<decltype(into)>>(value);
            else
                found.add(option,
                          "must be a whole number of at least 1 and at most 1000000000, is ",
                          value);
        });
    };
    RunSettings& run = scene.run;
    number(args.until, "--until", [&](double t) { positive("--until", t, run.until); });
    number(args.step, "--step", [&](double h) { positive("--step", h, run.step.h); });
    number(args.energy_tolerance, "--energy-tolerance", [&](double e) {
        positive("--energy-tolerance", e, run.ledger.energy_tolerance.emplace());
    });
    count(args.every, "--every", scene.output_every);
    count(args.ledger_every, "--ledger-every", run.ledger_every);
    count(args.checkpoint_every, "--checkpoint-every", checkpoint_every);

    const auto choose = [&](const std::string& name, const char* option, auto named, auto& into,
                            const std::vector<std::string_view>& known) {
        if (name.empty())
            return;
        if (const auto chosen = named(name)) {
            into = *chosen;
            return;
        }
        const std::string near = nearest_word(name, known);
        found.add(option, "there is no '", name, "'",
                  near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                  fmt::format(" Known are: {}", fmt::join(known, ", ")));
    };
    std::vector<std::string_view> known;
    for (const MethodFacts& method : methods)
        known.push_back(method.name);
    choose(args.integrator, "--integrator", method_named, run.step.method, known);
    choose(args.state_form, "--state-form", form_named, run.step.form,
           {"momentum", "velocity", "matrix"});
    if (!args.both())
        choose(args.formulation, "--formulation", formulation_named, run.step.formulation,
               {"maximal", "reduced", "both"});
    choose(args.stabilisation, "--stabilisation", stabilisation_named, run.step.stabilisation,
           {"none", "baumgarte", "projection"});
    if (args.formulation.empty() && !scene.names_formulation)
        run.step.formulation = formulation_for(*scene.model, run.step);
    if (args.integrator.empty() && !scene.names_integrator && !args.both())
        run.step.method = unnamed_method_in(run.step.formulation, run.step.method);
    if (!args.stabilisation.empty() && scene.model->joints().empty())
        found.add("--stabilisation", "has no effect: the scene has no joints");
    choose(args.ledger, "--ledger", detail_named, run.ledger.detail, {"off", "totals", "bodies"});
    if (run.ledger.detail == Postings::Detail::off)
        for (const auto& [option, given] : {std::pair("--energy-tolerance", &args.energy_tolerance),
                                            {"--ledger-every", &args.ledger_every}})
            if (!given->empty())
                found.add(option, "has no effect: ",
                          args.ledger.empty() ? "the ledger of the scene is off; give --ledger "
                                                "totals, or leave this out"
                                              : "with --ledger off no books are kept; leave one of "
                                                "the two out");
    if (!args.forces.empty() && args.forces != "on" && args.forces != "off")
        found.add("--forces", "must be on or off, is '", args.forces, "'");
    else if (!args.forces.empty() && ((args.out.empty() && args.report.empty()) || args.both()))
        found.add("--forces", args.both() ? "is for one motion, and --formulation both makes two"
                                          : "needs --out FILE.h5: without it there are no frames");
    if (!args.checkpoint_every.empty() && args.checkpoint.empty())
        found.add("--checkpoint-every", "needs --checkpoint FILE to write to");
    if (!args.every.empty() && args.out.empty() && args.report.empty())
        found.add("--every", "needs --out FILE: without it there are no frames");
    if (!args.report.empty()) {
        found.add(no_page("--report", args.report));
        if (std::filesystem::path(args.out).extension() == ".csv")
            found.add("--report", "is made from an HDF5 file; give --out FILE.h5, or no --out");
    }
    for (const auto& [option, file] : {std::pair("--out", &args.out),
                                       {"--checkpoint", &args.checkpoint},
                                       {"--resume", &args.resume}})
        if (args.both() && !file->empty())
            found.add(option, "is for one motion, and --formulation both makes two; choose maximal "
                              "or reduced");
    return found;
}

Problems overwritten(const RunArguments& args, const Scene& scene)
{
    Problems found;
    const auto keep = [&](const char* option, const std::string& written, const std::string& read,
                          const std::string& what) {
        // It grows under its temporary name.
        if (!written.empty() && (same_file(written, read) || same_file(written + ".part", read)))
            found.add(option, "would overwrite ", what, ", '", read, "'; name another file");
    };
    const auto keep_from_both = [&](const std::string& read, const char* what) {
        keep("--out", args.out, read, what);
        keep("--checkpoint", args.checkpoint, read, what);
        keep("--report", args.report, read, what);
    };
    keep_from_both(scene.file, "the scene");
    for (const Body& body : scene.description.bodies)
        if (const auto* mesh = std::get_if<MeshShape>(&body.shape))
            keep_from_both((std::filesystem::path(scene.file).parent_path() / mesh->path).string(),
                           "a mesh of the scene");
    for (const Scene::Robot& robot : scene.robots)
        if (robot.file != scene.file)
            keep_from_both(robot.file, "a robot of the scene");
    if (!args.resume.empty())
        for (const auto& [option, file] :
             {std::pair("--out", &args.out), {"--report", &args.report}})
            keep(option, *file, args.resume, "the checkpoint to resume from");
    std::error_code error;
    if (!args.resume.empty() && !args.out.empty() &&
        std::filesystem::is_regular_file(args.out, error))
        found.add("--out", "'", args.out,
                  "' is there already, perhaps with what came before: a run that goes on writes a "
                  "file of its own; name another, or remove it");
    if (!args.checkpoint.empty())
        for (const auto& [option, file] :
             {std::pair("--out", &args.out), {"--report", &args.report}})
            keep(option, *file, args.checkpoint, "the file of --checkpoint");
    if (!args.out.empty())
        keep("--report", args.report, args.out, "the file of --out");
    return found;
}

Problems as_options(const Problems& problems)
{
    Problems named;
    for (const Problem& p : problems.list()) // what an argument did, or the scene
        named.add(p.place == "ledger"               ? "--ledger-every"
                  : p.key.starts_with("tolerance.") ? "tolerance"
                                                    : "--" + p.key,
                  p.what);
    return named;
}

} // namespace poinsot
